//! Where calls begin and end, and the names of their arguments.

use crate::{
    RepairKind,
    chars::is_name_start,
    input::{Input, Peek},
};

use super::{
    super::{
        head::is_tool_name,
        json::{Kind, Token, Word},
    },
    Bracket, LONGEST, Lexer, PRINT, State, Step,
};

impl Lexer {
    pub(super) fn start<'i>(&mut self, input: &Input<'i>) -> Step<'i> {
        let is_list = input.byte(self.cursor) == Some(b'[');
        self.cursor += usize::from(is_list);
        self.open.push(if is_list { Bracket::List } else { Bracket::Calls });
        self.state = State::Call(self.cursor);
        Step::Token(Token::Open(Kind::Array))
    }

    /// `[DP1]` `[DP2]`
    pub(super) fn before_call<'i>(&mut self, after: usize, input: &Input<'i>) -> Step<'i> {
        let byte = match self.gap(input) {
            Peek::Byte(byte) => byte,
            Peek::More => return Step::Wait,
            Peek::Over => return self.end_calls(after),
        };
        match (byte, self.open.last().copied()) {
            (b',' | b';', _) if self.n_calls > 0 => self.cursor += 1,
            (b']', Some(Bracket::List)) => return self.close(byte),
            (b')', Some(Bracket::Print)) => {
                self.cursor += 1;
                self.open.pop();
                self.state = State::Call(self.cursor);
            }
            _ if is_name_start(byte) && self.is_separate(after, input) => {
                self.state = State::Name { after, end: self.cursor };
                return Step::Token(Token::Blank(""));
            }
            _ => return self.end_calls(after),
        }
        Step::Again
    }

    /// Whether something stands between the last call and what may be the next one.
    pub(super) fn is_separate(&mut self, after: usize, input: &Input<'_>) -> bool {
        let between = input.slice(after..self.cursor);
        if self.n_calls == 0 || between.contains([',', ';']) {
            return true;
        }
        if self.open.last() == Some(&Bracket::List) {
            self.repair(RepairKind::MissingComma, after..after);
            return true;
        }
        between.contains('\n')
    }

    /// No call follows.
    /// `[DP11]`
    pub(super) fn end_calls<'i>(&mut self, after: usize) -> Step<'i> {
        if self.n_calls > 0 && self.open.last() == Some(&Bracket::Print) {
            self.open.pop();
        }
        if self.n_calls == 0 || self.open.last() != Some(&Bracket::Calls) {
            return Step::Stuck;
        }
        self.cursor = after;
        self.is_comment = false;
        self.open.pop();
        self.state = State::Done;
        Step::Token(Token::Close(Kind::Array))
    }

    pub(super) fn name<'i>(&mut self, after: usize, mut end: usize, input: &Input<'i>) -> Step<'i> {
        loop {
            match input.peek(end) {
                Peek::Byte(byte) if is_tool_name(byte) => end += 1,
                Peek::More if end - self.cursor < LONGEST => {
                    self.state = State::Name { after, end };
                    return Step::Wait;
                }
                Peek::Byte(_) | Peek::More | Peek::Over => break,
            }
        }
        self.state = State::BehindName { after, end, at: end };
        Step::Again
    }

    /// `[DP8]`
    pub(super) fn behind_name<'i>(
        &mut self,
        after: usize,
        end: usize,
        at: usize,
        input: &Input<'i>,
    ) -> Step<'i> {
        let at = input.skip_blanks_of_line(at);
        self.state = State::BehindName { after, end, at };
        let is_print = input.slice(self.cursor..end) == PRINT && !self.is_print_tool;
        match input.peek(at) {
            Peek::More => Step::Wait,
            Peek::Byte(b'(') if is_print => {
                self.open.push(Bracket::Print);
                self.cursor = at + 1;
                self.state = State::Call(after);
                Step::Again
            }
            Peek::Byte(b'(') => {
                self.n_calls += 1;
                self.start = self.cursor;
                self.open.extend([Bracket::Call, Bracket::Arguments]);
                self.state = State::Opening { end, behind: at + 1, n: 0 };
                Step::Token(Token::Open(Kind::Object))
            }
            // The value of a call may be given a name.
            Peek::Byte(b'=') => {
                self.cursor = at + 1;
                self.state = State::Call(after);
                Step::Again
            }
            Peek::Byte(_) | Peek::Over => self.end_calls(after),
        }
    }

    /// The tokens that stand for a name and `(`.
    pub(super) fn open_call<'i>(
        &mut self,
        end: usize,
        behind: usize,
        n: u8,
        input: &Input<'i>,
    ) -> Step<'i> {
        self.state = State::Opening { end, behind, n: n + 1 };
        Step::Token(match n {
            0 => Token::Key("name".into()),
            1 => {
                let name = input.slice(self.cursor..end);
                self.cursor = behind;
                Token::Word(Word::Bare(name))
            }
            2 => Token::Key("arguments".into()),
            _ => {
                self.state = State::Keyword;
                Token::Open(Kind::Object)
            }
        })
    }

    pub(super) fn in_keyword<'i>(&mut self, mut end: usize, input: &Input<'i>) -> Step<'i> {
        loop {
            match input.peek(end) {
                Peek::Byte(byte) if is_keyword(byte) => end += 1,
                Peek::More if end - self.cursor < LONGEST => {
                    self.state = State::InKeyword(end);
                    return Step::Wait;
                }
                Peek::Byte(_) | Peek::More | Peek::Over => break,
            }
        }
        self.key = Some(input.slice(self.cursor..end).into());
        self.cursor = end;
        self.state = State::Equals;
        Step::Again
    }

    pub(super) fn equals<'i>(&mut self, byte: u8, input: &Input<'i>) -> Step<'i> {
        match input.peek(self.cursor + 1) {
            Peek::More => Step::Wait,
            Peek::Byte(b'=') => Step::Stuck,
            Peek::Byte(_) | Peek::Over => {
                if byte == b':' {
                    self.repair(RepairKind::WrongSeparator, self.cursor..self.cursor + 1);
                }
                self.cursor += 1;
                self.state = State::Value;
                Step::Token(Token::Key(self.key.take().unwrap_or_default()))
            }
        }
    }
}

const fn is_keyword(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || byte >= 0x80
}
