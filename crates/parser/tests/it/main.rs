//! Text in, events out: what holds for every reply, and what single replies give.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

#[path = "../../benches/shared/blocks.rs"]
mod blocks;
mod cases;
#[path = "../../benches/shared/counts.rs"]
mod counts;
mod dialects;
mod fields;
mod foreign;
mod found;
mod invariants;
mod json;
mod linear;
mod live;
mod memory;
mod prose;
mod raw_values;
mod reference;
mod replies;
mod round_trip;
#[path = "../../benches/shared/mod.rs"]
mod shared;
mod spec;
mod streaming;
mod support;
mod workloads;
