//! Reads JSON token by token, and mends what can be mended on the spot.

use alloc::vec::Vec;

use crate::{
    RepairKind,
    chars::is_name_start,
    input::{Input, Peek},
    repair::MOST_REPAIRS,
};

use super::{
    super::call::Flaw,
    Kind, Token,
    quote::{Look, Spot, is_escaped_blank, is_gap_open, skip_gap},
    strings::is_word,
};

/// How far the end of an object is looked for behind a comma.
const FARTHEST: usize = 4096;

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
pub(super) enum State {
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
    /// A colon was missing.
    MissingColon,
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
    /// What follows the comma at this position, looked at up to the other.
    Comma {
        at: usize,
        cursor: usize,
    },
    /// A comma was missing.
    MissingComma,
    /// The outermost bracket is closed.
    Done,
}

/// A reader of one object or array.
#[derive(Clone, Debug)]
pub(crate) struct Lexer {
    pub(super) state: State,
    /// The next byte to look at.
    pub(crate) cursor: usize,
    /// Where the bracket, the string or the word began that was read last.
    pub(crate) start: usize,
    /// The open brackets.
    open: Vec<Kind>,
    /// No quote and no backslash stands in the open string before this position.
    pub(super) clear_to: usize,
    /// What was mended since this was last emptied.
    pub(crate) repairs: Vec<(RepairKind, core::ops::Range<usize>)>,
}

impl Lexer {
    /// A reader for the bracket at this position.
    pub(crate) const fn new(at: usize) -> Self {
        Self {
            state: State::Value,
            cursor: at,
            start: at,
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
            State::Comma { at, .. } => *at,
            State::Value
            | State::Key
            | State::Colon
            | State::Text { .. }
            | State::Behind
            | State::MissingColon
            | State::MissingComma
            | State::Done => self.cursor,
        }
    }

    /// Whether whole values are all there is: only brackets are missing.
    pub(crate) const fn is_between(&self) -> bool {
        matches!(self.state, State::Behind | State::Comma { .. } | State::Key | State::Done)
    }

    /// What is wrong where nothing can be read: a value is missing, or something else.
    pub(crate) fn flaw(&self) -> Flaw {
        let is_valueless = matches!(self.state, State::Value) && self.is_object();
        if is_valueless { Flaw::Arguments } else { Flaw::Shape }
    }

    /// Closes what is open, one bracket a call; `None` where nothing is.
    pub(crate) fn close_missing(&mut self) -> Option<Kind> {
        let kind = self.open.pop()?;
        self.state = if self.open.is_empty() { State::Done } else { State::Behind };
        self.repair(RepairKind::MissingBracket, self.cursor..self.cursor);
        Some(kind)
    }

    pub(super) fn repair(&mut self, kind: RepairKind, span: core::ops::Range<usize>) {
        if self.repairs.len() < MOST_REPAIRS {
            self.repairs.push((kind, span));
        }
    }

    pub(super) fn spot(&self) -> Spot {
        Spot::In(self.open.last().copied().unwrap_or(Kind::Array), self.open.len())
    }

    /// Reads the next token.
    pub(crate) fn next<'i>(&mut self, input: &Input<'i>) -> Step<'i> {
        loop {
            if let Some(step) = self.step(input) {
                return step;
            }
        }
    }

    /// Reads on; `None`: there is more to read at once.
    fn step<'i>(&mut self, input: &Input<'i>) -> Option<Step<'i>> {
        match core::mem::replace(&mut self.state, State::Behind) {
            State::Text { quote, is_literal } => self.text(quote, is_literal, input),
            State::Quote { look, quote, is_literal } => self.quote(look, quote, is_literal, input),
            State::InKey { from, quote } => self.in_key(from, quote, input),
            State::KeyQuote { from, look, quote } => self.key_quote(from, look, quote, input),
            State::BareKey { from } => self.bare_key(from, false, input),
            State::DashKey { from } => self.bare_key(from, true, input),
            State::Word { from } => self.word(from, input),
            State::Comma { at, cursor } => self.comma(at, cursor, input),
            State::MissingColon => {
                self.state = State::Value;
                Some(Step::Token(Token::Colon))
            }
            State::MissingComma => {
                self.state = State::Key;
                self.repair(RepairKind::MissingComma, self.cursor..self.cursor);
                Some(Step::Token(Token::Comma))
            }
            State::Done => {
                self.state = State::Done;
                Some(Step::Stuck)
            }
            state @ (State::Value | State::Key | State::Colon | State::Behind) => {
                self.between(state, input)
            }
        }
    }

    /// Reads between tokens.
    fn between<'i>(&mut self, state: State, input: &Input<'i>) -> Option<Step<'i>> {
        let end = input.skip_blanks(self.cursor);
        if end > self.cursor {
            self.state = state;
            return Some(Step::Token(Token::Blank(self.blank(end, input))));
        }
        if is_escaped_blank(self.cursor, input) {
            let from = self.cursor;
            self.cursor += 2;
            self.repair(RepairKind::LiteralNewline, from..self.cursor);
            self.state = state;
            return None;
        }
        match input.peek(self.cursor) {
            Peek::Byte(byte) if !is_gap_open(self.cursor, input) => self.token(state, byte, input),
            Peek::Byte(_) | Peek::More | Peek::Over => {
                self.state = state;
                Some(Step::Wait)
            }
        }
    }

    /// Blanks up to there, as JSON writes them; one that JSON does not know comes alone.
    /// `[DR21]`
    fn blank<'i>(&mut self, end: usize, input: &Input<'i>) -> &'i str {
        let from = self.cursor;
        let text = input.slice(from..end);
        let odd = text.char_indices().find(|(_, c)| !matches!(c, ' ' | '\t' | '\n' | '\r'));
        match odd {
            Some((0, c)) => {
                self.cursor += c.len_utf8();
                self.repair(RepairKind::StrayText, from..self.cursor);
                " "
            }
            Some((n, _)) => {
                self.cursor += n;
                input.slice(from..self.cursor)
            }
            None => {
                self.cursor = end;
                text
            }
        }
    }

    fn token<'i>(&mut self, state: State, byte: u8, input: &Input<'i>) -> Option<Step<'i>> {
        self.start = self.cursor;
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
            | State::Comma { .. }
            | State::MissingColon
            | State::MissingComma
            | State::Done => self.value(byte),
        }
    }

    fn value<'i>(&mut self, byte: u8) -> Option<Step<'i>> {
        match byte {
            b'{' => self.push(Kind::Object, State::Key),
            b'[' => self.push(Kind::Array, State::Value),
            b'"' | b'\'' => {
                self.open_quote(byte);
                self.state = State::Text { quote: byte, is_literal: false };
                Some(Step::Token(Token::TextStart))
            }
            // A name without a value.
            b']' | b'}' | b',' if self.is_object() => self.stuck(State::Value),
            b']' | b'}' => self.close(byte, true),
            b',' => self.excess_comma(),
            _ if is_word(byte) => {
                self.state = State::Word { from: self.cursor };
                None
            }
            _ => self.stuck(State::Value),
        }
    }

    fn key<'i>(&mut self, byte: u8, input: &Input<'i>) -> Option<Step<'i>> {
        let at = self.cursor;
        match byte {
            b'"' | b'\'' => {
                self.open_quote(byte);
                self.state = State::InKey { from: at + 1, quote: byte };
            }
            b']' | b'}' => return self.close(byte, true),
            b',' => return self.excess_comma(),
            b'-' if input.peek(at + 1) == Peek::More => return self.wait(State::Key),
            b'-' if input.byte(at + 1) == Some(b'-') => {
                self.cursor += 2;
                self.state = State::DashKey { from: at + 2 };
            }
            _ if is_name_start(byte) => self.state = State::BareKey { from: at },
            _ => return self.stuck(State::Key),
        }
        None
    }

    /// A colon, or what some models write for it: an arrow, or `=`.
    /// `[DL8]` `[DR24]`
    fn colon<'i>(&mut self, byte: u8, input: &Input<'i>) -> Option<Step<'i>> {
        let at = self.cursor;
        match byte {
            b':' => self.cursor += 1,
            b'=' if input.peek(at + 1) == Peek::More => return self.wait(State::Colon),
            b'=' if input.byte(at + 1) == Some(b'>') => {
                self.cursor += 2;
                self.repair(RepairKind::WrongWrapper, at..at + 2);
            }
            b'=' => {
                self.cursor += 1;
                self.repair(RepairKind::WrongSeparator, at..at + 1);
            }
            _ => return self.stuck(State::Colon),
        }
        self.state = State::Value;
        Some(Step::Token(Token::Colon))
    }

    fn behind<'i>(&mut self, byte: u8, input: &Input<'i>) -> Option<Step<'i>> {
        match byte {
            b']' | b'}' => self.close(byte, false),
            b',' => self.comma(self.cursor, self.cursor + 1, input),
            b'"' | b'\'' if self.is_object() => {
                self.state = State::MissingComma;
                None
            }
            b'-' if self.is_object() => match input.peek(self.cursor + 1) {
                Peek::More => self.wait(State::Behind),
                Peek::Byte(b'-') => {
                    self.state = State::MissingComma;
                    None
                }
                Peek::Byte(_) | Peek::Over => self.stuck(State::Behind),
            },
            _ => self.stuck(State::Behind),
        }
    }

    /// One comma too many.
    fn excess_comma<'i>(&mut self) -> Option<Step<'i>> {
        self.repair(RepairKind::TrailingComma, self.cursor..self.cursor + 1);
        self.cursor += 1;
        self.state = self.behind_comma();
        None
    }

    const fn wait<'i>(&mut self, state: State) -> Option<Step<'i>> {
        self.state = state;
        Some(Step::Wait)
    }

    const fn stuck<'i>(&mut self, state: State) -> Option<Step<'i>> {
        self.state = state;
        Some(Step::Stuck)
    }

    fn open_quote(&mut self, quote: u8) {
        if quote == b'\'' {
            self.repair(RepairKind::SingleQuotes, self.cursor..self.cursor + 1);
        }
        self.cursor += 1;
    }

    /// A comma counts only if something other than the end follows.
    fn comma<'i>(&mut self, at: usize, cursor: usize, input: &Input<'i>) -> Option<Step<'i>> {
        let next = skip_gap(cursor, input);
        let is_far = next - at > FARTHEST;
        if !is_far && is_gap_open(next, input) {
            self.state = State::Comma { at, cursor: next };
            return Some(Step::Wait);
        }
        match input.byte(next) {
            _ if is_far => {
                self.cursor = at + 1;
                self.state = self.behind_comma();
                Some(Step::Token(Token::Comma))
            }
            Some(b',') => {
                self.repair(RepairKind::TrailingComma, at..at + 1);
                self.state = State::Comma { at: next, cursor: next + 1 };
                None
            }
            Some(byte) if self.may_follow_comma(byte) => {
                self.cursor = at + 1;
                self.state = self.behind_comma();
                Some(Step::Token(Token::Comma))
            }
            Some(_) | None => {
                self.repair(RepairKind::TrailingComma, at..at + 1);
                self.cursor = next;
                self.state = State::Behind;
                None
            }
        }
    }

    /// What is read behind a comma.
    fn behind_comma(&self) -> State {
        if self.is_object() { State::Key } else { State::Value }
    }

    /// Whether a member or an element may begin with this byte.
    fn may_follow_comma(&self, byte: u8) -> bool {
        match byte {
            b'"' | b'\'' => true,
            _ if self.is_object() => byte == b'-' || is_name_start(byte),
            _ => matches!(byte, b'{' | b'[') || is_word(byte),
        }
    }

    fn is_object(&self) -> bool {
        self.open.last() == Some(&Kind::Object)
    }

    fn push<'i>(&mut self, kind: Kind, state: State) -> Option<Step<'i>> {
        self.cursor += 1;
        self.open.push(kind);
        self.state = state;
        Some(Step::Token(Token::Open(kind)))
    }

    /// A closing bracket. One of the other kind closes what it stands in, if that is there.
    fn close<'i>(&mut self, byte: u8, is_early: bool) -> Option<Step<'i>> {
        let kind = if byte == b'}' { Kind::Object } else { Kind::Array };
        if self.open.last() != Some(&kind) {
            if !self.open.contains(&kind) {
                self.state = if is_early { State::Value } else { State::Behind };
                return Some(Step::Stuck);
            }
            return match self.close_missing() {
                Some(missing) => Some(Step::Token(Token::Close(missing))),
                None => Some(Step::Stuck),
            };
        }
        self.cursor += 1;
        self.open.pop();
        self.state = if self.open.is_empty() { State::Done } else { State::Behind };
        Some(Step::Token(Token::Close(kind)))
    }
}
