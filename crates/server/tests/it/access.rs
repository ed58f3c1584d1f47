//! Who gets in, and with what.

use std::{os::unix::fs::PermissionsExt as _, path::Path};

use expect_test::expect;
use tagline_server::{Door, TokenFile, route_table};

use crate::support::{House, guarded, kind, line};

#[test]
fn what_is_open_without_a_token_is_a_short_list() {
    let open = route_table().iter().filter(|route| route.door != Door::Token);
    let list: Vec<String> =
        open.map(|route| format!("{:?} {} {}\n", route.door, route.method, route.path)).collect();
    expect![[r#"
        Page GET /
        Page GET /page/{file}
        Page GET /healthz
        Page GET /readyz
        Code POST /api/token
    "#]]
    .assert_eq(&list.concat());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_other_route_asks_for_the_token_in_its_one_place() {
    let house = House::open().await;
    let token = house.tokens.show();
    let old = token.clone();
    let wrong = "A".repeat(token.len());
    let basic = base64(format!("tagline:{token}").as_bytes());
    let places = [
        ("none", "X-Nothing: 1".to_owned(), "401 token_missing"),
        ("wrong", format!("Authorization: Bearer {wrong}"), "401 token_wrong"),
        ("shorter", format!("Authorization: Bearer {}", &token[..42]), "401 token_wrong"),
        ("longer", format!("Authorization: Bearer {token}A"), "401 token_wrong"),
        ("empty", "Authorization: Bearer ".to_owned(), "401 token_missing"),
        ("bare", format!("Authorization: {token}"), "401 token_missing"),
        ("basic", format!("Authorization: Basic {basic}"), "401 token_missing"),
        ("two blanks", format!("Authorization: Bearer  {token}"), "401 token_wrong"),
        ("key", format!("X-Api-Key: {token}"), "401 token_missing"),
        (
            "cookie",
            format!("Cookie: token={token}; Authorization=Bearer {token}"),
            "401 token_missing",
        ),
        ("proxy", format!("Proxy-Authorization: Bearer {token}"), "401 token_missing"),
        (
            "twice",
            format!("Authorization: Bearer {token}\r\nAuthorization: Bearer {token}"),
            "401 token_missing",
        ),
    ];
    let mut n_routes = 0;
    for route in guarded() {
        n_routes += 1;
        for (name, header, expected) in &places {
            let answer = house.ask(&line(route), &[header, kind(route)], "{}").await;
            assert_eq!(answer.short(), *expected, "{} {name}", line(route));
        }
        let query = format!("{}?token={token}&access_token={token}", line(route));
        let answer = house.ask(&query, &[kind(route)], "{}").await;
        assert_eq!(answer.short(), "401 token_missing", "{query}");
    }
    assert!(n_routes > 0);
    house.tokens.rotate().unwrap();
    for route in guarded() {
        let header = format!("Authorization: Bearer {old}");
        let answer = house.ask(&line(route), &[&header, kind(route)], "{}").await;
        assert_eq!(answer.short(), "401 token_wrong", "{} with the old token", line(route));
    }
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[tokio::test]
async fn what_is_not_in_the_table_asks_for_the_token_too() {
    let house = House::open().await;
    for request in
        ["GET /nothing", "DELETE /healthz", "TRACE /", "GET /api/token", "PUT /api/token"]
    {
        assert_eq!(house.ask(request, &[], "").await.short(), "401 token_missing", "{request}");
    }
    assert_eq!(house.asks("GET /nothing", &[], "").await.short(), "404 no_such_route");
    assert_eq!(house.asks("PUT /api/token", &[], "").await.short(), "405 method_not_allowed");
}

#[tokio::test]
async fn a_code_is_traded_once() {
    let house = House::open().await;
    let code = house.tokens.code().unwrap();
    let body = format!(r#"{{"code":"{code}"}}"#);
    let json = ["Content-Type: application/json"];
    let first = house.ask("POST /api/token", &json, &body).await;
    assert_eq!(first.json()["token"], house.tokens.show());
    let again = house.ask("POST /api/token", &json, &body).await;
    assert_eq!(again.short(), "401 code_wrong");
    let guess = house.ask("POST /api/token", &json, r#"{"code":""}"#).await;
    assert_eq!(guess.short(), "401 code_wrong");
}

#[tokio::test]
async fn a_token_of_one_server_opens_no_other() {
    let (one, other) = (House::open().await, House::open().await);
    let header = one.bearer();
    for route in guarded() {
        let answer = other.ask(&line(route), &[&header, kind(route)], "{}").await;
        assert_eq!(answer.short(), "401 token_wrong", "{}", line(route));
    }
}

#[tokio::test]
async fn a_rotation_over_http_gives_the_new_token_to_who_asked() {
    let house = House::open().await;
    let old = house.bearer();
    let json = "Content-Type: application/json";
    let answer = house.asks("POST /api/token/rotate", &[json], "{}").await;
    assert_eq!(answer.json()["token"], house.tokens.show());
    let late = house.ask("POST /api/token/rotate", &[&old, json], "{}").await;
    assert_eq!(late.short(), "401 token_wrong");
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn the_token_lies_where_only_its_owner_reads() {
    // A mask of 000 takes nothing away, so what is private was made so.
    rustix::process::umask(rustix::fs::Mode::empty());
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("a/b");
    let token = TokenFile::open(&folder).unwrap().show();
    assert_eq!((mode(&folder), mode(&folder.join("token"))), (0o700, 0o600));
    assert_eq!(token.len(), 43);
    assert_eq!(TokenFile::open(&folder).unwrap().show(), token, "it is kept");
    TokenFile::open(&folder).unwrap().rotate().unwrap();
    assert_eq!(mode(&folder.join("token")), 0o600);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing lies beside it");
}

#[test]
fn a_token_that_others_could_read_is_replaced() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("a");
    let token = TokenFile::open(&folder).unwrap().show();
    let set = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    set(&folder.join("token"), 0o644);
    set(&folder, 0o755);
    let again = TokenFile::open(&folder).unwrap().show();
    assert_ne!(again, token);
    assert_eq!((mode(&folder), mode(&folder.join("token"))), (0o700, 0o600));
}
