//! A thread that works on what is its own alone, such as a connection.

use std::sync::mpsc::Receiver;

/// Does something and answers by itself.
pub(super) type Job<C> = Box<dyn FnOnce(&mut C) + Send>;

/// Works until every sender is gone.
pub(super) fn run<C>(mut own: C, jobs: &Receiver<Job<C>>) {
    while let Ok(job) = jobs.recv() {
        job(&mut own);
    }
}
