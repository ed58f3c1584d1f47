//! The short way for short chunks: one that can only go on with what is being read is handed on at
//! once. Models send a few bytes at a time, so most chunks go this way.

use crate::{
    EventRef, Sink, ValueRef,
    block::Slot,
    machine::{Machine, State},
    soft,
    value::{Reader, Value},
};

/// The longest chunk that goes the short way.
const SHORT: usize = 32;

/// Most blanks that are held on the short way.
const MOST_HELD: usize = 64;

impl Machine {
    /// Hands on a chunk that holds nothing but more of what is being read; `held`, which stands at
    /// `base`, is what earlier chunks left in front of it. Tells how many bytes of both are done
    /// with; `None` where the chunk must be read in full.
    pub(crate) fn glide(
        &mut self,
        held: &str,
        base: usize,
        chunk: &str,
        sink: &mut dyn Sink,
    ) -> Option<usize> {
        if chunk.len() > SHORT || self.scan != base + held.len() {
            return None;
        }
        let is_text = matches!(self.state, State::Text) && held.is_empty();
        if is_text { self.glide_text(chunk, sink) } else { self.glide_value(held, chunk, sink) }
    }

    fn glide_text(&mut self, chunk: &str, sink: &mut dyn Sink) -> Option<usize> {
        let is_special = |byte| matches!(byte, b'<' | b'`' | b'\n' | b'[' | b']');
        let is_begun = !self.line.is_blank && !self.is_behind_call && !self.is_beginning;
        if !is_begun || chunk.bytes().any(is_special) {
            return None;
        }
        let from = self.done;
        (self.done, self.scan) = (from + chunk.len(), from + chunk.len());
        sink.take(EventRef::Text(chunk, from as u64..self.done as u64));
        self.set_before(chunk.chars().next_back());
        Some(chunk.len())
    }

    fn glide_value(&mut self, held: &str, chunk: &str, sink: &mut dyn Sink) -> Option<usize> {
        let (State::Value(value), Some(block)) = (&mut self.state, &mut self.block) else {
            return None;
        };
        let n = value.gliding(chunk).filter(|_| block.mention.is_none())?;
        let piece = chunk.get(..n)?;
        if n == 0 && held.len() + chunk.len() > MOST_HELD {
            return None;
        }
        self.scan += chunk.len();
        if n == 0 {
            value.soft.seen(value.released, self.scan);
            return Some(0);
        }
        value.released += held.len() + n;
        value.soft.seen(value.released, self.scan);
        value.has_break = value.has_break || held.contains('\n') || piece.contains('\n');
        value.break_from = value.break_from.max(value.released);
        self.done = value.released;
        let id = block.id;
        for text in [held, piece].into_iter().filter(|text| !text.is_empty()) {
            block.push(&value.slot, text, &self.limits, value.released);
            let value = match &value.slot {
                Slot::Body => ValueRef::Body,
                Slot::Child { name, n, .. } => ValueRef::Child(name, *n),
            };
            sink.take(EventRef::Delta { block: id, value, text });
        }
        self.set_before(piece.chars().next_back());
        Some(held.len() + n)
    }
}

impl Value {
    /// How much of a chunk is certain to be text of this value, if all of it is text.
    fn gliding(&self, chunk: &str) -> Option<usize> {
        let is_plain = self.is_stripped && self.scalar.is_none() && !self.is_json;
        let is_free = self.joins.is_empty() && matches!(self.reader, Reader::Text);
        if !is_plain || !is_free || self.skim.is_none() || !self.is_fresh() {
            return None;
        }
        let is_section = self.cdata.is_some();
        let is_mark = |byte| byte == b'<' || (byte == b']' && is_section);
        let n_soft = soft::count(chunk, is_section);
        (!chunk.bytes().any(is_mark)).then_some(chunk.len() - n_soft)
    }
}
