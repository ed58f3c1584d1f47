//! Calls written in Python, read into the tokens that the same calls give in JSON.
//!
//! Only literals are values: what would have to be run is refused, and so are arguments without a
//! name.
//! `[DP6]` `[DP7]`

mod call;
mod quote;
mod string;
mod text;
mod value;

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use crate::{
    RepairKind,
    chars::is_name_start,
    input::{Input, Peek},
    repair::MOST_REPAIRS,
};

use super::{
    call::Flaw,
    json::{self, Kind, Token, is_escaped_blank, is_gap_open},
};

use quote::Look;
use text::Quote;

/// The function around a call that does not count.
pub(super) const PRINT: &str = "print";

/// Longest key of a dictionary, and longest word.
const LONGEST: usize = 4096;

/// What is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bracket {
    /// Calls without a bracket around them.
    Calls,
    /// `[` around calls.
    List,
    /// `print(`.
    Print,
    /// A call, from its name on.
    Call,
    /// The `(` of a call.
    Arguments,
    /// `(` around one string.
    Group,
    /// `[` of a list.
    Array,
    /// `(` of a list.
    Tuple { has_comma: bool },
    /// `{`.
    Object,
}

impl Bracket {
    const fn closer(self) -> Option<u8> {
        match self {
            Self::Calls | Self::Call => None,
            Self::List | Self::Array => Some(b']'),
            Self::Print | Self::Arguments | Self::Group | Self::Tuple { .. } => Some(b')'),
            Self::Object => Some(b'}'),
        }
    }

    /// What it is in JSON.
    const fn kind(self) -> Option<Kind> {
        match self {
            Self::Print | Self::Group => None,
            Self::Calls | Self::List | Self::Array | Self::Tuple { .. } => Some(Kind::Array),
            Self::Call | Self::Arguments | Self::Object => Some(Kind::Object),
        }
    }
}

/// What is read next.
#[derive(Clone, Copy, Debug)]
enum State {
    /// Everything.
    Start,
    /// A call, or the end of them; and where the last one ended.
    Call(usize),
    /// The rest of a name, from its end so far.
    Name {
        after: usize,
        end: usize,
    },
    /// What follows a name.
    BehindName {
        after: usize,
        end: usize,
        at: usize,
    },
    /// The tokens between a name and the first argument.
    Opening {
        end: usize,
        behind: usize,
        n: u8,
    },
    /// The name of an argument.
    Keyword,
    /// The rest of it, from its end so far.
    InKeyword(usize),
    /// `=`.
    Equals,
    /// A value.
    Value,
    /// What follows `(`.
    Paren,
    /// What follows the string behind `(`, which is looked for from here, perhaps in a string.
    Ahead(usize, Option<Quote>),
    /// An element, or the end of a list; and whether a comma stands before it.
    Element(bool),
    /// A key, or the end of a dictionary; and whether a comma stands before it.
    Key(bool),
    Colon,
    /// The rest of a number or a word, from its end so far.
    Word(usize),
    /// The inside of a string.
    Text(Quote),
    /// A quote that may end it.
    Quote(Quote, Look),
    /// What follows a string, which another one may go on with.
    Joint,
    /// What follows a value.
    Behind,
    /// The end of a call whose arguments are closed.
    CallEnd,
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

/// A reader of calls.
#[derive(Clone, Debug)]
pub(crate) struct Lexer {
    state: State,
    /// The next byte to look at.
    pub(crate) cursor: usize,
    /// Where the call, the bracket, the string or the word began that was read last.
    pub(crate) start: usize,
    open: Vec<Bracket>,
    n_calls: usize,
    /// Whether `print` is a tool.
    is_print_tool: bool,
    is_comment: bool,
    /// The name or the key that is read.
    key: Option<String>,
    /// Whether a quote in the open string was text.
    is_mended: bool,
    /// No quote and no backslash stands in the open string before this position.
    clear_to: usize,
    /// What was mended since this was last emptied.
    pub(crate) repairs: Vec<(RepairKind, Range<usize>)>,
}

impl Lexer {
    /// A reader for the `[` or the name at this position.
    pub(crate) const fn new(at: usize, is_print_tool: bool) -> Self {
        Self {
            state: State::Start,
            cursor: at,
            start: at,
            open: Vec::new(),
            n_calls: 0,
            is_print_tool,
            is_comment: false,
            key: None,
            is_mended: false,
            clear_to: at,
            repairs: Vec::new(),
        }
    }

    /// What must stay in memory: nothing before this position is needed again.
    pub(crate) const fn needs(&self) -> usize {
        match &self.state {
            State::Call(after) | State::Name { after, .. } | State::BehindName { after, .. } => {
                *after
            }
            State::Quote(_, look) => look.at,
            State::Start
            | State::Opening { .. }
            | State::Keyword
            | State::InKeyword(_)
            | State::Equals
            | State::Value
            | State::Paren
            | State::Ahead(..)
            | State::Element(_)
            | State::Key(_)
            | State::Colon
            | State::Word(_)
            | State::Text(_)
            | State::Joint
            | State::Behind
            | State::CallEnd
            | State::Done => self.cursor,
        }
    }

    /// Whether whole values are all there is: only brackets are missing.
    pub(crate) const fn is_between(&self) -> bool {
        match self.state {
            State::Call(_) => self.n_calls > 0,
            State::Behind | State::CallEnd | State::Done => true,
            State::Start
            | State::Name { .. }
            | State::BehindName { .. }
            | State::Opening { .. }
            | State::Keyword
            | State::InKeyword(_)
            | State::Equals
            | State::Value
            | State::Paren
            | State::Ahead(..)
            | State::Element(_)
            | State::Key(_)
            | State::Colon
            | State::Word(_)
            | State::Text(_)
            | State::Quote(..)
            | State::Joint => false,
        }
    }

    /// What is wrong where nothing can be read.
    pub(crate) fn flaw(&self) -> Flaw {
        if self.open.contains(&Bracket::Call) { Flaw::Arguments } else { Flaw::Shape }
    }

    /// Closes what is open, one bracket a call; `None` where nothing is.
    /// `[DP10]`
    pub(crate) fn close_missing(&mut self) -> Option<Kind> {
        while let Some(bracket) = self.open.pop() {
            if bracket.closer().is_some() {
                self.repair(RepairKind::MissingBracket, self.cursor..self.cursor);
            }
            self.state = match bracket {
                Bracket::Calls | Bracket::List => State::Done,
                Bracket::Print | Bracket::Call => State::Call(self.cursor),
                Bracket::Arguments => State::CallEnd,
                Bracket::Group | Bracket::Array | Bracket::Tuple { .. } | Bracket::Object => {
                    State::Behind
                }
            };
            if let Some(kind) = bracket.kind() {
                return Some(kind);
            }
        }
        None
    }

    fn repair(&mut self, kind: RepairKind, span: Range<usize>) {
        if self.repairs.len() < MOST_REPAIRS {
            self.repairs.push((kind, span));
        }
    }

    /// Reads the next token.
    pub(crate) fn next<'i>(&mut self, input: &Input<'i>) -> json::Step<'i> {
        loop {
            match self.step(input) {
                Step::Token(token) => return json::Step::Token(token),
                Step::Again => {}
                Step::Wait => return json::Step::Wait,
                Step::Stuck => return json::Step::Stuck,
            }
        }
    }

    fn step<'i>(&mut self, input: &Input<'i>) -> Step<'i> {
        match self.state {
            State::Start => self.start(input),
            State::Call(after) => self.before_call(after, input),
            State::Name { after, end } => self.name(after, end, input),
            State::BehindName { after, end, at } => self.behind_name(after, end, at, input),
            State::Opening { end, behind, n } => self.open_call(end, behind, n, input),
            State::InKeyword(end) => self.in_keyword(end, input),
            State::Word(end) => self.word(end, input),
            State::Text(quote) => self.text(quote, input),
            State::Quote(quote, look) => self.quote(quote, look, input),
            State::Joint => self.joint(input),
            State::Ahead(at, quote) => self.ahead(at, quote, input),
            State::CallEnd => {
                self.open.pop();
                self.state = State::Call(self.cursor);
                Step::Token(Token::Close(Kind::Object))
            }
            State::Done => Step::Stuck,
            state @ (State::Keyword
            | State::Equals
            | State::Value
            | State::Paren
            | State::Element(_)
            | State::Key(_)
            | State::Colon
            | State::Behind) => match self.gap(input) {
                Peek::Byte(byte) => self.token(state, byte, input),
                Peek::More | Peek::Over => Step::Wait,
            },
        }
    }

    /// Skips blanks and comments, and tells what stands behind them.
    fn gap(&mut self, input: &Input<'_>) -> Peek {
        loop {
            if self.is_comment {
                let line = input.find1(b'\n', self.cursor);
                self.cursor = line.unwrap_or_else(|| input.end());
                self.is_comment = line.is_none() && !input.is_over();
            }
            self.cursor = input.skip_blanks(self.cursor);
            if is_escaped_blank(self.cursor, input) {
                self.repair(RepairKind::LiteralNewline, self.cursor..self.cursor + 2);
                self.cursor += 2;
                continue;
            }
            match input.peek(self.cursor) {
                Peek::Byte(b'#') => self.is_comment = true,
                Peek::Byte(_) if is_gap_open(self.cursor, input) => return Peek::More,
                peek @ (Peek::Byte(_) | Peek::More | Peek::Over) => return peek,
            }
        }
    }

    fn token<'i>(&mut self, state: State, byte: u8, input: &Input<'i>) -> Step<'i> {
        self.start = self.cursor;
        match (state, byte) {
            (State::Keyword, b')') => self.close(byte),
            (State::Keyword, _) if is_name_start(byte) || byte >= 0x80 => {
                self.state = State::InKeyword(self.cursor);
                Step::Again
            }
            (State::Equals, b'=' | b':') => self.equals(byte, input),
            (State::Paren, _) => self.paren(byte, input),
            (State::Element(_), b']' | b')') | (State::Key(_), b'}') => self.close(byte),
            (State::Element(true), _) => {
                self.state = State::Element(false);
                Step::Token(Token::Comma)
            }
            (State::Key(true), _) => {
                self.state = State::Key(false);
                Step::Token(Token::Comma)
            }
            (State::Value | State::Element(_), _) => self.value(byte, input),
            (State::Key(_), _) => self.before_key(byte, input),
            (State::Colon, b':') => {
                self.cursor += 1;
                self.state = State::Value;
                Step::Token(Token::Colon)
            }
            (State::Behind, _) => self.behind(byte),
            _ => Step::Stuck,
        }
    }
}
