//! Reasoning: parsed apart, inert. Only where it never ends may its last words be a call.

use alloc::{boxed::Box, vec::Vec};

use crate::{
    Finish, Reason,
    dialect::Role,
    fence::LineHead,
    foreign::marker::{self, Means, Seen},
    input::Input,
    judge::Judge,
    machine::{Cx, Flow, Machine, State},
    names::Word,
    sink::EventRef,
    tag::{Head, HeadReader, Light, LightReader, Mark, Read, StartTag},
    text::before_bracket,
};

/// Open reasoning.
#[derive(Debug)]
pub(crate) struct Thinking {
    /// The names of start tags that have no end yet.
    open: Vec<Word>,
    /// The prompt opened it, so that no start tag stands in the reply.
    is_prompted: bool,
    until: Until,
    /// The first start tag that may be a call at the end of the reply, and the last.
    calls: Option<(usize, usize)>,
    reader: Reader,
}

/// What ends reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// As many end tags as start tags.
    Tags,
    /// This mark.
    Mark(&'static str),
    /// The end of the message that it is.
    Message,
}

/// What a byte in reasoning begins.
enum Sign {
    /// The end of the reasoning, up to there.
    End(usize),
    /// A call, if the reply ends with it.
    Call(usize),
    /// Something without a meaning here, up to there.
    Other(usize),
    /// Perhaps a tag.
    Tag,
    /// The chunk ends inside.
    Maybe,
}

#[derive(Debug)]
enum Reader {
    Text,
    Head(HeadReader),
    Tag(LightReader),
    /// Looks whether structure follows a start tag, from behind it.
    Behind(usize, usize),
}

impl Machine {
    pub(crate) fn open_thinking(&mut self, tag: &StartTag, own: Word, cx: &mut Cx<'_, '_>) -> Flow {
        self.emit_text(tag.head.at, cx);
        self.may_begin_in_thinking = false;
        self.drop_to(tag.end, cx);
        self.scan = tag.end;
        let thinking = Thinking {
            open: alloc::vec![own],
            is_prompted: false,
            until: Until::Tags,
            calls: None,
            reader: Reader::Text,
        };
        self.go(State::Thinking(Box::new(thinking)))
    }

    /// Reasoning that a mark opens, and only this mark ends.
    pub(crate) fn open_literal(
        &mut self,
        at: usize,
        end: usize,
        until: &'static str,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        self.emit_text(at, cx);
        self.think_until(Until::Mark(until), end, cx)
    }

    /// Reasoning that is a message of its own.
    pub(crate) fn open_thought(&mut self, from: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.think_until(Until::Message, from, cx)
    }

    fn think_until(&mut self, until: Until, from: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.may_begin_in_thinking = false;
        self.drop_to(from, cx);
        self.scan = from;
        let thinking = Thinking {
            open: Vec::new(),
            is_prompted: false,
            until,
            calls: None,
            reader: Reader::Text,
        };
        self.go(State::Thinking(Box::new(thinking)))
    }

    /// Whether a mark in reasoning ends it, or opens a call that may end the reply.
    fn thought_mark(&self, thinking: &Thinking, at: usize, input: &Input<'_>) -> Sign {
        if let Until::Mark(until) = thinking.until {
            match input.has_word(until, at) {
                None => return Sign::Maybe,
                Some(true) => return Sign::End(at + until.len()),
                Some(false) => {}
            }
        }
        match marker::look(at, input) {
            Seen::Maybe => Sign::Maybe,
            Seen::Mark(mark, end) if thinking.ends_with(mark) => {
                Sign::End(if mark.means == Means::Header { at } else { end })
            }
            Seen::Mark(mark, end) if mark.means.begins_calls() => Sign::Call(end),
            Seen::Mark(_, end) => Sign::Other(end),
            Seen::No if thinking.until != Until::Tags || input.byte(at) == Some(b'[') => {
                Sign::Other(at + 1)
            }
            Seen::No => Sign::Tag,
        }
    }

    fn take_sign(&mut self, thinking: &mut Thinking, at: usize, sign: &Sign) {
        match sign {
            Sign::Call(end) => {
                thinking.note_call(at);
                self.scan = *end;
            }
            Sign::Other(end) | Sign::End(end) => self.scan = *end,
            Sign::Tag | Sign::Maybe => {
                thinking.reader = Reader::Head(HeadReader::new(at, self.limits.name));
            }
        }
    }

    fn emit_thinking(&mut self, to: usize, cx: &mut Cx<'_, '_>) {
        if to > self.done {
            let text = cx.input.slice(self.done..to);
            cx.sink.take(EventRef::Thinking(text, self.done as u64..to as u64));
            self.done = to;
        }
    }

    pub(crate) fn thinking(&mut self, mut thinking: Box<Thinking>, cx: &mut Cx<'_, '_>) -> Flow {
        loop {
            match &mut thinking.reader {
                Reader::Text => {
                    let found = cx.input.find2(b'<', b'[', self.scan);
                    self.scan = found.unwrap_or_else(|| cx.input.end());
                    self.forget_call(&mut thinking, cx);
                    let Some(at) = found else { return self.wait_in_thinking(thinking, cx) };
                    match self.thought_mark(&thinking, at, cx.input) {
                        Sign::Maybe => return self.wait_in_thinking(thinking, cx),
                        Sign::End(end) => return self.close_thinking_at(at, end, cx),
                        sign @ (Sign::Call(_) | Sign::Other(_) | Sign::Tag) => {
                            self.take_sign(&mut thinking, at, &sign);
                        }
                    }
                }
                Reader::Head(reader) => match reader.read(cx.input) {
                    Read::More => return self.wait_in_thinking(thinking, cx),
                    Read::Done(Mark::Tag(head)) if self.matters(&head, cx.input) => {
                        thinking.reader = Reader::Tag(LightReader::new(head));
                    }
                    Read::Done(_) | Read::Not(_) | Read::Cut => {
                        self.scan = reader.behind();
                        thinking.reader = Reader::Text;
                    }
                },
                Reader::Tag(reader) => match reader.read(cx.input) {
                    Read::More => return self.wait_in_thinking(thinking, cx),
                    Read::Done(light) => {
                        self.scan = light.end;
                        self.forget_call(&mut thinking, cx);
                        if self.thought(&mut thinking, &light, cx) {
                            return self.close_thinking(&light, cx);
                        }
                    }
                    Read::Not(_) | Read::Cut => {
                        self.scan = reader.head().name.end;
                        thinking.reader = Reader::Text;
                    }
                },
                Reader::Behind(at, from) => {
                    let (at, from) = (*at, *from);
                    if !self.look_behind(&mut thinking, at, from, cx.input) {
                        return self.wait_in_thinking(thinking, cx);
                    }
                }
            }
        }
    }

    /// Whether structure follows a start tag; `false`: that is not known yet.
    fn look_behind(
        &mut self,
        thinking: &mut Thinking,
        at: usize,
        from: usize,
        input: &Input<'_>,
    ) -> bool {
        let behind = input.skip_blanks(from);
        match input.byte(behind) {
            _ if self.is_beyond(at, behind) => {}
            Some(b'<' | b'{' | b'[') => thinking.note_call(at),
            Some(_) => {}
            None if input.is_over() => {}
            None => {
                thinking.reader = Reader::Behind(at, behind);
                return false;
            }
        }
        self.scan = behind;
        thinking.reader = Reader::Text;
        true
    }

    /// The end of reasoning without a beginning: it may have stood in the prompt.
    /// `[DH5]`
    pub(crate) fn orphan_end(&mut self, at: usize, end: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.emit_text(at, cx);
        if core::mem::take(&mut self.may_begin_in_thinking) && self.n_blocks == 0 {
            self.is_beginning = true;
            cx.sink.take(EventRef::Relabel(0..at as u64));
        }
        self.drop_to(end, cx);
        self.scan = end;
        self.is_behind_thought = true;
        self.go(State::Text)
    }

    /// The reply begins inside of reasoning, which the prompt opened.
    /// `[K7]`
    pub(crate) fn begin_in_thinking(&mut self) {
        let thinking = Thinking {
            until: Until::Tags,
            open: Vec::new(),
            is_prompted: true,
            calls: None,
            reader: Reader::Text,
        };
        self.state = State::Thinking(Box::new(thinking));
    }

    // [K3]
    fn matters(&self, head: &Head, input: &Input<'_>) -> bool {
        let is_call = !head.is_end && !head.is_loose && self.may_call(head, input);
        is_call || self.thinking_word(head, input).is_some()
    }

    /// Whether this starts a call, or an element around calls.
    /// `[DH2]`
    fn may_call(&self, head: &Head, input: &Input<'_>) -> bool {
        let word = self.names.word(input.slice(head.name.clone()));
        self.is_call(head, input) || word.is_some_and(|word| self.names.role(word) == Role::Wrapper)
    }

    /// The name of a tag of reasoning.
    fn thinking_word(&self, head: &Head, input: &Input<'_>) -> Option<Word> {
        let word = self.names.word(input.slice(head.name.clone()))?;
        (self.names.role(word) == Role::Thinking).then_some(word)
    }

    /// Counts a tag in reasoning, and tells whether it is the end.
    fn thought(&self, thinking: &mut Thinking, light: &Light, cx: &Cx<'_, '_>) -> bool {
        let head = &light.head;
        thinking.reader = Reader::Text;
        if let Some(word) = self.thinking_word(head, cx.input) {
            return match (head.is_end, light.is_closed) {
                (true, _) => thinking.close(word),
                (false, true) => false,
                (false, false) => {
                    if thinking.open.len() <= self.limits.depth {
                        thinking.open.push(word);
                    }
                    false
                }
            };
        }
        let is_bare = head.name.end + 1 == light.end;
        let is_line = matches!(self.char_before(head.at, cx.input), Some('\n'));
        if is_bare && !is_line {
            thinking.reader = Reader::Behind(head.at, light.end);
        } else {
            thinking.note_call(head.at);
        }
        false
    }

    /// What is held too long is no call.
    fn forget_call(&mut self, thinking: &mut Thinking, cx: &mut Cx<'_, '_>) {
        let Some((first, _)) = thinking.calls else { return };
        if self.is_beyond(first, self.scan) {
            thinking.calls = None;
            self.emit_thinking(first, cx);
            self.fault(Reason::Limit, "thinking", first..first, cx);
        }
    }

    fn close_thinking(&mut self, light: &Light, cx: &mut Cx<'_, '_>) -> Flow {
        self.close_thinking_at(light.head.at, light.end, cx)
    }

    fn close_thinking_at(&mut self, at: usize, end: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.emit_thinking(at, cx);
        self.drop_to(end, cx);
        self.scan = end;
        self.is_behind_thought = true;
        self.line.is_blank = true;
        self.go(State::LineHead(LineHead::new()))
    }

    // [K8]
    fn wait_in_thinking(&mut self, mut thinking: Box<Thinking>, cx: &mut Cx<'_, '_>) -> Flow {
        self.forget_call(&mut thinking, cx);
        if cx.input.is_over() {
            return self.end_in_thinking(&thinking, cx);
        }
        let reading = match &thinking.reader {
            Reader::Text => before_bracket(self.scan, cx.input),
            Reader::Head(reader) => before_bracket(reader.at(), cx.input),
            Reader::Tag(reader) => reader.head().at,
            Reader::Behind(at, _) => *at,
        };
        let hold = thinking.calls.map_or(reading, |(first, _)| first.min(reading));
        self.emit_thinking(hold, cx);
        self.wait(State::Thinking(thinking))
    }

    /// The reply ends in reasoning: it was reasoning, but for one whole call at its end.
    /// `[K4]`
    /// `[DH3]` `[DH4]`
    fn end_in_thinking(&mut self, thinking: &Thinking, cx: &mut Cx<'_, '_>) -> Flow {
        let end = cx.input.end();
        let is_stop = cx.finish == Some(Finish::Stop);
        let (first, last) = thinking.calls.filter(|_| is_stop).unwrap_or((end, end));
        let call = [first, last].into_iter().find(|&at| at < end && self.is_one_call(at, cx));
        let Some(at) = call else {
            self.emit_thinking(end, cx);
            self.scan = end;
            return self.go(State::Text);
        };
        self.emit_thinking(at, cx);
        self.is_recovered = true;
        self.line.is_blank = true;
        self.rewind(at, end, State::Text, cx)
    }

    /// Whether the rest of the reply is exactly one whole call.
    fn is_one_call(&self, at: usize, cx: &Cx<'_, '_>) -> bool {
        let mut judge = Judge::default();
        self.part(at).read_part(at, cx.input.end(), cx.input, &mut judge);
        judge.holds_only_calls() && judge.n_calls == 1 && !judge.has_thinking
    }
}

impl Thinking {
    /// Whether a mark ends it.
    fn ends_with(&self, mark: marker::Mark) -> bool {
        match self.until {
            Until::Message => mark.ends_message(),
            Until::Tags if self.is_prompted => mark.means == Means::EndThink || mark.ends_message(),
            Until::Tags | Until::Mark(_) => false,
        }
    }

    /// Takes an end tag, and tells whether it is the last. One that nothing of its name opened ends
    /// what is open: models mix the spellings.
    /// `[K2]` `[K6]`
    fn close(&mut self, word: Word) -> bool {
        match self.open.iter().rposition(|open| *open == word) {
            Some(at) => self.open.truncate(at),
            None if self.open.pop().is_none() => return true,
            None => {}
        }
        self.open.is_empty() && !self.is_prompted
    }

    fn note_call(&mut self, at: usize) {
        self.calls = Some((self.calls.map_or(at, |(first, _)| first), at));
    }
}
