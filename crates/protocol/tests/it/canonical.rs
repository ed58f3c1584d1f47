//! Equal values have one text.

use proptest::prelude::*;
use serde_json::{Map, Value};
use tagline_protocol::canonical_json;

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(|it: f64| Value::from(it)),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|it| Value::from(it.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// The same value with the fields of every object in the opposite order.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().rev().map(|(name, it)| (name.clone(), reversed(it)));
            Value::Object(fields.collect())
        }
        Value::Array(items) => items.iter().map(reversed).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

proptest! {
    #[test]
    fn the_order_of_fields_does_not_count(value in json()) {
        prop_assert_eq!(canonical_json(&value), canonical_json(&reversed(&value)));
    }

    #[test]
    fn the_text_reads_back_as_the_value(value in json()) {
        let read: Value = serde_json::from_str(&canonical_json(&value)).unwrap();
        prop_assert_eq!(read, value);
    }

    #[test]
    fn different_values_have_different_texts(left in json(), right in json()) {
        prop_assert_eq!(left == right, canonical_json(&left) == canonical_json(&right));
    }
}
