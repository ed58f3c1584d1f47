//! Readers that do not read.

use std::time::Duration;

use tagline_protocol::Event;
use tagline_server::{Config, Limits};
use tagline_store::{Durability, Journal as _, NewEvent};

use crate::{
    stage::NOON,
    support::{House, Setup},
    tail::Tail,
};

const N_EVENTS: u64 = 20_000;

async fn flood(house: &House, session: &str) {
    let event = || NewEvent {
        run: None,
        turn: None,
        call: None,
        ts: NOON.to_owned(),
        event: Event::Notice { level: "info".to_owned(), message: "x".repeat(1_000) },
    };
    for _ in 0..N_EVENTS / 100 {
        let events = (0..100).map(|_| event()).collect();
        let journal = house.hub.journal();
        journal.append(session, events, Durability::Streamed).await.unwrap();
        tokio::task::yield_now().await;
    }
}

/// A number of `/metrics`.
async fn number(house: &House, name: &str) -> u64 {
    let text = house.asks("GET /metrics", &[], "").await.text();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_stops_costs_little_loses_its_stream_and_holds_up_nobody() {
    let limits = Limits { stall: Duration::from_secs(1), ..Limits::default() };
    let config = Config { limits, ..Config::loopback(0) };
    let house = House::of(Setup { config, ..Setup::default() }).await;
    let session = house.session().await;
    let deaf = Tail::events(&house, &session, &[]).await;
    flood(&house, &session).await;
    // What was taken for it: in our own buffers, and in those of the system.
    while house.hub.health().watchers > 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let taken = number(&house, "tagline_stream_bytes_total").await;
    assert!(taken <= 4 * 1_048_576, "{taken} bytes of {} MB", N_EVENTS / 1_000);
    assert_eq!(number(&house, "tagline_streams").await, 0);
    drop(deaf);
    let mut other = Tail::events(&house, &session, &["Last-Event-ID: 19000"]).await;
    let mut n = 0;
    while n < 1_000 {
        n += u64::from(other.next().await.unwrap().event == "notice");
    }
}
