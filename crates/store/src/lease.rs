//! One process works on a session.
//!
//! A lease names its holder by process id *and* start time, so that a process that got the id of
//! a dead one is not taken for it.

use std::{fs, sync::Arc};

use crate::sqlite::Shared;

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

/// The right to work on a session. Dropping it gives it back.
#[derive(Debug)]
pub struct Lease {
    pub(crate) session: String,
    pub(crate) shared: Arc<Shared>,
}

impl Lease {
    /// The session.
    #[must_use]
    pub fn session(&self) -> &str {
        &self.session
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.shared.release(&self.session);
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
