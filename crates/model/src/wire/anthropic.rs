//! Messages of Anthropic: <https://docs.anthropic.com/en/api/messages-streaming>.

use serde_json::{Map, Value, json};
use tagline_protocol::Usage;

use super::{
    Reply,
    json::{count, decimal, put, text},
    prompt::{Prompt, Turn},
};
use crate::{FinishReason, ModelEvent, Request};

/// The version of the format that this module speaks.
pub(super) const VERSION: &str = "2023-06-01";

/// The format needs a limit; this one is below that of every model in use.
const DEFAULT_MAX_TOKENS: u32 = 8192;

pub(super) fn body(model: &str, prompt: &Prompt<'_>, request: &Request) -> Value {
    let mut body = Map::new();
    put(&mut body, "model", Some(model));
    put(&mut body, "max_tokens", Some(request.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS)));
    put(&mut body, "stream", Some(true));
    if !prompt.system.is_empty() {
        // The instructions are the same in every pass: the provider may keep them.
        let system = json!([{
            "type": "text",
            "text": prompt.system,
            "cache_control": {"type": "ephemeral"},
        }]);
        put(&mut body, "system", Some(system));
    }
    let last = prompt.turns.len().saturating_sub(1);
    let turns = prompt.turns.iter().enumerate().map(|(at, turn)| message(turn, at == last));
    put(&mut body, "messages", Some(turns.collect::<Vec<_>>()));
    // The format knows nothing hotter than 1.
    put(&mut body, "temperature", request.temperature.map(|heat| decimal(heat.min(1.0))));
    // The format refuses stop texts of white space alone.
    let stop: Vec<_> =
        request.stop.iter().filter(|text| !text.trim().is_empty()).cloned().collect();
    put(&mut body, "stop_sequences", (!stop.is_empty()).then_some(stop));
    Value::Object(body)
}

fn message(turn: &Turn<'_>, is_last: bool) -> Value {
    let role = if turn.is_user { "user" } else { "assistant" };
    // The beginning of a reply that the model shall go on with must not end in white space.
    let words = if is_last && !turn.is_user { turn.text.trim_end() } else { &turn.text };
    let mut parts = Vec::with_capacity(turn.images.len() + 1);
    for image in &turn.images {
        parts.push(json!({
            "type": "image",
            "source": {"type": "base64", "media_type": image.media_type, "data": image.base64},
        }));
    }
    if !words.trim().is_empty() {
        parts.push(json!({"type": "text", "text": words}));
    }
    json!({"role": role, "content": parts})
}

pub(super) fn take(value: &Value, reply: &mut Reply, out: &mut Vec<ModelEvent>) {
    match value.get("type").and_then(Value::as_str) {
        Some("message_start") => out.extend(started(value).and_then(|usage| reply.count(usage))),
        Some("content_block_start") => {
            let start = text(value, "/content_block/text");
            out.extend(start.map(|text| ModelEvent::Text(text.to_owned())));
        }
        Some("content_block_delta") => delta(value, out),
        Some("message_delta") => {
            if let Some(word) = text(value, "/delta/stop_reason") {
                reply.finish = Some(finish(word));
            }
            let output_tokens = count(value, "/usage/output_tokens");
            out.extend(reply.count(Usage { output_tokens, ..Usage::default() }));
        }
        Some("message_stop") => reply.is_over = true,
        // `ping`, `content_block_stop`, and whatever comes after this was written.
        _ => {}
    }
}

fn delta(value: &Value, out: &mut Vec<ModelEvent>) {
    if let Some(text) = text(value, "/delta/text") {
        out.push(ModelEvent::Text(text.to_owned()));
    }
    if let Some(text) = text(value, "/delta/thinking") {
        out.push(ModelEvent::Reasoning(text.to_owned()));
    }
}

/// The three input counts of the format exclude each other.
fn started(value: &Value) -> Option<Usage> {
    let usage = value.pointer("/message/usage")?;
    let fresh = count(usage, "/input_tokens")?;
    let read = count(usage, "/cache_read_input_tokens");
    let written = count(usage, "/cache_creation_input_tokens").unwrap_or(0);
    Some(Usage {
        input_tokens: Some(fresh.saturating_add(read.unwrap_or(0)).saturating_add(written)),
        cached_tokens: read,
        output_tokens: count(usage, "/output_tokens"),
    })
}

fn finish(word: &str) -> FinishReason {
    match word {
        "end_turn" | "stop_sequence" | "tool_use" | "pause_turn" => FinishReason::Stop,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        other => FinishReason::Refused(other.to_owned()),
    }
}
