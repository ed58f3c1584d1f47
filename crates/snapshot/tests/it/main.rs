//! The undo store over real folders.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests stop at the first surprise"
)]

mod asides;
mod fixture;
mod keeping;
mod quota;
mod sequences;
mod undoing;
