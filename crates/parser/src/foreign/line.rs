//! Marks that count only at the beginning of a line, or of the reply.

use crate::{
    fence::LineHead,
    input::{Input, Peek},
    lost::Lost,
    machine::{Cx, Flow, Machine, State},
};

use super::{
    Evidence, Manner,
    bare::Looks,
    channel::TO,
    head::CALL,
    lines::{Keys, Lines},
    marker::{self, Seen},
    routed::Route,
};

/// Words that open calls. `functools[…]` is Phi-4's and FireFunction's, the role is GigaChat's.
/// `[DJ13]`
const OPENERS: &[(&str, usize)] = &[("functools[", 1), ("function call<|role_sep|>", 0)];

/// What stands at the beginning of a line.
enum Found {
    /// Nothing that matters here.
    Nothing,
    /// The chunk ends before that is known.
    Maybe,
    /// A word behind which calls stand, from there.
    Calls(usize),
    /// A key of lines that call, up to there.
    Keyed(Keys, usize),
    /// A result in the manner of lines that call, up to there.
    Result(usize),
    /// Calls without a mark.
    Bare,
    /// The header of a message, whose marks stood in the prompt.
    Addressed,
    /// A line that is the recipient of text, up to there.
    Routed(usize),
    /// A line that is a tool's name.
    Named,
}

impl Machine {
    /// Reads the first word of a line.
    pub(crate) fn line_start(
        &mut self,
        head: LineHead,
        is_quote: bool,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let at = self.scan;
        let found = if is_quote { Found::Nothing } else { self.find_at_line(at, cx.input) };
        match found {
            Found::Nothing if is_quote => self.go(State::Text),
            Found::Nothing => match self.lost_at(at, cx.input) {
                Lost::Tag(lost) => self.open_lost(lost),
                Lost::Maybe if !cx.input.is_over() => {
                    self.emit_text(at, cx);
                    self.wait(State::LineHead(head))
                }
                Lost::Maybe | Lost::No => self.go(State::Text),
            },
            Found::Maybe if cx.input.is_over() => self.go(State::Text),
            Found::Maybe => {
                self.emit_text(at, cx);
                self.wait(State::LineHead(head))
            }
            Found::Calls(behind) => {
                let manner = Manner { evidence: Evidence::Mention, ..Manner::open(at) };
                self.open_foreign(manner, behind, cx)
            }
            Found::Keyed(keys, behind) => self.open_keyed(at, keys, behind, cx),
            Found::Result(end) => self.invented_at(at, end, cx),
            Found::Bare => self.open_bare(at, cx),
            Found::Addressed => self.open_addressed(at, cx),
            Found::Routed(end) => self.open_route(Route::Text(end), at, cx),
            Found::Named => {
                self.is_routed = true;
                self.open_bare(at, cx)
            }
        }
    }

    fn find_at_line(&self, at: usize, input: &Input<'_>) -> Found {
        let Some(byte) = input.byte(at) else { return Found::Nothing };
        match byte {
            b'{' | b'[' if self.begins_at(at, input) => self.bare_at(at, input),
            b'A' | b't' | b'T' => self.keyed_at(at, input),
            b'O' if self.is_keyed => word_at("Observation:", at, input, Found::Result),
            b'f' if !self.begins_at(at, input) => words_at(at, input),
            _ if crate::chars::is_name_start(byte) && self.begins_at(at, input) => {
                self.name_at(at, input)
            }
            _ => Found::Nothing,
        }
    }

    /// Whether nothing but blanks, reasoning and markup stands before a position.
    fn begins_at(&self, at: usize, input: &Input<'_>) -> bool {
        self.is_beginning && input.is_blank(self.done..at)
    }

    /// A key, or else perhaps a tool's name.
    /// `[DL1]` `[DL7]`
    fn keyed_at(&self, at: usize, input: &Input<'_>) -> Found {
        let action = word_at("Action:", at, input, |end| Found::Keyed(Keys::Action, end));
        let tool = word_at("TOOL_NAME:", at, input, |end| Found::Keyed(Keys::Continue, end));
        match (action, tool) {
            (Found::Nothing, Found::Nothing) if self.begins_at(at, input) => {
                match input.has_word(TO, at) {
                    Some(true) => Found::Addressed,
                    Some(false) => self.name_at(at, input),
                    None => Found::Maybe,
                }
            }
            (Found::Nothing, found) | (found, _) => found,
        }
    }

    /// A call in keyed lines, behind its first key; or a list of calls in a fence behind the key.
    fn open_keyed(&mut self, at: usize, keys: Keys, behind: usize, cx: &mut Cx<'_, '_>) -> Flow {
        let manner = Manner { evidence: Evidence::Mention, ..Manner::open(at) };
        let line = cx.input.skip_blanks_of_line(behind);
        if keys == Keys::Action && matches!(cx.input.byte(line), Some(b'\n' | b'`')) {
            return self.open_foreign(manner, behind, cx);
        }
        self.is_keyed = keys == Keys::Action;
        self.open_lines(manner, Lines::new(keys, behind), cx)
    }

    fn bare_at(&self, at: usize, input: &Input<'_>) -> Found {
        match marker::look(at, input) {
            Seen::No => {}
            Seen::Maybe => return Found::Maybe,
            Seen::Mark(..) => return Found::Nothing,
        }
        match self.looks_like_calls(at, input) {
            Looks::Yes => Found::Bare,
            Looks::Maybe => Found::Maybe,
            Looks::No => Found::Nothing,
        }
    }

    /// A tool's name whose mark was lost before it, where the one behind it is still there.
    /// `[DQ4]`
    /// `[DJ10]`
    fn name_at(&self, at: usize, input: &Input<'_>) -> Found {
        let mut found = words_at(at, input);
        match self.recipient_at(at, input) {
            Route::Text(end) => return Found::Routed(end),
            Route::Call(..) => return Found::Named,
            Route::Maybe => found = Found::Maybe,
            Route::Not => {}
        }
        let is_called = input.has_word(CALL, at);
        if is_called.is_none() {
            found = Found::Maybe;
        }
        let at = if is_called == Some(true) { at + CALL.len() } else { at };
        for name in self.names.tool_names() {
            let n = input.matched(name, at);
            let behind = at + n;
            match input.peek(behind) {
                Peek::More => found = Found::Maybe,
                Peek::Byte(b'{') if n == name.len() && is_called == Some(true) => {
                    return Found::Bare;
                }
                Peek::Byte(b'[') if n == name.len() => match input.has_word("[ARGS]", behind) {
                    Some(true) => return Found::Calls(at),
                    Some(false) => {}
                    None => found = Found::Maybe,
                },
                Peek::Byte(_) | Peek::Over => {}
            }
        }
        found
    }
}

/// Most blanks behind a key; behind more, it is text.
const MOST_BLANKS: usize = 64;

/// A word at this position, whatever its letter case.
fn word_at(word: &str, at: usize, input: &Input<'_>, found: impl FnOnce(usize) -> Found) -> Found {
    match input.has_word(word, at) {
        Some(true) => {
            let behind = at + word.len();
            let end = input.skip_blanks_of_line(behind);
            // What follows decides, so something must.
            match end - behind {
                MOST_BLANKS.. => Found::Nothing,
                _ if input.peek(end) == Peek::More => Found::Maybe,
                _ => found(behind),
            }
        }
        Some(false) => Found::Nothing,
        None => Found::Maybe,
    }
}

/// A word that opens calls.
fn words_at(at: usize, input: &Input<'_>) -> Found {
    let mut found = Found::Nothing;
    for (word, back) in OPENERS {
        match input.has_word(word, at) {
            Some(true) => return Found::Calls(at + word.len() - back),
            None => found = Found::Maybe,
            Some(false) => {}
        }
    }
    found
}
