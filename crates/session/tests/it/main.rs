//! What always holds of a session: one journal, one end, nothing twice.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod bench;
mod files;
mod histories;
mod hub;
mod provider_cases;
mod turn_cases;
mod turns;
