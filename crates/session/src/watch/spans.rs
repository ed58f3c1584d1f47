//! Frames that cover several numbers: pieces of one text, joined for a reader.

use std::sync::Arc;

use tagline_protocol::Frame;

use super::wire::{Encoded, WireFrame, wire};
use crate::merge;

/// Most text of a joined frame, in bytes, unless one piece alone is longer.
const LONGEST: usize = 64 * 1024;

/// A frame and the first number that it covers.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) from: u64,
    pub(crate) frame: Frame,
}

/// Appends a frame, or lets it flow into the last one where both are pieces of one text.
pub(crate) fn push(spans: &mut Vec<Span>, next: &Frame) {
    let joined = spans.last_mut().is_some_and(|last| last.takes(next));
    if !joined {
        spans.push(Span { from: next.seq, frame: next.clone() });
    }
}

impl Span {
    fn takes(&mut self, next: &Frame) -> bool {
        let last = &mut self.frame;
        let is_next = last.seq + 1 == next.seq
            && (&last.run, last.turn, &last.call) == (&next.run, next.turn, &next.call);
        let length = |frame: &Frame| merge::piece(&frame.event).map_or(0, str::len);
        if !is_next || length(last) + length(next) > LONGEST {
            return false;
        }
        if !merge::join(&mut last.event, &next.event) {
            return false;
        }
        last.seq = next.seq;
        last.ts.clone_from(&next.ts);
        true
    }
}

/// Frames as they are sent: pieces of one text as one frame, everything else as it was written.
/// `after` is where the reader stands; what the journal has between it and the first frame and
/// cannot show is covered by that frame, and so on.
pub(crate) fn sent(after: u64, frames: &[Arc<Encoded>]) -> Vec<WireFrame> {
    let mut after = after;
    let mut sent = Vec::new();
    let mut rest = frames;
    while let [first, others @ ..] = rest {
        let mut span = Span { from: after + 1, frame: Frame::clone(&first.frame) };
        let is_piece = merge::piece(&first.frame.event).is_some();
        let n_joined = match is_piece {
            true => others.iter().take_while(|next| span.takes(&next.frame)).count(),
            false => 0,
        };
        let is_as_written = n_joined == 0 && first.wire.from == span.from;
        after = span.frame.seq;
        sent.push(if is_as_written { first.wire.clone() } else { wire(span.from, &span.frame) });
        rest = others.get(n_joined..).unwrap_or_default();
    }
    sent
}
