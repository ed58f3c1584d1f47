//! Each part that can be unwell, made unwell.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, ready},
    stream::BoxStream,
};
use tagline_protocol::{BudgetAnswer, Mode};
use tagline_server::{Config, Limits, Parts, ProviderState, Said, Server, Sessions};
use tagline_session::{
    Answer, Asked, BudgetQuestion, Granted, Health, HubError, HubLimits, Image, Message,
    NewSession, Position, Queued, Scope, Sent, Stopping, Upto, Vitals, Watched,
};
use tagline_store::{Claim, Claimed, Hit, Record, SessionInfo, Settled, StoreError};
use tokio_util::sync::CancellationToken;

use crate::support::{House, JSON, Setup};

/// Settings under which every look is a new one.
fn fresh() -> Config {
    let limits = Limits { health_age: Duration::ZERO, ..Limits::default() };
    Config { limits, ..Config::loopback(0) }
}

/// The part of this name, as `/api/health` tells it: whether it is well, and how it is.
async fn part(house: &House, name: &str) -> (bool, String) {
    let report = house.asks("GET /api/health", &[], "").await.json();
    let parts = report["checks"].as_array().unwrap();
    let found = parts.iter().find(|part| part["name"] == name).unwrap();
    (found["is_well"] == true, found["detail"].as_str().unwrap().to_owned())
}

/// Whether work can be taken in, and what the numbers say of this part.
async fn ready_and_gauge(house: &House, name: &str) -> (u16, bool) {
    let ready = house.ask("GET /readyz", &[], "").await;
    assert!(!ready.body.contains(name), "details are for who has the token");
    let numbers = house.asks("GET /metrics", &[], "").await.text();
    let line = format!("tagline_part_well{{part=\"{name}\"}} 0\n");
    (ready.status, numbers.contains(&line))
}

#[tokio::test]
async fn a_queue_that_is_full_is_told_until_it_takes_messages_again() {
    let script = "=== reply\n<sleep/>\n=== repeat forever\n".to_owned();
    let limits = HubLimits { queue: 2, ..HubLimits::default() };
    let house = House::of(Setup { script, limits, config: fresh(), ..Setup::default() }).await;
    let id = house.session().await;
    let send = format!("POST /api/sessions/{id}/messages");
    for _ in 0..2 {
        assert_eq!(house.asks(&send, &[JSON], r#"{"text":"go"}"#).await.status, 202);
        assert!(part(&house, "queues").await.0);
    }
    assert_eq!(ready_and_gauge(&house, "queues").await, (200, false));
    let waits = house.asks(&send, &[JSON], r#"{"text":"go"}"#).await.json();
    assert_eq!(waits["place"], 2);
    let (is_well, detail) = part(&house, "queues").await;
    assert!(!is_well && detail.starts_with("1 session takes no more"), "{detail}");
    assert_eq!(ready_and_gauge(&house, "queues").await, (503, true));
    let back = format!("DELETE /api/sessions/{id}/queue/{}", waits["message"].as_str().unwrap());
    assert_eq!(house.asks(&back, &[], "").await.status, 200);
    assert_eq!(ready_and_gauge(&house, "queues").await, (200, false));
    // One that is full and goes away is not counted any more.
    house.asks(&send, &[JSON], r#"{"text":"go"}"#).await;
    assert!(!part(&house, "queues").await.0);
    assert_eq!(house.asks(&format!("DELETE /api/sessions/{id}"), &[], "").await.status, 204);
    assert!(part(&house, "queues").await.0);
}

#[tokio::test]
async fn a_provider_that_is_spared_is_told_with_why() {
    let house = House::with(fresh()).await;
    assert_eq!(part(&house, "providers").await, (true, "none is in trouble".to_owned()));
    let state = |is_asked| ProviderState {
        name: "https://api.example \"m\"".to_owned(),
        is_asked,
        code: "server".to_owned(),
    };
    *house.stage.providers.lock().unwrap() = vec![state(true)];
    let (is_well, detail) = part(&house, "providers").await;
    assert!(is_well && detail.contains("failed lately (`server`)"), "{detail}");
    assert_eq!(ready_and_gauge(&house, "providers").await, (200, false));
    *house.stage.providers.lock().unwrap() = vec![state(false)];
    let (is_well, detail) = part(&house, "providers").await;
    assert!(!is_well && detail.contains("is not asked for now"), "{detail}");
    assert_eq!(ready_and_gauge(&house, "providers").await, (503, true));
    let numbers = house.asks("GET /metrics", &[], "").await.text();
    let line =
        r#"tagline_provider_circuit_open{provider="https://api.example \"m\"",code="server"} 1"#;
    assert!(numbers.contains(line), "{numbers}");
}

/// Sessions of which nothing can be asked but what readiness may ask: how the hub is as a whole,
/// and whether the journal takes what is written.
#[derive(Debug, Default)]
struct Blind {
    is_full: AtomicBool,
    n_writes: AtomicUsize,
}

/// Whoever comes here looked at the sessions.
fn looked() -> ! {
    unreachable!("readiness looks at no session")
}

impl Sessions for Blind {
    fn create(&self, _: NewSession) -> Said<'_, SessionInfo> {
        looked()
    }
    fn list(&self) -> Said<'_, Vec<SessionInfo>> {
        looked()
    }
    fn find<'a>(&'a self, _: &'a str) -> Said<'a, SessionInfo> {
        looked()
    }
    fn delete<'a>(&'a self, _: &'a str) -> Said<'a, ()> {
        looked()
    }
    fn fork<'a>(&'a self, _: &'a str, _: Upto) -> Said<'a, SessionInfo> {
        looked()
    }
    fn search<'a>(&'a self, _: &'a str, _: usize) -> Said<'a, Vec<Hit>> {
        looked()
    }
    fn records<'a>(&'a self, _: &'a str, _: u64, _: usize) -> Said<'a, Vec<Record>> {
        looked()
    }
    fn send<'a>(&'a self, _: &'a str, _: Message) -> Said<'a, Sent> {
        looked()
    }
    fn go_on<'a>(&'a self, _: &'a str) -> Said<'a, String> {
        looked()
    }
    fn queue<'a>(&'a self, _: &'a str) -> Said<'a, Vec<Queued>> {
        looked()
    }
    fn unqueue<'a>(&'a self, _: &'a str, _: &'a str) -> Said<'a, Queued> {
        looked()
    }
    fn stop<'a>(&'a self, _: &'a str, _: Scope) -> Said<'a, Stopping> {
        looked()
    }
    fn running(&self, _: &str) -> Option<String> {
        looked()
    }
    fn approvals(&self, _: &str) -> Vec<Asked> {
        looked()
    }
    fn answer<'a>(&'a self, _: &'a str, _: &'a str, _: Answer) -> Said<'a, ()> {
        looked()
    }
    fn budget(&self, _: &str) -> Option<BudgetQuestion> {
        looked()
    }
    fn decide<'a>(&'a self, _: &'a str, _: BudgetAnswer) -> Said<'a, ()> {
        looked()
    }
    fn watch<'a>(&'a self, _: &'a str, _: Position) -> Said<'a, BoxStream<'static, Watched>> {
        looked()
    }
    fn set_mode<'a>(&'a self, _: &'a str, _: Mode) -> Said<'a, ()> {
        looked()
    }
    fn mode<'a>(&'a self, _: &'a str) -> Said<'a, Option<Mode>> {
        looked()
    }
    fn grants(&self) -> BoxFuture<'_, Vec<Granted>> {
        looked()
    }
    fn revoke<'a>(&'a self, _: &'a str, _: &'a str) -> Said<'a, ()> {
        looked()
    }
    fn image<'a>(&'a self, _: &'a str, _: Option<&'a str>) -> Said<'a, Option<Image>> {
        looked()
    }
    fn health(&self) -> Health {
        looked()
    }
    fn vitals(&self) -> Vitals {
        Vitals::default()
    }
    fn claim(&self, _: Claim) -> Said<'_, Claimed> {
        let full = HubError::Store(StoreError::Full { path: "journal.db".into() });
        let is_full = self.is_full.load(Ordering::SeqCst);
        self.n_writes.fetch_add(1, Ordering::SeqCst);
        ready(if is_full { Err(full) } else { Ok(Claimed::Mine) }).boxed()
    }
    fn settle(&self, _: Settled) -> Said<'_, ()> {
        looked()
    }
    fn unclaim<'a>(&'a self, _: &'a str) -> Said<'a, ()> {
        ready(Ok(())).boxed()
    }
}

/// A server over these sessions.
async fn blind(config: Config) -> (House, Arc<Blind>) {
    let mut house = House::open().await;
    house.stop.cancel();
    (&mut house.served).await.unwrap();
    let sessions = Arc::new(Blind::default());
    let parts = Parts { sessions: Arc::clone(&sessions) as _, ..house.parts() };
    let server = Server::bind(config, parts).await.unwrap();
    house.address = server.address();
    house.stop = CancellationToken::new();
    house.served = tokio::spawn(server.serve(house.stop.clone()));
    (house, sessions)
}

#[tokio::test]
async fn readiness_looks_at_no_session_and_tells_a_journal_that_takes_nothing() {
    let (house, sessions) = blind(fresh()).await;
    assert_eq!(house.ask("GET /readyz", &[], "").await.status, 200);
    sessions.is_full.store(true, Ordering::SeqCst);
    assert_eq!(house.ask("GET /readyz", &[], "").await.short(), "503 not_ready");
    let (is_well, detail) = part(&house, "journal").await;
    assert!(!is_well && detail.contains("journal.db"), "{detail}");
    sessions.is_full.store(false, Ordering::SeqCst);
    assert_eq!(house.ask("GET /readyz", &[], "").await.status, 200);
}

#[tokio::test]
async fn asking_often_writes_no_more_than_asking_once() {
    let limits = Limits { health_age: Duration::MAX, ..Limits::default() };
    let (house, sessions) = blind(Config { limits, ..Config::loopback(0) }).await;
    for _ in 0..5 {
        assert_eq!(house.ask("GET /readyz", &[], "").await.status, 200);
    }
    assert_eq!(sessions.n_writes.load(Ordering::SeqCst), 1);
}
