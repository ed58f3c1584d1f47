//! Holds commands within what they may use together.
//!
//! One thread watches those of all sessions: it reads the table of processes once for all, and where
//! a command takes the machine, tasks wait longer than a thread does.

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use tagline_sandbox::machine::Gauge;

use super::{run::Run, table};

/// How often it is looked whether something moved.
const STEP: Duration = Duration::from_millis(50);
/// Steps until the processes are counted, moved or not.
const PATIENCE: u32 = 20;
/// The same where the machine does not tell what moved.
const PATIENCE_WHEN_BLIND: u32 = 4;
/// Which part of a limit must have moved before the processes are counted out of turn.
const PART: u64 = 8;

/// The commands that are watched. The thread ends when there is none.
static LIST: Mutex<List> = Mutex::new(List { runs: Vec::new(), has_thread: false });

#[derive(Debug)]
struct List {
    runs: Vec<Arc<Run>>,
    has_thread: bool,
}

/// Watches the run until nothing of it is left.
///
/// # Errors
///
/// Where there is no thread to be had. Then it is not watched.
pub(super) fn add(run: &Arc<Run>) -> io::Result<()> {
    let mut list = list();
    if !list.has_thread {
        thread::Builder::new().name("command-limits".to_owned()).spawn(work)?;
        list.has_thread = true;
    }
    list.runs.push(Arc::clone(run));
    Ok(())
}

fn work() {
    let mut pace = Pace::default();
    // Most commands are over before the first look.
    thread::sleep(STEP);
    while let Some(runs) = watched() {
        if pace.is_due(Gauge::read(), Steps::of(&runs)) {
            let table = table::everyone();
            let is_over = |run: &&Arc<Run>| !run.keep_within(&table);
            forget(&runs.iter().filter(is_over).collect::<Vec<_>>());
        }
        drop(runs);
        thread::sleep(STEP);
    }
}

/// `None`: there is none, and the thread is given up.
fn watched() -> Option<Vec<Arc<Run>>> {
    let mut list = list();
    if list.runs.is_empty() {
        list.has_thread = false;
        return None;
    }
    Some(list.runs.clone())
}

fn forget(over: &[&Arc<Run>]) {
    list().runs.retain(|run| !over.iter().any(|it| Arc::ptr_eq(it, run)));
}

fn list() -> MutexGuard<'static, List> {
    LIST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// By how much the machine must have moved before the processes are counted out of turn: a part of
/// the smallest limits.
#[derive(Clone, Copy, Debug)]
struct Steps {
    threads: u64,
    memory: u64,
}

impl Steps {
    fn of(runs: &[Arc<Run>]) -> Self {
        let limits = || runs.iter().map(|run| run.limits);
        let threads = limits().map(|limits| limits.processes.into()).min();
        let memory = limits().map(|limits| limits.memory).min();
        Self { threads: part(threads), memory: part(memory) }
    }
}

fn part(limit: Option<u64>) -> u64 {
    limit.map_or(u64::MAX, |limit| (limit / PART).max(1))
}

/// When processes are counted: once in a while, and as soon as the machine moved by a step. Counting
/// takes milliseconds; this takes microseconds.
#[derive(Debug, Default)]
struct Pace {
    /// How it was at the last count.
    last: Option<Gauge>,
    age: u32,
}

impl Pace {
    fn is_due(&mut self, now: Gauge, steps: Steps) -> bool {
        self.age += 1;
        let is_due = self.last.is_none_or(|last| {
            let threads = more(last.threads, now.threads);
            let memory = more(now.available, last.available);
            let is_blind = threads.is_none() || memory.is_none();
            let patience = if is_blind { PATIENCE_WHEN_BLIND } else { PATIENCE };
            patience <= self.age
                || threads.is_some_and(|n| steps.threads <= n)
                || memory.is_some_and(|n| steps.memory <= n)
        });
        if is_due {
            *self = Self { last: Some(now), age: 0 };
        }
        is_due
    }
}

/// How much more it is than it was, where both are known.
fn more(was: Option<u64>, is: Option<u64>) -> Option<u64> {
    Some(is?.saturating_sub(was?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: Steps = Steps { threads: 10, memory: 100 };

    /// Which of these steps count the processes.
    #[track_caller]
    fn check(steps: &[(Option<u64>, Option<u64>)], expected: &[usize]) {
        let mut pace = Pace::default();
        let gauges = steps.iter().map(|&(threads, available)| Gauge { threads, available });
        let due = gauges.enumerate().filter(|(_, now)| pace.is_due(*now, STEPS));
        assert_eq!(due.map(|(n, _)| n).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_still_machine_is_looked_at_now_and_then() {
        check(&[(Some(100), Some(5000)); 45], &[0, 20, 40]);
    }

    #[test]
    fn what_moves_is_looked_at_at_once() {
        let threads = [100, 109, 110, 119, 90, 99, 100].map(|n| (Some(n), Some(5000)));
        check(&threads, &[0, 2]);
        let memory = [5000, 4901, 4900, 4801, 4800].map(|n| (Some(100), Some(n)));
        check(&memory, &[0, 2, 4]);
    }

    #[test]
    fn a_machine_that_does_not_tell_is_looked_at_more_often() {
        check(&[(None, Some(5000)); 10], &[0, 4, 8]);
        check(&[(Some(1), None); 10], &[0, 4, 8]);
    }
}
