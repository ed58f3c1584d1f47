//! Redirects: where they lead, and what goes along.

use expect_test::{Expect, expect};
use tagline_net::Request;

use crate::bench::{Bench, answer, ok, redirect};

/// Two hosts: the first redirects as told, everything else is a page.
async fn check(status: u16, to: &'static str, request: Request, expected: Expect) {
    let bench = Bench::new();
    bench.name("one.test", &["93.184.215.14"]).name("two.test", &["93.184.215.15"]);
    bench.serve("93.184.215.14:80", move |request| {
        let is_first = request.contains(" /start ");
        if is_first { redirect(status, to) } else { ok("page of one") }
    });
    bench.serve("93.184.215.14:8080", |_| ok("port of one"));
    bench.serve("93.184.215.15:80", |_| ok("page of two"));
    expected.assert_eq(&bench.told(request).await);
}

fn secret() -> Request {
    let request = Request::get("http://me:pass@one.test/start").header("x-key", "secret").unwrap();
    request.header("cookie", "a=b").unwrap()
}

#[tokio::test(start_paused = true)]
async fn within_an_origin_everything_goes_along() {
    check(302, "/next?a=b#c", secret(), expect![[r#"
        look-up one.test
        look-up one.test
        connect 93.184.215.14:80
        connect 93.184.215.14:80
        93.184.215.14:80 is asked: GET /start HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | x-key: secret | cookie: a=b | authorization: Basic bWU6cGFzcw== | host: one.test | accept-encoding: gzip
        93.184.215.14:80 is asked: GET /next?a=b HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | x-key: secret | cookie: a=b | authorization: Basic bWU6cGFzcw== | host: one.test | accept-encoding: gzip
        200 from http://one.test/next?a=b at 93.184.215.14:80: "page of one"
    "#]]).await;
}

#[tokio::test(start_paused = true)]
async fn to_another_host_nothing_of_the_caller_goes_along() {
    check(302, "http://two.test/next", secret(), expect![[r#"
        look-up one.test
        look-up two.test
        connect 93.184.215.14:80
        connect 93.184.215.15:80
        93.184.215.14:80 is asked: GET /start HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | x-key: secret | cookie: a=b | authorization: Basic bWU6cGFzcw== | host: one.test | accept-encoding: gzip
        93.184.215.15:80 is asked: GET /next HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | host: two.test | accept-encoding: gzip
        200 from http://two.test/next at 93.184.215.15:80: "page of two"
    "#]]).await;
}

#[tokio::test(start_paused = true)]
async fn to_another_port_nothing_of_the_caller_goes_along() {
    check(307, "//one.test:8080/next", secret(), expect![[r#"
        look-up one.test
        look-up one.test
        connect 93.184.215.14:80
        connect 93.184.215.14:8080
        93.184.215.14:80 is asked: GET /start HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | x-key: secret | cookie: a=b | authorization: Basic bWU6cGFzcw== | host: one.test | accept-encoding: gzip
        93.184.215.14:8080 is asked: GET /next HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | host: one.test:8080 | accept-encoding: gzip
        200 from http://one.test:8080/next at 93.184.215.14:8080: "port of one"
    "#]]).await;
}

#[tokio::test(start_paused = true)]
async fn credentials_that_a_redirect_brings_are_not_sent() {
    let to = "http://other:word@two.test/next";
    check(302, to, Request::get("http://one.test/start"), expect![[r#"
        look-up one.test
        look-up two.test
        connect 93.184.215.14:80
        connect 93.184.215.15:80
        93.184.215.14:80 is asked: GET /start HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | host: one.test | accept-encoding: gzip
        93.184.215.15:80 is asked: GET /next HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | host: two.test | accept-encoding: gzip
        200 from http://two.test/next at 93.184.215.15:80: "page of two"
    "#]]).await;
}

#[tokio::test(start_paused = true)]
async fn what_was_dropped_on_the_way_out_does_not_come_back() {
    let bench = Bench::new();
    bench.name("one.test", &["93.184.215.14"]).name("two.test", &["93.184.215.15"]);
    bench.serve("93.184.215.14:80", |request| {
        if request.contains(" /start ") { redirect(302, "http://two.test/") } else { ok("back") }
    });
    bench.serve("93.184.215.15:80", |_| redirect(302, "http://one.test/back"));
    expect![[r#"
        look-up one.test
        look-up two.test
        look-up one.test
        connect 93.184.215.14:80
        connect 93.184.215.15:80
        connect 93.184.215.14:80
        93.184.215.14:80 is asked: GET /start HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | x-key: secret | cookie: a=b | authorization: Basic bWU6cGFzcw== | host: one.test | accept-encoding: gzip
        93.184.215.15:80 is asked: GET / HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | host: two.test | accept-encoding: gzip
        93.184.215.14:80 is asked: GET /back HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | host: one.test | accept-encoding: gzip
        200 from http://one.test/back at 93.184.215.14:80: "back"
    "#]].assert_eq(&bench.told(secret()).await);
}

#[tokio::test(start_paused = true)]
async fn a_body_is_sent_again_where_the_status_says_so_and_only_within_the_origin() {
    let post =
        || Request::post("http://one.test/start", "a=b").header("content-type", "text/x").unwrap();
    check(303, "/next", post(), expect![[r#"
        look-up one.test
        look-up one.test
        connect 93.184.215.14:80
        connect 93.184.215.14:80
        93.184.215.14:80 is asked: POST /start HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | content-type: text/x | host: one.test | accept-encoding: gzip | content-length: 3 |  | a=b
        93.184.215.14:80 is asked: GET /next HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | host: one.test | accept-encoding: gzip
        200 from http://one.test/next at 93.184.215.14:80: "page of one"
    "#]]).await;
    check(308, "/next", post(), expect![[r#"
        look-up one.test
        look-up one.test
        connect 93.184.215.14:80
        connect 93.184.215.14:80
        93.184.215.14:80 is asked: POST /start HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | content-type: text/x | host: one.test | accept-encoding: gzip | content-length: 3 |  | a=b
        93.184.215.14:80 is asked: POST /next HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | content-type: text/x | host: one.test | accept-encoding: gzip | content-length: 3 |  | a=b
        200 from http://one.test/next at 93.184.215.14:80: "page of one"
    "#]]).await;
    check(301, "http://two.test/next", post(), expect![[r#"
        look-up one.test
        look-up two.test
        connect 93.184.215.14:80
        connect 93.184.215.15:80
        93.184.215.14:80 is asked: POST /start HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | content-type: text/x | host: one.test | accept-encoding: gzip | content-length: 3 |  | a=b
        93.184.215.15:80 is asked: GET /next HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | host: two.test | accept-encoding: gzip
        200 from http://two.test/next at 93.184.215.15:80: "page of two"
    "#]]).await;
    check(307, "http://two.test/next", post(), expect![[r#"
        look-up one.test
        connect 93.184.215.14:80
        93.184.215.14:80 is asked: POST /start HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | content-type: text/x | host: one.test | accept-encoding: gzip | content-length: 3 |  | a=b
        Refused: `http://two.test/next`, where `http://one.test/start` redirects to: a redirect that takes the body of the request to another origin; send it there itself
    "#]]).await;
}

#[tokio::test(start_paused = true)]
async fn what_the_caller_says_counts_and_a_request_for_headers_stays_one() {
    let own = || Request::get("http://me:pass@one.test/start");
    let request = own().header("authorization", "Bearer own").unwrap();
    let request = request.header("accept", "text/html").unwrap();
    check(302, "/next", request.header("user-agent", "mine").unwrap(), expect![[r#"
        look-up one.test
        look-up one.test
        connect 93.184.215.14:80
        connect 93.184.215.14:80
        93.184.215.14:80 is asked: GET /start HTTP/1.1 | accept: text/html | user-agent: mine | authorization: Bearer own | host: one.test | accept-encoding: gzip
        93.184.215.14:80 is asked: GET /next HTTP/1.1 | accept: text/html | user-agent: mine | authorization: Bearer own | host: one.test | accept-encoding: gzip
        200 from http://one.test/next at 93.184.215.14:80: "page of one"
    "#]]).await;
    check(303, "/next", Request::head("http://one.test/start"), expect![[r#"
        look-up one.test
        look-up one.test
        connect 93.184.215.14:80
        connect 93.184.215.14:80
        93.184.215.14:80 is asked: HEAD /start HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | host: one.test | accept-encoding: gzip
        93.184.215.14:80 is asked: HEAD /next HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | host: one.test | accept-encoding: gzip
        200 from http://one.test/next at 93.184.215.14:80: ""
    "#]]).await;
}

#[tokio::test(start_paused = true)]
async fn a_redirect_leads_to_no_other_scheme_and_to_no_closed_address() {
    let start = || Request::get("http://one.test/start");
    let mut told = String::new();
    for to in [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "gopher://two.test/",
        "http://127.0.0.1:9/",
        "//2130706433/",
        "\\\\[::1]/",
        "http://localhost/",
        "http://two.test@10.0.0.1/",
        "http://",
    ] {
        let bench = Bench::new();
        bench.name("one.test", &["93.184.215.14"]);
        bench.serve("93.184.215.14:80", move |_| redirect(302, to));
        let outcome = bench.outcome(&bench.client(), start()).await;
        assert_eq!(bench.reached(), ["93.184.215.14:80"], "{to}");
        told += &format!("{}\n", outcome.split("; nothing fetched").next().unwrap());
    }
    expect![[r#"
        Failed: `file:///etc/passwd`, where `http://one.test/start` redirects to: expected `http` or `https`, but found `file`; nothing else is fetched
        Failed: `javascript:alert(1)`, where `http://one.test/start` redirects to: expected `http` or `https`, but found `javascript`; nothing else is fetched
        Failed: `gopher://two.test/`, where `http://one.test/start` redirects to: expected `http` or `https`, but found `gopher`; nothing else is fetched
        Refused: `http://127.0.0.1:9/`, where `http://one.test/start` redirects to: 127.0.0.1 is a loopback address, which is this machine (127.0.0.0/8, RFC 1122, 3.2.1.3)
        Refused: `http://127.0.0.1/`, where `http://one.test/start` redirects to: 127.0.0.1 is a loopback address, which is this machine (127.0.0.0/8, RFC 1122, 3.2.1.3)
        Refused: `http://[::1]/`, where `http://one.test/start` redirects to: ::1 is a loopback address, which is this machine (::1/128, RFC 4291, 2.5.3)
        Refused: `http://localhost/`, where `http://one.test/start` redirects to: `localhost` is a name of this machine (127.0.0.1, RFC 6761)
        Refused: `http://10.0.0.1/`, where `http://one.test/start` redirects to: 10.0.0.1 is a private address (10.0.0.0/8, RFC 1918)
        Failed: `http://`, where `http://one.test/start` redirects to: expected an address such as `https://example.com/page`, but this is none (empty host); write the whole address
    "#]].assert_eq(&told);
}

#[tokio::test(start_paused = true)]
async fn five_redirects_are_followed_and_no_more() {
    let bench = Bench::new();
    for n in 0..10 {
        let (name, next) = (format!("host{n}.test"), format!("http://host{}.test/", n + 1));
        bench.name(&name, &[&format!("93.184.215.{n}")]);
        let is_last = n == 5;
        let play = move |_: &str| if is_last { ok("sixth") } else { redirect(301, &next) };
        bench.serve(&format!("93.184.215.{n}:80"), play);
    }
    let within = bench.client().fetch(Request::get("http://host0.test/")).await.unwrap();
    assert_eq!((within.redirects.len(), within.body.as_ref()), (5, b"sixth".as_slice()));
    bench.serve("93.184.215.5:80", |_| redirect(301, "http://host6.test/"));
    let outcome = bench.get("http://host0.test/").await;
    expect!["Failed: `http://host6.test/`, where `http://host5.test/` redirects to: more than 5 redirects; ask for the page itself"].assert_eq(&outcome);
    assert!(!bench.looked_up().contains(&"host6.test".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_status_of_redirects_without_a_place_is_an_answer() {
    let bench = Bench::new();
    bench.name("one.test", &["93.184.215.14"]);
    bench.serve("93.184.215.14:80", |_| {
        answer("304 Not Modified", &["location: http://two.test/"], b"")
    });
    assert!(bench.get("http://one.test/").await.starts_with("304 from http://one.test/"));
    bench.serve("93.184.215.14:80", |_| answer("302 Found", &[], b"nowhere"));
    assert!(bench.get("http://one.test/").await.contains("\"nowhere\""));
}

#[test]
fn headers_that_say_how_a_message_travels_are_not_for_the_caller() {
    for name in [
        "Host",
        "content-length",
        "Transfer-Encoding",
        "connection",
        "proxy-authorization",
        "upgrade",
    ] {
        let error = Request::get("http://one.test/").header(name, "x").unwrap_err();
        assert!(error.to_string().contains("is set by the client itself"), "{error}");
    }
    for (name, value) in [("a b", "x"), ("x-a", "b\r\nhost: c"), ("", "x"), ("x\0", "y")] {
        let error = Request::get("http://one.test/").header(name, value).unwrap_err();
        assert!(error.to_string().contains("characters that no header can carry"), "{error}");
    }
    let request =
        Request::get("http://one.test/").header("authorization", "Bearer secret").unwrap();
    assert!(!format!("{request:?}").contains("secret"), "{request:?}");
}

#[tokio::test(start_paused = true)]
async fn a_user_without_a_password_and_a_password_without_a_user_are_sent() {
    let mut sent = String::new();
    for who in ["me@", ":secret@", "me:@", "@", ""] {
        let bench = Bench::new();
        bench.serve("93.184.215.14:80", |_| ok("page"));
        bench.get(&format!("http://{who}93.184.215.14/")).await;
        let asked = bench.asked();
        let header = asked.split(" | ").find(|it| it.starts_with("authorization"));
        sent += &format!("{who:?}: {}\n", header.unwrap_or("nothing"));
    }
    expect![[r#"
        "me@": authorization: Basic bWU6
        ":secret@": authorization: Basic OnNlY3JldA==
        "me:@": authorization: Basic bWU6
        "@": nothing
        "": nothing
    "#]]
    .assert_eq(&sent);
}
