//! The machine.

use alloc::vec::Vec;

use crate::{Event, Limits, TagSet};

/// How a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model stopped by itself, or at a stop sequence.
    Stop,
    /// The token limit was reached.
    Length,
    /// The connection was lost, or the turn was cancelled.
    Cut,
}

/// Reads one reply.
#[derive(Debug)]
pub struct Parser {
    events: Vec<Event>,
}

impl Parser {
    /// A parser for one reply.
    #[must_use]
    pub fn new(_tags: &TagSet, _limits: Limits) -> Self {
        Self { events: Vec::new() }
    }

    /// Takes the next piece of the reply, cut anywhere.
    pub fn feed(&mut self, _chunk: &str) {}

    /// Hands out what became certain.
    pub fn drain(&mut self) -> impl Iterator<Item = Event> + '_ {
        self.events.drain(..)
    }

    /// Says that the reply is over; what is still undecided is decided.
    pub fn flush(&mut self, _finish: Finish) {}
}
