//! <https://platform.openai.com/docs/api-reference/chat/create>, and what servers that copied it
//! ask for: one system message, first; user and assistant in turns, the user last.

use serde_json::Value;

use super::{Verdict, image, in_turns, list, number, only, rule, said, size, stops, word};

/// Bytes of images in one request.
const MOST: usize = 50 << 20;

const FIELDS: &[&str] = &[
    "model",
    "messages",
    "stream",
    "stream_options",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "seed",
    "stop",
    "grammar",
    "return_progress",
];

pub(super) fn check(body: &Value) -> Verdict {
    only(body, FIELDS)?;
    size(body, MOST)?;
    said(word(body, "model")?, "`model`")?;
    rule(body.get("stream") == Some(&Value::Bool(true)), || "`stream` is off".to_owned())?;
    let limits = ["max_tokens", "max_completion_tokens"];
    limits.iter().try_for_each(|limit| number(body, limit, 1.0, 1e9))?;
    number(body, "temperature", 0.0, 2.0)?;
    stops(body, "stop", 4)?;
    let messages = list(body, "messages")?;
    let (system, turns) = match messages.split_first() {
        Some((first, rest)) if first.get("role").is_some_and(|role| role == "system") => {
            (Some(first), rest)
        }
        _ => (None, messages),
    };
    if let Some(system) = system {
        only(system, &["role", "content"])?;
        said(word(system, "content")?, "the system message")?;
    }
    rule(!turns.is_empty(), || "no message of the user".to_owned())?;
    in_turns(turns, "assistant")?;
    turns.iter().try_for_each(message)
}

fn message(message: &Value) -> Verdict {
    only(message, &["role", "content"])?;
    if let Some(text) = message.get("content").and_then(Value::as_str) {
        return said(text, "a message");
    }
    rule(word(message, "role")? == "user", || "parts in a message of the model".to_owned())?;
    list(message, "content")?.iter().try_for_each(part)
}

fn part(part: &Value) -> Verdict {
    match word(part, "type")? {
        "text" => {
            only(part, &["type", "text"])?;
            said(word(part, "text")?, "a part")
        }
        "image_url" => {
            only(part, &["type", "image_url"])?;
            let url = part
                .get("image_url")
                .map_or(Err("no address".to_owned()), |image| word(image, "url"))?;
            let data = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
            let (media_type, data) = data.ok_or_else(|| "an image elsewhere".to_owned())?;
            image(media_type, data, MOST)
        }
        other => Err(format!("a part of type `{other}`")),
    }
}
