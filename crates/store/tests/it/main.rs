//! The journal's promises, each with the test that holds it.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]
#![expect(clippy::cognitive_complexity, reason = "a check is a row of assertions")]

mod conformance;
mod corruption;
mod cuts;
mod damage;
mod dense;
mod disk;
mod fork;
mod formats;
mod journal_cases;
mod kill;
mod leases;
mod memory;
mod opening;
mod postgres;
mod sessions;
mod support;
