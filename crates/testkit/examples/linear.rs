//! Prints how much work texts are that invite looking again, and how much memory they take.
//!
//! First single families, so many megabytes each, in large chunks and byte by byte; then every
//! family, a hundredth of that each. Texts are fed as they are made, so that what is counted is the
//! parser's memory alone. Fails where a bound is passed.
//!
//! `cargo run --release -p tagline-testkit --example linear -- MEGABYTES`
#![expect(clippy::print_stdout, reason = "a chore talks to a terminal")]

use std::process::ExitCode;

use tagline_parser::{Limits, TagSet};
use tagline_testkit::{
    families::{self, Family, LARGE, MOST_LIVE, MOST_VISITS, Work},
    tags,
};

/// How many of the small texts are shown: those that were most work.
const SHOWN: usize = 12;

/// What a text was: its family, how long its chunks were, and what reading it took.
struct Row {
    family: Family,
    size: usize,
    work: Work,
    live: u64,
}

fn main() -> ExitCode {
    let megabytes = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(100);
    let len: usize = megabytes * 1_000_000;
    let tags = tags::tag_set(tags::EVERYDAY);
    println!(
        "{megabytes} MB each, at most {MOST_VISITS} looks a byte and {MOST_LIVE} bytes live\n"
    );
    head();
    let mut large = Vec::new();
    for family in LARGE {
        for size in [4096, 1] {
            let row = row(&tags, *family, len, size);
            row.print();
            large.push(row);
        }
    }
    println!("\nEvery family, {} MB each, most looks first\n", len as f64 / 1e8);
    head();
    let mut small = Vec::new();
    for family in families::all() {
        small.extend([4096, 64, 1].map(|size| row(&tags, family, len / 100, size)));
    }
    small.sort_by(|one, other| other.work.each.total_cmp(&one.work.each));
    small.iter().take(SHOWN).for_each(Row::print);
    sum(&large, &small)
}

fn row(tags: &TagSet, family: Family, len: usize, size: usize) -> Row {
    // A value is streamed, not kept: the caller takes its deltas.
    let limits = Limits { owned_value: 1 << 12, ..Limits::default() };
    let mut work = Work::default();
    let memory =
        allocation_counter::measure(|| work = families::stream(tags, limits, family, len, size));
    Row { family, size, work, live: memory.bytes_max }
}

fn head() {
    println!("{:>11} {:>10} {:>10} {:>6}  text", "looks/byte", "held", "live", "chunk");
}

impl Row {
    fn print(&self) {
        let Self { family: (start, unit), size, work, live } = self;
        println!(
            "{:>11.2} {:>10} {live:>10} {size:>6}  {start:?} then {unit:?}",
            work.each, work.held
        );
    }

    fn is_beyond(&self) -> bool {
        self.work.each > MOST_VISITS || self.live > MOST_LIVE
    }
}

fn sum(large: &[Row], small: &[Row]) -> ExitCode {
    let all = || large.iter().chain(small);
    let most = all().map(|row| row.work.each).fold(0.0, f64::max);
    let live = all().map(|row| row.live).max().unwrap_or_default();
    println!("\n{} texts: at most {most:.2} looks a byte, {live} bytes live", all().count());
    let beyond: Vec<&Row> = all().filter(|row| row.is_beyond()).collect();
    if beyond.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("\nbeyond the bounds:");
    beyond.iter().for_each(|row| row.print());
    ExitCode::FAILURE
}
