//! One value as it was given, and how it reads.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use serde_json::{Map, Value};
use tagline_parser::{Child, Value as Written};

use crate::{
    ArgSpec, ArgType,
    arg_fault::quoted,
    is_same_name,
    scalar::{self, Reading},
};

/// One value as it was given.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    /// An attribute.
    Text(&'a str),
    /// A child element.
    Child(&'a Child),
    /// A body, of the block or of a child.
    Written(&'a Written),
    /// A value inside JSON.
    Json(&'a Value),
}

/// The value alone, whatever carried it.
enum Source<'a> {
    Text(&'a str),
    /// JSON as it was written.
    Lexeme(&'a str),
    Json(&'a Value),
}

impl<'a> From<&'a Written> for Source<'a> {
    fn from(written: &'a Written) -> Self {
        match written {
            Written::Text(text) => Self::Text(text),
            Written::Json(source) => Self::Lexeme(source),
        }
    }
}

impl<'a> Given<'a> {
    fn source(self) -> Source<'a> {
        match self {
            Self::Text(text) => Source::Text(text),
            Self::Child(child) => (&child.value).into(),
            Self::Written(written) => written.into(),
            Self::Json(value) => Source::Json(value),
        }
    }

    /// The value read as a type that is no list and no object.
    pub(crate) fn read(self, ty: &ArgType) -> Reading {
        match self.source() {
            Source::Text(text) => scalar::from_text(ty, text),
            Source::Lexeme(source) => serde_json::from_str(source)
                .map_or(Reading::Mismatch, |value| scalar::from_json(ty, &value, source)),
            Source::Json(value) => scalar::from_json(ty, value, &format!("{value}")),
        }
    }

    /// The value as JSON, if it is JSON, or text that holds JSON.
    fn json(self) -> Option<Value> {
        let value = match self.source() {
            Source::Text(text) | Source::Lexeme(text) => serde_json::from_str(text).ok()?,
            Source::Json(value) => value.clone(),
        };
        match value {
            // Some dialects encode twice.
            Value::String(text) => serde_json::from_str(&text).ok(),
            other @ (Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_)) => Some(other),
        }
    }

    /// The items, if the value is a JSON array.
    pub(crate) fn array(self) -> Option<Vec<Value>> {
        match self.json()? {
            Value::Array(items) => Some(items),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Object(_) => None,
        }
    }

    /// The named values, if the value is a JSON object. It is text where attributes stand beside
    /// it, or where its first name is not a field's.
    pub(crate) fn object(self, fields: &[ArgSpec]) -> Option<Map<String, Value>> {
        if matches!(self, Self::Child(child) if !child.attributes.is_empty()) {
            return None;
        }
        let Value::Object(map) = self.json()? else { return None };
        let name = map.keys().next()?;
        fields.iter().any(|it| is_same_name(&it.name, name)).then_some(map)
    }

    /// The value as text, JSON as it was written.
    pub(crate) fn text(self) -> Cow<'a, str> {
        match self.source() {
            Source::Text(text) | Source::Lexeme(text) => text.into(),
            Source::Json(Value::String(text)) => text.into(),
            Source::Json(value) => format!("{value}").into(),
        }
    }

    /// The value as a fault quotes it.
    pub(crate) fn quoted(self) -> String {
        quoted(&self.text())
    }

    /// Whether there is nothing but blanks.
    pub(crate) fn is_blank(self) -> bool {
        self.text().trim().is_empty()
    }
}
