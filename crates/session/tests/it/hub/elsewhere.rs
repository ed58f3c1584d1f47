//! Two processes over one journal: one has the session, and the other one can do everything, too.

use std::time::Duration;

use expect_test::expect;
use tagline_agent::{AtLimit, TurnLimits};
use tagline_protocol::{BudgetAnswer, CallId, Delivery, Mode};
use tagline_session::{Answer, HubLimits, IdempotencyKey, Message, Place, Scope, Stopping};

use super::bench::{Bench, S};

fn keyed(text: &str, key: &str) -> Message {
    let key = Some(IdempotencyKey(key.to_owned()));
    Message { input: text.into(), delivery: Delivery::WhenDone, key }
}

#[tokio::test]
async fn a_turn_that_runs_elsewhere_is_joined_and_stopped() {
    let bench = Bench::new("=== reply\n<sleep/>\n=== reply\n=== repeat forever\nDone.\n").await;
    let other = bench.beside("=== reply\nDone.\n");
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until("tool.running").await;
    let sent = other.hub.send(S, keyed("more", "k1")).await.unwrap();
    assert_eq!((sent.message.as_str(), &sent.place), ("m2", &Place::Queue(1)));
    assert_eq!(other.hub.send(S, keyed("more", "k1")).await.unwrap(), sent);
    let reused = other.hub.send(S, keyed("other", "k1")).await.unwrap_err();
    assert_eq!(reused.code(), "key_reused");
    let third = other.hub.send(S, "take me back".into()).await.unwrap();
    assert_eq!(other.hub.queue(S).await.unwrap().len(), 2);
    let back = other.hub.unqueue(S, &third.message).await.unwrap();
    assert_eq!(back.input.text, "take me back");
    let gone = other.hub.unqueue(S, &third.message).await.unwrap_err();
    assert_eq!(gone.code(), "no_message");
    assert_eq!(other.hub.go_on(S).await.unwrap_err().code(), "turn_running");
    assert_eq!(other.hub.stop(S, Scope::Turn).await.unwrap(), Stopping::Under);
    bench.until_n("run.finished", 2).await;
    bench.hub.settled(S).await;
    expect![[r#"
        t1 run.started
        t1 message.user go
        t1 message.unqueued m1 sent
        - message.unqueued m3 withdrawn
        t1 run.finished cancelled
        t2 run.started
        t2 message.user more
        t2 message.unqueued m2 sent
        t2 run.finished completed
    "#]]
    .assert_eq(&bench.story(&["run.", "message.user", "message.un"]).await);
    other.close().await;
    bench.close().await;
}

#[tokio::test]
async fn a_question_that_was_asked_elsewhere_is_answered_once() {
    let bench = Bench::asking("=== reply\n<add why=\"one\"/>\n=== reply\nDone.\n").await;
    let other = bench.beside("=== reply\nDone.\n");
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until("approval.asked").await;
    while bench.hub.approvals(S).is_empty() {
        tokio::task::yield_now().await;
    }
    let hash = bench.hub.approvals(S).remove(0).hash;
    let yes = Answer { allow: true, ..Answer::default() };
    assert_eq!(other.hub.answer(S, "0000", yes.clone()).await.unwrap_err().code(), "no_approval");
    other.hub.answer(S, &hash, yes.clone()).await.unwrap();
    assert_eq!(other.hub.answer(S, &hash, yes).await.unwrap_err().code(), "already_answered");
    bench.hub.settled(S).await;
    expect![[r#"
        t1 run.started
        t1 approval.asked t1.1
        t1 approval.answered t1.1 true user
        t1 run.finished completed
    "#]]
    .assert_eq(&bench.story(&["approval.", "run."]).await);
    other.close().await;
    bench.close().await;
}

#[tokio::test]
async fn a_turn_at_its_bound_elsewhere_is_told_how_to_go_on() {
    let bench =
        Bench::new("=== reply\n<add why=\"one\"/>\n=== reply\n<sleep/>\n=== reply\nDone.\n").await;
    let bounds = TurnLimits { passes: 1, at_limit: AtLimit::Ask, ..TurnLimits::default() };
    *bench.shop.bounds.lock().unwrap() = bounds;
    let other = bench.beside("=== reply\nDone.\n");
    let none = other.hub.decide(S, BudgetAnswer::Add).await.unwrap_err();
    assert_eq!(none.code(), "no_budget");
    other.hub.put_away(S).await;
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until("budget.asked").await;
    other.hub.decide(S, BudgetAnswer::Add).await.unwrap();
    bench.until_n("tool.running", 2).await;
    let call = CallId("t1.2".to_owned());
    assert_eq!(other.hub.stop(S, Scope::Call(call)).await.unwrap(), Stopping::Under);
    bench.until_n("budget.asked", 2).await;
    other.hub.stop(S, Scope::All).await.unwrap();
    bench.hub.settled(S).await;
    let go_on = other.hub.go_on(S).await.unwrap();
    bench.until_n("run.started", 2).await;
    assert_eq!(go_on, "t2");
    bench.hub.settled(S).await;
    expect![[r#"
        t1 run.started
        t1 budget.asked
        t1 budget.answered
        t1 tool.cancelled t1.2 the user stopped this call: woken
        t1 budget.asked
        t1 run.finished cancelled
        t2 run.started
        t2 run.finished completed
    "#]]
    .assert_eq(&bench.story(&["run.", "budget.", "tool.cancelled"]).await);
    other.close().await;
    bench.close().await;
}

#[tokio::test]
async fn a_session_whose_process_died_is_taken_over() {
    let bench = Bench::new("=== reply\n<sleep/>\n").await;
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until("tool.running").await;
    let other = bench.beside("=== reply\nDone.\n");
    // It lives, so its turn is its own.
    assert_eq!(other.hub.take_over().await.unwrap().interrupted, Vec::<String>::new());
    // Nothing is left of the other process but the journal.
    let after = bench.restart("=== reply\nDone.\n").await;
    after.hub.tend(Duration::from_millis(5));
    after.until("run.failed").await;
    assert_eq!(after.hub.go_on(S).await.unwrap(), "t2");
    after.hub.settled(S).await;
    expect![[r#"
        t1 run.started
        t1 tool.failed t1.1 it was interrupted while it ran; call it again if its result is still needed
        t1 run.failed interrupted: the process ended while the turn ran; nothing was lost, go on with it
        t2 run.started
        t2 run.finished completed
    "#]].assert_eq(&after.story(&["run.", "tool.failed"]).await);
    after.close().await;
    other.close().await;
    bench.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_letter_that_nobody_opens_is_told_as_busy() {
    let bench = Bench::with("=== reply\nDone.\n", Mode::Full, HubLimits::default()).await;
    // Somebody has the session and opens no letters, such as a command line.
    let lease = tagline_store::Journal::acquire(&*bench.journal, S).await.unwrap();
    assert_eq!(bench.hub.send(S, "go".into()).await.unwrap_err().code(), "session_busy");
    drop(lease);
    bench.close().await;
}
