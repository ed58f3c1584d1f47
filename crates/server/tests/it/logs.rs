//! What the log says, and what it never does.

use std::{
    io,
    sync::{Arc, Mutex},
};

use tracing_subscriber::fmt::MakeWriter;

use crate::support::{House, JSON};

/// All that was logged.
#[derive(Clone, Debug, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

// The log of the whole program: what other tests do is in it too.
#[tokio::test]
async fn requests_are_in_the_log_and_secrets_are_not() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(log.clone())
        .finish();
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let house = House::open().await;
    let code = house.tokens.code().unwrap();
    let body = format!(r#"{{"code":"{code}"}}"#);
    assert_eq!(house.ask("POST /api/token", &[JSON], &body).await.status, 200);
    let old = house.tokens.show();
    house.asks(&format!("GET /api/sessions?token={old}"), &[], "").await;
    house.ask("GET /api/sessions", &[&format!("Cookie: token={old}")], "").await;
    let id = house.session().await;
    house.say(&id, "a secret of the user").await;
    house.asks("POST /api/token/rotate", &[JSON], "{}").await;
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("POST /api/token") && text.contains("status=401"), "{text}");
    for secret in [code, old, house.tokens.show(), "a secret of the user".to_owned()] {
        assert!(!text.contains(&secret), "{secret} is in the log:\n{text}");
    }
}
