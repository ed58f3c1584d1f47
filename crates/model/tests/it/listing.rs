//! What a provider says for itself, and whether it takes a key.

use std::{fmt::Write as _, time::Duration};

use expect_test::{Expect, expect};
use tagline_fake_provider::{Answer, Provider, runtime};
use tagline_model::{Env, list_models, provider_facts};
use tagline_secret::Secret;

const PATIENCE: Duration = Duration::from_secs(8);
const KEY: &str = "sk-canary-0123456789";

fn json(status: u16, body: &str) -> Answer {
    Answer::status(status, &[("content-type", "application/json")], body.as_bytes())
}

/// What comes of a provider whose address is in this variable and which gives these answers.
#[track_caller]
fn check(name: &str, variable: &str, answers: &[Answer], expected: Expect) {
    let told = runtime().unwrap().block_on(async {
        let provider = Provider::start().await.unwrap();
        answers.iter().for_each(|answer| provider.push(answer.clone()));
        let env = Env::from_iter([(variable, provider.address())]);
        let key = Secret::from(KEY);
        let mut told = match list_models(name, Some(&key), &env, PATIENCE).await {
            Ok(listing) => {
                let names = listing.models.iter().map(|(name, _)| name.to_string());
                format!("proven: {}, {:?}\n", listing.is_key_proven, names.collect::<Vec<_>>())
            }
            Err(error) => format!("unreachable: {}, {error}\n", error.is_unreachable()),
        };
        for asked in provider.asked() {
            let has_key = asked.headers.iter().any(|line| line.contains(KEY));
            writeln!(told, "GET {} with the key: {has_key}", asked.path).unwrap();
        }
        told.replace(provider.address(), "ADDRESS")
    });
    assert!(!told.contains(KEY), "{told}");
    expected.assert_eq(&told);
}

#[test]
fn a_good_key_gives_the_models() {
    let list = json(200, r#"{"data":[{"id":"m1"},{"id":"m2","context_length":8192}]}"#);
    check(
        "openai",
        "OPENAI_BASE_URL",
        std::slice::from_ref(&list),
        expect![[r#"
            proven: true, ["openai/test-model"]
        "#]],
    );
    check(
        "anthropic",
        "ANTHROPIC_BASE_URL",
        std::slice::from_ref(&list),
        expect![[r#"
            proven: true, ["anthropic/test-model"]
        "#]],
    );
    // It shows its models to everybody, so that something else has to be asked for.
    check(
        "openrouter",
        "OPENROUTER_BASE_URL",
        &[json(200, r#"{"data":{"label":"mine"}}"#), list.clone()],
        expect![[r#"
            proven: true, ["openrouter/test-model"]
        "#]],
    );
    check(
        "huggingface",
        "HF_BASE_URL",
        &[list],
        expect![[r#"
            proven: false, ["huggingface/test-model"]
        "#]],
    );
}

#[test]
fn a_wrong_key_is_told_apart_from_a_provider_that_does_not_answer() {
    let echo = format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}"}}}}"#);
    check(
        "openai",
        "OPENAI_BASE_URL",
        &[json(401, &echo)],
        expect![[r#"
            proven: true, ["openai/test-model"]
        "#]],
    );
    check(
        "openrouter",
        "OPENROUTER_BASE_URL",
        &[json(401, r#"{"error":{"message":"No auth credentials found"}}"#)],
        expect![[r#"
            proven: true, ["openrouter/test-model"]
        "#]],
    );
    check(
        "openai",
        "OPENAI_BASE_URL",
        &[json(503, r#"{"error":{"message":"down"}}"#)],
        expect![[r#"
            proven: true, ["openai/test-model"]
        "#]],
    );
    check(
        "openai",
        "OPENAI_BASE_URL",
        &[json(200, "{}").after(Duration::from_secs(60))],
        expect![[r#"
            proven: true, ["openai/test-model"]
        "#]],
    );
}

#[test]
fn a_server_is_asked_as_what_it_is() {
    let llama = r#"{"data":[{"id":"/models/small.gguf","owned_by":"llamacpp"}]}"#;
    check(
        "vllm",
        "VLLM_BASE_URL",
        &[json(200, llama)],
        expect![[r#"
            proven: false, ["vllm/test-model"]
        "#]],
    );
}

#[test]
fn what_is_known_needs_no_asking() {
    let env =
        Env::from_iter([("OPENAI_BASE_URL", "http://127.0.0.1:9"), ("OLLAMA_HOST", "ftp://x")]);
    let mut told = String::new();
    for facts in provider_facts(&env) {
        let address = facts.address.as_deref().unwrap_or("-");
        let (keys, usual) = (facts.key_variables.join(" "), facts.usual.unwrap_or("-"));
        let kind = if facts.is_server { "server" } else { "cloud" };
        writeln!(told, "{} {kind} {address} {usual} [{keys}]", facts.name).unwrap();
    }
    expect![[r#"
        anthropic cloud https://api.anthropic.com claude-sonnet-4-5 [ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN]
        openai cloud http://127.0.0.1:9/v1 gpt-5 [OPENAI_API_KEY]
        gemini cloud https://generativelanguage.googleapis.com/v1beta gemini-flash-latest [GEMINI_API_KEY GOOGLE_API_KEY]
        openrouter cloud https://openrouter.ai/api/v1 openrouter/auto [OPENROUTER_API_KEY]
        groq cloud https://api.groq.com/openai/v1 llama-3.3-70b-versatile [GROQ_API_KEY]
        mistral cloud https://api.mistral.ai/v1 mistral-large-latest [MISTRAL_API_KEY]
        deepseek cloud https://api.deepseek.com/v1 deepseek-chat [DEEPSEEK_API_KEY]
        xai cloud https://api.x.ai/v1 grok-4 [XAI_API_KEY]
        huggingface cloud https://router.huggingface.co/v1 - [HF_TOKEN]
        azure cloud - - [AZURE_OPENAI_API_KEY]
        ollama server - - [OLLAMA_API_KEY]
        lmstudio server http://127.0.0.1:1234/v1 - []
        llamacpp server http://127.0.0.1:8080/v1 - []
        vllm server http://127.0.0.1:8000/v1 - []
    "#]].assert_eq(&told);
}
