//! Keys, models and who the assistant is, set over HTTP at the program itself.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path, time::Duration};

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::support::{
    Bench,
    lists::{Lists, alone},
    served::Served,
};

const KEY: &str = "canary-over-http-0123456789";

/// A bench that logs all that there is to log.
fn traced(openai: &str) -> Bench {
    alone(openai).var("TAGLINE_LOG", "trace")
}

/// The status and the JSON of the answer; no key is in it. The request has an `Idempotency-Key`, of
/// which nothing may be kept.
fn send(served: &Served, token: &str, what: &str, body: &str) -> (u16, Value) {
    let kind = "Content-Type: application/json\r\nIdempotency-Key: once-0123456789";
    let rest = format!("{kind}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let answer = String::from_utf8(served.ask(what, token, &rest)).unwrap();
    assert!(!answer.contains("canary"), "{answer}");
    let status = answer.split_whitespace().nth(1).unwrap().parse().unwrap();
    let text = answer.split_once("\r\n\r\n").unwrap().1;
    (status, serde_json::from_str(text).unwrap_or(Value::Null))
}

#[track_caller]
fn check(bench: &Bench, openai: &str, (status, mut json): (u16, Value), expected: Expect) {
    if let Some(error) = json.get_mut("error").and_then(Value::as_object_mut) {
        error.remove("request_id");
    }
    let home = bench.path("home").canonicalize().unwrap();
    let shown = format!("{status} {json}\n").replace(home.to_str().unwrap(), "[home]");
    let shown = shown.replace(openai, "ADDRESS").replace(openai.trim_end_matches("/v1"), "HOST");
    expected.assert_eq(&shown);
}

fn provider<'a>(list: &'a Value, name: &str) -> &'a Value {
    let rows = list["providers"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).unwrap()
}

/// Files below the folder that hold the words.
fn holding(folder: &Path, words: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, words));
        } else if fs::read(&path)
            .is_ok_and(|bytes| bytes.windows(words.len()).any(|window| window == words.as_bytes()))
        {
            found.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    found
}

#[test]
fn a_key_is_tried_kept_used_and_forgotten_and_stands_nowhere_else() {
    let lists = Lists::taking(KEY);
    let at = lists.address.as_str();
    let bench = traced(at);
    let log = fs::File::create(bench.path("log")).unwrap();
    let mut command = bench.command("serve --json --port 0 --mode full");
    command.stderr(log);
    let served = Bench::serve_as(command);
    let token = bench.token("");
    let body = |key: &str| json!({ "key": key }).to_string();
    let put = |key: &str| send(&served, &token, "PUT /api/keys/openai", &body(key));
    check(
        &bench,
        at,
        put("canary-of-nobody-9876"),
        expect![[r#"
        422 {"error":{"status":422,"code":"key_refused","message":"the key was not kept, because the provider does not take it: `openai` at `HOST`: expected a reply, but found HTTP 401: Incorrect API key provided: [secret OPENAI_API_KEY]; give a valid key","hint":"copy the key again from the provider's console"}}
    "#]],
    );
    assert_eq!(put("canary").0, 400);
    assert_eq!(put("canary-0123456789\ncanary").0, 400);
    check(
        &bench,
        at,
        put(KEY),
        expect![[r#"
        200 {"provider":{"name":"openai","address":"ADDRESS","is_server":false,"takes_key":true,"key":{"from":"file","is_another_kept":false},"state":"ready","models":["openai/large","openai/small"]},"is_proven":true,"notes":["it is in `[home]/keys.json`, which you alone can read"]}
    "#]],
    );
    listed(&served, &token);
    covered(&served, &token, &lists);
    let file = fs::metadata(bench.path("home/keys.json")).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
    assert_eq!(holding(&bench.path(""), KEY), ["keys.json"]);
    assert_eq!(holding(&bench.path(""), "canary-of-nobody"), [""; 0]);
    assert_eq!(send(&served, &token, "DELETE /api/keys/openai", "").0, 204);
    assert_eq!(send(&served, &token, "DELETE /api/keys/openai", "").0, 404);
    assert_eq!(holding(&bench.path(""), KEY), [""; 0]);
}

/// The provider is ready, its models are listed, and one of them is chosen.
fn listed(served: &Served, token: &str) {
    let list = send(served, token, "GET /api/providers", "").1;
    assert_eq!(provider(&list, "openai")["models"], json!(["openai/large", "openai/small"]));
    assert_eq!(provider(&list, "anthropic")["state"], "no_key");
    assert_eq!(provider(&list, "ollama")["state"], "unreachable");
    let model = send(served, token, "PUT /api/settings/model", r#"{"value":"openai/small"}"#);
    assert_eq!(model, (200, json!({ "name": "model", "value": "openai/small" })));
}

/// What the user writes of the key is covered in what is written down and sent.
fn covered(served: &Served, token: &str, lists: &Lists) {
    let session = served.begin(token, &format!("my key is {KEY}"));
    wait_for(|| !lists.asked.lock().unwrap().is_empty());
    let asked = lists.asked.lock().unwrap().concat();
    assert!(asked.contains("[secret OPENAI_API_KEY]") && !asked.contains("canary"), "{asked}");
    let events = String::from_utf8(served.fetch(&format!("/api/sessions/{session}/export"), token));
    assert!(!events.unwrap().contains("canary"));
}

fn wait_for(is_there: impl Fn() -> bool) {
    let look = |_| {
        std::thread::sleep(Duration::from_millis(10));
        is_there()
    };
    assert!((0..6_000).any(look));
}

#[test]
fn a_key_whose_provider_is_away_is_kept_only_where_that_is_asked_for() {
    let away = "http://127.0.0.1:9/v1";
    let bench = traced(away).var("OPENAI_API_KEY", "environment-0123456789");
    let served = bench.serve("");
    let token = bench.token("");
    let put = |body: &Value| send(&served, &token, "PUT /api/keys/openai", &body.to_string());
    check(
        &bench,
        away,
        put(&json!({ "key": KEY })),
        expect![[r#"
        502 {"error":{"status":502,"code":"provider_unreachable","message":"the key was not kept, because it could not be tried: `openai` at `HOST`: expected a reply, but the connection was refused; start the server, or choose another model (`tagline models`)","hint":"try again, or say `keep_unreachable` to keep the key untried"}}
    "#]],
    );
    assert!(!bench.path("home/keys.json").exists());
    check(
        &bench,
        away,
        put(&json!({ "key": KEY, "keep_unreachable": true })),
        expect![[r#"
        200 {"provider":{"name":"openai","address":"ADDRESS","is_server":false,"takes_key":true,"key":{"from":"environment","variable":"OPENAI_API_KEY","is_another_kept":true},"state":"unreachable","message":"`openai` at `HOST`: expected a reply, but the connection was refused; start the server, or choose another model (`tagline models`)","models":[]},"is_proven":false,"notes":["it could not be tried: `openai` at `HOST`: expected a reply, but the connection was refused; start the server, or choose another model (`tagline models`)","it is in `[home]/keys.json`, which you alone can read","OPENAI_API_KEY is set, and goes before it"]}
    "#]],
    );
    let other = send(&served, &token, "PUT /api/keys/opnai", &json!({ "key": KEY }).to_string());
    check(
        &bench,
        away,
        other,
        expect![[r#"
        404 {"error":{"status":404,"code":"no_provider","message":"provider `opnai`: expected one of anthropic, openai, gemini, openrouter, groq, mistral, deepseek, xai, huggingface, azure, ollama, but found another name","hint":"list them with `/api/providers`"}}
    "#]],
    );
}

/// A key in the environment, a file with a comment, and a persona that the administrator locks.
fn set_up(lists: &Lists) -> (Bench, Served, String) {
    let bench = traced(&lists.address)
        .write("home/config.toml", "# mine\nmodel = \"ollama/a\" # for now\n")
        .write("system/tagline/managed.toml", "assistant.persona = \"Be kind.\"\n")
        .var("OPENAI_API_KEY", KEY);
    let (served, token) = (bench.serve(""), bench.token(""));
    (bench, served, token)
}

fn set(served: &Served, token: &str, name: &str, value: &str) -> (u16, Value) {
    let body = json!({ "value": value }).to_string();
    send(served, token, &format!("PUT /api/settings/{name}"), &body)
}

#[test]
fn settings_are_written_with_comments_kept_and_count_at_once() {
    let lists = Lists::taking(KEY);
    let (bench, served, token) = set_up(&lists);
    assert_eq!(set(&served, &token, "model", "openai/large").0, 200);
    assert_eq!(set(&served, &token, "assistant.name", "Ada").0, 200);
    expect![[r##"
        # mine
        model = "openai/large" # for now

        [assistant]
        name = "Ada"
    "##]]
    .assert_eq(&fs::read_to_string(bench.path("home/config.toml")).unwrap());
    served.begin(&token, "hello");
    wait_for(|| !lists.asked.lock().unwrap().is_empty());
    let asked = lists.asked.lock().unwrap().concat();
    for part in ["\"model\":\"large\"", "You are Ada.", "Be kind."] {
        assert!(asked.contains(part), "{part} in {asked}");
    }
    let unset = send(&served, &token, "DELETE /api/settings/model", "");
    assert_eq!(unset, (200, json!({ "name": "model" })));
}

#[test]
fn what_does_not_fit_is_told_and_changes_nothing() {
    let lists = Lists::taking(KEY);
    let (bench, served, token) = set_up(&lists);
    let before = fs::read(bench.path("home/config.toml")).unwrap();
    check(
        &bench,
        &lists.address,
        set(&served, &token, "assistant.persona", "Be brief."),
        expect![[r#"
        409 {"error":{"status":409,"code":"setting_locked","message":"`assistant.persona` is locked by the administrator of this machine","hint":"ask whoever wrote `managed.toml`"}}
    "#]],
    );
    check(
        &bench,
        &lists.address,
        set(&served, &token, "mode", "full"),
        expect![[r#"
        404 {"error":{"status":404,"code":"no_setting","message":"there is no setting `mode` here: expected one of `model`, `assistant.name`, `assistant.persona`","hint":"use one of these names"}}
    "#]],
    );
    check(
        &bench,
        &lists.address,
        set(&served, &token, "model", "nobody/m"),
        expect![[r#"
        400 {"error":{"status":400,"code":"bad_setting","message":"`model`: expected `provider/model` with a provider that there is, or an address such as `http://127.0.0.1:8080`, but found another text, of 8 characters","hint":"send such a value"}}
    "#]],
    );
    check(
        &bench,
        &lists.address,
        set(&served, &token, "assistant.name", &"A".repeat(41)),
        expect![[r#"
        400 {"error":{"status":400,"code":"bad_setting","message":"`assistant.name`: expected one line of 1 to 40 characters, but found another text, of 41 characters","hint":"send such a value"}}
    "#]],
    );
    assert_eq!(fs::read(bench.path("home/config.toml")).unwrap(), before);
}

#[test]
fn what_goes_before_the_file_is_told() {
    let bench = traced("http://127.0.0.1:9/v1").var("TAGLINE_MODEL", "ollama/b");
    let served = bench.serve("");
    let set = send(&served, &bench.token(""), "PUT /api/settings/model", r#"{"value":"ollama/a"}"#);
    let behind =
        json!({ "name": "model", "value": "ollama/b", "behind": "environment TAGLINE_MODEL" });
    assert_eq!(set, (200, behind));
}
