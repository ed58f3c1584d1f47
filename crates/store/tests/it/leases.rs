//! One owner per session.

use std::process::Stdio;

use expect_test::expect;
use tagline_store::{Journal as _, SqliteJournal, StoreError};

use crate::support::Bench;

fn acquire(bench: &Bench, journal: &SqliteJournal) -> Result<tagline_store::Lease, StoreError> {
    bench.runtime.block_on(journal.acquire("a"))
}

/// A row as a process `pid` with that start time would have left it.
fn plant(bench: &Bench, pid: u32, started: u64) {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let boot = boot.trim();
    bench.sql(&format!("INSERT INTO leases VALUES (1, 7, {pid}, {started}, '{boot}')"));
}

#[test]
fn a_session_is_taken_once_and_given_back() {
    let bench = Bench::new();
    let (journal, other) = (bench.open(), bench.open());
    bench.create(&journal, "a");
    let lease = acquire(&bench, &journal).unwrap();
    let error = acquire(&bench, &other).unwrap_err();
    let words = error.to_string().replace(&std::process::id().to_string(), "[pid]");
    expect!["session `a` is in use by process [pid]; wait for it or stop it"].assert_eq(&words);
    drop(lease);
    // The same writer thread gives it back before it answers.
    drop(acquire(&bench, &journal).unwrap());
}

#[test]
fn a_lease_outlives_the_journal_it_came_from() {
    let bench = Bench::new();
    let journal = bench.open();
    bench.create(&journal, "a");
    let lease = acquire(&bench, &journal).unwrap();
    drop(journal);
    assert!(acquire(&bench, &bench.open()).is_err());
    drop(lease);
    assert!(acquire(&bench, &bench.open()).is_ok());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a living process of another id is needed")]
fn a_living_process_keeps_its_session_and_a_dead_one_loses_it() {
    let bench = Bench::new();
    let journal = bench.open();
    bench.create(&journal, "a");
    let mut child = std::process::Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    let pid = child.id();
    plant(&bench, pid, started(pid));
    assert_eq!(
        acquire(&bench, &journal).unwrap_err(),
        StoreError::Busy { session: "a".to_owned(), holder: format!("process {pid}") }
    );
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(acquire(&bench, &journal).is_ok());
}

#[test]
fn a_new_process_with_a_dead_ones_id_does_not_keep_its_session() {
    let bench = Bench::new();
    let journal = bench.open();
    bench.create(&journal, "a");
    plant(&bench, std::process::id(), 1);
    assert!(acquire(&bench, &journal).is_ok());
}

fn started(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields = stat.rsplit_once(')').unwrap().1;
    fields.split_whitespace().nth(19).unwrap().parse().unwrap()
}
