//! `streamGenerateContent` of Google: <https://ai.google.dev/api/generate-content>.

use serde_json::{Map, Value, json};
use tagline_protocol::Usage;

use super::{
    Reply,
    json::{count, decimal, put, stops, text},
    prompt::{Prompt, Turn},
};
use crate::{FinishReason, ModelEvent, Request};

/// Stop texts that the format takes.
const MAX_STOPS: usize = 5;

pub(super) fn path(model: &str) -> String {
    let model = model.strip_prefix("models/").unwrap_or(model);
    format!("/models/{model}:streamGenerateContent?alt=sse")
}

pub(super) fn body(prompt: &Prompt<'_>, request: &Request) -> Value {
    let mut body = Map::new();
    if !prompt.system.is_empty() {
        put(&mut body, "systemInstruction", Some(json!({"parts": [{"text": prompt.system}]})));
    }
    put(&mut body, "contents", Some(prompt.turns.iter().map(content).collect::<Vec<_>>()));
    let mut config = Map::new();
    put(&mut config, "maxOutputTokens", request.max_tokens);
    put(&mut config, "temperature", request.temperature.map(decimal));
    // The format's seed has 32 bits with a sign.
    put(&mut config, "seed", request.seed.map(|seed| seed & 0x7fff_ffff));
    put(&mut config, "stopSequences", stops(request, MAX_STOPS));
    if !config.is_empty() {
        put(&mut body, "generationConfig", Some(config));
    }
    Value::Object(body)
}

fn content(turn: &Turn<'_>) -> Value {
    let role = if turn.is_user { "user" } else { "model" };
    let mut parts = Vec::with_capacity(turn.images.len() + 1);
    if !turn.text.is_empty() {
        parts.push(json!({"text": turn.text}));
    }
    for image in &turn.images {
        parts.push(json!({"inlineData": {"mimeType": image.media_type, "data": image.base64}}));
    }
    json!({"role": role, "parts": parts})
}

pub(super) fn take(value: &Value, reply: &mut Reply, out: &mut Vec<ModelEvent>) {
    let candidates = value.get("candidates").and_then(Value::as_array);
    let first = |candidate: &&Value| count(candidate, "/index").is_none_or(|index| index == 0);
    for candidate in candidates.into_iter().flatten().filter(first) {
        let parts = candidate.pointer("/content/parts").and_then(Value::as_array);
        out.extend(parts.into_iter().flatten().filter_map(part));
        if let Some(word) = text(candidate, "/finishReason") {
            reply.finish = finish(word).or(reply.finish.take());
        }
    }
    if let Some(word) = text(value, "/promptFeedback/blockReason") {
        reply.finish = Some(FinishReason::Refused(word.to_lowercase()));
    }
    out.extend(usage(value).and_then(|usage| reply.count(usage)));
}

fn part(part: &Value) -> Option<ModelEvent> {
    let text = text(part, "/text")?.to_owned();
    let is_thought = part.get("thought").and_then(Value::as_bool) == Some(true);
    Some(if is_thought { ModelEvent::Reasoning(text) } else { ModelEvent::Text(text) })
}

fn finish(word: &str) -> Option<FinishReason> {
    Some(match word {
        "FINISH_REASON_UNSPECIFIED" => return None,
        "STOP" => FinishReason::Stop,
        "MAX_TOKENS" => FinishReason::Length,
        other => FinishReason::Refused(other.to_lowercase()),
    })
}

fn usage(value: &Value) -> Option<Usage> {
    let usage = value.get("usageMetadata")?;
    let written = count(usage, "/candidatesTokenCount");
    let thought = count(usage, "/thoughtsTokenCount");
    Some(Usage {
        input_tokens: count(usage, "/promptTokenCount"),
        cached_tokens: count(usage, "/cachedContentTokenCount"),
        output_tokens: written
            .map(|written| written.saturating_add(thought.unwrap_or(0)))
            .or(thought),
    })
}
