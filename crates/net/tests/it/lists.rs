//! Lists of hosts.

use std::fmt::Write as _;

use expect_test::expect;
use proptest::prelude::*;
use tagline_net::{Host, HostList, Target};

use crate::bench::{Bench, ok};

fn allowed(list: &HostList, hosts: &[&str]) -> String {
    let allows = |host: &&&str| Host::read(host).is_ok_and(|host| list.allows(&host));
    hosts.iter().filter(allows).copied().collect::<Vec<_>>().join(", ")
}

#[test]
fn entries_match_whole_parts_of_names() {
    let hosts = [
        "evilallowed.test",
        "allowed.test.evil.test",
        "allowed.test.",
        "ALLOWED.TEST",
        "a.allowed.test",
        "b.a.allowed.test",
        "allowedxtest",
        "llowed.test",
        "test",
        "ａllowed.test",
        "allowed%2etest",
    ];
    let check = |entries: &[&str]| {
        let list = HostList::new(entries);
        format!("{list}: {}\n", allowed(&list, &hosts))
    };
    let all = check(&["allowed.test"])
        + &check(&["*.allowed.test"])
        + &check(&["Allowed.Test.", "*.ALLOWED.test"])
        + &check(&["*.test"])
        + &check(&[]);
    expect![[r#"
        allowed.test: allowed.test., ALLOWED.TEST, ａllowed.test, allowed%2etest
        *.allowed.test: a.allowed.test, b.a.allowed.test
        allowed.test, *.allowed.test: allowed.test., ALLOWED.TEST, a.allowed.test, b.a.allowed.test, ａllowed.test, allowed%2etest
        *.test: evilallowed.test, allowed.test.evil.test, allowed.test., ALLOWED.TEST, a.allowed.test, b.a.allowed.test, llowed.test, ａllowed.test, allowed%2etest
        no host: 
    "#]].assert_eq(&all);
    let list = HostList::new([
        "93.184.215.14",
        "[2606:2800:21f:cb07:6820:80da:af6b:8b2c]",
        "*.bücher.example",
    ]);
    let hosts = [
        "1572394766",
        "93.184.215.15",
        "[2606:2800:21f:cb07:6820:80DA:af6b:8b2c]",
        "a.xn--bcher-kva.example",
    ];
    expect!["1572394766, [2606:2800:21f:cb07:6820:80DA:af6b:8b2c], a.xn--bcher-kva.example"]
        .assert_eq(&allowed(&list, &hosts));
}

#[test]
fn a_list_that_cannot_be_read_allows_nothing_and_says_why() {
    let entries = [
        "",
        "*",
        "*.",
        "*.*",
        "a.*.test",
        "*allowed.test",
        "*.127.0.0.1",
        "http://allowed.test",
        "allowed.test/",
        "allowed.test:80",
        "user@allowed.test",
        " allowed.test",
        "allowed.test\n",
        "allowed%2etest",
        "a..test",
        "localhost",
        "[::1",
        "a,b.test",
        "1.2.3.4.5",
    ];
    let mut all = String::new();
    for entry in entries {
        let list = HostList::new(["allowed.test", entry]);
        assert!(!list.allows(&Host::read("allowed.test").unwrap()), "{entry:?}");
        writeln!(all, "{}", list.bad_entry().unwrap()).unwrap();
    }
    expect![[r#"
        ``: expected a host such as `example.com`, or `*.example.com`, but no valid host: empty host; write the host name as it is registered
        `*`: expected a host such as `example.com`, or `*.example.com`, but found U+002A
        `*.`: expected a host such as `example.com`, or `*.example.com`, but no valid host: empty host; write the host name as it is registered
        `*.*`: expected a host such as `example.com`, or `*.example.com`, but found U+002A
        `a.*.test`: expected a host such as `example.com`, or `*.example.com`, but found U+002A
        `*allowed.test`: expected a host such as `example.com`, or `*.example.com`, but found U+002A
        `*.127.0.0.1`: expected a host such as `example.com`, or `*.example.com`, but found an address behind `*.`
        `http://allowed.test`: expected a host such as `example.com`, or `*.example.com`, but no valid host: invalid international domain name; write the host name as it is registered
        `allowed.test/`: expected a host such as `example.com`, or `*.example.com`, but no valid host: invalid international domain name; write the host name as it is registered
        `allowed.test:80`: expected a host such as `example.com`, or `*.example.com`, but no valid host: invalid international domain name; write the host name as it is registered
        `user@allowed.test`: expected a host such as `example.com`, or `*.example.com`, but no valid host: invalid international domain name; write the host name as it is registered
        ` allowed.test`: expected a host such as `example.com`, or `*.example.com`, but no valid host: invalid international domain name; write the host name as it is registered
        `allowed.test�`: expected a host such as `example.com`, or `*.example.com`, but found U+000A
        `allowed%2etest`: expected a host such as `example.com`, or `*.example.com`, but found U+0025
        `a..test`: expected a host such as `example.com`, or `*.example.com`, but no valid host: a part of the name is empty or too long; write the host name as it is registered
        `localhost`: expected a host such as `example.com`, or `*.example.com`, but `localhost` is a name of this machine (127.0.0.1, RFC 6761); nothing fetched may reach it, and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`
        `[::1`: expected a host such as `example.com`, or `*.example.com`, but no valid host: invalid IPv6 address; write the host name as it is registered
        `a,b.test`: expected a host such as `example.com`, or `*.example.com`, but no valid host: U+002C is in no host name; write the host name as it is registered
        `1.2.3.4.5`: expected a host such as `example.com`, or `*.example.com`, but no valid host: invalid IPv4 address; write the host name as it is registered
    "#]].assert_eq(&all);
}

/// Addresses that are asked for where `allowed.test` and all below it is allowed.
const ASKED: &[&str] = &[
    "http://allowed.test/",
    "http://other@allowed.test:80/",
    "http://other.test/",
    "http://allowed.test@other.test/",
    "http://allowed.test/out",
    "http://t.allowed.test/translate?u=http://blocked.test/",
    "http://t.allowed.test/translate?u=HTTPS%3A%2F%2Fblocked.test",
    "http://t.allowed.test/translate?u=http%253A%252F%252Fblocked.test%252F",
    "http://t.allowed.test/http:/blocked.test/page",
    "http://t.allowed.test/?u=http://allowed.test%26@blocked.test/",
    "http://t.allowed.test/?u=http://blocked.test&x=1",
    "http://t.allowed.test/?u=http://127.0.0.1/",
    "http://t.allowed.test/?u=http://a%20b/",
    "http://t.allowed.test/?u=http://allowed.test/a&v=http://b.allowed.test&x=1",
    "http://t.allowed.test/?q=what+is+http:",
];

#[tokio::test(start_paused = true)]
async fn a_list_holds_for_every_hop_and_for_addresses_inside_of_addresses() {
    let bench = Bench::new().listing(&["allowed.test", "*.allowed.test"]);
    bench.name("allowed.test", &["93.184.215.14"]).name("t.allowed.test", &["93.184.215.14"]);
    bench.serve("93.184.215.14:80", |request| {
        if request.contains(" /out ") {
            crate::bench::redirect(302, "http://other.test/")
        } else {
            ok("page")
        }
    });
    let mut all = String::new();
    for url in ASKED {
        let outcome = bench.get(url).await;
        writeln!(
            all,
            "{url}: {}",
            outcome
                .split(": ")
                .skip(usize::from(!outcome.starts_with("200")))
                .collect::<Vec<_>>()
                .join(": ")
        )
        .unwrap();
    }
    expect![[r#"
        http://allowed.test/: 200 from http://allowed.test/ at 93.184.215.14:80: "page"
        http://other@allowed.test:80/: 200 from http://allowed.test/ at 93.184.215.14:80: "page"
        http://other.test/: `http://other.test/`: `other.test` is not in the list of allowed hosts; the user can add `other.test` to it
        http://allowed.test@other.test/: `http://other.test/`: `other.test` is not in the list of allowed hosts; the user can add `other.test` to it
        http://allowed.test/out: `http://other.test/`, where `http://allowed.test/out` redirects to: `other.test` is not in the list of allowed hosts; the user can add `other.test` to it
        http://t.allowed.test/translate?u=http://blocked.test/: `http://t.allowed.test/translate?u=http://blocked.test/`: it holds an address of `blocked.test`, which is not in the list of allowed hosts, and an allowed page must not show another one; the user can add `blocked.test` to it
        http://t.allowed.test/translate?u=HTTPS%3A%2F%2Fblocked.test: `http://t.allowed.test/translate?u=HTTPS%3A%2F%2Fblocked.test`: it holds an address of `blocked.test`, which is not in the list of allowed hosts, and an allowed page must not show another one; the user can add `blocked.test` to it
        http://t.allowed.test/translate?u=http%253A%252F%252Fblocked.test%252F: `http://t.allowed.test/translate?u=http%253A%252F%252Fblocked.test%252F`: it holds an address of `blocked.test`, which is not in the list of allowed hosts, and an allowed page must not show another one; the user can add `blocked.test` to it
        http://t.allowed.test/http:/blocked.test/page: `http://t.allowed.test/http:/blocked.test/page`: it holds an address of `blocked.test`, which is not in the list of allowed hosts, and an allowed page must not show another one; the user can add `blocked.test` to it
        http://t.allowed.test/?u=http://allowed.test%26@blocked.test/: `http://t.allowed.test/?u=http://allowed.test%26@blocked.test/`: it holds an address of `blocked.test`, which is not in the list of allowed hosts, and an allowed page must not show another one; the user can add `blocked.test` to it
        http://t.allowed.test/?u=http://blocked.test&x=1: `http://t.allowed.test/?u=http://blocked.test&x=1`: it holds an address of `blocked.test`, which is not in the list of allowed hosts, and an allowed page must not show another one; the user can add `blocked.test` to it
        http://t.allowed.test/?u=http://127.0.0.1/: `http://t.allowed.test/?u=http://127.0.0.1/`: it holds an address of `127.0.0.1`, which is not in the list of allowed hosts, and an allowed page must not show another one; the user can add `127.0.0.1` to it
        http://t.allowed.test/?u=http://a%20b/: `http://t.allowed.test/?u=http://a%20b/`: it holds `http://a%20b/`, which begins like an address and cannot be read, while a list says which hosts are allowed; leave it out
        http://t.allowed.test/?u=http://allowed.test/a&v=http://b.allowed.test&x=1: 200 from http://t.allowed.test/?u=http://allowed.test/a&v=http://b.allowed.test&x=1 at 93.184.215.14:80: "page"
        http://t.allowed.test/?q=what+is+http:: 200 from http://t.allowed.test/?q=what+is+http: at 93.184.215.14:80: "page"
    "#]].assert_eq(&all);
    let broken = Bench::new().listing(&["allowed.test", "*"]);
    broken.name("allowed.test", &["93.184.215.14"]);
    expect!["Refused: `http://allowed.test/`: the list of allowed hosts cannot be read, so it allows nothing; mend it: `*`: expected a host such as `example.com`, or `*.example.com`, but found U+002A"].assert_eq(&broken.get("http://allowed.test/").await);
    assert!(broken.looked_up().is_empty() && broken.reached().is_empty());
}

fn name() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(vec!["a", "b", "ab", "test", "x-1"]), 1..5)
        .prop_map(|parts| parts.join("."))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The reference: parts compared from the end.
    #[test]
    fn a_suffix_is_whole_parts_and_at_least_one_more(entry in name(), host in name()) {
        let (mut ends, mut parts) = (entry.rsplit('.'), host.rsplit('.'));
        let is_below = ends.all(|end| parts.next() == Some(end)) && parts.next().is_some();
        let read = Host::read(&host).unwrap();
        prop_assert_eq!(HostList::new([format!("*.{entry}")]).allows(&read), is_below);
        prop_assert_eq!(HostList::new([&entry]).allows(&read), entry == host);
        let spelled = format!("http://u:p@{}.:81/x", host.to_uppercase());
        let target = Target::read(&spelled).unwrap();
        prop_assert_eq!(target.host(), &read);
    }
}
