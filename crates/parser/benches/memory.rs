//! What reading costs in memory: allocations, live bytes and bytes held back, counted.
//!
//! `cargo bench -p tagline-parser --bench memory`
#![expect(clippy::print_stdout, reason = "a measurement prints")]

#[path = "shared/counts.rs"]
mod counts;
#[path = "shared/mod.rs"]
mod shared;

use counts::{Cost, owned, second_half, streamed};
use tagline_workload::{Dialect, Shape, build};

fn main() {
    println!("| workload | chunk | allocations a chunk | a block | live bytes | held bytes |");
    println!("|---|---:|---:|---:|---:|---:|");
    for shape in Shape::ALL {
        let text = build(shape, Dialect::Native).text;
        for size in [4, 64, 4096] {
            let (warm, whole) = (second_half(&text, size), streamed(&text, size));
            println!(
                "| {} | {size} B | {:.4} | {:.2} | {} | {} |",
                shape.name(),
                warm.memory.count_total as f64 / warm.n_chunks as f64,
                per_block(&warm),
                whole.memory.bytes_max,
                whole.held,
            );
        }
    }
    println!(
        "\n| blocks kept: workload | chunk | allocations a block | live bytes | of the text |"
    );
    println!("|---|---:|---:|---:|---:|");
    for shape in [Shape::Chatty, Shape::Code, Shape::Many, Shape::Huge] {
        let text = build(shape, Dialect::Native).text;
        for size in [4, 4096] {
            let cost = owned(&text, size);
            let share = cost.memory.bytes_max as f64 / text.len() as f64;
            println!(
                "| {} | {size} B | {:.2} | {} | {share:.2} × |",
                shape.name(),
                per_block(&cost),
                cost.memory.bytes_max
            );
        }
    }
}

fn per_block(cost: &Cost) -> f64 {
    cost.memory.count_total as f64 / cost.n_blocks.max(1) as f64
}
