//! A journal that many sessions have filled.

use serde_json::{Value, json};
use tagline_protocol::{Event, Frame};
use tagline_store::{Journal as _, SessionInfo, SqliteJournal, Stored};

use super::figures::now;
use crate::support::Bench;

/// Fills the journal of a bench with so many sessions and events, all of today; how many events.
///
/// Each session is turns of some length, with much streamed text, as sessions are.
pub(super) async fn build(bench: &Bench, sessions: usize, events: usize) -> usize {
    let journal = SqliteJournal::open(&bench.path("home/data/journal.db")).unwrap();
    let ts = now().strftime("%Y-%m-%dT%H:%M:%S.000Z").to_string();
    let each = events / sessions;
    for n in 0..sessions {
        let info = SessionInfo {
            id: format!("{n:012x}"),
            created: ts.clone(),
            updated: String::new(),
            title: String::new(),
            workspace: bench.path("work"),
            profile: "default".to_owned(),
            last_seq: 0,
        };
        journal.restore(info, records(each, &ts)).await.unwrap();
    }
    let frames = journal.read("000000000000", 0, usize::MAX).await.unwrap();
    let is_damaged = |frame: &Frame| matches!(frame.event, Event::Notice { .. });
    assert!(!frames.iter().any(is_damaged), "{frames:?}");
    frames.len() * sessions
}

fn records(n: usize, ts: &str) -> Vec<Stored> {
    let record = |at: usize| {
        let seq = at as u64 + 1;
        let turn = at / TURN;
        let mut frame = event(at % TURN, turn, at + 1 == n);
        let head =
            json!({ "v": 1, "seq": seq, "ts": ts, "session": "", "run": format!("r{turn}") });
        let fields = frame.as_object_mut().unwrap();
        fields.extend(head.as_object().unwrap().clone());
        Stored { seq, json: frame.to_string() }
    };
    (0..n).map(record).collect()
}

/// Events of one turn.
const TURN: usize = 100;

fn event(place: usize, turn: usize, is_last: bool) -> Value {
    match place {
        0 if !is_last => {
            json!({ "type": "run.started", "model": "script/load", "mode": "full", "policy": "free" })
        }
        1 => json!({ "type": "message.user", "text": format!("Question {turn}, in a few words") }),
        2 => json!({ "type": "say.start" }),
        _ if place + 1 == TURN || is_last => {
            json!({ "type": "run.finished", "outcome": "done", "reason": "completed" })
        }
        _ => json!({ "type": "say.delta", "delta": "a few words of an answer, as they come" }),
    }
}
