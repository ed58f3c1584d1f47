//! Readers: everything once, in order, from any position.

use std::time::Duration;

use expect_test::expect;
use serde_json::{Value, json};
use tagline_protocol::Mode;
use tagline_session::{Closed, HubLimits, Position, Resync, SNAPSHOT, Watched, Watching, Why};
use tagline_store::{Journal as _, MemoryJournal};

use super::bench::{Bench, S, read_to};

const SCRIPT: &str = "=== chunk 2\n=== reply\nI count.\n<add why=\"first\"/>\n=== reply\nDone.\n";

fn limits() -> HubLimits {
    HubLimits { window: Duration::ZERO, ..HubLimits::default() }
}

async fn resync(reader: &mut Watching<MemoryJournal>) -> Resync {
    let next = reader.next().await;
    let resync = next.clone().and_then(|next| match next {
        Watched::Resync(resync) => Some(resync),
        Watched::Frames(_) | Watched::Closed(_) => None,
    });
    resync.ok_or(next).unwrap()
}

#[tokio::test]
async fn a_reader_from_the_start_sees_what_was_and_what_comes() {
    let bench = Bench::new(SCRIPT).await;
    let mut early = bench.watch("").await;
    bench.hub.send(S, "count".into()).await.unwrap();
    bench.hub.settled(S).await;
    let last = bench.frames().await.len() as u64;
    let mut late = bench.watch("").await;
    assert_eq!(read_to(&mut early, 0, last).await, last);
    assert_eq!(read_to(&mut late, 0, last).await, last);
    let mut middle = bench.watch("s1:7").await;
    assert_eq!(read_to(&mut middle, 7, last).await, last);
    assert_eq!(bench.hub.health().watchers, 3);
    drop((early, late, middle));
    assert_eq!(bench.hub.health().watchers, 0);
    bench.close().await;
}

#[tokio::test]
async fn a_position_that_is_none_gets_the_state_once_and_then_what_comes() {
    let bench = Bench::with(SCRIPT, Mode::Full, limits()).await;
    for (position, why) in [("s1:99", Why::Future), ("s2:1", Why::Foreign), ("-1", Why::Foreign)] {
        let mut reader = bench.watch(position).await;
        let resync = resync(&mut reader).await;
        assert_eq!((resync.why, resync.snapshot.kind), (why, SNAPSHOT), "{position}");
    }
    bench.close().await;
}

#[tokio::test]
async fn a_snapshot_draws_the_session() {
    let bench = Bench::with(SCRIPT, Mode::Full, limits()).await;
    bench.hub.send(S, "count".into()).await.unwrap();
    bench.hub.settled(S).await;
    let last = bench.frames().await.len() as u64;
    let mut reader = bench.watch("elsewhere").await;
    let resync = resync(&mut reader).await;
    assert_eq!(resync.snapshot.seq, last);
    let mut event: Value = serde_json::from_slice(&resync.snapshot.json).unwrap();
    let frames = event["state"]["frames"].take();
    event["seq"].take();
    let kinds: Vec<_> = frames.as_array().unwrap().iter().map(|it| it["type"].as_str()).collect();
    let kinds: String = kinds.into_iter().flatten().map(|kind| format!("{kind} ")).collect();
    expect![[r#"
        {
          "v": 1,
          "seq": null,
          "ts": "2026-01-01T12:00:00.000Z",
          "session": "s1",
          "type": "state.snapshot",
          "why": "foreign",
          "state": {
            "title": "count",
            "workspace": "/work",
            "profile": "default",
            "created": "2026-01-01T12:00:00.000Z",
            "run": null,
            "approvals": [],
            "budget": null,
            "queue": [],
            "earlier": null,
            "frames": null
          }
        }
        message.queued run.started message.user message.unqueued pass.started say.start say.delta say.end tool.opening tool.attr message.assistant tool.ready pass.finished tool.running tool.done audit message.results pass.started say.start say.delta say.end message.assistant pass.finished run.finished 
    "#]]
    .assert_eq(&format!("{event:#}\n{kinds}\n"));
    bench.close().await;
}

#[tokio::test]
async fn a_gap_that_is_too_long_is_answered_with_the_state() {
    let bench = Bench::with(SCRIPT, Mode::Full, HubLimits { replay: 5, ..limits() }).await;
    bench.hub.send(S, "count".into()).await.unwrap();
    bench.hub.settled(S).await;
    let mut reader = bench.watch("").await;
    assert!(matches!(reader.next().await, Some(Watched::Resync(it)) if it.why == Why::Gap));
    bench.close().await;
}

#[tokio::test]
async fn a_reader_that_stops_is_closed_where_it_can_go_on() {
    let tight = HubLimits { tail_frames: 4, ..limits() };
    let bench = Bench::with(SCRIPT, Mode::Full, tight).await;
    let mut slow = bench.watch("").await;
    // It has kept up once.
    let waits = tokio::time::timeout(Duration::from_millis(5), slow.next()).await;
    assert!(waits.is_err());
    bench.hub.send(S, "count".into()).await.unwrap();
    bench.hub.settled(S).await;
    assert_eq!(slow.next().await, Some(Watched::Closed(Closed::Slow { after: 0 })));
    assert_eq!(slow.next().await, None);
    let last = bench.frames().await.len() as u64;
    let mut again = bench.watch("0").await;
    assert_eq!(read_to(&mut again, 0, last).await, last);
    bench.close().await;
}

#[tokio::test]
async fn readers_are_told_to_come_back_when_the_process_ends() {
    let bench = Bench::new("=== reply\n<sleep/>\n").await;
    let mut reader = bench.watch("").await;
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until("tool.running").await;
    bench.hub.shutdown(Duration::from_secs(5)).await;
    let last = bench.frames().await.len() as u64;
    assert_eq!(read_to(&mut reader, 0, last).await, last);
    let closed = Watched::Closed(Closed::ShuttingDown { after: last });
    assert_eq!(reader.next().await, Some(closed));
}

#[tokio::test]
async fn readers_are_counted_and_bounded() {
    let bench = Bench::new(SCRIPT).await;
    let mut readers = Vec::new();
    for _ in 0..32 {
        readers.push(bench.watch("").await);
    }
    let error = bench.hub.watch(S, Position::Start).await.unwrap_err();
    assert_eq!(error.code(), "too_many_watchers");
    readers.pop();
    bench.watch("").await;
    bench.close().await;
}

#[tokio::test]
async fn a_reader_sees_what_another_process_writes() {
    let bench = Bench::new(SCRIPT).await;
    let mut reader = bench.watch("").await;
    let other = bench.beside(SCRIPT);
    other.hub.send(S, "count".into()).await.unwrap();
    other.hub.settled(S).await;
    let last = bench.frames().await.len() as u64;
    assert_eq!(read_to(&mut reader, 0, last).await, last);
    bench.close().await;
    other.close().await;
}

#[tokio::test]
async fn readers_of_a_deleted_session_are_told_so() {
    let bench = Bench::new(SCRIPT).await;
    let mut reader = bench.watch("").await;
    assert!(tokio::time::timeout(Duration::from_millis(5), reader.next()).await.is_err());
    bench.journal.delete(S).await.unwrap();
    assert_eq!(reader.next().await, Some(Watched::Closed(Closed::Gone { after: 0 })));
    bench.close().await;
}

/// What frames say, piece by piece: the texts of pieces that stand next to each other are one.
fn said(frames: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let mut said: Vec<Value> = Vec::new();
    for mut frame in frames {
        let delta = frame["delta"].take();
        for place in ["seq", "from", "ts", "delta"] {
            frame.as_object_mut().unwrap().remove(place);
        }
        match (said.last_mut(), delta.as_str()) {
            (Some(last), Some(more)) if last["frame"] == frame => {
                let text = format!("{}{more}", last["text"].as_str().unwrap());
                last["text"] = text.into();
            }
            _ => said.push(json!({ "frame": frame, "text": delta })),
        }
    }
    said
}

#[tokio::test(start_paused = true)]
async fn pieces_are_joined_for_a_reader_and_say_the_same() {
    let script = "=== chunk 1\n=== delay 1ms\n=== reply\nA longer answer, letter by letter.\n\
        <add why=\"one of many\"/>\n=== reply\nDone with all of it.\n";
    let bench = Bench::new(script).await;
    let mut reader = bench.watch("").await;
    let mut live = Vec::new();
    bench.hub.send(S, "go".into()).await.unwrap();
    while !live.last().is_some_and(|last: &Value| last["type"] == "run.finished") {
        let next = reader.next().await;
        let Some(Watched::Frames(frames)) = next else { break };
        live.extend(frames.iter().map(|it| serde_json::from_slice::<Value>(&it.json).unwrap()));
    }
    let stored = bench.frames().await.into_iter().map(|it| serde_json::to_value(it).unwrap());
    let stored: Vec<Value> = stored.collect();
    assert!(live.len() * 2 < stored.len(), "{} frames of {}", live.len(), stored.len());
    assert_eq!(said(live), said(stored));
    bench.close().await;
}
