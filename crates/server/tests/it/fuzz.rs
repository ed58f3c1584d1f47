//! Requests of any kind: no answer without a code, and no end of the server.

use std::time::Duration;

use fastrand::Rng;
use tagline_server::{Config, Limits, route_table};

use crate::support::{House, Setup};

/// Twenty thousand, or what `cargo xtask api-fuzz` says.
#[expect(clippy::disallowed_methods, reason = "how often is the one thing this test is told")]
fn n_requests() -> u64 {
    std::env::var("TAGLINE_TEST_REQUESTS").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000)
}

const WORDS: &[&str] = &[
    "s1",
    "s2",
    "x",
    "",
    "..",
    "%2e%2e",
    "%00",
    "%ff",
    "a/b",
    "s1:t1",
    "t1",
    "m1",
    "home:/",
    "home:/a",
    "\u{e9}",
    "0",
    "-1",
    "18446744073709551616",
    "null",
    "true",
    "{}",
    "[]",
    "\"",
    "a b",
    "😀",
    "turn",
    "all",
    "call",
    "now",
    "next_pass",
    "when_done",
];

const FIELDS: &[&str] = &[
    "text",
    "session",
    "workspace",
    "title",
    "delivery",
    "media",
    "scope",
    "call",
    "allow",
    "words",
    "path",
    "name",
    "from",
    "to",
    "code",
    "q",
    "limit",
    "after",
    "folder",
    "replace",
    "unknown",
];

fn word(random: &mut Rng) -> &'static str {
    WORDS[random.usize(..WORDS.len())]
}

fn value(random: &mut Rng, depth: u32) -> String {
    match random.u32(0..if depth == 0 { 6 } else { 8 }) {
        0 => "null".to_owned(),
        1 => random.bool().to_string(),
        2 => random.i64(..).to_string(),
        3 => "1e999".to_owned(),
        6 => format!("[{}]", value(random, depth - 1)),
        7 => object(random, depth - 1),
        _ => serde_json::json!(word(random)).to_string(),
    }
}

fn object(random: &mut Rng, depth: u32) -> String {
    let n = random.usize(0..5);
    let fields: Vec<String> = (0..n)
        .map(|_| format!("{:?}:{}", FIELDS[random.usize(..FIELDS.len())], value(random, depth)))
        .collect();
    format!("{{{}}}", fields.join(","))
}

fn target(random: &mut Rng) -> (String, String) {
    let table = route_table();
    let route = &table[random.usize(..table.len())];
    let parts: Vec<String> =
        route
            .path
            .split('/')
            .map(|part| {
                if part.starts_with('{') {
                    word(random).replace(' ', "%20")
                } else {
                    part.to_owned()
                }
            })
            .collect();
    let mut path = parts.join("/");
    if path.is_empty() {
        path.push('/');
    }
    let n = if random.u8(..) < 90 { random.usize(1..4) } else { 0 };
    for at in 0..n {
        let sign = if at == 0 { '?' } else { '&' };
        let (field, word) = (FIELDS[random.usize(..FIELDS.len())], word(random));
        path += &format!("{sign}{field}={}", word.replace([' ', '"'], "%20"));
    }
    let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"];
    let own = random.u8(..) < 200;
    let method = if own { route.method.as_str() } else { methods[random.usize(..methods.len())] };
    (method.to_owned(), path)
}

fn request(random: &mut Rng, house: &House) -> Vec<u8> {
    let (method, path) = target(random);
    let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if random.u8(..) > 3 {
        text += &format!("Host: {}\r\n", house.host());
    }
    if random.u8(..) > 10 {
        text += &format!("{}\r\n", house.bearer());
    }
    text += match random.u8(0..20) {
        0 => "Content-Type: text/plain\r\n",
        1 | 2 => "Content-Type: application/octet-stream\r\n",
        3 => "",
        _ => "Content-Type: application/json\r\n",
    };
    let extra =
        ["Last-Event-ID", "Idempotency-Key", "Origin", "Sec-Fetch-Site", "Range", "Expect", "X-A"];
    if random.u8(..) < 80 {
        let name = extra[random.usize(..extra.len())];
        text += &format!("{name}: {}\r\n", word(random).trim());
    }
    let body = match random.u8(0..10) {
        0 => word(random).to_owned(),
        1 => "{\"text\":".to_owned(),
        _ => object(random, 3),
    };
    if method != "GET" && method != "HEAD" {
        text += &format!("Content-Length: {}\r\n", body.len());
    }
    text += "\r\n";
    if method != "GET" && method != "HEAD" {
        text += &body;
    }
    let mut bytes = text.into_bytes();
    if random.u8(..) < 6 {
        let at = random.usize(..bytes.len());
        bytes[at] = random.u8(..);
    }
    bytes
}

const CLIENTS: u64 = 16;

/// Sends its part of the requests. Returns those whose answer was none, or had no code.
async fn client(house: &House, seed: u64) -> Vec<String> {
    let mut random = Rng::with_seed(seed);
    let mut wrong = Vec::new();
    for _ in 0..n_requests() / CLIENTS {
        let bytes = request(&mut random, house);
        let answer = house.peek(&bytes).await;
        let is_head = bytes.starts_with(b"HEAD");
        let is_coded = is_head || answer.status < 400 || !answer.code().is_empty();
        if answer.status == 0 || answer.status == 500 || !is_coded {
            wrong.push(format!("{}: {answer:?}", String::from_utf8_lossy(&bytes)));
        }
    }
    wrong
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_ends_the_server_or_gets_an_answer_without_a_code() {
    let limits = Limits {
        heartbeat: Duration::from_millis(50),
        head_time: Duration::from_millis(500),
        body_time: Duration::from_millis(500),
        ..Limits::default()
    };
    let config = Config { limits, ..Config::loopback(0) };
    let house = House::of(Setup { config, ..Setup::default() }).await;
    house.session().await;
    // Several at once: some requests never end by themselves, and are waited for.
    let clients = (0..CLIENTS).map(|seed| client(&house, seed));
    let wrong: Vec<String> = futures_util::future::join_all(clients).await.concat();
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(house.ask("GET /healthz", &[], "").await.status, 200);
    println!("{} requests: 0 without a code, 0 crashes", n_requests());
}
