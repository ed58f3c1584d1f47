//! A log that ends anywhere: a power cut, a full disk, a copy that was broken off.

use std::{fs, path::PathBuf};

use tagline_store::{Journal as _, SqliteJournal};

use crate::support::Bench;

/// Every so manieth byte is cut at; each by `cargo xtask log-cuts --step 1`.
const STEP: usize = 499;
/// Another number, where it is set.
const OTHER: &str = "TAGLINE_TEST_LOG_CUTS";
/// How many appends were acknowledged.
const APPENDS: usize = 6;

fn log(bench: &Bench) -> PathBuf {
    bench.path().with_file_name("journal.db-wal")
}

#[expect(clippy::disallowed_methods, reason = "a chore says how often")]
fn step() -> usize {
    std::env::var(OTHER).ok().and_then(|n| n.parse().ok()).unwrap_or(STEP)
}

/// Invariant 2: what was acknowledged when the log was so long is there however the rest is cut.
#[test]
fn what_was_acknowledged_is_there_wherever_the_log_is_cut_behind_it() {
    println!("{}: nothing lost, nothing half", check(step()));
}

/// Cuts at every `step`th byte, and around the end of each append; says how much was cut.
pub(crate) fn check(step: usize) -> String {
    let bench = Bench::new();
    bench.create(&bench.open(), "a");
    let journal = bench.open();
    let mut ends = vec![0];
    for n in 0..APPENDS {
        bench.append(&journal, "a", &format!("one{n} two{n}"));
        ends.push(fs::metadata(log(&bench)).unwrap().len() as usize);
    }
    let (db, whole) = (fs::read(bench.path()).unwrap(), fs::read(log(&bench)).unwrap());
    drop(journal);
    let edges = ends.iter().flat_map(|end| [end.saturating_sub(1), *end, end + 1]);
    let mut cuts: Vec<usize> = (0..whole.len()).step_by(step).chain(edges).collect();
    cuts.retain(|cut| *cut <= whole.len());
    for cut in &cuts {
        let other = Bench::new();
        fs::create_dir(other.path().parent().unwrap()).unwrap();
        fs::write(other.path(), &db).unwrap();
        fs::write(log(&other), &whole[..*cut]).unwrap();
        let journal = SqliteJournal::open(&other.path()).unwrap();
        assert_eq!(journal.mended(), None, "cut at {cut}");
        let frames = other.runtime.block_on(journal.read("a", 0, usize::MAX)).unwrap();
        let n = ends.iter().filter(|end| **end <= *cut).count() - 1;
        let numbers: Vec<_> = frames.iter().map(|frame| frame.seq).collect();
        assert_eq!(numbers, (1..=2 * n as u64).collect::<Vec<_>>(), "cut at {cut}");
    }
    format!("{} cuts of a log of {} bytes", cuts.len(), whole.len())
}
