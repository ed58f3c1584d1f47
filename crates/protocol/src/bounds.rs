//! Checks the bounds that a JSON Schema sets: of numbers, and of lengths of texts and lists.

use alloc::{format, string::String};

use serde_json::Value;

/// A bound that a value breaks, and by what, both in words.
pub(crate) struct Broken {
    pub(crate) bound: String,
    pub(crate) found: String,
}

/// The first bound of `schema` that `value` breaks.
pub(crate) fn broken(schema: &Value, value: &Value) -> Option<Broken> {
    match value {
        Value::Number(number) => number_broken(schema, number.as_f64()?, value),
        Value::String(text) => {
            length_broken(schema, text.chars().count(), ["minLength", "maxLength"], "character")
        }
        Value::Array(items) => length_broken(schema, items.len(), ["minItems", "maxItems"], "item"),
        Value::Null | Value::Bool(_) | Value::Object(_) => None,
    }
}

fn number_broken(schema: &Value, number: f64, value: &Value) -> Option<Broken> {
    type Breaks = fn(f64, f64) -> bool;
    let rules: [(&str, &str, Breaks); 4] = [
        ("minimum", "at least", |number, bound| number < bound),
        ("maximum", "at most", |number, bound| number > bound),
        ("exclusiveMinimum", "more than", |number, bound| number <= bound),
        ("exclusiveMaximum", "less than", |number, bound| number >= bound),
    ];
    rules.into_iter().find_map(|(key, words, breaks)| {
        let bound = schema.get(key)?;
        let is_broken = breaks(number, bound.as_f64()?);
        is_broken.then(|| Broken { bound: format!("{words} {bound}"), found: format!("`{value}`") })
    })
}

fn length_broken(schema: &Value, n: usize, [least, most]: [&str; 2], unit: &str) -> Option<Broken> {
    let bound =
        |key| schema.get(key).and_then(Value::as_u64).and_then(|it| usize::try_from(it).ok());
    let (words, bound) = match (bound(least), bound(most)) {
        (Some(least), _) if n < least => ("at least", least),
        (_, Some(most)) if most < n => ("at most", most),
        (_, _) => return None,
    };
    Some(Broken { bound: format!("{words} {}", count(bound, unit)), found: count(n, unit) })
}

fn count(n: usize, unit: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {unit}{plural}")
}

/// Two bounds of `schema` that no value meets, in words.
pub(crate) fn excluding(schema: &Value) -> Option<String> {
    let pairs = [("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems")];
    pairs.into_iter().find_map(|(least, most)| {
        let (low, high) = (schema.get(least)?, schema.get(most)?);
        (high.as_f64()? < low.as_f64()?).then(|| format!("{least} {low}, {most} {high}"))
    })
}
