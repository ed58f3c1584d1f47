//! Whether a quote ends a string in Python. What follows it tells, since models forget to escape
//! quotes: where Python could not go on, the quote is text.
//! `[DP9]`

use crate::{
    chars::is_name_start,
    input::{Input, Peek},
};

/// Longest name that is looked for behind a comma.
const LONGEST_NAME: usize = 96;

/// How far is looked behind a quote.
const LONGEST: usize = 4096;

/// Words that may follow a string in Python. What they make is no literal.
const OPERATORS: [&str; 8] = ["if", "for", "in", "is", "and", "or", "not", "else"];

/// Where a string stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// It is a key of a dictionary.
    Key,
    /// It is an argument.
    Argument,
    /// It stands in a list.
    Element,
    /// It is a value of a dictionary.
    Member,
}

/// A look behind a quote, which goes on where it stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// The quote.
    pub(super) at: usize,
    cursor: usize,
    stage: Stage,
    spot: Spot,
    /// Whether an earlier quote of this string was text, so that more is asked of the last one.
    is_strict: bool,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Directly behind the quote.
    Behind,
    /// Behind blanks in the same line.
    Gap,
    /// In a word behind them.
    Word(usize),
    /// Behind a comma.
    Comma,
    /// In what may be the name of the next argument.
    Name(usize),
    /// Behind it.
    Equals,
    /// Behind `)`.
    Closed,
}

/// What a quote turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The end of the string.
    Ends,
    /// Text.
    Data,
    /// That is not known yet.
    More,
}

impl Look {
    pub(super) const fn new(at: usize, spot: Spot, is_strict: bool) -> Self {
        Self { at, cursor: at + 1, stage: Stage::Behind, spot, is_strict }
    }

    pub(super) fn read(&mut self, input: &Input<'_>) -> Verdict {
        loop {
            self.cursor = match self.stage {
                Stage::Gap | Stage::Closed => input.skip_blanks_of_line(self.cursor),
                Stage::Comma | Stage::Equals => input.skip_blanks(self.cursor),
                Stage::Behind if self.is_strict => input.skip_blanks(self.cursor),
                Stage::Behind | Stage::Word(_) | Stage::Name(_) => self.cursor,
            };
            if self.cursor - self.at > LONGEST {
                return Verdict::Ends;
            }
            let byte = match input.peek(self.cursor) {
                Peek::Byte(byte) => byte,
                Peek::More => return Verdict::More,
                Peek::Over => return Verdict::Ends,
            };
            if let Some(verdict) = self.step(byte, input) {
                return verdict;
            }
        }
    }

    fn step(&mut self, byte: u8, input: &Input<'_>) -> Option<Verdict> {
        match self.stage {
            Stage::Behind if is_word(byte) => Some(Verdict::Data),
            Stage::Behind if matches!(byte, b' ' | b'\t') => {
                self.stage = Stage::Gap;
                None
            }
            Stage::Gap if is_word(byte) => {
                self.stage = Stage::Word(self.cursor);
                None
            }
            Stage::Behind | Stage::Gap => self.punctuation(byte),
            Stage::Word(from) => self.word(from, byte, input),
            Stage::Comma => self.comma(byte),
            Stage::Name(from) => self.name(from, byte),
            Stage::Equals => Some(data_unless(byte == b'=' || (byte == b':' && !self.is_strict))),
            Stage::Closed => {
                let is_end = matches!(byte, b'\n' | b',' | b']' | b')' | b';' | b'<' | b'#' | b'`');
                Some(data_unless(is_end))
            }
        }
    }

    fn punctuation(&mut self, byte: u8) -> Option<Verdict> {
        if byte == b',' {
            self.stage = Stage::Comma;
            self.cursor += 1;
            return None;
        }
        if !self.is_strict || byte == b'<' {
            return Some(Verdict::Ends);
        }
        let is_end = match self.spot {
            Spot::Key => byte == b':',
            Spot::Element => byte == b']',
            Spot::Member => byte == b'}',
            Spot::Argument if byte == b')' => {
                self.stage = Stage::Closed;
                self.cursor += 1;
                return None;
            }
            Spot::Argument => false,
        };
        Some(data_unless(is_end))
    }

    fn word(&mut self, from: usize, byte: u8, input: &Input<'_>) -> Option<Verdict> {
        if is_word(byte) {
            self.cursor += 1;
            return (self.cursor - from > LONGEST_NAME).then_some(Verdict::Data);
        }
        if self.spot == Spot::Argument {
            self.stage = Stage::Equals;
        }
        if OPERATORS.contains(&input.slice(from..self.cursor)) {
            return Some(Verdict::Ends);
        }
        (self.spot != Spot::Argument).then_some(Verdict::Data)
    }

    fn comma(&mut self, byte: u8) -> Option<Verdict> {
        let is_end = match self.spot {
            Spot::Argument if is_name_start(byte) => {
                self.stage = Stage::Name(self.cursor);
                return None;
            }
            Spot::Argument => byte == b')',
            Spot::Element => {
                matches!(byte, b']' | b'"' | b'\'' | b'{' | b'[' | b'(' | b'-')
                    || byte.is_ascii_alphanumeric()
            }
            Spot::Member => matches!(byte, b'}' | b'"' | b'\''),
            Spot::Key => false,
        };
        Some(data_unless(is_end || !self.is_strict))
    }

    fn name(&mut self, from: usize, byte: u8) -> Option<Verdict> {
        if !is_word(byte) {
            self.stage = Stage::Equals;
            return None;
        }
        self.cursor += 1;
        (self.cursor - from > LONGEST_NAME).then_some(Verdict::Data)
    }
}

const fn data_unless(is_end: bool) -> Verdict {
    if is_end { Verdict::Ends } else { Verdict::Data }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
