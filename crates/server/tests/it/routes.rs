//! What the routes do, one story each.

use expect_test::{Expect, expect, expect_file};
use serde_json::{Value, json};
use tagline_agent::{AtLimit, TurnLimits};
use tagline_protocol::Mode;
use tagline_server::{event_schema, openapi, route_table};

use crate::support::{Answer, House, JSON, Setup, guarded, kind, line};

/// The answer's JSON without what differs each time.
#[track_caller]
fn check(answer: &Answer, expected: Expect) {
    let mut json = answer.json();
    if let Some(error) = json.get_mut("error").and_then(Value::as_object_mut) {
        error.remove("request_id");
    }
    expected.assert_eq(&format!("{} {json:#}\n", answer.status));
}

const TURN: &str = "=== reply\nI count.\n<add why=\"first\"/>\n=== reply\nDone.\n";

#[tokio::test]
async fn a_session_is_begun_listed_shown_and_removed() {
    let house = House::open().await;
    let body = r#"{"title":"A site","workspace":"/work/site"}"#;
    let made = house.asks("POST /api/sessions", &[JSON], body).await;
    check(
        &made,
        expect![[r#"
        201 {
          "id": "s1",
          "title": "A site",
          "created": "2026-01-01T12:00:00.000Z",
          "updated": "2026-01-01T12:00:00.000Z",
          "workspace": "/work/site",
          "profile": "default",
          "last_seq": 1
        }
    "#]],
    );
    let list = house.asks("GET /api/sessions", &[], "").await;
    assert_eq!(list.json()["sessions"], json!([made.json()]));
    let part = house.asks("GET /api/sessions?limit=5&skip=1", &[], "").await;
    assert_eq!(part.json()["sessions"], json!([]));
    let shown = house.asks("GET /api/sessions/s1", &[], "").await.json();
    assert_eq!((&shown["queue"], &shown["approvals"]), (&json!([]), &json!([])));
    let half = house.asks("DELETE /api/sessions/s", &[], "").await;
    assert_eq!(half.short(), "400 bad_address");
    assert_eq!(house.asks("DELETE /api/sessions/s1", &[], "").await.status, 204);
    check(
        &house.asks("GET /api/sessions/s1", &[], "").await,
        expect![[r#"
        404 {
          "error": {
            "status": 404,
            "code": "no_session",
            "message": "there is no session `s1`; list them with `tagline sessions list`",
            "hint": "list the sessions with `/api/sessions`"
          }
        }
    "#]],
    );
    let relative = house.asks("POST /api/sessions", &[JSON], r#"{"workspace":"site"}"#).await;
    assert_eq!(relative.short(), "400 bad_body");
}

#[tokio::test]
async fn a_session_is_copied_searched_and_exported() {
    let house = House::playing(TURN).await;
    let id = house.session().await;
    house.say(&id, "count the apples").await;
    let copy = house.asks(&format!("POST /api/sessions/{id}/fork"), &[JSON], "{}").await;
    assert_eq!((copy.status, &copy.json()["id"]), (201, &json!("s2")));
    for (body, found) in [
        (r#"{"after":"t1"}"#, r#"201 "Branch after turn 1: count the apples""#),
        (r#"{"before":"t1"}"#, r#"201 "Branch from the start: count the apples""#),
        (r#"{"after":"t2"}"#, r#"404 "no_turn""#),
        (r#"{"after":"t1","before":"t1"}"#, r#"400 "bad_body""#),
        (r#"{"at":"t1"}"#, r#"400 "bad_body""#),
    ] {
        let copy = house.asks(&format!("POST /api/sessions/{id}/fork"), &[JSON], body).await;
        let json = copy.json();
        let told = json.get("title").unwrap_or(&json["error"]["code"]);
        assert_eq!(format!("{} {told}", copy.status), found, "{body}");
    }
    let hits = house.asks("GET /api/sessions/search?q=apples&limit=1", &[], "").await.json();
    assert_eq!(hits["hits"][0]["place"], "user");
    assert_eq!(hits["hits"].as_array().unwrap().len(), 1);
    let export = house.asks(&format!("GET /api/sessions/{id}/export"), &[], "").await;
    let seqs: Vec<u64> = export
        .text()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    assert_eq!(house.asks("GET /api/sessions/search", &[], "").await.short(), "400 bad_address");
}

#[tokio::test]
async fn a_message_with_a_key_is_taken_in_once() {
    let house = House::playing(TURN).await;
    let id = house.session().await;
    let line = format!("POST /api/sessions/{id}/messages");
    let key = [JSON, "Idempotency-Key: 0b1d"];
    let first = house.asks(&line, &key, r#"{"text":"count"}"#).await;
    let again = house.asks(&line, &key, r#"{"text":"count"}"#).await;
    assert_eq!(first.status, 202);
    assert_eq!(first.json()["message"], again.json()["message"]);
    let other = house.asks(&line, &key, r#"{"text":"count more"}"#).await;
    assert_eq!(other.short(), "409 key_reused");
    house.hub.settled(&id).await;
    let export = house.asks(&format!("GET /api/sessions/{id}/export"), &[], "").await.text();
    assert_eq!(export.matches("run.started").count(), 1);
}

#[tokio::test]
async fn a_request_with_a_key_is_done_once() {
    let house = House::open().await;
    let key = [JSON, "Idempotency-Key: 77"];
    let first = house.asks("POST /api/sessions", &key, "{}").await;
    let again = house.asks("POST /api/sessions", &key, "{}").await;
    assert_eq!((first.status, first.json()), (201, again.json()));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    let other = house.asks("POST /api/sessions", &key, r#"{"title":"a"}"#).await;
    assert_eq!(other.short(), "409 key_reused");
    let list = house.asks("GET /api/sessions", &[], "").await.json();
    assert_eq!(list["sessions"].as_array().unwrap().len(), 1);
    let refused = [JSON, "Idempotency-Key: 78"];
    assert_eq!(house.asks("POST /api/sessions", &refused, "[]").await.short(), "400 bad_body");
    assert_eq!(house.asks("POST /api/sessions", &refused, "{}").await.status, 201);
    let bad = [JSON, "Idempotency-Key: a b"];
    assert_eq!(house.asks("POST /api/sessions", &bad, "{}").await.short(), "400 bad_key");
}

#[tokio::test]
async fn what_waits_is_shown_and_taken_back_and_a_turn_is_stopped() {
    let house = House::playing("=== reply\n<sleep/>\n=== reply\nDone.\n").await;
    let id = house.session().await;
    let line = format!("POST /api/sessions/{id}/messages");
    let run = house.asks(&line, &[JSON], r#"{"text":"sleep"}"#).await.json();
    let waits = house.asks(&line, &[JSON], r#"{"text":"then this"}"#).await.json();
    assert_eq!((&run["run"], &waits["place"]), (&json!("t1"), &json!(1)));
    let queue = house.asks(&format!("GET /api/sessions/{id}/queue"), &[], "").await.json();
    assert_eq!(queue["queue"][0]["text"], "then this");
    let message = queue["queue"][0]["message"].as_str().unwrap();
    let back = format!("DELETE /api/sessions/{id}/queue/{message}");
    assert_eq!(house.asks(&back, &[], "").await.json()["text"], "then this");
    assert_eq!(house.asks(&back, &[], "").await.short(), "404 no_message");
    let stop = async |id: &str, body: &str| {
        house.asks(&format!("POST /api/runs/{id}/stop"), &[JSON], body).await.json()["was_running"]
            .clone()
    };
    assert_eq!(stop("s1:t9", r#"{"scope":"turn"}"#).await, false, "another turn is left alone");
    assert_eq!(stop("s1:t1", r#"{"scope":"turn"}"#).await, true);
    house.hub.settled(&id).await;
    assert_eq!(stop("s1:t1", r#"{"scope":"turn"}"#).await, false);
    assert_eq!(stop("s1", r#"{"scope":"all"}"#).await, false);
    let on = format!("POST /api/sessions/{id}/continue");
    assert_eq!(house.asks(&on, &[JSON], "{}").await.json()["run"], "t2");
    house.hub.settled(&id).await;
    assert_eq!(house.asks(&on, &[JSON], "{}").await.short(), "409 nothing_to_go_on");
}

#[tokio::test]
async fn a_question_is_answered_once() {
    let script = TURN.to_owned();
    let house = House::of(Setup { script, mode: Mode::Ask, ..Setup::default() }).await;
    let id = house.session().await;
    let line = format!("POST /api/sessions/{id}/messages");
    house.asks(&line, &[JSON], r#"{"text":"count"}"#).await;
    let asked = house.wait_for(&id, |shown| shown["approvals"].get(0).cloned()).await;
    assert_eq!(asked["tool"], "add");
    let answer = format!("POST /api/approvals/{}", asked["hash"].as_str().unwrap());
    let yes = json!({ "session": id, "allow": true }).to_string();
    let wrong = house.asks("POST /api/approvals/nothing", &[JSON], &yes).await;
    assert_eq!(wrong.short(), "404 no_approval");
    for (body, found) in [
        (json!({ "session": id, "allow": true, "arguments": {} }), "400 bad_edit"),
        (json!({ "session": id, "allow": true, "arguments": [] }), "400 bad_body"),
        (json!({ "session": id, "allow": false, "arguments": { "why": "x" } }), "400 bad_body"),
        (json!({ "session": id, "allow": true, "hunks": { "take": [0] } }), "400 bad_body"),
        (
            json!({ "session": id, "allow": true, "hunks": { "take": [0], "of": 2 } }),
            "400 bad_edit",
        ),
        (
            json!({ "session": id, "allow": true, "arguments": {}, "hunks": { "take": [0], "of": 2 } }),
            "400 bad_body",
        ),
    ] {
        let no = house.asks(&answer, &[JSON], &body.to_string()).await;
        assert_eq!(no.short(), found, "{body}");
    }
    let other = json!({ "session": id, "allow": true, "arguments": { "why": "pears" } });
    assert_eq!(house.asks(&answer, &[JSON], &other.to_string()).await.status, 204);
    let hash = asked["hash"].clone();
    let anew =
        |shown: &Value| Some(shown["approvals"].get(0)?.clone()).filter(|it| it["hash"] != hash);
    let asked = house.wait_for(&id, anew).await;
    assert_eq!(asked["shown"], "add\nwhy: pears");
    let answer = format!("POST /api/approvals/{}", asked["hash"].as_str().unwrap());
    assert_eq!(house.asks(&answer, &[JSON], &yes).await.status, 204);
    assert_eq!(house.asks(&answer, &[JSON], &yes).await.short(), "409 already_answered");
    house.hub.settled(&id).await;
    let export = house.asks(&format!("GET /api/sessions/{id}/export"), &[], "").await.text();
    assert_eq!(export.matches("\"tool.done\"").count(), 1);
}

#[tokio::test]
async fn a_session_has_a_mode_of_its_own() {
    let house = House::of(Setup { script: TURN.to_owned(), ..Setup::default() }).await;
    let (id, other) = (house.session().await, house.session().await);
    let mode = async |id: &str| {
        house.asks(&format!("GET /api/sessions/{id}"), &[], "").await.json()["mode"].clone()
    };
    assert_eq!(mode(&id).await, Value::Null, "what the settings say");
    let set = format!("POST /api/sessions/{id}/mode");
    let wrong = house.asks(&set, &[JSON], r#"{"mode":"everything"}"#).await;
    assert_eq!(wrong.short(), "400 bad_body");
    assert_eq!(house.asks(&set, &[JSON], r#"{"mode":"plan"}"#).await.status, 204);
    assert_eq!((mode(&id).await, mode(&other).await), (json!("plan"), Value::Null));
    house.say(&id, "count").await;
    let export = house.asks(&format!("GET /api/sessions/{id}/export"), &[], "").await.text();
    assert!(export.contains("\"mode\":\"plan\"") && !export.contains("tool.running"), "{export}");
}

#[tokio::test]
async fn a_bound_is_decided_and_an_interrupted_turn_goes_on() {
    let script = "=== reply\n<add why=\"first\"/>\n=== repeat forever\n".to_owned();
    let turns = TurnLimits { passes: 1, at_limit: AtLimit::Ask, ..TurnLimits::default() };
    let house = House::of(Setup { script, turns, ..Setup::default() }).await;
    let id = house.session().await;
    let line = format!("POST /api/sessions/{id}/messages");
    house.asks(&line, &[JSON], r#"{"text":"count"}"#).await;
    let bound = |shown: &Value| shown["budget"]["reason"].as_str().map(str::to_owned);
    assert_eq!(house.wait_for(&id, bound).await, "max_passes");
    let decide = format!("POST /api/sessions/{id}/budget");
    let wrong = house.asks(&decide, &[JSON], r#"{"answer":"maybe"}"#).await;
    assert_eq!(wrong.short(), "400 bad_body");
    assert_eq!(house.asks(&decide, &[JSON], r#"{"answer":"add"}"#).await.status, 204);
    house.wait_for(&id, bound).await;
    house.asks(&format!("POST /api/runs/{id}/stop"), &[JSON], r#"{"scope":"turn"}"#).await;
    house.hub.settled(&id).await;
    let late = house.asks(&decide, &[JSON], r#"{"answer":"stop"}"#).await;
    assert_eq!(late.code(), "no_budget");
    let again = house.asks(&format!("POST /api/sessions/{id}/continue"), &[JSON], "{}").await;
    assert_eq!((again.status, &again.json()["run"]), (202, &json!("t2")), "{again:?}");
    house.hub.shutdown(std::time::Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_part_that_is_not_well_is_told() {
    let house = House::open().await;
    assert_eq!(house.ask("GET /readyz", &[], "").await.status, 200);
    *house.stage.ill.lock().unwrap() = Some("disk".to_owned());
    let ready = house.ask("GET /readyz", &[], "").await;
    assert_eq!(ready.short(), "503 not_ready");
    assert!(!ready.body.contains("disk"), "details are for who has the token");
    let report = house.asks("GET /api/health", &[], "").await.json();
    assert_eq!((&report["is_well"], &report["checks"][0]["name"]), (&json!(false), &json!("disk")));
    house.hub.shutdown(std::time::Duration::from_secs(5)).await;
    let report = house.asks("GET /api/health", &[], "").await.json();
    assert_eq!(report["checks"][2]["detail"], "shutting down");
}

#[tokio::test]
async fn a_handler_that_panics_is_an_answer_and_the_server_lives() {
    let house = House::open().await;
    *house.stage.ill.lock().unwrap() = Some("panic with a key".to_owned());
    let answer = house.ask("GET /readyz", &[], "").await;
    assert_eq!(answer.short(), "500 internal");
    assert!(!answer.body.contains("key"), "{}", answer.body);
    assert_eq!(house.ask("GET /healthz", &[], "").await.status, 200);
}

#[tokio::test]
async fn settings_models_and_numbers_are_shown() {
    let house = House::open().await;
    check(
        &house.asks("GET /api/config", &[], "").await,
        expect![[r#"
        200 {
          "version": "0.1.0",
          "profile": "default",
          "workspace": "/work",
          "config": {
            "mode": "ask"
          }
        }
    "#]],
    );
    check(
        &house.asks("GET /api/models", &[], "").await,
        expect![[r#"
        200 {
          "models": [
            {
              "name": "test/script",
              "is_default": true
            }
          ]
        }
    "#]],
    );
    house.session().await;
    let text = house.asks("GET /metrics", &[], "").await.text();
    assert!(text.contains("tagline_http_answers_total{status=\"201\",code=\"ok\"} 1\n"), "{text}");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        assert!(line.rsplit(' ').next().unwrap().parse::<u64>().is_ok(), "{line}");
    }
}

#[tokio::test]
async fn looking_changes_nothing() {
    let house = House::playing(TURN).await;
    let id = house.session().await;
    house.say(&id, "count").await;
    let export = format!("GET /api/sessions/{id}/export");
    let before = house.asks(&export, &[], "").await.text();
    for route in route_table() {
        let path = line(route).replace("/x", &format!("/{id}"));
        let path = path.split(' ').nth(1).unwrap();
        for method in ["GET", "HEAD", "OPTIONS"] {
            if path.ends_with("/events") {
                continue;
            }
            house.asks(&format!("{method} {path}"), &[kind(route)], "").await;
        }
    }
    assert_eq!(house.asks(&export, &[], "").await.text(), before);
    let list = house.asks("GET /api/sessions", &[], "").await.json();
    assert_eq!(list["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn the_documents_are_what_the_types_say() {
    expect_file!["../../../../docs/openapi.json"].assert_eq(&format!("{:#}\n", openapi()));
    expect_file!["../../../../docs/events.schema.json"]
        .assert_eq(&format!("{:#}\n", event_schema()));
}

#[tokio::test]
async fn the_documents_are_served() {
    let house = House::open().await;
    assert_eq!(house.asks("GET /openapi.json", &[], "").await.json(), openapi());
    assert_eq!(house.asks("GET /schema/events.json", &[], "").await.json(), event_schema());
    let paths = openapi()["paths"].as_object().unwrap().len();
    let rows: std::collections::BTreeSet<_> = route_table().iter().map(|row| row.path).collect();
    assert_eq!(paths, rows.len());
    assert!(guarded().count() > 20);
}
