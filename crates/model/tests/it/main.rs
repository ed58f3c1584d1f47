//! Tests of the model crate, in one binary.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first surprise")]

mod bodies;
mod cassettes;
mod connecting;
mod crowds;
mod cuts;
mod keys;
mod listing;
mod matrix;
mod matrix_cases;
mod played;
mod script;
mod sentences;
mod server;
mod streams;
mod waits;
