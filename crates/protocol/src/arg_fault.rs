//! What can be wrong with the arguments of a call, in words that the model reads.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};
use core::fmt;

/// Most faults told at once: more than this is a misunderstanding, not a slip.
const N_TOLD: usize = 5;

/// The call's arguments do not fit its tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadArguments {
    /// The registered name of the tool.
    pub tool: String,
    /// Everything that is wrong, in the order of the tool's arguments; never empty.
    pub faults: Vec<ArgFault>,
    /// A whole correct call of the tool.
    pub example: String,
}

impl core::error::Error for BadArguments {}

impl fmt::Display for BadArguments {
    /// One line per fault, at most five. The example is not among them: it is markup, see
    /// [`BadArguments::example`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<String> =
            self.faults.iter().take(N_TOLD).map(|it| it.in_words(&self.tool)).collect();
        f.write_str(&told.join("\n"))?;
        match self.faults.len().saturating_sub(N_TOLD) {
            0 => Ok(()),
            n_more => write!(f, "\n{n_more} more of the kind"),
        }
    }
}

/// One thing that is wrong. `arg` is the argument's name; a field of a child is `step.status`, of
/// the second such child `step#2.status`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgFault {
    /// A required attribute or child is not there.
    Missing {
        /// The argument.
        arg: String,
        /// Its type in words.
        expected: String,
        /// How it is written, such as `the attribute path="…"`.
        written: String,
    },
    /// A required body is not there: the tag closed itself, or holds children alone.
    MissingBody {
        /// The argument.
        arg: String,
        /// What the body is, in words.
        expected: String,
    },
    /// The value is not of the type.
    WrongType {
        /// The argument.
        arg: String,
        /// The type in words.
        expected: String,
        /// The value, cut.
        found: String,
    },
    /// The value is none of the words.
    UnknownWord {
        /// The argument.
        arg: String,
        /// The words.
        words: Vec<String>,
        /// The value, cut.
        found: String,
        /// The nearest of the words.
        nearest: Vec<String>,
    },
    /// A number beyond its bound, or a value of the wrong length.
    OutOfBounds {
        /// The argument.
        arg: String,
        /// The bound in words, such as `at most 20`.
        bound: String,
        /// The number or the length, with its unit.
        found: String,
    },
    /// Two different values for one argument.
    GivenTwice {
        /// The argument.
        arg: String,
        /// The first value, cut.
        first: String,
        /// The other one, cut.
        second: String,
    },
    /// A list written as an attribute.
    ListAsAttribute {
        /// The argument.
        arg: String,
    },
    /// A name that the tool does not know.
    Unknown {
        /// The name as written.
        arg: String,
        /// The names it knows there.
        known: Vec<String>,
        /// The nearest of them.
        nearest: Vec<String>,
    },
    /// The arguments of a native call are no JSON object.
    NotAnObject {
        /// What they are, cut.
        found: String,
        /// Whether they are the beginning of one.
        ends_early: bool,
    },
    /// Text where the tool has no body.
    StrayText {
        /// The element: the tool, or a child.
        within: String,
        /// The text, cut.
        found: String,
        /// The names it knows there.
        known: Vec<String>,
    },
}

impl ArgFault {
    /// The sentence: what, where: expected this, but found that; do so instead.
    #[must_use]
    pub fn in_words(&self, tool: &str) -> String {
        match self {
            Self::Missing { arg, expected, written } => format!(
                "`{arg}` of `{tool}`: expected {expected}, but it is missing; write {written}"
            ),
            Self::MissingBody { arg, expected } => format!(
                "body `{arg}` of `{tool}`: expected {expected} between the tags, but there is no body; write it after the start tag, then the end tag"
            ),
            Self::WrongType { arg, expected, found } => format!(
                "`{arg}` of `{tool}`: expected {expected}, but found {found}; write the value alone"
            ),
            Self::UnknownWord { arg, words, found, nearest } => format!(
                "`{arg}` of `{tool}`: expected one of {}, but found {found}; use {}",
                quoted_list(words),
                one_of(nearest)
            ),
            Self::OutOfBounds { arg, bound, found } => {
                format!(
                    "`{arg}` of `{tool}`: expected {bound}, but found {found}; stay within the bound"
                )
            }
            Self::GivenTwice { arg, first, second } => format!(
                "`{arg}` of `{tool}`: expected one value, but found {first} and {second}; give it once"
            ),
            Self::ListAsAttribute { arg } => format!(
                "`{arg}` of `{tool}`: expected child elements, but found an attribute; write one element `{arg}` for each item"
            ),
            Self::Unknown { arg, known, nearest } => format!(
                "`{arg}` of `{tool}`: expected {}, but found an unknown name; {}",
                names(known),
                if nearest.is_empty() {
                    "leave it out".to_string()
                } else {
                    format!("use {}", one_of(nearest))
                }
            ),
            Self::NotAnObject { found, ends_early: true } => format!(
                "arguments of `{tool}`: expected a JSON object, but {found} ends early; write it again, whole"
            ),
            Self::NotAnObject { found, ends_early: false } => format!(
                "arguments of `{tool}`: expected a JSON object, but found {found}; write the names and values of the arguments"
            ),
            Self::StrayText { within, found, known } => format!(
                "text inside `{within}` of `{tool}`: expected {}, but found {found}; put it into an argument or leave it out",
                names(known)
            ),
        }
    }
}

/// Something about the arguments that did not stop the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgWarning {
    /// The registered name of the tool.
    pub tool: String,
    /// What is wrong: [`ArgFault::Unknown`] or [`ArgFault::StrayText`].
    pub fault: ArgFault,
}

impl fmt::Display for ArgWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ignored {}", self.fault.in_words(&self.tool))
    }
}

fn names(known: &[String]) -> String {
    if known.is_empty() { "no arguments".into() } else { quoted_list(known) }
}

pub(crate) fn one_of(nearest: &[String]) -> String {
    match nearest {
        [] => "one of these".into(),
        several => several.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(" or "),
    }
}

fn quoted_list(words: &[String]) -> String {
    words.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
}

/// Longest value quoted in a fault, in characters.
const QUOTE_MAX: usize = 60;

/// A value as a fault quotes it: on one line, in backquotes, cut. Takes no longer for a long value.
pub(crate) fn quoted(text: &str) -> String {
    let mut words = text.split_whitespace();
    let mut line = String::new();
    while let Some(word) = words.next().filter(|_| line.len() <= 4 * QUOTE_MAX) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(QUOTE_MAX + 1));
    }
    match line.char_indices().nth(QUOTE_MAX) {
        None if line.is_empty() => "nothing".into(),
        None => format!("`{line}`"),
        Some((end, _)) => format!("`{}…`", line.get(..end).unwrap_or_default()),
    }
}
