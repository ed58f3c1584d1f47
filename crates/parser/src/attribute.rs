//! What an attribute says, from how it was written.

use alloc::{borrow::Cow, string::String};

use crate::{entity, input::Input, tag::RawAttribute};

/// The value of an attribute: quotes without their backslashes, entities decoded once.
/// `[A3]` `[A4]`
pub(crate) fn value(raw: &RawAttribute, input: &Input<'_>) -> String {
    let mut value = String::new();
    read(raw, input, &mut value);
    value
}

/// As [`value`], appended to a string.
pub(crate) fn read(raw: &RawAttribute, input: &Input<'_>, to: &mut String) {
    let text = input.slice(raw.value.clone());
    if memchr::memchr2(b'\\', b'&', text.as_bytes()).is_none() {
        return to.push_str(text);
    }
    let text = match raw.quote {
        Some(quote) => unescaped(text, quote),
        None => Cow::Borrowed(text),
    };
    to.push_str(&entity::decode(&text));
}

/// A backslash before a quote that did not end the value is no part of it.
fn unescaped(text: &str, quote: u8) -> Cow<'_, str> {
    let quote = char::from(quote);
    if memchr::memchr(b'\\', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let escaped: String = ['\\', quote].iter().collect();
    Cow::Owned(text.replace(&escaped, quote.encode_utf8(&mut [0; 4])))
}
