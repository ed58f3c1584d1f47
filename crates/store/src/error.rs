//! What goes wrong with the journal, in words.

use std::path::PathBuf;

/// What went wrong with the journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
    /// The id is taken.
    #[error("session `{0}` exists already; resume it with `-r {0}`")]
    Exists(String),
    /// Somebody else works on the session.
    #[error("session `{session}` is in use by {holder}; wait for it or stop it")]
    Busy {
        /// The session.
        session: String,
        /// Who has it, such as `process 4711`.
        holder: String,
    },
    /// Somebody took the session over.
    #[error(
        "session `{session}`: expected to hold it, but another process has taken it over; \
         nothing was written; open the session again"
    )]
    LeaseLost {
        /// The session.
        session: String,
    },
    /// A session was to be made in another profile than the journal is narrowed to.
    #[error(
        "session `{session}`: expected profile `{expected}`, but found `{found}`; name that one"
    )]
    OtherProfile {
        /// The session.
        session: String,
        /// The journal's.
        expected: String,
        /// The session's.
        found: String,
    },
    /// Records to take in have a hole, or do not begin at 1.
    #[error(
        "session `{session}`: expected record {expected}, but found {found}; nothing was taken in"
    )]
    Gap {
        /// The session.
        session: String,
        /// The next number.
        expected: u64,
        /// What came.
        found: u64,
    },
    /// A key came again with another request.
    #[error(
        "key `{key}`: expected the request that it came with first, but found another; \
         take a new key for a new request"
    )]
    KeyReused {
        /// The key.
        key: String,
    },
    /// A key was to be settled that nobody claimed.
    #[error("key `{key}`: expected it to be claimed first, but it is not, or is settled already")]
    NotClaimed {
        /// The key.
        key: String,
    },
    /// The time of an event is no RFC 3339 time.
    #[error("event for session `{session}`: expected an RFC 3339 time, but found `{found}`")]
    BadTime {
        /// The session.
        session: String,
        /// What was given.
        found: String,
    },
    /// There is no room.
    #[error(
        "the journal at `{at}`: the disk is full, so nothing can be kept; \
         make room and try again", at = .path.display())]
    Full {
        /// Where it is.
        path: PathBuf,
    },
    /// It may not be written.
    #[error(
        "the journal at `{at}`: expected a file and folder that can be written, \
         but they are read-only; mend their permissions, or set TAGLINE_HOME to another folder", at = .path.display())]
    ReadOnly {
        /// Where it is.
        path: PathBuf,
    },
    /// The file, or a part of it, is no database.
    #[error(
        "the journal at `{at}`: expected a SQLite database, but it is damaged ({message}); nothing \
         was deleted; open it again so that what can be read is saved, or move it aside", at = .path.display())]
    Corrupt {
        /// Where it is.
        path: PathBuf,
        /// What the database says.
        message: String,
    },
    /// The file is a database of something else.
    #[error(
        "the journal at `{at}`: expected a journal of tagline, but found another program's \
         database; nothing was changed; name another file", at = .path.display())]
    Foreign {
        /// Where it is.
        path: PathBuf,
    },
    /// A newer version wrote it.
    #[error(
        "the journal at `{at}`: expected format {known} or older, but found format {found}; \
         nothing was changed; use the newer tagline that wrote it", at = .path.display())]
    TooNew {
        /// Where it is.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format this version reads.
        known: i64,
    },
    /// The SQLite that was built in can lose data.
    #[error(
        "SQLite {found}: expected 3.51.3 or newer, because older ones can damage a journal; \
         build tagline with its bundled SQLite"
    )]
    OldSqlite {
        /// Its version.
        found: String,
    },
    /// Anything else the database or the file system says.
    #[error("the journal at `{at}`: {message}", at = .path.display())]
    Database {
        /// Where it is.
        path: PathBuf,
        /// What it says.
        message: String,
    },
    /// The address of a database server cannot be read.
    #[error(
        "the address of the journal: expected `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, \
         but found something else"
    )]
    BadUrl,
    /// The database server does not answer, or lets nobody in.
    #[error(
        "the journal at `{at}` cannot be reached: {message}; start its server, or mend the address"
    )]
    Unreachable {
        /// Its address, without the password.
        at: String,
        /// What it says.
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
    /// The journal's thread has ended.
    #[error("the journal at `{at}`: its writer has ended; open it again", at = .path.display())]
    Closed {
        /// Where it is.
        path: PathBuf,
    },
}
