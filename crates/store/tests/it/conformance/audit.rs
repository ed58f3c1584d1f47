//! Decisions and effects, chained by hash.

use std::io::Cursor;

use serde_json::json;
use tagline_protocol::{CallId, Effect, Event, Mode};
use tagline_store::{
    Anchors, Audited, Durability, Journal, NewEvent, REMOVED, export, import, verify,
};

use super::Kind;
use crate::support::{START, at, message, session};

fn of_call(call: &str, event: Event) -> NewEvent {
    NewEvent { call: Some(CallId(call.to_owned())), ..at(START, event) }
}

/// What happens in a turn of `n` calls: some are asked about, every third is refused.
pub(super) fn turn(n: usize) -> Vec<NewEvent> {
    let mut events = vec![message("go"), at(START, Event::SessionMode { mode: Mode::Ask })];
    for call in 0..n {
        let (id, hash) = (format!("t1.{call}"), format!("{call:064x}"));
        let arguments = json!({ "path": format!("{call}.txt") });
        let (tool, effect) = ("write_file".to_owned(), Effect::Write);
        events.push(of_call(&id, Event::ToolReady { tool, arguments, effect }));
        let (why, shown, scopes) = ("it writes".to_owned(), "x".to_owned(), Vec::new());
        let (facts, asked) = (Vec::new(), hash.clone());
        events.push(of_call(&id, Event::ApprovalAsked { hash: asked, why, shown, facts, scopes }));
        let (is_allowed, by) = (call % 3 != 0, "user".to_owned());
        events.push(of_call(&id, Event::ApprovalAnswered { is_allowed, by, words: None }));
        if is_allowed {
            let (decision, attempt) = ("user".to_owned(), 1);
            events.push(of_call(&id, Event::ToolRunning { hash, effect, decision, attempt }));
        }
        events.push(at(START, Event::SayDelta { delta: "talk".to_owned() }));
        let record = [("call".to_owned(), json!(id)), ("outcome".to_owned(), json!("done"))];
        events.push(of_call(&id, Event::Audit { record: record.into() }));
    }
    events
}

pub(super) async fn looked(journal: &impl Journal) -> Audited {
    verify(journal, "default", None).await.unwrap()
}

pub(crate) async fn each_decision_and_effect_has_its_entry<K: Kind>(kind: &K) {
    let journal = kind.open().await.of("default");
    for id in ["a", "b"] {
        journal.create(session(id)).await.unwrap();
    }
    // Sessions side by side, in pieces of any size.
    let mut pieces: Vec<(&str, Vec<NewEvent>)> = Vec::new();
    for (n, event) in turn(9).into_iter().enumerate() {
        pieces.push((if n % 5 < 2 { "a" } else { "b" }, vec![event]));
    }
    let mut n_audited = 0;
    for (id, events) in pieces {
        let is_talk =
            |it: &NewEvent| matches!(it.event, Event::UserMessage { .. } | Event::SayDelta { .. });
        n_audited += events.iter().filter(|it| !is_talk(it)).count() as u64;
        journal.append(id, events, Durability::Full).await.unwrap();
    }
    let whole = looked(&journal).await;
    assert_eq!((whole.entries, whole.sessions, whole.broken), (n_audited, 2, Vec::new()));
    assert_eq!(journal.audit(n_audited - 1, 9).await.unwrap().len(), 1);
    assert_eq!(kind.open().await.of("other").audit(0, 9).await.unwrap(), []);
}

pub(crate) async fn copies_come_with_an_entry_and_removed_sessions_leave_theirs<K: Kind>(kind: &K) {
    let journal = kind.open().await.of("default");
    journal.create(session("a")).await.unwrap();
    journal.append("a", turn(2), Durability::Full).await.unwrap();
    journal.fork("a", session("b"), None).await.unwrap();
    journal.append("b", turn(1), Durability::Full).await.unwrap();
    let mut text = Vec::new();
    export(&journal, "b", &mut text).await.unwrap();
    import(&journal, Cursor::new(text), Some("c"), None).await.unwrap();
    assert_eq!(looked(&journal).await.broken, []);
    journal.delete("a").await.unwrap();
    let whole = looked(&journal).await;
    assert_eq!((whole.sessions, whole.broken), (2, Vec::new()));
    let entries = journal.audit(0, 99).await.unwrap();
    assert_eq!(entries.last().map(|entry| entry.what.as_str()), Some(REMOVED));
}

pub(crate) async fn an_end_that_is_remembered_must_be_in_the_chain<K: Kind>(kind: &K) {
    let folder = tempfile::tempdir().unwrap();
    let journal = kind.open().await.of("default");
    journal.create(session("a")).await.unwrap();
    journal.append("a", turn(2), Durability::Full).await.unwrap();
    let last = journal.audit(0, 999).await.unwrap().pop().unwrap();
    let anchors = Anchors::at(folder.path());
    for (n, hash, is_whole) in [
        (last.n, last.hash.clone(), true),
        (last.n, "0".repeat(64), false),
        (last.n + 1, last.hash.clone(), false),
    ] {
        let text = json!({ "v": 1, "profile": "default", "n": n, "hash": hash }).to_string();
        std::fs::write(folder.path().join("default.json"), text).unwrap();
        let audited = verify(&journal, "default", Some(&anchors)).await.unwrap();
        assert_eq!(audited.broken.is_empty(), is_whole, "{audited:?}");
    }
}
