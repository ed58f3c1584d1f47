//! Small readings of JSON that others wrote.

use serde_json::{Map, Value};

use crate::Request;

/// A text that is not empty.
pub(super) fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer)?.as_str().filter(|text| !text.is_empty())
}

/// A count. Negative and broken numbers are unknown.
pub(super) fn count(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer)?.as_u64()
}

/// Puts a value into an object, if there is one.
pub(super) fn put(object: &mut Map<String, Value>, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        object.insert(name.to_owned(), value.into());
    }
}

/// `f32` as the decimal that was meant: 0.7, not 0.699999988079071.
pub(super) fn decimal(number: f32) -> Value {
    number.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

/// The first texts that end the reply, as many as the format takes; `None` if there are none.
pub(super) fn stops(request: &Request, most: usize) -> Option<Vec<String>> {
    let stops = request.stop.iter().filter(|stop| !stop.is_empty()).take(most);
    let stops: Vec<_> = stops.cloned().collect();
    (!stops.is_empty()).then_some(stops)
}
