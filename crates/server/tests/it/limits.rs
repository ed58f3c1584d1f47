//! What a client may take.

use std::time::Duration;

use tagline_server::{Config, Limits};

use crate::support::{House, request};

const JSON: &str = "Content-Type: application/json";

#[tokio::test]
async fn a_body_has_a_size() {
    let house = House::open().await;
    let body = format!(r#"{{"code":"{}"}}"#, "x".repeat(1_048_576));
    let answer = house.ask("POST /api/token", &[JSON], &body).await;
    assert_eq!(answer.short(), "413 body_too_large");
    let huge = "x".repeat(64 * 1_048_576);
    let answer = house.ask("POST /api/token", &[JSON], &huge).await;
    assert_eq!(answer.short(), "413 body_too_large");
    assert_eq!(house.ask("GET /healthz", &[], "").await.status, 200);
}

#[tokio::test]
async fn a_body_in_chunks_has_a_size_too() {
    let house = House::open().await;
    let host = format!("Host: {}", house.host());
    let mut bytes = request("POST /api/token", &[&host, JSON, "Transfer-Encoding: chunked"], "");
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(65_536));
    (0..17).for_each(|_| bytes.extend_from_slice(chunk.as_bytes()));
    assert_eq!(house.raw(&bytes).await.short(), "413 body_too_large");
}

#[tokio::test]
async fn json_has_a_depth() {
    let house = House::open().await;
    let deep = format!(r#"{{"code":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    let answer = house.ask("POST /api/token", &[JSON], &deep).await;
    assert_eq!(answer.short(), "400 json_too_deep");
}

#[tokio::test]
async fn a_head_has_a_number_of_headers_and_a_size() {
    let house = House::open().await;
    for n in [101, 10_000] {
        let headers: Vec<String> = (0..n).map(|n| format!("X-{n}: y")).collect();
        let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        let answer = house.ask("GET /healthz", &headers, "").await;
        assert_eq!(answer.short(), "431 head_too_large", "{n} headers");
    }
    let long = format!("X-Long: {}", "y".repeat(100_000));
    let answer = house.ask("GET /healthz", &[&long], "").await;
    assert_eq!(answer.short(), "431 head_too_large");
    let path = format!("GET /{}", "y".repeat(100_000));
    assert_eq!(house.ask(&path, &[], "").await.code(), "head_too_large");
}

#[tokio::test]
async fn what_is_no_http_is_told_so() {
    let house = House::open().await;
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"[..],
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\n\r\n",
        b"G T / HTTP/1.1\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let answer = house.raw(bytes).await;
        assert_eq!(answer.code(), "bad_head", "{}: {answer:?}", String::from_utf8_lossy(bytes));
    }
}

/// Waits no longer than this for what does not come, and as long as usual for the rest.
const SOON: Duration = Duration::from_millis(300);

async fn impatient(limits: Limits) -> House {
    House::with(Config { limits, ..Config::loopback(0) }).await
}

#[tokio::test]
async fn a_head_that_does_not_come_is_not_waited_for() {
    let house = impatient(Limits { head_time: SOON, ..Limits::default() }).await;
    assert_eq!(house.raw(b"GET / HTTP/1.1\r\nHost: a").await.short(), "408 head_timeout");
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let house = impatient(Limits { body_time: SOON, ..Limits::default() }).await;
    let host = format!("Host: {}", house.host());
    let bytes = request("POST /api/token", &[&host, JSON, "Content-Length: 9"], "");
    assert_eq!(house.raw(&bytes).await.short(), "408 body_timeout");
}

#[tokio::test]
async fn a_body_of_another_shape_is_told_so() {
    let house = House::open().await;
    for body in
        ["", "{", "[]", "{}", r#"{"code":1}"#, r#"{"code":"a","more":1}"#, "null", "\u{feff}{}"]
    {
        let answer = house.ask("POST /api/token", &[JSON], body).await;
        assert_eq!(answer.short(), "400 bad_body", "{body}");
    }
}
