//! Streams of events over HTTP.

use std::time::Duration;

use serde_json::{Value, json};
use tagline_server::{Config, Limits, sse::Message};

use crate::{
    support::{House, JSON},
    tail::Tail,
};

const TURN: &str =
    "=== reply\nI count.\n<add why=\"first\"/>\n=== reply\nDone.\n=== repeat forever\n";

fn json_of(message: &Message) -> Value {
    serde_json::from_str(&message.data).unwrap()
}

/// Asserts that the messages follow on each other, and returns the last number.
#[track_caller]
fn dense(after: u64, messages: &[Message]) -> u64 {
    messages.iter().fold(after, |after, message| {
        let json = json_of(message);
        let seq = json["seq"].as_u64().unwrap();
        let from = json["from"].as_u64().unwrap_or(seq);
        assert_eq!(from, after + 1, "a hole or a double before {message:?}");
        assert_eq!(message.id, format!("{}:{seq}", json["session"].as_str().unwrap()));
        assert_eq!(json["type"], message.event);
        seq
    })
}

#[tokio::test]
async fn a_stream_shows_what_happened_and_then_what_happens() {
    let house = House::playing(TURN).await;
    let id = house.session().await;
    house.say(&id, "count").await;
    let mut tail = Tail::events(&house, &id, &[]).await;
    assert!(tail.head.contains("content-type: text/event-stream"), "{}", tail.head);
    assert!(tail.head.contains("cache-control: no-cache, no-transform"));
    assert!(tail.head.contains("x-accel-buffering: no"));
    let after = dense(0, &tail.until("run.finished").await);
    assert_eq!(tail.reader.retry(), Some(1_000));
    house.say(&id, "again").await;
    dense(after, &tail.until("run.finished").await);
}

#[tokio::test]
async fn both_ways_to_name_a_position_mean_the_same() {
    let house = House::playing(TURN).await;
    let id = house.session().await;
    house.say(&id, "count").await;
    for (query, header) in [
        ("?after=5", None),
        ("?after=s1:5", None),
        ("", Some("Last-Event-ID: 5")),
        ("", Some("Last-Event-ID: s1:5")),
        ("?after=2", Some("Last-Event-ID: s1:5")),
    ] {
        let line = format!("GET /api/sessions/{id}/events{query}");
        let headers: Vec<&str> = header.into_iter().collect();
        let mut tail = Tail::open(&house, &line, &headers, "").await;
        dense(5, &tail.until("run.finished").await);
    }
}

#[tokio::test]
async fn a_position_that_is_none_gets_one_snapshot_and_then_goes_on() {
    let house = House::playing(TURN).await;
    let id = house.session().await;
    house.say(&id, "count").await;
    for (position, why) in
        [("999999", "future"), ("other:3", "foreign"), ("-1", "foreign"), ("x", "foreign")]
    {
        let header = format!("Last-Event-ID: {position}");
        let mut tail = Tail::events(&house, &id, &[&header]).await;
        let first = tail.next().await.unwrap();
        assert_eq!(
            (first.event.as_str(), &json_of(&first)["why"]),
            ("state.snapshot", &json!(why))
        );
        let seq = json_of(&first)["seq"].as_u64().unwrap();
        house.say(&id, "again").await;
        dense(seq, &tail.until("run.finished").await);
    }
}

#[tokio::test]
async fn silence_is_broken_by_a_comment() {
    let limits = Limits { heartbeat: Duration::from_millis(20), ..Limits::default() };
    let house = House::with(Config { limits, ..Config::loopback(0) }).await;
    let id = house.session().await;
    let mut tail = Tail::events(&house, &id, &[]).await;
    while tail.reader.n_comments() < 3 {
        assert_ne!(tail.read(1_024).await, 0);
    }
}

#[tokio::test]
async fn a_replaced_token_ends_streams_with_a_reason_and_nothing_behind_it() {
    let house = House::playing(TURN).await;
    let id = house.session().await;
    let mut tail = Tail::events(&house, &id, &[]).await;
    house.say(&id, "count").await;
    tail.until("run.finished").await;
    house.tokens.rotate().unwrap();
    house.say(&id, "again").await;
    let last = tail.next().await.unwrap();
    assert_eq!(last.event, "stream.closed");
    assert_eq!(json_of(&last)["why"], "token_replaced");
    assert_eq!(tail.next().await, None);
}

#[tokio::test]
async fn a_reader_that_does_not_read_loses_its_stream_too() {
    let house = House::playing(TURN).await;
    let id = house.session().await;
    let _deaf = Tail::events(&house, &id, &[]).await;
    assert_eq!(house.hub.health().watchers, 1);
    house.tokens.rotate().unwrap();
    while house.hub.health().watchers > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_server_that_stops_tells_its_readers_where_to_go_on() {
    let mut house = House::playing(TURN).await;
    let id = house.session().await;
    let mut tail = Tail::events(&house, &id, &[]).await;
    house.say(&id, "count").await;
    let after = dense(0, &tail.until("run.finished").await);
    house.stop.cancel();
    let last = tail.next().await.unwrap();
    let expected = json!({ "why": "shutting_down", "after": format!("{id}:{after}") });
    assert_eq!((last.event.as_str(), json_of(&last)), ("stream.closed", expected));
    (&mut house.served).await.unwrap();
}

#[tokio::test]
async fn whoever_watches_a_turn_sees_its_end_also_where_the_server_stops() {
    let house = House::playing("=== reply\n<sleep/>\n").await;
    let id = house.session().await;
    let mut tail = Tail::events(&house, &id, &[]).await;
    let send = format!("POST /api/sessions/{id}/messages");
    assert_eq!(house.asks(&send, &[JSON], r#"{"text":"sleep"}"#).await.status, 202);
    tail.until("tool.running").await;
    assert!(house.hub.shutdown(Duration::from_secs(60)).await);
    house.stop.cancel();
    let seen = tail.until("stream.closed").await;
    let kinds: Vec<&str> = seen.iter().map(|message| message.event.as_str()).collect();
    assert!(kinds.ends_with(&["run.finished", "stream.closed"]), "{kinds:?}");
}

#[tokio::test]
async fn a_removed_session_ends_its_streams() {
    let house = House::playing(TURN).await;
    let id = house.session().await;
    let mut tail = Tail::events(&house, &id, &[]).await;
    assert_eq!(house.asks(&format!("DELETE /api/sessions/{id}"), &[], "").await.status, 204);
    let last = tail.until("stream.closed").await;
    assert_eq!(json_of(last.last().unwrap())["why"], "gone");
}

#[tokio::test]
async fn one_client_has_so_many_streams_and_room_again_when_one_ends() {
    let house = House::open().await;
    let id = house.session().await;
    let mut open = Vec::new();
    for _ in 0..32 {
        open.push(Tail::events(&house, &id, &[]).await);
    }
    let line = format!("GET /api/sessions/{id}/events");
    let more = house.asks(&line, &[], "").await;
    assert!(["too_many_streams", "too_many_watchers"].contains(&more.code().as_str()));
    assert_eq!(more.status, 429);
    assert_eq!(house.ask("GET /healthz", &[], "").await.status, 200);
    open.pop();
    while house.hub.health().watchers > 31 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Tail::events(&house, &id, &[]).await;
}

#[tokio::test]
async fn a_message_in_gives_the_events_of_its_turn_out() {
    let house = House::playing(TURN).await;
    let mut tail = Tail::open(&house, "POST /api/chat", &[JSON], r#"{"text":"count"}"#).await;
    let mut seen = Vec::new();
    while let Some(message) = tail.next().await {
        seen.push(message);
    }
    dense(0, &seen);
    assert_eq!(seen.last().unwrap().event, "run.finished");
    let body = r#"{"session":"s1","text":"again"}"#;
    let mut tail = Tail::open(&house, "POST /api/chat", &[JSON], body).await;
    let first = tail.next().await.unwrap();
    assert_eq!(json_of(&first)["type"], "message.queued");
    assert_eq!(tail.until("run.finished").await.last().unwrap().event, "run.finished");
}

#[tokio::test]
async fn closing_a_stream_stops_no_turn() {
    let script = "=== reply\n=== pause 300ms\nDone.\n";
    let house = House::playing(script).await;
    let mut tail = Tail::open(&house, "POST /api/chat", &[JSON], r#"{"text":"count"}"#).await;
    tail.until("pass.started").await;
    drop(tail);
    house.hub.settled("s1").await;
    let export = house.asks("GET /api/sessions/s1/export", &[], "").await.text();
    assert!(export.contains("\"completed\""), "{export}");
}
