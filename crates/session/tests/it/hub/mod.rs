//! Many sessions in one process.

mod approvals;
mod bench;
mod recovering;
mod sending;
mod stopping;
mod watching;
