//! The journal at its usual place, or one that is not kept.

use tagline_protocol::Frame;
use tagline_store::{
    Durability, Journal, Lease, MemoryJournal, NewEvent, SessionInfo, SqliteJournal, StoreError,
};

use crate::{app::App, exit::Exit, output::fail};

/// Opens the journal, or makes it.
pub(crate) fn open(app: &App) -> Result<SqliteJournal, Exit> {
    SqliteJournal::open(&app.paths()?.journal()).map_err(|error| refuse(&error))
}

/// Opens the journal if there is one; looking never makes one.
pub(crate) fn open_existing(app: &App) -> Result<Option<SqliteJournal>, Exit> {
    if app.paths()?.journal().exists() { open(app).map(Some) } else { Ok(None) }
}

/// What is written down of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// Everything, for good.
    Kept,
    /// Nothing.
    Ephemeral,
}

/// Where a session is written down.
#[derive(Clone, Debug)]
pub(crate) enum AnyJournal {
    /// In the file.
    File(SqliteJournal),
    /// Nowhere.
    Memory(MemoryJournal),
}

impl AnyJournal {
    /// The journal for a session that begins.
    pub(crate) fn open(app: &App, keeping: Keeping) -> Result<Self, Exit> {
        match keeping {
            Keeping::Kept => open(app).map(Self::File),
            Keeping::Ephemeral => Ok(Self::Memory(MemoryJournal::default())),
        }
    }

    /// Begins a session with a copy of one in the file.
    pub(crate) async fn fork_kept(
        &self,
        app: &App,
        source: &str,
        info: SessionInfo,
    ) -> Result<(), Exit> {
        let forked = match self {
            Self::File(journal) => journal.fork(source, info).await,
            Self::Memory(journal) => {
                let frames = open(app)?.read(source, 0, usize::MAX).await;
                frames.and_then(|frames| journal.begin(info, frames))
            }
        };
        forked.map_err(|error| refuse(&error))
    }

    /// Keeps other processes off the session, where others could come.
    pub(crate) async fn acquire(&self, session: &str) -> Result<Option<Lease>, StoreError> {
        match self {
            Self::File(journal) => journal.acquire(session).await.map(Some),
            Self::Memory(_) => Ok(None),
        }
    }
}

impl Journal for AnyJournal {
    async fn create(&self, info: SessionInfo) -> Result<(), StoreError> {
        match self {
            Self::File(journal) => journal.create(info).await,
            Self::Memory(journal) => journal.create(info).await,
        }
    }

    async fn fork(&self, source: &str, info: SessionInfo) -> Result<(), StoreError> {
        match self {
            Self::File(journal) => journal.fork(source, info).await,
            Self::Memory(journal) => journal.fork(source, info).await,
        }
    }

    async fn append(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
    ) -> Result<Vec<Frame>, StoreError> {
        match self {
            Self::File(journal) => journal.append(session, events, durability).await,
            Self::Memory(journal) => journal.append(session, events, durability).await,
        }
    }

    async fn read(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Frame>, StoreError> {
        match self {
            Self::File(journal) => journal.read(session, after, limit).await,
            Self::Memory(journal) => journal.read(session, after, limit).await,
        }
    }

    async fn sessions(&self) -> Result<Vec<SessionInfo>, StoreError> {
        match self {
            Self::File(journal) => journal.sessions().await,
            Self::Memory(journal) => journal.sessions().await,
        }
    }

    async fn find(&self, prefix: &str) -> Result<SessionInfo, StoreError> {
        match self {
            Self::File(journal) => journal.find(prefix).await,
            Self::Memory(journal) => journal.find(prefix).await,
        }
    }
}

/// Says what is wrong with the journal, and how the program ends by it.
pub(crate) fn refuse(error: &StoreError) -> Exit {
    let exit = match error {
        StoreError::NoSession(_) | StoreError::Ambiguous { .. } | StoreError::Exists(_) => {
            Exit::Usage
        }
        StoreError::Busy { .. } | StoreError::BadTime { .. } | StoreError::Damaged { .. } => {
            Exit::Failed
        }
        StoreError::Full { .. }
        | StoreError::ReadOnly { .. }
        | StoreError::Corrupt { .. }
        | StoreError::Foreign { .. }
        | StoreError::TooNew { .. }
        | StoreError::OldSqlite { .. }
        | StoreError::Database { .. }
        | StoreError::Closed { .. } => Exit::Setup,
    };
    fail(exit, error)
}
