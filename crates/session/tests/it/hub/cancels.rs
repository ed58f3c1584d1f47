//! Stops at random instants: each turn has one end, each call one, and no effect comes twice.
//!
//! `cargo xtask cancels --times N` tries more instants than the test command does.

use std::{collections::BTreeMap, sync::atomic::Ordering, time::Duration};

use fastrand::Rng;
use tagline_protocol::{CallId, Delivery, Event, Frame};
use tagline_session::{Message, Scope};
use tokio::time::Instant;

use super::bench::{Bench, S};

/// A reply that is written slowly, calls that take effect, a call that waits, and more of it.
const SCRIPT: &str = "=== chunk 9\n=== delay 1ms\n\
    === reply\nI count to two.\n<add why=\"one\"/>\n<add why=\"two\"/>\nThat was it.\n\
    === reply\n<sleep/>\n\
    === reply\n=== repeat forever\nDone, and nothing more is to be done here.\n";

/// Instants in the test command.
const USUAL: u64 = 50;

#[tokio::test]
async fn a_stop_at_any_instant_leaves_one_end_and_nothing_else() {
    let n = asked().unwrap_or(USUAL);
    let mut times = Vec::new();
    for seed in 0..n {
        times.push(at_an_instant(seed).await);
    }
    times.sort();
    let p95 = times.get(times.len() * 95 / 100).copied().unwrap_or_default();
    if asked().is_some() {
        // What the command is there for.
        let told = format!("{n} cancels: 0 left over, 95% at rest within {p95:?}\n");
        std::io::Write::write_all(&mut std::io::stdout(), told.as_bytes()).unwrap();
    }
}

#[expect(clippy::disallowed_methods, reason = "how often is asked for by `cargo xtask cancels`")]
fn asked() -> Option<u64> {
    std::env::var("TAGLINE_TEST_CANCELS").ok()?.parse().ok()
}

/// Plays a session until it is stopped. Returns how long it took to come to rest.
async fn at_an_instant(seed: u64) -> Duration {
    let mut rng = Rng::with_seed(seed);
    let bench = Bench::new(SCRIPT).await;
    bench.hub.send(S, "count".into()).await.unwrap();
    disturb(&bench, &mut rng).await;
    wait(&mut rng).await;
    let stopped = Instant::now();
    bench.hub.stop(S, Scope::All).await.unwrap();
    bench.hub.settled(S).await;
    let took = stopped.elapsed();
    bench.hub.stop(S, Scope::Turn).await.unwrap();
    assert_eq!(bench.hub.queue(S).await.unwrap(), Vec::new(), "seed {seed}");
    let frames = bench.frames().await;
    whole(&frames, seed);
    let begun = frames.iter().filter(|it| matches!(it.event, Event::ToolDone { .. })).count();
    assert_eq!(bench.shop.counter.0.load(Ordering::SeqCst) as usize, begun, "seed {seed}");
    bench.close().await;
    took
}

/// Another message, perhaps, and stops of any size.
async fn disturb(bench: &Bench, rng: &mut Rng) {
    let deliveries = [Delivery::Now, Delivery::NextPass, Delivery::WhenDone];
    if let Some(delivery) = deliveries.get(rng.usize(0..6)).copied() {
        let more = Message { input: "more".into(), delivery, key: None };
        wait(rng).await;
        bench.hub.send(S, more).await.unwrap();
    }
    for _ in 0..rng.usize(0..4) {
        wait(rng).await;
        let scope = match rng.u8(0..3) {
            0 => Scope::Call(CallId(format!("t1.{}", rng.u8(1..4)))),
            1 => Scope::Turn,
            _ => Scope::All,
        };
        // No such call may run just now.
        let _ = bench.hub.stop(S, scope).await;
    }
}

async fn wait(rng: &mut Rng) {
    tokio::time::sleep(Duration::from_micros(rng.u64(0..16_000))).await;
}

/// Every turn has one end, behind everything else of it; every call that was valid has one.
pub(super) fn whole(frames: &[Frame], seed: u64) {
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    let mut calls: BTreeMap<&CallId, (usize, usize)> = BTreeMap::new();
    for frame in frames {
        let run = frame.run.as_deref().unwrap_or_default();
        assert!(
            run.is_empty() || ends.get(run) != Some(&1),
            "seed {seed}: {frame:?} behind the end"
        );
        match (&frame.event, &frame.call) {
            (Event::RunStarted { .. }, _) => assert_eq!(ends.insert(run, 0), None, "seed {seed}"),
            (Event::RunFinished { .. } | Event::RunFailed { .. }, _) => {
                *ends.entry(run).or_default() += 1;
            }
            (Event::ToolRunning { .. }, Some(call)) => calls.entry(call).or_default().0 += 1,
            (
                Event::ToolDone { .. } | Event::ToolFailed { .. } | Event::ToolCancelled { .. },
                Some(call),
            ) => calls.entry(call).or_default().1 += 1,
            _ => {}
        }
    }
    assert!(ends.values().all(|n| *n == 1), "seed {seed}: {ends:?}");
    assert!(
        calls.values().all(|(n_begun, n_ended)| *n_begun <= 1 && *n_ended == 1),
        "seed {seed}: {calls:?}"
    );
}
