//! The parser against its goals (docs/performance.md): rates beside a scan and quick-xml in the same
//! run, the time of single chunks, growth.
//!
//! `cargo bench -p tagline-parser --bench goals [-- rates [workload…] | latency | growth]`
//!
//! `… -- once WORKLOAD BYTES [PASSES]` only reads one workload in chunks of this size, for a profiler.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement reads the clock and prints"
)]

#[path = "../shared/blocks.rs"]
mod blocks;
mod clock;
mod growth;
mod latency;
mod peer;
mod rates;
mod read;
#[path = "../shared/mod.rs"]
mod shared;
mod verdict;

use std::hint::black_box;

use tagline_workload::{Dialect, Shape, build};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["once", name, size] => once(name, size, "10"),
        ["once", name, size, passes] => once(name, size, passes),
        ["rates", names @ ..] => _ = rates::run(names),
        ["latency"] => _ = latency::run(),
        ["growth"] => _ = growth::run(),
        _ => verdict::print(&rates::run(&[]), latency::run(), growth::run()),
    }
}

/// Reads one workload some times, for a profiler.
fn once(name: &str, size: &str, passes: &str) {
    let Some(shape) = Shape::ALL.into_iter().find(|shape| shape.name() == name) else { return };
    let text = build(shape, Dialect::Native).text;
    for _ in 0..passes.parse().unwrap_or(10) {
        let size = size.parse().unwrap_or(usize::MAX);
        black_box(read::stream(&shared::tags(), shared::limits(0), &text, size));
    }
}
