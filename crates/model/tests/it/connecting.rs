//! Naming, finding and connecting models.

use std::{fmt::Write as _, sync::Arc, time::Duration};

use expect_test::{Expect, expect};
use serde_json::json;
use tagline_model::{
    ConnectError, Connector, Env, Found, FoundBy, Model, ModelRef, ProviderConfig, detect,
    provider_names,
};

use crate::server::{Canned, Server};

async fn try_connect(name: &str, env: &Env) -> Result<Arc<dyn Model>, ConnectError> {
    Connector::default().connect(&ModelRef::parse(name)?, &ProviderConfig::default(), env).await
}

/// An address where nobody listens.
fn dead() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

#[track_caller]
fn check_errors(names: &[&str], env: &[(&str, &str)], expected: Expect) {
    let env = Env::from_iter(env.iter().copied());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut out = String::new();
    for name in names {
        let error = runtime.block_on(try_connect(name, &env)).unwrap_err();
        let exit = if error.is_unreachable() { 4 } else { 3 };
        writeln!(out, "{exit} {error}").unwrap();
    }
    expected.assert_eq(&out);
}

#[test]
fn a_missing_key_is_named_before_any_request() {
    check_errors(
        &["openai/gpt-5", "anthropic", "gemini/x", "azure/x", "huggingface/x"],
        &[("OPENAI_API_KEY", " "), ("AZURE_OPENAI_ENDPOINT", "https://me.example")],
        expect![[r#"
            3 model provider `openai`: expected a key in `OPENAI_API_KEY`, but found none; set it, or choose another model (`tagline models`)
            3 model provider `anthropic`: expected a key in `ANTHROPIC_API_KEY` or `ANTHROPIC_AUTH_TOKEN`, but found none; set it, or choose another model (`tagline models`)
            3 model provider `gemini`: expected a key in `GEMINI_API_KEY` or `GOOGLE_API_KEY`, but found none; set it, or choose another model (`tagline models`)
            3 model provider `azure`: expected a key in `AZURE_OPENAI_API_KEY`, but found none; set it, or choose another model (`tagline models`)
            3 model provider `huggingface`: expected a key in `HF_TOKEN`, but found none; set it, or choose another model (`tagline models`)
        "#]],
    );
}

#[test]
fn names_and_addresses_that_cannot_be_used_are_named() {
    check_errors(
        &[
            "",
            "/x",
            "openai/",
            "opnai/x",
            "azure/x",
            "http://u:secret@127.0.0.1:1",
            "http://",
            "script/no/such",
            "cassette/no/such",
            "ollama/x",
        ],
        &[("OLLAMA_HOST", "ftp://x")],
        expect![[r#"
            3 model ``: expected `provider/model` or an address such as `http://127.0.0.1:8080`; `tagline models` lists what there is
            3 model `/x`: expected `provider/model` or an address such as `http://127.0.0.1:8080`; `tagline models` lists what there is
            3 model `openai/`: expected `provider/model` or an address such as `http://127.0.0.1:8080`; `tagline models` lists what there is
            3 model provider `opnai`: expected one of `anthropic`, `openai`, `gemini`, `openrouter`, `groq`, `mistral`, `deepseek`, `xai`, `huggingface`, `azure`, `ollama`, `lmstudio`, `llamacpp` or `vllm`; correct the name
            3 model provider `azure`: expected an address, but `AZURE_OPENAI_ENDPOINT` is not set; set it
            3 address `http://…@127.0.0.1:1` from the model's name: expected an address without a user name or password in it; correct it
            3 address `http://` from the model's name: expected an address such as `http://127.0.0.1:8080/v1`; correct it
            3 script `no/such`: no such file or directory; name a readable file
            3 cassette `no/such`: no such file or directory; name another file
            3 address `ftp://x` from `OLLAMA_HOST`: expected an address such as `http://127.0.0.1:8080/v1`; correct it
        "#]],
    );
}

#[test]
fn a_dead_server_is_named_at_once() {
    let address = dead();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let error = runtime.block_on(try_connect(&address, &Env::default())).unwrap_err();
    assert!(error.is_unreachable());
    expect!["`server` at `ADDRESS`: expected a reply, but the connection was refused; start the server, or choose another model (`tagline models`)"].assert_eq(&error.to_string().replace(&address, "ADDRESS"));
}

#[tokio::test]
async fn a_bare_address_takes_the_first_model_and_recognizes_llama_cpp() {
    let list = json!({"data": [
        {"id": "/models/small.gguf", "meta": {"n_ctx": 8192, "n_params": 134_515_008}, "architecture": {"input_modalities": ["text", "image"]}},
        {"id": "other"},
    ]});
    let mut llama = Canned::json(200, &list);
    llama.headers.push(("server", "llama.cpp".to_owned()));
    let server =
        Server::start([llama, Canned::json(200, &list), Canned::json(404, &json!(null))]).await;
    let model = try_connect(&server.address, &Env::default()).await.unwrap();
    let address = format!("{}/v1", server.address);
    assert_eq!(
        format!("{:?}", model.info()).replace(&address, "ADDRESS"),
        "ModelInfo { name: \"llamacpp/small.gguf\", address: \"ADDRESS\", is_local: true, takes_grammar: true, \
         takes_images: true, context_tokens: Some(8192), parameters: Some(134515008) }"
    );
    let plain = try_connect(&server.address, &Env::default()).await.unwrap();
    assert_eq!(plain.info().name, "server/small.gguf");
    assert!(!plain.info().takes_grammar);
    // A server without a list is asked for the model that was named.
    let named = try_connect(&format!("{address}#mine"), &Env::default()).await.unwrap();
    assert_eq!(named.info().name, "server/mine");
    assert_eq!(server.asked()[0].path, "/v1/models");
}

#[tokio::test]
async fn a_server_without_models_says_so() {
    let server = Server::start([Canned::json(200, &json!({"data": []}))]).await;
    let error = try_connect(&server.address, &Env::default()).await.unwrap_err();
    assert!(matches!(error, ConnectError::NoModel { .. }), "{error}");
    assert!(!error.is_unreachable());
}

#[tokio::test]
async fn models_are_found_in_order() {
    let list = json!({"data": [{"id": "qwen3:8b"}, {"id": "gemma3"}]});
    let ollama = Server::start([Canned::json(200, &list)]).await;
    let mut answer =
        Canned::json(200, &json!({"data": [{"id": "small.gguf", "owned_by": "llamacpp"}]}));
    answer.headers.push(("server", "llama.cpp".to_owned()));
    let llama = Server::start([answer]).await;
    let page = Server::start([Canned::json(200, &json!({"hello": 1}))]).await;
    let env = Env::from_iter([
        ("GROQ_API_KEY", "gsk-0123456789"),
        ("ANTHROPIC_AUTH_TOKEN", "token-0123456789"),
        ("OLLAMA_HOST", ollama.address.strip_prefix("http://").unwrap()),
        ("LMSTUDIO_BASE_URL", &llama.address),
        ("LLAMACPP_BASE_URL", &dead()),
        ("OPENAI_API_KEY", ""),
        ("VLLM_BASE_URL", &page.address),
    ]);
    let flag = ModelRef::parse("openai/gpt-5").unwrap();
    let config = ModelRef::parse("script/demo").unwrap();
    let found = detect(Some(&flag), Some(&config), &env, Duration::from_secs(60)).await;
    let mut out = String::new();
    for found in &found {
        let models: Vec<_> = found.models.iter().map(|model| model.name.as_str()).collect();
        let Found { model, by, takes_grammar, .. } = found;
        writeln!(out, "{by:?} {model} {models:?} grammar {takes_grammar}").unwrap();
    }
    let out = out.replace(&llama.address, "LLAMA");
    expect![[r#"
        Flag openai/gpt-5 [] grammar false
        Config script/demo [] grammar false
        Key("ANTHROPIC_AUTH_TOKEN") anthropic/claude-sonnet-4-5 [] grammar false
        Key("GROQ_API_KEY") groq/llama-3.3-70b-versatile [] grammar false
        Server ollama/qwen3:8b ["qwen3:8b", "gemma3"] grammar false
        Server llamacpp/small.gguf@LLAMA/v1 ["small.gguf"] grammar true
    "#]]
    .assert_eq(&out);
    assert!(
        found.iter().all(|found| found.by != FoundBy::Server || found.address.ends_with("/v1"))
    );
}

#[test]
fn every_provider_can_be_named() {
    expect!["anthropic openai gemini openrouter groq mistral deepseek xai huggingface azure ollama lmstudio llamacpp vllm"].assert_eq(&provider_names().join(" "));
}
