//! Tests of the executor.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod registry;
mod tools;
