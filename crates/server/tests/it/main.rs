//! Everything the server promises, held against one that listens.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "tests stop at the first surprise, and say how much they tried"
)]

mod access;
mod bind;
mod cases;
mod codes;
mod cuts;
mod deaf;
mod files;
mod fuzz;
mod headers;
mod health;
mod hosts;
mod limits;
mod logs;
mod media;
mod origins;
mod page;
mod routes;
mod setup;
mod sse;
mod stage;
mod stops;
mod streams;
mod support;
mod tail;
mod undo;
