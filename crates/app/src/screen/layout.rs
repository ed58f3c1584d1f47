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
/// Width of the result column.
const RESULT: usize = 14;
/// Width of the time column.
const TIME: usize = 8;

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

    /// A verb, what it is about, what came of it, and how long it took.
    pub(super) fn row(
        self,
        verb: (Tone, &str),
        target: &str,
        result: (Tone, &str),
        time: &str,
    ) -> String {
        let target_width = self.target_width(verb.1);
        let target = pad(&self.cut(target, target_width), target_width);
        let (tone, result) = result;
        let result = self.paint(tone, &pad(&self.cut(result, 2 * RESULT), RESULT));
        let time = self.paint(Tone::Faint, &format!("{time:>TIME$}"));
        let row = format!("{}{target} {result} {time}", self.verb(verb.0, verb.1));
        row.trim_end().to_owned()
    }

    /// A verb and prose behind it, wrapped.
    pub(super) fn prose(self, verb: (Tone, &str), text: &str) -> Vec<String> {
        let mut lines = self.indented(text);
        if let Some(first) = lines.first_mut() {
            *first = format!("{}{}", self.verb(verb.0, verb.1), first.trim_start());
        }
        lines
    }

    /// Prose below a row, wrapped.
    pub(super) fn indented(self, text: &str) -> Vec<String> {
        let width = self.style.width.saturating_sub(VERB).max(20);
        let wrapped = text.lines().flat_map(|line| wrap(line, width));
        wrapped.map(|line| format!("{:VERB$}{line}", "").trim_end().to_owned()).collect()
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
    pub(super) fn fits(self, verb: &str, target: &str) -> bool {
        target.width() <= self.target_width(verb)
    }

    /// A long verb takes its room from the target, so that the columns behind stay in line.
    fn target_width(self, verb: &str) -> usize {
        let width = self.style.width.saturating_sub(VERB + RESULT + TIME + 2).clamp(12, 44);
        let excess = verb.width().saturating_sub(VERB - 3);
        width.saturating_sub(excess).max(12)
    }

    fn verb(self, tone: Tone, verb: &str) -> String {
        let width = VERB - 3;
        format!("  {} ", self.paint(tone, &pad(&self.cut(verb, 2 * width), width)))
    }
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
