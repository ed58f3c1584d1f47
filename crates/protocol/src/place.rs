//! Reads the schema extension `x-tag`: where a value is written.

use alloc::{borrow::ToOwned as _, string::String, vec::Vec};

use serde_json::Value;

use crate::{ArgType, Place, SpecError};

/// What `x-tag` says, or what follows from the type where it says nothing.
pub(crate) struct Tag {
    pub(crate) place: Place,
    pub(crate) is_also_child: bool,
    pub(crate) is_raw: bool,
}

impl Tag {
    /// # Errors
    ///
    /// [`SpecError`] where the words are unknown, contradict each other or do not fit the type.
    pub(crate) fn of(
        tool: &str,
        arg: &str,
        said: Option<&Value>,
        ty: &ArgType,
    ) -> Result<Self, SpecError> {
        let site = Site { tool, arg };
        let tag = match said {
            Some(said) => site.read(said)?,
            None => Self { place: ty.usual_place(), is_also_child: false, is_raw: false },
        };
        site.check(&tag, ty)?;
        Ok(tag)
    }
}

/// Names for the messages.
struct Site<'a> {
    tool: &'a str,
    arg: &'a str,
}

impl Site<'_> {
    fn names(&self) -> (String, String) {
        (self.tool.to_owned(), self.arg.to_owned())
    }

    fn read(&self, said: &Value) -> Result<Tag, SpecError> {
        let (tool, arg) = self.names();
        let Some(text) = said.as_str() else {
            return Err(SpecError::UnknownWord { tool, arg, found: alloc::format!("{said}") });
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let known = ["attribute", "child", "body", "raw"];
        if let Some(found) = words.iter().find(|it| !known.contains(it)) {
            return Err(SpecError::UnknownWord { tool, arg, found: (*found).to_owned() });
        }
        let has = |word: &str| words.contains(&word);
        let (place, is_also_child) = match (has("attribute"), has("child"), has("body")) {
            (true, false, false) => (Place::Attribute, false),
            (false, true, false) => (Place::Child, false),
            (false, false, true) => (Place::Body, false),
            (false, true, true) => (Place::Body, true),
            (true, true, _) | (true, _, true) | (false, false, false) => {
                return Err(SpecError::UnclearPlace { tool, arg, found: text.to_owned() });
            }
        };
        Ok(Tag { place, is_also_child, is_raw: has("raw") })
    }

    fn check(&self, tag: &Tag, ty: &ArgType) -> Result<(), SpecError> {
        let (tool, arg) = self.names();
        match tag.place {
            Place::Attribute if tag.is_raw => Err(SpecError::RawAttribute { tool, arg }),
            Place::Attribute if ty.usual_place() == Place::Child => {
                Err(SpecError::NotAScalar { tool, arg, found: ty.in_words() })
            }
            Place::Body if !matches!(ty, ArgType::String | ArgType::Json) => {
                Err(SpecError::BodyNotText { tool, arg, found: ty.in_words() })
            }
            Place::Attribute | Place::Child | Place::Body => Ok(()),
        }
    }
}
