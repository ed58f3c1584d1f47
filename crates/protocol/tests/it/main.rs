//! What the crate promises, as text in and text out.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first surprise")]

mod spec;
mod tools;
