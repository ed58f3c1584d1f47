//! Chat completions.
//!
//! <https://platform.openai.com/docs/api-reference/chat/create>, and what other servers add to it:
//! `reasoning_content` (DeepSeek, vLLM, llama.cpp), `reasoning` (OpenRouter, Groq, Ollama), content
//! in parts (Mistral), `grammar`, `prompt_progress` and `timings` (llama.cpp), `x_groq.usage`.

use serde_json::{Map, Value, json};
use tagline_protocol::Usage;

use super::{
    Dialect, Reply,
    json::{count, decimal, put, stops, text},
    prompt::{Prompt, Turn},
};
use crate::{
    FinishReason, ModelEvent, Request,
    fault::{ProviderError, Signal},
};

/// Stop texts that the format takes.
const MAX_STOPS: usize = 4;

pub(super) fn body(model: &str, dialect: Dialect, prompt: &Prompt<'_>, request: &Request) -> Value {
    let mut messages = Vec::with_capacity(prompt.turns.len() + 1);
    if !prompt.system.is_empty() {
        messages.push(json!({"role": "system", "content": prompt.system}));
    }
    messages.extend(prompt.turns.iter().map(message));
    let mut body = Map::new();
    put(&mut body, "model", Some(model));
    put(&mut body, "messages", Some(messages));
    put(&mut body, "stream", Some(true));
    if !dialect.plain_usage {
        put(&mut body, "stream_options", Some(json!({"include_usage": true})));
    }
    let limit = if dialect.completion_tokens { "max_completion_tokens" } else { "max_tokens" };
    put(&mut body, limit, request.max_tokens);
    put(&mut body, "temperature", request.temperature.map(decimal));
    put(&mut body, "seed", request.seed);
    put(&mut body, "stop", stops(request, MAX_STOPS));
    if dialect.llama_cpp {
        put(&mut body, "grammar", request.grammar.clone());
        put(&mut body, "return_progress", Some(true));
    }
    Value::Object(body)
}

fn message(turn: &Turn<'_>) -> Value {
    let role = if turn.is_user { "user" } else { "assistant" };
    if turn.images.is_empty() {
        return json!({"role": role, "content": turn.text});
    }
    let mut parts = Vec::with_capacity(turn.images.len() + 1);
    if !turn.text.is_empty() {
        parts.push(json!({"type": "text", "text": turn.text}));
    }
    for image in &turn.images {
        parts.push(json!({"type": "image_url", "image_url": {"url": image.url}}));
    }
    json!({"role": role, "content": parts})
}

pub(super) fn take(
    value: &Value,
    reply: &mut Reply,
    out: &mut Vec<ModelEvent>,
) -> Result<(), Signal> {
    if let Some(progress) = value.get("prompt_progress") {
        out.extend(prefill(progress));
    }
    let choices = value.get("choices").and_then(Value::as_array);
    // Only the first choice is asked for; a server that sends more is not mixed into it.
    let first = |choice: &&Value| count(choice, "/index").is_none_or(|index| index == 0);
    for choice in choices.into_iter().flatten().filter(first) {
        delta(choice, out);
        if let Some(word) = text(choice, "/finish_reason") {
            reply.finish = Some(finish(word)?);
        }
        if let Some(refusal) = text(choice, "/delta/refusal") {
            reply.finish = Some(refused(reply.finish.take(), refusal));
        }
    }
    out.extend(usage(value).and_then(|usage| reply.count(usage)));
    Ok(())
}

fn delta(choice: &Value, out: &mut Vec<ModelEvent>) {
    let reasoning =
        text(choice, "/delta/reasoning_content").or_else(|| text(choice, "/delta/reasoning"));
    out.extend(reasoning.map(|text| ModelEvent::Reasoning(text.to_owned())));
    match choice.pointer("/delta/content") {
        Some(Value::String(text)) if !text.is_empty() => {
            out.push(ModelEvent::Text(text.clone()));
        }
        Some(Value::Array(parts)) => out.extend(parts.iter().flat_map(part)),
        _ => {}
    }
}

/// A part of content: `{"type": "text", …}`, or `{"type": "thinking", "thinking": [parts]}`.
fn part(part: &Value) -> Vec<ModelEvent> {
    if let Some(text) = text(part, "/text") {
        return vec![ModelEvent::Text(text.to_owned())];
    }
    let thoughts = part.get("thinking").and_then(Value::as_array).into_iter().flatten();
    thoughts
        .filter_map(|thought| text(thought, "/text"))
        .map(|text| ModelEvent::Reasoning(text.to_owned()))
        .collect()
}

fn finish(word: &str) -> Result<FinishReason, Signal> {
    Ok(match word {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" | "tool_calls"
        | "function_call" => FinishReason::Stop,
        "length" | "max_tokens" | "model_length" => FinishReason::Length,
        "error" | "abort" | "insufficient_system_resource" => {
            let error = ProviderError {
                codes: vec!["server_error".to_owned()],
                message: format!("the provider gave up in the middle of the reply (`{word}`)"),
                retry_delay: None,
            };
            return Err(Signal::in_stream(None, error));
        }
        other => FinishReason::Refused(other.to_owned()),
    })
}

/// Refusals come in pieces, before the finish reason.
fn refused(before: Option<FinishReason>, more: &str) -> FinishReason {
    match before {
        Some(FinishReason::Refused(words)) => FinishReason::Refused(words + more),
        Some(FinishReason::Stop | FinishReason::Length) | None => {
            FinishReason::Refused(more.to_owned())
        }
    }
}

fn prefill(progress: &Value) -> Option<ModelEvent> {
    let (done, total) = (count(progress, "/processed")?, count(progress, "/total")?);
    Some(ModelEvent::State {
        state: "prefill".to_owned(),
        detail: Some(format!("{done} of {total}")),
    })
}

fn usage(value: &Value) -> Option<Usage> {
    let usage = value
        .get("usage")
        .filter(|usage| usage.is_object())
        .or_else(|| value.pointer("/x_groq/usage"));
    if let Some(usage) = usage {
        return Some(Usage {
            input_tokens: count(usage, "/prompt_tokens"),
            cached_tokens: count(usage, "/prompt_tokens_details/cached_tokens")
                .or_else(|| count(usage, "/prompt_cache_hit_tokens")),
            output_tokens: count(usage, "/completion_tokens"),
        });
    }
    let timings = value.get("timings")?;
    let cached = count(timings, "/cache_n");
    let read = count(timings, "/prompt_n")?;
    Some(Usage {
        input_tokens: Some(read.saturating_add(cached.unwrap_or(0))),
        cached_tokens: cached,
        output_tokens: count(timings, "/predicted_n"),
    })
}
