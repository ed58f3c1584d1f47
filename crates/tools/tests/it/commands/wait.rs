//! `wait_until`: what it waits for, and how it ends.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use tagline_protocol::Event;

use crate::bench::Bench;

/// Starts a command in the background, then waits.
async fn check(command: &str, arguments: Value, expected: Expect) {
    let bench = Bench::new();
    bench.call("execute_command", json!({ "command": command })).await.unwrap();
    expected.assert_eq(&bench.echo("wait_until", arguments).await);
    bench.runs.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_time_is_really_waited_and_counted_down() {
    let bench = Bench::new();
    let began = tokio::time::Instant::now();
    let echo = bench.echo("wait_until", json!({ "seconds": 3 })).await;
    assert_eq!((echo.as_str(), began.elapsed().as_secs()), ("waited 3 s", 3));
    let left: Vec<_> = bench
        .events()
        .into_iter()
        .map(|event| {
            let Event::ToolProgress { payload } = event else { panic!("{event:?}") };
            payload["seconds_left"].as_u64().unwrap()
        })
        .collect();
    assert_eq!(left, [3, 2, 1]);
}

#[tokio::test(start_paused = true)]
async fn an_hour_is_counted_down_in_a_hundred_steps() {
    let bench = Bench::new();
    assert_eq!(bench.echo("wait_until", json!({ "seconds": 3600 })).await, "waited 3600 s");
    assert_eq!(bench.events().len(), 100);
}

#[tokio::test]
async fn the_end_of_a_command_is_waited_for() {
    check("exit 3", json!({ "run_id": "r1" }), expect!["r1 is over: exit 3"]).await;
    check("exit 3", json!({ "run_id": "r1", "exit": true }), expect!["r1 is over: exit 3"]).await;
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_is_too_short_says_what_did_not_come() {
    let too_short = json!({ "run_id": "r1", "exit": true, "seconds": 5 });
    check("sleep 600", too_short, expect!["waited 5 s: r1 still runs"]).await;
    let too_short = json!({ "run_id": "r1", "pattern": "ready", "seconds": 5 });
    check("sleep 600", too_short, expect!["waited 5 s: r1 wrote no line that matches `ready`"])
        .await;
}

#[tokio::test]
async fn a_line_is_found_wherever_it_stands() {
    let pattern = json!({ "run_id": "r1", "pattern": "^listening on \\d+$" });
    check(
        "seq 30000; echo listening on 80; seq 9",
        pattern.clone(),
        expect!["r1 wrote: listening on 80"],
    )
    .await;
    check(
        "(sleep 0.3; echo listening on 80) & echo begun",
        pattern.clone(),
        expect!["r1 wrote: listening on 80"],
    )
    .await;
    check("printf 'listening on 80'", pattern, expect!["r1 wrote: listening on 80"]).await;
}

#[tokio::test]
async fn a_line_that_cannot_come_any_more_ends_the_wait() {
    let pattern = json!({ "run_id": "r1", "pattern": "ready" });
    check(
        "echo failed; exit 1",
        pattern,
        expect!["r1 is over (exit 1) and wrote no line that matches `ready`"],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_port_that_nobody_opens_is_given_up() {
    // The system gives it to nobody who does not ask for it.
    let echo = Bench::new().echo("wait_until", json!({ "port": 1, "seconds": 2 })).await;
    assert_eq!(echo, "waited 2 s: port 1 does not answer");
}

#[tokio::test(start_paused = true)]
async fn a_cancel_ends_the_wait_and_is_told() {
    let bench = Bench::new();
    let wait = bench.echo("wait_until", json!({ "seconds": 60 }));
    let cancel = async {
        tokio::time::sleep(std::time::Duration::from_secs(12)).await;
        bench.cancel.cancel();
    };
    let (echo, ()) = tokio::join!(wait, cancel);
    expect!["cancelled: waited 12 of 60 s"].assert_eq(&echo);
}

#[tokio::test]
async fn what_is_waited_for_is_one_thing() {
    let bench = Bench::new();
    let mut answers = std::collections::BTreeSet::new();
    for arguments in [json!({}), json!({ "pattern": "x" }), json!({ "run_id": "r1", "port": 80 })] {
        answers.insert(bench.echo("wait_until", arguments).await);
    }
    let answers: Vec<_> = answers.into_iter().collect();
    expect![[r#"bad_call: `wait_until`: expected one thing to wait for: `seconds`, or `run_id` with `exit` or `pattern`, or `port`; write for example <wait_until run_id="r1" exit="true"/>"#]].assert_eq(&answers.join("\n"));
}

#[tokio::test]
async fn a_pattern_that_is_none_is_explained() {
    check("true", json!({ "run_id": "r1", "pattern": "a(b" }), expect!["bad_call: `pattern` of `wait_until`: expected a regular expression, but found `a(b`: unclosed group; put a backslash before signs that stand for themselves"]).await;
}
