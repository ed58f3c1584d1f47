//! Order, tries, timeouts, cancel, crashes.

use std::time::Duration;

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::bench::{Setup, shown};

async fn check(calls: &[(&str, Value)], results: Expect, log: Expect) {
    let bench = Setup::default().bench();
    let got = bench.run(calls).await;
    results.assert_eq(&shown(&got));
    log.assert_eq(&bench.log.text());
}

#[tokio::test(start_paused = true)]
async fn reads_run_side_by_side_and_keep_their_order() {
    let look = |seconds: u64| ("look", json!({ "seconds": seconds }));
    let calls = [look(3), look(1), ("append", json!({ "line": "x" })), look(2)];
    let results = expect![[r#"
        c1: looked 3 s
        c2: looked 1 s
        c3: appended
        c4: looked 2 s
    "#]];
    check(
        &calls,
        results,
        expect![[r#"
            c1: tool.running attempt=1 decision="mode full"
            look 3 begins
            c2: tool.running attempt=1 decision="mode full"
            look 1 begins
            look 1 ends
            c2: tool.done ms=1000, audit outcome="done" attempts=1 decision="mode full" notes={}
            look 3 ends
            c1: tool.done ms=3000, audit outcome="done" attempts=1 decision="mode full" notes={}
            c3: tool.running attempt=1 decision="mode full"
            c3: live tool.output
            effect x
            c3: tool.done, audit outcome="done" attempts=1 decision="mode full" notes={"line":"x"}
            c4: tool.running attempt=1 decision="mode full"
            look 2 begins
            look 2 ends
            c4: tool.done ms=2000, audit outcome="done" attempts=1 decision="mode full" notes={}
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_is_pure_keeps_its_place_between_reads() {
    let say = |text: &str| ("repeat", json!({ "text": text }));
    let calls = [say("one"), ("look", json!({ "seconds": 1 })), say("two")];
    check(
        &calls,
        expect![[r#"
        c1: one
        c2: looked 1 s
        c3: two
    "#]],
        expect![[r#"
            c1: tool.running attempt=1 decision="mode full"
            c1: tool.done, audit outcome="done" attempts=1 decision="mode full" notes={}
            c2: tool.running attempt=1 decision="mode full"
            look 1 begins
            look 1 ends
            c2: tool.done ms=1000, audit outcome="done" attempts=1 decision="mode full" notes={}
            c3: tool.running attempt=1 decision="mode full"
            c3: tool.done, audit outcome="done" attempts=1 decision="mode full" notes={}
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_crash_is_an_answer_and_the_rest_runs() {
    let calls = [("crash", json!({})), ("repeat", json!({ "text": "still here" }))];
    check(
        &calls,
        expect![[r#"
            c1: failed: `crash` crashed (on purpose); go on another way
            c2: still here
        "#]],
        expect![[r#"
        c1: tool.running attempt=1 decision="mode full"
        c1: tool.failed, audit outcome="failed" attempts=1 decision="mode full" notes={}
        c2: tool.running attempt=1 decision="mode full"
        c2: tool.done, audit outcome="done" attempts=1 decision="mode full" notes={}
    "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_busy_read_is_tried_again() {
    check(
        &[("busy", json!({}))],
        expect![[r#"
        c1: worked at try 3
    "#]],
        expect![[r#"
            c1: tool.running attempt=1 decision="mode full"
            c1: tool.running attempt=2 decision="mode full"
            c1: tool.running attempt=3 decision="mode full"
            c1: tool.done, audit outcome="done" attempts=3 decision="mode full" notes={}
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_busy_write_is_not_tried_again() {
    check(
        &[("busy_write", json!({}))],
        expect![[r#"
        c1: busy: the file is locked
    "#]],
        expect![[r#"
        c1: tool.running attempt=1 decision="mode full"
        c1: tool.failed, audit outcome="busy" attempts=1 decision="mode full" notes={}
    "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn tries_end_at_their_number() {
    let bench = Setup::default().bench();
    let executor = bench.executor.with_attempts(2);
    let bench = crate::bench::Bench { executor, ..bench };
    expect![[r#"
        c1: busy: the file is locked
    "#]]
    .assert_eq(&shown(&[bench.run_one("busy").await]));
}

#[tokio::test(start_paused = true)]
async fn an_overrun_is_stopped_whether_or_not_the_tool_helps() {
    let calls = [("endless", json!({})), ("polite", json!({}))];
    check(
        &calls,
        expect![[r#"
            c1: timed_out: `endless` ran longer than 30 s and was stopped; it may be half done: check before you go on
            c2: timed_out: `polite` ran longer than 30 s and was stopped: half of the output
        "#]],
        expect![[r#"
            c1: tool.running attempt=1 decision="mode full"
            c1: tool.failed ms=33000, audit outcome="timed_out" attempts=1 decision="mode full" notes={}
            c2: tool.running attempt=1 decision="mode full"
            c2: tool.failed ms=30000, audit outcome="timed_out" attempts=1 decision="mode full" notes={}
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn cancel_ends_what_runs_and_keeps_the_rest_from_beginning() {
    let bench = Setup::default().bench();
    let calls = [("polite", json!({})), ("append", json!({ "line": "never" }))];
    let stop = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        bench.cancel.cancel();
    };
    let (results, ()) = tokio::join!(bench.run(&calls), stop);
    expect![[r#"
        c1: cancelled: the turn was stopped: half of the output
        c2: cancelled: the turn was stopped before it began
    "#]]
    .assert_eq(&shown(&results));
    expect![[r#"
        c1: tool.running attempt=1 decision="mode full"
        c1: tool.cancelled, audit outcome="cancelled" attempts=1 decision="mode full" notes={}
        c2: tool.cancelled, audit outcome="cancelled" attempts=0 decision="not decided" notes={}
    "#]]
    .assert_eq(&bench.log.text());
}

#[tokio::test(start_paused = true)]
async fn cancel_ends_the_pause_between_tries() {
    let bench = Setup::default().bench();
    let stop = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        bench.cancel.cancel();
    };
    let (result, ()) = tokio::join!(bench.run_one("busy"), stop);
    expect![[r#"
        c1: cancelled: the turn was stopped before it began
    "#]]
    .assert_eq(&shown(&[result]));
}

#[tokio::test(start_paused = true)]
async fn an_unknown_tool_and_wrong_arguments_are_bad_calls() {
    let calls = [("repeet", json!({})), ("append", json!({ "words": "x" }))];
    check(&calls, expect![[r#"
        c1: bad_call: tool `repeet`: expected the name of a tool, such as `repeat`; list them with `tagline tools list`
        c2: bad_call: `append`: missing field `line`; a correct call: <append line="x"/>
    "#]], expect![[r#"
        c1: tool.failed, audit outcome="bad_call" attempts=0 decision="not decided" notes={}
        c2: tool.failed, audit outcome="bad_call" attempts=0 decision="not decided" notes={}
    "#]]).await;
}

#[tokio::test(start_paused = true)]
async fn without_an_intent_there_is_no_effect() {
    let bench = Setup { fails_at: Some("tool.running"), ..Setup::default() }.bench();
    let results = bench.run(&[("append", json!({ "line": "x" }))]).await;
    expect![[r#"
        c1: failed: cannot save: the disk is full; the call was not started
    "#]]
    .assert_eq(&shown(&results));
    expect![[r#"
        c1: tool.failed, audit outcome="failed" attempts=1 decision="mode full" notes={}
    "#]]
    .assert_eq(&bench.log.text());
}

#[tokio::test(start_paused = true)]
async fn an_end_that_cannot_be_saved_is_told() {
    let bench = Setup { fails_at: Some("tool.done"), ..Setup::default() }.bench();
    let results = bench.run(&[("append", json!({ "line": "x" }))]).await;
    expect![[r#"
        c1: appended (cannot save: the disk is full)
    "#]]
    .assert_eq(&shown(&results));
}
