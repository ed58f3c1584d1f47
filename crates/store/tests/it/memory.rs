//! The journal that is not kept says what the one in a file says.

use tagline_protocol::{Event, Frame};
use tagline_store::{Durability, Journal, MemoryJournal, NewEvent, SessionInfo, StoreError};

use crate::support::{Bench, at, message, session};

/// Everything that a journal can be asked, in words.
async fn told(journal: &impl Journal) -> String {
    let mut told = String::new();
    let mut tell = |what: &str, answer: String| told += &format!("{what}: {answer}\n");
    for id in ["7f3c", "7f3cab", "81"] {
        tell("create", format!("{:?}", journal.create(session(id)).await));
    }
    tell("create", format!("{:?}", journal.create(session("81")).await));
    let bad = SessionInfo { created: "noon".to_owned(), ..session("82") };
    tell("create", format!("{:?}", journal.create(bad).await));
    let later = at("2026-11-27T11:00:00.5Z", Event::SessionTitle { title: "Given".to_owned() });
    let long = message(&"ä".repeat(81));
    for (id, events) in [
        ("81", vec![message(" \n first \nline"), message("two")]),
        ("7f3c", vec![later]),
        ("7f3cab", vec![long]),
        ("no", vec![message("x")]),
        ("81", vec![message("not kept"), at("noon", Event::PassStarted)]),
    ] {
        tell("append", shown(journal.append(id, events, Durability::Full).await));
    }
    tell("fork", format!("{:?}", journal.fork("81", session("83"), None).await));
    tell("fork", format!("{:?}", journal.fork("no", session("84"), None).await));
    tell("append", shown(journal.append("83", vec![message("three")], Durability::Full).await));
    for (id, after, limit) in [("81", 0, 9), ("81", 1, 9), ("81", 0, 1), ("83", 0, 9), ("no", 0, 9)]
    {
        tell("read", shown(journal.read(id, after, limit).await));
    }
    tell("sessions", format!("{:#?}", journal.sessions().await));
    for prefix in ["7f3c", "7f", "8", "83", "9", ""] {
        tell("find", format!("{:?}", journal.find(prefix).await));
    }
    told
}

fn shown(frames: Result<Vec<Frame>, StoreError>) -> String {
    format!("{:?}", frames.map(|frames| serde_json::to_string(&frames).unwrap()))
}

#[test]
fn both_journals_give_the_same_answers() {
    let bench = Bench::new();
    let in_file = bench.runtime.block_on(told(&bench.open()));
    let in_memory = bench.runtime.block_on(told(&MemoryJournal::default()));
    assert_eq!(in_memory, in_file);
}

#[test]
fn a_session_can_begin_with_frames_of_another_journal() {
    let bench = Bench::new();
    let journal = bench.open();
    bench.create(&journal, "a");
    bench.append(&journal, "a", "one two three");
    let frames = bench.runtime.block_on(journal.read("a", 1, 9)).unwrap();
    let memory = MemoryJournal::default();
    memory.begin(session("b"), frames).unwrap();
    let next: Vec<NewEvent> = vec![message("four")];
    bench.runtime.block_on(memory.append("b", next, Durability::Streamed)).unwrap();
    let frames = bench.runtime.block_on(memory.read("b", 0, 9)).unwrap();
    let places: Vec<_> = frames.iter().map(|frame| (frame.session.as_str(), frame.seq)).collect();
    assert_eq!(places, [("b", 1), ("b", 2), ("b", 3)]);
    assert_eq!(bench.runtime.block_on(memory.find("b")).unwrap().title, "two");
}
