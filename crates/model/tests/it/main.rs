//! Tests of the model crate, in one binary.

#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod script;
