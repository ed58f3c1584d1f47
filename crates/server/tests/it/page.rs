//! The page's files: what a browser may do with them, and how long it may keep them.

use expect_test::expect;

use crate::support::{Answer, House};

const VARIABLE: [&str; 4] = ["date", "content-length", "x-request-id", "permissions-policy"];

fn lines(answer: &Answer) -> String {
    let shown = answer.headers.iter().filter(|(name, _)| !VARIABLE.contains(&name.as_str()));
    let mut lines: Vec<String> = shown
        .map(|(name, value)| match name.as_str() {
            "etag" => "etag: (a hash)\n".to_owned(),
            _ => format!("{name}: {value}\n"),
        })
        .collect();
    lines.sort();
    lines.concat()
}

/// The script that the page loads first.
async fn script(house: &House) -> String {
    let page = house.ask("GET /", &[], "").await.body;
    let names = page.split('"').filter(|part| part.starts_with("/page/index"));
    names.filter(|name| name.ends_with(".js")).map(str::to_owned).next().unwrap()
}

#[tokio::test]
async fn the_page_may_run_its_own_files_only() {
    let house = House::open().await;
    let answer = house.ask("GET /", &[], "").await;
    expect![[r#"
        cache-control: no-cache
        connection: close
        content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html
        content-type: text/html; charset=utf-8
        cross-origin-embedder-policy: require-corp
        cross-origin-opener-policy: same-origin
        cross-origin-resource-policy: same-origin
        etag: (a hash)
        origin-agent-cluster: ?1
        referrer-policy: no-referrer
        vary: accept-encoding
        x-content-type-options: nosniff
        x-frame-options: DENY
    "#]]
    .assert_eq(&lines(&answer));
    assert!(!answer.body.contains("<script>") && !answer.body.contains("style="));
}

#[tokio::test]
async fn what_never_changes_is_kept_for_good_and_the_rest_is_asked_for_again() {
    let house = House::open().await;
    let script = format!("GET {}", script(&house).await);
    let kept = async |line: &str| {
        house.ask(line, &[], "").await.header("cache-control").unwrap().to_owned()
    };
    assert_eq!(kept(&script).await, "public, max-age=31536000, immutable");
    for line in ["GET /", "GET /page/theme.js", "GET /page/manifest.webmanifest"] {
        assert_eq!(kept(line).await, "no-cache", "{line}");
    }
    assert_eq!(house.asks("GET /page/nothing.js", &[], "").await.short(), "404 no_such_route");
    assert_eq!(house.ask("GET /page/..%2Findex.html", &[], "").await.short(), "404 no_such_route");
}

#[tokio::test]
async fn what_a_browser_has_is_not_sent_again() {
    let house = House::open().await;
    let tag = house.ask("GET /", &[], "").await.header("etag").unwrap().to_owned();
    let again = async |known: &str| {
        let answer = house.ask("GET /", &[&format!("If-None-Match: {known}")], "").await;
        (answer.status, answer.body.is_empty())
    };
    assert_eq!(again(&tag).await, (304, true));
    assert_eq!(again(&format!("\"other\", {tag}")).await, (304, true));
    assert_eq!(again("*").await, (304, true));
    assert_eq!(again("\"other\"").await, (200, false));
}

#[tokio::test]
async fn a_browser_that_takes_it_gets_the_compressed_form() {
    let house = House::open().await;
    let line = format!("HEAD {}", script(&house).await);
    let size = async |accept: &str| {
        let answer = house.ask(&line, &[&format!("Accept-Encoding: {accept}")], "").await;
        let size: usize = answer.header("content-length").unwrap().parse().unwrap();
        (answer.header("content-encoding").map(str::to_owned), size)
    };
    let (none, plain) = size("identity").await;
    assert_eq!(none, None);
    for accept in ["gzip", "br, GZIP;q=0.5", "deflate, gzip;q=1.0"] {
        let (encoding, small) = size(accept).await;
        assert_eq!(encoding.as_deref(), Some("gzip"), "{accept}");
        assert!(small * 2 < plain, "{small} of {plain} bytes");
    }
    for accept in ["gzip;q=0", "br", "", "gzipped"] {
        assert_eq!(size(accept).await, (None, plain), "{accept}");
    }
}
