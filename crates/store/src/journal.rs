//! What a journal does.

use std::{future::Future, path::PathBuf};

use tagline_protocol::{CallId, Event, Frame, SCHEMA_VERSION};

use crate::{AuditEntry, Claim, Claimed, Hit, Lease, Record, Settled, StoreError, Watch};

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
    /// As [`Durability::Full`], and where the disk is full the room set aside for it is used:
    /// what closes a call or a turn that has begun.
    Closing,
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

/// A turn that began and has no end yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRun {
    /// Its session.
    pub session: String,
    /// The turn.
    pub run: String,
    /// Number of the frame that began it.
    pub since: u64,
}

/// A record on its way from one journal into another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its number.
    pub seq: u64,
    /// Its text, as it stood.
    pub json: String,
}

/// The journal of all sessions, or of those of one profile: see [`Journal::of`].
///
/// Clones of a journal, and what [`Journal::of`] gives, share their sessions, leases and wake-ups.
pub trait Journal: Send + Sync {
    /// The same journal, of which only the sessions of `profile` can be seen: those of others are
    /// not listed, not found, not searched, and their names lead to [`StoreError::NoSession`].
    /// Keys of [`Journal::claim`] are the profile's own too. A journal that was not narrowed sees
    /// all sessions, and the keys of no profile.
    #[must_use]
    fn of(&self, profile: &str) -> Self
    where
        Self: Sized;

    /// Starts a session. `updated` and `last_seq` of `info` are not looked at: they follow from
    /// the events.
    ///
    /// # Errors
    ///
    /// [`StoreError::Exists`] where the id is taken, [`StoreError::OtherProfile`] where `info` names
    /// another profile than the journal is narrowed to.
    fn create(&self, info: SessionInfo) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Starts a session with a copy of what another one holds so far, under the same numbers: all
    /// of it, or what stands up to number `until`. Both go on by themselves. Of `info` the same
    /// counts as in [`Journal::create`].
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`] where the other one is not there, and those of
    /// [`Journal::create`].
    fn fork(
        &self,
        source: &str,
        info: SessionInfo,
        until: Option<u64>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Starts a session with records of another journal, as they stand: what they say of their
    /// session becomes `info.id`, all else stays. Their numbers must rise from 1 without a gap.
    ///
    /// # Errors
    ///
    /// Those of [`Journal::create`], and [`StoreError::Gap`].
    fn restore(
        &self,
        info: SessionInfo,
        records: Vec<Stored>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Appends events in order, all or none, and returns them with their numbers once they are
    /// as safe as `durability` says. Then whoever watches the session is woken.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`] before [`Journal::create`]; [`StoreError::Full`] where the disk
    /// has no room; [`StoreError::LeaseLost`] where this journal was given a [`Lease`] of the session that
    /// somebody else took over since. Nothing of `events` is kept then.
    fn append(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
    ) -> impl Future<Output = Result<Vec<Frame>, StoreError>> + Send;

    /// Appends events and settles a claimed key by the same stroke: after a crash there are both or
    /// neither.
    ///
    /// # Errors
    ///
    /// Those of [`Journal::append`], and [`StoreError::NotClaimed`].
    fn append_settling(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
        settled: Settled,
    ) -> impl Future<Output = Result<Vec<Frame>, StoreError>> + Send;

    /// The frames after `after`, in order, at most `limit`; fewer only at the end. The place of a
    /// damaged record is taken by a `notice` that says so; records of unknown types are left out.
    fn read(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Frame>, StoreError>> + Send;

    /// The records after `after` as they were written, in order, at most `limit`; fewer only at
    /// the end. Unknown and damaged ones are among them.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`].
    fn records(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Record>, StoreError>> + Send;

    /// Tells when the session grows, from now on. To miss nothing, watch first, then read up to
    /// [`Watch::last_seq`], then wait.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`].
    fn watch(&self, session: &str) -> impl Future<Output = Result<Watch, StoreError>> + Send;

    /// Every session, newest first.
    fn sessions(&self) -> impl Future<Output = Result<Vec<SessionInfo>, StoreError>> + Send;

    /// The session whose id is `prefix`, or the only one whose id begins so.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`] and [`StoreError::Ambiguous`].
    fn find(&self, prefix: &str) -> impl Future<Output = Result<SessionInfo, StoreError>> + Send;

    /// Turns that began and did not end, by session: after a start, those that nobody works on.
    fn open_runs(&self) -> impl Future<Output = Result<Vec<OpenRun>, StoreError>> + Send;

    /// Names the session, by a `session.title` event dated `ts`.
    ///
    /// # Errors
    ///
    /// Those of [`Journal::append`].
    fn rename(
        &self,
        session: &str,
        title: &str,
        ts: &str,
    ) -> impl Future<Output = Result<Vec<Frame>, StoreError>> + Send {
        let event = Event::SessionTitle { title: title.to_owned() };
        let event = NewEvent { run: None, turn: None, call: None, ts: ts.to_owned(), event };
        self.append(session, vec![event], Durability::Full)
    }

    /// Removes the session and all that is kept of it. Who watches it is told that it is gone.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`]; [`StoreError::Busy`] while somebody else has a lease of it.
    fn delete(&self, session: &str) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Finds places where all words of `query` stand, newest first, at most `limit`: in what the
    /// user and the model wrote, in commands and in names of files. A word is found where another
    /// begins with it; case and marks above letters count for nothing.
    fn search(
        &self,
        query: &str,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Hit>, StoreError>> + Send;

    /// Takes the session, until the lease is dropped. From then on this journal's appends to it
    /// are refused once somebody else took it over.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] while another lease on it lives, in this process or elsewhere.
    fn acquire(&self, session: &str) -> impl Future<Output = Result<Lease, StoreError>> + Send;

    /// Leaves a letter for whoever has the session, such as another server. What it says is theirs.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`].
    fn post(
        &self,
        session: &str,
        letter: String,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Takes the session's letters away, in the order they came; each is handed out once.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`].
    fn collect(
        &self,
        session: &str,
    ) -> impl Future<Output = Result<Vec<String>, StoreError>> + Send;

    /// Tells when letters come, from now on; what it counts means nothing. To miss none, watch
    /// first, then collect, then wait.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`].
    fn letters(&self, session: &str) -> impl Future<Output = Result<Watch, StoreError>> + Send;

    /// Says that a request with this key is being worked on, or what it was answered before. Keys
    /// older than 24 hours, by `claim.now`, are forgotten.
    ///
    /// # Errors
    ///
    /// [`StoreError::KeyReused`] where the key came with another body.
    fn claim(&self, claim: Claim) -> impl Future<Output = Result<Claimed, StoreError>> + Send;

    /// Keeps the answer of a claimed key.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotClaimed`].
    fn settle(&self, settled: Settled) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Gives a claimed key back, because nothing was done under it.
    fn unclaim(&self, key: &str) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The entries of the profile's audit after entry `after`, in order, at most `limit`; fewer only
    /// at the end. A journal that is not narrowed has the audit of no profile.
    fn audit(
        &self,
        after: u64,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<AuditEntry>, StoreError>> + Send;

    /// Makes everything that follows from the log anew from it: titles, open turns, what is
    /// searched. Takes about a second per 100,000 events.
    fn rebuild(&self) -> impl Future<Output = Result<(), StoreError>> + Send;
}
