//! Columns, cuts, wraps and colors.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::terminal::Style;

/// What a piece of text is, to be colored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// What is done: the verb.
    Verb,
    /// What went wrong.
    Bad,
    /// What asks for attention.
    Attention,
    /// What is there for completeness.
    Faint,
    /// Everything else.
    Plain,
}

impl Tone {
    /// Its SGR parameters, see ECMA-48 8.3.117.
    const fn code(self) -> &'static str {
        match self {
            Self::Verb => "36",
            Self::Bad => "31",
            Self::Attention => "33",
            Self::Faint => "2",
            Self::Plain => "",
        }
    }
}

/// Width of the first column, with its indent.
const VERB: usize = 12;
/// Width of the target column at most.
const TARGET: usize = 44;
/// Width of the result column; a longer result takes up to twice as much from the target.
const RESULT: usize = 14;
/// Width of the time column.
const TIME: usize = 8;
/// On narrower terminals prose stands below its verb, and rows go without their time.
const NARROW: usize = 48;

/// Lays text out for one style.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    style: Style,
}

impl Layout {
    pub(super) const fn new(style: Style) -> Self {
        Self { style }
    }

    /// The text in the tone's color, where there is color.
    pub(super) fn paint(self, tone: Tone, text: &str) -> String {
        if !self.style.color || tone == Tone::Plain || text.is_empty() {
            return text.to_owned();
        }
        format!("\x1b[{}m{text}\x1b[0m", tone.code())
    }

    /// A verb, what it is about, what came of it, and how long it took; never wider than the
    /// terminal.
    pub(super) fn row(
        self,
        verb: (Tone, &str),
        target: &str,
        result: (Tone, &str),
        time: &str,
    ) -> String {
        let columns = self.columns(verb.1, result.1, time);
        let target = pad(&self.cut(target, columns.target), columns.target);
        let (tone, result) = result;
        let result = self.paint(tone, &pad(&self.cut(result, columns.result), columns.result));
        let time = if columns.has_time { format!(" {time:>TIME$}") } else { String::new() };
        let time = self.paint(Tone::Faint, &time);
        let row = format!("{}{target} {result}{time}", self.verb(verb.0, verb.1));
        row.trim_end().to_owned()
    }

    /// A verb and prose behind it, wrapped.
    pub(super) fn prose(self, verb: (Tone, &str), text: &str) -> Vec<String> {
        let mut lines = self.indented(text);
        let head = self.verb(verb.0, verb.1);
        if self.is_narrow() {
            lines.insert(0, head.trim_end().to_owned());
        } else if let Some(first) = lines.first_mut() {
            *first = format!("{head}{}", first.trim_start());
        }
        lines
    }

    /// Prose below a row, wrapped.
    pub(super) fn indented(self, text: &str) -> Vec<String> {
        let indent = self.indent();
        let width = self.style.width.saturating_sub(indent.len());
        let wrapped = text.lines().flat_map(|line| wrap(line, width));
        wrapped.map(|line| format!("{indent}{line}").trim_end().to_owned()).collect()
    }

    /// What stands below a row as it is, line by line.
    pub(super) fn quoted(self, line: &str) -> String {
        format!("{}| {line}", self.indent())
    }

    /// A word and parts behind it, two blanks apart, on as many lines as they need.
    pub(super) fn parts(self, first: (Tone, &str), parts: &[String]) -> Vec<String> {
        let mut lines = vec![self.paint(first.0, first.1)];
        let mut used = first.1.width();
        for part in parts {
            let part = self.cut(part, self.style.width.saturating_sub(2));
            used += 2 + part.width();
            match lines.last_mut() {
                Some(last) if used <= self.style.width => *last += &format!("  {part}"),
                Some(_) | None => {
                    used = 2 + part.width();
                    lines.push(format!("  {part}"));
                }
            }
        }
        lines
    }

    /// The first `width` columns, or of a path the last, with a mark where something is missing.
    pub(super) fn cut(self, text: &str, width: usize) -> String {
        if text.width() <= width {
            return text.to_owned();
        }
        let mark = if self.style.ascii { "..." } else { "…" };
        let kept = width.saturating_sub(mark.width());
        if text.contains('/') && !text.contains(char::is_whitespace) {
            return format!("{mark}{}", tail(text, kept));
        }
        format!("{}{mark}", head(text, kept))
    }

    /// Whether a row shows the whole target.
    pub(super) fn fits(self, verb: &str, target: &str, result: &str, time: &str) -> bool {
        target.width() <= self.columns(verb, result, time).target
    }

    /// The time leaves first where it is narrow, then the target and the result share the room. A
    /// long verb or result takes its room from the target, so that the time stays in line.
    fn columns(self, verb: &str, result: &str, time: &str) -> Columns {
        let has_time = !time.is_empty() && !self.is_narrow();
        let room = self.style.width.saturating_sub(self.verb_width(verb) + 3);
        let room = if has_time { room.saturating_sub(TIME + 1) } else { room };
        let result = result.width().clamp(RESULT, 2 * RESULT).min(room / 2);
        let target = room.saturating_sub(result + 1).min(TARGET);
        Columns { target, result, has_time }
    }

    fn verb(self, tone: Tone, verb: &str) -> String {
        let width = self.verb_width(verb);
        format!("  {} ", self.paint(tone, &pad(&self.cut(verb, width), width)))
    }

    fn verb_width(self, verb: &str) -> usize {
        let usual = VERB - 3;
        let longest = if self.is_narrow() { usual } else { 2 * usual };
        verb.width().clamp(usual, longest)
    }

    fn indent(self) -> String {
        " ".repeat(if self.is_narrow() { 4 } else { VERB })
    }

    const fn is_narrow(self) -> bool {
        self.style.width < NARROW
    }
}

/// Widths of the columns behind the verb.
#[derive(Clone, Copy, Debug)]
struct Columns {
    target: usize,
    result: usize,
    has_time: bool,
}

fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(missing))
}

/// As much of the beginning as stands in `width` columns.
pub(crate) fn head(text: &str, width: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find(|(_, c)| {
        used += c.width().unwrap_or(0);
        used > width
    });
    end.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// As much of the end as stands in `width` columns.
fn tail(text: &str, width: usize) -> &str {
    let mut used = 0;
    let before = text.char_indices().rev().find(|(_, c)| {
        used += c.width().unwrap_or(0);
        used > width
    });
    before.and_then(|(at, c)| text.get(at + c.len_utf8()..)).unwrap_or(text)
}

/// Breaks a line between words; a word longer than a line stands alone.
fn wrap(line: &str, width: usize) -> Vec<String> {
    let indent: String = line.chars().take_while(|c| *c == ' ').take(width / 2).collect();
    let mut lines = vec![indent.clone()];
    for word in line.split_whitespace() {
        let Some(last) = lines.last_mut() else { break };
        let is_fresh = last.len() == indent.len();
        if !is_fresh && last.width() + 1 + word.width() > width {
            lines.push(format!("{indent}{word}"));
            continue;
        }
        if !is_fresh {
            last.push(' ');
        }
        last.push_str(word);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(width: usize) -> Layout {
        Layout::new(Style { width, ..Style::PLAIN })
    }

    #[test]
    fn no_row_is_wider_than_the_terminal() {
        let texts = [
            "",
            "a",
            "src/main.rs",
            "日本語/日本語/日本語",
            "a word and many more words",
            &"x".repeat(90),
        ];
        for width in 20..=100 {
            for verb in texts {
                for target in texts {
                    for (result, time) in
                        [("", ""), ("ok", "4 ms"), (texts[4], "12.3 s"), (texts[5], "")]
                    {
                        let row = layout(width).row(
                            (Tone::Verb, verb),
                            target,
                            (Tone::Plain, result),
                            time,
                        );
                        assert!(row.width() <= width, "{width}: {row}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_prose_and_no_head_is_wider_than_the_terminal() {
        let words = "Some words, none of them long, for every width that there is.";
        let parts =
            ["4 passes", "18.4k in (71% cached)", "1.1k out", &"x".repeat(90)].map(str::to_owned);
        for width in 20..=100 {
            let lines = layout(width).prose((Tone::Plain, "say"), words);
            let sum = layout(width).parts((Tone::Verb, "done"), &parts);
            for line in lines.iter().chain(&sum) {
                assert!(line.width() <= width, "{width}: {line}");
            }
        }
    }

    #[test]
    fn a_row_gives_way_where_the_terminal_is_narrow() {
        let row = |width: usize| {
            let target = "a/long/path/to/a/file/with/a/name.rs";
            let result = (Tone::Plain, "120 lines");
            format!("|{}|\n", layout(width).row((Tone::Verb, "read"), target, result, "4 ms"))
        };
        let shown = [80, 60, 40, 24].map(row).concat();
        expect_test::expect![[r#"
            |  read      a/long/path/to/a/file/with/a/name.rs         120 lines          4 ms|
            |  read      …o/a/file/with/a/name.rs 120 lines          4 ms|
            |  read      …th/a/name.rs 120 lines|
            |  read      …e.rs 120 l…|
        "#]]
        .assert_eq(&shown);
    }
}
