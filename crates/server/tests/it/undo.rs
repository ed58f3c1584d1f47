//! What calls changed, and the way back, over HTTP.

use expect_test::{Expect, expect};

use crate::support::{House, JSON};

#[track_caller]
fn check(answer: &crate::support::Answer, expected: Expect) {
    let text = serde_json::to_string_pretty(&answer.json()).unwrap_or_default();
    expected.assert_eq(&format!("{} {text}", answer.status));
}

#[tokio::test]
async fn what_a_turn_changed_is_told() {
    let house = House::open().await;
    let id = house.session().await;
    let of = |asked: &str| format!("GET /api/sessions/{id}/changes{asked}");
    check(
        &house.asks(&of("?turn=1"), &[], "").await,
        expect![[r#"
        200 {
          "calls": [
            {
              "call": "t1.1",
              "tool": "write_file",
              "target": "a.txt"
            }
          ],
          "changes": [
            {
              "path": "a.txt",
              "verb": "change",
              "text": "-a\n+b\n"
            }
          ],
          "n_more": 0,
          "not_covered": []
        }"#]],
    );
    assert_eq!(house.asks(&of(""), &[], "").await.status, 200);
    let answers = [of("?turn=4"), of("?call=t9.9"), of("?turn=1&call=t1.1"), of("?turn=x")];
    let mut short = Vec::new();
    for line in answers {
        short.push(house.asks(&line, &[], "").await.short());
    }
    assert_eq!(
        short,
        ["404 nothing_to_undo", "404 nothing_to_undo", "400 bad_address", "400 bad_address"]
    );
}

#[tokio::test]
async fn it_is_brought_back_once_it_is_asked_for() {
    let house = House::open().await;
    let id = house.session().await;
    let line = format!("POST /api/sessions/{id}/undo");
    let dry = house.asks(&line, &[JSON], r#"{"turn":1,"dry_run":true,"force":true}"#).await.json();
    assert_eq!((&dry["n_done"], dry.get("undo")), (&0.into(), None));
    let left = house.asks(&line, &[JSON], "{}").await.json();
    assert_eq!(left["changes"][0]["left"], "changed since, by you");
    check(
        &house.asks(&line, &[JSON], r#"{"turn":1,"force":true}"#).await,
        expect![[r#"
        200 {
          "calls": [
            {
              "call": "t1.1",
              "tool": "write_file",
              "target": "a.txt"
            }
          ],
          "changes": [
            {
              "path": "a.txt",
              "verb": "change",
              "text": "-a\n+b\n"
            }
          ],
          "n_more": 0,
          "not_covered": [],
          "n_done": 1,
          "undo": "u1"
        }"#]],
    );
    assert_eq!(house.asks(&line, &[JSON], r#"{"call":"t1.1"}"#).await.short(), "409 undo_busy");
    assert_eq!(house.asks(&line, &[JSON], r#"{"turns":1}"#).await.short(), "400 bad_body");
}

#[tokio::test]
async fn nothing_is_brought_back_while_a_turn_runs() {
    let house = House::playing("=== reply\n<sleep/>\n").await;
    let id = house.session().await;
    let say = format!("POST /api/sessions/{id}/messages");
    assert_eq!(house.asks(&say, &[JSON], r#"{"text":"go"}"#).await.status, 202);
    house.wait_for(&id, |row| row["run"].as_str().map(str::to_owned)).await;
    let line = format!("POST /api/sessions/{id}/undo");
    assert_eq!(house.asks(&line, &[JSON], "{}").await.short(), "409 turn_running");
    assert_eq!(house.asks(&line, &[JSON], r#"{"dry_run":true}"#).await.status, 200);
}
