//! Writes what calls gave, for the model to read.
//!
//! Everything between the tags has passed the encoder of [`Untrusted`]: results, sentences about
//! failures, and notes alike.

use alloc::{borrow::ToOwned as _, format, string::String, vec::Vec};
use core::fmt;

use crate::{ToolFailure, Untrusted};

/// How results are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// One `<tool_results>` message that holds a result for each call, in order.
    #[default]
    Many,
    /// A `<tool_result>` by itself.
    One,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It worked.
    Ok,
    /// It did not work, or is no valid call.
    Error,
    /// It never began.
    NotRun,
}

impl Status {
    /// The word in the `status` attribute.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::NotRun => "not_run",
        }
    }
}

/// One result.
#[derive(Clone, Copy, Debug)]
pub struct ResultEntry<'a> {
    /// The registered name, or the name as written; `None` where there is none to tell.
    pub tool: Option<&'a str>,
    /// How the call ended.
    pub status: Status,
    /// What the tool said. For [`Status::Error`] it begins with its [`ErrorClass`], for
    /// [`Status::NotRun`] with `not run because`.
    pub text: Untrusted<'a>,
    /// Lines of ours behind it.
    pub notes: &'a [String],
}

/// The classes of what can go wrong. The model reads them as the first words of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// The reply as a whole is not what the loop expects.
    Format,
    /// A tag could not be read.
    Parse,
    /// No such tool.
    UnknownTool,
    /// The arguments do not fit the tool.
    InvalidParameters,
    /// A rule or a person refused.
    Refused,
    /// It was tried and did not work.
    ExecutionFailed,
    /// It never began.
    NotRun,
}

impl ErrorClass {
    /// A sentence under the class: `invalid parameters: …`.
    #[must_use]
    pub fn say(self, sentence: impl fmt::Display) -> String {
        match self {
            Self::Format => format!("format: {sentence}"),
            Self::Parse => format!("parse: {sentence}"),
            Self::UnknownTool => format!("unknown tool: {sentence}"),
            Self::InvalidParameters => format!("invalid parameters: {sentence}"),
            Self::Refused => format!("refused: {sentence}"),
            Self::ExecutionFailed => format!("execution failed: {sentence}"),
            Self::NotRun => format!("not run because {sentence}"),
        }
    }
}

impl ToolFailure {
    /// The class under which the model reads it.
    #[must_use]
    pub const fn class(&self) -> ErrorClass {
        match self {
            Self::BadCall(_) => ErrorClass::InvalidParameters,
            Self::Denied(_) => ErrorClass::Refused,
            Self::Missing(_)
            | Self::Failed(_)
            | Self::Busy(_)
            | Self::TimedOut(_)
            | Self::Cancelled(_)
            | Self::Unknown(_) => ErrorClass::ExecutionFailed,
        }
    }

    /// The text of a [`ResultEntry`]: the class, then the sentence.
    #[must_use]
    pub fn in_words(&self) -> String {
        self.class().say(self)
    }
}

/// A message of results.
///
/// Whatever the entries hold, the message has exactly the result tags that are written here.
///
/// # Examples
///
/// ```
/// use tagline_protocol::{ResultEntry, Shape, Status, Untrusted, render_results};
///
/// let entry = ResultEntry {
///     tool: Some("read_file"),
///     status: Status::Ok,
///     text: Untrusted::new("1 | <b>"),
///     notes: &[],
/// };
/// assert_eq!(
///     render_results(Shape::One, &[entry]),
///     "<tool_result tool_name=\"read_file\">\n1 | &lt;b>\n</tool_result>"
/// );
/// ```
#[must_use]
pub fn render_results(shape: Shape, entries: &[ResultEntry<'_>]) -> String {
    let elements = entries.iter().enumerate().map(|(n, entry)| element(shape, n + 1, entry));
    let elements = elements.collect::<Vec<_>>().join("\n");
    match shape {
        Shape::One => elements,
        Shape::Many => format!("<tool_results>\n{elements}\n</tool_results>"),
    }
}

fn element(shape: Shape, n: usize, entry: &ResultEntry<'_>) -> String {
    let name = entry.tool.map(|it| format!(" tool_name=\"{}\"", Untrusted::new(it).attribute()));
    let name = name.unwrap_or_default();
    let place = match shape {
        Shape::One => String::new(),
        Shape::Many => format!(" call=\"{n}\" status=\"{}\"", entry.status.as_str()),
    };
    format!("<tool_result{name}{place}>\n{}\n</tool_result>", inner(entry))
}

fn inner(entry: &ResultEntry<'_>) -> String {
    let mark = match entry.status {
        Status::Ok => "",
        Status::Error | Status::NotRun => "Error: ",
    };
    let (text, n_hidden) = entry.text.content_and_hidden();
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let text = if text.is_empty() && mark.is_empty() { "(no output)" } else { text };
    let notes = entry.notes.iter().map(|it| Untrusted::new(it).content());
    let lines = [format!("{mark}{text}")].into_iter().chain(hidden(n_hidden)).chain(notes);
    lines.collect::<Vec<_>>().join("\n")
}

/// Says that there is text which a person would not see.
fn hidden(n: usize) -> Option<String> {
    match n {
        0 => None,
        1 => Some("note: 1 character that nobody sees is written as a number".to_owned()),
        n => Some(format!("note: {n} characters that nobody sees are written as numbers")),
    }
}
