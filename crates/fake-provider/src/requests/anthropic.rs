//! <https://docs.anthropic.com/en/api/messages>, and the limits of "vision" and "errors" there: 32 MB a
//! request, 100 images, 5 MB each.

use serde_json::Value;

use super::{Verdict, image, in_turns, list, number, only, rule, said, size, stops, word};

const FIELDS: &[&str] =
    &["model", "max_tokens", "stream", "system", "messages", "temperature", "stop_sequences"];

/// Characters of 5 MB in base64.
const IMAGE: usize = 5 << 20;

pub(super) fn check(body: &Value) -> Verdict {
    only(body, FIELDS)?;
    size(body, 32_000_000)?;
    said(word(body, "model")?, "`model`")?;
    rule(body.get("stream") == Some(&Value::Bool(true)), || "`stream` is off".to_owned())?;
    rule(body.get("max_tokens").is_some(), || "no `max_tokens`".to_owned())?;
    number(body, "max_tokens", 1.0, 1e9)?;
    number(body, "temperature", 0.0, 1.0)?;
    stops(body, "stop_sequences", usize::MAX)?;
    let stops = body.get("stop_sequences").and_then(Value::as_array).into_iter().flatten();
    stops.filter_map(Value::as_str).try_for_each(|stop| said(stop, "`stop_sequences`"))?;
    if body.get("system").is_some() {
        list(body, "system")?.iter().try_for_each(|block| text(block, "the system text"))?;
    }
    let messages = list(body, "messages")?;
    in_turns(messages, "assistant")?;
    messages.iter().try_for_each(message)?;
    let parts = messages.iter().filter_map(|message| message.get("content")?.as_array()).flatten();
    let images = parts.filter(|part| part.get("type").is_some_and(|kind| kind == "image")).count();
    rule(images <= 100, || format!("{images} images"))
}

fn message(message: &Value) -> Verdict {
    only(message, &["role", "content"])?;
    let is_user = word(message, "role")? == "user";
    for block in list(message, "content")? {
        match word(block, "type")? {
            "text" => text(block, "a message")?,
            "image" if is_user => picture(block)?,
            other => return Err(format!("a block of type `{other}`")),
        }
    }
    Ok(())
}

fn text(block: &Value, place: &str) -> Verdict {
    only(block, &["type", "text", "cache_control"])?;
    rule(word(block, "type")? == "text", || format!("{place} is no text"))?;
    said(word(block, "text")?, place)
}

fn picture(block: &Value) -> Verdict {
    only(block, &["type", "source"])?;
    let source = block.get("source").ok_or_else(|| "an image without a source".to_owned())?;
    only(source, &["type", "media_type", "data"])?;
    rule(word(source, "type")? == "base64", || "an image elsewhere".to_owned())?;
    image(word(source, "media_type")?, word(source, "data")?, IMAGE)
}
