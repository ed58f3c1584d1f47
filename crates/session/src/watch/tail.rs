//! The last frames of a session, for readers that keep up.
//!
//! The store is the truth, and this is no more than a shortcut to its end: a frame is here only
//! after it is there. So a reader asks for what follows its position, and gets it from here, or is
//! told to look there, and no hand-over between the two can lose a frame or show one twice.
//!
//! Pure, so that every interleaving can be tried.

use std::{collections::VecDeque, sync::Arc};

use super::wire::Encoded;

/// Bounds of what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) frames: usize,
    pub(crate) bytes: usize,
}

/// A run of frames without a gap that ends at the head.
#[derive(Clone, Debug)]
pub(crate) struct Tail {
    bounds: Bounds,
    kept: VecDeque<Arc<Encoded>>,
    bytes: usize,
    /// The last number that is known to be in the store.
    head: u64,
    /// The last number that was let go for want of room.
    evicted: u64,
}

/// What follows a position.
#[derive(Debug)]
pub(crate) enum Next {
    /// Nothing so far.
    Nothing,
    /// These.
    Here(Vec<Arc<Encoded>>),
    /// The store has it. `is_evicted`: it was here, and had to go for want of room.
    Store {
        /// See above.
        is_evicted: bool,
    },
}

impl Tail {
    pub(crate) const fn new(bounds: Bounds) -> Self {
        Self { bounds, kept: VecDeque::new(), bytes: 0, head: 0, evicted: 0 }
    }

    pub(crate) const fn head(&self) -> u64 {
        self.head
    }

    /// The store holds everything up to `seq`.
    pub(crate) fn raise(&mut self, seq: u64) {
        if seq > self.head {
            // What lies between is not here, so what was before it is no tail any more.
            self.clear();
            self.head = seq;
        }
    }

    /// Takes a frame that is in the store. Two who append may come here in the other order than
    /// they came to the store; then the store is looked into for what was passed over.
    pub(crate) fn publish(&mut self, new: Arc<Encoded>) {
        let seq = new.wire.seq;
        if seq <= self.head {
            return;
        }
        if seq > self.head + 1 {
            self.clear();
        }
        self.head = seq;
        self.bytes += new.cost();
        self.kept.push_back(new);
        while self.kept.len() > self.bounds.frames || self.bytes > self.bounds.bytes {
            let Some(oldest) = self.kept.pop_front() else { return };
            self.bytes -= oldest.cost();
            self.evicted = oldest.wire.seq;
        }
    }

    /// What follows the position `after`, at most `limit` frames.
    pub(crate) fn next(&self, after: u64, limit: usize) -> Next {
        if after >= self.head {
            return Next::Nothing;
        }
        match self.kept.front() {
            Some(first) if first.wire.seq <= after + 1 => {
                let skip = after + 1 - first.wire.seq;
                let skip = usize::try_from(skip).unwrap_or(usize::MAX);
                Next::Here(self.kept.iter().skip(skip).take(limit).cloned().collect())
            }
            Some(_) | None => Next::Store { is_evicted: after < self.evicted },
        }
    }

    fn clear(&mut self) {
        self.kept.clear();
        self.bytes = 0;
    }
}
