//! Brings a generated JSON Schema into the form that providers and our own readers share.
//!
//! What goes: titles, `null` as a way to say "absent" (an absent value is not in `required`),
//! Rust's number formats (they become bounds), and documented enum variants (they become `enum`).

use alloc::{string::String, vec::Vec};

use serde_json::{Map, Value, json};

/// The extension that says where a value is written.
pub(crate) const X_TAG: &str = "x-tag";

type Object = Map<String, Value>;

/// Tidies a schema and every schema in it. Keeps [`X_TAG`].
pub(crate) fn tidy(schema: Value) -> Value {
    let Value::Object(fields) = schema else { return schema };
    let fields = without_null(fields);
    let mut fields = without_variants(fields);
    fields.retain(|key, _| !matches!(key.as_str(), "title" | "$schema"));
    bound_by_format(&mut fields);
    map_inner(fields, &tidy)
}

/// Removes [`X_TAG`] from a schema and every schema in it.
pub(crate) fn without_x_tag(schema: Value) -> Value {
    let Value::Object(mut fields) = schema else { return schema };
    fields.retain(|key, _| key != X_TAG);
    map_inner(fields, &without_x_tag)
}

/// Applies `change` to the schemas directly within one; names of properties are left alone.
fn map_inner(mut fields: Object, change: &dyn Fn(Value) -> Value) -> Value {
    for (key, value) in &mut fields {
        match (key.as_str(), value) {
            ("properties" | "$defs", Value::Object(named)) => {
                named.values_mut().for_each(|it| *it = change(it.take()));
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(several)) => {
                several.iter_mut().for_each(|it| *it = change(it.take()));
            }
            ("items" | "additionalProperties", one) => *one = change(one.take()),
            (_, _) => (),
        }
    }
    Value::Object(fields)
}

/// An optional value may be absent; that it may be `null` too would only be a second way.
fn without_null(mut fields: Object) -> Object {
    if let Some(Value::Array(types)) = fields.get_mut("type") {
        types.retain(|it| it != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            fields.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(words)) = fields.get_mut("enum") {
        words.retain(|it| !it.is_null());
    }
    if fields.get("default").is_some_and(Value::is_null) {
        fields.retain(|key, _| key != "default");
    }
    without_null_choice(fields)
}

fn without_null_choice(mut fields: Object) -> Object {
    let Some(Value::Array(choices)) = fields.get_mut("anyOf") else { return fields };
    choices.retain(|it| it.get("type").is_none_or(|ty| ty != "null"));
    let [Value::Object(only)] = choices.as_slice() else { return fields };
    let mut merged = only.clone();
    fields.retain(|key, _| key != "anyOf");
    // What stands on the field is nearer to it than what stands on its type.
    merged.extend(fields);
    without_null(merged)
}

/// `oneOf` of constants, as documented variants come, says the same as `enum`.
fn without_variants(mut fields: Object) -> Object {
    let Some(Value::Array(variants)) = fields.get("oneOf") else { return fields };
    let words: Option<Vec<Value>> =
        variants.iter().map(words_of).collect::<Option<Vec<_>>>().map(|it| it.concat());
    let Some(words) = words else { return fields };
    fields.retain(|key, _| key != "oneOf");
    fields.insert("type".into(), json!("string"));
    fields.insert("enum".into(), Value::Array(words));
    fields
}

fn words_of(variant: &Value) -> Option<Vec<Value>> {
    if variant.get("type")? != "string" {
        return None;
    }
    match (variant.get("const"), variant.get("enum")) {
        (Some(word), _) => Some([word.clone()].into()),
        (None, Some(Value::Array(words))) => Some(words.clone()),
        (None, _) => None,
    }
}

/// `format` of Rust's numbers is not in the standard: what it bounds is said by the standard's words.
fn bound_by_format(fields: &mut Object) {
    let Some(format) = fields.get("format").and_then(Value::as_str) else { return };
    let (least, most) = match format {
        "int8" => (Some(i64::from(i8::MIN)), Some(i64::from(i8::MAX))),
        "int16" => (Some(i64::from(i16::MIN)), Some(i64::from(i16::MAX))),
        "int32" => (Some(i64::from(i32::MIN)), Some(i64::from(i32::MAX))),
        "uint8" => (None, Some(i64::from(u8::MAX))),
        "uint16" => (None, Some(i64::from(u16::MAX))),
        "uint32" => (None, Some(i64::from(u32::MAX))),
        "int" | "uint" | "int64" | "uint64" | "float" | "double" => (None, None),
        _ => return,
    };
    fields.retain(|key, _| key != "format");
    for (key, bound) in [("minimum", least), ("maximum", most)] {
        if let Some(bound) = bound {
            fields.entry(key).or_insert(json!(bound));
        }
    }
}
