//! What the processes of a run use together.
//!
//! What was once found to be one of them stays one of them, whatever it sheds later: its mark, its
//! group, its pipes, its parent.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    fs,
    time::Duration,
};

use rustix::{
    param::{clock_ticks_per_second, page_size},
    process::{Pid, Signal, kill_process, kill_process_group},
};
use tagline_sandbox::Usage;

use super::{
    table::{self, Process},
    tree::{self, Mark},
};

/// Rounds of stopping and of killing.
const MAX_ROUNDS: usize = 200;
/// Between two rounds.
const STEP: Duration = Duration::from_millis(5);

/// What is known of the processes of a run from one look to the next.
#[derive(Debug, Default)]
pub(crate) struct Census {
    /// By number and start: whether it is one of them.
    known: BTreeMap<(i32, u64), bool>,
    /// Clock ticks of those that were there at the last look.
    ticks: u64,
    /// All clock ticks so far. A child that was waited for is in the ticks of its parent; what goes
    /// without that is not forgotten.
    all_ticks: u64,
}

impl Census {
    /// Counts. Memory that is shared counts in each process, unless it would be more than
    /// `memory`: then it is counted again, once for all.
    pub(crate) fn count(&mut self, mark: &Mark, table: &[Process], memory: u64) -> Usage {
        let ours = self.find(mark, table);
        let ticks = ours.iter().map(|process| process.ticks).sum();
        self.all_ticks += u64::saturating_sub(ticks, self.ticks);
        self.ticks = ticks;
        let living: Vec<_> = ours.into_iter().filter(|process| !process.is_zombie).collect();
        let usage = Usage {
            cpu: time(self.all_ticks),
            memory: bytes(living.iter().map(|process| process.pages).sum()),
            processes: living.len() as u64,
            threads: living.iter().map(|process| process.threads).sum(),
        };
        if usage.memory <= memory {
            return usage;
        }
        Usage { memory: living.iter().map(share).sum(), ..usage }
    }

    /// Ends them all, and at once. They are stopped first, until none is new: so they cannot start
    /// others faster than those are found.
    pub(crate) fn end(&mut self, mark: &Mark) {
        let mut stopped = HashSet::new();
        for _ in 0..MAX_ROUNDS {
            if !self.send(mark, Signal::STOP, |pid| stopped.insert(pid)) {
                break;
            }
        }
        for _ in 0..MAX_ROUNDS {
            if !self.send(mark, Signal::KILL, |_| true) {
                break;
            }
            std::thread::sleep(STEP);
        }
    }

    /// Signals those that are wanted; says whether there was one. One that is gone by now takes no
    /// signal.
    fn send(&mut self, mark: &Mark, what: Signal, mut is_wanted: impl FnMut(Pid) -> bool) -> bool {
        let living = self.find(mark, &table::living());
        let pids = living.iter().filter_map(|process| Pid::from_raw(process.pid));
        let wanted: Vec<_> = pids.filter(|&pid| is_wanted(pid)).collect();
        if let (Some(group), false) = (mark.group, wanted.is_empty()) {
            let _ = kill_process_group(group, what);
        }
        for &pid in &wanted {
            let _ = kill_process(pid, what);
        }
        !wanted.is_empty()
    }

    /// Those of the table that belong to the run.
    fn find(&mut self, mark: &Mark, table: &[Process]) -> Vec<Process> {
        let ours = std::process::id().cast_signed();
        let young = table.iter().filter(|it| it.pid != ours && mark.since <= it.started);
        let mut found: BTreeSet<i32> =
            young.filter(|process| self.is_one(process, mark)).map(|process| process.pid).collect();
        tree::add_descendants(&mut found, table);
        let found = table.iter().filter(|process| found.contains(&process.pid));
        let there: BTreeSet<_> = table.iter().map(key).collect();
        self.known.retain(|key, _| there.contains(key));
        self.known.extend(found.clone().map(|process| (key(process), true)));
        found.filter(|process| !tree::is_ours(process.pid, mark)).copied().collect()
    }

    /// What tells a process by its files is looked at once: that takes the most time.
    fn is_one(&mut self, process: &Process, mark: &Mark) -> bool {
        tree::is_in_group(process, mark)
            || *self.known.entry(key(process)).or_insert_with(|| tree::is_marked(process.pid, mark))
    }
}

const fn key(process: &Process) -> (i32, u64) {
    (process.pid, process.started)
}

fn bytes(pages: u64) -> u64 {
    pages.saturating_mul(page_size() as u64)
}

fn time(ticks: u64) -> Duration {
    let millis = ticks.saturating_mul(1000) / clock_ticks_per_second().max(1);
    Duration::from_millis(millis)
}

/// The memory of a process in bytes, where each page that it shares counts in part. Where the
/// kernel does not tell, each counts in full.
fn share(process: &Process) -> u64 {
    let told = fs::read_to_string(format!("/proc/{}/smaps_rollup", process.pid)).ok();
    let line = told.as_deref().and_then(|it| it.lines().find_map(|line| line.strip_prefix("Pss:")));
    let kibibytes = line.and_then(|it| it.split_ascii_whitespace().next()?.parse::<u64>().ok());
    kibibytes.map_or_else(|| bytes(process.pages), |n| n.saturating_mul(1024))
}
