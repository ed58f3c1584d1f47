//! Whether a quote ends a string. Models forget to escape quotes; what follows tells.

use crate::{
    chars::is_name_start,
    input::{Input, Peek},
};

use super::Kind;

/// Longest key that is looked for behind a comma.
const LONGEST_KEY: usize = 96;

/// How far a look goes; behind so many blanks, a quote is taken for the end.
const FARTHEST: usize = 4096;

/// Where a string stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    /// It is a key.
    Key,
    /// It is a value in this kind of bracket, so many brackets deep.
    In(Kind, usize),
}

/// A look behind a quote, which goes on where it stopped.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// The quote.
    pub(crate) at: usize,
    cursor: usize,
    stage: Stage,
}

#[derive(Clone, Debug)]
enum Stage {
    /// Directly behind the quote.
    Behind,
    /// Behind a comma.
    Comma,
    /// In what may be the next key.
    Key { from: usize, quote: Option<u8>, is_comma: bool },
    /// Behind what may be the next key.
    Colon { is_comma: bool },
    /// Behind a closing bracket.
    Closed,
    /// Behind a dash, which begins a key if another one follows.
    Dash,
}

/// What a quote turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The end of the string.
    Ends,
    /// The end, with a comma missing behind it.
    EndsWithoutComma,
    /// Text.
    Data,
    /// That is not known yet.
    More,
}

impl Look {
    pub(crate) const fn new(at: usize) -> Self {
        Self { at, cursor: at + 1, stage: Stage::Behind }
    }

    pub(crate) fn read(&mut self, spot: Spot, input: &Input<'_>) -> Verdict {
        loop {
            if !matches!(self.stage, Stage::Key { .. } | Stage::Dash) {
                self.cursor = skip_gap(self.cursor, input);
            }
            let byte = match input.peek(self.cursor) {
                _ if self.cursor - self.at > FARTHEST => return Verdict::Ends,
                _ if is_gap_open(self.cursor, input) => return Verdict::More,
                Peek::Byte(byte) => byte,
                Peek::More => return Verdict::More,
                Peek::Over => return self.over(),
            };
            if let Some(verdict) = self.step(byte, spot) {
                return verdict;
            }
        }
    }

    /// The reply ends behind the quote.
    const fn over(&self) -> Verdict {
        match self.stage {
            Stage::Behind | Stage::Comma | Stage::Closed => Verdict::Ends,
            Stage::Dash => Verdict::Data,
            Stage::Key { is_comma, .. } | Stage::Colon { is_comma } if is_comma => Verdict::Ends,
            Stage::Key { .. } | Stage::Colon { .. } => Verdict::Data,
        }
    }

    fn step(&mut self, byte: u8, spot: Spot) -> Option<Verdict> {
        match self.stage {
            Stage::Behind => self.behind(byte, spot),
            Stage::Comma => self.comma(byte, spot),
            Stage::Dash => Some(if byte == b'-' { Verdict::Ends } else { Verdict::Data }),
            Stage::Key { from, quote, is_comma } => self.key(byte, from, quote, is_comma),
            Stage::Colon { is_comma } => Some(match (byte, is_comma) {
                (b':' | b'=', true) => Verdict::Ends,
                (b':' | b'=', false) => Verdict::EndsWithoutComma,
                _ => Verdict::Data,
            }),
            Stage::Closed => {
                Some(if is_behind_bracket(byte) { Verdict::Ends } else { Verdict::Data })
            }
        }
    }

    fn behind(&mut self, byte: u8, spot: Spot) -> Option<Verdict> {
        let (kind, depth) = match spot {
            // `=` stands for a colon.
            Spot::Key if matches!(byte, b':' | b'=') => return Some(Verdict::Ends),
            Spot::Key => return Some(Verdict::Data),
            Spot::In(kind, depth) => (kind, depth),
        };
        match (byte, kind) {
            (b',', _) => self.stage = Stage::Comma,
            (b'}', _) | (b']', Kind::Array) if depth == 1 => return Some(Verdict::Ends),
            (b'}', _) | (b']', Kind::Array) => self.stage = Stage::Closed,
            (b'"' | b'\'', Kind::Object) => {
                let from = self.cursor + 1;
                self.stage = Stage::Key { from, quote: Some(byte), is_comma: false };
            }
            (b'-', Kind::Object) => self.stage = Stage::Dash,
            // A marker stands where brackets are missing.
            (b'<', _) => return Some(Verdict::Ends),
            _ => return Some(Verdict::Data),
        }
        self.cursor += 1;
        None
    }

    fn comma(&mut self, byte: u8, spot: Spot) -> Option<Verdict> {
        let is_array = matches!(spot, Spot::In(Kind::Array, _));
        match byte {
            b'}' | b']' | b'<' => Some(Verdict::Ends),
            _ if is_array => {
                let is_value = matches!(byte, b'"' | b'\'' | b'{' | b'[' | b'-' | b'0'..=b'9')
                    || byte.is_ascii_alphabetic();
                Some(if is_value { Verdict::Ends } else { Verdict::Data })
            }
            b'"' | b'\'' => {
                self.cursor += 1;
                self.stage = Stage::Key { from: self.cursor, quote: Some(byte), is_comma: true };
                None
            }
            _ if is_name_start(byte) => {
                self.stage = Stage::Key { from: self.cursor, quote: None, is_comma: true };
                None
            }
            _ => Some(Verdict::Data),
        }
    }

    fn key(&mut self, byte: u8, from: usize, quote: Option<u8>, is_comma: bool) -> Option<Verdict> {
        let ends = match quote {
            Some(quote) => byte == quote,
            // The opening quote of the key may be lost.
            None => !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'"')),
        };
        if ends {
            self.cursor += usize::from(quote.is_some());
            self.stage = Stage::Colon { is_comma };
            return None;
        }
        if byte == b'\n' || self.cursor - from > LONGEST_KEY {
            return Some(Verdict::Data);
        }
        // What a backslash stands before is no quote that ends the key.
        self.cursor += if byte == b'\\' && quote.is_some() { 2 } else { 1 };
        None
    }
}

/// Whether a byte may stand behind the bracket that a string ends before.
const fn is_behind_bracket(byte: u8) -> bool {
    matches!(byte, b'}' | b']' | b')' | b',' | b';' | b'<' | b'[' | b'`' | b'|')
}

/// Skips blanks, and line breaks that were escaped though they stand outside of a string.
pub(crate) fn skip_gap(from: usize, input: &Input<'_>) -> usize {
    let mut at = from;
    loop {
        at = input.skip_blanks(at);
        if !is_escaped_blank(at, input) {
            return at;
        }
        at += 2;
    }
}

/// Whether a line break or a tab that was escaped stands here.
pub(crate) fn is_escaped_blank(at: usize, input: &Input<'_>) -> bool {
    let pair = (input.byte(at), input.byte(at + 1));
    matches!(pair, (Some(b'\\'), Some(b'n' | b'r' | b't')))
}

/// Whether the chunk ends inside of what [`skip_gap`] may skip.
pub(crate) fn is_gap_open(at: usize, input: &Input<'_>) -> bool {
    match input.peek(at) {
        Peek::More => true,
        Peek::Byte(b'\\') => input.peek(at + 1) == Peek::More,
        // The no-break space has two bytes.
        Peek::Byte(0xc2) => input.peek(at + 1) == Peek::More,
        Peek::Byte(_) | Peek::Over => false,
    }
}
