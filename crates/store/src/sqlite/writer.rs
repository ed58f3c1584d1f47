//! The thread that writes: what waits goes into one transaction.
//!
//! A group with a [`Durability::Full`] job in it is synced before anybody is answered. A group of
//! streamed text alone is written without waiting for the disk, and synced with the next full
//! one, or after [`SYNC_AFTER`].

use std::{
    fs::File,
    path::PathBuf,
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::{Duration, Instant},
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::failure::Failure;
use crate::{Durability, StoreError};

/// How long streamed text may be missing from the disk.
const SYNC_AFTER: Duration = Duration::from_millis(900);
/// Most jobs in one transaction, so that the first of them does not wait for long.
const GROUP: usize = 256;

/// Something to write.
pub(super) struct Job {
    durability: Durability,
    work: Work,
}

/// Runs inside the group's transaction; `None` where there is none any more.
type Work = Box<dyn FnOnce(Option<&Connection>) -> Worked + Send>;

/// Tells the caller: its own outcome, or why the whole group is lost.
type Answer = Box<dyn FnOnce(Option<&StoreError>)>;

/// A job that did its work, but is not committed.
struct Worked {
    error: Option<StoreError>,
    answer: Answer,
}

impl Job {
    /// A job that runs `work`, all or nothing, and `then` once that is committed, whether or not
    /// somebody waits; and where its answer will come.
    pub(super) fn new<T: Send + 'static, U: Send + 'static>(
        path: PathBuf,
        durability: Durability,
        work: impl FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
        then: impl FnOnce(T) -> U + Send + 'static,
    ) -> (Self, oneshot::Receiver<Result<U, StoreError>>) {
        let (sender, receiver) = oneshot::channel();
        let work = move |db: Option<&Connection>| {
            let outcome = match db {
                Some(db) => savepoint(db, work).map_err(|failure| failure.at(&path)),
                None => Err(StoreError::Closed { path }),
            };
            let error = outcome.as_ref().err().cloned();
            let answer = Box::new(move |lost: Option<&StoreError>| {
                let outcome = lost.map_or(outcome, |error| Err(error.clone()));
                // Nobody waits any more: the caller was dropped, what was written stays.
                let _ = sender.send(outcome.map(then));
            });
            Worked { error, answer }
        };
        (Self { durability, work: Box::new(work) }, receiver)
    }
}

fn savepoint<T>(
    db: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, Failure>,
) -> Result<T, Failure> {
    db.execute_batch("SAVEPOINT job")?;
    let outcome = work(db);
    if outcome.is_ok() {
        db.execute_batch("RELEASE job")?;
    } else if !db.is_autocommit() {
        db.execute_batch("ROLLBACK TO job; RELEASE job")?;
    }
    outcome
}

/// The writer's own state.
pub(super) struct Writer {
    db: Connection,
    path: PathBuf,
    /// Since when something is written but perhaps not on the disk.
    unsynced: Option<Instant>,
}

impl Writer {
    pub(super) fn new(db: Connection, path: PathBuf) -> Self {
        Self { db, path, unsynced: None }
    }

    /// Works until every sender is gone, then closes the file in good order.
    pub(super) fn run(mut self, jobs: &Receiver<Job>) {
        loop {
            match self.next(jobs) {
                Ok(job) => self.commit(gather(job, jobs)),
                Err(RecvTimeoutError::Timeout) => self.sync(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.sync();
        // Only statistics for the planner; a journal works without them.
        let _ = self.db.execute_batch("PRAGMA optimize");
    }

    fn next(&self, jobs: &Receiver<Job>) -> Result<Job, RecvTimeoutError> {
        let Some(since) = self.unsynced else {
            return jobs.recv().map_err(|_| RecvTimeoutError::Disconnected);
        };
        let left = SYNC_AFTER.saturating_sub(now().saturating_duration_since(since));
        if left.is_zero() {
            return Err(RecvTimeoutError::Timeout);
        }
        jobs.recv_timeout(left)
    }

    fn commit(&mut self, group: Vec<Job>) {
        let durability = if group.iter().all(|job| job.durability == Durability::Streamed) {
            Durability::Streamed
        } else {
            Durability::Full
        };
        let mut worked = Vec::with_capacity(group.len());
        let lost = self.transact(durability, group, &mut worked).err();
        for job in worked {
            (job.answer)(lost.as_ref());
        }
        match durability {
            Durability::Full | Durability::Closing if lost.is_none() => self.unsynced = None,
            Durability::Full | Durability::Closing => {}
            Durability::Streamed => self.unsynced = self.unsynced.or_else(|| Some(now())),
        }
    }

    /// Runs the group in one transaction. An error means that nothing of it was kept.
    fn transact(
        &self,
        durability: Durability,
        group: Vec<Job>,
        worked: &mut Vec<Worked>,
    ) -> Result<(), StoreError> {
        let begun = self.begin(durability);
        let mut lost = begun.err();
        for job in group {
            let done = (job.work)(lost.is_none().then_some(&self.db));
            // Some errors, a full disk among them, end the transaction by themselves.
            if lost.is_none() && self.db.is_autocommit() {
                lost.clone_from(&done.error);
            }
            worked.push(done);
        }
        lost.map_or_else(|| self.end(), Err)
    }

    fn begin(&self, durability: Durability) -> Result<(), StoreError> {
        let synchronous = match durability {
            Durability::Full | Durability::Closing => "full",
            Durability::Streamed => "normal",
        };
        self.db
            .pragma_update(None, "synchronous", synchronous)
            .and_then(|()| self.db.execute_batch("BEGIN IMMEDIATE"))
            .map_err(|error| Failure::Sql(error).at(&self.path))
    }

    fn end(&self) -> Result<(), StoreError> {
        let committed = self.db.execute_batch("COMMIT");
        if committed.is_err() && !self.db.is_autocommit() {
            // Where this fails as well, the next `BEGIN` does, and says why.
            let _ = self.db.execute_batch("ROLLBACK");
        }
        committed.map_err(|error| Failure::Sql(error).at(&self.path))
    }

    /// Brings what was written to the disk. SQLite takes no locks on its log file, so that it may
    /// be opened and closed here.
    fn sync(&mut self) {
        if self.unsynced.take().is_none() {
            return;
        }
        let mut log = self.path.clone().into_os_string();
        log.push("-wal");
        // A log that cannot be synced now is synced by the next full append, or fails it.
        let _ = File::open(log).and_then(|log| log.sync_data());
    }
}

#[expect(clippy::disallowed_methods, reason = "bounds how long text is unsafe, dates nothing")]
fn now() -> Instant {
    Instant::now()
}

fn gather(first: Job, jobs: &Receiver<Job>) -> Vec<Job> {
    let mut group = vec![first];
    group.extend(jobs.try_iter().take(GROUP - 1));
    group
}

#[cfg(test)]
mod tests {
    use std::{path::Path, sync::mpsc};

    use expect_test::{Expect, expect};

    use super::*;
    use crate::sqlite::open;

    /// Plays inserts of so many bytes as one group on a disk with room for 12 pages; what each
    /// was told, and how many rows are there in the end.
    #[track_caller]
    fn check(sizes: &[usize], expected: Expect) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.db");
        open::make_private(&path).unwrap();
        let db = open::writer(&path).unwrap();
        db.execute_batch("CREATE TABLE t (x BLOB)").unwrap();
        let n: i64 = db.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
        db.execute_batch(&format!("PRAGMA max_page_count = {}", n + 12)).unwrap();
        let (jobs, waiting) = mpsc::channel();
        let mut answers = Vec::new();
        for &size in sizes {
            let (job, answer) =
                Job::new(Path::new("j.db").to_owned(), Durability::Full, insert(size), |n| n);
            jobs.send(job).unwrap();
            answers.push(answer);
        }
        drop(jobs);
        Writer::new(db, path.clone()).run(&waiting);
        let told = answers.into_iter().map(|answer| match answer.blocking_recv().unwrap() {
            Ok(n) => format!("kept {n}\n"),
            Err(error) => format!("{error}\n"),
        });
        let n: i64 = open::reader(&path)
            .unwrap()
            .query_row("SELECT count(*) FROM t", [], |row| row.get(0))
            .unwrap();
        expected.assert_eq(&format!("{}{n} rows\n", told.collect::<String>()));
    }

    fn insert(size: usize) -> impl FnOnce(&Connection) -> Result<usize, Failure> + Send {
        move |db| {
            db.execute("INSERT INTO t VALUES (zeroblob(?1))", [i64::try_from(size).unwrap_or(0)])?;
            Ok(size)
        }
    }

    #[test]
    fn a_group_that_fits_is_kept() {
        check(
            &[10, 20],
            expect![[r"
                kept 10
                kept 20
                2 rows
            "]],
        );
    }

    #[test]
    fn a_full_disk_is_told_to_everybody_whose_work_is_lost() {
        check(
            &[10, 1 << 20, 20],
            expect![[r#"
            the journal at `j.db`: the disk is full, so nothing can be kept; make room and try again
            the journal at `j.db`: the disk is full, so nothing can be kept; make room and try again
            the journal at `j.db`: the disk is full, so nothing can be kept; make room and try again
            0 rows
        "#]],
        );
    }
}
