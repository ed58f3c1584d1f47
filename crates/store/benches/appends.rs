//! Appends a second, beside the same rows through rusqlite alone in the same run.
//!
//! `cargo bench -p tagline-store`. Compare the rows of one run; do not compare runs.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench stops at the first surprise"
)]

use std::{hint::black_box, path::Path, time::Instant};

use rusqlite::{Connection, params};
use tagline_protocol::Event;
use tagline_store::{Durability, Journal as _, NewEvent, SessionInfo, SqliteJournal};
use tokio::runtime::{Builder, Runtime};

/// Events of one append where they come in batches.
const BATCH: usize = 256;
/// Events a second that batches must reach.
const GOAL: f64 = 50_000.0;
/// A journal that is so many times slower than its rows alone has lost its way.
const ROUNDS: usize = 3;

fn main() {
    // Cargo tests benches too; those have nothing to say without being measured.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    println!("{:<44} {:>12} {:>12} {:>7}", "events a second", "journal", "rows alone", "ratio");
    let batched = row("batches of 256, streamed", 120, BATCH, Durability::Streamed);
    row("batches of 256, each on disk", 60, BATCH, Durability::Full);
    row("one at a time, each on disk", 400, 1, Durability::Full);
    let verdict = if batched >= GOAL { "reached" } else { "missed" };
    println!("goal of {GOAL:.0} events a second in batches: {verdict}");
}

/// Measures `n` appends of `size` events, the best of some rounds. The journal's figure.
fn row(name: &str, n: usize, size: usize, durability: Durability) -> f64 {
    let best = |measure: &dyn Fn() -> f64| (0..ROUNDS).map(|_| measure()).fold(0.0, f64::max);
    let journal = best(&|| through_journal(n, size, durability));
    let rows = best(&|| through_rows(n, size, durability));
    println!("{name:<44} {journal:>12.0} {rows:>12.0} {:>7.2}", journal / rows);
    journal
}

fn through_journal(n: usize, size: usize, durability: Durability) -> f64 {
    let (folder, runtime) = (tempfile::tempdir().unwrap(), runtime());
    let journal = SqliteJournal::open(&folder.path().join("j.db")).unwrap();
    runtime.block_on(journal.create(session())).unwrap();
    let batches: Vec<Vec<NewEvent>> = (0..n).map(|_| vec![event(); size]).collect();
    per_second(n * size, || {
        runtime.block_on(async {
            for batch in batches {
                black_box(journal.append("a", batch, durability).await.unwrap());
            }
        });
    })
}

/// What the journal cannot do without: the same rows, of the same text, in the same transactions.
fn through_rows(n: usize, size: usize, durability: Durability) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let db = table(&folder.path().join("r.db"), durability);
    let json = serde_json::to_string(&frame()).unwrap();
    per_second(n * size, || {
        let mut seq = 0;
        for _ in 0..n {
            db.execute_batch("BEGIN IMMEDIATE").unwrap();
            for _ in 0..size {
                seq += 1;
                db.prepare_cached("INSERT INTO events VALUES (1, ?1, ?2, ?3)")
                    .unwrap()
                    .execute(params![seq, seq, json])
                    .unwrap();
            }
            db.execute_batch("COMMIT").unwrap();
        }
    })
}

fn table(path: &Path, durability: Durability) -> Connection {
    let db = Connection::open(path).unwrap();
    let synchronous = match durability {
        Durability::Full | Durability::Closing => "full",
        Durability::Streamed => "normal",
    };
    db.pragma_update(None, "journal_mode", "wal").unwrap();
    db.pragma_update(None, "synchronous", synchronous).unwrap();
    db.execute_batch(
        "CREATE TABLE events (session INTEGER, seq INTEGER, at INTEGER, json TEXT,
             PRIMARY KEY (session, seq)) STRICT",
    )
    .unwrap();
    db
}

#[expect(clippy::disallowed_methods, reason = "a bench looks at the clock")]
fn per_second(n: usize, work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    n as f64 / start.elapsed().as_secs_f64()
}

fn runtime() -> Runtime {
    Builder::new_current_thread().build().unwrap()
}

fn session() -> SessionInfo {
    SessionInfo {
        id: "a".to_owned(),
        created: "2026-11-27T10:00:00.000Z".to_owned(),
        updated: String::new(),
        title: String::new(),
        workspace: "/srv".into(),
        profile: "default".to_owned(),
        last_seq: 0,
    }
}

/// A piece of streamed text, as most events are.
fn event() -> NewEvent {
    NewEvent {
        run: Some("0198c0de".to_owned()),
        turn: Some(3),
        call: None,
        ts: "2026-11-27T10:00:00.000Z".to_owned(),
        event: Event::SayDelta { delta: "a few words of an answer, as they come ".repeat(2) },
    }
}

fn frame() -> tagline_protocol::Frame {
    let NewEvent { ts, run, turn, call, event } = event();
    tagline_protocol::Frame { v: 1, seq: 1000, ts, session: "a".to_owned(), run, turn, call, event }
}
