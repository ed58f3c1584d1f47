//! A real llama.cpp server answers: `TAGLINE_TEST_LLAMA` holds its address, such as
//! `http://127.0.0.1:8099`, as `scripts/real-model/serve.py` prints it.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests stop at the first surprise, and this one is handed its server in the environment"
)]

use std::sync::Arc;

use futures_util::StreamExt as _;
use tagline_model::{
    Connector, Env, FaultClass, FinishReason, Model, ModelEvent, ModelRef, ProviderConfig, Request,
};
use tagline_protocol::{Message, Role};

async fn model() -> Arc<dyn Model> {
    let address = std::env::var("TAGLINE_TEST_LLAMA").expect(
        "TAGLINE_TEST_LLAMA: expected the address of a llama.cpp server, such as scripts/real-model/serve.py prints",
    );
    let reference = ModelRef::parse(&address).unwrap();
    Connector::default()
        .connect(&reference, &ProviderConfig::default(), &Env::default())
        .await
        .unwrap()
}

fn request(text: impl Into<String>) -> Request {
    Request {
        messages: vec![Message::new(Role::User, text)],
        max_tokens: Some(40),
        temperature: Some(0.0),
        seed: Some(1),
        ..Request::default()
    }
}

#[tokio::test]
async fn a_bare_address_is_recognized_as_llama_cpp() {
    let model = model().await;
    let info = model.info();
    assert!(info.takes_grammar && info.is_local && !info.takes_images);
    assert!(info.name.starts_with("llamacpp/SmolLM2"), "{}", info.name);
    assert_eq!((info.context_tokens, info.parameters), (Some(8192), Some(134_515_008)));
}

#[tokio::test]
async fn a_grammar_holds_the_model_and_the_counts_arrive() {
    let request = Request {
        grammar: Some(r#"root ::= "<say>" [a-z ]{3,20} "</say>""#.to_owned()),
        ..request("Greet me.")
    };
    let mut text = String::new();
    let mut deltas = 0;
    let mut usage = None;
    let mut finish = None;
    let mut events = model().await.ask(request);
    while let Some(event) = events.next().await {
        match event.unwrap() {
            ModelEvent::Text(delta) => {
                deltas += 1;
                text.push_str(&delta);
            }
            ModelEvent::Usage(counts) => usage = Some(counts),
            ModelEvent::Finish(reason) => finish = Some(reason),
            ModelEvent::Reasoning(_)
            | ModelEvent::State { .. }
            | ModelEvent::Notice(_)
            | ModelEvent::Response(_) => {}
        }
    }
    let inner = text.strip_prefix("<say>").and_then(|text| text.strip_suffix("</say>")).unwrap();
    assert!(inner.chars().all(|c| c == ' ' || c.is_ascii_lowercase()), "{text}");
    assert!(1 < deltas, "the reply came in one piece");
    assert_eq!(finish, Some(FinishReason::Stop));
    assert!(usage.unwrap().input_tokens.unwrap() < 100);
}

#[tokio::test]
async fn a_prompt_over_the_context_asks_for_a_shorter_one() {
    let events: Vec<_> = model().await.ask(request("word ".repeat(9000))).collect().await;
    let fault = events.last().unwrap().clone().unwrap_err();
    assert_eq!((fault.class, fault.code.as_str()), (FaultClass::Compact, "too_long"), "{fault}");
}
