//! Which kinds of JSON a value may be.

use serde_json::Value;

/// A set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const TEXT: Self = Self(1);
    pub(crate) const NULL: Self = Self(1 << 1);
    pub(crate) const BOOLEAN: Self = Self(1 << 2);
    /// Whole numbers.
    pub(crate) const INTEGER: Self = Self(1 << 3);
    /// All other numbers.
    pub(crate) const FRACTION: Self = Self(1 << 4);
    pub(crate) const NUMBER: Self = Self::INTEGER.or(Self::FRACTION);
    pub(crate) const ARRAY: Self = Self(1 << 5);
    pub(crate) const OBJECT: Self = Self(1 << 6);
    pub(crate) const ALL: Self = Self((1 << 7) - 1);

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether any of these kinds is in the set.
    pub(crate) const fn has(self, kinds: Self) -> bool {
        self.0 & kinds.0 != 0
    }

    /// The kinds of a schema's type; all for a type that JSON Schema does not know.
    pub(crate) fn of_type(name: &str) -> Self {
        match name {
            "string" => Self::TEXT,
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::ALL,
        }
    }

    pub(crate) fn of_value(value: &Value) -> Self {
        match value {
            Value::String(_) => Self::TEXT,
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if number.is_f64() => Self::NUMBER,
            Value::Number(_) => Self::INTEGER,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }
}
