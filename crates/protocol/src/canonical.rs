//! One text for equal values: what hashes and comparisons of calls go over.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use serde_json::Value;

use crate::Call;

impl Call {
    /// The tool and its canonical arguments: `read_file{"path":"a.txt"}`. Equal for calls that do
    /// the same, whatever order and spelling they were written in.
    #[must_use]
    pub fn canonical(&self) -> String {
        format!("{}{}", self.tool, canonical_json(&self.arguments))
    }
}

/// JSON without blanks, with the keys of every object sorted by their bytes.
///
/// # Examples
///
/// ```
/// let value = serde_json::json!({ "b": [1, 2.5], "a": { "y": null, "x": "é\n" } });
/// let text = tagline_protocol::canonical_json(&value);
/// assert_eq!(text, r#"{"a":{"x":"é\n","y":null},"b":[1,2.5]}"#);
/// ```
#[must_use]
pub fn canonical_json(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| name.as_str());
            let pairs = fields
                .into_iter()
                .map(|(name, it)| format!("{}:{}", Value::from(name.as_str()), canonical_json(it)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(canonical_json).collect::<Vec<_>>().join(","))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}
