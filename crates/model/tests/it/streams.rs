//! Replies over real connections.

use std::sync::Arc;

use expect_test::expect;
use futures_util::StreamExt as _;
use tagline_model::{
    Connector, Env, FinishReason, Model, ModelEvent, ModelLimits, ModelRef, ProviderConfig,
};

use tagline_fake_provider::{WIRES, Wire, data};

use crate::{
    played::{Exchange, collect, play, request, tries},
    server::{Canned, Server},
};

const TEXT: &str = "Grüße 😀 <say>it's \"fine\"</say>\n";

/// The model of that wire format at the server.
pub(crate) async fn model(wire: Wire, server: &Server) -> Arc<dyn Model> {
    let address = &server.address;
    let (name, pairs) = match wire {
        Wire::OpenAi => (
            "openai",
            [("OPENAI_BASE_URL", format!("{address}/v1")), ("OPENAI_API_KEY", KEY.to_owned())],
        ),
        Wire::Anthropic => (
            "anthropic",
            [("ANTHROPIC_BASE_URL", address.clone()), ("ANTHROPIC_API_KEY", KEY.to_owned())],
        ),
        Wire::Gemini => {
            ("gemini", [("GEMINI_BASE_URL", address.clone()), ("GEMINI_API_KEY", KEY.to_owned())])
        }
    };
    let reference = ModelRef::parse(&format!("{name}/test-model")).unwrap();
    let config = ProviderConfig {
        limits: ModelLimits { attempts: 2, ..ModelLimits::default() },
        ..ProviderConfig::default()
    };
    Connector::default().connect(&reference, &config, &Env::from_iter(pairs)).await.unwrap()
}

/// A key that must not be seen anywhere.
pub(crate) const KEY: &str = "sk-canary-0123456789";

#[tokio::test]
async fn text_is_exact_in_three_byte_chunks_and_with_both_line_ends() {
    for wire in WIRES {
        for line_end in ["\n", "\r\n"] {
            let body = wire.reply(TEXT).replace('\n', line_end);
            let server = Server::start([Canned::stream(&body, 3)]).await;
            let played = collect(model(wire, &server).await.as_ref()).await;
            assert_eq!(played.text, TEXT, "{wire:?} {line_end:?}");
            assert_eq!(played.end, Ok(ModelEvent::Finish(FinishReason::Stop)));
            assert_eq!(played.usage.unwrap().output_tokens, Some(9));
        }
    }
}

#[tokio::test]
async fn a_connection_that_breaks_in_the_middle_is_a_cut() {
    for wire in WIRES {
        let body = wire.reply(TEXT);
        let half = &body[..body.len() / 2];
        for breaks in [false, true] {
            let answer = Canned { breaks, ..Canned::stream(half, 7) };
            let server = Server::start([answer]).await;
            let played = collect(model(wire, &server).await.as_ref()).await;
            assert!(!played.text.is_empty() && TEXT.starts_with(&played.text), "{wire:?}");
            let fault = played.end.unwrap_err();
            assert!(fault.is_cut(), "{wire:?}: {fault}");
            assert_eq!(server.asked().len(), 1);
        }
    }
}

#[tokio::test]
async fn a_busy_provider_is_asked_again() {
    for wire in WIRES {
        let busy = Canned::json(529, &wire.error("overloaded_error", "busy"));
        let server = Server::start([busy, Canned::stream(&wire.reply(TEXT), 1000)]).await;
        let played = collect(model(wire, &server).await.as_ref()).await;
        assert_eq!(played.text, TEXT);
        let asked = server.asked();
        assert_eq!(asked.len(), 2);
        assert_eq!(asked[0].body, asked[1].body);
    }
}

#[tokio::test]
async fn dropping_the_stream_ends_the_connection() {
    let body = Wire::OpenAi.reply(&"x".repeat(1000));
    let server = Server::start([Canned::stream(&body, 50)]).await;
    let model = model(Wire::OpenAi, &server).await;
    let mut events = model.ask(request("hello"));
    assert!(matches!(events.next().await, Some(Ok(ModelEvent::Text(_)))));
    drop(events);
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn what_servers_add_to_chat_completions_is_read() {
    let events = [
        r#"{"choices":[{"index":0,"delta":{"reasoning_content":"I "}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"reasoning":"think"}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"!"}]}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"a"}]}},{"index":1,"delta":{"content":"no"}}]}"#,
        r#"{"prompt_progress":{"total":34,"cache":0,"processed":17},"choices":[]}"#,
        r#"{"object":"unknown.event","choices":"?"}"#,
        r#"[1]"#,
        "keep-alive",
        r#"{"choices":[{"index":0,"delta":{"content":"b"}},{"index":0,"delta":{"content":"c"}}]}"#,
        r#"{"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}"#,
        r#"{"choices":[],"timings":{"cache_n":10,"prompt_n":24,"predicted_n":3}}"#,
        "[DONE]",
        r#"{"choices":[{"index":0,"delta":{"content":"late"}}]}"#,
    ];
    let body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let played = play(Wire::OpenAi, &[Exchange::stream(body.as_bytes(), 33)], tries(1));
    expect![[r#"
        Played {
            text: "abc",
            reasoning: "I think!",
            states: [
                "prefill",
            ],
            end: Ok(
                Finish(
                    Length,
                ),
            ),
            seconds: 0.0,
            usage: Some(
                Usage {
                    input_tokens: Some(
                        34,
                    ),
                    cached_tokens: Some(
                        10,
                    ),
                    output_tokens: Some(
                        3,
                    ),
                },
            ),
        }
    "#]]
    .assert_debug_eq(&played);
}

#[test]
fn thoughts_are_reasoning_on_every_wire() {
    let anthropic = "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\n\
         data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"signature_delta\",\"signature\":\"xyz\"}}\n\n";
    let gemini = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"thought\":true,\"text\":\"hm\"}]}}]}\n\n";
    for (wire, thought) in [(Wire::Anthropic, anthropic), (Wire::Gemini, gemini)] {
        let body = thought.to_owned() + &wire.delta("a") + &wire.tail();
        let played = play(wire, &[Exchange::stream(body.as_bytes(), 20)], tries(1));
        assert_eq!((played.reasoning.as_str(), played.text.as_str()), ("hm", "a"), "{wire:?}");
    }
}

#[track_caller]
fn check_finish(wire: Wire, event: &str, expected: FinishReason) {
    let body = wire.delta("a") + &format!("data: {event}\n\n");
    let played = play(wire, &[Exchange::stream(body.as_bytes(), 40)], tries(1));
    assert_eq!(played.end, Ok(ModelEvent::Finish(expected)), "{event}");
}

#[test]
fn finish_reasons_are_told_apart() {
    let refused = |word: &str| FinishReason::Refused(word.to_owned());
    let openai =
        |word: &str| format!(r#"{{"choices":[{{"delta":{{}},"finish_reason":"{word}"}}]}}"#);
    let anthropic =
        |word: &str| format!(r#"{{"type":"message_delta","delta":{{"stop_reason":"{word}"}}}}"#);
    let gemini = |word: &str| format!(r#"{{"candidates":[{{"finishReason":"{word}"}}]}}"#);
    check_finish(Wire::OpenAi, &openai("tool_calls"), FinishReason::Stop);
    check_finish(Wire::OpenAi, &openai("content_filter"), refused("content_filter"));
    check_finish(Wire::Anthropic, &anthropic("stop_sequence"), FinishReason::Stop);
    check_finish(Wire::Anthropic, &anthropic("max_tokens"), FinishReason::Length);
    check_finish(Wire::Anthropic, &anthropic("refusal"), refused("refusal"));
    check_finish(Wire::Gemini, &gemini("MAX_TOKENS"), FinishReason::Length);
    check_finish(Wire::Gemini, &gemini("SAFETY"), refused("safety"));
    check_finish(Wire::Gemini, r#"{"promptFeedback":{"blockReason":"OTHER"}}"#, refused("other"));
}

#[test]
fn counts_that_are_no_counts_are_unknown() {
    let usage = serde_json::json!({"choices": [], "usage": {
        "prompt_tokens": -5, "completion_tokens": 1e300,
        "prompt_tokens_details": {"cached_tokens": u64::MAX},
    }});
    let body = Wire::OpenAi.delta("a")
        + &data(&usage)
        + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    let played = play(Wire::OpenAi, &[Exchange::stream(body.as_bytes(), 40)], tries(1));
    let usage = played.usage.unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens), (None, None));
    assert_eq!(usage.cached_tokens, Some(u64::MAX));
}
