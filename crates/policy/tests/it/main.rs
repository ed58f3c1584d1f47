//! Tests of the policy.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests stop at the first surprise"
)]

mod commands;
mod explained;
mod limits;
mod modes;
mod options;
mod order;
mod padded;
mod paths;
mod programs;
mod random;
mod reference;
mod rules;
mod sandbox;
mod scopes;
mod shell_cases;
mod situation;
mod taint;
mod total;
mod traced;
