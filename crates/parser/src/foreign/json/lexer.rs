//! Reads JSON token by token, and mends what can be mended on the spot.

use alloc::{string::String, vec::Vec};

use crate::{
    RepairKind,
    chars::{is_blank, is_name_start},
    input::{Input, Peek},
};

use super::{
    Kind, Piece, Token, Word,
    quote::{Look, Spot, Verdict, is_gap_open, skip_gap},
    text::{Escape, control, decoded, escape},
};

/// Longest key.
const LONGEST_KEY: usize = 4096;

/// How a step went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step<'i> {
    /// A token.
    Token(Token<'i>),
    /// The chunk is over, and perhaps the reply.
    Wait,
    /// What stands at the cursor is no JSON.
    Stuck,
}

/// What is read next.
#[derive(Clone, Debug)]
enum State {
    /// A value.
    Value,
    /// A key, or the end of an object.
    Key,
    /// The inside of a key.
    InKey {
        from: usize,
        quote: u8,
    },
    /// A quote that may end a key.
    KeyQuote {
        from: usize,
        look: Look,
        quote: u8,
    },
    /// A key without quotes.
    BareKey {
        from: usize,
    },
    /// A key behind two dashes, with its value directly behind it.
    DashKey {
        from: usize,
    },
    Colon,
    /// The inside of a string.
    Text {
        quote: u8,
        is_literal: bool,
    },
    /// A quote that may end a string.
    Quote {
        look: Look,
        quote: u8,
        is_literal: bool,
    },
    /// A value without quotes.
    Word {
        from: usize,
    },
    /// What follows a value.
    Behind,
    /// A comma was missing.
    MissingComma,
    /// The outermost bracket is closed.
    Done,
}

/// A reader of one object or array.
#[derive(Clone, Debug)]
pub(crate) struct Lexer {
    state: State,
    /// The next byte to look at.
    pub(crate) cursor: usize,
    /// The open brackets.
    open: Vec<Kind>,
    /// No quote and no backslash stands in the open string before this position.
    clear_to: usize,
    /// What was mended since this was last emptied.
    pub(crate) repairs: Vec<(RepairKind, core::ops::Range<usize>)>,
}

impl Lexer {
    /// A reader for the bracket at this position.
    pub(crate) const fn new(at: usize) -> Self {
        Self {
            state: State::Value,
            cursor: at,
            open: Vec::new(),
            clear_to: at,
            repairs: Vec::new(),
        }
    }

    /// How many brackets are open.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether the outermost bracket is closed.
    pub(crate) const fn is_done(&self) -> bool {
        matches!(self.state, State::Done)
    }

    /// What must stay in memory: nothing before this position is needed again.
    pub(crate) fn needs(&self) -> usize {
        match &self.state {
            State::InKey { from, .. } | State::KeyQuote { from, .. } => *from,
            State::BareKey { from } | State::DashKey { from } | State::Word { from } => *from,
            State::Quote { look, .. } => look.at,
            State::Value
            | State::Key
            | State::Colon
            | State::Text { .. }
            | State::Behind
            | State::MissingComma
            | State::Done => self.cursor,
        }
    }

    /// Whether whole values are all there is: only brackets are missing.
    pub(crate) const fn is_between(&self) -> bool {
        matches!(self.state, State::Behind | State::Key | State::Done)
    }

    /// Closes what is open, one bracket a call; `None` where nothing is.
    pub(crate) fn close_missing(&mut self) -> Option<Kind> {
        let kind = self.open.pop()?;
        self.state = if self.open.is_empty() { State::Done } else { State::Behind };
        self.repair(RepairKind::MissingBracket, self.cursor..self.cursor);
        Some(kind)
    }

    fn repair(&mut self, kind: RepairKind, span: core::ops::Range<usize>) {
        if self.repairs.len() < 64 {
            self.repairs.push((kind, span));
        }
    }

    fn spot(&self) -> Spot {
        Spot::In(self.open.last().copied().unwrap_or(Kind::Array), self.open.len())
    }

    /// Reads the next token.
    pub(crate) fn next<'i>(&mut self, input: &Input<'i>) -> Step<'i> {
        match core::mem::replace(&mut self.state, State::Behind) {
            State::Text { quote, is_literal } => self.text(quote, is_literal, input),
            State::Quote { look, quote, is_literal } => self.quote(look, quote, is_literal, input),
            State::InKey { from, quote } => self.in_key(from, quote, input),
            State::KeyQuote { from, look, quote } => self.key_quote(from, look, quote, input),
            State::BareKey { from } => self.bare_key(from, false, input),
            State::DashKey { from } => self.bare_key(from, true, input),
            State::Word { from } => self.word(from, input),
            State::MissingComma => {
                self.state = State::Key;
                self.repair(RepairKind::MissingComma, self.cursor..self.cursor);
                Step::Token(Token::Comma)
            }
            State::Done => {
                self.state = State::Done;
                Step::Stuck
            }
            state @ (State::Value | State::Key | State::Colon | State::Behind) => {
                self.between(state, input)
            }
        }
    }

    /// Reads between tokens.
    fn between<'i>(&mut self, state: State, input: &Input<'i>) -> Step<'i> {
        let blank = input.skip_blanks(self.cursor);
        if blank > self.cursor {
            let from = core::mem::replace(&mut self.cursor, blank);
            self.state = state;
            return Step::Token(Token::Blank(input.slice(from..blank)));
        }
        let gap = skip_gap(self.cursor, input);
        if gap > self.cursor {
            let from = core::mem::replace(&mut self.cursor, gap);
            self.repair(RepairKind::LiteralNewline, from..gap);
        }
        match input.peek(self.cursor) {
            Peek::Byte(byte) if !is_gap_open(self.cursor, input) => self.token(state, byte, input),
            Peek::Byte(_) | Peek::More | Peek::Over => {
                self.state = state;
                Step::Wait
            }
        }
    }

    fn token<'i>(&mut self, state: State, byte: u8, input: &Input<'i>) -> Step<'i> {
        match state {
            State::Key => self.key(byte, input),
            State::Colon => self.colon(byte, input),
            State::Behind => self.behind(byte, input),
            State::Value
            | State::InKey { .. }
            | State::KeyQuote { .. }
            | State::BareKey { .. }
            | State::DashKey { .. }
            | State::Text { .. }
            | State::Quote { .. }
            | State::Word { .. }
            | State::MissingComma
            | State::Done => self.value(byte, input),
        }
    }

    fn value<'i>(&mut self, byte: u8, input: &Input<'i>) -> Step<'i> {
        match byte {
            b'{' => self.push(Kind::Object, State::Key),
            b'[' => self.push(Kind::Array, State::Value),
            b'"' | b'\'' => {
                self.open_quote(byte);
                self.state = State::Text { quote: byte, is_literal: false };
                Step::Token(Token::TextStart)
            }
            b']' | b'}' => self.close(byte, true),
            b',' => self.excess_comma(input),
            _ if is_word(byte) => {
                self.state = State::Word { from: self.cursor };
                self.next(input)
            }
            _ => self.stuck(State::Value),
        }
    }

    fn key<'i>(&mut self, byte: u8, input: &Input<'i>) -> Step<'i> {
        let at = self.cursor;
        match byte {
            b'"' | b'\'' => {
                self.open_quote(byte);
                self.state = State::InKey { from: at + 1, quote: byte };
            }
            b']' | b'}' => return self.close(byte, true),
            b',' => return self.excess_comma(input),
            b'-' if input.peek(at + 1) == Peek::More => return self.wait(State::Key),
            b'-' if input.byte(at + 1) == Some(b'-') => {
                self.cursor += 2;
                self.state = State::DashKey { from: at + 2 };
            }
            _ if is_name_start(byte) => self.state = State::BareKey { from: at },
            _ => return self.stuck(State::Key),
        }
        self.next(input)
    }

    /// A colon, or the arrow that some models write for it.
    fn colon<'i>(&mut self, byte: u8, input: &Input<'i>) -> Step<'i> {
        let at = self.cursor;
        match byte {
            b':' => self.cursor += 1,
            b'=' if input.peek(at + 1) == Peek::More => return self.wait(State::Colon),
            b'=' if input.byte(at + 1) == Some(b'>') => {
                self.cursor += 2;
                self.repair(RepairKind::WrongWrapper, at..at + 2);
            }
            _ => return self.stuck(State::Colon),
        }
        self.state = State::Value;
        Step::Token(Token::Colon)
    }

    fn behind<'i>(&mut self, byte: u8, input: &Input<'i>) -> Step<'i> {
        match byte {
            b']' | b'}' => self.close(byte, false),
            b',' => {
                let at = self.cursor;
                self.cursor += 1;
                self.comma(at, input)
            }
            b'"' | b'\'' if self.is_object() => {
                self.state = State::MissingComma;
                self.next(input)
            }
            b'-' if self.is_object() => {
                self.state = State::Key;
                self.next(input)
            }
            _ => self.stuck(State::Behind),
        }
    }

    /// One comma too many.
    fn excess_comma<'i>(&mut self, input: &Input<'i>) -> Step<'i> {
        self.repair(RepairKind::TrailingComma, self.cursor..self.cursor + 1);
        self.cursor += 1;
        self.state = if self.is_object() { State::Key } else { State::Value };
        self.next(input)
    }

    const fn wait<'i>(&mut self, state: State) -> Step<'i> {
        self.state = state;
        Step::Wait
    }

    const fn stuck<'i>(&mut self, state: State) -> Step<'i> {
        self.state = state;
        Step::Stuck
    }

    fn open_quote(&mut self, quote: u8) {
        if quote == b'\'' {
            self.repair(RepairKind::SingleQuotes, self.cursor..self.cursor + 1);
        }
        self.cursor += 1;
    }

    /// A comma counts only if something follows.
    fn comma<'i>(&mut self, at: usize, input: &Input<'i>) -> Step<'i> {
        let next = skip_gap(self.cursor, input);
        if is_gap_open(next, input) {
            self.cursor = at;
            self.state = State::Behind;
            return Step::Wait;
        }
        match input.peek(next) {
            Peek::Byte(byte @ (b'}' | b']')) => {
                self.repair(RepairKind::TrailingComma, at..at + 1);
                self.cursor = next;
                self.close(byte, false)
            }
            Peek::Byte(_) | Peek::More | Peek::Over => {
                self.state = if self.is_object() { State::Key } else { State::Value };
                Step::Token(Token::Comma)
            }
        }
    }

    fn is_object(&self) -> bool {
        self.open.last() == Some(&Kind::Object)
    }

    fn push<'i>(&mut self, kind: Kind, state: State) -> Step<'i> {
        self.cursor += 1;
        self.open.push(kind);
        self.state = state;
        Step::Token(Token::Open(kind))
    }

    /// A closing bracket. One of the other kind closes what it stands in, if that is there.
    fn close<'i>(&mut self, byte: u8, is_early: bool) -> Step<'i> {
        let kind = if byte == b'}' { Kind::Object } else { Kind::Array };
        if self.open.last() != Some(&kind) {
            if !self.open.contains(&kind) {
                self.state = if is_early { State::Value } else { State::Behind };
                return Step::Stuck;
            }
            return match self.close_missing() {
                Some(missing) => Step::Token(Token::Close(missing)),
                None => Step::Stuck,
            };
        }
        self.cursor += 1;
        self.open.pop();
        self.state = if self.open.is_empty() { State::Done } else { State::Behind };
        Step::Token(Token::Close(kind))
    }

    fn in_key<'i>(&mut self, from: usize, quote: u8, input: &Input<'i>) -> Step<'i> {
        loop {
            let Some(at) = input.find2(quote, b'\\', self.cursor) else {
                self.cursor = input.end();
                self.state = State::InKey { from, quote };
                return self.wait_in_key(from);
            };
            if input.byte(at) == Some(quote) {
                self.cursor = at;
                self.state = State::KeyQuote { from, look: Look::new(at), quote };
                return self.next(input);
            }
            if input.peek(at + 1) == Peek::More {
                self.cursor = at;
                self.state = State::InKey { from, quote };
                return Step::Wait;
            }
            self.cursor = at + 2;
        }
    }

    const fn wait_in_key<'i>(&self, from: usize) -> Step<'i> {
        if self.cursor - from > LONGEST_KEY { Step::Stuck } else { Step::Wait }
    }

    fn key_quote<'i>(
        &mut self,
        from: usize,
        mut look: Look,
        quote: u8,
        input: &Input<'i>,
    ) -> Step<'i> {
        match look.read(Spot::Key, input) {
            Verdict::More => {
                self.state = State::KeyQuote { from, look, quote };
                Step::Wait
            }
            Verdict::Ends | Verdict::EndsWithoutComma => {
                self.cursor = look.at + 1;
                self.state = State::Colon;
                Step::Token(Token::Key(decoded(from, look.at, input)))
            }
            Verdict::Data if look.at - from > LONGEST_KEY => Step::Stuck,
            Verdict::Data => {
                self.cursor = look.at + 1;
                self.state = State::InKey { from, quote };
                self.next(input)
            }
        }
    }

    /// A key without quotes, or with the closing one alone.
    fn bare_key<'i>(&mut self, from: usize, is_dashed: bool, input: &Input<'i>) -> Step<'i> {
        loop {
            match input.peek(self.cursor) {
                Peek::Byte(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') => {
                    self.cursor += 1;
                }
                Peek::More => {
                    self.state =
                        if is_dashed { State::DashKey { from } } else { State::BareKey { from } };
                    return self.wait_in_key(from);
                }
                Peek::Byte(_) | Peek::Over => break,
            }
        }
        if is_dashed {
            self.state = State::Value;
            return Step::Token(Token::Key(input.slice(from..self.cursor).into()));
        }
        let key = String::from(input.slice(from..self.cursor));
        let is_half = input.byte(self.cursor) == Some(b'"');
        self.cursor += usize::from(is_half);
        let kind = if is_half { RepairKind::LostQuote } else { RepairKind::UnquotedName };
        self.repair(kind, from..self.cursor);
        self.state = State::Colon;
        Step::Token(Token::Key(key))
    }

    // [DJ5]
    fn text<'i>(&mut self, quote: u8, is_literal: bool, input: &Input<'i>) -> Step<'i> {
        let from = self.cursor;
        if self.clear_to <= from {
            self.clear_to = input.find2(quote, b'\\', from).unwrap_or_else(|| input.end());
        }
        let found = self.clear_to;
        let at = special(from..found, quote, input).unwrap_or(found);
        self.state = State::Text { quote, is_literal };
        if at > from {
            self.cursor = at;
            return Step::Token(Token::Text(Piece::Run(input.slice(from..at))));
        }
        match input.byte(at) {
            None => Step::Wait,
            Some(b'\\') => self.backslash(quote, is_literal, input),
            Some(byte) if byte == quote => {
                self.state = State::Quote { look: Look::new(at), quote, is_literal };
                self.next(input)
            }
            Some(b'"') => self.piece('"', "\\\""),
            Some(byte) => {
                self.repair(RepairKind::RawControl, at..at + 1);
                self.piece(char::from(byte), control(char::from(byte)))
            }
        }
    }

    fn piece<'i>(&mut self, c: char, source: &'i str) -> Step<'i> {
        self.cursor += c.len_utf8();
        Step::Token(Token::Text(Piece::Char(c, source)))
    }

    fn backslash<'i>(&mut self, quote: u8, is_literal: bool, input: &Input<'i>) -> Step<'i> {
        let at = self.cursor;
        if input.byte(at + 1) == Some(quote) && quote != b'"' {
            self.cursor += 2;
            return Step::Token(Token::Text(Piece::Char(char::from(quote), "'")));
        }
        match escape(at, input) {
            Escape::More => Step::Wait,
            Escape::Char(c, n) if !is_literal || matches!(c, '"' | '\\') => {
                self.cursor += n;
                Step::Token(Token::Text(Piece::Char(c, input.slice(at..at + n))))
            }
            Escape::Char(..) => self.piece('\\', "\\\\"),
            Escape::Literal { is_letter } => {
                self.repair(RepairKind::InvalidEscape, at..at + 1);
                self.state = State::Text { quote, is_literal: is_literal || is_letter };
                self.piece('\\', "\\\\")
            }
        }
    }

    fn quote<'i>(
        &mut self,
        mut look: Look,
        quote: u8,
        is_literal: bool,
        input: &Input<'i>,
    ) -> Step<'i> {
        match look.read(self.spot(), input) {
            Verdict::More => {
                self.state = State::Quote { look, quote, is_literal };
                Step::Wait
            }
            verdict @ (Verdict::Ends | Verdict::EndsWithoutComma) => {
                self.cursor = look.at + 1;
                self.state =
                    if verdict == Verdict::Ends { State::Behind } else { State::MissingComma };
                Step::Token(Token::TextEnd)
            }
            Verdict::Data => {
                self.repair(RepairKind::InnerQuote, look.at..look.at + 1);
                self.state = State::Text { quote, is_literal };
                self.piece(char::from(quote), if quote == b'"' { "\\\"" } else { "'" })
            }
        }
    }

    fn word<'i>(&mut self, from: usize, input: &Input<'i>) -> Step<'i> {
        loop {
            match input.peek(self.cursor) {
                Peek::Byte(byte) if is_word(byte) => self.cursor += 1,
                Peek::Byte(_) | Peek::Over => break,
                Peek::More if self.cursor - from > LONGEST_KEY => break,
                Peek::More => {
                    self.state = State::Word { from };
                    return Step::Wait;
                }
            }
        }
        let text = input.slice(from..self.cursor);
        let (word, repair) = match text {
            "True" => (Word::Json("true"), Some(RepairKind::PythonLiteral)),
            "False" => (Word::Json("false"), Some(RepairKind::PythonLiteral)),
            "None" => (Word::Json("null"), Some(RepairKind::PythonLiteral)),
            "true" | "false" | "null" => (Word::Json(text), None),
            _ if is_number(text) => (Word::Json(text), None),
            _ => (Word::Bare(text), Some(RepairKind::UnquotedName)),
        };
        if let Some(kind) = repair {
            self.repair(kind, from..self.cursor);
        }
        Step::Token(Token::Word(word))
    }
}

/// The first byte of a range that must be escaped and is not: a control character, or a double
/// quote in a string of single quotes.
fn special(range: core::ops::Range<usize>, quote: u8, input: &Input<'_>) -> Option<usize> {
    let from = range.start;
    let text = input.slice(range);
    let is_special = |byte: u8| byte < 0x20 || (byte == b'"' && quote != b'"');
    text.bytes().position(is_special).map(|n| from + n)
}

const fn is_word(byte: u8) -> bool {
    !is_blank(byte)
        && (byte.is_ascii_alphanumeric()
            || matches!(byte, b'+' | b'-' | b'.' | b'_' | b'/' | b'$' | b'@' | b'%' | b'*' | b'~')
            || byte >= 0x80)
}

/// Whether a text is a number (RFC 8259, section 6).
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let is_whole = is_digits(whole) && (whole.len() == 1 || !whole.starts_with('0'));
    let unsigned = exponent.map(|it| it.strip_prefix(['+', '-']).unwrap_or(it));
    is_whole && fraction.is_none_or(is_digits) && unsigned.is_none_or(is_digits)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
