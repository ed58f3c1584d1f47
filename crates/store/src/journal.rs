//! What a journal does.

use std::{future::Future, path::PathBuf};

use tagline_protocol::{CallId, Event, Frame};

/// An event before it has its place.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent {
    /// The turn.
    pub run: Option<String>,
    /// The pass.
    pub turn: Option<u32>,
    /// The call.
    pub call: Option<CallId>,
    /// RFC 3339 with milliseconds, UTC.
    pub ts: String,
    /// What happened.
    pub event: Event,
}

/// When an append counts as done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// On disk before the append returns: user messages, approvals, intents, results.
    Full,
    /// Written; a power cut may lose the last second. Streamed text only.
    Streamed,
}

/// A session's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionInfo {
    /// Identifies it.
    pub id: String,
    /// When it began, RFC 3339.
    pub created: String,
    /// When its last event was written, RFC 3339.
    pub updated: String,
    /// The first user message's first line.
    pub title: String,
    /// The folder it works in.
    pub workspace: PathBuf,
    /// The profile; `default` if none was named.
    pub profile: String,
    /// Number of its last event.
    pub last_seq: u64,
}

/// What went wrong with the journal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// No such session.
    #[error("there is no session `{0}`; list them with `tagline sessions list`")]
    NoSession(String),
    /// More than one session begins so.
    #[error("`{prefix}` begins the id of several sessions: {candidates}; write more of it")]
    Ambiguous {
        /// What was asked for.
        prefix: String,
        /// Some that match.
        candidates: String,
    },
    /// Another process works on the session.
    #[error("session `{session}` is in use by process {pid}; wait for it or stop it")]
    Busy {
        /// The session.
        session: String,
        /// Who has it.
        pid: u32,
    },
    /// The database cannot be opened or written.
    #[error("the journal at {path}: {message}")]
    Database {
        /// Where it is.
        path: PathBuf,
        /// What the database says.
        message: String,
    },
    /// A record cannot be read; the rest can.
    #[error("record {seq} of session `{session}` is damaged: {message}")]
    Damaged {
        /// The session.
        session: String,
        /// The record.
        seq: u64,
        /// What is wrong with it.
        message: String,
    },
}

/// The journal of all sessions of a profile.
pub trait Journal: Send + Sync {
    /// Starts a session.
    fn create(&self, info: SessionInfo) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Appends events in order and returns them with their numbers.
    fn append(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
    ) -> impl Future<Output = Result<Vec<Frame>, StoreError>> + Send;

    /// The frames after `after`, in order, at most `limit`.
    fn read(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Frame>, StoreError>> + Send;

    /// Every session, newest first.
    fn sessions(&self) -> impl Future<Output = Result<Vec<SessionInfo>, StoreError>> + Send;

    /// The session whose id is or begins with `prefix`.
    fn find(&self, prefix: &str) -> impl Future<Output = Result<SessionInfo, StoreError>> + Send;
}
