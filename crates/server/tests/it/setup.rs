//! Providers, keys and settings over HTTP.

use expect_test::{Expect, expect};
use tagline_server::{Repeats, route_table};

use crate::support::{Answer, House, JSON, guarded};

const KEY: &str = "good-canary-0123456789";

#[track_caller]
fn check(answer: &Answer, expected: Expect) {
    let text = serde_json::to_string_pretty(&answer.json()).unwrap_or_default();
    expected.assert_eq(&format!("{} {text}", answer.status));
}

#[tokio::test]
async fn a_key_is_kept_once_it_is_taken_and_never_shown() {
    let house = House::open().await;
    let line = "PUT /api/keys/test";
    let put = async |body: &str| house.asks(line, &[JSON], body).await;
    assert_eq!(put(r#"{"key":"wrong-0123456789"}"#).await.short(), "422 key_refused");
    assert_eq!(put(r#"{"key":"away-0123456789"}"#).await.short(), "502 provider_unreachable");
    let kept = put(r#"{"key":"away-0123456789","keep_unreachable":true}"#).await;
    assert_eq!(kept.json()["is_proven"], false);
    let kept = put(&format!(r#"{{"key":"{KEY}"}}"#)).await;
    check(
        &kept,
        expect![[r#"
            200 {
              "provider": {
                "name": "test",
                "address": "https://models.test",
                "is_server": false,
                "takes_key": true,
                "key": {
                  "from": "file",
                  "is_another_kept": false
                },
                "state": "ready",
                "models": [
                  "test/m1"
                ]
              },
              "is_proven": true,
              "notes": []
            }"#]],
    );
    let list = house.asks("GET /api/providers", &[], "").await;
    assert_eq!(list.json()["providers"][0], kept.json()["provider"]);
    assert!(!list.body.contains("canary") && !kept.body.contains("canary"));
    let other = house.asks("PUT /api/keys/tset", &[JSON], r#"{"key":"good-0123456789"}"#).await;
    assert_eq!(other.short(), "404 no_provider");
    assert_eq!(house.asks("DELETE /api/keys/test", &[], "").await.status, 204);
    assert_eq!(house.asks("DELETE /api/keys/test", &[], "").await.short(), "404 no_kept_key");
}

#[tokio::test]
async fn what_is_wrong_with_a_body_is_told_without_its_words() {
    let house = House::open().await;
    let bodies = [
        format!(r#"{{"{KEY}":1}}"#),
        format!(r#"{{"key":{{"{KEY}":1}}}}"#),
        format!(r#"{{"key":"good-0123456789","keep_unreachable":"{KEY}"}}"#),
        format!(r#"{{"key":"{KEY}""#),
        format!(r#"["{KEY}"]"#),
    ];
    for body in bodies {
        let answer = house.asks("PUT /api/keys/test", &[JSON], &body).await;
        assert_eq!(answer.short(), "400 bad_body");
        assert!(!answer.body.contains("canary"), "{}", answer.body);
    }
    assert!(house.stage.key.lock().unwrap().is_none());
}

#[tokio::test]
async fn a_setting_is_set_and_taken_out() {
    let house = House::open().await;
    let set = house.asks("PUT /api/settings/model", &[JSON], r#"{"value":"test/m1"}"#).await;
    assert_eq!(set.json(), serde_json::json!({ "name": "model", "value": "test/m1" }));
    let unset = house.asks("DELETE /api/settings/model", &[], "").await;
    assert_eq!(unset.json(), serde_json::json!({ "name": "model" }));
    let other = house.asks("PUT /api/settings/mode", &[JSON], r#"{"value":"full"}"#).await;
    assert_eq!(other.short(), "404 no_setting");
}

/// What a repeated request is compared with is kept, so that no such route may take a key.
#[test]
fn nothing_is_kept_of_a_request_with_a_key() {
    let rows = route_table().iter().filter(|row| row.path.starts_with("/api/keys"));
    assert!(rows.clone().count() > 1 && rows.clone().all(|row| row.repeats == Repeats::Free));
    let guarded = guarded().filter(|row| row.path.starts_with("/api/keys")).count();
    assert_eq!(guarded, rows.count());
}
