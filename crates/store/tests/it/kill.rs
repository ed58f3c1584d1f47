//! A process killed in the middle: what it acknowledged is there.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, Stdio},
};

use tagline_store::{AnyJournal, Durability, Journal as _, PostgresJournal, SqliteJournal};
use tagline_test_postgres::Cluster;
use tokio::runtime::Runtime;

use crate::{
    conformance::runtime,
    support::{Bench, message, session},
};

/// Where the appending child finds the journal, a path or an address; the tests below start it with
/// this set.
const PLACE: &str = "TAGLINE_STORE_KILL_TEST";

/// How often it is killed; more by `cargo xtask journal-kills --kills N`.
const KILLS: usize = 20;
/// How often instead, where it is set.
const OTHER: &str = "TAGLINE_TEST_JOURNAL_KILLS";

#[expect(clippy::disallowed_methods, reason = "a chore says how often")]
fn kills() -> usize {
    std::env::var(OTHER).ok().and_then(|n| n.parse().ok()).unwrap_or(KILLS)
}

fn open(runtime: &Runtime, place: &str) -> AnyJournal {
    if place.starts_with("postgres:") {
        return AnyJournal::Postgres(runtime.block_on(PostgresJournal::connect(place)).unwrap());
    }
    AnyJournal::File(SqliteJournal::open(Path::new(place)).unwrap())
}

fn append_and_tell(place: &str, n: u64) -> u64 {
    let runtime = runtime();
    let journal = open(&runtime, place);
    let mut last = 0;
    let mut told = std::io::stdout();
    for round in 0..n {
        let durability = if round % 3 == 0 { Durability::Full } else { Durability::Streamed };
        let events = vec![message("begin"), message("end")];
        let frames = runtime.block_on(journal.append("a", events, durability)).unwrap();
        last = frames.last().unwrap().seq;
        writeln!(told, "acknowledged {last}").unwrap();
    }
    last
}

/// Run by itself it appends a little; run by the tests below it appends until it is killed.
#[test]
#[expect(clippy::disallowed_methods, reason = "a child learns from it what to do")]
fn an_appender_is_told_the_number_of_its_last_frame() {
    if let Ok(place) = std::env::var(PLACE) {
        append_and_tell(&place, u64::MAX);
    }
    let bench = Bench::new();
    bench.create(&bench.open(), "a");
    assert_eq!(append_and_tell(bench.path().to_str().unwrap(), 5), 10);
}

#[expect(clippy::disallowed_methods, reason = "the victim is a process of its own")]
fn start(place: &str) -> Child {
    std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::an_appender_is_told_the_number_of_its_last_frame", "--nocapture"])
        .env(PLACE, place)
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
fn check(place: &str) -> String {
    let runtime = runtime();
    let journal = open(&runtime, place);
    runtime.block_on(journal.create(session("a"))).unwrap();
    drop(journal);
    let kills = kills();
    let mut before = 0;
    for round in 0..kills {
        let acknowledged = kill_after(start(place), 1 + round * 7 % 40);
        let journal = open(&runtime, place);
        let frames = runtime.block_on(journal.read("a", before, usize::MAX)).unwrap();
        let numbers: Vec<_> = frames.iter().map(|frame| frame.seq).collect();
        let last = before + numbers.len() as u64;
        assert_eq!(numbers, (before + 1..=last).collect::<Vec<_>>(), "round {round}");
        assert!(last >= acknowledged, "round {round}: {acknowledged}");
        assert_eq!(last % 2, 0, "round {round}: half an append was kept");
        before = last;
    }
    format!("{kills} kills, {before} records: 0 lost, 0 doubled")
}

#[test]
fn what_a_killed_process_acknowledged_is_in_the_file() {
    let bench = Bench::new();
    println!("in a file: {}", check(bench.path().to_str().unwrap()));
}

#[test]
fn what_a_killed_process_acknowledged_is_in_the_database() {
    println!("in a database: {}", check(&Cluster::shared().database()));
}
