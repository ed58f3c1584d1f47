//! What each problem says: what it is, which rule, what to do.

use std::{fmt::Write as _, time::Duration};

use expect_test::expect;
use tagline_net::{BenchmarkRange, HostList, IPV4, IPV6, Problem, Request, judge};

use crate::bench::Bench;

/// One of each.
fn problems() -> Vec<Problem> {
    let refusal = |address: &str| {
        Problem::Address(judge(address.parse().unwrap(), BenchmarkRange::Closed).unwrap_err())
    };
    let bad = HostList::new(["*"]).bad_entry().unwrap().clone();
    let host = || "example.com".to_owned();
    vec![
        Problem::NotAUrl("relative URL without a base".to_owned()),
        Problem::TooLong { limit: 8192, found: 9000 },
        Problem::Scheme("ftp".to_owned()),
        Problem::Host("invalid domain character".to_owned()),
        Problem::LocalName("localhost".to_owned()),
        Problem::OwnPort(7777),
        refusal("127.0.0.1"),
        refusal("198.18.0.7"),
        refusal("64:ff9b::a9fe:a9fe"),
        refusal("4000::1"),
        Problem::NotListed(host()),
        Problem::BrokenList(bad),
        Problem::Embedded(host()),
        Problem::Unreadable("http://a%20b/".to_owned()),
        Problem::TooOften { host: host(), limit: 10, seconds: 7 },
        Problem::Header("host".to_owned()),
        Problem::HeaderText("x-a".to_owned()),
        Problem::LookUp("no such name".to_owned()),
        Problem::Connect {
            address: "1.1.1.1:80".to_owned(),
            said: "connection refused".to_owned(),
        },
        Problem::ConnectTime(Duration::from_secs(5)),
        Problem::Tls("invalid peer certificate: UnknownIssuer".to_owned()),
        Problem::Time { limit: Duration::from_secs(15), received: 14 },
        Problem::TooLarge { limit: 10_485_760, received: 10_500_000 },
        Problem::Ratio { limit: 100, received: 1000, unpacked: 200_000 },
        Problem::Coding("br".to_owned()),
        Problem::Broken("connection closed before message completed".to_owned()),
        Problem::Redirects(5),
        Problem::Downgrade,
        Problem::BodyElsewhere,
    ]
}

#[test]
fn every_problem_says_what_is_wrong_and_what_to_do() {
    let mut words = String::new();
    for problem in problems() {
        writeln!(words, "{:?}: {problem}", problem.class()).unwrap();
    }
    expect![[r#"
        Call: expected an address such as `https://example.com/page`, but this is none (relative URL without a base); write the whole address
        Call: expected at most 8192 bytes of address, but found 9000; shorten it
        Call: expected `http` or `https`, but found `ftp`; nothing else is fetched
        Call: no valid host: invalid domain character; write the host name as it is registered
        Refused: `localhost` is a name of this machine (127.0.0.1, RFC 6761); nothing fetched may reach it, and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`
        Refused: port 7777 is our own control port; nothing that a model steers may reach it at any address, and no setting opens it
        Refused: 127.0.0.1 is a loopback address, which is this machine (127.0.0.0/8, RFC 1122, 3.2.1.3); nothing fetched may reach it, and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`
        Refused: 198.18.0.7 is a benchmark address (198.18.0.0/15, RFC 2544); nothing fetched may reach it, unless `network.benchmark_range = true` opens this range alone
        Refused: 64:ff9b::a9fe:a9fe carries 169.254.169.254, which is a metadata address, which hands out credentials (169.254.169.254/32, Amazon, Azure, Google and others); nothing fetched may reach it, and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`
        Refused: 4000::1 is a reserved address (::/0, IANA, IPv6 address space); nothing fetched may reach it, and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`
        Refused: `example.com` is not in the list of allowed hosts; the user can add `example.com` to it
        Refused: the list of allowed hosts cannot be read, so it allows nothing; mend it: `*`: expected a host such as `example.com`, or `*.example.com`, but found U+002A
        Refused: it holds an address of `example.com`, which is not in the list of allowed hosts, and an allowed page must not show another one; the user can add `example.com` to it
        Refused: it holds `http://a%20b/`, which begins like an address and cannot be read, while a list says which hosts are allowed; leave it out
        Later: slow down: at most 10 requests a minute go to `example.com`; wait 7 s
        Call: the header `host` is set by the client itself; leave it out
        Call: the header `x-a` holds characters that no header can carry; leave them out
        Failed: its host was not found: no such name; check the spelling of the name
        Later: no connection to 1.1.1.1:80: connection refused; try again later
        Later: no connection within 5 s; try again later
        Failed: no secure connection: invalid peer certificate: UnknownIssuer; ask for another address
        Later: not finished within 15 s, 14 bytes of the body had come; ask for a smaller part
        Failed: the body is over 10485760 bytes, reading stopped after 10500000; ask for a part of it
        Failed: 1000 bytes grew to 200000 when unpacked, over 100 times as many; ask for another address
        Failed: the body is sent as `br`, but only `gzip` was asked for; ask for another address
        Later: the answer cannot be read: connection closed before message completed; try again later
        Failed: more than 5 redirects; ask for the page itself
        Refused: a redirect from https to http, which anyone on the way could read; ask for it by https
        Refused: a redirect that takes the body of the request to another origin; send it there itself
    "#]].assert_eq(&words);
}

#[test]
fn every_closed_range_has_words_and_a_source() {
    for range in IPV4.iter().chain(IPV6) {
        assert!(!range.source.is_empty() && !range.kind.as_str().is_empty(), "{range}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_shows_no_password_no_control_characters_and_not_too_much() {
    let bench = Bench::new();
    for url in [
        "http://me:secret@127.0.0.1/".to_owned(),
        "ftp://me:secret@example.com/".to_owned(),
        "http://me:secret@exa mple/".to_owned(),
        "http://me:sec\u{1b}ret@[::1/".to_owned(),
        format!("http://example.com:99999/{}", "x".repeat(5000)),
        "\u{1b}[31m".to_owned(),
    ] {
        let error = bench.client().fetch(Request::get(&url)).await.unwrap_err().to_string();
        let is_tidy = !error.contains("secret") && !error.contains('\u{1b}') && error.len() < 800;
        assert!(is_tidy, "{error}");
    }
}
