//! What every answer carries, and what none does.

use expect_test::expect;
use tagline_server::route_table;

use crate::support::{Answer, House, kind, line};

const VARIABLE: [&str; 4] = ["date", "content-length", "x-request-id", "permissions-policy"];

fn lines(answer: &Answer) -> String {
    let mut lines: Vec<String> = answer
        .headers
        .iter()
        .filter(|(name, _)| !VARIABLE.contains(&name.as_str()))
        .map(|(name, value)| format!("{name}: {value}\n"))
        .collect();
    lines.sort();
    lines.concat()
}

#[tokio::test]
async fn no_answer_of_any_route_lets_another_site_read() {
    let house = House::open().await;
    for route in route_table() {
        for method in ["GET", "HEAD", "OPTIONS", "POST", "DELETE"] {
            let path = line(route);
            let path = path.split(' ').nth(1).unwrap();
            if path.ends_with("rotate") {
                continue;
            }
            let answer = house.asks(&format!("{method} {path}"), &[kind(route)], "{}").await;
            let header = |name| answer.header(name).unwrap_or_default();
            assert_eq!(header("cross-origin-resource-policy"), "same-origin", "{method} {path}");
            assert_eq!(header("cross-origin-opener-policy"), "same-origin", "{method} {path}");
            assert_eq!(header("x-content-type-options"), "nosniff", "{method} {path}");
            assert_eq!(header("referrer-policy"), "no-referrer", "{method} {path}");
            assert!(header("content-security-policy").contains("frame-ancestors 'none'"));
            assert!(header("permissions-policy").contains("camera=()"), "{method} {path}");
            let allows = |name: &str| name.starts_with("access-control") || name == "set-cookie";
            assert!(!answer.headers.iter().any(|(name, _)| allows(name)), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn data_may_do_nothing_in_a_browser() {
    let house = House::open().await;
    let answer = house.asks("GET /nothing", &[], "").await;
    expect![[r#"
        cache-control: no-store
        connection: close
        content-security-policy: default-src 'none'; frame-ancestors 'none'; sandbox
        content-type: application/json
        cross-origin-embedder-policy: require-corp
        cross-origin-opener-policy: same-origin
        cross-origin-resource-policy: same-origin
        origin-agent-cluster: ?1
        referrer-policy: no-referrer
        x-content-type-options: nosniff
        x-frame-options: DENY
    "#]]
    .assert_eq(&lines(&answer));
}
