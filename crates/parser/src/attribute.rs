//! What an attribute says, from how it was written.

use alloc::{
    borrow::Cow,
    string::{String, ToString as _},
};

use crate::{entity, input::Input, tag::RawAttribute};

/// The value of an attribute: quotes without their backslashes, entities decoded once.
/// `[A3]` `[A4]`
pub(crate) fn value(raw: &RawAttribute, input: &Input<'_>) -> String {
    let text = input.slice(raw.value.clone());
    let text = match raw.quote {
        Some(quote) => unescaped(text, quote),
        None => Cow::Borrowed(text),
    };
    entity::decode(&text).to_string()
}

/// A backslash before a quote that did not end the value is no part of it.
fn unescaped(text: &str, quote: u8) -> Cow<'_, str> {
    let quote = char::from(quote);
    let escaped: String = ['\\', quote].iter().collect();
    if !text.contains(&escaped) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(&escaped, &quote.to_string()))
}
