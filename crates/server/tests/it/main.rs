//! Everything the server promises, held against one that listens.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests stop at the first surprise"
)]

mod access;
mod bind;
#[cfg(feature = "browser")]
mod browser;
mod codes;
mod files;
mod headers;
mod hosts;
mod limits;
mod origins;
mod routes;
mod sse;
mod stage;
mod stops;
mod streams;
mod support;
