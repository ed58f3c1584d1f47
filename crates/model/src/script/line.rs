//! One directive line of a script: its words, its numbers, and what can be wrong with them.

use std::time::Duration;

/// A script that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// The file could not be read.
    #[error("script `{path}`: {why}; name a readable file")]
    Unreadable {
        /// As given.
        path: String,
        /// The system's words.
        why: String,
    },
    /// It holds no reply.
    #[error("script: expected a line `=== reply`, but found none; begin each reply with that line")]
    Empty,
    /// A directive that does not exist.
    #[error(
        "script line {line}: expected `reply`, `text`, `reasoning`, `expect`, `chunk`, `delay`, `pause`, \
         `state`, `usage`, `repeat`, `finish`, `fault` or `hang` after `===`, but found `{word}`; write text \
         that begins with `===` as `\\===`"
    )]
    UnknownDirective {
        /// From 1.
        line: usize,
        /// What stands there.
        word: String,
    },
    /// A directive whose words are wrong.
    #[error(
        "script line {line}: `{directive}` expected {expected}, but found `{found}`; correct the line"
    )]
    BadArgument {
        /// From 1.
        line: usize,
        /// Which.
        directive: &'static str,
        /// In words.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// Something that belongs into a reply stands before the first one.
    #[error(
        "script line {line}: expected `=== reply` first, but found text or `{word}`; before the first reply \
         only `=== chunk`, `=== delay`, empty lines and lines with `#` may stand"
    )]
    BeforeFirstReply {
        /// From 1.
        line: usize,
        /// What stands there.
        word: String,
    },
}

/// A directive and the rest of its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Directive<'a> {
    pub(crate) line: usize,
    pub(crate) word: &'a str,
    pub(crate) rest: &'a str,
}

impl<'a> Directive<'a> {
    /// Reads a line that begins with `===`; `None` for text.
    pub(crate) fn of(line: usize, text: &'a str) -> Option<Self> {
        let rest = text.strip_prefix("===")?.trim();
        let (word, rest) = split_word(rest);
        Some(Self { line, word, rest })
    }

    pub(crate) fn bad(&self, directive: &'static str, expected: &'static str) -> ScriptError {
        ScriptError::BadArgument {
            line: self.line,
            directive,
            expected,
            found: self.rest.to_owned(),
        }
    }

    pub(crate) fn duration(&self, directive: &'static str) -> Result<Duration, ScriptError> {
        parse_duration(self.rest)
            .ok_or_else(|| self.bad(directive, "a time such as `20ms` or `1.5s`"))
    }
}

/// Splits off the first word.
pub(crate) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// `20ms`, `1.5s`, at most a day.
pub(crate) fn parse_duration(text: &str) -> Option<Duration> {
    let (number, seconds) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s')?, 1.0),
    };
    let number: f64 = number.trim().parse().ok()?;
    let total = number * seconds;
    (0.0..=86_400.0).contains(&total).then(|| Duration::from_secs_f64(total))
}
