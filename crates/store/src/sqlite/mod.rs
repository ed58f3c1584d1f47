//! The journal in one SQLite file.
//!
//! One thread writes and groups what waits into one transaction; one thread reads, through a
//! connection that cannot write; one searches. Callers await answers, whatever runtime they have.

mod audit;
mod derived;
mod events;
mod failure;
mod index;
mod keys;
mod leases;
mod letters;
mod mend;
mod migrate;
mod open;
mod reader;
mod reading;
mod reserve;
mod sessions;
mod shared;
mod writer;

use std::{path::Path, sync::Arc};

use rusqlite::Connection;
use tagline_protocol::Frame;

pub use self::mend::Mended;
use self::{failure::Failure, index::Index, shared::Shared};
use crate::{
    Anchors, AuditEntry, Claim, Claimed, Durability, Hit, Journal, Lease, NewEvent, OpenRun,
    Record, SessionInfo, Settled, StoreError, Stored, Watch, lease::Holder, record::check_dense,
    scope::Scope,
};

/// A journal in one SQLite file, shared by its clones.
///
/// A watch tells what this journal, its clones and what [`Journal::of`] gives append. What another
/// process appends to the file wakes nobody: a file has one owner who serves the others.
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
    scope: Scope,
}

impl SqliteJournal {
    /// Opens the journal at `path`, and makes it, with its folder, where there is none. The file
    /// can be read by its owner alone. A file of an older version is brought to this version's
    /// format after a copy was made beside it; a damaged one is mended, see
    /// [`SqliteJournal::mended`]. Blocks for some milliseconds.
    ///
    /// # Errors
    ///
    /// [`StoreError::ReadOnly`], [`StoreError::Full`], [`StoreError::Corrupt`],
    /// [`StoreError::Foreign`], [`StoreError::TooNew`]; the file is unchanged after each.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { shared: Arc::new(Shared::open(path)?), scope: Scope::default() })
    }

    /// What was done when the journal was opened, if it was damaged: what could be read of it is in
    /// a new file now, and the damaged one is kept beside it.
    #[must_use]
    pub fn mended(&self) -> Option<&Mended> {
        self.shared.mended.as_ref()
    }

    /// Remembers the end of each profile's audit in this folder too.
    #[must_use]
    pub fn anchored(self, anchors: Anchors) -> Self {
        // A journal is opened in one way, so the first folder is the only one.
        let _ = self.shared.anchors.set(anchors);
        self
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, &Scope) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let scope = self.scope.clone();
        self.shared.write(Durability::Full, move |db| work(db, &scope)).await
    }

    async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, &Scope) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let scope = self.scope.clone();
        self.shared.read(move |db| work(db, &scope)).await
    }

    /// Appends, and settles a key where there is one. What closes a turn may have the room that is
    /// set aside for it.
    async fn append_with(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
        settled: Option<Settled>,
    ) -> Result<Vec<Frame>, StoreError> {
        if durability != Durability::Closing {
            self.shared.keep_reserve().await?;
            return self.append_once(session, events, durability, settled).await;
        }
        match self.append_once(session, events.clone(), durability, settled.clone()).await {
            Err(StoreError::Full { .. }) if self.shared.reserve.spend() => {
                self.append_once(session, events, durability, settled).await
            }
            done => done,
        }
    }

    async fn append_once(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
        settled: Option<Settled>,
    ) -> Result<Vec<Frame>, StoreError> {
        let (id, scope) = (session.to_owned(), self.scope.clone());
        let epoch = self.shared.held.epoch(session);
        let wakeups = Arc::clone(&self.shared.wakeups);
        let (anchors, checks) =
            (Arc::clone(&self.shared.anchors), Arc::clone(&self.shared.anchors));
        let work = move |db: &Connection| {
            if let Some(settled) = settled {
                keys::settle(db, scope.keys_of(), &settled)?;
            }
            let frames = events::append(db, &scope, &id, epoch, events)?;
            let to_check = |profile: &str| checks.get().and_then(|it| it.to_check(profile));
            let key = sessions::key(db, &scope, &id)?;
            let grown = audit::follow(db, key, &frames, &to_check)?;
            Ok((frames, grown))
        };
        let then = move |(frames, grown): (Vec<Frame>, Option<audit::Grown>)| {
            if let (Some(anchors), Some(grown)) = (anchors.get(), &grown) {
                audit::remember(anchors, grown);
            }
            if let Some(last) = frames.last() {
                wakeups.tell(&last.session, last.seq);
            }
            frames
        };
        self.shared.write_then(durability, work, then).await
    }
}

impl Journal for SqliteJournal {
    fn of(&self, profile: &str) -> Self {
        Self { shared: Arc::clone(&self.shared), scope: Scope::of(profile) }
    }

    async fn create(&self, info: SessionInfo) -> Result<(), StoreError> {
        self.scope.check(&info)?;
        self.write(move |db, _| sessions::create(db, &info)).await
    }

    async fn fork(
        &self,
        source: &str,
        info: SessionInfo,
        until: Option<u64>,
    ) -> Result<(), StoreError> {
        self.scope.check(&info)?;
        let source = source.to_owned();
        self.write(move |db, scope| sessions::fork(db, scope, &source, &info, until)).await
    }

    async fn restore(&self, info: SessionInfo, records: Vec<Stored>) -> Result<(), StoreError> {
        self.scope.check(&info)?;
        check_dense(&info.id, &records)?;
        let work = move |db: &Connection, _: &Scope| {
            sessions::create(db, &info)?;
            events::restore(db, &info.id, &info.created, &records)
        };
        self.write(work).await
    }

    async fn append(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
    ) -> Result<Vec<Frame>, StoreError> {
        self.append_with(session, events, durability, None).await
    }

    async fn append_settling(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
        settled: Settled,
    ) -> Result<Vec<Frame>, StoreError> {
        self.append_with(session, events, durability, Some(settled)).await
    }

    async fn read(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Frame>, StoreError> {
        let id = session.to_owned();
        self.ask(move |db, scope| reading::frames(db, scope, &id, after, limit)).await
    }

    async fn records(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        let id = session.to_owned();
        self.ask(move |db, scope| reading::records(db, scope, &id, after, limit)).await
    }

    async fn watch(&self, session: &str) -> Result<Watch, StoreError> {
        let watch = self.shared.wakeups.watch(session);
        let id = session.to_owned();
        let last = move |db: &Connection, scope: &Scope| {
            let key = sessions::key(db, scope, &id)?;
            events::last_seq(db, key)
        };
        let last = self.ask(last).await?;
        self.shared.wakeups.tell(session, u64::try_from(last).unwrap_or(0));
        Ok(watch.seen())
    }

    async fn sessions(&self) -> Result<Vec<SessionInfo>, StoreError> {
        self.ask(sessions::all).await
    }

    async fn find(&self, prefix: &str) -> Result<SessionInfo, StoreError> {
        let prefix = prefix.to_owned();
        self.ask(move |db, scope| sessions::find(db, scope, &prefix)).await
    }

    async fn open_runs(&self) -> Result<Vec<OpenRun>, StoreError> {
        self.ask(derived::open_runs).await
    }

    async fn delete(&self, session: &str) -> Result<(), StoreError> {
        let (id, epoch) = (session.to_owned(), self.shared.held.epoch(session));
        self.write(move |db, scope| sessions::delete(db, scope, &id, epoch)).await?;
        self.shared.wakeups.end(session);
        self.shared.letters.end(session);
        let id = session.to_owned();
        self.shared.look_up(move |index| index.forget(&id)).await
    }

    async fn search(&self, query: &str, limit: usize) -> Result<Vec<Hit>, StoreError> {
        let (scope, query) = (self.scope.clone(), query.to_owned());
        self.shared.look_up(move |index| index.search(&scope, &query, limit)).await
    }

    async fn acquire(&self, session: &str) -> Result<Lease, StoreError> {
        let (id, scope) = (session.to_owned(), self.scope.clone());
        let work = move |db: &Connection| leases::acquire(db, &scope, &id, &Holder::this());
        let (id, shared) = (session.to_owned(), Arc::clone(&self.shared));
        let then = move |epoch| {
            shared.held.add(&id, epoch);
            Lease::new(&id, epoch, Arc::new(shared))
        };
        self.shared.write_then(Durability::Full, work, then).await
    }

    async fn post(&self, session: &str, letter: String) -> Result<(), StoreError> {
        let (id, scope) = (session.to_owned(), self.scope.clone());
        let work = move |db: &Connection| letters::post(db, &scope, &id, &letter);
        let (id, wakeups) = (session.to_owned(), Arc::clone(&self.shared.letters));
        let then = move |n| wakeups.tell(&id, n);
        self.shared.write_then(Durability::Full, work, then).await
    }

    async fn collect(&self, session: &str) -> Result<Vec<String>, StoreError> {
        let id = session.to_owned();
        self.write(move |db, scope| letters::collect(db, scope, &id)).await
    }

    async fn letters(&self, session: &str) -> Result<Watch, StoreError> {
        let watch = self.shared.letters.watch(session);
        let id = session.to_owned();
        self.ask(move |db, scope| sessions::key(db, scope, &id)).await?;
        Ok(watch)
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError> {
        self.write(move |db, scope| keys::claim(db, scope.keys_of(), &claim)).await
    }

    async fn settle(&self, settled: Settled) -> Result<(), StoreError> {
        self.write(move |db, scope| keys::settle(db, scope.keys_of(), &settled)).await
    }

    async fn unclaim(&self, key: &str) -> Result<(), StoreError> {
        let key = key.to_owned();
        self.write(move |db, scope| keys::unclaim(db, scope.keys_of(), &key)).await
    }

    async fn audit(&self, after: u64, limit: usize) -> Result<Vec<AuditEntry>, StoreError> {
        self.ask(move |db, scope| audit::entries(db, scope, after, limit)).await
    }

    async fn rebuild(&self) -> Result<(), StoreError> {
        self.write(|db, _| derived::rebuild(db)).await?;
        self.shared.look_up(Index::remove).await
    }
}

#[cfg(test)]
mod tests {
    use tagline_protocol::Event;
    use tokio::runtime::{Builder, Runtime};

    use super::*;

    /// A journal on a disk whose room the test says, by the number of pages that the file may have.
    /// What is set aside lies beside the file, so it is the test that frees its pages.
    struct Disk {
        journal: SqliteJournal,
        runtime: Runtime,
        folder: tempfile::TempDir,
    }

    impl Disk {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let journal = SqliteJournal::open(&folder.path().join("j.db")).unwrap();
            let runtime = Builder::new_current_thread().build().unwrap();
            let info = SessionInfo {
                id: "a".to_owned(),
                created: "2026-11-27T10:00:00.000Z".to_owned(),
                updated: String::new(),
                title: String::new(),
                workspace: "/srv".into(),
                profile: "default".to_owned(),
                last_seq: 0,
            };
            runtime.block_on(journal.create(info)).unwrap();
            Self { journal, runtime, folder }
        }

        /// Leaves room for so many more pages.
        fn leave(&self, n: i64) {
            let work = move |db: &Connection| {
                let now: i64 = db.pragma_query_value(None, "page_count", |row| row.get(0))?;
                let limit = format!("PRAGMA max_page_count = {}", now + n);
                Ok(db.query_row(&limit, [], |_| Ok(()))?)
            };
            // Outside of the group's transaction the limit holds for all later ones.
            self.runtime.block_on(self.journal.shared.write(Durability::Streamed, work)).unwrap();
        }

        fn append(&self, size: usize, durability: Durability) -> Result<Vec<Frame>, StoreError> {
            let event = Event::UserMessage { text: "x".repeat(size), media: Vec::new() };
            let ts = "2026-11-27T10:00:00.000Z".to_owned();
            let event = NewEvent { run: None, turn: None, call: None, ts, event };
            self.runtime.block_on(self.journal.append("a", vec![event], durability))
        }

        fn has_reserve(&self) -> bool {
            self.folder.path().join("j.db-reserve").exists()
        }

        fn n_records(&self) -> usize {
            let read = self.journal.read("a", 0, usize::MAX);
            self.runtime.block_on(read).unwrap().len()
        }
    }

    #[test]
    fn on_a_full_disk_only_what_closes_a_turn_may_have_the_reserve() {
        let disk = Disk::new();
        assert!(disk.has_reserve());
        disk.leave(1);
        assert!(matches!(disk.append(50_000, Durability::Full), Err(StoreError::Full { .. })));
        assert!(disk.has_reserve());
        // The room is there for the second try, so the reserve was given up before it.
        let closing = disk.append(50_000, Durability::Closing);
        assert!(matches!(closing, Err(StoreError::Full { .. })));
        assert!(!disk.has_reserve());
        disk.leave(1_000);
        assert_eq!(disk.append(50_000, Durability::Closing).unwrap()[0].seq, 1);
        assert!(!disk.has_reserve(), "what closes a turn asks for no new reserve");
        assert_eq!(disk.append(10, Durability::Full).unwrap()[0].seq, 2);
        assert!(disk.has_reserve(), "what begins anew does");
    }

    #[test]
    fn nothing_begins_while_there_is_no_room_for_a_reserve() {
        let disk = Disk::new();
        assert!(disk.journal.shared.reserve.spend());
        // Nobody can write a file where a folder is.
        std::fs::create_dir(disk.folder.path().join("j.db-reserve")).unwrap();
        assert!(matches!(disk.append(10, Durability::Full), Err(StoreError::Full { .. })));
        assert_eq!(disk.append(10, Durability::Closing).unwrap()[0].seq, 1);
        std::fs::remove_dir(disk.folder.path().join("j.db-reserve")).unwrap();
        assert_eq!(disk.append(10, Durability::Full).unwrap()[0].seq, 2);
    }

    /// The disk is full at each page that the file would grow by.
    #[test]
    fn a_disk_that_is_full_at_any_page_loses_nothing_and_goes_on_once_there_is_room() {
        let mut n_refused = 0;
        for room in (0..60).step_by(3) {
            let disk = Disk::new();
            disk.leave(room);
            let mut kept = Vec::new();
            for size in [10, 5_000, 300, 20_000, 40, 9_000].into_iter().cycle().take(36) {
                match disk.append(size, Durability::Full) {
                    Ok(frames) => kept.push(frames[0].seq),
                    Err(StoreError::Full { .. }) => n_refused += 1,
                    Err(error) => panic!("{error}"),
                }
            }
            assert_eq!(disk.n_records(), kept.len(), "room for {room} pages");
            disk.leave(1_000);
            kept.push(disk.append(10, Durability::Full).unwrap()[0].seq);
            assert_eq!(kept, (1..=kept.len() as u64).collect::<Vec<_>>(), "{room} pages");
        }
        assert!(n_refused > 20, "the disk was hardly ever full: {n_refused}");
    }
}
