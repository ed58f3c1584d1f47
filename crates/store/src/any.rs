//! The journal that was chosen at run time.

use tagline_protocol::Frame;

use crate::{
    AuditEntry, Claim, Claimed, Durability, Hit, Journal, Lease, MemoryJournal, NewEvent, OpenRun,
    PostgresJournal, Record, SessionInfo, Settled, SqliteJournal, StoreError, Stored, Watch,
};

/// One of the journals.
#[derive(Clone, Debug)]
pub enum AnyJournal {
    /// In a file.
    File(SqliteJournal),
    /// In a database that several servers share.
    Postgres(PostgresJournal),
    /// Nowhere.
    Memory(MemoryJournal),
}

/// Asks whichever it is.
macro_rules! ask {
    ($any:expr, $journal:ident => $question:expr) => {
        match $any {
            AnyJournal::File($journal) => $question,
            AnyJournal::Postgres($journal) => $question,
            AnyJournal::Memory($journal) => $question,
        }
    };
}

impl Journal for AnyJournal {
    fn of(&self, profile: &str) -> Self {
        match self {
            Self::File(journal) => Self::File(journal.of(profile)),
            Self::Postgres(journal) => Self::Postgres(journal.of(profile)),
            Self::Memory(journal) => Self::Memory(journal.of(profile)),
        }
    }

    async fn create(&self, info: SessionInfo) -> Result<(), StoreError> {
        ask!(self, journal => journal.create(info).await)
    }

    async fn fork(
        &self,
        source: &str,
        info: SessionInfo,
        until: Option<u64>,
    ) -> Result<(), StoreError> {
        ask!(self, journal => journal.fork(source, info, until).await)
    }

    async fn restore(&self, info: SessionInfo, records: Vec<Stored>) -> Result<(), StoreError> {
        ask!(self, journal => journal.restore(info, records).await)
    }

    async fn append(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
    ) -> Result<Vec<Frame>, StoreError> {
        ask!(self, journal => journal.append(session, events, durability).await)
    }

    async fn append_settling(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
        settled: Settled,
    ) -> Result<Vec<Frame>, StoreError> {
        ask!(self, journal => journal.append_settling(session, events, durability, settled).await)
    }

    async fn read(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Frame>, StoreError> {
        ask!(self, journal => journal.read(session, after, limit).await)
    }

    async fn records(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        ask!(self, journal => journal.records(session, after, limit).await)
    }

    async fn watch(&self, session: &str) -> Result<Watch, StoreError> {
        ask!(self, journal => journal.watch(session).await)
    }

    async fn sessions(&self) -> Result<Vec<SessionInfo>, StoreError> {
        ask!(self, journal => journal.sessions().await)
    }

    async fn find(&self, prefix: &str) -> Result<SessionInfo, StoreError> {
        ask!(self, journal => journal.find(prefix).await)
    }

    async fn open_runs(&self) -> Result<Vec<OpenRun>, StoreError> {
        ask!(self, journal => journal.open_runs().await)
    }

    async fn delete(&self, session: &str) -> Result<(), StoreError> {
        ask!(self, journal => journal.delete(session).await)
    }

    async fn search(&self, query: &str, limit: usize) -> Result<Vec<Hit>, StoreError> {
        ask!(self, journal => journal.search(query, limit).await)
    }

    async fn acquire(&self, session: &str) -> Result<Lease, StoreError> {
        ask!(self, journal => journal.acquire(session).await)
    }

    async fn post(&self, session: &str, letter: String) -> Result<(), StoreError> {
        ask!(self, journal => journal.post(session, letter).await)
    }

    async fn collect(&self, session: &str) -> Result<Vec<String>, StoreError> {
        ask!(self, journal => journal.collect(session).await)
    }

    async fn letters(&self, session: &str) -> Result<Watch, StoreError> {
        ask!(self, journal => journal.letters(session).await)
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError> {
        ask!(self, journal => journal.claim(claim).await)
    }

    async fn settle(&self, settled: Settled) -> Result<(), StoreError> {
        ask!(self, journal => journal.settle(settled).await)
    }

    async fn unclaim(&self, key: &str) -> Result<(), StoreError> {
        ask!(self, journal => journal.unclaim(key).await)
    }

    async fn audit(&self, after: u64, limit: usize) -> Result<Vec<AuditEntry>, StoreError> {
        ask!(self, journal => journal.audit(after, limit).await)
    }

    async fn rebuild(&self) -> Result<(), StoreError> {
        ask!(self, journal => journal.rebuild().await)
    }
}
