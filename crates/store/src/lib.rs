//! The journal: an append-only event log per session.
//!
//! [`Journal`] is what the rest of the runtime sees; [`SqliteJournal`] keeps it in one SQLite
//! file, [`PostgresJournal`] in a database that several servers share, [`MemoryJournal`] only as
//! long as it lives, and [`AnyJournal`] is the one that was chosen at run time. The crate knows frames, their order and their durability. It does not know what an event
//! means for a turn, and it never looks at the clock to date one: times come in with the events.
//!
//! # Invariants
//!
//! 1. **Numbers are dense.** The frames of a session are numbered 1, 2, 3, … in the order of
//!    their appends, whoever appends; no number is used twice.
//! 2. **Acknowledged is kept.** A frame that [`Journal::append`] returned survives the death of
//!    the process at any moment, and a power cut too: at once with [`Durability::Full`], after at
//!    most a second with [`Durability::Streamed`].
//! 3. **The log is the truth.** Titles, times and last numbers of [`SessionInfo`] follow from the
//!    events; nothing else has to be kept in step.
//! 4. **Damage stays local.** A record that cannot be read costs that record: the others are
//!    read, and nothing is deleted. A damaged file costs the records on its damaged pages: it is
//!    [mended](SqliteJournal::mended) when it is opened, and kept.
//! 5. **Unknown is kept.** An event of a type this version does not know stays in the file as it
//!    was written, and [`SqliteJournal::records`] hands it out.
//! 6. **One owner.** A session has one [`Lease`] at a time; that of a dead process is taken over,
//!    and what the old owner still appends is refused.
//! 7. **Profiles are apart.** A journal narrowed by [`Journal::of`] shows nothing of another
//!    profile.
//!
//! `tests/it` holds each of them.

mod any;
mod audit;
mod error;
mod journal;
mod lease;
mod memory;
mod once;
mod postgres;
mod record;
mod scope;
mod search;
mod sqlite;
mod time;
mod title;
mod transfer;
mod wake;

pub use any::AnyJournal;
pub use audit::{Anchors, AuditEntry, Audited, Broken, COPIED, REMOVED, verify};
pub use error::StoreError;
pub use journal::{Durability, Journal, NewEvent, OpenRun, SessionInfo, Stored};
pub use lease::Lease;
pub use memory::MemoryJournal;
pub use once::{Claim, Claimed, Settled};
pub use postgres::{PostgresJournal, password};
pub use record::{Content, Record};
pub use search::{Hit, Place};
pub use sqlite::{Mended, SqliteJournal};
pub use transfer::{ExportError, ImportError, content_hash, export, import};
pub use wake::{Gone, Watch};
