//! The journal's promises, each with the test that holds it.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod damage;
mod dense;
mod fork;
mod kill;
mod leases;
mod memory;
mod opening;
mod sessions;
mod support;
