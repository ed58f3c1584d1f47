//! What the crate gives for what it is given.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod prompt;
mod tools;
