//! One process works on a session.
//!
//! A lease names its holder by process id *and* start time, so that a process that got the id of
//! a dead one is not taken for it. Each lease of a session has a higher number than the one before,
//! its epoch; an append that belongs to an older one is refused, however late it comes.

use std::{
    collections::HashMap,
    fmt::Debug,
    fs,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::StoreError;

/// A process, told apart from every other of this machine since its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) pid: u32,
    /// Clock ticks from boot to the start of the process, as `/proc/PID/stat` has it.
    pub(crate) started: u64,
    /// The kernel's id of this boot; start times of another boot mean nothing.
    pub(crate) boot: String,
}

impl Holder {
    /// This process. Without `/proc` its start is 0, and it counts as alive while its id is
    /// unchanged.
    pub(crate) fn this() -> Self {
        let pid = std::process::id();
        Self { pid, started: started(pid).unwrap_or(0), boot: boot() }
    }

    /// Whether the process still runs. Where `/proc` cannot be read nobody knows, so it does.
    pub(crate) fn is_alive(&self) -> bool {
        if self.boot != boot() {
            return false;
        }
        if started(std::process::id()).is_none() {
            return true;
        }
        started(self.pid) == Some(self.started)
    }
}

fn boot() -> String {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.trim().to_owned()
}

/// The 22nd field of the process's `stat`, see proc_pid_stat(5). The second field is the name in
/// brackets and may hold blanks and brackets itself, so fields are counted behind the last one.
fn started(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    // A zombie is dead; only its parent has not looked yet.
    if fields.next()? == "Z" {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

/// What a journal does for its leases.
pub(crate) trait Keeper: Debug + Send + Sync {
    /// Gives the lease back, without waiting.
    fn release(&self, session: &str, epoch: u64);

    /// Says once more that it is held.
    fn renew(&self, session: String, epoch: u64) -> Renewing;
}

/// The answer of [`Keeper::renew`].
pub(crate) type Renewing = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send>>;

/// The right to work on a session. Dropping it gives it back.
#[derive(Debug)]
pub struct Lease {
    session: String,
    epoch: u64,
    keeper: Arc<dyn Keeper>,
}

impl Lease {
    pub(crate) fn new(session: &str, epoch: u64, keeper: Arc<dyn Keeper>) -> Self {
        Self { session: session.to_owned(), epoch, keeper }
    }

    /// The session.
    #[must_use]
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Which lease of its session it is; a later one has a higher number.
    #[must_use]
    pub const fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Makes sure that it is still held. Nobody has to call this to keep it: as long as the process
    /// lives and reaches the journal, it does.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`], and what keeps the journal from looking.
    pub async fn renew(&self) -> Result<(), StoreError> {
        self.keeper.renew(self.session.clone(), self.epoch).await
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.keeper.release(&self.session, self.epoch);
    }
}

/// The leases that a journal was given, by session.
#[derive(Debug, Default)]
pub(crate) struct Held {
    epochs: Mutex<HashMap<String, u64>>,
}

impl Held {
    pub(crate) fn add(&self, session: &str, epoch: u64) {
        self.epochs().insert(session.to_owned(), epoch);
    }

    pub(crate) fn remove(&self, session: &str, epoch: u64) {
        let mut epochs = self.epochs();
        if epochs.get(session) == Some(&epoch) {
            epochs.remove(session);
        }
    }

    /// The lease under which this journal appends to the session, if it has one.
    pub(crate) fn epoch(&self, session: &str) -> Option<u64> {
        self.epochs().get(session).copied()
    }

    fn epochs(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.epochs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_alive() {
        assert!(Holder::this().is_alive());
    }

    #[test]
    fn a_process_with_our_id_and_another_start_is_not_us() {
        let this = Holder::this();
        assert!(!Holder { started: this.started + 1, ..this }.is_alive());
    }

    #[test]
    fn a_process_of_another_boot_is_dead() {
        assert!(!Holder { boot: "another".to_owned(), ..Holder::this() }.is_alive());
    }
}
