//! The start after a kill: nothing runs by itself twice, and everything has an end.

use std::{sync::atomic::Ordering, time::Duration};

use expect_test::expect;
use tagline_session::{Place, Start, Starts};

use super::bench::{Bench, S};

#[tokio::test]
async fn a_turn_without_a_worker_is_interrupted_and_goes_on_when_told() {
    let bench = Bench::new("=== reply\n<add why=\"one\"/>\n=== reply\n<sleep/>\n").await;
    bench.hub.send(S, "count".into()).await.unwrap();
    bench.until_n("tool.running", 2).await;
    // The old process stands still from here on, as a killed one does.
    let again =
        bench.restart("=== reply\n=== expect contains interrupted while it ran\nDone.\n").await;
    let recovered = again.hub.recover(Start::Usual).await.unwrap();
    assert_eq!((recovered.interrupted, recovered.failed), (vec![S.to_owned()], Vec::new()));
    assert_eq!(again.hub.recover(Start::Usual).await.unwrap().interrupted, Vec::<String>::new());
    assert_eq!(again.shop.model.requests().len(), 0);
    assert_eq!(again.hub.go_on(S).await.unwrap(), "t2");
    again.hub.settled(S).await;
    assert_eq!(again.shop.counter.0.load(Ordering::SeqCst), 0);
    assert_eq!(again.hub.go_on(S).await.unwrap_err().code(), "nothing_to_go_on");
    expect![[r#"
        t1 run.started
        t1 message.user count
        t1 tool.failed t1.2 it was interrupted while it ran; call it again if its result is still needed
        t1 run.failed interrupted: the process ended while the turn ran; nothing was lost, go on with it
        t2 run.started
        t2 run.finished completed
    "#]].assert_eq(&again.story(&["run.", "message.user", "tool.failed", "tool.cancelled"]).await);
    again.close().await;
}

#[tokio::test]
async fn what_waits_behind_an_interrupted_turn_waits_for_the_user() {
    let bench = Bench::new("=== reply\n<sleep/>\n").await;
    bench.hub.send(S, "one".into()).await.unwrap();
    bench.until("tool.running").await;
    bench.hub.send(S, "two".into()).await.unwrap();
    let again = bench.restart("=== reply\n=== repeat forever\nDone.\n").await;
    again.hub.recover(Start::Usual).await.unwrap();
    assert_eq!(again.hub.queue(S).await.unwrap().len(), 1);
    assert_eq!(again.hub.running(S), None);
    // Also where that process ends in order, and the next one begins.
    again.hub.shutdown(Duration::from_secs(5)).await;
    let again = again.restart("=== reply\n=== repeat forever\nDone.\n").await;
    again.hub.recover(Start::Usual).await.unwrap();
    while again.hub.health().tasks > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(again.shop.model.requests().len(), 0);
    assert_eq!(again.hub.send(S, "three".into()).await.unwrap().place, Place::Queue(1));
    again.hub.settled(S).await;
    expect![[r#"
        t1 run.started
        t1 message.user one
        t1 message.unqueued m1 sent
        t1 run.failed interrupted: the process ended while the turn ran; nothing was lost, go on with it
        t2 run.started
        t2 message.user two
        t2 message.unqueued m2 sent
        t2 run.finished completed
        t3 run.started
        t3 message.user three
        t3 message.unqueued m3 sent
        t3 run.finished completed
    "#]].assert_eq(&again.story(&["run.", "message.user", "message.un"]).await);
    again.close().await;
}

#[tokio::test]
async fn what_was_taken_in_and_never_begun_is_delivered_after_the_start() {
    let bench = Bench::new("=== reply\n<sleep/>\n").await;
    bench.hub.send(S, "one".into()).await.unwrap();
    bench.until("tool.running").await;
    bench.hub.send(S, "two".into()).await.unwrap();
    bench.hub.shutdown(Duration::from_secs(5)).await;
    let safe = bench.restart("=== reply\nDone.\n").await;
    safe.hub.recover(Start::Safe).await.unwrap();
    assert!(safe.hub.health().is_safe_mode);
    safe.close().await;
    let again = bench.restart("=== reply\nDone.\n").await;
    again.hub.recover(Start::Usual).await.unwrap();
    again.until_n("run.finished", 2).await;
    expect![[r#"
        t1 run.started
        t1 message.user one
        t1 message.unqueued m1 sent
        t1 run.finished cancelled
        t2 run.started
        t2 message.user two
        t2 message.unqueued m2 sent
        t2 run.finished completed
    "#]]
    .assert_eq(&again.story(&["run.", "message.user", "message.un"]).await);
    again.close().await;
}

#[test]
fn three_starts_in_a_minute_without_an_orderly_end_are_a_loop() {
    let folder = tempfile::tempdir().unwrap();
    let starts = Starts::at(folder.path().join("starts"));
    let begin = |time: &str| starts.begin(format!("2026-01-01T{time}Z").parse().unwrap()).unwrap();
    assert_eq!([begin("12:00:00"), begin("12:00:30")], [Start::Usual; 2]);
    assert_eq!(begin("12:00:59"), Start::Safe);
    assert_eq!(begin("12:01:20"), Start::Safe);
    starts.end().unwrap();
    starts.end().unwrap();
    assert_eq!(begin("12:01:21"), Start::Usual);
    // A clock that was set back, and a file that is none.
    assert_eq!(begin("12:00:00"), Start::Usual);
    std::fs::write(folder.path().join("starts"), b"\xff\0no times\n").unwrap();
    assert_eq!(begin("12:00:01"), Start::Usual);
}
