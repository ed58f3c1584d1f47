//! Arguments as a JSON Schema, within what an API takes of it.

use alloc::{
    borrow::ToOwned as _,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::{Map, Value, json};

use super::with_sentence;
use crate::{ArgSpec, ArgType};

type Object = Map<String, Value>;

/// How much of JSON Schema may be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subset {
    /// All of it.
    Whole,
    /// What `OpenAI` holds a model to: every name required, `null` for what is absent.
    OpenAi,
    /// What Anthropic holds a model to: no bounds.
    Anthropic,
    /// The `Schema` object of Gemini, a part of `OpenAPI` 3.0.
    Gemini,
}

impl Subset {
    /// The keyword's value as the API takes it; `None` where it takes none.
    fn keyword(self, key: &str, value: &Value) -> Option<Value> {
        let is_bound = matches!(
            key,
            "minimum"
                | "maximum"
                | "exclusiveMinimum"
                | "exclusiveMaximum"
                | "multipleOf"
                | "minItems"
                | "maxItems"
                | "pattern"
        );
        let is_taken = match self {
            Self::Whole => true,
            Self::OpenAi => is_bound || key == "format",
            Self::Anthropic => key == "minItems" && value.as_u64().is_some_and(|it| it <= 1),
            Self::Gemini => match key {
                "minItems" | "maxItems" | "minLength" | "maxLength" => {
                    return Some(format!("{value}").into());
                }
                _ => matches!(key, "minimum" | "maximum" | "pattern"),
            },
        };
        is_taken.then(|| value.clone())
    }

    fn type_name(self, name: &str) -> Value {
        if self == Self::Gemini { name.to_ascii_uppercase().into() } else { name.into() }
    }
}

/// The schema of an object with these fields. `schema` is what the object says beside them.
pub(super) fn object(fields: &[ArgSpec], schema: &Value, subset: Subset) -> Value {
    let properties: Object =
        fields.iter().map(|it| (it.name.clone(), property(it, subset))).collect();
    let is_listed = |it: &&ArgSpec| it.is_required || subset == Subset::OpenAi;
    let required: Vec<&str> = fields.iter().filter(is_listed).map(|it| it.name.as_str()).collect();
    let names: Vec<&str> = fields.iter().map(|it| it.name.as_str()).collect();
    let mut object = Object::new();
    object.insert("type".into(), subset.type_name("object"));
    describe(&mut object, schema, subset);
    object.insert("properties".into(), Value::Object(properties));
    if !required.is_empty() || subset == Subset::OpenAi {
        object.insert("required".into(), json!(required));
    }
    if subset == Subset::Gemini {
        object.insert("propertyOrdering".into(), json!(names));
    } else {
        object.insert("additionalProperties".into(), json!(false));
    }
    Value::Object(object)
}

fn property(field: &ArgSpec, subset: Subset) -> Value {
    let mut schema = of_type(&field.ty, &field.schema, subset);
    if let (Subset::OpenAi, false, Value::Object(object)) = (subset, field.is_required, &mut schema)
    {
        let ty = object.get("type").cloned().unwrap_or_default();
        object.insert("type".into(), json!([ty, "null"]));
        if let Some(Value::Array(words)) = object.get_mut("enum") {
            words.push(Value::Null);
        }
    }
    schema
}

fn of_type(ty: &ArgType, schema: &Value, subset: Subset) -> Value {
    let name = match ty {
        ArgType::Object(fields) => return object(fields, schema, subset),
        ArgType::Json if subset == Subset::Gemini => return json_text(schema),
        ArgType::Json => return schema.clone(),
        ArgType::String | ArgType::Enum(_) => "string",
        ArgType::Integer => "integer",
        ArgType::Number => "number",
        ArgType::Boolean => "boolean",
        ArgType::List(_) => "array",
    };
    let mut object = Object::from_iter([("type".to_owned(), subset.type_name(name))]);
    describe(&mut object, schema, subset);
    match ty {
        ArgType::Enum(words) => {
            if subset == Subset::Gemini {
                object.insert("format".into(), json!("enum"));
            }
            object.insert("enum".into(), json!(words));
        }
        ArgType::List(item) => {
            let of_items = schema.get("items").unwrap_or(&Value::Null);
            object.insert("items".into(), of_type(item, of_items, subset));
        }
        ArgType::String
        | ArgType::Integer
        | ArgType::Number
        | ArgType::Boolean
        | ArgType::Object(_)
        | ArgType::Json => (),
    }
    Value::Object(object)
}

/// Any JSON, where the API has no schema of it: a text that holds it.
fn json_text(schema: &Value) -> Value {
    let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    json!({ "type": "STRING", "description": with_sentence(about, "JSON, written as text.") })
}

/// The description and the bounds; bounds for which the API has no keyword are sentences of the
/// description.
fn describe(object: &mut Object, schema: &Value, subset: Subset) {
    let mut description =
        schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut kept = Object::new();
    for (key, value) in schema.as_object().into_iter().flatten() {
        if matches!(
            key.as_str(),
            "type"
                | "description"
                | "enum"
                | "items"
                | "properties"
                | "required"
                | "additionalProperties"
        ) {
            continue;
        }
        match (subset.keyword(key, value), sentence(key, value)) {
            (Some(value), _) => drop(kept.insert(key.clone(), value)),
            (None, Some(sentence)) => description = with_sentence(&description, &sentence),
            (None, None) => (),
        }
    }
    if !description.is_empty() {
        object.insert("description".into(), description.into());
    }
    object.append(&mut kept);
}

/// A bound in words; none for what bounds nothing.
fn sentence(key: &str, value: &Value) -> Option<String> {
    let text = value.as_str().map_or_else(|| format!("{value}"), ToString::to_string);
    Some(match key {
        "default" => format!("Default: `{text}`."),
        "minimum" => format!("At least {text}."),
        "maximum" => format!("At most {text}."),
        "exclusiveMinimum" => format!("More than {text}."),
        "exclusiveMaximum" => format!("Less than {text}."),
        "multipleOf" => format!("A multiple of {text}."),
        "minLength" => format!("At least {}.", count(value, "character")),
        "maxLength" => format!("At most {}.", count(value, "character")),
        "minItems" => format!("At least {}.", count(value, "item")),
        "maxItems" => format!("At most {}.", count(value, "item")),
        "pattern" => format!("Matches `{text}`."),
        "format" => format!("Format: {text}."),
        _ => return None,
    })
}

fn count(n: &Value, unit: &str) -> String {
    format!("{n} {unit}{}", if n.as_u64() == Some(1) { "" } else { "s" })
}
