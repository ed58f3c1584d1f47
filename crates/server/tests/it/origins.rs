//! What another site's page can cause: nothing.

use tagline_server::Reads;

use crate::support::{House, kind, line, mutating, request};

/// What browsers say about a page of `http://evil.test` or of another port, and what an attacker
/// would like them to say.
fn shapes(host: &str) -> Vec<Vec<String>> {
    let port = host.rsplit(':').next().unwrap();
    let other: u16 = port.parse::<u16>().unwrap() ^ 1;
    let origins = [
        "http://evil.test".to_owned(),
        "https://evil.test".to_owned(),
        format!("http://evil.test:{port}"),
        format!("http://127.0.0.1:{other}"),
        "http://127.0.0.1".to_owned(),
        format!("http://localhost:{port}"),
        format!("http://[::1]:{port}"),
        format!("http://{host}.evil.test"),
        format!("http://{host}@evil.test"),
        format!("http://{host}/"),
        format!("http://{host}:80"),
        format!("ws://{host}"),
        format!("ftp://{host}"),
        host.to_owned(),
        "null".to_owned(),
        String::new(),
        "file://".to_owned(),
        "chrome-extension://abcdefghijklmnop".to_owned(),
        format!("http://{host} http://evil.test"),
        format!("http://{host},http://evil.test"),
        format!("HTTP://{host}"),
        format!("http://user@{host}"),
    ];
    let mut all: Vec<Vec<String>> =
        origins.iter().map(|origin| vec![format!("Origin: {origin}")]).collect();
    let own = format!("Origin: http://{host}");
    for site in ["cross-site", "same-site", "", "Same-Origin", "same-origin, cross-site", "evil"] {
        for mode in ["cors", "no-cors", "navigate", "websocket"] {
            let mut shape =
                vec![format!("Sec-Fetch-Site: {site}"), format!("Sec-Fetch-Mode: {mode}")];
            all.push(shape.clone());
            shape.push(own.clone());
            all.push(shape);
        }
    }
    all.push(vec![own.clone(), "Origin: http://evil.test".to_owned()]);
    all.push(vec![own.clone(), own]);
    all.push(vec!["Sec-Fetch-Site: same-origin".into(), "Sec-Fetch-Site: cross-site".into()]);
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_page_is_refused_on_every_route_that_changes_something() {
    let house = House::open().await;
    let code = house.tokens.code().unwrap();
    let body = format!(r#"{{"code":"{code}"}}"#);
    let shapes = shapes(&house.host());
    assert!(shapes.len() >= 40, "{} shapes", shapes.len());
    let (before, token) = (house.tokens.show(), house.bearer());
    let mut served = Vec::new();
    for route in mutating() {
        for shape in &shapes {
            let mut headers: Vec<&str> = shape.iter().map(String::as_str).collect();
            headers.extend([kind(route), token.as_str()]);
            let answer = house.ask(&line(route), &headers, &body).await;
            if answer.short() != "403 foreign_origin" {
                served.push(format!("{} {shape:?}: {}", line(route), answer.short()));
            }
        }
    }
    assert_eq!(served, Vec::<String>::new());
    assert_eq!(house.tokens.show(), before);
    let traded = house.ask("POST /api/token", &["Content-Type: application/json"], &body).await;
    assert_eq!(traded.status, 200, "the code was not spent");
}

#[tokio::test]
async fn our_own_page_and_programs_are_served() {
    let house = House::open().await;
    let own = format!("Origin: http://{}", house.host());
    let json = "Content-Type: application/json";
    for headers in [
        vec![json, &own, "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors"],
        vec![json, "Sec-Fetch-Site: none"],
        vec![json],
    ] {
        let code = house.tokens.code().unwrap();
        let answer =
            house.ask("POST /api/token", &headers, &format!(r#"{{"code":"{code}"}}"#)).await;
        assert_eq!(answer.status, 200, "{headers:?}");
    }
}

#[tokio::test]
async fn a_link_on_another_site_opens_the_page_and_nothing_else() {
    let house = House::open().await;
    let visit =
        ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"];
    assert_eq!(house.ask("GET /", &visit, "").await.status, 200);
    let frame =
        ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"];
    assert_eq!(house.ask("GET /", &frame, "").await.short(), "403 foreign_origin");
    let picture = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"];
    for path in ["GET /", "GET /page/theme.js", "GET /healthz", "GET /nothing"] {
        assert_eq!(house.ask(path, &picture, "").await.short(), "403 foreign_origin", "{path}");
    }
}

#[tokio::test]
async fn a_preflight_learns_nothing() {
    let house = House::open().await;
    for route in mutating() {
        let path = line(route);
        let path = path.split(' ').nth(1).unwrap();
        let headers = [
            "Origin: http://evil.test",
            "Access-Control-Request-Method: POST",
            "Access-Control-Request-Headers: authorization,content-type",
            "Access-Control-Request-Private-Network: true",
        ];
        let answer = house.ask(&format!("OPTIONS {path}"), &headers, "").await;
        assert_eq!(answer.short(), "403 foreign_origin", "{path}");
        let allows = |(name, _): &(String, String)| name.starts_with("access-control");
        assert!(!answer.headers.iter().any(allows), "{path}");
    }
}

#[tokio::test]
async fn forms_and_simple_requests_are_no_json() {
    let house = House::open().await;
    let kinds = [
        "X-Nothing: 1",
        "Content-Type: text/plain",
        "Content-Type: text/plain;charset=UTF-8",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Type: multipart/form-data; boundary=x",
        "Content-Type: text/json",
        "Content-Type: application/json+x",
        "Content-Type: application/jsonp",
        "Content-Type: application/json; charset=utf-16",
        "Content-Type: application/json; boundary=x",
        "Content-Type: application/json, text/plain",
        "Content-Type:",
    ];
    for route in mutating().filter(|route| route.reads != Reads::Nothing) {
        for kind in kinds {
            let answer = house.asks(&line(route), &[kind], "{}").await;
            assert_eq!(answer.short(), "415 content_type", "{} {kind}", line(route));
        }
        let twice = ["Content-Type: application/json", "Content-Type: text/plain"];
        let answer = house.asks(&line(route), &twice, "{}").await;
        assert_eq!(answer.short(), "415 content_type", "{} twice", line(route));
    }
}

#[tokio::test]
async fn the_kind_of_body_is_judged_before_the_body() {
    let house = House::open().await;
    let (host, bearer) = (format!("Host: {}", house.host()), house.bearer());
    let headers = [&host, bearer.as_str(), "Content-Type: text/plain", "Content-Length: 1000000"];
    let answer = house.raw(&request("POST /api/token", &headers, "")).await;
    assert_eq!(answer.short(), "415 content_type");
}
