//! Many sessions in one process.

mod approvals;
mod bench;
mod cancels;
mod elsewhere;
mod prefixes;
mod recovering;
mod sending;
mod stopping;
mod watching;
