//! Cassettes: what is recorded plays the same, and damage is named.

use std::{fmt::Write as _, os::fd::AsRawFd as _};

use expect_test::expect;
use futures_util::StreamExt as _;
use tagline_model::{
    CassetteModel, Connector, Env, Model as _, ModelEvent, ModelRef, ProviderConfig,
};

use tagline_fake_provider::Wire;

use crate::{
    played::{collect, request, runtime},
    server::{Canned, Server},
};

#[tokio::test]
async fn a_recording_plays_the_same_events_with_its_faults() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape.jsonl");
    let busy = Canned::json(503, &Wire::OpenAi.error("overloaded_error", "busy"));
    let half = Wire::OpenAi.head() + &Wire::OpenAi.delta("Grüße 😀");
    let server = Server::start([
        busy,
        Canned::stream(&Wire::OpenAi.reply("Grüße 😀"), 3),
        Canned { breaks: true, ..Canned::stream(&half, 3) },
    ])
    .await;
    let env = Env::from_iter([
        ("OPENAI_BASE_URL", server.address.as_str()),
        ("OPENAI_API_KEY", "sk-0123456789"),
    ]);
    let config = ProviderConfig { record: Some(path.clone()), ..ProviderConfig::default() };
    let reference = ModelRef::parse("openai/m").unwrap();
    let model = Connector::default().connect(&reference, &config, &env).await.unwrap();
    let first: Vec<_> = model.ask(request("a")).collect().await;
    let second: Vec<_> = model.ask(request("b")).collect().await;

    let again = CassetteModel::from_path(&path).unwrap();
    assert_eq!(again.info().name, "openai/m");
    let is_wait = |event: &Result<ModelEvent, _>| matches!(event, Ok(ModelEvent::State { .. }));
    let without =
        |events: Vec<_>| -> Vec<_> { events.into_iter().filter(|event| !is_wait(event)).collect() };
    let replayed: Vec<_> = again.ask(request("a")).collect().await;
    assert_eq!(without(replayed), without(first));
    let replayed: Vec<_> = again.ask(request("b")).collect().await;
    assert_eq!(replayed[..replayed.len() - 1], second[..second.len() - 1]);
    assert!(replayed.last().unwrap().as_ref().unwrap_err().is_cut());
    let over = collect(&again).await.end.unwrap_err();
    assert_eq!(over.code, "cassette");
}

#[tokio::test]
async fn a_reply_that_was_given_up_is_recorded_as_far_as_it_came() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape.jsonl");
    let server = Server::start([Canned::stream(&Wire::OpenAi.reply("abcdefgh"), 200)]).await;
    let env =
        Env::from_iter([("OPENAI_BASE_URL", server.address.as_str()), ("OPENAI_API_KEY", "k")]);
    let config = ProviderConfig { record: Some(path.clone()), ..ProviderConfig::default() };
    let model = Connector::default()
        .connect(&ModelRef::parse("openai/m").unwrap(), &config, &env)
        .await
        .unwrap();
    let mut events = model.ask(request("a"));
    assert!(matches!(events.next().await, Some(Ok(ModelEvent::Text(_)))));
    drop(events);
    let tape = std::fs::read_to_string(&path).unwrap();
    assert!(tape.ends_with("{\"end\":\"open\"}\n"), "{tape}");
    assert!(CassetteModel::from_text(&tape).is_ok());
}

#[test]
fn damaged_cassettes_name_the_line() {
    let head = r#"{"cassette":{"version":1,"wire":"openai","model":"a/b"}}"#;
    let call = r#"{"call":{"method":"post","path":"/chat/completions"}}"#;
    let tapes = [
        String::new(),
        "hello".to_owned(),
        r#"{"cassette":{"version":2,"wire":"openai","model":"a/b"}}"#.to_owned(),
        format!("{head}\n{head}"),
        format!("{head}\n{{\"end\":\"complete\"}}"),
        format!("{head}\n{call}\n{{\"chunk\":{{\"bytes\":5,\"text\":\"abc\"}}}}"),
        format!("{head}\n{call}\n{{\"chunk\":{{\"bytes\":5,\"base64\":\"?\"}}}}"),
    ];
    let mut out = String::new();
    for tape in tapes {
        writeln!(out, "{}", CassetteModel::from_text(&tape).unwrap_err()).unwrap();
    }
    writeln!(out, "{}", CassetteModel::from_path("no/such").unwrap_err()).unwrap();
    expect![[r#"
        cassette line 1: expected a first line with `cassette`, but found ``; record it again
        cassette line 1: expected a line of a cassette, but found `hello`; record it again
        cassette line 1: expected one first line of version 1, but found `{"cassette":{"version":2,"wire":"openai","model":"a/b"}}`; record it again
        cassette line 2: expected one first line of version 1, but found `{"cassette":{"version":1,"wire":"openai","model":"a/b"}}`; record it again
        cassette line 2: expected a call first, but found `{"end":"complete"}`; record it again
        cassette line 3: expected a chunk of its size, but found `{"chunk":{"bytes":5,"text":"abc"}}`; record it again
        cassette line 3: expected a chunk of its size, but found `{"chunk":{"bytes":5,"base64":"?"}}`; record it again
        cassette `no/such`: no such file or directory; name another file
    "#]].assert_eq(&out);
}

#[test]
fn a_cassette_for_another_address_says_so() {
    let tape = "{\"cassette\":{\"version\":1,\"wire\":\"openai\",\"model\":\"a/b\"}}\n\
                {\"call\":{\"method\":\"post\",\"path\":\"/v1/messages\"}}\n";
    let model = CassetteModel::from_text(tape).unwrap();
    let fault = runtime().block_on(collect(&model)).end.unwrap_err();
    expect!["`a/b` at `cassette`: expected a reply, but the cassette holds a call of `/v1/messages` next; record it again"].assert_eq(&fault.message);
}

#[tokio::test]
async fn a_recording_that_tears_is_told_once_and_the_replies_come_all_the_same() {
    let (reader, writer) = std::io::pipe().unwrap();
    let path = format!("/proc/self/fd/{}", writer.as_raw_fd());
    let whole = Canned::stream(&Wire::OpenAi.reply("ok"), 100);
    let server = Server::start([whole.clone(), whole]).await;
    let env =
        Env::from_iter([("OPENAI_BASE_URL", server.address.as_str()), ("OPENAI_API_KEY", "k")]);
    let config = ProviderConfig { record: Some(path.clone().into()), ..ProviderConfig::default() };
    let reference = ModelRef::parse("openai/m").unwrap();
    let model = Connector::default().connect(&reference, &config, &env).await.unwrap();
    drop(reader);
    let mut told = Vec::new();
    for _ in 0..2 {
        let events: Vec<_> = model.ask(request("a")).map(Result::unwrap).collect().await;
        assert!(matches!(events.last(), Some(ModelEvent::Finish(_))), "{events:?}");
        told.extend(events.into_iter().filter(|event| matches!(event, ModelEvent::Notice(_))));
    }
    let [ModelEvent::Notice(message)] = told.as_slice() else { panic!("{told:?}") };
    expect!["cassette `PIPE`: broken pipe; this exchange and those that follow are not in it"]
        .assert_eq(&message.replace(&path, "PIPE"));
}
