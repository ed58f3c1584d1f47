//! By which names the server may be called.

use tagline_server::{Config, Hosts, route_table};

use crate::support::{House, kind, line, request};

/// More than two hundred values that look like ours, or like loopback, and are not ours.
fn foreign(port: u16) -> Vec<String> {
    let other = if port == 65_535 { port - 1 } else { port + 1 };
    let names = ["127.0.0.1", "localhost", "[::1]"];
    let mut all = Vec::new();
    for name in names {
        let tricks = [
            name.to_owned(),
            format!("{name}:"),
            format!("{name}:{other}"),
            format!("{name}:0{port}"),
            format!("{name}:+{port}"),
            format!("{name}:{port}:{port}"),
            format!("{name}:{port}."),
            format!("{name}.:{port}"),
            format!("{name}:80"),
            format!("{name}:443"),
            format!("{name}.evil.test:{port}"),
            format!("{name}-evil.test:{port}"),
            format!("evil.{name}:{port}"),
            format!("evil{name}:{port}"),
            format!("{name}:{port}.evil.test"),
            format!("{name}:{port}@evil.test"),
            format!("user@{name}:{port}"),
            format!("user:word@{name}:{port}"),
            format!("evil.test@{name}:{port}"),
            format!("{name}:{port}/"),
            format!("{name}:{port}/evil.test"),
            format!("{name}:{port}?evil.test"),
            format!("{name}:{port}#evil.test"),
            format!("{name}:{port},evil.test"),
            format!("evil.test,{name}:{port}"),
            format!("{name}:{port} evil.test"),
            format!("evil.test {name}:{port}"),
            format!("{name} :{port}"),
            format!("{name}: {port}"),
            format!("http://{name}:{port}"),
            format!("//{name}:{port}"),
            format!("\"{name}:{port}\""),
            format!("'{name}:{port}'"),
            format!("<{name}:{port}>"),
            format!("{name}\\:{port}"),
            format!("{name}%00:{port}"),
            format!("{name}%2eevil.test:{port}"),
            format!("{name};:{port}"),
            format!("{name}:{port};evil"),
            format!("*{name}:{port}"),
            format!("{name}:{port}*"),
            format!("{name}\u{e9}:{port}"),
            format!("{name}:{port}\u{200b}"),
        ];
        all.extend(tricks);
    }
    let others = [
        "",
        "*",
        ".",
        ":",
        "0",
        "00",
        "0.0.0.0",
        "0x0",
        "[::]",
        "::",
        "[::0]",
        "[0:0:0:0:0:0:0:0]",
        "::1",
        "127.1",
        "127.0.1",
        "127.0.0.2",
        "127.0.0.01",
        "127.000.000.001",
        "0177.0.0.1",
        "0x7f.0.0.1",
        "0x7f000001",
        "2130706433",
        "017700000001",
        "127.0.0.1.",
        "127.0.0.1.nip.io",
        "localhost.",
        "localhost.localdomain",
        "localhost6",
        "ip6-localhost",
        "local",
        "lvh.me",
        "localtest.me",
        "evil.test",
        "xn--lcalhost-f4a",
        "l\u{f6}calhost",
        "LOCALHOST.",
        "[::1%lo]",
        "[::1%25lo]",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[fe80::1]",
        "[::2]",
        "[::1",
        "::1]",
        "[[::1]]",
        "[localhost]",
        "(127.0.0.1)",
        "10.0.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "host.docker.internal",
        "kubernetes.docker.internal",
        "tagline",
        "null",
        "undefined",
        "-",
        "_",
        "..",
        "127..0.0.1",
        "127.0.0.1/8",
        "%6c%6f%63%61%6c%68%6f%73%74",
    ];
    for name in others {
        all.push(format!("{name}:{port}"));
        all.push(name.to_owned());
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn no_host_but_ours_is_answered_on_any_route() {
    let house = House::open().await;
    let values = foreign(house.address.port());
    assert!(values.len() >= 200, "{} values", values.len());
    let token = house.bearer();
    let mut answered = Vec::new();
    for route in route_table() {
        for value in &values {
            let host = format!("Host: {value}");
            let headers = [host.as_str(), kind(route), &token];
            let body = if route.method == "GET" { "" } else { "{}" };
            let answer = house.raw(&request(&line(route), &headers, body)).await;
            let is_refused =
                matches!(answer.short().as_str(), "403 host_not_allowed" | "400 bad_head");
            if !is_refused || answer.body.contains(&house.tokens.show()) {
                answered.push(format!("{} with `{host}`: {}", line(route), answer.short()));
            }
        }
    }
    assert_eq!(answered, Vec::<String>::new());
}

#[tokio::test]
async fn our_own_names_are_answered_in_any_case() {
    let house = House::open().await;
    let port = house.address.port();
    for name in ["127.0.0.1", "localhost", "LOCALHOST", "LocalHost", "[::1]"] {
        let host = format!("Host: {name}:{port}");
        let answer = house.raw(&request("GET /healthz", &[&host], "")).await;
        assert_eq!(answer.status, 200, "{host}");
    }
}

#[tokio::test]
async fn what_is_ambiguous_is_refused() {
    let house = House::open().await;
    let host = format!("Host: {}", house.host());
    let whole = format!("GET http://{}/healthz", house.host());
    let cases: [(&str, Vec<u8>); 6] = [
        ("no host", request("GET /healthz", &[], "")),
        ("no host, old", b"GET /healthz HTTP/1.0\r\n\r\n".to_vec()),
        ("two hosts", request("GET /healthz", &[&host, &host], "")),
        ("another address", request("GET http://evil.test/healthz", &[&host], "")),
        ("our address", request(&whole, &[&host], "")),
        (
            "forwarded",
            request(
                "GET /healthz",
                &[
                    "Host: evil.test",
                    &format!("X-Forwarded-Host: {}", house.host()),
                    &format!("Forwarded: host={}", house.host()),
                ],
                "",
            ),
        ),
    ];
    for (name, bytes) in cases {
        assert_eq!(house.raw(&bytes).await.short(), "403 host_not_allowed", "{name}");
    }
}

#[tokio::test]
async fn a_list_with_nothing_good_in_it_means_loopback_alone() {
    let bad = ["", "*", "*.lan", "0.0.0.0", "http://a", "a b", "a:0", "a:x", "::", "a..b", "a/b"];
    let config = Config {
        hosts: bad.iter().map(|name| (*name).to_owned()).collect(),
        ..Config::loopback(0)
    };
    let address = "127.0.0.1:7777".parse().unwrap();
    let (hosts, left_out) = Hosts::new(address, &config.hosts);
    assert_eq!((hosts, left_out.len()), (Hosts::new(address, &[]).0, bad.len()));
    let house = House::with(config).await;
    assert_eq!(house.ask("GET /healthz", &[], "").await.status, 200);
    let answer = house.raw(&request("GET /healthz", &["Host: *"], "")).await;
    assert_eq!(answer.short(), "403 host_not_allowed");
}

#[tokio::test]
async fn a_name_that_the_user_listed_joins_the_list() {
    let hosts = vec!["Tagline.lan".to_owned(), "box:8443".to_owned()];
    let house = House::with(Config { hosts, ..Config::loopback(0) }).await;
    for (host, status) in
        [("tagline.lan", 200), ("box:8443", 200), ("box", 403), ("evil.tagline.lan", 403)]
    {
        let answer = house.raw(&request("GET /healthz", &[&format!("Host: {host}")], "")).await;
        assert_eq!(answer.status, status, "{host}");
    }
}
