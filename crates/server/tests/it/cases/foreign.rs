//! What pages of others send, and under which names.

use tagline_server::{Config, Reads};

use crate::support::{House, JSON, line, mutating, request};

const SAY: &str = r#"{"text":"owned"}"#;

const CROSS: [&str; 3] =
    ["Origin: http://evil.test", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors"];

/// Asserts that nothing was begun.
async fn untouched(house: &House) {
    let list = house.asks("GET /api/sessions", &[], "").await.json();
    assert_eq!(list["sessions"], serde_json::json!([]));
}

pub(super) async fn simple() -> String {
    let house = House::open().await;
    let kind = "Content-Type: text/plain";
    let page = house.ask("POST /api/chat", &[&CROSS[..], &[kind]].concat(), SAY).await;
    let program = house.ask("POST /api/chat", &[kind], SAY).await;
    let signed_in = house.asks("POST /api/chat", &[kind], SAY).await;
    let seen = [page.short(), program.short(), signed_in.short()];
    assert_eq!(seen, ["403 foreign_origin", "401 token_missing", "415 content_type"]);
    untouched(&house).await;
    format!("{}; without its headers {}; with the token {}; no session", seen[0], seen[1], seen[2])
}

pub(super) async fn blob() -> String {
    let house = House::open().await;
    let seen = house.asks("POST /api/chat", &[], SAY).await.short();
    assert_eq!(seen, "415 content_type");
    untouched(&house).await;
    format!("{seen}; no session")
}

pub(super) async fn forms() -> String {
    let house = House::open().await;
    let token = house.tokens.show();
    let mut n = 0;
    for route in mutating().filter(|route| route.reads != Reads::Nothing) {
        for kind in ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
            let kind = format!("Content-Type: {kind}");
            let page = house.ask(&line(route), &[&CROSS[..], &[&kind]].concat(), SAY).await;
            let signed_in = house.asks(&line(route), &[&kind], SAY).await;
            assert_eq!((page.status, signed_in.status), (403, 415), "{}", line(route));
            n += 1;
        }
    }
    untouched(&house).await;
    assert_eq!(house.tokens.show(), token);
    format!("{n} forms: 403 each, and 415 with the token; nothing changed")
}

pub(super) async fn another_port() -> String {
    let house = House::open().await;
    let headers = ["Sec-Fetch-Site: same-site", "Cookie: token=x", JSON];
    let seen = house.asks("POST /api/chat", &headers, SAY).await;
    assert_eq!(seen.short(), "403 foreign_origin");
    for path in ["GET /", "GET /api/sessions", "GET /healthz"] {
        assert_eq!(house.asks(path, &[], "").await.header("set-cookie"), None);
    }
    untouched(&house).await;
    "403 foreign_origin; no answer sets a cookie".to_owned()
}

pub(super) async fn origins_like_ours() -> String {
    let house = House::open().await;
    for origin in [".evil.test", "@evil.test", "/", ":80"] {
        let origin = format!("Origin: http://{}{origin}", house.host());
        let answer = house.asks("POST /api/chat", &[&origin, JSON], SAY).await;
        assert_eq!(answer.short(), "403 foreign_origin", "{origin}");
    }
    "403 foreign_origin, 4 of 4".to_owned()
}

pub(super) async fn preflight() -> String {
    let house = House::open().await;
    let headers = ["Origin: http://evil.test", "Access-Control-Request-Method: POST"];
    let answer = house.ask("OPTIONS /api/chat", &headers, "").await;
    let allows = answer.headers.iter().any(|(name, _)| name.starts_with("access-control"));
    assert!(!allows);
    format!("{}, no such header", answer.short())
}

pub(super) async fn streams() -> String {
    let house = House::open().await;
    let id = house.session().await;
    let line = format!("GET /api/sessions/{id}/events");
    let socket = [
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Origin: http://evil.test",
    ];
    let source = ["Accept: text/event-stream", "Sec-Fetch-Site: cross-site"];
    let seen = [
        house.asks(&line, &socket, "").await.short(),
        house.asks(&line, &source, "").await.short(),
    ];
    assert_eq!(seen, ["403 foreign_origin", "403 foreign_origin"]);
    assert_eq!(house.hub.health().watchers, 0);
    format!("{} on both; no reader was opened", seen[0])
}

pub(super) async fn places_of_the_token() -> String {
    let house = House::open().await;
    let token = house.tokens.show();
    let line = "GET /api/sessions";
    for place in ["X-Api-Key: ", "Cookie: token=", "Authorization: Basic ", "Authorization: "] {
        let answer = house.ask(line, &[&format!("{place}{token}")], "").await;
        assert_eq!(answer.status, 401, "{place}");
    }
    assert_eq!(house.ask(&format!("{line}?token={token}"), &[], "").await.status, 401);
    let old = house.bearer();
    assert_eq!(house.ask(line, &[&old], "").await.status, 200);
    house.tokens.rotate().unwrap();
    assert_eq!(house.ask(line, &[&old], "").await.short(), "401 token_wrong");
    "401 in 5 other places, 200 in its own, 401 token_wrong behind the rotation".to_owned()
}

pub(super) async fn another_server() -> String {
    let (one, other) = (House::open().await, House::open().await);
    let token = one.bearer();
    let body = r#"{"session":"s1","allow":true}"#;
    let answer = other.ask("POST /api/approvals/x", &[&token, JSON], body).await;
    assert_eq!(answer.short(), "401 token_wrong");
    let origin = format!("Origin: http://{}", one.host());
    let page = other.asks("POST /api/chat", &[&origin, JSON], SAY).await;
    assert_eq!(page.short(), "403 foreign_origin");
    "401 token_wrong; its page is 403 foreign_origin".to_owned()
}

async fn hosts(house: &House, names: &[&str]) -> Vec<String> {
    let mut seen = Vec::new();
    for name in names {
        let host = format!("Host: {name}:{}", house.address.port());
        let bytes = request("GET /api/sessions", &[&host, &house.bearer()], "");
        seen.push(house.raw(&bytes).await.short());
    }
    seen
}

pub(super) async fn unspecified_hosts() -> String {
    let seen = hosts(&House::open().await, &["0.0.0.0", "[::]", "0"]).await;
    assert!(seen.iter().all(|one| one == "403 host_not_allowed"), "{seen:?}");
    "403 host_not_allowed, 3 of 3".to_owned()
}

pub(super) async fn own_hosts() -> String {
    let seen = hosts(&House::open().await, &["LOCALHOST", "[::1]", "127.0.0.1", "localhost"]).await;
    assert!(seen.iter().all(|one| one == "200"), "{seen:?}");
    "200, 4 of 4".to_owned()
}

pub(super) async fn ambiguous_hosts() -> String {
    let house = House::open().await;
    let host = format!("Host: {}", house.host());
    let forwarded = format!("X-Forwarded-Host: {}", house.host());
    let all: [Vec<u8>; 4] = [
        b"GET /healthz HTTP/1.0\r\n\r\n".to_vec(),
        request("GET /healthz", &[&host, &host], ""),
        request("GET http://evil.test/healthz", &[&host], ""),
        request("GET /healthz", &["Host: evil.test", &forwarded], ""),
    ];
    for bytes in all {
        assert_eq!(house.raw(&bytes).await.short(), "403 host_not_allowed");
    }
    "403 host_not_allowed, 4 of 4".to_owned()
}

pub(super) async fn broken_list() -> String {
    let hosts = vec!["*".to_owned(), String::new(), "0.0.0.0".to_owned()];
    let house = House::with(Config { hosts, ..Config::loopback(0) }).await;
    let config = Config { hosts: vec!["*".to_owned()], ..Config::loopback(0) };
    let server = tagline_server::Server::bind(config, house.parts()).await.unwrap();
    assert_eq!(server.warnings().len(), 1);
    for (host, status) in [("evil.test", 403), ("*", 403), (house.host().as_str(), 200)] {
        let bytes = request("GET /healthz", &[&format!("Host: {host}"), "Accept: */*"], "");
        assert_eq!(house.raw(&bytes).await.status, status, "{host}");
    }
    "a warning for each; loopback is 200, everything else 403".to_owned()
}
