//! The proxy for commands: who may use it, and where it leads.

use std::{fmt::Write as _, future::Future};

use expect_test::{Expect, expect};
use tagline_net::Pass;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

use crate::bench::{Bench, ok, redirect};

/// `tagline:token`.
const SHOWN: &str = "proxy-authorization: Basic dGFnbGluZTp0b2tlbg==";

fn internet() -> Bench {
    let bench = Bench::new();
    bench.name("site.test", &["93.184.215.14"]).name("home.test", &["192.168.0.1"]);
    bench.name("flip.test", &["93.184.215.14", "169.254.169.254"]);
    bench.serve("93.184.215.14:80", |asked| match asked.starts_with("GET /away") {
        true => redirect(302, "http://169.254.169.254/latest/meta-data"),
        false => ok("page"),
    });
    bench.serve("93.184.215.14:443", |asked| ok(&format!("through the tunnel: {}", asked.len())));
    bench
}

/// Runs it while time stands still.
fn asleep<T>(work: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().start_paused(true).build().unwrap().block_on(work)
}

/// What a program gets that sends these bytes to the proxy.
async fn sent(bench: &Bench, pieces: &[&str]) -> (String, Pass) {
    let proxy = bench.proxy();
    let pass = proxy.issue("token".to_owned());
    let (mut ours, theirs) = duplex(64 * 1024);
    tokio::spawn(proxy.serve(theirs));
    for piece in pieces {
        ours.write_all(piece.as_bytes()).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    ours.shutdown().await.unwrap();
    let mut said = Vec::new();
    ours.read_to_end(&mut said).await.unwrap();
    (String::from_utf8(said).unwrap(), pass)
}

/// The first line and the body of the answer, the visits, and what servers were asked.
fn told(bench: &Bench, pieces: &[&str]) -> String {
    let (said, pass) = asleep(sent(bench, pieces));
    let (head, body) = said.split_once("\r\n\r\n").unwrap_or((&said, ""));
    let mut told = format!(
        "{}\n{}\n",
        head.lines().next().unwrap_or_default(),
        body.trim_end().replace('\r', "")
    );
    for visit in pass.visits() {
        let end = visit.refusal.map_or("reached".to_owned(), |why| format!("refused: {why}"));
        writeln!(told, "{}:{} {} times, {end}", visit.host, visit.port, visit.times).unwrap();
    }
    told + &bench.asked()
}

#[track_caller]
fn check(bench: &Bench, pieces: &[&str], expected: Expect) {
    expected.assert_eq(&told(bench, pieces));
}

#[test]
fn a_page_is_fetched_without_what_was_for_the_proxy() {
    let request = format!(
        "GET http://site.test/a?b HTTP/1.1\r\nhost: other.test\r\n{SHOWN}\r\nproxy-connection: keep-alive\r\nconnection: x-hop\r\nx-hop: 1\r\nx-kept: 2\r\n\r\n"
    );
    check(
        &internet(),
        &[&request],
        expect![[r#"
        HTTP/1.1 200 OK
        page
        site.test:80 1 times, reached
        93.184.215.14:80 is asked: GET /a?b HTTP/1.1 | host: site.test | x-kept: 2
    "#]],
    );
}

#[test]
fn a_tunnel_leads_to_the_address_that_was_judged() {
    let request = format!("CONNECT site.test:443 HTTP/1.1\r\n{SHOWN}\r\n\r\n");
    check(
        &internet(),
        &[&request, "GET / HTTP/1.1\r\n\r\n"],
        expect![[r#"
            HTTP/1.1 200 OK
            HTTP/1.1 200 OK
            content-length: 22

            through the tunnel: 18
            site.test:443 1 times, reached
            93.184.215.14:443 is asked: GET / HTTP/1.1
        "#]],
    );
}

#[test]
fn nobody_passes_without_a_pass() {
    let wrong = "proxy-authorization: Basic dGFnbGluZTp3cm9uZw==";
    let mut all = String::new();
    for header in ["", "proxy-authorization: token\r\n", &format!("{wrong}\r\n")] {
        let request = format!("CONNECT site.test:443 HTTP/1.1\r\n{header}\r\n");
        all += &told(&internet(), &[&request]);
    }
    expect![[r#"
        HTTP/1.1 407 Proxy Authentication Required
        this proxy serves commands that were let out to the network, and no other; run the command with `network`
        HTTP/1.1 407 Proxy Authentication Required
        this proxy serves commands that were let out to the network, and no other; run the command with `network`
        HTTP/1.1 407 Proxy Authentication Required
        this proxy serves commands that were let out to the network, and no other; run the command with `network`
    "#]].assert_eq(&all);
}

#[test]
fn private_and_metadata_addresses_are_closed_in_any_spelling() {
    let mut all = String::new();
    for place in [
        "home.test:443",
        "localhost:8080",
        "127.0.0.1:22",
        "0x7f000001:80",
        "[::1]:80",
        "[::ffff:169.254.169.254]:80",
        "169.254.169.254:80",
        "10.0.0.1:443",
        "other.test",
        "site.test:99999",
    ] {
        let bench = internet();
        let request = format!("CONNECT {place} HTTP/1.1\r\n{SHOWN}\r\n\r\n");
        let (said, pass) = asleep(sent(&bench, &[&request]));
        let words = said.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let words = words.split_once("; ").map_or(words.trim_end(), |(words, _)| words);
        let status = said.split(' ').nth(1).unwrap_or("closed");
        let n_refused = pass.visits().iter().filter(|it| it.refusal.is_some()).count();
        writeln!(all, "{place}: {status} {words} [{n_refused}]").unwrap();
        assert_eq!(bench.reached(), Vec::<String>::new());
    }
    expect![[r#"
        home.test:443: 403 192.168.0.1 is a private address (192.168.0.0/16, RFC 1918) [1]
        localhost:8080: 403 `localhost` is a name of this machine (127.0.0.1, RFC 6761) [1]
        127.0.0.1:22: 403 127.0.0.1 is a loopback address, which is this machine (127.0.0.0/8, RFC 1122, 3.2.1.3) [1]
        0x7f000001:80: 403 127.0.0.1 is a loopback address, which is this machine (127.0.0.0/8, RFC 1122, 3.2.1.3) [1]
        [::1]:80: 403 ::1 is a loopback address, which is this machine (::1/128, RFC 4291, 2.5.3) [1]
        [::ffff:169.254.169.254]:80: 403 ::ffff:169.254.169.254 carries 169.254.169.254, which is a metadata address, which hands out credentials (169.254.169.254/32, Amazon, Azure, Google and others) [1]
        169.254.169.254:80: 403 169.254.169.254 is a metadata address, which hands out credentials (169.254.169.254/32, Amazon, Azure, Google and others) [1]
        10.0.0.1:443: 403 10.0.0.1 is a private address (10.0.0.0/8, RFC 1918) [1]
        other.test: 400 no valid host: expected a host and a port, such as `example.com:443` [1]
        site.test:99999: 400 no valid host: expected a host and a port, such as `example.com:443` [1]
    "#]].assert_eq(&all);
}

#[test]
fn a_redirect_is_for_whoever_asked_and_judged_when_they_follow_it() {
    let first = format!("GET http://site.test/away HTTP/1.1\r\nhost: site.test\r\n{SHOWN}\r\n\r\n");
    let next = format!(
        "GET http://169.254.169.254/latest/meta-data HTTP/1.1\r\nhost: 169.254.169.254\r\n{SHOWN}\r\n\r\n"
    );
    check(
        &internet(),
        &[&first, &next],
        expect![[r#"
            HTTP/1.1 302 Moved
            HTTP/1.1 403 Forbidden
            content-length: 252

            169.254.169.254 is a metadata address, which hands out credentials (169.254.169.254/32, Amazon, Azure, Google and others); nothing fetched may reach it, and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`
            site.test:80 1 times, reached
            169.254.169.254:80 1 times, refused: 169.254.169.254 is a metadata address, which hands out credentials (169.254.169.254/32, Amazon, Azure, Google and others); nothing fetched may reach it, and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`
            93.184.215.14:80 is asked: GET /away HTTP/1.1 | host: site.test
        "#]],
    );
}

#[test]
fn a_list_of_hosts_closes_all_others() {
    let bench = internet().listing(&["*.allowed.test"]);
    let request = format!("CONNECT site.test:443 HTTP/1.1\r\n{SHOWN}\r\n\r\n");
    check(
        &bench,
        &[&request],
        expect![[r#"
        HTTP/1.1 403 Forbidden
        `site.test` is not in the list of allowed hosts; the user can add `site.test` to it
        site.test:443 1 times, refused: `site.test` is not in the list of allowed hosts; the user can add `site.test` to it
    "#]],
    );
    let request = format!("CONNECT site.test\0.allowed.test:443 HTTP/1.1\r\n{SHOWN}\r\n\r\n");
    check(
        &bench,
        &[&request],
        expect![[r#"
        HTTP/1.1 400 Bad Request

    "#]],
    );
}

#[tokio::test]
async fn a_pass_that_is_gone_opens_nothing_and_ends_its_connections() {
    let bench = internet();
    bench.serve("93.184.215.14:8443", |_| vec![crate::bench::Step::Flood(b"x".to_vec())]);
    let proxy = bench.proxy();
    let pass = proxy.issue("token".to_owned());
    assert_eq!(pass.url(3128), "http://tagline:token@127.0.0.1:3128");
    let (mut ours, theirs) = duplex(1024);
    tokio::spawn(proxy.serve(theirs));
    let request =
        format!("CONNECT site.test:8443 HTTP/1.1\r\n{SHOWN}\r\n\r\nGET / HTTP/1.1\r\n\r\n");
    ours.write_all(request.as_bytes()).await.unwrap();
    let mut piece = [0; 512];
    assert!(0 < ours.read(&mut piece).await.unwrap());
    drop(pass);
    while 0 < ours.read(&mut piece).await.unwrap() {}
}
