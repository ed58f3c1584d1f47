//! Values that are no strings, and what stands between values.

use alloc::{borrow::Cow, string::String};

use crate::{
    RepairKind,
    chars::is_name_start,
    input::{Input, Peek},
};

use super::{
    super::json::{Kind, Token, Word},
    Bracket, LONGEST, Lexer, State, Step,
    text::{self, Opening, Quote, opening},
};

impl Lexer {
    pub(super) fn value<'i>(&mut self, byte: u8, input: &Input<'i>) -> Step<'i> {
        match opening(self.cursor, input) {
            Opening::More => return Step::Wait,
            Opening::Text(quote, behind) => {
                self.open_text(quote, behind);
                return Step::Token(Token::TextStart);
            }
            Opening::Not => {}
        }
        match byte {
            b'[' => self.push(Bracket::Array, State::Element(false)),
            b'{' => self.push(Bracket::Object, State::Key(false)),
            b'(' => {
                self.cursor += 1;
                self.state = State::Paren;
                Step::Again
            }
            _ if is_word(byte) => {
                self.state = State::Word(self.cursor);
                Step::Again
            }
            _ => Step::Stuck,
        }
    }

    /// Parentheses around one string stand for nothing; else they hold a list.
    pub(super) fn paren<'i>(&mut self, byte: u8, input: &Input<'i>) -> Step<'i> {
        match opening(self.cursor, input) {
            Opening::More => Step::Wait,
            Opening::Text(quote, behind) => {
                self.state = State::Ahead(behind, Some(quote));
                Step::Again
            }
            Opening::Not => self.open_tuple(byte == b')'),
        }
    }

    fn open_tuple<'i>(&mut self, has_comma: bool) -> Step<'i> {
        self.open.push(Bracket::Tuple { has_comma });
        self.state = State::Element(false);
        Step::Token(Token::Open(Kind::Array))
    }

    /// A comma behind the first string tells a list from one string.
    pub(super) fn ahead<'i>(
        &mut self,
        at: usize,
        quote: Option<Quote>,
        input: &Input<'i>,
    ) -> Step<'i> {
        if let Some(quote) = quote {
            let (at, is_behind) = text::pass(at, quote, input);
            self.state = State::Ahead(at, (!is_behind).then_some(quote));
            return match is_behind {
                _ if at - self.cursor > LONGEST => self.open_group(),
                true => Step::Again,
                false => Step::Wait,
            };
        }
        let at = input.skip_blanks(at);
        self.state = State::Ahead(at, None);
        match (input.peek(at), opening(at, input)) {
            _ if at - self.cursor > LONGEST => self.open_group(),
            (Peek::More, _) | (_, Opening::More) => Step::Wait,
            (Peek::Byte(b','), _) => self.open_tuple(false),
            (_, Opening::Text(quote, behind)) => {
                self.state = State::Ahead(behind, Some(quote));
                Step::Again
            }
            (Peek::Byte(_) | Peek::Over, Opening::Not) => self.open_group(),
        }
    }

    fn open_group<'i>(&mut self) -> Step<'i> {
        self.open.push(Bracket::Group);
        self.state = State::Value;
        Step::Again
    }

    pub(super) fn before_key<'i>(&mut self, byte: u8, input: &Input<'i>) -> Step<'i> {
        match opening(self.cursor, input) {
            Opening::More => return Step::Wait,
            Opening::Text(quote, behind) => self.open_text(quote, behind),
            Opening::Not if is_word(byte) => self.state = State::Word(self.cursor),
            Opening::Not => return Step::Stuck,
        }
        self.key = Some(String::new());
        Step::Again
    }

    pub(super) fn open_text(&mut self, quote: Quote, behind: usize) {
        self.cursor = behind;
        self.is_mended = false;
        self.clear_to = behind;
        self.state = State::Text(quote);
    }

    pub(super) fn push<'i>(&mut self, bracket: Bracket, state: State) -> Step<'i> {
        self.cursor += 1;
        self.open.push(bracket);
        self.state = state;
        match bracket.kind() {
            Some(kind) => Step::Token(Token::Open(kind)),
            None => Step::Again,
        }
    }

    pub(super) fn behind<'i>(&mut self, byte: u8) -> Step<'i> {
        if matches!(byte, b')' | b']' | b'}') {
            return self.close(byte);
        }
        let is_comma = byte == b',';
        self.state = match self.open.last_mut() {
            Some(Bracket::Arguments) if is_comma || is_name_start(byte) => State::Keyword,
            Some(Bracket::Array) if is_comma => State::Element(true),
            Some(Bracket::Tuple { has_comma }) if is_comma => {
                *has_comma = true;
                State::Element(true)
            }
            Some(Bracket::Object) if is_comma || matches!(byte, b'\'' | b'"') => State::Key(true),
            Some(_) | None => return Step::Stuck,
        };
        if is_comma {
            self.cursor += 1;
        } else {
            self.repair(RepairKind::MissingComma, self.cursor..self.cursor);
        }
        Step::Again
    }

    /// A closing bracket. One that fits something further out closes what is open in it.
    pub(super) fn close<'i>(&mut self, byte: u8) -> Step<'i> {
        let Some(&bracket) = self.open.last() else { return Step::Stuck };
        if bracket.closer() != Some(byte) {
            let is_open = self.open.iter().any(|it| it.closer() == Some(byte));
            return match if is_open { self.close_missing() } else { None } {
                Some(kind) => Step::Token(Token::Close(kind)),
                None => Step::Stuck,
            };
        }
        if bracket == (Bracket::Tuple { has_comma: false }) {
            return Step::Stuck;
        }
        self.cursor += 1;
        self.open.pop();
        self.state = match bracket {
            Bracket::Arguments => State::CallEnd,
            Bracket::List => State::Done,
            Bracket::Calls
            | Bracket::Print
            | Bracket::Call
            | Bracket::Group
            | Bracket::Array
            | Bracket::Tuple { .. }
            | Bracket::Object => State::Behind,
        };
        match bracket.kind() {
            Some(kind) => Step::Token(Token::Close(kind)),
            None => Step::Again,
        }
    }

    /// A number, a word for a literal, or a key.
    pub(super) fn word<'i>(&mut self, mut end: usize, input: &Input<'i>) -> Step<'i> {
        loop {
            match input.peek(end) {
                Peek::Byte(byte) if is_word(byte) && goes_on(self.cursor, end, byte, input) => {
                    end += 1;
                }
                // A word that the reply ends with may have gone on.
                Peek::More | Peek::Over if end - self.cursor < LONGEST => {
                    self.state = State::Word(end);
                    return Step::Wait;
                }
                Peek::Byte(_) | Peek::More | Peek::Over => break,
            }
        }
        let text = input.slice(self.cursor..end);
        let from = core::mem::replace(&mut self.cursor, end);
        if self.key.take().is_some() {
            if is_name_start(text.bytes().next().unwrap_or_default()) {
                self.repair(RepairKind::UnquotedName, from..end);
            }
            self.state = State::Colon;
            return Step::Token(Token::Key(text.into()));
        }
        self.state = State::Behind;
        match literal(text) {
            Some(Cow::Borrowed(text)) => Step::Token(Token::Word(Word::Json(text))),
            Some(Cow::Owned(text)) => Step::Token(Token::Number(text)),
            None => {
                (self.cursor, self.state) = (from, State::Value);
                Step::Stuck
            }
        }
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-')
}

/// Whether a byte goes on with the word before it: a sign does so only in an exponent.
fn goes_on(from: usize, at: usize, byte: u8, input: &Input<'_>) -> bool {
    if !matches!(byte, b'+' | b'-') {
        return true;
    }
    at == from || matches!(input.byte(at - 1), Some(b'e' | b'E'))
}

/// A literal as JSON writes it.
/// `[DP4]`
fn literal(text: &str) -> Option<Cow<'_, str>> {
    match text {
        "True" | "true" => Some(Cow::Borrowed("true")),
        "False" | "false" => Some(Cow::Borrowed("false")),
        "None" | "null" => Some(Cow::Borrowed("null")),
        _ => text::number(text),
    }
}
