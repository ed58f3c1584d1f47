//! Reads the attributes of a start tag.
//!
//! A quote ends a value only before a blank, `/` or `>`, so that quotes inside a value do no harm.

use alloc::vec::Vec;
use core::{mem, ops::Range};

use crate::{
    Limits,
    chars::{is_name, is_name_start},
    input::{Input, Peek},
    tag::{Head, RawAttribute, Read, StartTag, ends_word},
};

/// Most attributes of one tag.
const MOST_ATTRIBUTES: usize = 256;

/// What is being read. Each variant carries only what it needs.
#[derive(Clone, Debug)]
enum Phase {
    /// Between attributes.
    Gap,
    /// Behind `/`.
    Slash,
    /// A word behind `=`, directly after the tag's name.
    Designator { from: usize },
    /// An attribute's name.
    Name { from: usize },
    /// Behind an attribute's name.
    AfterName { name: Range<usize> },
    /// Behind `=`.
    BeforeValue { name: Range<usize> },
    /// A value without quotes.
    Bare { name: Range<usize>, from: usize },
    /// A value in quotes.
    Quoted { name: Range<usize>, from: usize, quote: u8 },
}

/// Why a start tag is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Something stands there that no start tag has.
    Broken {
        /// Where.
        at: usize,
    },
    /// It is longer than the limit.
    TooLong {
        /// Where the limit is.
        at: usize,
    },
}

/// Reads from behind a name to `>`.
#[derive(Clone, Debug)]
pub(crate) struct StartReader {
    head: Head,
    cursor: usize,
    phase: Phase,
    designator: Option<Range<usize>>,
    attributes: Vec<RawAttribute>,
    longest: usize,
}

/// How one step went.
type Step = Option<Result<Read<StartTag>, Flaw>>;

impl StartReader {
    pub(crate) fn new(head: Head, limits: &Limits) -> Self {
        let cursor = head.name.end;
        let (phase, longest) = (Phase::Gap, limits.start_tag);
        Self { head, cursor, phase, designator: None, attributes: Vec::new(), longest }
    }

    /// Gathers attributes in this list, which is empty.
    pub(crate) fn listing(mut self, list: Vec<RawAttribute>) -> Self {
        self.attributes = list;
        self
    }

    pub(crate) const fn head(&self) -> &Head {
        &self.head
    }

    /// The last position that was looked at.
    pub(crate) const fn looked_at(&self) -> usize {
        self.cursor
    }

    /// Whether an attribute with a value has begun.
    pub(crate) fn is_in_attributes(&self) -> bool {
        let is_open = match self.phase {
            Phase::BeforeValue { .. } | Phase::Bare { .. } | Phase::Quoted { .. } => true,
            Phase::Gap
            | Phase::Slash
            | Phase::Designator { .. }
            | Phase::Name { .. }
            | Phase::AfterName { .. } => false,
        };
        is_open || self.attributes.iter().any(|it| !it.value.is_empty() || it.quote.is_some())
    }

    /// Reads on.
    ///
    /// # Errors
    ///
    /// [`Flaw`] where this cannot become a start tag.
    pub(crate) fn read(&mut self, input: &Input<'_>) -> Result<Read<StartTag>, Flaw> {
        loop {
            self.check()?;
            let byte = match input.peek(self.cursor) {
                Peek::Byte(byte) => byte,
                Peek::More => return Ok(Read::More),
                Peek::Over => return Ok(Read::Cut),
            };
            if let Some(read) = self.step(byte, input) {
                return read;
            }
        }
    }

    /// `[L1]`
    fn check(&self) -> Result<(), Flaw> {
        let is_short = self.cursor - self.head.at < self.longest;
        if is_short && self.attributes.len() <= MOST_ATTRIBUTES {
            return Ok(());
        }
        Err(Flaw::TooLong { at: self.head.at + self.longest })
    }

    fn step(&mut self, byte: u8, input: &Input<'_>) -> Step {
        match mem::replace(&mut self.phase, Phase::Gap) {
            Phase::Gap => self.gap(byte, input),
            Phase::Slash => self.slash(byte, input),
            Phase::Designator { from } => self.designator(from, byte),
            Phase::Name { from } => self.name(from, byte),
            Phase::AfterName { name } => self.after_name(name, byte, input),
            Phase::BeforeValue { name } => self.before_value(name, byte, input),
            Phase::Bare { name, from } => self.bare(name, from, byte, input),
            Phase::Quoted { name, from, quote } => self.quoted(name, from, quote, input),
        }
    }

    const fn broken(&self) -> Step {
        Some(Err(Flaw::Broken { at: self.cursor }))
    }

    fn done(&mut self, is_closed: bool) -> Step {
        Some(Ok(Read::Done(StartTag {
            head: self.head.clone(),
            designator: self.designator.take(),
            attributes: mem::take(&mut self.attributes),
            is_closed,
            is_broken: false,
            end: self.cursor + 1,
        })))
    }

    fn gap(&mut self, byte: u8, input: &Input<'_>) -> Step {
        match byte {
            b'>' => return self.done(false),
            b'/' => {
                self.phase = Phase::Slash;
                self.cursor += 1;
            }
            b'=' if self.cursor == self.head.name.end => {
                self.cursor += 1;
                self.phase = Phase::Designator { from: self.cursor };
            }
            _ if is_name_start(byte) && self.cursor > self.head.name.end => {
                self.attribute(input);
            }
            _ => match input.blank_at(self.cursor) {
                0 => return self.broken(),
                n => self.cursor += n,
            },
        }
        None
    }

    /// Reads an attribute at once, if it is in double quotes and all there; else its name.
    fn attribute(&mut self, input: &Input<'_>) {
        let from = self.cursor;
        let end = input.name_end(from, usize::MAX);
        self.cursor = end;
        self.phase = Phase::Name { from };
        if input.byte(end) != Some(b'=') || input.byte(end + 1) != Some(b'"') {
            return;
        }
        let value = end + 2;
        let Some(at) = input.find1(b'"', value) else { return };
        if matches!(input.byte(at + 1), Some(b' ' | b'>' | b'/' | b'\n')) {
            self.cursor = at + 1;
            self.phase = Phase::Gap;
            self.push(from..end, value..at, Some(b'"'));
        }
    }

    fn slash(&mut self, byte: u8, input: &Input<'_>) -> Step {
        match (byte, input.blank_at(self.cursor)) {
            (b'>', _) => self.done(true),
            (_, 0) => self.broken(),
            (_, n) => {
                self.phase = Phase::Slash;
                self.cursor += n;
                None
            }
        }
    }

    fn designator(&mut self, from: usize, byte: u8) -> Step {
        if byte == b'<' {
            return self.broken();
        }
        // A value stands directly behind the name.
        if byte == b'=' && self.cursor > from {
            self.designator = Some(from..self.cursor);
            let Some(Ok(Read::Done(tag))) = self.done(false) else { return self.broken() };
            return Some(Ok(Read::Done(StartTag { is_broken: true, ..tag })));
        }
        if ends_word(byte) {
            self.designator = Some(from..self.cursor);
        } else {
            self.phase = Phase::Designator { from };
            self.cursor += 1;
        }
        None
    }

    fn name(&mut self, from: usize, byte: u8) -> Step {
        if is_name(byte) {
            self.phase = Phase::Name { from };
            self.cursor += 1;
        } else {
            self.phase = Phase::AfterName { name: from..self.cursor };
        }
        None
    }

    // [A5]
    fn after_name(&mut self, name: Range<usize>, byte: u8, input: &Input<'_>) -> Step {
        if byte == b'=' {
            self.cursor += 1;
            self.phase = Phase::BeforeValue { name };
            return None;
        }
        match input.blank_at(self.cursor) {
            0 => self.push(name, 0..0, None),
            n => {
                self.cursor += n;
                self.phase = Phase::AfterName { name };
            }
        }
        None
    }

    fn before_value(&mut self, name: Range<usize>, byte: u8, input: &Input<'_>) -> Step {
        match byte {
            b'"' | b'\'' => {
                self.cursor += 1;
                self.phase = Phase::Quoted { name, from: self.cursor, quote: byte };
            }
            b'<' => return self.broken(),
            b'>' => self.push(name, self.cursor..self.cursor, None),
            _ => match input.blank_at(self.cursor) {
                0 => self.phase = Phase::Bare { name, from: self.cursor },
                n => {
                    self.cursor += n;
                    self.phase = Phase::BeforeValue { name };
                }
            },
        }
        None
    }

    // [A1]
    fn bare(&mut self, name: Range<usize>, from: usize, byte: u8, input: &Input<'_>) -> Step {
        let closes = match (byte, input.peek(self.cursor + 1)) {
            (b'/', Peek::More) => {
                self.phase = Phase::Bare { name, from };
                return Some(Ok(Read::More));
            }
            (b'/', next) => next == Peek::Byte(b'>'),
            _ => ends_word(byte),
        };
        match byte {
            b'<' => return self.broken(),
            _ if closes => self.push(name, from..self.cursor, None),
            _ => {
                self.phase = Phase::Bare { name, from };
                self.cursor += 1;
            }
        }
        None
    }

    // [A1] [A2] [A3]
    fn quoted(&mut self, name: Range<usize>, from: usize, quote: u8, input: &Input<'_>) -> Step {
        let Some(at) = input.find1(quote, self.cursor) else {
            self.cursor = input.end();
            self.phase = Phase::Quoted { name, from, quote };
            return None;
        };
        self.cursor = at;
        let ends = match input.peek(at + 1) {
            Peek::Byte(b'/' | b'>') => true,
            Peek::Byte(_) => input.blank_at(at + 1) > 0,
            Peek::More | Peek::Over => {
                self.phase = Phase::Quoted { name, from, quote };
                let read = if input.is_over() { Read::Cut } else { Read::More };
                return Some(self.check().map(|()| read));
            }
        };
        self.cursor = at + 1;
        if ends {
            self.push(name, from..at, Some(quote));
        } else {
            self.phase = Phase::Quoted { name, from, quote };
        }
        None
    }

    fn push(&mut self, name: Range<usize>, value: Range<usize>, quote: Option<u8>) {
        self.attributes.push(RawAttribute { name, value, quote });
    }
}
