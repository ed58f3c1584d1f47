//! The parser's rates on every workload, beside a scan and quick-xml in the same run.
//!
//! `cargo bench -p tagline-parser --bench goals [-- rates [workload…]]`
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement reads the clock and prints"
)]

mod clock;
mod peer;
mod rates;
mod read;
#[path = "../shared/mod.rs"]
mod shared;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    rates::run(args.get(1..).unwrap_or_default());
}
