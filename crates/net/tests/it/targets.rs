//! Addresses as text: what is read of them, once.

use std::fmt::Write as _;

use expect_test::expect;
use proptest::prelude::*;
use tagline_net::{Host, Target};

fn check(urls: &[&str]) -> String {
    urls.iter().fold(String::new(), |mut all, url| {
        let read = match Target::read(url) {
            Ok(target) => format!("{target:?}", target = target.as_str()),
            Err(problem) => problem.to_string(),
        };
        writeln!(all, "{url:?}: {read}").unwrap();
        all
    })
}

#[test]
fn an_address_is_read_as_a_browser_reads_it() {
    let all = check(&[
        "http://example.com",
        "HTTPS://Example.COM.:443/a/../b?c#d",
        "http://user:pass@example.com:80/",
        "http://allowed.test\\@127.0.0.1:9/",
        "http:/\\127.0.0.1:9",
        "http://127.0.0.1:9#@allowed.test/",
        "http://allowed.test@127.0.0.1/",
        "http://127.0.0.1%2f@allowed.test/",
        "http://bücher.example/",
        "http://xn--bcher-kva.example/",
        "http://ⓔxample。com/",
        "  http://example.com/\n",
    ]);
    expect![[r#"
        "http://example.com": "http://example.com/"
        "HTTPS://Example.COM.:443/a/../b?c#d": "https://example.com/b?c"
        "http://user:pass@example.com:80/": "http://example.com/"
        "http://allowed.test\\@127.0.0.1:9/": "http://allowed.test/@127.0.0.1:9/"
        "http:/\\127.0.0.1:9": "http://127.0.0.1:9/"
        "http://127.0.0.1:9#@allowed.test/": "http://127.0.0.1:9/"
        "http://allowed.test@127.0.0.1/": "http://127.0.0.1/"
        "http://127.0.0.1%2f@allowed.test/": "http://allowed.test/"
        "http://bücher.example/": "http://xn--bcher-kva.example/"
        "http://xn--bcher-kva.example/": "http://xn--bcher-kva.example/"
        "http://ⓔxample。com/": "http://example.com/"
        "  http://example.com/\n": "http://example.com/"
    "#]]
    .assert_eq(&all);
}

/// What is no address of the web.
const NONE: &[&str] = &[
    "",
    "example.com",
    "/etc/passwd",
    "file:///etc/passwd",
    "ftp://example.com/",
    "data:text/html,x",
    "javascript:alert(1)",
    "unix:/run/x.sock",
    "http://",
    "http://?a",
    "http://allowed.test\t.127.0.0.1/",
    "http://other.test\0.allowed.test/",
    "http://other.test%00.allowed.test/",
    "http://1.2.3.4.5/",
    "http://256.0.0.1/",
    "http://4294967296/",
    "http://0x100000000/",
    "http://08.0.0.1/",
    "http://127.0.0.0x1g/",
    "http://[::1/",
    "http://[fe80::1%25eth0]/",
    "http://[::127.0.0.1.5]/",
    "http://example.com:99999/",
    "http://a..b/",
    "http://.example/",
    "http://exa mple.com/",
    "http://exa!mple.com/",
    "http://*.example.com/",
    "http://localhost:80/",
    "http://LOCALHOST./",
    "http://x.LocalHost/",
    "http://ⓛocalhost/",
];

#[test]
fn what_is_no_address_of_the_web_is_refused_with_its_reason() {
    let long = format!("http://example.com/{}", "x".repeat(9000));
    let label = format!("http://{}.example/", "x".repeat(64));
    let all = check(NONE) + &check(&[&label]);
    expect![[r#"
        "": expected an address such as `https://example.com/page`, but this is none (relative URL without a base); write the whole address
        "example.com": expected an address such as `https://example.com/page`, but this is none (relative URL without a base); write the whole address
        "/etc/passwd": expected an address such as `https://example.com/page`, but this is none (relative URL without a base); write the whole address
        "file:///etc/passwd": expected `http` or `https`, but found `file`; nothing else is fetched
        "ftp://example.com/": expected `http` or `https`, but found `ftp`; nothing else is fetched
        "data:text/html,x": expected `http` or `https`, but found `data`; nothing else is fetched
        "javascript:alert(1)": expected `http` or `https`, but found `javascript`; nothing else is fetched
        "unix:/run/x.sock": expected `http` or `https`, but found `unix`; nothing else is fetched
        "http://": expected an address such as `https://example.com/page`, but this is none (empty host); write the whole address
        "http://?a": expected an address such as `https://example.com/page`, but this is none (empty host); write the whole address
        "http://allowed.test\t.127.0.0.1/": expected an address such as `https://example.com/page`, but this is none (invalid IPv4 address); write the whole address
        "http://other.test\0.allowed.test/": expected an address such as `https://example.com/page`, but this is none (invalid international domain name); write the whole address
        "http://other.test%00.allowed.test/": expected an address such as `https://example.com/page`, but this is none (invalid international domain name); write the whole address
        "http://1.2.3.4.5/": expected an address such as `https://example.com/page`, but this is none (invalid IPv4 address); write the whole address
        "http://256.0.0.1/": expected an address such as `https://example.com/page`, but this is none (invalid IPv4 address); write the whole address
        "http://4294967296/": expected an address such as `https://example.com/page`, but this is none (invalid IPv4 address); write the whole address
        "http://0x100000000/": expected an address such as `https://example.com/page`, but this is none (invalid IPv4 address); write the whole address
        "http://08.0.0.1/": expected an address such as `https://example.com/page`, but this is none (invalid IPv4 address); write the whole address
        "http://127.0.0.0x1g/": "http://127.0.0.0x1g/"
        "http://[::1/": expected an address such as `https://example.com/page`, but this is none (invalid IPv6 address); write the whole address
        "http://[fe80::1%25eth0]/": expected an address such as `https://example.com/page`, but this is none (invalid IPv6 address); write the whole address
        "http://[::127.0.0.1.5]/": expected an address such as `https://example.com/page`, but this is none (invalid IPv6 address); write the whole address
        "http://example.com:99999/": expected an address such as `https://example.com/page`, but this is none (invalid port number); write the whole address
        "http://a..b/": no valid host: a part of the name is empty or too long; write the host name as it is registered
        "http://.example/": no valid host: a part of the name is empty or too long; write the host name as it is registered
        "http://exa mple.com/": expected an address such as `https://example.com/page`, but this is none (invalid international domain name); write the whole address
        "http://exa!mple.com/": no valid host: U+0021 is in no host name; write the host name as it is registered
        "http://*.example.com/": no valid host: U+002A is in no host name; write the host name as it is registered
        "http://localhost:80/": `localhost` is a name of this machine (127.0.0.1, RFC 6761); nothing fetched may reach it, and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`
        "http://LOCALHOST./": `localhost` is a name of this machine (127.0.0.1, RFC 6761); nothing fetched may reach it, and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`
        "http://x.LocalHost/": `x.localhost` is a name of this machine (127.0.0.1, RFC 6761); nothing fetched may reach it, and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`
        "http://ⓛocalhost/": `localhost` is a name of this machine (127.0.0.1, RFC 6761); nothing fetched may reach it, and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`
        "http://xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.example/": no valid host: a part of the name is empty or too long; write the host name as it is registered
    "#]].assert_eq(&all);
    assert!(Target::read(&long).unwrap_err().to_string().contains("at most 8192 bytes"));
}

/// Pieces of which odd addresses are made.
fn odd() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "http:",
        "https:",
        "//",
        "/",
        "\\",
        "@",
        ":",
        "#",
        "?",
        "[",
        "]",
        "127.0.0.1",
        "0x7f",
        "1",
        ".",
        "localhost",
        "allowed.test",
        "::1",
        "::ffff:",
        "%",
        "%2f",
        "%00",
        "%40",
        "①",
        "。",
        "\u{ad}",
        "\t",
        "\n",
        " ",
        "xn--",
        "ß",
        "\u{202e}",
        "0177",
        "80",
        "a",
        "-",
        "_",
        "\u{0}",
    ]);
    let pieces = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat());
    prop_oneof![pieces.clone(), pieces.prop_map(|rest| format!("http://{rest}")), any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_read_reads_the_same_again(text in odd()) {
        if let Ok(target) = Target::read(&text) {
            let again = Target::read(target.as_str());
            prop_assert_eq!(again.as_ref(), Ok(&target), "{:?}", text);
            prop_assert_eq!(&Host::read(&target.host().to_string()).unwrap(), target.host());
            let authority = target.as_str().split('/').nth(2).unwrap();
            prop_assert!(!authority.contains('@') && authority.starts_with(&target.host().to_string()));
            prop_assert!(target.as_str().is_ascii());
        }
    }
}

#[test]
fn names_and_addresses_have_a_length() {
    let part = "x".repeat(63);
    let name = |rest: usize| format!("{part}.{part}.{part}.{}", "x".repeat(rest));
    let is_host = |text: &str| Host::read(text).is_ok();
    assert_eq!((is_host(&name(61)), is_host(&name(62))), (true, false), "253 bytes and 254");
    assert_eq!((is_host(&part), is_host(&format!("{part}x"))), (true, false));
    let start = "http://example.com/";
    let is_target =
        |n: usize| Target::read(&format!("{start}{}", "x".repeat(n - start.len()))).is_ok();
    assert_eq!((is_target(8192), is_target(8193)), (true, false));
}
