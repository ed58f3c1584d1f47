//! Wakes who reads a session when it grows.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;

/// Tells of one session how far it has grown. What happens between two looks is one change, so a
/// watch never costs more than its last number.
#[derive(Clone, Debug)]
pub struct Watch {
    last_seq: watch::Receiver<u64>,
}

/// The session was deleted, or the journal closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session is gone")]
pub struct Gone;

impl Watch {
    /// Number of the last frame that is known to be there.
    #[must_use]
    pub fn last_seq(&self) -> u64 {
        *self.last_seq.borrow()
    }

    /// The same watch, which has seen all that is known by now.
    pub(crate) fn seen(mut self) -> Self {
        self.last_seq.mark_unchanged();
        self
    }

    /// Waits until there are frames behind those that were known of last, and returns the number of
    /// the last one. Dropping the future loses nothing.
    ///
    /// # Errors
    ///
    /// [`Gone`], for good.
    pub async fn changed(&mut self) -> Result<u64, Gone> {
        self.last_seq.changed().await.map_err(|_| Gone)?;
        Ok(*self.last_seq.borrow_and_update())
    }
}

/// The watched sessions of a journal.
#[derive(Debug, Default)]
pub(crate) struct Wakeups {
    watched: Mutex<HashMap<String, watch::Sender<u64>>>,
}

impl Wakeups {
    /// Starts to watch. What was appended before counts only once [`Wakeups::tell`] says it.
    pub(crate) fn watch(&self, session: &str) -> Watch {
        let mut watched = self.watched();
        watched.retain(|_, sender| sender.receiver_count() > 0);
        let sender = watched.entry(session.to_owned()).or_insert_with(|| watch::Sender::new(0));
        Watch { last_seq: sender.subscribe() }
    }

    /// Says that the session has grown so far.
    pub(crate) fn tell(&self, session: &str, last_seq: u64) {
        if let Some(sender) = self.watched().get(session) {
            sender.send_if_modified(|known| {
                let is_new = *known < last_seq;
                *known = last_seq.max(*known);
                is_new
            });
        }
    }

    /// The sessions that somebody watches.
    pub(crate) fn sessions(&self) -> Vec<String> {
        self.watched().keys().cloned().collect()
    }

    /// Says that the session is gone.
    pub(crate) fn end(&self, session: &str) {
        self.watched().remove(session);
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<u64>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
