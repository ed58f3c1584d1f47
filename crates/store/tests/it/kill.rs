//! A process killed in the middle: what it acknowledged is there.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, Stdio},
};

use tagline_store::{Durability, Journal as _, SqliteJournal};

use crate::support::{Bench, message};

/// Where the appending child finds the journal; the test below starts it with this set.
const PATH: &str = "TAGLINE_STORE_KILL_TEST";

fn append_and_tell(bench: &Bench, path: &Path, n: u64) -> u64 {
    let journal = SqliteJournal::open(path).unwrap();
    let mut last = 0;
    let mut told = std::io::stdout();
    for round in 0..n {
        let durability = if round % 3 == 0 { Durability::Full } else { Durability::Streamed };
        let events = vec![message("begin"), message("end")];
        let frames = bench.runtime.block_on(journal.append("a", events, durability)).unwrap();
        last = frames.last().unwrap().seq;
        writeln!(told, "acknowledged {last}").unwrap();
    }
    last
}

/// Run by itself it appends a little; run by the test below it appends until it is killed.
#[test]
#[expect(clippy::disallowed_methods, reason = "a child learns from it what to do")]
fn an_appender_is_told_the_number_of_its_last_frame() {
    let bench = Bench::new();
    if let Some(path) = std::env::var_os(PATH) {
        append_and_tell(&bench, Path::new(&path), u64::MAX);
    }
    bench.create(&bench.open(), "a");
    assert_eq!(append_and_tell(&bench, &bench.path(), 5), 10);
}

#[expect(clippy::disallowed_methods, reason = "the victim is a process of its own")]
fn start(path: &Path) -> Child {
    std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::an_appender_is_told_the_number_of_its_last_frame", "--nocapture"])
        .env(PATH, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Kills the child once it acknowledged `n` times; the last number that reached us.
fn kill_after(mut child: Child, n: usize) -> u64 {
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut numbers = lines.by_ref().filter_map(|line| number(&line.unwrap()));
    let mut last = numbers.by_ref().take(n).last().unwrap();
    child.kill().unwrap();
    last = numbers.last().unwrap_or(last);
    child.wait().unwrap();
    last
}

fn number(line: &str) -> Option<u64> {
    line.split_once("acknowledged ")?.1.parse().ok()
}

/// Invariant 2, for the death of the process.
#[test]
fn what_a_killed_process_acknowledged_is_there_twenty_times_of_twenty() {
    let bench = Bench::new();
    bench.create(&bench.open(), "a");
    for round in 0..20 {
        let acknowledged = kill_after(start(&bench.path()), 1 + round * 7 % 40);
        let journal = bench.open();
        let frames = bench.runtime.block_on(journal.read("a", 0, usize::MAX)).unwrap();
        let numbers: Vec<_> = frames.iter().map(|frame| frame.seq).collect();
        let expected: Vec<_> = (1..=numbers.len() as u64).collect();
        assert_eq!(numbers, expected, "round {round}");
        assert!(numbers.len() as u64 >= acknowledged, "round {round}: {acknowledged}");
        assert_eq!(numbers.len() % 2, 0, "round {round}: half an append was kept");
    }
}
