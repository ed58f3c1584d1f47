//! Tests of the policy.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests stop at the first surprise"
)]

mod commands;
mod modes;
mod order;
mod paths;
mod rules;
mod situation;
mod total;
