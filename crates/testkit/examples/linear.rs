//! Prints the work on each family of texts that invite looking again, most first.
//!
//! `cargo run --release -p tagline-testkit --example linear -- KILOBYTES CHUNK…`
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a chore talks to a terminal")]

use tagline_parser::Limits;
use tagline_testkit::{families, tags};

fn main() {
    let args: Vec<usize> = std::env::args().skip(1).map(|it| it.parse().unwrap()).collect();
    let (kilobytes, sizes) = args.split_first().unwrap();
    let tags = tags::tag_set(tags::EVERYDAY);
    let mut rows = Vec::new();
    for family in families::all() {
        let text = families::text(family, kilobytes << 10);
        for size in sizes {
            rows.push((families::work(&tags, Limits::default(), &text, *size), family, *size));
        }
    }
    rows.sort_by(|(one, ..), (other, ..)| other.each.total_cmp(&one.each));
    println!("{:>10} {:>10} {:>8}  text", "looked at", "held KiB", "chunk");
    for (work, (start, unit), size) in &rows {
        let held = work.held >> 10;
        println!("{:>10.2} {held:>10} {size:>8}  {start:?} then {unit:?}", work.each);
    }
    let most = rows.iter().map(|(work, ..)| work.held).max().unwrap_or_default() >> 10;
    println!("{} texts of {kilobytes} KiB, at most {most} KiB held", rows.len());
}
