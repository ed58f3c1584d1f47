//! Stops of three sizes, and the end of everything.

use std::{sync::atomic::Ordering, time::Duration};

use expect_test::expect;
use tagline_protocol::CallId;
use tagline_session::{Closed, HubError, Scope, Stopping, Watched};
use tokio::time::Instant;

use super::bench::{Bench, S};

const ENDS: [&str; 4] = ["run.", "tool.cancelled", "tool.done", "message.un"];

#[tokio::test]
async fn one_call_is_stopped_and_the_turn_goes_on() {
    let bench = Bench::new(
        "=== reply\n<sleep/>\n=== reply\n=== expect contains the user stopped this call\nDone.\n",
    )
    .await;
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until("tool.running").await;
    let call = CallId("t1.1".to_owned());
    assert_eq!(bench.hub.stop(S, Scope::Call(call.clone())).await.unwrap(), Stopping::Under);
    bench.hub.settled(S).await;
    expect![[r#"
        t1 run.started
        t1 message.unqueued m1 sent
        t1 tool.cancelled t1.1 the user stopped this call: woken
        t1 run.finished completed
    "#]]
    .assert_eq(&bench.story(&ENDS).await);
    let error = bench.hub.stop(S, Scope::Call(call)).await.unwrap_err();
    assert_eq!(error.code(), "no_call");
    bench.close().await;
}

#[tokio::test]
async fn a_turn_is_stopped_any_number_of_times_and_ends_once() {
    let bench = Bench::new("=== reply\n<sleep/>\n").await;
    assert_eq!(bench.hub.stop(S, Scope::Turn).await.unwrap(), Stopping::Idle);
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until("tool.running").await;
    for _ in 0..3 {
        assert_eq!(bench.hub.stop(S, Scope::Turn).await.unwrap(), Stopping::Under);
    }
    bench.hub.settled(S).await;
    assert_eq!(bench.hub.stop(S, Scope::Turn).await.unwrap(), Stopping::Idle);
    expect![[r#"
        t1 run.started
        t1 message.unqueued m1 sent
        t1 tool.cancelled t1.1 the turn was stopped: woken
        t1 run.finished cancelled
    "#]]
    .assert_eq(&bench.story(&ENDS).await);
    bench.close().await;
}

#[tokio::test]
async fn everything_is_stopped_with_what_waits() {
    let bench = Bench::new("=== reply\n<sleep/>\n").await;
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.hub.send(S, "more".into()).await.unwrap();
    bench.until("tool.running").await;
    bench.hub.stop_all().await.unwrap();
    bench.hub.settled(S).await;
    expect![[r#"
        t1 run.started
        t1 message.unqueued m1 sent
        - message.unqueued m2 stopped
        t1 tool.cancelled t1.1 the turn was stopped: woken
        t1 run.finished cancelled
    "#]]
    .assert_eq(&bench.story(&ENDS).await);
    assert!(bench.hub.queue(S).await.unwrap().is_empty());
    bench.close().await;
}

#[tokio::test]
async fn the_end_stops_turns_writes_their_ends_and_takes_nothing_new() {
    let bench = Bench::new("=== reply\n<sleep/>\n").await;
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.hub.send(S, "more".into()).await.unwrap();
    bench.until("tool.running").await;
    assert!(bench.hub.shutdown(Duration::from_secs(5)).await);
    expect![[r#"
        t1 run.started
        t1 message.unqueued m1 sent
        t1 tool.cancelled t1.1 the turn was stopped: woken
        t1 run.finished cancelled
    "#]]
    .assert_eq(&bench.story(&ENDS).await);
    assert_eq!(bench.hub.send(S, "late".into()).await.unwrap_err(), HubError::ShuttingDown);
    assert_eq!(bench.shop.closed.load(Ordering::SeqCst), 1);
    assert_eq!(bench.hub.health().tasks, 0);
    // What waited is there after a restart, and is delivered then.
    let again = bench.restart("=== reply\nDone.\n").await;
    assert_eq!(again.hub.queue(S).await.unwrap().len(), 1);
}

/// Stops a turn once it waits, and says how long it took to come to rest, by the clock of the test.
async fn rests_within(bench: Bench, waits: &str) -> Duration {
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until(waits).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    let stopped = Instant::now();
    bench.hub.stop(S, Scope::Turn).await.unwrap();
    bench.hub.settled(S).await;
    let took = stopped.elapsed();
    bench.close().await;
    took
}

#[tokio::test(start_paused = true)]
async fn whatever_a_turn_waits_for_a_stop_ends_the_wait_at_once() {
    let at_once = Duration::from_millis(200);
    let asks = Bench::asking("=== reply\n<add why=\"one\"/>\n").await;
    assert!(rests_within(asks, "approval.asked").await <= at_once);
    let hangs = Bench::new("=== reply\nI begin.\n=== hang\n").await;
    assert!(rests_within(hangs, "say.delta").await <= at_once);
    let connects = Bench::new("=== reply\n=== hang\n").await;
    assert!(rests_within(connects, "pass.started").await <= at_once);
    let runs = Bench::new("=== reply\n<sleep/>\n").await;
    assert!(rests_within(runs, "tool.running").await <= at_once);
    let slow = Bench::new("=== reply\n=== pause 60s\nLate.\n").await;
    assert!(rests_within(slow, "pass.started").await <= at_once);
}

#[tokio::test(start_paused = true)]
async fn the_end_comes_by_its_deadline_also_where_something_never_ends() {
    let bench = Bench::new("=== reply\nDone.\n").await;
    bench.shop.is_stuck.store(true, Ordering::SeqCst);
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.hub.settled(S).await;
    let mut reader = bench.watch(&bench.frames().await.len().to_string()).await;
    let began = Instant::now();
    assert!(!bench.hub.shutdown(Duration::from_secs(5)).await);
    assert!(began.elapsed() <= Duration::from_secs(5));
    assert!(matches!(reader.next().await, Some(Watched::Closed(Closed::ShuttingDown { .. }))));
    assert_eq!(bench.hub.health().tasks, 0);
}

#[tokio::test]
async fn a_stop_of_what_does_not_run_keeps_no_other_process_off() {
    let bench = Bench::new("=== reply\nDone.\n").await;
    bench.hub.stop(S, Scope::Turn).await.unwrap();
    bench.hub.stop(S, Scope::All).await.unwrap();
    let call = Scope::Call(CallId("t1.1".to_owned()));
    assert_eq!(bench.hub.stop(S, call).await.unwrap_err().code(), "no_call");
    drop(tagline_store::Journal::acquire(&*bench.journal, S).await.unwrap());
    bench.close().await;
}
