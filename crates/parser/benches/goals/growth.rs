//! How time grows with the text: the exponent over a ladder of sizes, 1 where it is linear.

use std::hint::black_box;

use tagline_parser::{EventRef, Finish, Parser};
use tagline_workload::{Dialect, Shape, build};

use crate::{
    clock::{median, once},
    rates::chunk,
    read::stream,
    shared::{chunks, limits, tags},
};

/// Bytes of the bodies on the ladder.
const LADDER: [usize; 6] = [25_000, 200_000, 1_600_000, 12_800_000, 102_400_000, 1_000_000_000];

/// Chunk sizes.
const SIZES: [usize; 3] = [4, 64, 4096];

/// Measures, prints, and hands out the largest exponent.
pub(crate) fn run() -> f64 {
    println!("\n| text | chunk | seconds for each size | exponent |");
    println!("|---|---:|---|---:|");
    let block = build(Shape::Grow(480_000), Dialect::Native);
    let body = block.calls.first().and_then(|call| call.body.as_deref()).unwrap_or_default();
    let mut worst: f64 = 0.0;
    for size in SIZES {
        let rungs: Vec<(usize, f64)> =
            LADDER.map(|n| (n, typical(n, || body_of(body, n, size)))).into();
        worst = worst.max(print("one body", size, &rungs));
    }
    for shape in [Shape::Adv, Shape::AdvLt, Shape::AdvClose, Shape::AdvOpen] {
        let text = build(shape, Dialect::Native).text;
        for size in SIZES {
            let rung = |n: usize| {
                let part = text.get(..n).unwrap_or(&text);
                (n, typical(n, || _ = black_box(stream(&tags(), limits(0), part, size))))
            };
            let rungs: Vec<(usize, f64)> = [20_000, 300_000, 4_800_000].map(rung).into();
            worst = worst.max(print(shape.name(), size, &rungs));
        }
    }
    worst
}

/// Reads a call with a body of this size, which repeats itself so that it needs no memory.
fn body_of(block: &str, n_bytes: usize, size: usize) {
    let mut parser = Parser::new(&tags(), limits(0));
    let mut sink = |event: EventRef<'_>| {
        black_box(&event);
    };
    parser.feed_to("<write_file path=\"a\"><![CDATA[\n", &mut sink);
    let mut left = n_bytes;
    while left > 0 {
        let part = block.get(..left.min(block.len())).unwrap_or(block);
        for chunk in chunks(part, size) {
            parser.feed_to(chunk, &mut sink);
        }
        left -= part.len();
    }
    parser.feed_to("\n]]></write_file>\n", &mut sink);
    parser.flush_to(Finish::Stop, &mut sink);
}

/// The median of five runs; a run of a short text is as many passes as take a while.
fn typical(n_bytes: usize, mut pass: impl FnMut()) -> f64 {
    let n_passes = (4_000_000 / n_bytes).max(1);
    let n_runs = if n_bytes > 200_000_000 { 3 } else { 5 };
    let run = |_| once(|| (0..n_passes).for_each(|_| pass())) / n_passes as f64;
    median((0..n_runs).map(run))
}

fn print(name: &str, size: usize, rungs: &[(usize, f64)]) -> f64 {
    let all: Vec<String> = rungs.iter().map(|(_, seconds)| format!("{seconds:.2e}")).collect();
    let exponent = match (rungs.first(), rungs.last()) {
        (Some((n, first)), Some((m, last))) => (last / first).ln() / (*m as f64 / *n as f64).ln(),
        _ => 0.0,
    };
    println!("| {name} | {} | {} | {exponent:.3} |", chunk(size), all.join(" · "));
    exponent
}
