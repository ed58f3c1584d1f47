//! `extract`: one symbol or range of a file.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput, nearest};
use tagline_workspace::{Kind, Problem};

use crate::{
    files::{
        desk::{Desk, Touch, WHOLE, at_desk, claims},
        read_file::{BUDGET, lines, read_one},
        text::Text,
    },
    search::code::{Symbols, Target},
};

/// Most places of one symbol that are shown.
const PLACES: usize = 3;

/// Shows one definition or range of lines, with line numbers: `path#name`, `path:10-20`, or a
/// path with `line`. Use it after `search`; for whole files, use `read_file`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Extract {
    /// The file and what of it: `src/auth.rs#login`, `src/auth.rs#Session::new`,
    /// `src/auth.rs:10-20`.
    file_path: String,
    /// First line, where the path does not say it. Alone, it shows the definition around it.
    #[serde(default)]
    #[schemars(range(min = 1))]
    line: Option<u64>,
    /// Last line.
    #[serde(default)]
    #[schemars(range(min = 1))]
    end_line: Option<u64>,
}

impl Tool for Extract {
    const NAME: &'static str = "extract";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] = &[
        r#"<extract file_path="src/auth.rs#login"/>"#,
        r#"<extract file_path="src/auth.rs:10-20"/>"#,
    ];
    const SUBTITLE: Option<&'static str> = Some("file_path");

    fn claims(&self, cx: &ToolContext) -> Claims {
        let (path, _) = split(&self.file_path, |_| false);
        claims(cx, [(path, Touch::Reads), (&*self.file_path, Touch::Reads)])
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        at_desk(cx, move |desk| self.extract(desk)).await
    }
}

/// What of the file is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'p> {
    Whole,
    Symbol(&'p str),
    /// Numbers of the first and last line.
    Lines(u64, u64),
    /// The definition around a line.
    Around(u64),
}

impl Extract {
    fn extract(self, desk: &Desk) -> ToolOutcome {
        let is_file = |path: &str| matches!(desk.files.kind(path), Ok(Kind::File(_)));
        let (path, part) = split(&self.file_path, is_file);
        let part = match (part, self.line, self.end_line) {
            (part, None, None) => part,
            (_, Some(line), None) => Part::Around(line),
            (_, line, Some(end)) => Part::Lines(line.unwrap_or(1), end),
        };
        match part {
            Part::Whole => show(desk, path, &[(1, u64::MAX)]),
            Part::Lines(from, to) => show(desk, path, &[(from, to)]),
            Part::Symbol(name) => symbol(desk, path, name),
            Part::Around(line) => {
                let text = text(desk, path)?;
                let found = Symbols::of(path, &text).around(line);
                show(desk, path, &[found.unwrap_or((line, line.saturating_add(20)))])
            }
        }
    }
}

/// Takes the path apart; a file of the whole name is that file.
fn split(asked: &str, is_file: impl Fn(&str) -> bool) -> (&str, Part<'_>) {
    if is_file(asked) {
        return (asked, Part::Whole);
    }
    if let Some((path, name)) = asked.split_once('#').filter(|(_, name)| !name.is_empty()) {
        return (path, Part::Symbol(name.trim()));
    }
    let Some((path, range)) = asked.rsplit_once(':') else {
        return (asked, Part::Whole);
    };
    let number = |digits: &str| digits.trim().trim_start_matches('L').parse::<u64>().ok();
    match range.split_once('-') {
        None => match number(range) {
            Some(line) => (path, Part::Around(line)),
            None => (asked, Part::Whole),
        },
        Some((from, to)) => match (number(from), number(to)) {
            (Some(from), Some(to)) => (path, Part::Lines(from, to)),
            _ => (asked, Part::Whole),
        },
    }
}

fn text(desk: &Desk, path: &str) -> Result<String, ToolFailure> {
    let contents = desk.files.read(path, WHOLE).map_err(|error| {
        if error.problem == Problem::NotAFile("a folder") {
            return ToolFailure::BadCall(format!("{error}; find the file with `search`"));
        }
        desk.failure(&error)
    })?;
    let text = Text::decode(&contents.bytes).map(|text| text.text);
    text.ok_or_else(|| {
        ToolFailure::BadCall(format!("`{path}`: expected a text file, but it is binary"))
    })
}

fn symbol(desk: &Desk, path: &str, name: &str) -> ToolOutcome {
    let text = text(desk, path)?;
    let symbols = Symbols::of(path, &text);
    let found = symbols.find(&Target::new(name));
    if !found.is_empty() {
        return show(desk, path, &found);
    }
    let names = symbols.names();
    let near = nearest(name, names.iter().map(String::as_str));
    let hint = match (near.is_empty(), names.is_empty()) {
        (false, _) => format!("did you mean {}", quoted(&near)),
        (true, false) => format!("it defines {}", quoted(&names)),
        (true, true) => "look for it with `search`".to_owned(),
    };
    Err(ToolFailure::Missing(format!("`{path}`: there is no definition of `{name}`; {hint}")))
}

fn quoted(names: &[String]) -> String {
    let shown: Vec<_> = names.iter().take(12).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(shown.len());
    let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
    shown.join(", ") + &rest
}

/// Shows ranges of lines, first and last number each.
fn show(desk: &Desk, path: &str, ranges: &[(u64, u64)]) -> ToolOutcome {
    let n = ranges.len().clamp(1, PLACES);
    let (mut echo, mut shown) = (String::new(), Vec::new());
    let mut media = Vec::new();
    for (from, to) in ranges.iter().take(PLACES) {
        let wanted = lines(Some(*from), Some(*to), BUDGET / n)?;
        let reading = read_one(desk, path, wanted)?;
        echo.push_str(&reading.echo);
        echo.push('\n');
        shown.push(reading.payload);
        media.extend(reading.media);
    }
    for (from, to) in ranges.iter().skip(PLACES) {
        echo.push_str(&format!("[also at {path}:{from}-{to}]\n"));
    }
    let payload = json!({ "path": path, "parts": shown });
    Ok(ToolOutput { media, ..ToolOutput::new(echo.trim_end(), payload) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_apart() {
        let part = |asked| split(asked, |_| false);
        assert_eq!(part("a.rs"), ("a.rs", Part::Whole));
        assert_eq!(part("a.rs#f"), ("a.rs", Part::Symbol("f")));
        assert_eq!(part("a.rs#A::f"), ("a.rs", Part::Symbol("A::f")));
        assert_eq!(part("a.rs:7"), ("a.rs", Part::Around(7)));
        assert_eq!(part("a.rs:7-9"), ("a.rs", Part::Lines(7, 9)));
        assert_eq!(part("a.rs:L7-L9"), ("a.rs", Part::Lines(7, 9)));
        assert_eq!(part("home:/a"), ("home:/a", Part::Whole));
        assert_eq!(part("a:x"), ("a:x", Part::Whole));
        assert_eq!(split("a#b", |path| path == "a#b"), ("a#b", Part::Whole));
    }
}
