//! Messages: taken in durably, delivered one turn at a time, visible while they wait.

use expect_test::{Expect, expect};
use tagline_protocol::{CallId, Delivery};
use tagline_session::{HubError, IdempotencyKey, Message, Place, Scope, Sent};

use super::bench::{Bench, S};

fn message(text: &str, delivery: Delivery) -> Message {
    Message { input: text.into(), delivery, key: None }
}

fn keyed(text: &str, key: &str) -> Message {
    Message { key: Some(IdempotencyKey(key.to_owned())), ..Message::from(text) }
}

fn sent(message: &str, place: Place) -> Sent {
    Sent { message: message.to_owned(), place }
}

async fn check(bench: &Bench, expected: Expect) {
    expected
        .assert_eq(&bench.story(&["run.", "message.user", "message.queued", "message.un"]).await);
}

#[tokio::test]
async fn a_message_is_in_the_journal_before_its_turn_begins() {
    let bench = Bench::new("=== reply\nHello.\n").await;
    let answer = bench.hub.send(S, "hi".into()).await.unwrap();
    assert_eq!(answer, sent("m1", Place::Run("t1".to_owned())));
    bench.hub.settled(S).await;
    check(
        &bench,
        expect![[r#"
            - message.queued m1 hi
            t1 run.started
            t1 message.user hi
            t1 message.unqueued m1 sent
            t1 run.finished completed
        "#]],
    )
    .await;
    bench.close().await;
}

async fn waiting(bench: &Bench) -> Vec<String> {
    let waiting = bench.hub.queue(S).await.unwrap();
    waiting.into_iter().map(|queued| queued.input.text).collect()
}

#[tokio::test]
async fn messages_wait_for_the_turn_and_begin_their_own_in_order() {
    let bench = Bench::new(
        "=== reply\n<sleep/>\n=== reply\n<sleep/>\n=== reply\n=== repeat forever\nDone.\n",
    )
    .await;
    bench.hub.send(S, "one".into()).await.unwrap();
    bench.until("tool.running").await;
    for (text, delivery, place) in [
        ("two", Delivery::WhenDone, Place::Queue(1)),
        ("three", Delivery::WhenDone, Place::Queue(2)),
        ("first", Delivery::NextPass, Place::Run("t1".to_owned())),
    ] {
        let answer = bench.hub.send(S, message(text, delivery)).await.unwrap();
        assert_eq!(answer.place, place, "{text}");
    }
    assert_eq!(waiting(&bench).await, ["first", "two", "three"]);
    assert_eq!(bench.hub.unqueue(S, "m3").await.unwrap().input.text, "three");
    assert_eq!(bench.hub.unqueue(S, "m3").await.unwrap_err().code(), "no_message");
    bench.hub.send(S, message("now", Delivery::Now)).await.unwrap();
    bench.until_n("tool.running", 2).await;
    bench.hub.stop(S, Scope::Turn).await.unwrap();
    bench.hub.settled(S).await;
    check(
        &bench,
        expect![[r#"
            - message.queued m1 one
            t1 run.started
            t1 message.user one
            t1 message.unqueued m1 sent
            - message.queued m2 two
            - message.queued m3 three
            - message.queued m4 first
            - message.unqueued m3 withdrawn
            - message.queued m5 now
            t1 message.user first
            t1 message.unqueued m4 sent
            t1 run.finished cancelled
            t2 run.started
            t2 message.user now
            t2 message.unqueued m5 sent
            t2 run.finished cancelled
            t3 run.started
            t3 message.user two
            t3 message.unqueued m2 sent
            t3 run.finished completed
        "#]],
    )
    .await;
    bench.close().await;
}

#[tokio::test]
async fn the_same_key_again_changes_nothing() {
    let bench = Bench::new("=== reply\n<sleep/>\n=== reply\nDone.\n").await;
    let first = bench.hub.send(S, keyed("go", "k1")).await.unwrap();
    bench.until("tool.running").await;
    assert_eq!(bench.hub.send(S, keyed("go", "k1")).await.unwrap(), first);
    let other = bench.hub.send(S, keyed("go on", "k1")).await.unwrap_err();
    expect!["key_reused: session `s1`: key `k1` was used for another message; use a new key for a new message"].assert_eq(&format!("{}: {other}", other.code()));
    let second = bench.hub.send(S, keyed("more", "k2")).await.unwrap();
    assert_eq!(bench.hub.send(S, keyed("more", "k2")).await.unwrap(), second);
    bench.hub.unqueue(S, &second.message).await.unwrap();
    assert_eq!(bench.hub.send(S, keyed("more", "k2")).await.unwrap(), sent("m2", Place::Gone));
    // Also after a restart.
    let again = bench.restart("=== reply\nDone.\n").await;
    assert_eq!(again.hub.send(S, keyed("go", "k1")).await.unwrap(), first);
    bench.close().await;
}

#[tokio::test]
async fn a_session_that_cannot_be_put_together_takes_no_message() {
    let bench = Bench::new("=== reply\nDone.\n").await;
    bench.break_shop("no_model", "no model was found; set a key");
    let error = bench.hub.send(S, "hi".into()).await.unwrap_err();
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        ("no_model", "no model was found; set a key")
    );
    assert!(bench.frames().await.is_empty());
    bench.close().await;
}

#[tokio::test]
async fn a_queue_is_bounded() {
    let bench = Bench::new("=== reply\n<sleep/>\n").await;
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until("tool.running").await;
    for _ in 0..100 {
        bench.hub.send(S, "more".into()).await.unwrap();
    }
    let error = bench.hub.send(S, "more".into()).await.unwrap_err();
    assert_eq!(error, HubError::QueueFull { session: S.to_owned(), limit: 100 });
    assert_eq!(bench.hub.health().queued, 100);
    bench.close().await;
}

#[tokio::test]
async fn messages_at_any_time_are_each_delivered_once() {
    let bench =
        Bench::new("=== delay 1ms\n=== chunk 3\n=== reply\n=== repeat forever\nDone with it.\n")
            .await;
    for n in 0..40_u32 {
        bench.hub.send(S, format!("n{n}").as_str().into()).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(u64::from(n * 7 % 11))).await;
    }
    while !bench.hub.queue(S).await.unwrap().is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    bench.hub.settled(S).await;
    let story = bench.story(&["message.user"]).await;
    let told: Vec<&str> = story.lines().filter_map(|line| line.rsplit(' ').next()).collect();
    let all: Vec<String> = (0..40).map(|n| format!("n{n}")).collect();
    assert_eq!(told, all);
    let ends = bench.story(&["run.finished", "run.failed"]).await;
    assert_eq!(ends.lines().count(), 40);
    bench.close().await;
}

#[tokio::test]
async fn a_message_for_the_next_pass_enters_the_turn() {
    let bench = Bench::new(
        "=== reply\n<sleep/>\n=== reply\n=== expect contains make it blue\nIt is blue.\n",
    )
    .await;
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until("tool.running").await;
    bench.hub.send(S, message("make it blue", Delivery::NextPass)).await.unwrap();
    assert_eq!(waiting(&bench).await, ["make it blue"]);
    assert_eq!(bench.hub.unqueue(S, "m2").await.unwrap_err().code(), "no_message");
    bench.hub.stop(S, Scope::Call(CallId("t1.1".to_owned()))).await.unwrap();
    bench.hub.settled(S).await;
    check(
        &bench,
        expect![[r#"
        - message.queued m1 go
        t1 run.started
        t1 message.user go
        t1 message.unqueued m1 sent
        - message.queued m2 make it blue
        t1 message.user make it blue
        t1 message.unqueued m2 sent
        t1 run.finished completed
    "#]],
    )
    .await;
    bench.close().await;
}
