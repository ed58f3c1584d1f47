//! How long single chunks of four bytes take: no chunk may cost in proportion to what came before.

use std::{hint::black_box, time::Instant};

use tagline_parser::{EventRef, Parser};
use tagline_workload::{Dialect, Shape, build};

use crate::shared::{chunks, limits, tags};

/// Nanoseconds below which a share of the chunks lies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spread {
    pub(crate) p50: u64,
    pub(crate) p99: u64,
    pub(crate) p999: u64,
    max: u64,
}

/// Measures, prints, and hands out what `code` gave.
pub(crate) fn run() -> Spread {
    println!("\n| workload | chunks | p50 ns | p99 ns | p99.9 ns | longest µs | timer p50 ns |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let mut code = Spread::default();
    for shape in [Shape::Chatty, Shape::Code, Shape::Many, Shape::Adv, Shape::Huge] {
        let text = build(shape, Dialect::Native).text;
        // The best of several passes for each chunk: what else the machine does hits other chunks.
        let n_passes = if text.len() > 1_000_000 { 3 } else { 9 };
        let mut times = pass(&text);
        for _ in 1..n_passes {
            times.iter_mut().zip(pass(&text)).for_each(|(best, time)| *best = time.min(*best));
        }
        let n_chunks = times.len();
        let (spread, timer) = (spread(times), spread(timer()).p50);
        let Spread { p50, p99, p999, max } = spread;
        let max = max as f64 / 1e3;
        println!("| {} | {n_chunks} | {p50} | {p99} | {p999} | {max:.1} | {timer} |", shape.name());
        if shape == Shape::Code {
            code = spread;
        }
    }
    code
}

/// Nanoseconds of each chunk, the timer's own included.
fn pass(text: &str) -> Vec<u64> {
    let mut parser = Parser::new(&tags(), limits(0));
    let mut sink = |event: EventRef<'_>| {
        black_box(&event);
    };
    let feed = |chunk| nanoseconds(|| parser.feed_to(chunk, &mut sink));
    chunks(text, 4).map(feed).collect()
}

fn timer() -> Vec<u64> {
    (0..10_000).map(|_| nanoseconds(|| ())).collect()
}

fn nanoseconds(work: impl FnOnce()) -> u64 {
    let start = Instant::now();
    work();
    u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

fn spread(mut times: Vec<u64>) -> Spread {
    times.sort_unstable();
    let at = |thousandths: usize| {
        let place = times.len().saturating_sub(1) * thousandths / 1000;
        times.get(place).copied().unwrap_or_default()
    };
    Spread { p50: at(500), p99: at(990), p999: at(999), max: at(1000) }
}
