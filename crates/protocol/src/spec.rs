//! How a tool presents itself.
//!
//! A tool's type is its definition: `schemars` reads the fields, their docs, defaults and bounds;
//! the one thing a schema cannot say, where a value is written, stands in a schema extension:
//!
//! ```text
//! #[schemars(extend("x-tag" = "body raw"))]   // attribute | child | body, then raw if verbatim
//! ```
//!
//! Without it a scalar is an attribute and an array is a repeated child.

use alloc::{string::String, vec::Vec};

use serde_json::Value;

use crate::Effect;

/// Everything the runtime knows about a tool but how to run it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// The registered name: lower case, underscores.
    pub name: String,
    /// Other names that mean the same.
    pub aliases: Vec<String>,
    /// What the model reads: what it does, then when to use it.
    pub description: String,
    /// Its arguments, in the order of the type's fields.
    pub args: Vec<ArgSpec>,
    /// Whole calls, as a model writes them; each is a test.
    pub examples: Vec<String>,
    /// What it may do.
    pub effect: Effect,
    /// What it means for the turn.
    pub role: TurnRole,
    /// Whether its run is shown in the bubble.
    pub is_voiced: bool,
    /// Whether its result causes another pass.
    pub feeds_back: bool,
    /// Whether a body still open when the reply ends normally counts as closed.
    pub is_lenient_eof: bool,
    /// How its card is labelled.
    pub card: CardSpec,
    /// The JSON Schema (draft 2020-12) of its arguments.
    pub schema: Value,
}

/// What a tool means for the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TurnRole {
    /// It runs, and the turn goes on.
    #[default]
    Ordinary,
    /// It speaks to the user while it streams.
    Speaks,
    /// It reasons.
    Thinks,
    /// It ends the turn with an answer.
    Completes,
    /// It ends the turn with a question to the user.
    Asks,
}

/// How a tool's card is labelled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardSpec {
    /// A verb, such as `read`; by default the tool's name.
    pub label: String,
    /// The argument shown as the target, such as `path`.
    pub subtitle: Option<String>,
}

/// Where a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the start tag.
    Attribute,
    /// As an element inside.
    Child,
    /// As the text between the tags.
    Body,
}

/// The type of one argument.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgType {
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// One of these words.
    Enum(Vec<String>),
    /// Several of these, order kept: a child that repeats.
    List(alloc::boxed::Box<ArgType>),
    /// Named values: a child with attributes, and at most one body.
    Object(Vec<ArgSpec>),
    /// Any JSON.
    Json,
}

/// One argument.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgSpec {
    /// The field's name.
    pub name: String,
    /// What the model reads.
    pub description: String,
    /// Where it is written.
    pub place: Place,
    /// Whether its text is taken verbatim.
    pub is_raw: bool,
    /// Its type.
    pub ty: ArgType,
    /// Whether a call without it is refused.
    pub is_required: bool,
    /// What stands when it is not given.
    pub default: Option<Value>,
    /// The JSON Schema of the field, for bounds.
    pub schema: Value,
}
