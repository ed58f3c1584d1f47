//! Many sessions in one process.

mod approvals;
mod bench;
mod cancels;
mod elsewhere;
mod forks;
mod modes;
mod prefixes;
mod recovering;
mod sending;
mod stopping;
mod watching;
