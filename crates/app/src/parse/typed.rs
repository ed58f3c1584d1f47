//! Values of a call as the types of a request say.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use tagline_parser::{Block, Value as Written};

/// The arguments of a call, typed. A name without a type keeps its text.
pub(crate) fn arguments(
    block: &Block,
    types: &BTreeMap<String, String>,
    schema: Option<&Value>,
) -> Map<String, Value> {
    let attributes =
        block.attributes.iter().map(|(name, text)| (name.clone(), Written::Text(text.clone())));
    let children = block.children.iter().map(|child| (child.name.clone(), child.value.clone()));
    let mut arguments = Map::new();
    for (name, written) in attributes.chain(children) {
        let kinds = kinds(&name, types, schema);
        let value = typed(&written, &kinds);
        match arguments.get_mut(&name) {
            Some(Value::Array(list)) if kinds.contains(&"array") => {
                let more = value.as_array().cloned().unwrap_or_else(|| vec![value]);
                list.extend(more);
            }
            Some(_) | None => {
                arguments.insert(name, value);
            }
        }
    }
    arguments
}

/// The types a value may have.
fn kinds<'a>(
    name: &str,
    types: &'a BTreeMap<String, String>,
    schema: Option<&'a Value>,
) -> Vec<&'a str> {
    let property = schema.and_then(|schema| schema.get("properties")?.get(name)?.get("type"));
    match property {
        Some(Value::String(kind)) => vec![kind.as_str()],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => types.get(name).map(String::as_str).into_iter().collect(),
    }
}

fn typed(written: &Written, kinds: &[&str]) -> Value {
    match written {
        Written::Json(source) => {
            serde_json::from_str(source).unwrap_or_else(|_| source.as_str().into())
        }
        Written::Text(text) => {
            let value = serde_json::from_str::<Value>(text.trim()).ok();
            let fitting = value.filter(|value| kinds.iter().any(|kind| is(value, kind)));
            fitting.unwrap_or_else(|| text.as_str().into())
        }
    }
}

fn is(value: &Value, kind: &str) -> bool {
    match (value, kind) {
        (Value::Null, kind) => kind != "string",
        (Value::Bool(_), "boolean") | (Value::Array(_), "array") | (Value::Object(_), "object") => {
            true
        }
        (Value::Number(number), "integer") => number.is_i64() || number.is_u64(),
        (Value::Number(_), "number") => true,
        _ => false,
    }
}
