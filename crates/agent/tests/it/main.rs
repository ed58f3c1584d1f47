//! What the crate gives for what it is given.
#![expect(
    clippy::unwrap_used,
    clippy::too_many_lines,
    reason = "tests stop at the first surprise, and show a whole text"
)]

mod prompt;
mod tools;
