//! The faults of the matrix: what a provider does, and what must follow.

use std::time::Duration;

use tagline_fake_provider::{Answer, End, Wire};

/// What a provider does with a request.
pub(crate) enum Does {
    /// It answers like this.
    Answer(Box<Answer>),
    /// Nobody listens.
    Refuse,
    /// Nobody is let in.
    Block,
    /// It is asked for a secure connection and knows none.
    Plain,
}

/// One row of the matrix.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) code: &'static str,
    /// `retry`, `retry after N s`, `compact`, `ask user` or `fail`.
    pub(crate) class: &'static str,
    /// How much of the reply comes before it.
    pub(crate) text: &'static str,
    pub(crate) does: Does,
}

/// All faults for one wire format, their bodies cut as the seed says.
pub(crate) fn cases(wire: Wire, seed: u64) -> Vec<Case> {
    let mut cases = on_the_way(wire);
    cases.extend(by_status(wire));
    cases.extend(with_a_wait(wire));
    cases.extend(by_words(wire));
    cases.extend(in_the_stream(wire));
    cases.extend(after_output(wire));
    cases.extend(no_stream(wire));
    cases.into_iter().map(|case| case.cut(seed)).collect()
}

impl Case {
    fn cut(self, seed: u64) -> Self {
        let does = match self.does {
            Does::Answer(answer) => Does::Answer(Box::new(answer.cut(seed))),
            other @ (Does::Refuse | Does::Block | Does::Plain) => other,
        };
        Self { does, ..self }
    }
}

fn case(name: &'static str, code: &'static str, class: &'static str, answer: Answer) -> Case {
    Case { name, code, class, text: "", does: Does::Answer(Box::new(answer)) }
}

fn on_the_way(wire: Wire) -> Vec<Case> {
    let way = |name, code, class, does| Case { name, code, class, text: "", does };
    let head = Answer::raw(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n");
    let pad = b"x-pad: 0123456789\r\n".repeat(1000);
    vec![
        way("nobody listens", "connect", "retry", Does::Refuse),
        way("no connection in time", "connect_timeout", "retry", Does::Block),
        way("no secure connection", "tls", "fail", Does::Plain),
        case("reset before the answer", "reset", "retry", Answer::raw(b"").ending(End::Reset)),
        case("closed before the answer", "reset", "retry", Answer::raw(b"")),
        case("no HTTP at all", "reset", "retry", Answer::raw(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")),
        case("no answer in time", "first_byte", "retry", Answer::raw(b"").ending(End::Silent)),
        case("half a head, then silence", "first_byte", "retry", head.clone().ending(End::Silent)),
        case("half a head, then reset", "reset", "retry", head.clone().ending(End::Reset)),
        case("endless head", "reset", "retry", head.ending(End::Flood(pad, Duration::ZERO))),
        case(
            "an answer that comes too late",
            "first_byte",
            "retry",
            Answer::stream(wire.reply("late").as_bytes()).after(Duration::from_secs(60)),
        ),
    ]
}

fn by_status(wire: Wire) -> Vec<Case> {
    let answer = |status, word: &str| {
        let body = if word.is_empty() {
            String::new()
        } else {
            wire.error(word, "it says so").to_string()
        };
        Answer::status(status, &[("content-type", "application/json")], body.as_bytes())
    };
    let page = |status| {
        let html = b"<html><body>Bad gateway</body></html>";
        Answer::status(status, &[("content-type", "text/html")], html)
    };
    let elsewhere = [("location", "https://elsewhere.example/?k=1")];
    vec![
        case("302 to elsewhere", "redirect", "ask user", Answer::status(302, &elsewhere, b"")),
        case("400", "bad_request", "fail", answer(400, "invalid_request_error")),
        case("401", "auth", "ask user", answer(401, "authentication_error")),
        case("401 without a body", "auth", "ask user", answer(401, "")),
        case("402", "quota", "ask user", answer(402, "")),
        case("403", "permission", "ask user", answer(403, "permission_error")),
        case("404", "model_not_found", "ask user", answer(404, "not_found_error")),
        case("408", "timeout", "retry", answer(408, "")),
        case("409", "conflict", "retry", answer(409, "")),
        case("413", "too_long", "compact", answer(413, "request_too_large")),
        case("418 is in no row", "http_418", "fail", answer(418, "")),
        case("422", "bad_request", "fail", answer(422, "")),
        case("429", "rate_limit", "retry", answer(429, "rate_limit_error")),
        case("500", "server", "retry", answer(500, "api_error")),
        case("502 as a page", "server", "retry", page(502)),
        case("503 as a page", "overloaded", "retry", page(503)),
        case("504", "timeout", "retry", answer(504, "")),
        case("524", "timeout", "retry", answer(524, "")),
        case("529", "overloaded", "retry", answer(529, "overloaded_error")),
        case("599 is in no row", "http_599", "fail", answer(599, "")),
        case(
            "an error whose body never ends",
            "server",
            "retry",
            Answer::status(500, &[("content-length", "100")], b"oh").ending(End::Silent),
        ),
    ]
}

fn with_a_wait(wire: Wire) -> Vec<Case> {
    let limited = |headers: &[(&str, &str)]| {
        Answer::status(429, headers, wire.error("rate_limit_error", "slow").to_string().as_bytes())
    };
    let dated = [
        ("retry-after", "Fri, 27 Nov 2026 23:00:30 GMT"),
        ("date", "Fri, 27 Nov 2026 23:00:00 GMT"),
    ];
    vec![
        case("429 in seconds", "rate_limit", "retry after 7 s", limited(&[("retry-after", "7")])),
        case("429 with a date", "rate_limit", "retry after 30 s", limited(&dated)),
        case(
            "429 in milliseconds",
            "rate_limit",
            "retry after 2 s",
            limited(&[("retry-after-ms", "2000"), ("retry-after", "9")]),
        ),
        case("429 with 0", "rate_limit", "retry", limited(&[("retry-after", "0")])),
        case("429 as garbage", "rate_limit", "retry", limited(&[("retry-after", "soon")])),
        case(
            "429 over the limit",
            "rate_limit",
            "retry after 100000 s",
            limited(&[("retry-after", "100000")]),
        ),
        case(
            "503 in seconds",
            "overloaded",
            "retry after 3 s",
            Answer::status(503, &[("retry-after", "3")], b""),
        ),
    ]
}

fn by_words(wire: Wire) -> Vec<Case> {
    let said = |status, word, message| {
        Answer::status(status, &[], wire.error(word, message).to_string().as_bytes())
    };
    let quota = "You exceeded your current quota";
    let balance = "Your credit balance is too low to access the API";
    let long = "prompt is too long: 210000 tokens > 200000 maximum";
    let key = "API key not valid. Please pass a valid API key.";
    let row = |name, code, class, status, word, message| {
        case(name, code, class, said(status, word, message))
    };
    let invalid = "invalid_request_error";
    vec![
        row("429 that is a spend limit", "quota", "ask user", 429, "insufficient_quota", quota),
        row("400 that is a balance", "quota", "ask user", 400, invalid, balance),
        row("400 that is a long prompt", "too_long", "compact", 400, invalid, long),
        row(
            "400 with the code of a long prompt",
            "too_long",
            "compact",
            400,
            "context_length_exceeded",
            "shorten it",
        ),
        row("400 that is a bad key", "auth", "ask user", 400, "invalid_argument", key),
        row("503 while loading", "loading", "retry", 503, "unavailable_error", "Loading model"),
        row("400 by a filter", "content", "fail", 400, "content_filter", "no"),
    ]
}

fn in_the_stream(wire: Wire) -> Vec<Case> {
    let stream = |body: &str| Answer::stream(body.as_bytes());
    let head = wire.head();
    let error = |word| stream(&(head.clone() + &wire.error_event(word, "busy")));
    let comments = End::Flood(b": still here\n\n".to_vec(), Duration::from_millis(500));
    let line = End::Flood(vec![b'x'; 256 << 10], Duration::ZERO);
    let short = [("content-type", "text/event-stream"), ("content-length", "100000")];
    let bad_chunks = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
                       transfer-encoding: chunked\r\n\r\nnot a size\r\ndata: {}\r\n";
    vec![
        case("overloaded in the stream", "overloaded", "retry", error("overloaded_error")),
        case("an unknown error in the stream", "unknown", "fail", error("gremlins")),
        case("a bad key in the stream", "auth", "ask user", error("authentication_error")),
        case("an empty stream", "cut", "retry", stream("")),
        case("a stream without an end", "cut", "retry", stream(&head)),
        case("a stream that is reset", "cut", "retry", stream(&head).ending(End::Reset)),
        case("a stream that is closed", "cut", "retry", stream(&head).ending(End::Closed)),
        case("a silent stream", "cut", "retry", stream(&head).ending(End::Silent)),
        case("comments and nothing else", "cut", "retry", stream(&head).ending(comments)),
        case("an endless line", "bad_stream", "retry", stream("data: ").ending(line)),
        case("broken JSON", "bad_stream", "retry", stream("data: {\"a\":\n\n")),
        case("no UTF-8", "bad_stream", "retry", Answer::stream(b"data: \xff\xfe\n\n")),
        case(
            "a body shorter than it says",
            "cut",
            "retry",
            Answer::status(200, &short, head.as_bytes()),
        ),
        case("chunks without sizes", "cut", "retry", Answer::raw(bad_chunks)),
    ]
}

fn after_output(wire: Wire) -> Vec<Case> {
    let half = wire.head() + &wire.delta("half");
    let stream = |more: &str| Answer::stream((half.clone() + more).as_bytes());
    let error = wire.error_event("overloaded_error", "busy");
    let row = |name, answer| Case { text: "half", ..case(name, "cut", "retry", answer) };
    vec![
        row("reset after text", stream("").ending(End::Reset)),
        row("closed after text", stream("").ending(End::Closed)),
        row("silence after text", stream("").ending(End::Silent)),
        row("no end after text", stream("")),
        row("overloaded after text", stream(&error)),
        row("broken JSON after text", stream("data: {\"a\":\n\n")),
        row(
            "half a character after text",
            stream("").then(Duration::ZERO, b"data: {\"\xe2\x82\n\n"),
        ),
    ]
}

fn no_stream(wire: Wire) -> Vec<Case> {
    let answer =
        |headers: &[(&str, &str)], body: &str| Answer::status(200, headers, body.as_bytes());
    let page = "<!doctype html><title>Sign in</title>";
    let html = [("content-type", "text/html")];
    let json = [("content-type", "application/json")];
    let busy = r#"{"error": {"type": "rate_limit_exceeded", "message": "slow down"}}"#;
    let whole = wire.reply("ok");
    vec![
        case("a page with 200", "bad_answer", "fail", answer(&html, page)),
        case("no content type", "bad_answer", "fail", answer(&[], &whole)),
        case(
            "a stream called text",
            "bad_answer",
            "fail",
            answer(&[("content-type", "text/plain")], &whole),
        ),
        case("a JSON error with 200", "rate_limit", "retry", answer(&json, busy)),
        case("nothing with 204", "bad_answer", "fail", Answer::status(204, &[], b"")),
    ]
}
