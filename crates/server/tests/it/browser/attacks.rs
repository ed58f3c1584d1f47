//! A page of another origin, and everything that it can send.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tagline_protocol::Mode;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use super::{Browser, house, signed_in};

/// The attacker's server: one page, and redirections to us. Counts requests that carry our token.
async fn evil(target: String, token: String) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let stolen = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&stolen);
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut head = vec![0; 8_192];
            let n = socket.read(&mut head).await.unwrap_or(0);
            let head = String::from_utf8_lossy(&head[..n]).into_owned();
            counter.fetch_add(usize::from(head.contains(&token)), Ordering::SeqCst);
            let answer = match head.split(' ').nth(1).unwrap_or("/") {
                path if path.starts_with("/to/") => format!(
                    "HTTP/1.1 307 Moved\r\nLocation: {target}/{}\r\nAccess-Control-Allow-Origin: *\r\n\
                     Content-Length: 0\r\nConnection: close\r\n\r\n",
                    &path[4..]
                ),
                path => {
                    let (kind, body) = if path.ends_with(".js") {
                        ("text/javascript", include_str!("attacks.js").replace("$API", &target))
                    } else {
                        let page = "<!doctype html><title>evil</title><body><script src=/attacks.js></script>";
                        ("text/html", page.to_owned())
                    };
                    format!(
                        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
                         Connection: close\r\n\r\n{body}",
                        body.len()
                    )
                }
            };
            let _ = socket.write_all(answer.as_bytes()).await;
        }
    });
    (port, stolen)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_of_another_origin_changes_or_reads_anything() {
    let (browser, house) = (Browser::start().await, house(Mode::Full).await);
    let id = house.session().await;
    house.say(&id, "count").await;
    let _page = signed_in(&browser, &house).await;
    let state = async || {
        let list = house.asks("GET /api/sessions", &[], "").await.text();
        let export = house.asks(&format!("GET /api/sessions/{id}/export"), &[], "").await.text();
        let files = format!("{:?}", house.stage.files.lock().unwrap());
        (list, export, files, house.tokens.show())
    };
    let before = state().await;
    let (port, stolen) = evil(format!("http://{}", house.host()), house.tokens.show()).await;
    for host in ["127.0.0.1", "evil.test"] {
        let page = browser.page(&format!("http://{host}:{port}/")).await;
        page.until("window.done === true").await;
        let shapes = page.value("window.shapes").await.as_u64().unwrap();
        assert!(shapes >= 40, "{shapes} shapes");
        assert_eq!(page.value("window.leaks").await, serde_json::json!([]), "from {host}");
    }
    assert_eq!(state().await, before);
    assert_eq!(stolen.load(Ordering::SeqCst), 0);
}
