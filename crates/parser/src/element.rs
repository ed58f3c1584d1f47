//! Elements that are not registered: around calls they are looked through, shaped like a call they
//! are named as unknown, else they are text.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::{
    chars::trim,
    dialect::Role,
    doomed::Doom,
    foreign::Manner,
    input::{Input, Peek},
    machine::{Cx, Flow, Machine, State},
    names::ToolId,
    near,
    start::StartReader,
    tag::{Head, HeadReader, LightReader, Mark, Read, StartTag},
    text::Sight,
};

/// Most elements that are looked through at once.
const DEEPEST: usize = 4;

/// A chain of start tags, each directly behind the one before.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) chain: Vec<StartTag>,
    is_wrapper: bool,
    pub(crate) next: Next,
}

/// What is read behind the chain.
#[derive(Debug)]
pub(crate) enum Next {
    Gap,
    Head(HeadReader),
    Tag(Box<StartReader>),
    /// A word that may be a tool's name, from here.
    Word(usize),
    /// In the tag behind a tool's name, which ends the name's element.
    NameEnd(ToolId, HeadReader),
    End(ToolId, LightReader),
    /// Behind the name's element, which ends here.
    Behind(ToolId, usize),
    First(ToolId, usize, HeadReader),
}

/// What the chain turned out to be.
pub(crate) enum Found {
    /// The chunk is over.
    More,
    /// Reading goes on.
    Again,
    /// Calls stand in it, from here.
    Calls(usize),
    /// What stands in it is no tag: the name of a tool, or a body in another syntax.
    Body,
    /// A call of an unknown tool, and the tools it may mean.
    Unknown(Vec<String>),
    /// Values of this tool stand behind the element that names it, which ends here.
    Values(ToolId, usize),
    /// Nothing that is known.
    Nothing,
}

impl Machine {
    pub(crate) fn start_element(&mut self, tag: StartTag, sight: Sight) -> Flow {
        self.scan = tag.end;
        let is_wrapper = sight == Sight::Wrapper;
        let element = Element { chain: alloc::vec![tag], is_wrapper, next: Next::Gap };
        self.go(State::Element(Box::new(element)))
    }

    // [U1] [U4]
    pub(crate) fn element(&mut self, mut element: Box<Element>, cx: &mut Cx<'_, '_>) -> Flow {
        let Some(first) = element.chain.first() else { return self.go(State::Text) };
        let (at, behind_name, end) = (first.head.at, first.head.name.end, first.end);
        let is_closed = first.is_closed;
        let name = String::from(cx.input.slice(first.head.name.clone()));
        self.emit_text(at, cx);
        loop {
            let is_beyond = is_closed || self.is_beyond(at, self.scan);
            let found =
                if is_beyond { Found::Nothing } else { self.look_into(&mut element, cx.input) };
            let is_beyond = self.is_beyond(at, self.scan);
            match if is_beyond { Found::Nothing } else { found } {
                Found::More => return self.wait(State::Element(element)),
                Found::Again => {}
                Found::Calls(call) => return self.look_through_to(&element, call, cx),
                Found::Body => {
                    let is_closed = !crate::dialect::is_unclosed(&name);
                    let manner = Manner {
                        is_closed,
                        evidence: self.element_evidence(),
                        ..Manner::closed(at)
                    };
                    return self.open_foreign(manner, end, cx);
                }
                Found::Values(tool, behind) => return self.call_named(&element, tool, behind, cx),
                Found::Unknown(nearest) => {
                    return self.doom(Doom::element(name, at, end, nearest), cx);
                }
                Found::Nothing if !element.is_wrapper && self.is_near_tool(&name) => {
                    return if is_closed {
                        self.close_unknown(name, at, end, cx)
                    } else {
                        self.doom(Doom::element(name, at, end, Vec::new()), cx)
                    };
                }
                Found::Nothing => {
                    self.line.is_blank = false;
                    let looked_at = self.scan;
                    return self.rewind(behind_name, looked_at, State::Text, cx);
                }
            }
        }
    }

    fn is_near_tool(&self, name: &str) -> bool {
        self.names.tool_names().any(|tool| near::is_near(name, tool))
    }

    fn close_unknown(&mut self, name: String, at: usize, end: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.fault(crate::Reason::UnknownTool, &name, at..end, cx);
        (self.done, self.scan) = (end, end);
        self.go(State::Text)
    }

    /// The end tag of an element of this name will stand for nothing.
    pub(crate) fn open_wrapper(&mut self, name: &str) {
        self.wrappers.push(name.into());
        let excess = self.wrappers.len().saturating_sub(self.limits.depth);
        self.wrappers.drain(..excess);
    }

    /// The chain is around calls: its tags stand for nothing.
    /// `[U5]`
    fn look_through_to(&mut self, element: &Element, call: usize, cx: &mut Cx<'_, '_>) -> Flow {
        for tag in &element.chain {
            self.open_wrapper(cx.input.slice(tag.head.name.clone()));
        }
        self.drop_to(call, cx);
        self.scan = call;
        self.line.is_blank = true;
        self.go(State::Text)
    }

    fn look_into(&mut self, element: &mut Element, input: &Input<'_>) -> Found {
        match &mut element.next {
            Next::Gap => self.gap(element, input),
            Next::Head(reader) => match reader.read(input) {
                Read::More => Found::More,
                Read::Done(Mark::Tag(head)) if !head.is_end => self.inner(element, head, input),
                Read::Done(_) | Read::Not(_) | Read::Cut => Found::Nothing,
            },
            Next::Tag(reader) => match reader.read(input) {
                Ok(Read::More) => Found::More,
                Ok(Read::Done(tag)) if !tag.is_closed => {
                    self.scan = tag.end;
                    element.chain.push(tag);
                    element.next = Next::Gap;
                    Found::Again
                }
                Ok(Read::Done(_) | Read::Not(_) | Read::Cut) | Err(_) => Found::Nothing,
            },
            Next::Word(from) => {
                let from = *from;
                self.word(element, from, input)
            }
            Next::NameEnd(..) | Next::End(..) | Next::Behind(..) | Next::First(..) => {
                self.look_behind_name(element, input)
            }
        }
    }

    fn gap(&mut self, element: &mut Element, input: &Input<'_>) -> Found {
        self.scan = input.skip_blanks(self.scan);
        match input.peek(self.scan) {
            Peek::More => Found::More,
            Peek::Byte(b'<' | b']') => {
                element.next = Next::Head(HeadReader::at_mark(self.scan, self.limits.name, input));
                Found::Again
            }
            Peek::Byte(_) if self.is_name_tag(element, input) => {
                element.next = Next::Word(self.scan);
                Found::Again
            }
            Peek::Byte(_) if element.is_wrapper && element.chain.len() == 1 => Found::Body,
            Peek::Over if element.is_wrapper && element.chain.len() == 1 => Found::Body,
            Peek::Byte(_) if element.chain.len() > 1 => {
                element.next = Next::Word(self.scan);
                Found::Again
            }
            Peek::Byte(_) | Peek::Over => Found::Nothing,
        }
    }

    /// A start tag directly behind the chain.
    /// `[U2]`
    fn inner(&self, element: &mut Element, head: Head, input: &Input<'_>) -> Found {
        let word = self.names.word(input.slice(head.name.clone()));
        if !element.is_wrapper && word.is_some_and(|word| self.names.is_param(word)) {
            return Found::Unknown(Vec::new());
        }
        let is_around = element.is_wrapper
            && head.is_bounded(input)
            && word.is_some_and(|word| self.names.role(word) == Role::Wrapper);
        let is_carrier =
            element.is_wrapper && word.is_some_and(|word| self.names.role(word) == Role::Param);
        if is_around || is_carrier || self.is_call(&head, input) {
            return Found::Calls(head.at);
        }
        if element.chain.len() >= DEEPEST || !head.is_bounded(input) {
            return Found::Nothing;
        }
        element.next = Next::Tag(Box::new(StartReader::new(head, &self.limits)));
        Found::Again
    }

    /// Whether the whole text of a child is a tool's name.
    /// `[U3]`
    fn word(&mut self, element: &mut Element, from: usize, input: &Input<'_>) -> Found {
        let found = input.find1(b'<', self.scan);
        self.scan = found.unwrap_or_else(|| input.end());
        if self.scan - from > self.limits.name {
            self.scan = from + self.limits.name;
            return Found::Nothing;
        }
        if found.is_none() {
            return if input.is_over() { Found::Nothing } else { Found::More };
        }
        let text = trim(input.slice(from..self.scan));
        match self.names.word(text).and_then(|word| self.names.tool_named(word, text)) {
            Some(tool) if self.is_name_tag(element, input) => {
                let reader = HeadReader::new(self.scan, self.limits.name);
                element.next = Next::NameEnd(tool, reader);
                Found::Again
            }
            Some(tool) => self.unknown(element, tool),
            None => Found::Nothing,
        }
    }
}
