//! Commands in a terminal, and what is typed into it.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::bench::Bench;

/// A program that asks twice, and says whether it is in a terminal.
const ASKS: &str = r#"test -t 0 && test -t 1 && echo "in a terminal of $(stty size), TERM=$TERM"
read -p "name? " name; read -s -p "age? " age; echo; echo "$name is $age"; sleep 600"#;

async fn started(bench: &Bench, command: &str) -> String {
    let arguments = json!({ "command": command, "terminal": true, "timeout_seconds": 60 });
    let told = bench.echo("execute_command", arguments).await;
    assert!(told.starts_with("runs as r1, and wrote nothing for 2 s: it may wait"), "{told}");
    bench.echo("read_command_tail", json!({ "run_id": "r1", "cursor": 0 })).await
}

fn typed(text: &str, enter: bool) -> Value {
    json!({ "run_id": "r1", "text": text, "enter": enter })
}

async fn both(bench: Bench) {
    let begun = started(&bench, ASKS).await;
    assert!(begun.contains("in a terminal of 24 80, TERM=dumb\nname? "), "{begun}");
    expect![[r#"
        r1 running; newer output will be at cursor 49
        Ada
        age? "#]]
    .assert_eq(&bench.echo("write_command_input", typed("Ada", true)).await);
    expect![[r#"
        r1 running; newer output will be at cursor 60

        Ada is 36
    "#]]
    .assert_eq(&bench.echo("write_command_input", typed("36", true)).await);
    let stopped = bench.echo("stop_command", json!({ "run_id": "r1" })).await;
    assert!(stopped.starts_with("r1 is stopped"), "{stopped}");
    let again = bench.echo("stop_command", json!({ "run_id": "r1" })).await;
    assert_eq!(again, "r1 was over already: stopped");
}

#[tokio::test]
async fn what_is_typed_is_read_and_what_was_written_then_is_told() {
    both(Bench::new()).await;
}

#[tokio::test]
async fn so_it_is_in_a_sandbox() {
    both(Bench::confined()).await;
}

#[tokio::test]
async fn a_key_needs_no_enter() {
    let bench = Bench::new();
    started(&bench, "stty -icanon -echo; head -c 1; echo ' came'").await;
    let told = bench.echo("write_command_input", typed("q", false)).await;
    assert!(told.starts_with("r1 exit 0; "), "{told}");
    assert!(told.contains("q came"), "{told}");
}

async fn check(command: &str, terminal: bool, arguments: Value, expected: Expect) {
    let bench = Bench::new();
    let start = json!({ "command": command, "terminal": terminal, "background": true, "timeout_seconds": 60 });
    bench.call("execute_command", start).await.unwrap();
    expected.assert_eq(&bench.echo("write_command_input", arguments).await);
}

#[tokio::test]
async fn what_cannot_be_typed_is_told_before_anything_is() {
    check("cat", true, json!({ "run_id": "r9", "text": "x" }), expect!["missing: `run_id`: there is no run `r9`; the latest are `r1`; list_recent_commands shows all"]).await;
    check("cat", true, typed("a\u{3}b", true), expect![[r#"bad_call: `text` of `write_command_input`: expected text, but found the control character U+0003; to interrupt a command, use stop_command with signal="INT""#]]).await;
    check("cat", true, typed(&"x".repeat(4096), true), expect!["bad_call: `text` of `write_command_input`: expected lines of at most 4095 bytes, but found one of 4096; a terminal takes no longer ones; write it to a file"]).await;
    check("true", true, typed("x", true), expect!["missing: `run_id`: `r1` is over: exit 0"]).await;
    check("sleep 60", false, typed("x", true), expect![[r#"bad_call: `run_id`: `r1` has no terminal, so nothing can be typed; start the command again with terminal="true""#]]).await;
}

/// Nobody reads, and the kernel keeps some thousand bytes at most.
#[tokio::test]
async fn a_command_that_does_not_read_is_not_waited_for_without_end() {
    let text = "line of text\n".repeat(2_000);
    check("stty -icanon -echo; sleep 60", true, typed(&text, true), expect!["failed: `r1` does not read what is typed; a part of it may have been typed; wait, or end it with stop_command"]).await;
}

#[tokio::test]
async fn an_interrupt_from_the_terminal_is_a_stop() {
    let bench = Bench::new();
    started(&bench, "trap 'echo caught; exit 3' INT; while :; do sleep 0.1; done").await;
    let told = bench.echo("stop_command", json!({ "run_id": "r1", "signal": "INT" })).await;
    assert!(told.contains("caught"), "{told}");
}
