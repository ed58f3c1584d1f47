//! Objects whose strings stand between tokens, as Gemma writes them: `{key:<|"|>text<|"|>,n:1}`.
//! Keys have no quotes and may hold blanks; ordinary quotes are read too.
//! `[DQ1]`

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use crate::{
    RepairKind,
    chars::trim,
    input::{Input, Peek},
    repair::MOST_REPAIRS,
};

use super::json::{
    Escape, HALF, Kind, Piece, Step as Read, Token, Word, escape, is_gap_open, is_number, skip_gap,
};

/// The tokens around strings. Nothing in such a string is an escape.
const QUOTES: [&str; 2] = ["<|\"|>", "<escape>"];

/// Longest key, and longest value without quotes.
const LONGEST: usize = 4096;

/// What is read next.
#[derive(Clone, Copy, Debug)]
enum State {
    /// A value.
    Value,
    /// An element, or the end of a list; and the comma before it.
    Element(Option<usize>),
    /// A key, or the end of an object; and the comma before it.
    Key(Option<usize>),
    Colon,
    /// The rest of something without quotes, from its end so far.
    Bare(usize),
    /// The inside of a string between tokens.
    Marked(&'static str),
    /// The inside of a string in ordinary quotes.
    Text(u8),
    /// What follows such a quote, from here.
    Quote(u8, usize),
    /// What follows a value.
    Behind,
    /// Nothing.
    Done,
}

/// How a step went.
enum Step<'i> {
    Token(Token<'i>),
    Again,
    Wait,
    Stuck,
}

/// What stands where a string may begin.
enum Opening {
    Marked(&'static str),
    Not,
    /// The chunk ends inside.
    More,
}

/// A reader of one object.
#[derive(Clone, Debug)]
pub(crate) struct Lexer {
    state: State,
    /// The next byte to look at.
    pub(crate) cursor: usize,
    /// Where the bracket, the string or the word began that was read last.
    pub(crate) start: usize,
    open: Vec<Kind>,
    /// The key that is read.
    key: Option<String>,
    /// What was mended since this was last emptied.
    pub(crate) repairs: Vec<(RepairKind, Range<usize>)>,
}

impl Lexer {
    /// A reader for the `{` at this position.
    pub(crate) const fn new(at: usize) -> Self {
        Self {
            state: State::Value,
            cursor: at,
            start: at,
            open: Vec::new(),
            key: None,
            repairs: Vec::new(),
        }
    }

    /// Whether whole values are all there is: only brackets are missing.
    pub(crate) const fn is_between(&self) -> bool {
        matches!(self.state, State::Behind | State::Done)
    }

    /// Closes what is open, one bracket a call; `None` where nothing is.
    /// `[DQ3]`
    pub(crate) fn close_missing(&mut self) -> Option<Kind> {
        let kind = self.open.pop()?;
        self.state = if self.open.is_empty() { State::Done } else { State::Behind };
        self.repair(RepairKind::MissingBracket, self.cursor..self.cursor);
        Some(kind)
    }

    fn repair(&mut self, kind: RepairKind, span: Range<usize>) {
        if self.repairs.len() < MOST_REPAIRS {
            self.repairs.push((kind, span));
        }
    }

    /// Reads the next token.
    pub(crate) fn next<'i>(&mut self, input: &Input<'i>) -> Read<'i> {
        loop {
            match self.step(input) {
                Step::Token(token) => return Read::Token(token),
                Step::Again => {}
                Step::Wait => return Read::Wait,
                Step::Stuck => return Read::Stuck,
            }
        }
    }

    fn step<'i>(&mut self, input: &Input<'i>) -> Step<'i> {
        match self.state {
            State::Bare(end) => self.bare(end, input),
            State::Marked(quote) => self.marked(quote, input),
            State::Text(quote) => self.text(quote, input),
            State::Quote(quote, from) => self.quote(quote, from, input),
            State::Done => Step::Stuck,
            state @ (State::Value
            | State::Element(_)
            | State::Key(_)
            | State::Colon
            | State::Behind) => {
                self.cursor = skip_gap(self.cursor, input);
                match input.peek(self.cursor) {
                    Peek::Byte(byte) if !is_gap_open(self.cursor, input) => {
                        self.token(state, byte, input)
                    }
                    Peek::Byte(_) | Peek::More | Peek::Over => Step::Wait,
                }
            }
        }
    }

    fn token<'i>(&mut self, state: State, byte: u8, input: &Input<'i>) -> Step<'i> {
        self.start = self.cursor;
        match (state, byte) {
            (State::Element(comma), b']') | (State::Key(comma), b'}') => {
                if let Some(at) = comma {
                    self.repair(RepairKind::TrailingComma, at..at + 1);
                }
                self.close(byte)
            }
            (State::Element(Some(_)), _) => {
                self.state = State::Element(None);
                Step::Token(Token::Comma)
            }
            (State::Key(Some(_)), _) => {
                self.state = State::Key(None);
                Step::Token(Token::Comma)
            }
            (State::Value | State::Element(_), b'{') => self.push(Kind::Object, State::Key(None)),
            (State::Value | State::Element(_), b'[') => {
                self.push(Kind::Array, State::Element(None))
            }
            (State::Value | State::Element(_), _) => self.open_text(byte, input),
            (State::Key(_), _) => {
                self.key = Some(String::new());
                self.open_text(byte, input)
            }
            (State::Colon, b':' | b'=') => {
                if byte == b'=' {
                    self.repair(RepairKind::WrongSeparator, self.cursor..self.cursor + 1);
                }
                self.cursor += 1;
                self.state = State::Value;
                Step::Token(Token::Colon)
            }
            (State::Behind, b'}' | b']') => self.close(byte),
            (State::Behind, _) => self.behind(byte, input),
            _ => Step::Stuck,
        }
    }

    fn push<'i>(&mut self, kind: Kind, state: State) -> Step<'i> {
        self.cursor += 1;
        self.open.push(kind);
        self.state = state;
        Step::Token(Token::Open(kind))
    }

    /// A closing bracket. One of the other kind closes what it stands in, if that is there.
    fn close<'i>(&mut self, byte: u8) -> Step<'i> {
        let kind = if byte == b'}' { Kind::Object } else { Kind::Array };
        if self.open.last() == Some(&kind) {
            self.cursor += 1;
            self.open.pop();
            self.state = if self.open.is_empty() { State::Done } else { State::Behind };
            return Step::Token(Token::Close(kind));
        }
        match if self.open.contains(&kind) { self.close_missing() } else { None } {
            Some(missing) => Step::Token(Token::Close(missing)),
            None => Step::Stuck,
        }
    }

    fn behind<'i>(&mut self, byte: u8, input: &Input<'i>) -> Step<'i> {
        let at = self.cursor;
        let is_object = self.open.last() == Some(&Kind::Object);
        if byte != b',' {
            let is_member = match opening(at, input) {
                Opening::More => return Step::Wait,
                Opening::Marked(_) => true,
                Opening::Not => crate::chars::is_name_start(byte),
            };
            if !is_member {
                return Step::Stuck;
            }
            self.repair(RepairKind::MissingComma, at..at);
        }
        self.cursor += usize::from(byte == b',');
        self.state = if is_object { State::Key(Some(at)) } else { State::Element(Some(at)) };
        Step::Again
    }

    /// A string, or something without quotes. A key keeps its text.
    /// `[DQ2]`
    fn open_text<'i>(&mut self, byte: u8, input: &Input<'i>) -> Step<'i> {
        let (state, n) = match opening(self.cursor, input) {
            Opening::More => return Step::Wait,
            Opening::Marked(quote) => (State::Marked(quote), quote.len()),
            Opening::Not => match byte {
                b'"' | b'\'' => (State::Text(byte), 1),
                b'<' | b',' | b':' | b'{' | b'}' | b'[' | b']' => return Step::Stuck,
                _ => {
                    self.state = State::Bare(self.cursor);
                    return Step::Again;
                }
            },
        };
        if byte == b'\'' {
            self.repair(RepairKind::SingleQuotes, self.cursor..self.cursor + 1);
        }
        self.cursor += n;
        self.state = state;
        if self.key.is_some() { Step::Again } else { Step::Token(Token::TextStart) }
    }

    /// A key up to its colon, or a value up to what separates values.
    fn bare<'i>(&mut self, mut end: usize, input: &Input<'i>) -> Step<'i> {
        let is_key = self.key.is_some();
        loop {
            match input.peek(end) {
                Peek::Byte(b',' | b'{' | b'}' | b'[' | b']' | b'<' | b'"' | b'\n') => break,
                Peek::Byte(b':' | b'=') if is_key => break,
                _ if end - self.cursor > LONGEST => return Step::Stuck,
                Peek::Byte(_) => end += 1,
                // A word that the reply ends with may have gone on.
                Peek::More | Peek::Over => {
                    self.state = State::Bare(end);
                    return Step::Wait;
                }
            }
        }
        let text = trim(input.slice(self.cursor..end));
        let from = core::mem::replace(&mut self.cursor, end);
        if self.key.take().is_some() {
            self.state = State::Colon;
            return Step::Token(Token::Key(text.into()));
        }
        self.state = State::Behind;
        let (word, repair) = match text {
            "true" | "false" | "null" => (Word::Json(text), None),
            "True" => (Word::Json("true"), Some(RepairKind::PythonLiteral)),
            "False" => (Word::Json("false"), Some(RepairKind::PythonLiteral)),
            "None" => (Word::Json("null"), Some(RepairKind::PythonLiteral)),
            _ if is_number(text) => (Word::Json(text), None),
            _ => (Word::Bare(text), Some(RepairKind::LostQuote)),
        };
        if let Some(kind) = repair {
            self.repair(kind, from..from + text.len());
        }
        Step::Token(Token::Word(word))
    }

    fn marked<'i>(&mut self, quote: &'static str, input: &Input<'i>) -> Step<'i> {
        let from = self.cursor;
        let at = input.find1(b'<', from).unwrap_or_else(|| input.end());
        if at > from {
            self.cursor = at;
            return self.piece(Piece::Text(input.slice(from..at)));
        }
        match input.has_word(quote, at) {
            None => Step::Wait,
            Some(true) => {
                self.cursor += quote.len();
                self.end_text()
            }
            Some(false) if at == input.end() => Step::Wait,
            Some(false) => {
                self.cursor += 1;
                self.piece(Piece::Text(input.slice(at..at + 1)))
            }
        }
    }

    fn text<'i>(&mut self, quote: u8, input: &Input<'i>) -> Step<'i> {
        let from = self.cursor;
        let at = input.find2(quote, b'\\', from).unwrap_or_else(|| input.end());
        if at > from {
            self.cursor = at;
            return self.piece(Piece::Text(input.slice(from..at)));
        }
        match input.byte(at) {
            None => Step::Wait,
            Some(b'\\') => match escape(at, input) {
                Escape::More => Step::Wait,
                Escape::Char(c, n) => {
                    self.cursor += n;
                    self.piece(Piece::Plain(c))
                }
                Escape::Half => {
                    self.repair(RepairKind::InvalidEscape, at..at + HALF);
                    self.cursor += HALF;
                    self.piece(Piece::Plain(char::REPLACEMENT_CHARACTER))
                }
                Escape::Literal { .. } => {
                    self.cursor += 1;
                    self.piece(Piece::Plain('\\'))
                }
            },
            Some(_) => {
                self.state = State::Quote(quote, at + 1);
                Step::Again
            }
        }
    }

    /// A quote ends a string where something follows that may.
    fn quote<'i>(&mut self, quote: u8, from: usize, input: &Input<'i>) -> Step<'i> {
        let behind = input.skip_blanks(from);
        let ends = match input.peek(behind) {
            _ if behind - self.cursor > LONGEST => true,
            Peek::More => {
                self.state = State::Quote(quote, behind);
                return Step::Wait;
            }
            Peek::Byte(byte) if self.key.is_some() => byte == b':',
            Peek::Byte(byte) => matches!(byte, b',' | b'}' | b']' | b'<'),
            Peek::Over => true,
        };
        let at = self.cursor;
        self.cursor += 1;
        if ends {
            return self.end_text();
        }
        self.repair(RepairKind::InnerQuote, at..at + 1);
        self.state = State::Text(quote);
        self.piece(Piece::Plain(char::from(quote)))
    }

    fn end_text<'i>(&mut self) -> Step<'i> {
        let key = self.key.take();
        self.state = if key.is_some() { State::Colon } else { State::Behind };
        Step::Token(key.map_or(Token::TextEnd, Token::Key))
    }

    /// Hands out a piece of a string, or keeps it if the string is a key.
    fn piece<'i>(&mut self, piece: Piece<'i>) -> Step<'i> {
        let Some(key) = &mut self.key else { return Step::Token(Token::Text(piece)) };
        piece.decoded(&mut |text| key.push_str(text));
        if key.len() > LONGEST { Step::Stuck } else { Step::Again }
    }
}

/// The token that opens a string.
fn opening(at: usize, input: &Input<'_>) -> Opening {
    let mut opening = Opening::Not;
    for quote in QUOTES {
        match input.has_word(quote, at) {
            Some(true) => return Opening::Marked(quote),
            Some(false) => {}
            None => opening = Opening::More,
        }
    }
    opening
}
