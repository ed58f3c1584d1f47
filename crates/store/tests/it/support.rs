//! What the tests share: a journal in a folder of its own, and events made of words.

use std::path::{Path, PathBuf};

use tagline_protocol::{Event, Frame};
use tagline_store::{Durability, Journal as _, NewEvent, SessionInfo, SqliteJournal, StoreError};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

pub(crate) const START: &str = "2026-11-27T10:00:00.000Z";

/// A journal and what keeps it alive.
pub(crate) struct Bench {
    pub(crate) folder: TempDir,
    pub(crate) runtime: Runtime,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let runtime = Builder::new_current_thread().build().unwrap();
        Self { folder: tempfile::tempdir().unwrap(), runtime }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("data/journal.db")
    }

    pub(crate) fn open(&self) -> SqliteJournal {
        SqliteJournal::open(&self.path()).unwrap()
    }

    pub(crate) fn create(&self, journal: &SqliteJournal, id: &str) {
        self.runtime.block_on(journal.create(session(id))).unwrap();
    }

    /// Appends one user message per word.
    pub(crate) fn append(&self, journal: &SqliteJournal, id: &str, words: &str) -> Vec<u64> {
        let events = words.split_whitespace().map(message).collect();
        let frames = self.runtime.block_on(journal.append(id, events, Durability::Full)).unwrap();
        frames.iter().map(|frame| frame.seq).collect()
    }

    /// Every frame of the session: its number and text.
    pub(crate) fn show(&self, journal: &SqliteJournal, id: &str) -> String {
        let frames = self.runtime.block_on(journal.read(id, 0, usize::MAX)).unwrap();
        frames.iter().map(line).collect()
    }

    /// Runs SQL on the file, beside the journal.
    pub(crate) fn sql(&self, sql: &str) {
        rusqlite::Connection::open(self.path()).unwrap().execute_batch(sql).unwrap();
    }

    /// The error's words with the folder's name taken out.
    pub(crate) fn words(&self, error: &StoreError) -> String {
        error.to_string().replace(self.folder.path().to_str().unwrap(), "[folder]")
    }
}

pub(crate) fn session(id: &str) -> SessionInfo {
    SessionInfo {
        id: id.to_owned(),
        created: START.to_owned(),
        updated: String::new(),
        title: String::new(),
        workspace: Path::new("/srv/site").to_owned(),
        profile: "default".to_owned(),
        last_seq: 0,
    }
}

pub(crate) fn message(text: &str) -> NewEvent {
    at(START, Event::UserMessage { text: text.to_owned(), media: Vec::new() })
}

pub(crate) fn at(ts: &str, event: Event) -> NewEvent {
    NewEvent { run: None, turn: None, call: None, ts: ts.to_owned(), event }
}

pub(crate) fn line(frame: &Frame) -> String {
    let text = if let Event::UserMessage { text, .. } = &frame.event {
        text.clone()
    } else if let Event::Notice { level, message } = &frame.event {
        format!("{level}: {message}")
    } else {
        format!("{:?}", frame.event)
    };
    format!("{} {text}\n", frame.seq)
}
