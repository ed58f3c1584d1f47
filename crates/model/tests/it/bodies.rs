//! Request bodies: golden for each wire format, and valid for every transcript.

use expect_test::{ExpectFile, expect_file};
use futures_util::StreamExt as _;
use proptest::prelude::*;
use tagline_model::{Connector, Env, ModelLimits, ModelRef, ProviderConfig, Request};
use tagline_protocol::{Media, Message, Role};

use tagline_fake_provider::{WIRES, Wire, check_body};

use crate::{
    server::{Canned, Server},
    streams::model,
};

fn full() -> Request {
    let image = |url: &str| Media {
        url: url.to_owned(),
        media_type: "image/png".to_owned(),
        label: "the page".to_owned(),
    };
    let user =
        |text: &str, media: Vec<Media>| Message { role: Role::User, text: text.to_owned(), media };
    Request {
        messages: vec![
            Message::new(Role::System, "Write tags."),
            user("Look.", vec![image("data:image/png;base64,iVBORw0="), image("media:7")]),
            Message::new(Role::Assistant, "<say>I see.</say>"),
            Message::new(Role::User, "one"),
            Message::new(Role::User, "two"),
        ],
        max_tokens: Some(100),
        temperature: Some(0.7),
        seed: Some(5_000_000_000),
        stop: vec!["</done>".to_owned(), "\n".to_owned()],
        grammar: Some("root ::= \"x\"".to_owned()),
    }
}

/// Sends a request and gives back what arrived.
async fn sent(wire: Wire, request: Request) -> crate::server::Asked {
    let server = Server::start([Canned::stream(&wire.reply("ok"), 1000)]).await;
    let events: Vec<_> = model(wire, &server).await.ask(request).collect().await;
    assert!(events.iter().all(Result::is_ok), "{events:?}");
    server.asked().pop().unwrap()
}

#[track_caller]
fn check(wire: Wire, request: Request, expected: ExpectFile) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let asked = runtime.block_on(sent(wire, request));
    check_body(wire, &asked.body).unwrap();
    let body = serde_json::to_string_pretty(&asked.body).unwrap();
    let header =
        |name: &str| asked.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    let names = ["authorization", "x-api-key", "x-goog-api-key", "anthropic-version"];
    let headers: String =
        names.iter().filter_map(|name| Some(format!("{name}: {}\n", header(name)?))).collect();
    expected.assert_eq(&format!("{} {}\n{headers}\n{body}\n", asked.method, asked.path));
}

#[test]
fn chat_completions_are_written_like_this() {
    check(Wire::OpenAi, full(), expect_file!["golden/openai.txt"]);
}

#[test]
fn anthropic_messages_are_written_like_this() {
    check(Wire::Anthropic, full(), expect_file!["golden/anthropic.txt"]);
}

#[test]
fn gemini_contents_are_written_like_this() {
    check(Wire::Gemini, full(), expect_file!["golden/gemini.txt"]);
}

#[tokio::test]
async fn llama_cpp_gets_the_grammar_and_other_servers_do_not() {
    let list = serde_json::json!({"data": [{"id": "small", "owned_by": "llamacpp"}]});
    let server =
        Server::start([Canned::json(200, &list), Canned::stream(&Wire::OpenAi.reply("x"), 1000)])
            .await;
    let reference = ModelRef::parse(&server.address).unwrap();
    let config = ProviderConfig { limits: ModelLimits::default(), ..ProviderConfig::default() };
    let model = Connector::default().connect(&reference, &config, &Env::default()).await.unwrap();
    let events: Vec<_> = model.ask(full()).collect().await;
    assert!(events.iter().all(Result::is_ok), "{events:?}");
    let body = server.body();
    check_body(Wire::OpenAi, &body).unwrap();
    assert_eq!((&body["grammar"], &body["model"]), (&"root ::= \"x\"".into(), &"small".into()));
    assert_eq!(body["return_progress"], true);
    assert!(sent(Wire::OpenAi, full()).await.body.get("grammar").is_none());
}

#[tokio::test]
async fn a_transcript_that_no_provider_takes_is_refused_before_it_is_sent() {
    for wire in WIRES {
        let server = Server::start([]).await;
        let model = model(wire, &server).await;
        for messages in [
            vec![],
            vec![Message::new(Role::System, "x")],
            vec![Message::new(Role::User, "  ")],
            vec![Message::new(Role::Assistant, "x")],
        ] {
            let request = Request { messages, ..Request::default() };
            let events: Vec<_> = model.ask(request).collect().await;
            assert_eq!(events.len(), 1);
            assert_eq!(events[0].as_ref().unwrap_err().code, "bad_request");
        }
        assert!(server.asked().is_empty());
    }
}

fn message() -> impl Strategy<Value = Message> {
    let role = prop_oneof![Just(Role::System), Just(Role::User), Just(Role::Assistant)];
    let text = prop_oneof![Just(String::new()), Just(" \n".to_owned()), "[a-z ]{1,9}\n?"];
    (role, text).prop_map(|(role, text)| Message::new(role, text))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_transcript_from_the_user_to_the_user_makes_a_valid_body(
        mut messages in proptest::collection::vec(message(), 0..8),
        stop in proptest::collection::vec("[ \n]{1,2}|[a-z]{1,3}", 0..8),
        seed in proptest::option::of(any::<u64>()),
    ) {
        messages.insert(0, Message::new(Role::User, "first"));
        messages.push(Message::new(Role::User, "last"));
        let request = Request { messages, stop, seed, ..Request::default() };
        let runtime = tokio::runtime::Runtime::new().unwrap();
        for wire in WIRES {
            let asked = runtime.block_on(sent(wire, request.clone()));
            check_body(wire, &asked.body).unwrap();
        }
    }
}
