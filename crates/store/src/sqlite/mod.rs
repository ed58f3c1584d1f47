//! The journal in one SQLite file.
//!
//! One thread writes and groups what waits into one transaction; one thread reads, through a
//! connection that cannot write. Callers await answers from both, whatever runtime they have.

mod events;
mod failure;
mod leases;
mod open;
mod reader;
mod sessions;
mod shared;
mod writer;

use std::{path::Path, sync::Arc};

use tagline_protocol::Frame;

pub(crate) use self::shared::Shared;
use crate::{Durability, Journal, Lease, NewEvent, Record, SessionInfo, StoreError, lease::Holder};

/// A journal in one SQLite file, shared by its clones.
///
/// The last clone to go, leases included, writes what is still waiting and closes the file.
///
/// # Examples
///
/// ```
/// use tagline_store::{Journal as _, SessionInfo, SqliteJournal};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # let folder = tempfile::tempdir()?;
/// let journal = SqliteJournal::open(&folder.path().join("data/journal.db"))?;
/// runtime.block_on(journal.create(SessionInfo {
///     id: "7f3c".to_owned(),
///     created: "2026-11-27T10:00:00.000Z".to_owned(),
///     updated: String::new(),
///     title: String::new(),
///     workspace: "/tmp/site".into(),
///     profile: "default".to_owned(),
///     last_seq: 0,
/// }))?;
/// assert_eq!(runtime.block_on(journal.find("7f"))?.id, "7f3c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SqliteJournal {
    shared: Arc<Shared>,
}

impl SqliteJournal {
    /// Opens the journal at `path`, and makes it, with its folder, where there is none. The file
    /// can be read by its owner alone. Blocks for some milliseconds.
    ///
    /// # Errors
    ///
    /// [`StoreError::ReadOnly`], [`StoreError::Full`], [`StoreError::Corrupt`],
    /// [`StoreError::Foreign`], [`StoreError::TooNew`]; the file is unchanged after each.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { shared: Arc::new(Shared::open(path)?) })
    }

    /// Takes the session for this process, until the lease is dropped.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] while another lease on it lives, in this process or another.
    pub async fn acquire(&self, session: &str) -> Result<Lease, StoreError> {
        let id = session.to_owned();
        let work = move |db: &rusqlite::Connection| leases::acquire(db, &id, &Holder::this());
        self.shared.write(Durability::Streamed, work).await?;
        Ok(Lease { session: session.to_owned(), shared: Arc::clone(&self.shared) })
    }

    /// The records after `after` as they stand in the file, in order, at most `limit`; fewer only
    /// at the end. Unknown and damaged ones are among them.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`].
    pub async fn records(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        let id = session.to_owned();
        self.shared.read(move |db| events::records(db, &id, after, limit)).await
    }
}

impl Journal for SqliteJournal {
    async fn create(&self, info: SessionInfo) -> Result<(), StoreError> {
        self.shared.write(Durability::Full, move |db| sessions::create(db, &info)).await
    }

    async fn fork(&self, source: &str, info: SessionInfo) -> Result<(), StoreError> {
        let source = source.to_owned();
        self.shared.write(Durability::Full, move |db| sessions::fork(db, &source, &info)).await
    }

    async fn append(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
    ) -> Result<Vec<Frame>, StoreError> {
        let id = session.to_owned();
        self.shared.write(durability, move |db| events::append(db, &id, events)).await
    }

    async fn read(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Frame>, StoreError> {
        let id = session.to_owned();
        self.shared.read(move |db| events::frames(db, &id, after, limit)).await
    }

    async fn sessions(&self) -> Result<Vec<SessionInfo>, StoreError> {
        self.shared.read(sessions::all).await
    }

    async fn find(&self, prefix: &str) -> Result<SessionInfo, StoreError> {
        let prefix = prefix.to_owned();
        self.shared.read(move |db| sessions::find(db, &prefix)).await
    }
}
