//! Elements inside a block that the tool does not declare: around declared ones they are looked
//! through, else they are kept apart.

use alloc::{boxed::Box, vec::Vec};

use crate::{
    chars::is_same_name,
    dialect::Role,
    input::{Input, Peek},
    inside::Inside,
    machine::{Cx, Flow, Machine, State},
    start::StartReader,
    tag::{HeadReader, Mark, Read, StartTag},
    value::Then,
};

/// Elements around all arguments of a call, which are then JSON.
const ARGUMENTS: &[&str] = &["arguments", "args", "parameters", "params", "input"];

/// Most elements that are looked through at once.
const DEEPEST: usize = 4;

/// A chain of start tags, each directly behind the one before.
#[derive(Debug)]
pub(crate) struct Wrapped {
    chain: Vec<StartTag>,
    next: Next,
}

#[derive(Debug)]
enum Next {
    Gap,
    Head(HeadReader),
    Tag(Box<StartReader>),
}

/// What the chain turned out to be.
enum Found {
    More,
    Again,
    /// Declared elements stand in it, from here.
    Values(usize),
    /// Arguments as JSON stand in it, from here.
    Object(usize),
    Nothing,
}

impl Wrapped {
    pub(crate) fn new(tag: StartTag) -> Self {
        Self { chain: alloc::vec![tag], next: Next::Gap }
    }
}

impl Machine {
    // [I2]
    pub(crate) fn wrapped(&mut self, mut wrapped: Box<Wrapped>, cx: &mut Cx<'_, '_>) -> Flow {
        let Some(at) = wrapped.chain.first().map(|tag| tag.head.at) else {
            return self.go(State::Text);
        };
        loop {
            let is_beyond = self.is_beyond(at, self.scan);
            let found = if is_beyond {
                Found::Nothing
            } else {
                self.look_in_wrapped(&mut wrapped, cx.input)
            };
            match found {
                Found::More => return self.wait(State::Wrapped(wrapped)),
                Found::Again => {}
                Found::Values(from) => return self.unwrap_values(&wrapped, from, cx),
                Found::Object(at) => {
                    self.unwrap_values(&wrapped, at, cx);
                    return self.open_object(at);
                }
                Found::Nothing => {
                    let tag = wrapped.chain.swap_remove(0);
                    return self.open_child(tag, Then::Inside, cx);
                }
            }
        }
    }

    fn unwrap_values(&mut self, wrapped: &Wrapped, from: usize, cx: &Cx<'_, '_>) -> Flow {
        if let Some(block) = &mut self.block {
            for tag in &wrapped.chain {
                block.wrappers.push(cx.input.slice(tag.head.name.clone()).into());
            }
            let excess = block.wrappers.len().saturating_sub(self.limits.depth);
            block.wrappers.drain(..excess);
        }
        (self.scan, self.done) = (from, from);
        self.go(State::Inside(Box::new(Inside::in_wrapper())))
    }

    fn look_in_wrapped(&mut self, wrapped: &mut Wrapped, input: &Input<'_>) -> Found {
        match &mut wrapped.next {
            Next::Gap => {
                self.scan = input.skip_blanks(self.scan);
                match input.peek(self.scan) {
                    Peek::More => Found::More,
                    Peek::Byte(b'<') => {
                        wrapped.next = Next::Head(HeadReader::new(self.scan, self.limits.name));
                        Found::Again
                    }
                    Peek::Byte(b'{') if is_around_object(wrapped, input) => {
                        match self.begins_object(self.scan, input) {
                            None => Found::More,
                            Some(true) => Found::Object(self.scan),
                            Some(false) => Found::Nothing,
                        }
                    }
                    Peek::Byte(_) | Peek::Over => Found::Nothing,
                }
            }
            Next::Head(reader) => match reader.read(input) {
                Read::More => Found::More,
                Read::Done(Mark::Tag(head)) if !head.is_end => {
                    if self.is_declared_value(input.slice(head.name.clone())) {
                        return Found::Values(head.at);
                    }
                    if wrapped.chain.len() >= DEEPEST || !head.is_bounded(input) {
                        return Found::Nothing;
                    }
                    wrapped.next = Next::Tag(Box::new(StartReader::new(head, &self.limits)));
                    Found::Again
                }
                Read::Done(_) | Read::Not(_) | Read::Cut => Found::Nothing,
            },
            Next::Tag(reader) => match reader.read(input) {
                Ok(Read::More) => Found::More,
                Ok(Read::Done(tag)) if !tag.is_closed => {
                    self.scan = tag.end;
                    wrapped.chain.push(tag);
                    wrapped.next = Next::Gap;
                    Found::Again
                }
                Ok(Read::Done(_) | Read::Not(_) | Read::Cut) | Err(_) => Found::Nothing,
            },
        }
    }

    /// Whether the open block's tool declares a value of this name.
    fn is_declared_value(&self, name: &str) -> bool {
        let Some(block) = &self.block else { return false };
        self.names.word(name).is_some_and(|word| {
            self.names.param(block.target.tool, word).is_some()
                || self.names.role(word) == Role::Param
        })
    }
}

/// Whether the innermost element is one that models write around all arguments.
fn is_around_object(wrapped: &Wrapped, input: &Input<'_>) -> bool {
    let name = wrapped.chain.last().map(|tag| input.slice(tag.head.name.clone()));
    name.is_some_and(|name| ARGUMENTS.iter().any(|it| is_same_name(it, name)))
}
