//! The inside of a string, and what ends it.

use crate::{
    RepairKind,
    input::{Input, Peek},
};

use super::{
    super::json::{Piece, Token},
    Bracket, LONGEST, Lexer, State, Step,
    quote::{Look, Spot, Verdict},
    text::{Escape, Opening, Quote, escape, opening},
};

impl Lexer {
    pub(super) fn text<'i>(&mut self, quote: Quote, input: &Input<'i>) -> Step<'i> {
        let from = self.cursor;
        if self.clear_to <= from {
            self.clear_to = input.find2(quote.byte, b'\\', from).unwrap_or_else(|| input.end());
        }
        let brace = if quote.is_format { find_brace(from..self.clear_to, input) } else { None };
        let at = brace.unwrap_or(self.clear_to);
        if at > from {
            self.cursor = at;
            let run = input.slice(from..at);
            if !quote.is_triple {
                self.note_controls(from, run);
            }
            return self.piece(Piece::Text(run));
        }
        match input.byte(at) {
            None => Step::Wait,
            Some(b'\\') => self.backslash(quote, input),
            Some(byte) if byte == quote.byte => self.at_quote(quote, input),
            Some(byte) => self.brace(byte, input),
        }
    }

    fn note_controls(&mut self, from: usize, run: &str) {
        for (n, _) in run.bytes().enumerate().filter(|(_, byte)| *byte < 0x20) {
            self.repair(RepairKind::RawControl, from + n..from + n + 1);
        }
    }

    /// Hands out a piece of a string, or keeps it if the string is a key.
    pub(super) fn piece<'i>(&mut self, piece: Piece<'i>) -> Step<'i> {
        let Some(key) = &mut self.key else { return Step::Token(Token::Text(piece)) };
        piece.decoded(&mut |text| key.push_str(text));
        if key.len() > LONGEST { Step::Stuck } else { Step::Again }
    }

    pub(super) fn backslash<'i>(&mut self, quote: Quote, input: &Input<'i>) -> Step<'i> {
        let at = self.cursor;
        if quote.is_raw {
            return match input.peek(at + 1) {
                Peek::More => Step::Wait,
                Peek::Byte(byte) if byte == quote.byte || byte == b'\\' => {
                    self.cursor += 2;
                    self.piece(Piece::Text(input.slice(at..at + 2)))
                }
                Peek::Byte(_) | Peek::Over => {
                    self.cursor += 1;
                    self.piece(Piece::Plain('\\'))
                }
            };
        }
        match escape(at, input) {
            Escape::More => Step::Wait,
            Escape::Char(c, n) => {
                self.cursor += n;
                self.piece(Piece::Plain(c))
            }
            Escape::Nothing(n) => {
                self.cursor += n;
                Step::Again
            }
            broken @ (Escape::Broken | Escape::Literal) => {
                if broken == Escape::Broken {
                    self.repair(RepairKind::InvalidEscape, at..at + 1);
                }
                self.cursor += 1;
                self.piece(Piece::Plain('\\'))
            }
        }
    }

    /// A brace of a string with places for values: only a doubled one is text.
    pub(super) fn brace<'i>(&mut self, byte: u8, input: &Input<'i>) -> Step<'i> {
        match input.peek(self.cursor + 1) {
            Peek::More => Step::Wait,
            Peek::Byte(next) if next == byte => {
                self.cursor += 2;
                self.piece(Piece::Plain(char::from(byte)))
            }
            Peek::Byte(_) | Peek::Over => Step::Stuck,
        }
    }

    pub(super) fn at_quote<'i>(&mut self, quote: Quote, input: &Input<'i>) -> Step<'i> {
        let at = self.cursor;
        if !quote.is_triple {
            self.state = State::Quote(quote, Look::new(at, self.spot(), self.is_mended));
            return Step::Again;
        }
        match (input.peek(at + 1), input.peek(at + 2)) {
            (Peek::More, _) => Step::Wait,
            (Peek::Byte(next), Peek::More) if next == quote.byte => Step::Wait,
            (Peek::Byte(next), Peek::Byte(last)) if next == quote.byte && last == quote.byte => {
                self.cursor += 3;
                self.state = State::Joint;
                Step::Again
            }
            (Peek::Byte(_) | Peek::Over, _) => {
                self.cursor += 1;
                self.piece(Piece::Plain(char::from(quote.byte)))
            }
        }
    }

    pub(super) fn spot(&self) -> Spot {
        match self.open.last() {
            _ if self.key.is_some() => Spot::Key,
            Some(Bracket::Array | Bracket::Tuple { .. }) => Spot::Element,
            Some(Bracket::Object) => Spot::Member,
            Some(_) | None => Spot::Argument,
        }
    }

    pub(super) fn quote<'i>(
        &mut self,
        quote: Quote,
        mut look: Look,
        input: &Input<'i>,
    ) -> Step<'i> {
        match look.read(input) {
            Verdict::More => {
                self.state = State::Quote(quote, look);
                Step::Wait
            }
            Verdict::Ends => {
                self.cursor = look.at + 1;
                self.state = State::Joint;
                Step::Again
            }
            Verdict::Data => {
                self.repair(RepairKind::InnerQuote, look.at..look.at + 1);
                self.is_mended = true;
                self.cursor = look.at + 1;
                self.state = State::Text(quote);
                self.piece(Piece::Plain(char::from(quote.byte)))
            }
        }
    }

    /// Another string goes on where one ended.
    pub(super) fn joint<'i>(&mut self, input: &Input<'i>) -> Step<'i> {
        if self.gap(input) == Peek::More {
            return Step::Wait;
        }
        match opening(self.cursor, input) {
            Opening::More => Step::Wait,
            Opening::Text(quote, behind) => {
                self.open_text(quote, behind);
                Step::Again
            }
            Opening::Not => {
                let key = self.key.take();
                self.state = if key.is_some() { State::Colon } else { State::Behind };
                Step::Token(key.map_or(Token::TextEnd, Token::Key))
            }
        }
    }
}

/// The first brace of a range.
fn find_brace(range: core::ops::Range<usize>, input: &Input<'_>) -> Option<usize> {
    let from = range.start;
    input.slice(range).bytes().position(|byte| matches!(byte, b'{' | b'}')).map(|n| from + n)
}
