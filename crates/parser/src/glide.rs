//! The short way for short chunks: one that can only go on with what is being read is handed on at
//! once. Models send a few bytes at a time, so most chunks go this way.

use crate::{
    EventRef, Sink, ValueRef,
    block::Slot,
    chars::fold,
    machine::{Machine, State},
    skim::Skim,
    soft,
    tag::HeadReader,
    value::{Reader, Value},
};

/// The longest chunk that goes the short way.
const SHORT: usize = 256;

/// How much of a longer chunk goes the short way, where something is held before it.
const START: usize = 32;

/// Most blanks that are held on the short way.
const MOST_HELD: usize = 64;

/// What a chunk may only go on with, as far as the state says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Gliding {
    /// It may be anything.
    #[default]
    No,
    /// Text outside of blocks.
    Text,
    /// A body, of which all was read.
    Body,
    /// A body, behind the beginning of a mark that may be only text.
    Mark,
}

impl Machine {
    /// What the next chunk may only go on with.
    pub(crate) fn gliding(&self, end: usize) -> Gliding {
        match (&self.state, &self.block) {
            (State::Text, _) if self.scan == end && self.done == end => {
                let is_begun = !self.line.is_blank
                    && !self.is_behind_call
                    && !self.is_behind_thought
                    && !self.is_beginning
                    && !self.is_routed;
                if is_begun { Gliding::Text } else { Gliding::No }
            }
            (State::Value(value), Some(block)) if block.mention.is_none() => match value.reader {
                Reader::Text if value.is_plain() && self.scan == end => Gliding::Body,
                Reader::Head(_) if value.is_plain() => Gliding::Mark,
                Reader::Text | Reader::Head(_) | Reader::Tag(..) => Gliding::No,
            },
            _ => Gliding::No,
        }
    }

    /// Hands on a chunk that holds nothing but more of what is being read; `held`, which stands at
    /// `base`, is what earlier chunks left in front of it. Tells how many bytes of both are done
    /// with, and what the next chunk may go on with; `None` where the chunk must be read in full.
    pub(crate) fn glide(
        &mut self,
        gliding: Gliding,
        (held, base): (&str, usize),
        chunk: &str,
        sink: &mut dyn Sink,
    ) -> Option<(usize, Gliding)> {
        match gliding {
            _ if chunk.len() > SHORT => None,
            Gliding::No => None,
            Gliding::Text => self.glide_text(chunk, sink),
            Gliding::Body => self.glide_body(held, chunk, sink),
            Gliding::Mark => {
                let mark = held.as_bytes().get(self.scan.checked_sub(base)?..)?;
                if self.goes_on(mark, chunk.as_bytes()) {
                    return Some((0, Gliding::Mark));
                }
                let State::Value(value) = &mut self.state else { return None };
                let is_dull = |skim: &Skim| skim.is_dull_across(mark, chunk.as_bytes());
                let is_dull = value.skim.as_ref().is_some_and(is_dull);
                if !is_dull || chunk.len() == soft::count(chunk, true) {
                    return None;
                }
                self.glide_body(held, chunk, sink)
            }
        }
    }

    /// Whether a chunk only goes on with the name of the open block in a mark, so that nothing more is
    /// known behind it.
    fn goes_on(&self, mark: &[u8], chunk: &[u8]) -> bool {
        let Some(block) = &self.block else { return false };
        let [b'<', begun @ ..] = mark else { return false };
        let begun = begun.strip_prefix(b"/").unwrap_or(begun);
        let name = self.names.text(block.target.own).as_bytes();
        let all = begun.iter().chain(chunk);
        begun.len() + chunk.len() <= name.len()
            && all.zip(name).all(|(byte, expected)| fold(*byte) == fold(*expected))
    }

    fn glide_text(&mut self, chunk: &str, sink: &mut dyn Sink) -> Option<(usize, Gliding)> {
        let is_special = |byte: u8| {
            let is_end = (byte == b'\n') | (byte == b'[') | (byte == b']');
            u8::from(is_end | (byte == b'<') | (byte == b'`'))
        };
        // Without a branch for each byte, so that many are looked at with one instruction.
        if chunk.bytes().fold(0, |any, byte| any | is_special(byte)) != 0 {
            return None;
        }
        let from = self.done;
        (self.done, self.scan) = (from + chunk.len(), from + chunk.len());
        sink.take(EventRef::Text(chunk, from as u64..self.done as u64));
        self.set_before(chunk.chars().next_back());
        Some((chunk.len(), Gliding::Text))
    }

    fn glide_body(
        &mut self,
        held: &str,
        chunk: &str,
        sink: &mut dyn Sink,
    ) -> Option<(usize, Gliding)> {
        let (State::Value(value), Some(block)) = (&mut self.state, &mut self.block) else {
            return None;
        };
        let (n, to) = value.passing(chunk)?;
        let is_whole = to == chunk.len();
        if n == 0 && (!is_whole || held.len() + chunk.len() > MOST_HELD) {
            return None;
        }
        self.scan = value.released + held.len() + to;
        if n == 0 {
            value.soft.seen(value.released, self.scan);
            return Some((0, Gliding::Body));
        }
        let (reader, next) = if is_whole {
            (Reader::Text, Gliding::Body)
        } else {
            (Reader::Head(HeadReader::new(self.scan, self.limits.name)), Gliding::Mark)
        };
        value.reader = reader;
        value.released += held.len() + n;
        value.soft.seen(value.released, self.scan);
        let piece = chunk.get(..n)?;
        value.has_break = value.has_break || held.contains('\n') || piece.contains('\n');
        value.break_from = value.break_from.max(value.released);
        self.done = value.released;
        let mut give = |text| {
            block.push(&Slot::Body, text, &self.limits, self.done);
            sink.take(EventRef::Delta { block: block.id, value: ValueRef::Body, text });
        };
        if !held.is_empty() {
            give(held);
        }
        give(piece);
        self.set_before(piece.chars().next_back());
        Some((held.len() + n, next))
    }
}

/// The start of a long chunk, up to a byte that no layout has.
pub(crate) fn start(chunk: &str) -> Option<&str> {
    if chunk.len() <= SHORT {
        return None;
    }
    let start = chunk.get(..START)?;
    let firm = start.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
    (!firm.is_empty()).then_some(firm)
}

impl Value {
    /// Whether only what it is skimmed for can matter in what follows, and what is certain goes out
    /// as it stands.
    fn is_plain(&self) -> bool {
        let is_plain = self.is_stripped && self.scalar.is_none() && !self.is_json;
        let is_free = self.joins.is_empty() && self.skim.is_some();
        is_plain && is_free && self.slot == Slot::Body && self.is_fresh()
    }

    /// How much of a chunk is certain to be text, and up to where it was seen to be text.
    fn passing(&self, chunk: &str) -> Option<(usize, usize)> {
        let to = self.skim.as_ref()?.passes(chunk.as_bytes())?;
        let text = chunk.get(..to)?;
        Some((to - soft::count(text, self.cdata.is_some()), to))
    }
}
