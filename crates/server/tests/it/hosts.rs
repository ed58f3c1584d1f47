//! By which names the server may be called.

use tagline_server::{Config, Hosts, route_table};

use crate::support::{House, kind, line, request};

/// More than two hundred values that look like ours, or like loopback, and are not ours.
fn foreign(port: u16) -> Vec<String> {
    let other = port ^ 1;
    let of = |name: &str, trick: &str| {
        let trick = trick.replace("{name}", name).replace("{port}", &port.to_string());
        trick.replace("{other}", &other.to_string())
    };
    let tricks = include_str!("hosts/tricks.txt").lines();
    let ours =
        tricks.flat_map(|trick| ["127.0.0.1", "localhost", "[::1]"].map(|name| of(name, trick)));
    let others = include_str!("hosts/others.txt").lines();
    ours.chain(others.flat_map(|name| [name.to_owned(), format!("{name}:{port}")])).collect()
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
