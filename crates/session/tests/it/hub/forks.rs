//! Copies that end at a turn.

use expect_test::expect;
use tagline_protocol::{Delivery, Frame};
use tagline_session::{ForkError, HubError, Message, Scope, Upto};
use tagline_store::Journal as _;

use super::bench::{Bench, S, line};

const STORY: [&str; 4] = ["run.", "message.user", "message.un", "session."];

async fn story(bench: &Bench, id: &str) -> String {
    let frames = bench.journal.read(id, 0, usize::MAX).await.unwrap();
    let is_told = |frame: &&Frame| STORY.iter().any(|it| frame.event.kind().starts_with(it));
    frames.iter().filter(is_told).map(|frame| line(frame) + "\n").collect()
}

/// A session with two turns that are over.
async fn talked() -> Bench {
    let bench = Bench::new("=== reply\n=== repeat forever\nHello.\n").await;
    for text in ["one", "two"] {
        bench.hub.send(S, text.into()).await.unwrap();
        bench.hub.settled(S).await;
    }
    bench
}

#[tokio::test]
async fn a_copy_ends_behind_or_before_the_turn_that_was_named() {
    let bench = talked().await;
    let before = bench.frames().await;
    let after = bench.hub.fork(S, Upto::After("t1".to_owned())).await.unwrap();
    assert_eq!(after.title, "Branch after turn 1: one");
    expect![[r"
        t1 run.started
        t1 message.user one
        t1 message.unqueued m1 sent
        t1 run.finished completed
        - session.forked s1 one 1
        - session.title Branch after turn 1: one
    "]]
    .assert_eq(&story(&bench, &after.id).await);
    // What was taken in for the second turn is no message of the copy.
    let before_it = bench.hub.fork(S, Upto::Before("t2".to_owned())).await.unwrap();
    expect![[r"
        t1 run.started
        t1 message.user one
        t1 message.unqueued m1 sent
        t1 run.finished completed
        - message.unqueued m2 withdrawn
        - session.forked s1 one 1
        - session.title Branch after turn 1: one
    "]]
    .assert_eq(&story(&bench, &before_it.id).await);
    let start = bench.hub.fork(S, Upto::Before("t1".to_owned())).await.unwrap();
    assert_eq!(start.title, "Branch from the start: one");
    // It goes on by itself, and numbers its turns on.
    bench.hub.send(&after.id, "other".into()).await.unwrap();
    bench.hub.settled(&after.id).await;
    assert!(story(&bench, &after.id).await.ends_with("t2 run.finished completed\n"));
    assert_eq!(bench.frames().await, before);
    bench.close().await;
}

#[tokio::test]
async fn a_copy_at_a_turn_that_runs_ends_before_it() {
    let bench = Bench::new("=== reply\nHello.\n=== reply\n<sleep/>\n=== reply\nDone.\n").await;
    bench.hub.send(S, "one".into()).await.unwrap();
    bench.hub.settled(S).await;
    bench.hub.send(S, "two".into()).await.unwrap();
    bench.until("tool.running").await;
    let waiting = Message { input: "three".into(), delivery: Delivery::WhenDone, key: None };
    bench.hub.send(S, waiting).await.unwrap();
    let copy = bench.hub.fork(S, Upto::After("t2".to_owned())).await.unwrap();
    assert_eq!(copy.title, "Branch after turn 1: one");
    assert!(!story(&bench, &copy.id).await.contains("t2 "));
    // All of it has the turn too, which nobody works on there; what waits is delivered once.
    let all = bench.hub.fork(S, Upto::Now).await.unwrap();
    assert_eq!(all.title, "one");
    assert!(bench.hub.queue(&all.id).await.unwrap().is_empty());
    assert_eq!(bench.hub.queue(S).await.unwrap().len(), 1);
    bench.hub.stop(S, Scope::All).await.unwrap();
    bench.hub.settled(S).await;
    bench.close().await;
}

#[tokio::test]
async fn a_turn_that_is_not_there_is_named() {
    let bench = talked().await;
    let no = bench.hub.fork(S, Upto::After("t3".to_owned())).await.unwrap_err();
    let known = "`t1` to `t2`".to_owned();
    let fork = ForkError::NoTurn { session: S.to_owned(), turn: "t3".to_owned(), known };
    assert_eq!(no, HubError::Fork(fork));
    expect!["session `s1`: expected one of its turns, `t1` to `t2`, but found `t3`"]
        .assert_eq(&no.to_string());
    assert_eq!(bench.hub.sessions().await.unwrap().len(), 1);
    bench.close().await;
}
