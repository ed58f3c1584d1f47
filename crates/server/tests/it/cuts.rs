//! Streams that are cut again and again, and lose nothing.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use serde_json::Value;
use tagline_protocol::Event;
use tagline_server::{Config, Limits};
use tagline_session::{HubLimits, Position};
use tagline_store::{Durability, Journal as _, NewEvent};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::{
    stage::NOON,
    support::{House, Setup},
    tail::Tail,
};

/// Cuts of a stream: a hundred, or what `cargo xtask sse-cuts` says.
#[expect(clippy::disallowed_methods, reason = "how often is the one thing this test is told")]
fn n_cuts() -> usize {
    std::env::var("TAGLINE_TEST_CUTS").ok().and_then(|n| n.parse().ok()).unwrap_or(100)
}

const N_EVENTS: u64 = 10_000;

/// Text in pieces, with something between that is no text now and then.
fn event(n: u64) -> NewEvent {
    let event = match n % 7 {
        0 => Event::Notice { level: "info".to_owned(), message: format!("{n}\ndata: é→ {n}") },
        1 => Event::SayStart { tone: None },
        6 => Event::SayEnd,
        _ => Event::SayDelta { delta: format!("piece {n} \u{1f600}\r\n\r\n") },
    };
    NewEvent { run: None, turn: None, call: None, ts: NOON.to_owned(), event }
}

/// Writes events, in lots of changing size, while others read.
async fn write(house: &House, session: &str) {
    let mut next = 1;
    while next <= N_EVENTS {
        let lot = (next % 61 + 1).min(N_EVENTS - next + 1);
        let events = (next..next + lot).map(event).collect();
        let journal = house.hub.journal();
        journal.append(session, events, Durability::Streamed).await.unwrap();
        next += lot;
        tokio::task::yield_now().await;
    }
}

/// Reads to the last event, with a new connection after each cut. Returns how often it was cut.
async fn read(house: &House, at: SocketAddr, session: &str, seed: u64) -> usize {
    let mut random = fastrand::Rng::with_seed(seed);
    let line = format!("GET /api/sessions/{session}/events");
    let (mut seen, mut n) = (0, 0);
    // All of it is more than half of this, so that it is cut as often as was asked for.
    let most = 1_200_000 / n_cuts();
    while seen < N_EVENTS {
        let place = format!("Last-Event-ID: {}", Position::write(session, seen));
        let headers: Vec<&str> = (seen > 0).then_some(place.as_str()).into_iter().collect();
        let mut tail = Tail::through(at, house, &line, &headers, "").await;
        let mut budget = random.usize(0..most);
        while budget > 0 && seen < N_EVENTS {
            let got = tail.read(budget.min(4_096)).await;
            assert_ne!(got, 0, "the server ended a stream that was being read");
            budget -= got.min(budget);
            for message in tail.take() {
                // A reader that fell behind on a busy machine is sent away, which is one more cut.
                if message.event == "stream.closed" {
                    budget = 0;
                    break;
                }
                let json: Value = serde_json::from_str(&message.data).unwrap();
                let seq = json["seq"].as_u64().unwrap();
                let from = json["from"].as_u64().unwrap_or(seq);
                assert_eq!(from, seen + 1, "missing or doubled after {n} cuts: {message:?}");
                seen = seq;
            }
        }
        n += 1;
    }
    assert_eq!(seen, N_EVENTS);
    n
}

/// Collects what the server sends, and hands it on in blocks: whole ones, or what there is after a
/// silence.
async fn buffering(server: SocketAddr) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(relay(client, server));
        }
    });
    address
}

async fn relay(client: TcpStream, server: SocketAddr) {
    let Ok(server) = TcpStream::connect(server).await else { return };
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let up = tokio::io::copy(&mut from_client, &mut to_server);
    let down = async {
        let (mut block, mut buffer) = (Vec::new(), vec![0; 65_536]);
        loop {
            let wait = Duration::from_millis(5);
            match tokio::time::timeout(wait, from_server.read(&mut buffer)).await {
                Ok(Ok(0) | Err(_)) => return,
                Ok(Ok(n)) => block.extend_from_slice(&buffer[..n]),
                Err(_) if to_client.write_all(&std::mem::take(&mut block)).await.is_err() => return,
                Err(_) => {}
            }
            while block.len() >= 8_192 {
                let rest = block.split_off(8_192);
                if to_client.write_all(&std::mem::replace(&mut block, rest)).await.is_err() {
                    return;
                }
            }
        }
    };
    tokio::select! {
        _ = up => {}
        () = down => {}
    }
}

async fn check(is_buffered: bool, seed: u64) {
    let limits = HubLimits { replay: u64::MAX, ..HubLimits::default() };
    // Those that were cut are noticed when they are written to.
    let config = Config {
        limits: Limits { streams: usize::MAX, ..Limits::default() },
        ..Config::loopback(0)
    };
    let limits = HubLimits { watchers: usize::MAX, ..limits };
    let house = Arc::new(House::of(Setup { config, limits, ..Setup::default() }).await);
    let session = house.session().await;
    let at = if is_buffered { buffering(house.address).await } else { house.address };
    let (n, ()) = tokio::join!(read(&house, at, &session, seed), write(&house, &session));
    println!("{n} cuts over {N_EVENTS} events, buffered: {is_buffered}: 0 missing, 0 doubled");
    assert!(n >= n_cuts(), "only {n} cuts");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_is_cut_anywhere_has_every_event_once() {
    check(false, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn so_it_is_behind_a_proxy_that_buffers() {
    check(true, 2).await;
}
