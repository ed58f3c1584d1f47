//! Calls written line by line, each line under a key, as the tokens that JSON would give:
//! `Action:` and `Action Input:` as agents in the manner of `ReAct` (Yao et al., 2022) write them,
//! `TOOL_NAME:`, `BEGIN_ARG:` and `END_ARG` as Continue asks for them.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use crate::{
    RepairKind,
    input::{Input, Peek},
};

use super::{
    call::Flaw,
    json::{Kind, Lexer, Piece, Step, Token},
};

/// Which keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// `Action:` and `Action Input:`.
    Action,
    /// `TOOL_NAME:`, `BEGIN_ARG:` and `END_ARG`.
    Continue,
}

impl Keys {
    /// What stands before arguments.
    const fn before_arguments(self) -> &'static str {
        match self {
            Self::Action => "Action Input:",
            Self::Continue => "BEGIN_ARG:",
        }
    }

    /// What ends a value, at the beginning of a line.
    /// `[DL3]`
    const fn ends(self) -> &'static [&'static str] {
        match self {
            Self::Action => &["Observation:", "Thought:", "Action:", "Final Answer:"],
            Self::Continue => &["END_ARG"],
        }
    }
}

/// Longest line with a name.
const LONGEST: usize = 256;

/// Tokens that no text stands for.
#[derive(Clone, Copy, Debug)]
enum Implied {
    Open,
    Close,
    Comma,
    Colon,
    /// The key of the tool's name.
    Name,
    /// The key of the arguments.
    Arguments,
    /// The key of an argument that is the only one.
    Only,
    TextStart,
    TextEnd,
}

const BEGIN: &[Implied] = &[Implied::Open, Implied::Name, Implied::Colon, Implied::TextStart];
const NAMED: &[Implied] = &[Implied::TextEnd, Implied::Comma, Implied::Arguments, Implied::Colon];
const NAMED_OPEN: &[Implied] =
    &[Implied::TextEnd, Implied::Comma, Implied::Arguments, Implied::Colon, Implied::Open];
const VALUE: &[Implied] = &[Implied::Colon, Implied::TextStart];
const RAW: &[Implied] = &[Implied::Open, Implied::Only, Implied::Colon, Implied::TextStart];
const NEXT: &[Implied] = &[Implied::TextEnd, Implied::Comma];
const DONE: &[Implied] = &[Implied::Close, Implied::Close];
const RAW_DONE: &[Implied] = &[Implied::TextEnd, Implied::Close, Implied::Close];
const JSON_DONE: &[Implied] = &[Implied::Close];

/// A reader of keyed lines.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    keys: Keys,
    pub(crate) cursor: usize,
    /// Tokens that come before anything is read.
    implied: &'static [Implied],
    stage: Stage,
    /// What was mended in arguments written as JSON since this was last emptied.
    pub(crate) repairs: Vec<(RepairKind, Range<usize>)>,
}

#[derive(Clone, Debug)]
enum Stage {
    /// In the line of the tool's name, from here.
    Name(usize),
    /// Before the next key.
    Gap,
    /// In the line of an argument's name, from here.
    Key(usize),
    /// Before the value behind `Action Input:`.
    Input,
    /// In arguments written as JSON.
    Json(Lexer),
    /// At the beginning of a line of a value; a line break stands before it.
    Head {
        has_break: bool,
    },
    /// Inside of a line of a value.
    Line,
    Done,
}

impl Lines {
    /// A reader from behind the first key.
    pub(crate) const fn new(keys: Keys, behind: usize) -> Self {
        let stage = Stage::Name(behind);
        Self { keys, cursor: behind, implied: BEGIN, stage, repairs: Vec::new() }
    }

    /// Where the token began that was read last.
    pub(crate) const fn start(&self) -> usize {
        match &self.stage {
            Stage::Json(lexer) => lexer.start,
            Stage::Name(_)
            | Stage::Gap
            | Stage::Key(_)
            | Stage::Input
            | Stage::Head { .. }
            | Stage::Line
            | Stage::Done => self.cursor,
        }
    }

    /// What is wrong where nothing can be read.
    pub(super) fn flaw(&self) -> Flaw {
        match &self.stage {
            Stage::Json(lexer) => lexer.flaw(),
            Stage::Name(_)
            | Stage::Gap
            | Stage::Key(_)
            | Stage::Input
            | Stage::Head { .. }
            | Stage::Line
            | Stage::Done => Flaw::Shape,
        }
    }

    /// What must stay in memory.
    pub(crate) fn needs(&self) -> usize {
        match &self.stage {
            Stage::Name(from) | Stage::Key(from) => *from,
            Stage::Json(lexer) => lexer.needs(),
            Stage::Gap | Stage::Input | Stage::Head { .. } | Stage::Line | Stage::Done => {
                self.cursor
            }
        }
    }

    /// Reads the next token.
    pub(crate) fn next<'i>(&mut self, input: &Input<'i>) -> Step<'i> {
        if let Some((first, rest)) = self.implied.split_first() {
            self.implied = rest;
            return Step::Token(token(*first));
        }
        match &mut self.stage {
            Stage::Name(from) => {
                let from = *from;
                self.name(from, input)
            }
            Stage::Gap => self.gap(input),
            Stage::Key(from) => {
                let from = *from;
                self.key(from, input)
            }
            Stage::Input => self.input(input),
            Stage::Json(lexer) => {
                let step = lexer.next(input);
                self.cursor = lexer.cursor;
                self.repairs.append(&mut lexer.repairs);
                if lexer.is_done() {
                    self.go(JSON_DONE, Stage::Done);
                }
                step
            }
            Stage::Head { has_break } => {
                let has_break = *has_break;
                self.head(has_break, input)
            }
            Stage::Line => self.line(input),
            Stage::Done => Step::Stuck,
        }
    }

    fn go(&mut self, implied: &'static [Implied], stage: Stage) {
        self.implied = implied;
        self.stage = stage;
    }

    /// The end of a line that a name stands in; looked for once.
    fn line_end(&mut self, from: usize, input: &Input<'_>) -> Option<usize> {
        let found = input.find1(b'\n', self.cursor);
        self.cursor = found.unwrap_or_else(|| input.end());
        let is_last = input.is_over() && self.keys == Keys::Continue;
        let end = found.or_else(|| is_last.then(|| input.end()));
        end.filter(|end| end - from <= LONGEST)
    }

    /// A line without an end so far; one that is too long holds no name.
    const fn wait_in_line<'i>(&mut self, from: usize) -> Step<'i> {
        if self.cursor - from <= LONGEST {
            return Step::Wait;
        }
        self.cursor = from;
        Step::Stuck
    }

    /// The tool's name is the rest of the line. An action counts only with its input.
    fn name<'i>(&mut self, from: usize, input: &Input<'i>) -> Step<'i> {
        let Some(end) = self.line_end(from, input) else { return self.wait_in_line(from) };
        if self.keys == Keys::Action {
            match input.has_word(self.keys.before_arguments(), input.skip_blanks_of_line(end + 1)) {
                Some(true) => {}
                Some(false) => return Step::Stuck,
                None => return Step::Wait,
            }
        }
        self.cursor = end;
        self.go(if self.keys == Keys::Action { NAMED } else { NAMED_OPEN }, Stage::Gap);
        Step::Token(Token::Text(Piece::Run(input.slice(from..end))))
    }

    fn gap<'i>(&mut self, input: &Input<'i>) -> Step<'i> {
        let at = input.skip_blanks(self.cursor);
        self.cursor = at;
        let key = self.keys.before_arguments();
        match input.has_word(key, at) {
            None if !input.is_over() => return Step::Wait,
            Some(true) => {
                self.cursor = at + key.len();
                match self.keys {
                    Keys::Action => self.go(&[], Stage::Input),
                    Keys::Continue => self.go(&[], Stage::Key(self.cursor)),
                }
            }
            Some(false) | None => self.go(DONE, Stage::Done),
        }
        self.next(input)
    }

    fn key<'i>(&mut self, from: usize, input: &Input<'i>) -> Step<'i> {
        let Some(end) = self.line_end(from, input) else { return self.wait_in_line(from) };
        self.cursor = end + 1;
        self.go(VALUE, Stage::Head { has_break: false });
        Step::Token(Token::Key(crate::chars::trim(input.slice(from..end)).into()))
    }

    // [DL2]
    fn input<'i>(&mut self, input: &Input<'i>) -> Step<'i> {
        let at = input.skip_blanks(self.cursor);
        self.cursor = at;
        match input.peek(at) {
            Peek::Byte(b'{') => self.go(&[], Stage::Json(Lexer::new(at))),
            Peek::Byte(_) => self.go(RAW, Stage::Line),
            Peek::More => return Step::Wait,
            Peek::Over => return Step::Stuck,
        }
        self.cursor = at;
        self.next(input)
    }

    /// The beginning of a line may end the value.
    /// `[DL4]` `[DL5]`
    fn head<'i>(&mut self, has_break: bool, input: &Input<'i>) -> Step<'i> {
        let mut is_open = false;
        for end in self.keys.ends() {
            match input.has_word(end, self.cursor) {
                Some(true) => return self.value_ends(end, input),
                Some(false) => {}
                None => is_open = true,
            }
        }
        if is_open {
            return Step::Wait;
        }
        self.stage = Stage::Line;
        if has_break {
            Step::Token(Token::Text(Piece::Char('\n', "\\n")))
        } else {
            self.next(input)
        }
    }

    fn value_ends<'i>(&mut self, end: &str, input: &Input<'i>) -> Step<'i> {
        match self.keys {
            // What begins with the next key is not part of the call.
            Keys::Action => self.go(RAW_DONE, Stage::Done),
            Keys::Continue => {
                self.cursor += end.len();
                self.go(NEXT, Stage::Gap);
            }
        }
        self.next(input)
    }

    fn line<'i>(&mut self, input: &Input<'i>) -> Step<'i> {
        let from = self.cursor;
        let found = input.find1(b'\n', from);
        let to = found.unwrap_or_else(|| input.end());
        if to > from {
            self.cursor = to;
            return Step::Token(Token::Text(Piece::Run(input.slice(from..to))));
        }
        if found.is_some() {
            self.cursor = to + 1;
            self.stage = Stage::Head { has_break: true };
            return self.next(input);
        }
        if input.is_over() && self.keys == Keys::Action {
            self.go(RAW_DONE, Stage::Done);
            return self.next(input);
        }
        Step::Wait
    }
}

fn token<'i>(implied: Implied) -> Token<'i> {
    match implied {
        Implied::Open => Token::Open(Kind::Object),
        Implied::Close => Token::Close(Kind::Object),
        Implied::Comma => Token::Comma,
        Implied::Colon => Token::Colon,
        Implied::Name => Token::Key("name".into()),
        Implied::Arguments => Token::Key("arguments".into()),
        Implied::Only => Token::Key(String::new()),
        Implied::TextStart => Token::TextStart,
        Implied::TextEnd => Token::TextEnd,
    }
}
