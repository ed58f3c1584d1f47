//! `read_file`: lines of a text file, or an image.

use std::io::{BufReader, Read as _, Seek as _};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput, system_words};
use tagline_workspace::{Contents, Opened, Problem};

use crate::files::{
    desk::{Desk, Stoppable, Touch, WHOLE, at_desk, claims, last_name},
    media::{Binary, describe, inspect},
    text::{Text, count, size},
    window::{Wanted, Window, read},
};

/// How much text one call shows, in bytes.
pub(crate) const BUDGET: usize = 14 * 1024;

/// Reads a text file with line numbers, or looks at an image. Read a file before you change it;
/// for a file with very long lines, use `read_file_in_chunks`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ReadFile {
    /// The file, such as `src/main.rs`.
    path: String,
    /// First line to read, from 1.
    #[serde(default)]
    #[schemars(range(min = 1))]
    from: Option<u64>,
    /// Last line to read.
    #[serde(default)]
    #[schemars(range(min = 1))]
    to: Option<u64>,
}

impl Tool for ReadFile {
    const NAME: &'static str = "read_file";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] = &[
        r#"<read_file path="src/main.rs"/>"#,
        r#"<read_file path="src/main.rs" from="40" to="80"/>"#,
    ];
    const LABEL: &'static str = "read";
    const SUBTITLE: Option<&'static str> = Some("path");

    fn claims(&self, cx: &ToolContext) -> Claims {
        claims(cx, [(self.path.as_str(), Touch::Reads)])
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        at_desk(cx, move |desk| {
            let wanted = lines(self.from, self.to, BUDGET)?;
            let Reading { echo, payload, media } = read_one(desk, &self.path, wanted)?;
            Ok(ToolOutput { media, ..ToolOutput::new(echo, payload) })
        })
        .await
    }
}

/// Which lines are wanted; the bounds must be in order.
pub(crate) fn lines(
    from: Option<u64>,
    to: Option<u64>,
    budget: usize,
) -> Result<Wanted, ToolFailure> {
    let (from, to) = (from.unwrap_or(1).max(1), to.unwrap_or(u64::MAX));
    if to < from {
        let message = format!("`to` is {to}: expected at least `from`, which is {from}");
        return Err(ToolFailure::BadCall(message));
    }
    Ok(Wanted { from, to, budget })
}

/// What was read, for the model and for the card.
pub(crate) struct Reading {
    pub(crate) echo: String,
    pub(crate) payload: serde_json::Value,
    pub(crate) media: Vec<tagline_protocol::Media>,
}

/// Reads one file; the model has seen it then.
pub(crate) fn read_one(desk: &Desk, path: &str, wanted: Wanted) -> Result<Reading, ToolFailure> {
    let opened = desk.files.open(path).map_err(|error| {
        if error.problem == Problem::NotAFile("a folder") {
            return ToolFailure::BadCall(format!("{error}; list it with `list_files`"));
        }
        desk.failure(&error)
    })?;
    let name = last_name(&opened.path);
    if opened.len > WHOLE {
        return read_large(desk, path, opened, wanted);
    }
    let failed = |problem| ToolFailure::Failed(format!("`{path}`: {problem}"));
    let contents = opened.read(WHOLE).map_err(failed)?;
    let reading = match Text::decode(&contents.bytes) {
        Some(text) => show_text(path, &contents, &text, wanted)?,
        None => show_binary(path, &name, &contents),
    };
    desk.note(&contents.path, &contents.bytes);
    Ok(reading)
}

fn show_text(
    path: &str,
    contents: &Contents,
    text: &Text,
    wanted: Wanted,
) -> Result<Reading, ToolFailure> {
    let window =
        read(&mut text.text.as_bytes(), wanted).map_err(|error| broken_at(path, &error))?;
    let len = contents.bytes.len() as u64;
    let mut oddities = text.oddities();
    if !text.text.is_empty() && !text.text.ends_with('\n') {
        oddities.push("no line break at the end".to_owned());
    }
    show_window(path, len, &window, wanted, &oddities)
}

/// Lines of a file that is too large to hold: bytes that are not UTF-8 are replaced in what is
/// shown, and the file does not count as read, since it cannot be edited as a whole.
fn read_large(
    desk: &Desk,
    path: &str,
    mut opened: Opened,
    wanted: Wanted,
) -> Result<Reading, ToolFailure> {
    let broken = |error: std::io::Error| broken_at(path, &error);
    let mut start = vec![0; 8192];
    let n = opened.file.read(&mut start).map_err(broken)?;
    start.truncate(n);
    if start.contains(&0) || infer::get(&start).is_some() {
        let media_type = infer::get(&start).map(|kind| kind.mime_type());
        return Ok(binary(path, describe(media_type, opened.len), opened.len));
    }
    opened.file.rewind().map_err(broken)?;
    let source = Stoppable { source: &opened.file, cancel: &desk.cancel };
    let window = read(&mut BufReader::with_capacity(64 * 1024, source), wanted);
    desk.check_cancel()?;
    let window = window.map_err(broken)?;
    let oddities = [format!("{}: too large to be edited here", size(opened.len))];
    show_window(path, opened.len, &window, wanted, &oddities)
}

fn show_window(
    path: &str,
    len: u64,
    window: &Window,
    wanted: Wanted,
    oddities: &[String],
) -> Result<Reading, ToolFailure> {
    if window.n_read == 0 {
        let payload = json!({ "path": path, "bytes": len, "lines": 0 });
        return Ok(Reading { echo: format!("{path}: empty file"), payload, media: Vec::new() });
    }
    if window.last == 0 {
        let n = count(window.n_read, "line");
        let message = format!(
            "`{path}`: expected `from` within its {n}, but found {}; read from a line that is \
             there",
            wanted.from
        );
        return Err(ToolFailure::BadCall(message));
    }
    let of = window.total.map_or_else(|| "more".to_owned(), |total| total.to_string());
    let mut echo = format!("{path}: lines {}-{} of {of}", wanted.from, window.last);
    for oddity in oddities {
        echo.push_str(&format!(", {oddity}"));
    }
    echo.push('\n');
    echo.push_str(&window.shown);
    echo.push_str(&tail(window, wanted));
    let payload = json!({
        "path": path, "bytes": len, "from": wanted.from, "to": window.last,
        "lines": window.total,
    });
    Ok(Reading { echo: echo.trim_end_matches('\n').to_owned(), payload, media: Vec::new() })
}

/// What was left out, and how to read on.
fn tail(window: &Window, wanted: Wanted) -> String {
    let next = window.last + 1;
    let mut tail = match window.total {
        _ if window.last >= wanted.to => String::new(),
        Some(total) if total == window.last => String::new(),
        Some(total) => {
            format!("[{}, read from={next}]", count(total - window.last, "more line"))
        }
        None => format!("[more lines, read from={next}]"),
    };
    if window.is_line_cut {
        tail.push_str("\n[long lines were cut, read them with `read_file_in_chunks`]");
    }
    tail
}

fn show_binary(path: &str, name: &str, contents: &Contents) -> Reading {
    let len = contents.bytes.len() as u64;
    match inspect(name, &contents.bytes) {
        Binary::Other(what) => binary(path, what, len),
        Binary::Image(media) => Reading {
            echo: format!("{path}: {}, {}; you see it as an image", media.media_type, size(len)),
            payload: json!({ "path": path, "bytes": len, "mediaType": media.media_type }),
            media: vec![media],
        },
    }
}

fn binary(path: &str, what: String, len: u64) -> Reading {
    let payload = json!({ "path": path, "bytes": len, "binary": what });
    Reading { echo: format!("{path}: {what}"), payload, media: Vec::new() }
}

fn broken_at(path: &str, error: &std::io::Error) -> ToolFailure {
    ToolFailure::Failed(format!("`{path}`: the system reports: {}", system_words(error)))
}
