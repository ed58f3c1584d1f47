//! What always holds of a session: one journal, one end, nothing twice.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod bench;
mod files;
mod hub;
mod turns;
