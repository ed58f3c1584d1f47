//! Strict readings of request bodies: what each provider would refuse.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::wires::Wire;

/// Panics if the provider would refuse the body.
#[track_caller]
pub(crate) fn validate(wire: Wire, body: &Value) {
    match wire {
        Wire::OpenAi => openai(body),
        Wire::Anthropic => anthropic(body),
        Wire::Gemini => gemini(body),
    }
}

#[track_caller]
fn only(body: &Value, allowed: &[&str]) {
    let keys: BTreeSet<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
    let allowed: BTreeSet<_> = allowed.iter().copied().collect();
    let unknown: Vec<_> = keys.difference(&allowed).collect();
    assert!(unknown.is_empty(), "unknown fields {unknown:?}");
}

#[track_caller]
fn in_turns(roles: &[&str], model: &str) {
    assert!(!roles.is_empty(), "no messages");
    for (at, role) in roles.iter().enumerate() {
        let expected = if at % 2 == 0 { "user" } else { model };
        assert_eq!(*role, expected, "message {at} of {roles:?}");
    }
}

#[track_caller]
fn openai(body: &Value) {
    only(
        body,
        &[
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
        ],
    );
    assert!(body["model"].is_string() && body["stream"] == true);
    let messages = body["messages"].as_array().unwrap();
    let is_system = |message: &&Value| message["role"] == "system";
    let system = messages.iter().take_while(is_system).count();
    assert!(system <= 1 && messages.iter().filter(is_system).count() == system);
    let roles: Vec<_> = messages[system..].iter().map(|m| m["role"].as_str().unwrap()).collect();
    in_turns(&roles, "assistant");
    for message in messages {
        only(message, &["role", "content"]);
        let content = &message["content"];
        let length = content.as_str().map(str::len).or(content.as_array().map(Vec::len));
        assert!(length.unwrap() > 0, "content {content}");
    }
}

#[track_caller]
fn anthropic(body: &Value) {
    only(
        body,
        &["model", "max_tokens", "stream", "system", "messages", "temperature", "stop_sequences"],
    );
    assert!(body["max_tokens"].as_u64().unwrap() > 0 && body["stream"] == true);
    let messages = body["messages"].as_array().unwrap();
    let roles: Vec<_> = messages.iter().map(|m| m["role"].as_str().unwrap()).collect();
    in_turns(&roles, "assistant");
    for (at, message) in messages.iter().enumerate() {
        let parts = message["content"].as_array().unwrap();
        assert!(!parts.is_empty(), "message {at} is empty");
        for part in parts.iter().filter(|part| part["type"] == "text") {
            let text = part["text"].as_str().unwrap();
            assert!(!text.trim().is_empty(), "message {at} holds an empty text");
            let is_last = at + 1 == messages.len() && message["role"] == "assistant";
            assert!(!is_last || text.trim_end() == text, "the last text ends in white space");
        }
    }
    for text in body["stop_sequences"].as_array().into_iter().flatten() {
        assert!(!text.as_str().unwrap().trim().is_empty());
    }
}

#[track_caller]
fn gemini(body: &Value) {
    only(body, &["systemInstruction", "contents", "generationConfig"]);
    let contents = body["contents"].as_array().unwrap();
    let roles: Vec<_> = contents.iter().map(|m| m["role"].as_str().unwrap()).collect();
    in_turns(&roles, "model");
    assert!(contents.iter().all(|content| !content["parts"].as_array().unwrap().is_empty()));
    let config = &body["generationConfig"];
    assert!(config["stopSequences"].as_array().is_none_or(|stops| stops.len() <= 5));
    assert!(config["seed"].as_u64().is_none_or(|seed| i32::try_from(seed).is_ok()));
}
