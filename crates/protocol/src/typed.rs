//! A typed value, with its numbers as they were written.

use alloc::{collections::BTreeMap, string::String, vec::Vec};
use core::fmt;

use serde_json::Value;

use crate::number;

/// A typed value. It prints as JSON without blanks.
///
/// # Examples
///
/// ```
/// use tagline_protocol::Typed;
///
/// let id = Typed::Number("9007199254740993000000".into());
/// assert_eq!(Typed::Array(vec![id, Typed::Null]).to_string(), "[9007199254740993000000,null]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number in JSON's syntax, with every digit that was written.
    Number(String),
    /// A text.
    Text(String),
    /// Several values.
    Array(Vec<Self>),
    /// Named values, in the order written; no name stands twice.
    Object(Vec<(String, Self)>),
}

impl Typed {
    pub(crate) fn object(members: impl IntoIterator<Item = (String, Self)>) -> Self {
        Self::Object(last_of_each(members))
    }

    /// The value as it is computed with: fractions are rounded to 64 bits. `None` where a whole
    /// number in it needs more, since it would be another one, and where any number is too large.
    #[must_use]
    pub fn to_value(&self) -> Option<Value> {
        Some(match self {
            Self::Null => Value::Null,
            Self::Boolean(it) => Value::Bool(*it),
            Self::Number(lexeme) => Value::Number(number::exact(lexeme)?),
            Self::Text(text) => text.as_str().into(),
            Self::Array(items) => {
                Value::Array(items.iter().map(Self::to_value).collect::<Option<_>>()?)
            }
            Self::Object(members) => {
                let member = |(name, it): &(String, Self)| Some((name.clone(), it.to_value()?));
                Value::Object(members.iter().map(member).collect::<Option<_>>()?)
            }
        })
    }
}

/// The last value of each name, where the name stands first.
pub(crate) fn last_of_each<T>(members: impl IntoIterator<Item = (String, T)>) -> Vec<(String, T)> {
    let mut kept: Vec<(String, T)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (name, value) in members {
        if let Some((_, earlier)) = places.get(&name).and_then(|&n| kept.get_mut(n)) {
            *earlier = value;
        } else {
            places.insert(name.clone(), kept.len());
            kept.push((name, value));
        }
    }
    kept
}

impl fmt::Display for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Boolean(it) => write!(f, "{it}"),
            Self::Number(lexeme) => f.write_str(lexeme),
            Self::Text(text) => write_text(f, text),
            Self::Array(items) => {
                f.write_str("[")?;
                for (n, item) in items.iter().enumerate() {
                    f.write_str(if n == 0 { "" } else { "," })?;
                    item.fmt(f)?;
                }
                f.write_str("]")
            }
            Self::Object(members) => {
                f.write_str("{")?;
                for (n, (name, value)) in members.iter().enumerate() {
                    f.write_str(if n == 0 { "" } else { "," })?;
                    write_text(f, name)?;
                    f.write_str(":")?;
                    value.fmt(f)?;
                }
                f.write_str("}")
            }
        }
    }
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str(&serde_json::to_string(text).map_err(|_| fmt::Error)?)
}
