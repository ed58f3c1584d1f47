//! What a journal does.

use std::{future::Future, path::PathBuf};

use tagline_protocol::{CallId, Event, Frame, SCHEMA_VERSION};

use crate::StoreError;

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

impl NewEvent {
    /// The frame that it becomes in this place.
    pub(crate) fn place(self, session: &str, seq: u64) -> Frame {
        let Self { run, turn, call, ts, event } = self;
        Frame { v: SCHEMA_VERSION, seq, ts, session: session.to_owned(), run, turn, call, event }
    }
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

/// The journal of all sessions of a profile.
pub trait Journal: Send + Sync {
    /// Starts a session. `updated` and `last_seq` of `info` are not looked at: they follow from
    /// the events.
    ///
    /// # Errors
    ///
    /// [`StoreError::Exists`] where the id is taken.
    fn create(&self, info: SessionInfo) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Starts a session with a copy of everything that another one holds so far, under the same
    /// numbers. Both go on by themselves. Of `info` the same counts as in [`Journal::create`].
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`] where the other one is not there, [`StoreError::Exists`] where the
    /// id is taken.
    fn fork(
        &self,
        source: &str,
        info: SessionInfo,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Appends events in order, all or none, and returns them with their numbers once they are
    /// as safe as `durability` says.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`] before [`Journal::create`]; [`StoreError::Full`] where the disk
    /// has no room: nothing of `events` is kept then.
    fn append(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
    ) -> impl Future<Output = Result<Vec<Frame>, StoreError>> + Send;

    /// The frames after `after`, in order, at most `limit`; fewer only at the end. The place of a
    /// damaged record is taken by a `notice` that says so; records of unknown types are left out.
    fn read(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Frame>, StoreError>> + Send;

    /// Every session, newest first.
    fn sessions(&self) -> impl Future<Output = Result<Vec<SessionInfo>, StoreError>> + Send;

    /// The session whose id is `prefix`, or the only one whose id begins so.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`] and [`StoreError::Ambiguous`].
    fn find(&self, prefix: &str) -> impl Future<Output = Result<SessionInfo, StoreError>> + Send;
}
