//! The sentences of faults.

use std::fmt::Write as _;

use expect_test::{expect, expect_file};

use tagline_fake_provider::{Adapter, WIRES, Wire, runtime};

use crate::{
    matrix::tried,
    matrix_cases::cases,
    played::collect,
    server::{Canned, Server},
    streams::model,
};

#[test]
fn every_fault_says_what_where_and_what_to_do() {
    let mut out = String::new();
    for case in cases(Wire::OpenAi, 0) {
        let runtime = runtime().unwrap();
        let [_, (stays, _)] = runtime.block_on(tried(Adapter::OpenAi, &case));
        let fault = stays.end.unwrap_err();
        let Some((who, rest)) = fault.message.split_once(": ") else { panic!("{fault}") };
        assert!(who.starts_with("`openai/test-model` at `http"), "{who}");
        writeln!(out, "{}: {rest}", fault.code).unwrap();
    }
    expect_file!["golden/sentences.txt"].assert_eq(&out);
}

#[tokio::test]
async fn faults_name_the_host_and_the_variables() {
    let mut out = String::new();
    for wire in WIRES {
        for (status, word) in [(401, "authentication_error"), (403, "permission_error")] {
            let server = Server::start([Canned::json(status, &wire.error(word, "No."))]).await;
            let fault = collect(model(wire, &server).await.as_ref()).await.end.unwrap_err();
            writeln!(out, "{}", fault.message.replace(&server.address, "HOST")).unwrap();
        }
        let server = Server::start([Canned::redirect(302, "http://127.0.0.1:9".to_owned())]).await;
        let fault = collect(model(wire, &server).await.as_ref()).await.end.unwrap_err();
        writeln!(out, "{}", fault.message.replace(&server.address, "HOST")).unwrap();
    }
    expect![[r#"
        `openai/test-model` at `HOST`: expected a reply, but found HTTP 401 `authentication_error`: No; set `OPENAI_API_KEY` to a valid key
        `openai/test-model` at `HOST`: expected a reply, but found HTTP 403 `permission_error`: No; check what the key in `OPENAI_API_KEY` may do
        `openai/test-model` at `HOST`: expected a reply, but found HTTP 302 to `http://127.0.0.1:9`; set `OPENAI_BASE_URL` or `OPENAI_API_BASE` to the address that answers
        `anthropic/test-model` at `HOST`: expected a reply, but found HTTP 401 `authentication_error`: No; set `ANTHROPIC_API_KEY` or `ANTHROPIC_AUTH_TOKEN` to a valid key
        `anthropic/test-model` at `HOST`: expected a reply, but found HTTP 403 `permission_error`: No; check what the key in `ANTHROPIC_API_KEY` or `ANTHROPIC_AUTH_TOKEN` may do
        `anthropic/test-model` at `HOST`: expected a reply, but found HTTP 302 to `http://127.0.0.1:9`; set `ANTHROPIC_BASE_URL` to the address that answers
        `gemini/test-model` at `HOST`: expected a reply, but found HTTP 401 `authentication_error`: No; set `GEMINI_API_KEY` or `GOOGLE_API_KEY` to a valid key
        `gemini/test-model` at `HOST`: expected a reply, but found HTTP 403 `permission_error`: No; check what the key in `GEMINI_API_KEY` or `GOOGLE_API_KEY` may do
        `gemini/test-model` at `HOST`: expected a reply, but found HTTP 302 to `http://127.0.0.1:9`; set `GEMINI_BASE_URL` to the address that answers
    "#]].assert_eq(&out);
}
