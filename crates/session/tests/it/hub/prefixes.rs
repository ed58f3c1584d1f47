//! A session that was cut off anywhere opens, gets its end, and goes on.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use tagline_protocol::{Frame, Mode};
use tagline_session::{HubLimits, Scope, Start};
use tagline_store::{MemoryJournal, SessionInfo};

use super::{
    bench::{Bench, S},
    cancels::whole,
};

/// Sessions as they are recorded: what the model writes, and whether people are asked.
const RECORDED: [(&str, Mode); 4] = [
    ("=== chunk 5\n=== reply\nI count.\n<add why=\"one\"/>\n=== reply\nDone.\n", Mode::Full),
    ("=== reply\n<add why=\"one\"/>\n<add why=\"two\"/>\n<sleep/>\n=== reply\nDone.\n", Mode::Full),
    ("=== reply\n<add why=\"one\"/>\n=== reply\nDone.\n", Mode::Ask),
    (
        "=== chunk 3\n=== reply\nI begin with <add why=\"one\"\n=== finish cut\n=== reply\nDone.\n",
        Mode::Full,
    ),
];

#[tokio::test]
async fn every_prefix_of_a_session_opens_and_goes_on() {
    for (script, mode) in RECORDED {
        let (info, frames) = record(script, mode).await;
        for n in 0..=frames.len() {
            goes_on(&info, frames.get(..n).unwrap()).await;
        }
    }
}

/// Plays a session to its end; what waits there is stopped.
async fn record(script: &str, mode: Mode) -> (SessionInfo, Vec<Frame>) {
    let bench = Bench::with(script, mode, HubLimits::default()).await;
    bench.hub.send(S, "count".into()).await.unwrap();
    bench.hub.send(S, "and more".into()).await.unwrap();
    let mut n_before = 0;
    while bench.hub.running(S).is_some() {
        tokio::time::sleep(Duration::from_millis(20)).await;
        // Where nothing comes any more, somebody waits for the user.
        let n_frames = bench.frames().await.len();
        if n_frames == n_before {
            bench.hub.stop(S, Scope::Turn).await.unwrap();
        }
        n_before = n_frames;
    }
    let (info, frames) = (bench.hub.find(S).await.unwrap(), bench.frames().await);
    bench.close().await;
    (info, frames)
}

async fn goes_on(info: &SessionInfo, frames: &[Frame]) {
    let at = frames.len();
    let journal = Arc::new(MemoryJournal::default());
    journal.begin(info.clone(), frames.to_vec()).unwrap();
    let script = "=== reply\n=== repeat forever\nAll done.\n";
    let again = Bench::over(journal, script, Mode::Full, HubLimits::default());
    again.hub.recover(Start::Safe).await.unwrap();
    assert_eq!(again.shop.model.requests().len(), 0, "cut at {at}");
    let n_waiting = again.hub.queue(S).await.unwrap().len();
    again.hub.send(S, "go on".into()).await.unwrap();
    again.hub.settled(S).await;
    let told = again.frames().await;
    whole(&told, at as u64);
    // Nothing is begun again, and what waited was delivered, each once.
    assert_eq!(again.shop.counter.0.load(Ordering::SeqCst), 0, "cut at {at}");
    assert_eq!(again.shop.model.requests().len(), n_waiting + 1, "cut at {at}");
    assert_eq!(again.hub.queue(S).await.unwrap(), Vec::new(), "cut at {at}");
    again.close().await;
}
