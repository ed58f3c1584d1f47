//! The thread that reads.

use std::sync::mpsc::Receiver;

use rusqlite::Connection;

/// Reads something and answers by itself.
pub(super) type Job = Box<dyn FnOnce(&Connection) + Send>;

/// Works until every sender is gone.
pub(super) fn run(db: &Connection, jobs: &Receiver<Job>) {
    while let Ok(job) = jobs.recv() {
        job(db);
    }
}
