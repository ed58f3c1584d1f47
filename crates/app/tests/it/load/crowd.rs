//! Clients that each start a session, watch it and count what they see.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use super::figures::{now, since};
use crate::kills::{
    client::{Client, Stream},
    kind,
};

/// A server takes 32 streams of one address; each address of this machine watches fewer.
const PER_ADDRESS: usize = 24;

/// Sessions and who watches them.
pub(super) struct Crowd(Vec<Seat>);

struct Seat {
    client: Client,
    session: String,
    stream: Stream,
}

/// What was seen.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) n_events: u64,
    /// Numbers that were passed over.
    pub(super) lost: u64,
    /// Numbers that came again.
    pub(super) doubled: u64,
    /// Calls that worked.
    pub(super) n_done: usize,
    /// Turns that ended with an answer.
    pub(super) n_finished: usize,
    /// From the time of each event to its arrival.
    pub(super) events: Vec<Duration>,
    /// From the moment at which a command printed to the arrival of what it printed.
    pub(super) outputs: Vec<Duration>,
    pub(super) took: Duration,
    seen: u64,
}

impl Crowd {
    pub(super) async fn begin(url: &str, token: &str, sessions: usize) -> Self {
        let mut seats = Vec::new();
        for n in 0..sessions {
            let client = Client::from(u8::try_from(n / PER_ADDRESS).unwrap(), url, token);
            let session = client.begin().await;
            let stream = client.events(&session, 0).await;
            seats.push(Seat { client, session, stream });
        }
        Self(seats)
    }

    /// Sends every session to work at once, and watches until all have come to their ends.
    pub(super) async fn work(self) -> Tally {
        let began = now();
        let seats = self.0.into_iter().map(Seat::work);
        let mut all = Tally::default();
        for tally in futures_util::future::join_all(seats).await {
            all.add(tally);
        }
        all.took = since(began);
        all
    }
}

impl Seat {
    async fn work(mut self) -> Tally {
        let mut tally = Tally::default();
        let watching = async {
            while let Some(frame) = self.stream.next().await {
                tally.see(&frame);
                if is_end(&frame) {
                    break;
                }
            }
        };
        let ((), sent) = tokio::join!(watching, self.client.send(&self.session, "go"));
        assert!(sent);
        tally
    }
}

impl Tally {
    fn see(&mut self, frame: &Value) {
        let number = |name: &str| frame.get(name).and_then(Value::as_u64);
        let seq = number("seq").unwrap();
        let from = number("from").unwrap_or(seq);
        self.doubled += u64::from(from <= self.seen);
        self.lost += from.saturating_sub(self.seen + 1);
        self.seen = seq;
        self.n_events += seq + 1 - from;
        let time = frame.get("ts").and_then(Value::as_str).unwrap();
        self.events.push(since(time.parse().unwrap()));
        match kind(frame) {
            "tool.done" => self.n_done += 1,
            "run.finished" => self.n_finished += 1,
            "tool.output" => self.outputs.extend(printed(frame).map(since)),
            _ => {}
        }
    }

    fn add(&mut self, other: Self) {
        self.n_events += other.n_events;
        self.lost += other.lost;
        self.doubled += other.doubled;
        self.n_done += other.n_done;
        self.n_finished += other.n_finished;
        self.events.extend(other.events);
        self.outputs.extend(other.outputs);
    }
}

/// When the command printed this, as it says; not every `date` tells parts of a second.
fn printed(frame: &Value) -> Option<Timestamp> {
    let text = frame.get("delta").and_then(Value::as_str)?;
    Timestamp::from_nanosecond(text.trim().parse().ok()?).ok()
}

pub(super) fn is_end(frame: &Value) -> bool {
    matches!(kind(frame), "run.finished" | "run.failed")
}

pub(super) async fn until_finished(stream: &mut Stream) {
    let end = loop {
        let frame = stream.next().await.unwrap();
        if is_end(&frame) {
            break frame;
        }
    };
    assert_eq!(kind(&end), "run.finished");
}
