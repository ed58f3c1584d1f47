//! Everything the server promises, held against one that listens.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests stop at the first surprise"
)]

mod access;
mod bind;
mod codes;
mod headers;
mod hosts;
mod limits;
mod origins;
mod stops;
mod support;
