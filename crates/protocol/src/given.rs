//! One value as it was given, and how it reads.

use alloc::{borrow::Cow, string::String};

use tagline_parser::{Child, Value as Written};

use crate::{
    ArgType,
    arg_fault::quoted,
    elements, literal,
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
    /// A value inside JSON: its source.
    Json(&'a str),
    /// The text between the tags of an element inside a value.
    Element(&'a str),
}

/// The value alone, whatever carried it.
enum Source<'a> {
    Text(&'a str),
    /// JSON as it was written.
    Json(&'a str),
}

impl<'a> From<&'a Written> for Source<'a> {
    fn from(written: &'a Written) -> Self {
        match written {
            Written::Text(text) | Written::String(text) => Self::Text(text),
            Written::Json(source) => Self::Json(source),
        }
    }
}

impl<'a> Given<'a> {
    fn source(self) -> Source<'a> {
        match self {
            Self::Text(text) => Source::Text(text),
            Self::Child(child) => (&child.value).into(),
            Self::Written(written) => written.into(),
            Self::Json(source) => Source::Json(source),
            Self::Element(inner) => Source::Text(elements::text(inner)),
        }
    }

    /// The value read as a type that is no list and no object.
    pub(crate) fn read(self, ty: &ArgType) -> Reading {
        match self.source() {
            Source::Text(text) => scalar::from_text(ty, text),
            Source::Json(source) => scalar::from_json(ty, source),
        }
    }

    /// What the value's parts are looked for in: the text, or what is encoded in it once more.
    pub(crate) fn decoded(self) -> Cow<'a, str> {
        let (Source::Text(text) | Source::Json(text)) = self.source();
        literal::unquoted(text).map_or(text.into(), Cow::from)
    }

    /// Whether a child has attributes, which are then its parts.
    pub(crate) fn has_attributes(self) -> bool {
        matches!(self, Self::Child(child) if !child.attributes.is_empty())
    }

    /// The value as text, JSON as it was written.
    pub(crate) fn text(self) -> Cow<'a, str> {
        match self.source() {
            Source::Text(text) => text.into(),
            Source::Json(source) => literal::unquoted(source).map_or(source.into(), Cow::from),
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
