//! What the parser became certain of.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use crate::Repair;

/// Byte range in the reply as it was fed.
pub type Span = Range<u64>;

/// Number of a block within its reply, ascending from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// Which value of a block a delta belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ValueName {
    /// The text between the block's tags.
    Body,
    /// A child, by its declared name and its number among children of that name, from 0.
    Child(String, u32),
}

/// Something the parser became certain of.
///
/// The events of a block stand in this order: `Start`, `Attribute`s, `Delta`s, and at last `End`, or
/// `Abort` and what it was instead. Blocks do not overlap, and no text stands inside one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Text outside of any block.
    Text(String),
    /// Reasoning; nothing in it runs.
    Thinking(String),
    /// A block opened: its start tag has been recognized.
    Start {
        /// The block.
        block: BlockId,
        /// The registered name.
        name: String,
        /// Where its `<` stands.
        at: u64,
    },
    /// One attribute of an open block's start tag is complete.
    Attribute {
        /// The block.
        block: BlockId,
        /// The declared name.
        name: String,
        /// Its decoded value.
        value: String,
    },
    /// The next piece of a value. The pieces of a value, joined, are exactly its final text (P5).
    Delta {
        /// The block.
        block: BlockId,
        /// Which of its values.
        value: ValueName,
        /// The text to append.
        text: String,
    },
    /// A block is complete, or was cut: see [`Block::is_partial`].
    End(Block),
    /// An announced block turned out to be none; what it was follows as its own event.
    Abort {
        /// The block.
        block: BlockId,
    },
    /// Damage outside of a finished block, or a block that cannot be run.
    Fault(Fault),
    /// The text of these bytes was reasoning: only its end was marked. Comes at most once, and
    /// only after [`Parser::may_begin_in_thinking`](crate::Parser::may_begin_in_thinking).
    Relabel {
        /// From the beginning of the reply up to the mark.
        span: Span,
    },
}

impl Event {
    /// The block that ended, where one did.
    #[must_use]
    pub const fn block(&self) -> Option<&Block> {
        match self {
            Self::End(block) => Some(block),
            Self::Text(_)
            | Self::Thinking(_)
            | Self::Start { .. }
            | Self::Attribute { .. }
            | Self::Delta { .. }
            | Self::Abort { .. }
            | Self::Relabel { .. }
            | Self::Fault(_) => None,
        }
    }
}

/// A value as it was written, after its own decoding. Which type it means is for the tool to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text: raw, or trimmed and decoded, as declared.
    Text(String),
    /// A string of a call written as JSON, decoded: it was meant as text and nothing else.
    String(String),
    /// The source text of a JSON value that is not a string, for calls written as JSON.
    Json(String),
}

impl Value {
    /// The text, whatever its form.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::String(text) | Self::Json(text) => text,
        }
    }
}

/// A child element of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// The declared name, or the name as written if it is not declared.
    pub name: String,
    /// Its attributes, decoded.
    pub attributes: Vec<(String, String)>,
    /// Its value.
    pub value: Value,
    /// Whether the tag declares such a child or attribute.
    pub is_declared: bool,
}

/// A tool call as it was written, untyped.
///
/// # Examples
///
/// What a runtime looks at before it runs a call:
///
/// ```
/// use tagline_parser::{Event, Finish, Limits, TagSet, TagSpec, ValueKind, parse};
///
/// let say = TagSpec { name: "say".into(), body: Some(ValueKind::Scalar), ..TagSpec::default() };
/// let events = parse(&TagSet::new([say]), Limits::default(), "<say>hi", Finish::Length);
/// let Some(Event::End(block)) = events.last() else { panic!() };
/// assert!(block.is_partial, "the reply ended inside, so it must not run");
/// assert_eq!(block.span, 0..7);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The block.
    pub id: BlockId,
    /// The registered name.
    pub name: String,
    /// Attributes of the start tag, in the order written, decoded. Undeclared ones included.
    pub attributes: Vec<(String, String)>,
    /// Children, in the order written.
    pub children: Vec<Child>,
    /// The body; `None` where the tag has none or closed itself.
    pub body: Option<Value>,
    /// The reply ended inside; such a block never runs.
    pub is_partial: bool,
    /// Its end, or an earlier one of the same reply, was guessed; or tags in a value of another
    /// syntax were taken for text that might have been its end.
    pub is_recovered: bool,
    /// Its start stood inside a CDATA section that was never ended.
    pub is_from_unclosed_cdata: bool,
    /// What was worked around inside it.
    pub faults: Vec<Fault>,
    /// What was read otherwise than written.
    pub repairs: Vec<Repair>,
    /// From `<` of the start tag to behind `>` of the end tag.
    pub span: Span,
}

/// Damage the parser worked around, or refused.
///
/// # Examples
///
/// Its text is for the model:
///
/// ```
/// use tagline_parser::{Event, Finish, Limits, TagSet, TagSpec, parse};
///
/// let search = TagSpec { name: "search".into(), ..TagSpec::default() };
/// let events = parse(&TagSet::new([search]), Limits::default(), "<serach/>", Finish::Stop);
/// let Some(Event::Fault(fault)) = events.first() else { panic!() };
/// assert_eq!(
///     fault.to_string(),
///     "`<serach>` at byte 0: expected a tool, but none has this name; did you mean `search`?"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind.
    pub reason: Reason,
    /// The registered tag concerned, or the name as written; empty if there is none.
    pub tag: String,
    /// Where.
    pub span: Span,
    /// Facts for the message: what was found there, cut to 200 bytes.
    pub found: String,
    /// Nearest registered names, for [`Reason::UnknownTool`] and [`Reason::UnknownParam`].
    pub nearest: Vec<String>,
}

/// The kinds of damage. Matched without a wildcard, so that a new kind finds its readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// The reply ended inside a block or its start tag.
    UnterminatedTool,
    /// An end tag of another name stands where the value's own was due.
    MismatchedClose,
    /// A start tag or child that lost its `>` or its shape.
    MalformedTag,
    /// An element shaped like a call, of a name that is not registered.
    UnknownTool,
    /// A name inside a block that the tool does not declare.
    UnknownParam,
    /// One value given twice with different content.
    DuplicateParam,
    /// Arguments that do not fit the tool.
    InvalidArguments,
    /// A call inside another that was still open.
    NestedTool,
    /// An end tag without a start.
    StrayClose,
    /// A result written by the model; everything after it is dropped.
    FabricatedResult,
    /// A CDATA section without its end.
    CdataUnclosed,
    /// A call inside a code fence, inline code or a comment: not run.
    QuotedCall,
    /// A limit was reached.
    Limit,
}

impl Reason {
    /// The stable name, for logs and wires, such as `unterminated_tool`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnterminatedTool => "unterminated_tool",
            Self::MismatchedClose => "mismatched_close",
            Self::MalformedTag => "malformed_tag",
            Self::UnknownTool => "unknown_tool",
            Self::UnknownParam => "unknown_param",
            Self::DuplicateParam => "duplicate_param",
            Self::InvalidArguments => "invalid_arguments",
            Self::NestedTool => "nested_tool",
            Self::StrayClose => "stray_close",
            Self::FabricatedResult => "fabricated_result",
            Self::CdataUnclosed => "cdata_unclosed",
            Self::QuotedCall => "quoted_call",
            Self::Limit => "limit",
        }
    }
}
