//! Strict readings of request bodies: what each provider would refuse, by the rules it publishes.

mod anthropic;
mod gemini;
mod openai;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{Asked, Wire};

/// What a reading ends with: nothing, or the rule that is broken.
pub(crate) type Verdict = Result<(), String>;

/// Whether a provider would take this request: its path, and its body.
///
/// # Errors
///
/// The rule that is broken, in words.
pub fn check(wire: Wire, asked: &Asked) -> Result<(), String> {
    rule(asked.path.ends_with(wire.path()), || format!("the path {} is another's", asked.path))?;
    check_body(wire, &asked.body)
}

/// Whether a provider would take this body.
///
/// # Errors
///
/// The rule that is broken, in words.
pub fn check_body(wire: Wire, body: &Value) -> Result<(), String> {
    match wire {
        Wire::OpenAi => openai::check(body),
        Wire::Anthropic => anthropic::check(body),
        Wire::Gemini => gemini::check(body),
    }
}

fn rule(holds: bool, broken: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(broken()) }
}

/// An object with no other fields than these.
fn only(value: &Value, allowed: &[&str]) -> Verdict {
    let object = value.as_object().ok_or_else(|| format!("{value} is no object"))?;
    let keys: BTreeSet<_> = object.keys().map(String::as_str).collect();
    let unknown: Vec<_> = keys.into_iter().filter(|key| !allowed.contains(key)).collect();
    rule(unknown.is_empty(), || format!("unknown fields {unknown:?}"))
}

fn list<'a>(value: &'a Value, name: &str) -> Result<&'a [Value], String> {
    let list = value.get(name).and_then(Value::as_array);
    let list = list.ok_or_else(|| format!("`{name}` is no list"))?;
    rule(!list.is_empty(), || format!("`{name}` is empty"))?;
    Ok(list)
}

fn word<'a>(value: &'a Value, name: &str) -> Result<&'a str, String> {
    value.get(name).and_then(Value::as_str).ok_or_else(|| format!("`{name}` is no text"))
}

/// User first, user last, and in between each after the other.
fn in_turns(messages: &[Value], model: &str) -> Verdict {
    for (at, message) in messages.iter().enumerate() {
        let expected = if at % 2 == 0 { "user" } else { model };
        let role = word(message, "role")?;
        rule(role == expected, || format!("message {at} is of `{role}`, not of `{expected}`"))?;
    }
    rule(messages.len() % 2 == 1, || "the last message is the model's".to_owned())
}

fn said(text: &str, place: &str) -> Verdict {
    rule(!text.trim().is_empty(), || format!("{place} holds a text without words"))
}

/// A number within bounds, if it is there.
fn number(value: &Value, name: &str, least: f64, most: f64) -> Verdict {
    match value.get(name) {
        None => Ok(()),
        Some(number) => {
            let is_within = number.as_f64().is_some_and(|it| (least..=most).contains(&it));
            rule(is_within, || format!("`{name}` is {number}"))
        }
    }
}

/// Texts that end the reply, if there are any.
fn stops(value: &Value, name: &str, most: usize) -> Verdict {
    if value.get(name).is_none() {
        return Ok(());
    }
    let stops = list(value, name)?;
    rule(stops.len() <= most, || format!("{} stop texts", stops.len()))?;
    stops.iter().try_for_each(|stop| match stop.as_str() {
        Some(stop) => rule(!stop.is_empty(), || "an empty stop text".to_owned()),
        None => Err(format!("`{stop}` is no stop text")),
    })
}

/// Types of image that all of them take.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// An image in base64, of a size in bytes.
fn image(media_type: &str, data: &str, most: usize) -> Verdict {
    rule(IMAGES.contains(&media_type), || format!("an image of type `{media_type}`"))?;
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    rule(!data.is_empty() && data.chars().all(is_base64), || "an image in no base64".to_owned())?;
    rule(data.len() <= most, || format!("an image of {} characters", data.len()))
}

/// The whole request, in bytes.
fn size(body: &Value, most: usize) -> Verdict {
    let size = body.to_string().len();
    rule(size <= most, || format!("a request of {size} bytes"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::check_body;
    use crate::Wire;

    fn openai() -> Value {
        json!({
            "model": "m", "stream": true, "stop": ["a"], "messages": [
                {"role": "system", "content": "Be."},
                {"role": "user", "content": [
                    {"type": "text", "text": "Look."},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBO"}},
                ]},
                {"role": "assistant", "content": "I see."},
                {"role": "user", "content": "Go on."},
            ],
        })
    }

    fn anthropic() -> Value {
        json!({
            "model": "m", "stream": true, "max_tokens": 5, "stop_sequences": ["a"],
            "system": [{"type": "text", "text": "Be."}], "messages": [
                {"role": "user", "content": [
                    {"type": "image", "source":
                        {"type": "base64", "media_type": "image/png", "data": "iVBO"}},
                    {"type": "text", "text": "Look."},
                ]},
                {"role": "assistant", "content": [{"type": "text", "text": "I see."}]},
                {"role": "user", "content": [{"type": "text", "text": "Go on."}]},
            ],
        })
    }

    fn gemini() -> Value {
        json!({
            "systemInstruction": {"parts": [{"text": "Be."}]},
            "generationConfig": {"seed": 1, "stopSequences": ["a"]},
            "contents": [
                {"role": "user", "parts": [
                    {"text": "Look."}, {"inlineData": {"mimeType": "image/png", "data": "iVBO"}},
                ]},
                {"role": "model", "parts": [{"text": "I see."}]},
                {"role": "user", "parts": [{"text": "Go on."}]},
            ],
        })
    }

    /// The sound body is taken; with another value in one place it is refused.
    #[track_caller]
    fn check(wire: Wire, sound: &Value, damage: &[(&str, Value)]) {
        assert_eq!(check_body(wire, sound), Ok(()), "{wire:?}");
        for (place, value) in damage {
            let mut body = sound.clone();
            *body.pointer_mut(place).unwrap() = value.clone();
            assert!(check_body(wire, &body).is_err(), "{wire:?}: {place} as {value} was taken");
        }
    }

    #[test]
    fn what_chat_completions_refuse_is_refused() {
        let turns = |roles: &[&str]| -> Value {
            roles.iter().map(|role| json!({"role": role, "content": "x"})).collect()
        };
        check(
            Wire::OpenAi,
            &openai(),
            &[
                ("/model", json!("")),
                ("/stream", json!(false)),
                ("/stop", json!(["1", "2", "3", "4", "5"])),
                ("/messages", turns(&[])),
                ("/messages", turns(&["system"])),
                ("/messages", turns(&["assistant", "user"])),
                ("/messages", turns(&["user", "user"])),
                ("/messages", turns(&["user", "assistant"])),
                ("/messages", turns(&["user", "system", "user"])),
                ("/messages/0/content", json!(" ")),
                ("/messages/1/content/0/text", json!("")),
                ("/messages/1/content/0/type", json!("thinking")),
                ("/messages/1/content/1/image_url/url", json!("https://elsewhere.example/a.png")),
                ("/messages/2", json!({"role": "assistant", "content": "x", "tool_calls": []})),
                ("/messages/3/content", json!([])),
            ],
        );
    }

    #[test]
    fn what_anthropic_refuses_is_refused() {
        check(
            Wire::Anthropic,
            &anthropic(),
            &[
                ("/max_tokens", json!(0)),
                ("/stop_sequences", json!([" "])),
                ("/system/0/text", json!("\n")),
                ("/messages", json!([])),
                ("/messages/0/role", json!("assistant")),
                ("/messages/0/content/0/source/media_type", json!("image/svg+xml")),
                ("/messages/0/content/0/source/data", json!("A".repeat(6 << 20))),
                ("/messages/0/content/1/text", json!(" ")),
                ("/messages/1/content", json!([])),
                ("/messages/1/content/0/type", json!("thinking")),
                ("/messages/2/role", json!("tool")),
            ],
        );
    }

    #[test]
    fn what_gemini_refuses_is_refused() {
        check(
            Wire::Gemini,
            &gemini(),
            &[
                ("/generationConfig/seed", json!(5_000_000_000_u64)),
                ("/generationConfig/stopSequences", json!(["1", "2", "3", "4", "5", "6"])),
                ("/contents/0/role", json!("model")),
                ("/contents/1/role", json!("assistant")),
                ("/contents/1/parts", json!([])),
                ("/contents/1/parts/0", json!({"functionCall": {"name": "x"}})),
                ("/contents/2/parts/0/text", json!("")),
                ("/contents/0/parts/1/inlineData/mimeType", json!("image/tiff")),
            ],
        );
    }
}
