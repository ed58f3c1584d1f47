//! What must go on, and what must not be lost.

use std::time::Duration;

use fastrand::Rng;
use serde_json::{Value, json};
use tagline_protocol::Mode;

use crate::support::{House, JSON, Setup};

pub(super) async fn too_much() -> String {
    let house = House::open().await;
    let (huge, deep) = ("x".repeat(64 * 1_048_576), "[".repeat(100_000));
    let deep = format!(r#"{{"text":{deep}"#);
    let headers: Vec<String> = (0..10_000).map(|n| format!("X-{n}: y")).collect();
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let (body, depth, head, other) = tokio::join!(
        house.asks("POST /api/chat", &[JSON], &huge),
        house.asks("POST /api/chat", &[JSON], &deep),
        house.asks("POST /api/chat", &headers, ""),
        house.asks("GET /api/sessions", &[], ""),
    );
    assert_eq!(other.status, 200);
    let seen = [body.short(), depth.short(), head.short()];
    assert_eq!(seen, ["413 body_too_large", "400 json_too_deep", "431 head_too_large"]);
    format!("{}; others 200", seen.join(", "))
}

/// The records of a session.
async fn records(house: &House, id: &str) -> Vec<Value> {
    let text = house.asks(&format!("GET /api/sessions/{id}/export"), &[], "").await.text();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn count(records: &[Value], kind: &str) -> usize {
    records.iter().filter(|record| record["type"] == kind).count()
}

pub(super) async fn messages_at_any_time() -> String {
    let house = House::playing("=== reply\nDone.\n=== repeat forever\n").await;
    let id = house.session().await;
    let (mut random, line) = (Rng::with_seed(16), format!("POST /api/sessions/{id}/messages"));
    for n in 0..40 {
        let delivery = ["now", "next_pass", "when_done"][random.usize(..3)];
        let body = json!({ "text": format!("message {n}."), "delivery": delivery }).to_string();
        assert_eq!(house.asks(&line, &[JSON], &body).await.status, 202);
        tokio::time::sleep(Duration::from_micros(random.u64(..3_000))).await;
    }
    let queue = format!("GET /api/sessions/{id}/queue");
    while house.asks(&queue, &[], "").await.json()["queue"] != json!([]) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    house.hub.settled(&id).await;
    let records = records(&house, &id).await;
    for n in 0..40 {
        let is_it =
            |r: &&Value| r["type"] == "message.user" && r["text"] == format!("message {n}.");
        assert_eq!(records.iter().filter(is_it).count(), 1, "message {n}");
    }
    assert_eq!(count(&records, "run.started"), count(&records, "run.finished"));
    "40 of 40 in the transcript, each once".to_owned()
}

pub(super) async fn sent_again() -> String {
    let house = House::open().await;
    let id = house.session().await;
    let line = format!("POST /api/sessions/{id}/messages");
    let headers = [JSON, "Idempotency-Key: 4f1c"];
    let first = house.asks(&line, &headers, r#"{"text":"count"}"#).await.json();
    let again = house.asks(&line, &headers, r#"{"text":"count"}"#).await.json();
    assert_eq!(first["message"], again["message"]);
    house.hub.settled(&id).await;
    assert_eq!(count(&records(&house, &id).await, "run.started"), 1);
    "1 turn, the same message".to_owned()
}

pub(super) async fn stops() -> String {
    let house = House::playing("=== reply\n=== pause 20ms\nDone.\n=== repeat forever\n").await;
    let id = house.session().await;
    let mut random = Rng::with_seed(22);
    for _ in 0..20 {
        let line = format!("POST /api/sessions/{id}/messages");
        house.asks(&line, &[JSON], r#"{"text":"count"}"#).await;
        tokio::time::sleep(Duration::from_micros(random.u64(..40_000))).await;
        for _ in 0..3 {
            let stop = format!("POST /api/runs/{id}/stop");
            assert_eq!(house.asks(&stop, &[JSON], r#"{"scope":"all"}"#).await.status, 200);
        }
        house.hub.settled(&id).await;
    }
    let records = records(&house, &id).await;
    let started = count(&records, "run.started");
    let ended = count(&records, "run.finished") + count(&records, "run.failed");
    assert_eq!(started, ended);
    "every turn that began has one end".to_owned()
}

pub(super) async fn a_question_over_a_restart() -> String {
    let script = "=== reply\n<add why=\"first\"/>\n=== reply\nDone.\n".to_owned();
    let mut house = House::of(Setup { script, mode: Mode::Ask, ..Setup::default() }).await;
    let id = house.session().await;
    let line = format!("POST /api/sessions/{id}/messages");
    house.asks(&line, &[JSON], r#"{"text":"count"}"#).await;
    let question = |shown: &Value| Some(shown["approvals"].get(0)?["hash"].as_str()?.to_owned());
    let hash = house.wait_for(&id, question).await;
    house.reopen().await;
    assert_eq!(house.wait_for(&id, question).await, hash, "it still waits");
    let answer = format!("POST /api/approvals/{hash}");
    let yes = json!({ "session": id, "allow": true }).to_string();
    let (one, two) =
        tokio::join!(house.asks(&answer, &[JSON], &yes), house.asks(&answer, &[JSON], &yes));
    let mut seen = [one.short(), two.short()];
    seen.sort();
    assert_eq!(seen, ["204", "409 already_answered"]);
    house.hub.settled(&id).await;
    assert_eq!(count(&records(&house, &id).await, "tool.done"), 1);
    format!("{}; the call ran once", seen.join(" and "))
}
