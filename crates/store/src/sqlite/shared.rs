//! The two threads, and the ways to them.

use std::{
    path::{Path, PathBuf},
    sync::mpsc::{self, Sender},
    thread::{self, JoinHandle},
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{
    failure::Failure,
    leases, open, reader,
    writer::{Job, Writer},
};
use crate::{Durability, StoreError, lease::Holder};

/// An open journal.
#[derive(Debug)]
pub(crate) struct Shared {
    path: PathBuf,
    /// `None` only while the journal closes.
    writer: Option<Sender<Job>>,
    reader: Option<Sender<reader::Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Shared {
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        Self::start(path).map_err(|failure| failure.at(path))
    }

    fn start(path: &Path) -> Result<Self, Failure> {
        let writer = Writer::new(open::writer(path)?, path.to_owned());
        let db = open::reader(path)?;
        let (to_writer, writes) = mpsc::channel();
        let (to_reader, reads) = mpsc::channel();
        let threads = vec![
            spawn("journal-writer", move || writer.run(&writes))?,
            spawn("journal-reader", move || reader::run(&db, &reads))?,
        ];
        Ok(Self {
            path: path.to_owned(),
            writer: Some(to_writer),
            reader: Some(to_reader),
            threads,
        })
    }

    /// Runs `work` in a transaction and answers once it is committed.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (job, answer) = Job::new(self.path.clone(), durability, work);
        self.send(job);
        self.take(answer).await
    }

    /// Runs `work` on the connection that cannot write.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, answer) = oneshot::channel();
        let path = self.path.clone();
        let job: reader::Job = Box::new(move |db| {
            // Nobody waits any more where this fails.
            let _ = sender.send(work(db).map_err(|failure| failure.at(&path)));
        });
        if let Some(reader) = &self.reader {
            // A thread that ended drops the job, and the answer says so.
            let _ = reader.send(job);
        }
        self.take(answer).await
    }

    /// Gives a lease back, without waiting.
    pub(crate) fn release(&self, session: &str) {
        let session = session.to_owned();
        let work = move |db: &Connection| leases::release(db, &session, &Holder::this());
        let (job, _) = Job::new(self.path.clone(), Durability::Streamed, work);
        self.send(job);
    }

    fn send(&self, job: Job) {
        if let Some(writer) = &self.writer {
            // A thread that ended drops the job, and the answer says so.
            let _ = writer.send(job);
        }
    }

    async fn take<T>(
        &self,
        answer: oneshot::Receiver<Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        answer.await.unwrap_or_else(|_| Err(StoreError::Closed { path: self.path.clone() }))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.writer = None;
        self.reader = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has told so already; the file is safe either way.
            let _ = thread.join();
        }
    }
}

fn spawn(
    name: &str,
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, std::io::Error> {
    thread::Builder::new().name(name.to_owned()).spawn(work)
}
