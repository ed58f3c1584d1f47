//! How a tool presents itself.
//!
//! A tool's type is its definition: `schemars` reads the fields, their docs, defaults and bounds;
//! the one thing a schema cannot say, where a value is written, stands in a schema extension:
//!
//! ```text
//! #[schemars(extend("x-tag" = "body raw"))]   // attribute | child | body | body child, then raw
//! ```
//!
//! * `attribute`: on the start tag. What stands there without `x-tag`, if the type is a scalar.
//! * `child`: an element inside. A list, a struct and any JSON stand there without `x-tag`; a list
//!   repeats the element, a struct's fields are the element's attributes and at most one body.
//! * `body`: the text between the tags; for text and any JSON, once per tool.
//! * `body child`: the body, which may also stand in a child of its name.
//! * `raw`: taken verbatim. Without it blanks around the text are dropped and entities decoded.
//!
//! Docs of enum variants are for the reader of the code; the model sees the words alone.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

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
    /// Whether a body may also be written as a child of its name.
    pub is_also_child: bool,
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

impl ArgSpec {
    /// Whether it is written as the text between the tags.
    #[must_use]
    pub fn is_body(&self) -> bool {
        self.place == Place::Body
    }

    /// Whether it may be written as an element inside, by declaration.
    #[must_use]
    pub fn is_child(&self) -> bool {
        self.place == Place::Child || self.is_also_child
    }
}

impl ArgType {
    /// Where a value of the type is written if nothing else is said.
    #[must_use]
    pub const fn usual_place(&self) -> Place {
        match self {
            Self::String | Self::Integer | Self::Number | Self::Boolean | Self::Enum(_) => {
                Place::Attribute
            }
            Self::List(_) | Self::Object(_) | Self::Json => Place::Child,
        }
    }

    /// The fields of an object, or of a list's objects; none for other types.
    #[must_use]
    pub fn fields(&self) -> &[ArgSpec] {
        match self {
            Self::Object(fields) => fields,
            Self::List(item) => item.fields(),
            Self::String
            | Self::Integer
            | Self::Number
            | Self::Boolean
            | Self::Enum(_)
            | Self::Json => &[],
        }
    }

    /// The type in words, such as `a whole number` or `one of red, green`.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::String => "text".into(),
            Self::Integer => "a whole number".into(),
            Self::Number => "a number".into(),
            Self::Boolean => "true or false".into(),
            Self::Enum(words) => format!("one of {}", words.join(", ")),
            Self::List(item) => format!("a list of {}", item.in_words()),
            Self::Object(fields) => {
                let names: Vec<&str> = fields.iter().map(|it| it.name.as_str()).collect();
                format!("an element with {}", names.join(", "))
            }
            Self::Json => "JSON".to_string(),
        }
    }
}
