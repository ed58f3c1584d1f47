//! The faults of the matrix: what a provider does, and what must follow.

use serde_json::json;

use crate::{played::Exchange, wires::Wire};

/// One row of the matrix.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) code: &'static str,
    /// `retry`, `retry after N`, `compact`, `ask_user` or `fail`.
    pub(crate) class: &'static str,
    pub(crate) exchange: Exchange,
}

/// All faults for one wire format, their bodies cut into pieces of `size` bytes.
pub(crate) fn cases(wire: Wire, size: usize) -> Vec<Case> {
    let mut cases = on_the_way();
    cases.extend(by_status(wire, size));
    cases.extend(by_words(wire, size));
    cases.extend(in_the_stream(wire, size));
    cases.extend(no_stream(size));
    cases
}

fn case(name: &'static str, code: &'static str, class: &'static str, exchange: Exchange) -> Case {
    Case { name, code, class, exchange }
}

fn on_the_way() -> Vec<Case> {
    let none = |answer| Exchange::none(json!({"fault": answer}));
    vec![
        case("nobody listens", "connect", "retry", none(json!("refused"))),
        case("the name is unknown", "dns", "retry", none(json!("dns"))),
        case("no connection in time", "connect_timeout", "retry", none(json!("connect_timeout"))),
        case("bad certificate", "tls", "fail", none(json!({"tls": "expired"}))),
        case("reset before the answer", "reset", "retry", none(json!({"reset": "by peer"}))),
        case("request cannot be sent", "bad_request", "fail", none(json!({"unusable": "bad key"}))),
        case("no answer in time", "first_byte", "retry", Exchange::none(json!("open"))),
    ]
}

fn by_status(wire: Wire, size: usize) -> Vec<Case> {
    let answer = |status, word: &str, headers: &[(&str, &str)]| {
        let body = if word.is_empty() {
            String::new()
        } else {
            wire.error(word, "it says so").to_string()
        };
        Exchange::answer(status, headers, body.as_bytes(), size)
    };
    let page = |status| {
        let html = b"<html><body>Bad gateway</body></html>";
        Exchange::answer(status, &[("content-type", "text/html")], html, size)
    };
    vec![
        case("400", "bad_request", "fail", answer(400, "invalid_request_error", &[])),
        case("401", "auth", "ask_user", answer(401, "authentication_error", &[])),
        case("401 without a body", "auth", "ask_user", answer(401, "", &[])),
        case("402", "quota", "ask_user", answer(402, "", &[])),
        case("403", "permission", "ask_user", answer(403, "permission_error", &[])),
        case("404", "model_not_found", "ask_user", answer(404, "not_found_error", &[])),
        case("408", "timeout", "retry", answer(408, "", &[])),
        case("409", "conflict", "retry", answer(409, "", &[])),
        case("413", "too_long", "compact", answer(413, "request_too_large", &[])),
        case("418 is in no row", "http_418", "fail", answer(418, "", &[])),
        case("422", "bad_request", "fail", answer(422, "", &[])),
        case("429", "rate_limit", "retry", answer(429, "rate_limit_error", &[])),
        case(
            "429 in seconds",
            "rate_limit",
            "retry after 7",
            answer(429, "rate_limit_error", &[("retry-after", "7")]),
        ),
        case("429 as garbage", "rate_limit", "retry", answer(429, "", &[("retry-after", "soon")])),
        case("500", "server", "retry", answer(500, "api_error", &[])),
        case("502 as a page", "server", "retry", page(502)),
        case("503 as a page", "overloaded", "retry", page(503)),
        case("504", "timeout", "retry", answer(504, "", &[])),
        case("529", "overloaded", "retry", answer(529, "overloaded_error", &[])),
        case("599 is in no row", "http_599", "retry", answer(599, "", &[])),
        case(
            "redirect",
            "redirect",
            "ask_user",
            answer(302, "", &[("location", "https://elsewhere.example/?k=1")]),
        ),
    ]
}

fn by_words(wire: Wire, size: usize) -> Vec<Case> {
    let said = |status, word, message| {
        Exchange::answer(status, &[], wire.error(word, message).to_string().as_bytes(), size)
    };
    vec![
        case(
            "429 that is a spend limit",
            "quota",
            "ask_user",
            said(429, "insufficient_quota", "You exceeded your current quota"),
        ),
        case(
            "400 that is a balance",
            "quota",
            "ask_user",
            said(400, "invalid_request_error", "Your credit balance is too low to access the API"),
        ),
        case(
            "400 that is a long prompt",
            "too_long",
            "compact",
            said(
                400,
                "invalid_request_error",
                "prompt is too long: 210000 tokens > 200000 maximum",
            ),
        ),
        case(
            "400 with the code of a long prompt",
            "too_long",
            "compact",
            said(400, "context_length_exceeded", "shorten it"),
        ),
        case(
            "400 that is a bad key",
            "auth",
            "ask_user",
            said(400, "invalid_argument", "API key not valid. Please pass a valid API key."),
        ),
        case(
            "503 while loading",
            "loading",
            "retry",
            said(503, "unavailable_error", "Loading model"),
        ),
        case("400 by a filter", "content", "fail", said(400, "content_filter", "no")),
    ]
}

fn in_the_stream(wire: Wire, size: usize) -> Vec<Case> {
    let stream = |body: String| Exchange::stream(body.as_bytes(), size);
    let error = |word| stream(wire.head() + &wire.error_event(word, "busy"));
    vec![
        case("overloaded in the stream", "overloaded", "retry", error("overloaded_error")),
        case("an unknown error in the stream", "server", "retry", error("gremlins")),
        case("a bad key in the stream", "auth", "ask_user", error("authentication_error")),
        case("an empty stream", "cut", "retry", stream(String::new())),
        case("a stream without an end", "cut", "retry", stream(wire.head())),
        case("a broken stream", "cut", "retry", stream(wire.head()).broken()),
        case("a silent stream", "cut", "retry", stream(wire.head()).open()),
        case("broken JSON", "bad_stream", "retry", stream("data: {\"a\":\n\n".to_owned())),
        case("no UTF-8", "bad_stream", "retry", Exchange::stream(b"data: \xff\xfe\n\n", size)),
    ]
}

fn no_stream(size: usize) -> Vec<Case> {
    let answer = |headers: &[(&str, &str)], body: &str| {
        Exchange::answer(200, headers, body.as_bytes(), size)
    };
    let page = "<!doctype html><title>Sign in</title>";
    vec![
        case(
            "a page with 200",
            "bad_answer",
            "fail",
            answer(&[("content-type", "text/html")], page),
        ),
        case("no content type", "bad_answer", "fail", answer(&[], "data: {}\n\n")),
        case(
            "a JSON error with 200",
            "rate_limit",
            "retry",
            answer(
                &[("content-type", "application/json")],
                r#"{"error": {"type": "rate_limit_exceeded", "message": "slow down"}}"#,
            ),
        ),
    ]
}
