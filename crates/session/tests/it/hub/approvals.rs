//! Questions: asked in the journal, answered once, by their hash.

use std::time::Duration;

use expect_test::expect;
use serde_json::json;
use tagline_agent::{AtLimit, TurnLimits};
use tagline_protocol::BudgetAnswer;
use tagline_session::{Answer, Asked, Scope, Start};

use super::bench::{Bench, S};

const TOLD: [&str; 4] = ["approval.", "tool.running", "tool.failed", "tool.cancelled"];

const SCRIPT: &str = "=== reply\n<add why=\"one\"/>\n=== reply\n=== repeat forever\nDone.\n";

fn yes() -> Answer {
    Answer { allow: true, ..Answer::default() }
}

async fn asked(bench: &Bench) -> Asked {
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until("approval.asked").await;
    loop {
        if let Some(asked) = bench.hub.approvals(S).first() {
            return asked.clone();
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_question_is_answered_once() {
    let bench = Bench::asking(SCRIPT).await;
    let asked = asked(&bench).await;
    assert_eq!(asked.call.to_string(), "t1.1");
    let (one, two) = tokio::join!(
        bench.hub.answer(S, &asked.hash, yes()),
        bench.hub.answer(S, &asked.hash, Answer::default()),
    );
    assert_eq!(one, Ok(()));
    assert_eq!(two.unwrap_err().code(), "already_answered");
    bench.hub.settled(S).await;
    let late = bench.hub.answer(S, &asked.hash, yes()).await.unwrap_err();
    expect![
        "already_answered: session `s1`: call `t1.1` was answered already; the first answer counts"
    ]
    .assert_eq(&format!("{}: {late}", late.code()));
    let other = bench.hub.answer(S, "0000", yes()).await.unwrap_err();
    assert_eq!(other.code(), "no_approval");
    expect![[r#"
        t1 approval.asked t1.1
        t1 approval.answered t1.1 true user
        t1 tool.running t1.1
    "#]]
    .assert_eq(&bench.story(&TOLD).await);
    bench.close().await;
}

#[tokio::test]
async fn a_yes_may_cover_a_scope_that_was_offered_and_no_other() {
    let bench = Bench::asking(
        "=== reply\n<add why=\"one\"/>\n=== reply\n<add why=\"two\"/>\n=== reply\nDone.\n",
    )
    .await;
    let asked = asked(&bench).await;
    let scope = |scope: &str| Answer { scope: Some(scope.to_owned()), ..yes() };
    let error = bench.hub.answer(S, &asked.hash, scope("tool sleep")).await.unwrap_err();
    expect!["scope_not_offered: session `s1`: the answer covers `tool sleep`, which was not offered; answer with one of: tool add"].assert_eq(&format!("{}: {error}", error.code()));
    bench.hub.answer(S, &asked.hash, scope("tool add")).await.unwrap();
    bench.hub.settled(S).await;
    expect![[r#"
        t1 approval.asked t1.1
        t1 approval.answered t1.1 true user: tool add
        t1 tool.running t1.1
        t1 tool.running t1.2
    "#]]
    .assert_eq(&bench.story(&TOLD).await);
    bench.close().await;
}

#[tokio::test]
async fn a_stop_ends_the_wait_for_an_answer() {
    let bench = Bench::asking(SCRIPT).await;
    let asked = asked(&bench).await;
    bench.hub.stop(S, Scope::Turn).await.unwrap();
    bench.hub.settled(S).await;
    let late = bench.hub.answer(S, &asked.hash, yes()).await.unwrap_err();
    expect!["approval_expired: session `s1`: the question about call `t1.1` is no longer open: the turn ended before anybody answered, so the call was not run"].assert_eq(&format!("{}: {late}", late.code()));
    expect![[r#"
        t1 approval.asked t1.1
        t1 tool.cancelled t1.1 the turn was stopped before it began
    "#]]
    .assert_eq(&bench.story(&TOLD).await);
    assert!(bench.hub.approvals(S).is_empty());
    bench.close().await;
}

#[tokio::test]
async fn a_question_that_a_killed_process_asked_expires_with_a_reason() {
    let bench = Bench::asking(SCRIPT).await;
    let asked = asked(&bench).await;
    let again = bench.restart("=== reply\nDone.\n").await;
    assert_eq!(again.hub.recover(Start::Usual).await.unwrap().interrupted, [S]);
    let late = again.hub.answer(S, &asked.hash, yes()).await.unwrap_err();
    expect!["approval_expired: session `s1`: the question about call `t1.1` is no longer open: the process ended before anybody answered, so the call was not run; let the model call again"].assert_eq(&format!("{}: {late}", late.code()));
    assert_eq!(again.hub.answer(S, &asked.hash, yes()).await, Err(late));
    expect![[r#"
        t1 run.started
        t1 tool.opening t1.1
        t1 tool.attr t1.1
        t1 tool.ready t1.1
        t1 approval.asked t1.1
        t1 approval.answered t1.1 false restart
        t1 tool.cancelled t1.1 the process ended before the call began
        t1 run.failed interrupted: the process ended while the turn ran; nothing was lost, go on with it
    "#]].assert_eq(&again.story(&["approval.", "tool.", "run."]).await);
    again.close().await;
}

#[tokio::test]
async fn a_turn_at_its_bound_waits_and_goes_on_as_it_is_told_once() {
    let bench = Bench::new("=== reply\n<add why=\"one\"/>\n=== reply\nDone.\n").await;
    let bounds = TurnLimits { passes: 1, at_limit: AtLimit::Ask, ..TurnLimits::default() };
    *bench.shop.bounds.lock().unwrap() = bounds;
    assert_eq!(bench.hub.decide(S, BudgetAnswer::Add).await.unwrap_err().code(), "no_budget");
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until("budget.asked").await;
    assert_eq!(bench.hub.budget(S).unwrap().reason, "max_passes");
    let (one, two) = tokio::join!(
        bench.hub.decide(S, BudgetAnswer::Add),
        bench.hub.decide(S, BudgetAnswer::Stop),
    );
    assert_eq!((one, two.unwrap_err().code()), (Ok(()), "no_budget"));
    bench.hub.settled(S).await;
    expect![[r#"
        t1 run.started
        t1 budget.asked
        t1 budget.answered
        t1 run.finished completed
    "#]]
    .assert_eq(&bench.story(&["budget.", "run."]).await);
    bench.close().await;
}

#[tokio::test]
async fn a_stop_ends_the_wait_at_a_bound() {
    let bench = Bench::new("=== reply\n<add why=\"one\"/>\n").await;
    let bounds = TurnLimits { passes: 1, at_limit: AtLimit::Ask, ..TurnLimits::default() };
    *bench.shop.bounds.lock().unwrap() = bounds;
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until("budget.asked").await;
    bench.hub.stop(S, Scope::Turn).await.unwrap();
    bench.hub.settled(S).await;
    assert_eq!(bench.hub.budget(S), None);
    expect![[r#"
        t1 run.started
        t1 budget.asked
        t1 run.finished cancelled
    "#]]
    .assert_eq(&bench.story(&["budget.", "run."]).await);
    bench.close().await;
}

#[tokio::test(start_paused = true)]
async fn time_that_is_up_asks_before_the_next_pass_and_begins_anew() {
    let script = "=== reply\n=== pause 90s\n<add why=\"one\"/>\n=== reply\n=== pause 50s\nDone.\n";
    let bench = Bench::new(script).await;
    *bench.shop.bounds.lock().unwrap() =
        TurnLimits { at_limit: AtLimit::Ask, ..TurnLimits::default() };
    *bench.shop.timeout.lock().unwrap() = Some(Duration::from_secs(60));
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until("budget.asked").await;
    assert_eq!(bench.hub.budget(S).unwrap().reason, "timeout");
    bench.hub.decide(S, BudgetAnswer::Add).await.unwrap();
    bench.hub.settled(S).await;
    expect![[r#"
        t1 run.started
        t1 budget.asked
        t1 budget.answered
        t1 run.finished completed
    "#]]
    .assert_eq(&bench.story(&["budget.", "run."]).await);
    bench.close().await;
}

fn changed(arguments: serde_json::Value) -> Answer {
    Answer {
        edit: Some(serde_json::from_value(json!({ "arguments": arguments })).unwrap()),
        ..yes()
    }
}

#[tokio::test]
async fn a_call_that_was_changed_asks_anew_and_the_model_is_told() {
    let script =
        "=== reply\n<add why=\"one\"/>\n=== reply\n=== expect contains `why` is now `two`\nDone.\n";
    let bench = Bench::asking(script).await;
    let first = asked(&bench).await;
    let bad = bench.hub.answer(S, &first.hash, changed(json!({ "what": 1 }))).await.unwrap_err();
    expect!["bad_edit: session `s1`: call `t1.1` cannot be changed so: `add`: expected arguments among `why`, but found `what`"].assert_eq(&format!("{}: {bad}", bad.code()));
    // It is still open.
    bench.hub.answer(S, &first.hash, changed(json!({ "why": "two" }))).await.unwrap();
    bench.until_n("approval.asked", 2).await;
    let second = loop {
        match bench.hub.approvals(S).first() {
            Some(asked) if asked.hash != first.hash => break asked.clone(),
            Some(_) | None => tokio::task::yield_now().await,
        }
    };
    assert_eq!(second.shown, "add\nwhy: two");
    let late = bench.hub.answer(S, &first.hash, yes()).await.unwrap_err();
    assert_eq!(late.code(), "already_answered");
    bench.hub.answer(S, &second.hash, yes()).await.unwrap();
    bench.hub.settled(S).await;
    expect![[r#"
        t1 run.started
        t1 tool.opening t1.1
        t1 tool.attr t1.1
        t1 tool.ready t1.1
        t1 approval.asked t1.1
        t1 approval.answered t1.1 false user
        t1 tool.edited t1.1 {"why":"two"}
        t1 approval.asked t1.1
        t1 approval.answered t1.1 true user
        t1 tool.running t1.1
        t1 tool.done t1.1
        t1 message.results <tool_results>↵<tool_result tool_name="add" call="1" status="ok">↵The user changed this call: `why` is now `two`.↵1: two↵</tool_result>↵</tool_results>
        t1 run.finished completed
    "#]].assert_eq(&bench.story(&["approval.", "tool.", "message.results", "run."]).await);
    bench.close().await;
}

#[tokio::test]
async fn another_process_takes_a_change_by_letter() {
    let bench = Bench::asking(SCRIPT).await;
    let first = asked(&bench).await;
    let beside = bench.beside("=== reply\nNothing.\n");
    beside.hub.answer(S, &first.hash, changed(json!({ "why": "two" }))).await.unwrap();
    bench.until_n("approval.asked", 2).await;
    bench.hub.stop(S, Scope::Turn).await.unwrap();
    bench.hub.settled(S).await;
    bench.close().await;
}
