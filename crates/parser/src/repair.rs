//! What was mended in a call that was meant but written wrong, and the words for it.

use core::fmt;

use crate::Span;

/// Most repairs that are named of a call: a text of nothing but damage must not fill the memory.
pub(crate) const MOST_REPAIRS: usize = 64;

/// One thing that was read otherwise than it was written.
///
/// # Examples
///
/// Its text says what was due:
///
/// ```
/// use tagline_parser::{Event, Finish, Limits, TagSet, TagSpec, parse};
///
/// let now = TagSpec { name: "now".into(), ..TagSpec::default() };
/// let reply = "<tool_call>{\"name\": \"now\",}</tool_call>";
/// let events = parse(&TagSet::new([now]), Limits::default(), reply, Finish::Stop);
/// let Some(Event::End(block)) = events.last() else { panic!() };
/// assert_eq!(
///     block.repairs[0].to_string(),
///     "mended: expected no comma before a closing bracket (trailing_comma)"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// What kind.
    pub kind: RepairKind,
    /// Where; empty where something was missing.
    pub span: Span,
}

/// The kinds of repair. Matched without a wildcard, so that a new kind finds its readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RepairKind {
    /// A comma before a closing bracket.
    /// `[DR1]`
    TrailingComma,
    /// A comma that is not there.
    MissingComma,
    /// Strings in single quotes.
    /// `[DR2]`
    SingleQuotes,
    /// A control character inside a string.
    /// `[DR3]`
    RawControl,
    /// A backslash before a character that needs none.
    /// `[DR4]`
    InvalidEscape,
    /// `True`, `False` or `None`.
    /// `[DR5]`
    PythonLiteral,
    /// A closing bracket that is not there.
    /// `[DR6]`
    MissingBracket,
    /// A closing bracket too many.
    /// `[DR7]`
    ExtraBracket,
    /// Quotes inside a string without a backslash.
    /// `[DR8]`
    InnerQuote,
    /// A name without quotes.
    /// `[DR9]`
    UnquotedName,
    /// A quote that is not there.
    /// `[DR10]`
    LostQuote,
    /// An object written as a string.
    /// `[DR11]`
    DoubleEncoded,
    /// A line break between tokens, written as `\n`.
    /// `[DR12]`
    LiteralNewline,
    /// A token of the model's own inside a call.
    /// `[DR13]`
    LeakedToken,
    /// An end tag that is not there.
    /// `[DR15]`
    MissingClose,
    /// A start tag that is not there, or lost its beginning.
    /// `[DR16]`
    MissingOpen,
    /// An element around the call that belongs to another syntax.
    /// `[DR17]`
    WrongWrapper,
    /// A name as text, where an attribute or a tag was due.
    /// `[DR18]`
    NameAsText,
    /// No tool named at all: the names of the values fit exactly one.
    /// `[DR19]`
    InferredName,
    /// A name in another letter case.
    /// `[DR20]`
    NameCase,
    /// Text where only structure was due.
    /// `[DR21]`
    StrayText,
    /// One value several times.
    /// `[DR22]`
    GivenTwice,
    /// A start tag without its `>`.
    /// `[DR23]`
    BrokenTag,
    /// `=` for `:` between a name and its value, or the other way round.
    /// `[DR24]`
    WrongSeparator,
}

impl RepairKind {
    /// The stable name used on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TrailingComma => "trailing_comma",
            Self::MissingComma => "missing_comma",
            Self::SingleQuotes => "single_quotes",
            Self::RawControl => "raw_control",
            Self::InvalidEscape => "invalid_escape",
            Self::PythonLiteral => "python_literal",
            Self::MissingBracket => "missing_bracket",
            Self::ExtraBracket => "extra_bracket",
            Self::InnerQuote => "inner_quote",
            Self::UnquotedName => "unquoted_name",
            Self::LostQuote => "lost_quote",
            Self::DoubleEncoded => "double_encoded",
            Self::LiteralNewline => "literal_newline",
            Self::LeakedToken => "leaked_token",
            Self::MissingClose => "missing_close",
            Self::MissingOpen => "missing_open",
            Self::WrongWrapper => "wrong_wrapper",
            Self::NameAsText => "name_as_text",
            Self::InferredName => "inferred_name",
            Self::NameCase => "name_case",
            Self::StrayText => "stray_text",
            Self::GivenTwice => "given_twice",
            Self::BrokenTag => "broken_tag",
            Self::WrongSeparator => "wrong_separator",
        }
    }

    /// What was due there.
    const fn due(self) -> &'static str {
        match self {
            Self::TrailingComma => "no comma before a closing bracket",
            Self::MissingComma => "a comma between members",
            Self::SingleQuotes => "strings in double quotes",
            Self::RawControl => "control characters in strings as escapes",
            Self::InvalidEscape => "a backslash only before what JSON escapes",
            Self::PythonLiteral => "`true`, `false` or `null`",
            Self::MissingBracket => "a closing bracket",
            Self::ExtraBracket => "no more closing brackets",
            Self::InnerQuote => "quotes inside strings as `\\\"`",
            Self::UnquotedName => "names in double quotes",
            Self::LostQuote => "a quote on both sides",
            Self::DoubleEncoded => "an object, not a string that holds one",
            Self::LiteralNewline => "a line break, not `\\n`, between tokens",
            Self::LeakedToken => "no special tokens inside a call",
            Self::MissingClose => "an end tag",
            Self::MissingOpen => "a start tag",
            Self::WrongWrapper => "the element of this syntax around calls",
            Self::NameAsText => "the name in its tag",
            Self::InferredName => "a tool's name",
            Self::NameCase => "the name in its own letter case",
            Self::StrayText => "only structure",
            Self::GivenTwice => "each value once",
            Self::BrokenTag => "`>` at the end of a start tag",
            Self::WrongSeparator => "`:` in objects and `=` in calls",
        }
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mended: expected {} ({})", self.kind.due(), self.kind.as_str())
    }
}
