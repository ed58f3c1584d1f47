//! Frames as lines of a terminal: the one renderer of `run`, `chat`, `demo`, `replay` and
//! `sessions show`.
//!
//! Pure: frames in, lines out. Lines are never taken back, so that a log, a pipe and a screen
//! reader read the same as a terminal; what changes in place is [`Printer::status`], one line that
//! a live terminal may draw below them.

mod calls;
mod clean;
mod flow;
mod layout;
mod notes;
mod printer;
mod purpose;
mod totals;
mod units;

pub(crate) use calls::Cards;
pub(crate) use clean::{clean, clean_lines};
pub(crate) use layout::head;
pub(crate) use printer::Printer;
pub(crate) use units::{count, time, tokens};

#[cfg(test)]
mod tests;
