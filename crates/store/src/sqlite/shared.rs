//! The threads of an open journal, and the ways to them.

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        mpsc::{self, Sender},
    },
    thread::{self, JoinHandle},
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{
    failure::Failure,
    index::Index,
    leases,
    mend::{self, Mended},
    open, reader,
    reserve::Reserve,
    writer::{Job, Writer},
};
use crate::{
    Anchors, Durability, StoreError,
    lease::{Held, Keeper, Renewing},
    scope::Scope,
    wake::Wakeups,
};

/// An open journal.
#[derive(Debug)]
pub(super) struct Shared {
    path: PathBuf,
    /// What a damaged journal left behind when this one was opened.
    pub(super) mended: Option<Mended>,
    pub(super) wakeups: Arc<Wakeups>,
    /// As `wakeups`, for letters.
    pub(super) letters: Arc<Wakeups>,
    pub(super) held: Held,
    /// Where ends of audits are remembered.
    pub(super) anchors: Arc<OnceLock<Anchors>>,
    pub(super) reserve: Arc<Reserve>,
    /// `None` only while the journal closes.
    threads: Option<Threads>,
    /// Let go of last.
    _open: File,
}

#[derive(Debug)]
struct Threads {
    writer: Sender<Job>,
    reader: Sender<reader::Job<Connection>>,
    index: Sender<reader::Job<Index>>,
    all: Vec<JoinHandle<()>>,
}

impl Shared {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let opened = Self::start(path).map_err(|failure| failure.at(path))?;
        let (threads, mended, lock) = opened;
        Ok(Self {
            path: path.to_owned(),
            mended,
            _open: lock,
            wakeups: Arc::default(),
            letters: Arc::default(),
            held: Held::default(),
            anchors: Arc::default(),
            reserve: Arc::new(Reserve::new(path)),
            threads: Some(threads),
        })
    }

    /// Opens the file, and mends it first where it must be.
    fn start(path: &Path) -> Result<(Threads, Option<Mended>, File), Failure> {
        open::make_private(path)?;
        let mut mended = None;
        if mend::is_wanted(path)? {
            mended = mend::run(path)?;
        }
        let lock = open::lock::shared(path)?;
        match Threads::start(path) {
            Ok(threads) => Ok((threads, mended, lock)),
            Err(failure) if failure.is_damage() => {
                drop(lock);
                let mended = mend::run(path)?.ok_or(failure)?;
                let lock = open::lock::shared(path)?;
                Ok((Threads::start(path)?, Some(mended), lock))
            }
            Err(failure) => Err(failure),
        }
    }

    /// Runs `work` in a transaction and answers once it is committed.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.write_then(durability, work, |done| done).await
    }

    /// As [`Shared::write`]; `then` runs once it is committed, whether or not anybody waits.
    pub(super) async fn write_then<T: Send + 'static, U: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
        then: impl FnOnce(T) -> U + Send + 'static,
    ) -> Result<U, StoreError> {
        let (job, answer) = Job::new(self.path.clone(), durability, work, then);
        self.send(job);
        self.take(answer).await
    }

    /// Makes sure that there is room for what closes a turn before something begins.
    pub(super) async fn keep_reserve(&self) -> Result<(), StoreError> {
        if self.reserve.is_there() {
            return Ok(());
        }
        let reserve = Arc::clone(&self.reserve);
        if self.read(move |_| Ok(reserve.make())).await? {
            return Ok(());
        }
        Err(StoreError::Full { path: self.path.clone() })
    }

    /// Runs `work` on the connection that cannot write.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (job, answer) = asked(self.path.clone(), move |db: &mut Connection| work(db));
        if let Some(threads) = &self.threads {
            // A thread that ended drops the job, and the answer says so.
            let _ = threads.reader.send(job);
        }
        self.take(answer).await
    }

    /// Runs `work` on what is searched.
    pub(super) async fn look_up<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Index) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (job, answer) = asked(self.path.clone(), work);
        if let Some(threads) = &self.threads {
            // A thread that ended drops the job, and the answer says so.
            let _ = threads.index.send(job);
        }
        self.take(answer).await
    }

    fn send(&self, job: Job) {
        if let Some(threads) = &self.threads {
            // A thread that ended drops the job, and the answer says so.
            let _ = threads.writer.send(job);
        }
    }

    async fn take<T>(
        &self,
        answer: oneshot::Receiver<Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let closed = |_| Err(StoreError::Closed { path: self.path.clone() });
        let answer = answer.await.unwrap_or_else(closed);
        if let Err(StoreError::Corrupt { .. }) = &answer {
            mend::remember(&self.path);
        }
        answer
    }
}

impl Keeper for Arc<Shared> {
    fn release(&self, session: &str, epoch: u64) {
        self.held.remove(session, epoch);
        let session = session.to_owned();
        let work = move |db: &Connection| leases::release(db, &session, epoch);
        let (job, _) = Job::new(self.path.clone(), Durability::Streamed, work, |()| ());
        self.send(job);
    }

    fn renew(&self, session: String, epoch: u64) -> Renewing {
        let shared = Self::clone(self);
        Box::pin(async move {
            let work = move |db: &Connection| {
                let lost = || StoreError::LeaseLost { session: session.clone() };
                let key =
                    super::sessions::key(db, &Scope::default(), &session).map_err(|_| lost())?;
                leases::check(db, key, &session, Some(epoch))
            };
            shared.write(Durability::Streamed, work).await
        })
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let Some(Threads { writer, reader, index, all }) = self.threads.take() else { return };
        drop((writer, reader, index));
        // The last user may have been a job; its thread ends by itself.
        let here = thread::current().id();
        for thread in all.into_iter().filter(|thread| thread.thread().id() != here) {
            // A thread that panicked has told so already; the file is safe either way.
            let _ = thread.join();
        }
    }
}

impl Threads {
    fn start(path: &Path) -> Result<Self, Failure> {
        let work = Writer::new(open::writer(path)?, path.to_owned());
        let db = open::reader(path)?;
        let words = Index::new(path, open::reader(path)?);
        let (writer, writes) = mpsc::channel();
        let (reader, reads) = mpsc::channel();
        let (index, searches) = mpsc::channel();
        let all = vec![
            spawn("journal-writer", move || work.run(&writes))?,
            spawn("journal-reader", move || reader::run(db, &reads))?,
            spawn("journal-index", move || reader::run(words, &searches))?,
        ];
        Ok(Self { writer, reader, index, all })
    }
}

/// A job for a thread, and where its answer will come.
fn asked<C, T: Send + 'static>(
    path: PathBuf,
    work: impl FnOnce(&mut C) -> Result<T, Failure> + Send + 'static,
) -> (reader::Job<C>, oneshot::Receiver<Result<T, StoreError>>) {
    let (sender, answer) = oneshot::channel();
    let job = Box::new(move |own: &mut C| {
        // Nobody waits any more where this fails.
        let _ = sender.send(work(own).map_err(|failure| failure.at(&path)));
    });
    (job, answer)
}

fn spawn(
    name: &str,
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, std::io::Error> {
    thread::Builder::new().name(name.to_owned()).spawn(work)
}
