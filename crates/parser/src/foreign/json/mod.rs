//! JSON as models write it, read token by token while it streams.
//!
//! Valid JSON (RFC 8259) passes unchanged. Damage that can be told from what directly follows is
//! mended, and each repair is named; what a value is for is not known here.

mod lexer;
mod quote;
mod strings;
mod text;

pub(crate) use lexer::{Lexer, Step};
pub(crate) use quote::{is_escaped_blank, is_gap_open, skip_gap};
pub(crate) use strings::is_number;
pub(crate) use text::{Escape, HALF, Piece, decoded, escape, escaped};

use alloc::string::String;

/// One token of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token<'i> {
    /// `{`, or `[`.
    Open(Kind),
    /// `}`, or `]`; also where it is missing.
    Close(Kind),
    /// `,`, also where it is missing.
    Comma,
    /// `:`.
    Colon,
    /// A key, decoded.
    Key(String),
    /// A string begins.
    TextStart,
    /// The next piece of a string.
    Text(Piece<'i>),
    /// A string ends.
    TextEnd,
    /// A number, `true`, `false` or `null`; or text without quotes.
    Word(Word<'i>),
    /// A number that was written otherwise.
    Number(String),
    /// Blanks between tokens.
    Blank(&'i str),
}

/// A token, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Placed<'i> {
    pub(crate) token: Token<'i>,
    pub(crate) at: usize,
    /// Behind it.
    pub(crate) end: usize,
}

/// What a token is to whoever counts brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Open(Kind),
    Close,
    /// A separator or a blank.
    Gap,
    /// A key, or a part of a value.
    Value,
}

impl Token<'_> {
    pub(crate) const fn part(&self) -> Part {
        match self {
            Self::Open(kind) => Part::Open(*kind),
            Self::Close(_) => Part::Close,
            Self::Comma | Self::Colon | Self::Blank(_) => Part::Gap,
            Self::Key(_)
            | Self::TextStart
            | Self::Text(_)
            | Self::TextEnd
            | Self::Word(_)
            | Self::Number(_) => Part::Value,
        }
    }
}

/// What a bracket holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Members.
    Object,
    /// Elements.
    Array,
}

/// A value without quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word<'i> {
    /// Valid JSON, as written or mended.
    Json(&'i str),
    /// Text whose quotes are missing.
    Bare(&'i str),
}
