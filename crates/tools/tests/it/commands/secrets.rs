//! Of a secret that this process knows, nothing is kept or shown of what a command writes.

use std::fs;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use expect_test::{Expect, expect};
use serde_json::{Value, json};
use tagline_secret::Secret;

use crate::bench::Bench;

const CANARY: &str = "canary-0123456789/+x";

fn bench() -> Bench {
    Bench::with(|config| config.secrets.learn("CANARY", &Secret::from(CANARY)))
}

/// What the logs hold, as they lie on the disk.
fn logs(bench: &Bench) -> String {
    let logs = fs::read_dir(bench.folder.path().join("runs/logs")).unwrap();
    logs.map(|log| fs::read_to_string(log.unwrap().path()).unwrap()).collect()
}

/// What is kept of a command's output, told by its result and shown live: the same, and this.
async fn check_as(arguments: Value, expected: &Expect) {
    let bench = bench();
    let output = bench.call("execute_command", arguments).await.unwrap();
    let log = logs(&bench);
    expected.assert_eq(&log);
    assert_eq!(bench.shown(), log);
    assert_eq!(output.card.payload.get("stdout"), Some(&json!(log)));
    assert!(output.echo.as_str().contains(log.trim_end()), "{}", output.echo);
    let tail = bench.call("read_command_tail", json!({ "run_id": "r1", "cursor": 0 })).await;
    let payload = tail.unwrap().card.payload;
    assert_eq!(payload.get("text"), Some(&json!(log)));
    assert_eq!(payload.get("len"), Some(&json!(log.len())));
}

async fn check(command: &str, expected: Expect) {
    check_as(json!({ "command": command }), &expected).await;
    check_as(json!({ "command": command, "terminal": true }), &expected).await;
}

#[tokio::test]
async fn a_secret_is_covered_whole_in_other_forms_and_at_the_very_end() {
    let hex: String = CANARY.bytes().map(|byte| format!("{byte:02x}")).collect();
    let (base64, json) = (STANDARD.encode(format!("key:{CANARY}")), json!(CANARY));
    let command = format!(
        "echo 'it is {CANARY}.'; echo {hex} {base64}; echo '{json} canary-0123456789%2F%2Bx'; printf '<%s' '{CANARY}'"
    );
    check(
        &command,
        expect![[r#"
            it is [secret CANARY].
            [secret CANARY] a2V5Om[secret CANARY]
            "[secret CANARY]" [secret CANARY]
            <[secret CANARY]"#]],
    )
    .await;
}

#[tokio::test]
async fn a_secret_that_is_written_bit_by_bit_is_covered() {
    let writes: String = CANARY.chars().map(|c| format!("printf '{c}'; ")).collect();
    check(&format!("printf '<'; {writes} printf '>'"), expect!["<[secret CANARY]>"]).await;
    let pauses = "printf 'canary-0123'; sleep 0.4; printf '456789/'; sleep 0.4; echo '+x'";
    check(pauses, expect!["[secret CANARY]\n"]).await;
    check("printf 'canary-0'; sleep 0.4; echo 'never'", expect!["canary-0never\n"]).await;
}

#[tokio::test]
async fn what_begins_like_a_secret_is_kept_where_it_is_none() {
    check("printf 'a canary-0123'", expect!["a canary-0123"]).await;
    check("printf '\\xff\\xfe caf\\xc3\\xa9 canary-\\xe2'", expect!["�� café canary-�"]).await;
}

#[tokio::test]
async fn a_secret_of_both_streams_is_in_neither() {
    let bench = bench();
    // The result tells the command too, so it does not have the secret in one piece.
    let command = "key='canary-0123'456789/+x; echo $key; echo $key >&2; exit 3";
    let output = bench.call("execute_command", json!({ "command": command })).await.unwrap();
    let payload = &output.card.payload;
    assert_eq!(payload["stdout"], "[secret CANARY]\n");
    assert_eq!(payload["stderr"], "[secret CANARY]\n");
    assert!(!format!("{payload} {} {}", output.echo, bench.shown()).contains(CANARY));
    assert_eq!(logs(&bench), "[secret CANARY]\n[secret CANARY]\n");
}

/// A `c` is how the secret begins, and yet the prompt is seen; what is typed is covered in its echo.
#[tokio::test]
async fn a_prompt_is_whole_and_a_secret_that_is_typed_is_covered() {
    let bench = bench();
    let command =
        "printf 'go on? y/c'; read key; printf 'key? '; read key; echo \"$key\"; sleep 600";
    let asked = json!({ "command": command, "terminal": true, "timeout_seconds": 60 });
    let told = bench.echo("execute_command", asked).await;
    assert!(told.contains("go on? y/c"), "{told}");
    let typed = |text: &str| json!({ "run_id": "r1", "text": text });
    let told = bench.echo("write_command_input", typed("")).await;
    assert!(told.ends_with("\nkey? "), "{told}");
    let told = bench.echo("write_command_input", typed(CANARY)).await;
    assert!(told.ends_with("[secret CANARY]\n[secret CANARY]\n"), "{told}");
    assert!(!logs(&bench).contains("canary-"), "{}", logs(&bench));
    bench.call("stop_command", json!({ "run_id": "r1" })).await.unwrap();
}

#[tokio::test]
async fn a_wait_for_text_sees_the_marker() {
    let bench = bench();
    let command = format!("echo 'token {CANARY}'");
    bench.call("execute_command", json!({ "command": command })).await.unwrap();
    let told = bench.echo("wait_until", json!({ "run_id": "r1", "pattern": "^token" })).await;
    assert_eq!(told, "r1 wrote: token [secret CANARY]");
}
