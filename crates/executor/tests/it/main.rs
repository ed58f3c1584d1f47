//! Tests of the executor.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod bench;
mod deciding;
mod editing;
mod keeping;
mod registry;
mod running;
mod tools;
