//! Images: named by their hash in what is sent, and fetched by it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use expect_test::expect;
use serde_json::{Value, json};
use tagline_protocol::Event;
use tagline_store::{Durability, Journal as _, NewEvent};

use crate::{
    stage::NOON,
    support::{Answer, House, JSON},
    tail::Tail,
};

/// A red pixel.
pub(crate) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";

async fn get(house: &House, path: &str, headers: &[&str]) -> Answer {
    house.asks(&format!("GET /api/media/{path}"), headers, "").await
}

/// The frames of the first turn, as a reader is sent them who comes afterwards.
async fn frames(house: &House, session: &str) -> Vec<Value> {
    let seen = Tail::events(house, session, &[]).await.until("run.finished").await;
    seen.iter().map(|message| serde_json::from_str(&message.data).unwrap()).collect()
}

/// The hash in the first event of this type that names an image.
fn named(frames: &[Value], kind: &str, field: &str) -> String {
    let frame = frames.iter().find(|frame| frame["type"] == kind).unwrap();
    let url = frame[field][0]["url"].as_str().unwrap();
    url.strip_prefix("media:").unwrap().to_owned()
}

#[tokio::test]
async fn an_attached_image_is_named_by_its_hash_and_served_as_what_it_is() {
    let house = House::open().await;
    let id = house.session().await;
    let image = json!({
        "url": format!("data:image/png;base64,{PNG}"), "media_type": "image/png", "label": "dot",
    });
    let body = json!({ "text": "look", "media": [image] }).to_string();
    let send = format!("POST /api/sessions/{id}/messages");
    assert_eq!(house.asks(&send, &[JSON], &body).await.status, 202);
    house.hub.settled(&id).await;
    let frames = frames(&house, &id).await;
    assert!(!format!("{frames:?}").contains(PNG), "a stream names images only");
    let hash = named(&frames, "message.user", "media");
    assert_eq!(hash, named(&frames, "message.queued", "media"));
    let served = get(&house, &hash, &[]).await;
    let header = |name| served.header(name).unwrap_or_default().to_owned();
    let shown = [
        "content-type",
        "content-length",
        "content-disposition",
        "x-content-type-options",
        "content-security-policy",
        "cache-control",
        "vary",
    ];
    let shown: String = shown.iter().map(|name| format!("{name}: {}\n", header(name))).collect();
    expect![[r#"
        content-type: image/png
        content-length: 69
        content-disposition: attachment
        x-content-type-options: nosniff
        content-security-policy: default-src 'none'; frame-ancestors 'none'; sandbox
        cache-control: private, max-age=31536000, immutable
        vary: authorization
    "#]]
    .assert_eq(&shown);
    assert_eq!(served.bytes, STANDARD.decode(PNG).unwrap());
    let seen = format!("If-None-Match: \"{hash}\"");
    let again = get(&house, &hash, &[&seen]).await;
    assert_eq!((again.status, again.bytes.len()), (304, 0));
    let export = house.asks(&format!("GET /api/sessions/{id}/export"), &[], "").await.text();
    assert!(export.contains(PNG), "the journal has it whole");
}

#[tokio::test]
async fn what_says_it_is_a_page_is_served_as_bytes() {
    let house = House::playing("=== reply\nDone.\n=== repeat forever\n").await;
    let page = STANDARD.encode("<script>alert(1)</script>");
    for media_type in ["text/html", "image/svg+xml"] {
        let id = house.session().await;
        let image = json!({
            "url": format!("data:{media_type};base64,{page}"), "media_type": media_type, "label": "",
        });
        let body = json!({ "text": "look", "media": [image] }).to_string();
        house.asks(&format!("POST /api/sessions/{id}/messages"), &[JSON], &body).await;
        house.hub.settled(&id).await;
        let hash = named(&frames(&house, &id).await, "message.user", "media");
        let served = get(&house, &hash, &[]).await;
        assert_eq!(served.header("content-type"), Some("application/octet-stream"));
        assert_eq!(served.header("content-disposition"), Some("attachment"));
    }
}

#[tokio::test]
async fn an_image_that_nobody_was_shown_is_found_in_the_session_that_is_named() {
    let house = House::open().await;
    let id = house.session().await;
    let done = Event::ToolDone {
        event: "file_read".to_owned(),
        payload: Value::Null,
        echo: "a.png".to_owned(),
        media: vec![
            serde_json::from_value(json!({
                "url": format!("data:image/png;base64,{PNG}"),
                "media_type": "image/png",
                "label": "a.png",
            }))
            .unwrap(),
        ],
        ms: 1,
    };
    let event = NewEvent { run: None, turn: None, call: None, ts: NOON.to_owned(), event: done };
    house.hub.journal().append(&id, vec![event], Durability::Full).await.unwrap();
    let hash = "2e9b06dc65a4dec84a3eb3124553ec93ca27c78221e64ab2177d0f1412cfcb20";
    assert_eq!(get(&house, hash, &[]).await.short(), "404 no_media");
    assert_eq!(get(&house, &format!("{hash}?session={id}"), &[]).await.status, 200);
    assert_eq!(get(&house, hash, &[]).await.status, 200, "from now on it is known");
    assert_eq!(house.asks(&format!("DELETE /api/sessions/{id}"), &[], "").await.status, 204);
    assert_eq!(get(&house, hash, &[]).await.short(), "404 no_media", "it went with its session");
}

#[tokio::test]
async fn what_is_no_hash_or_no_session_is_refused() {
    let house = House::open().await;
    let unknown = "0".repeat(64);
    for path in ["abc2", "..", "%2e%2e%2fetc", &unknown, &"A".repeat(64)] {
        assert_eq!(get(&house, path, &[]).await.short(), "404 no_media", "{path}");
    }
    let elsewhere = get(&house, &format!("{unknown}?session=none"), &[]).await;
    assert_eq!(elsewhere.short(), "404 no_session");
    let more = get(&house, &format!("{unknown}?other=1"), &[]).await;
    assert_eq!(more.short(), "400 bad_address");
}
