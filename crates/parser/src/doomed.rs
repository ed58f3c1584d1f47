//! What cannot be run, up to its end: read over, so that nothing in it runs either.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::{
    Fault, Limits, Reason,
    chars::is_same_name,
    input::Input,
    machine::{Cx, Flow, Machine, State, excerpt},
    names::Word,
    near,
    sink::EventRef,
    tag::{Head, HeadReader, Light, LightReader, Mark, Read},
    target::Target,
    text::Sight,
};

/// Whose end tag ends it.
#[derive(Clone, Debug)]
enum Own {
    Word(Word),
    Name(String),
    Target(Target),
}

/// Something that cannot be run.
#[derive(Clone, Debug)]
pub(crate) struct Doom {
    reason: Reason,
    tag: String,
    at: usize,
    /// Where reading goes on.
    from: usize,
    own: Own,
    /// Where it ends if it has no end tag; `None`: where the reply ends.
    fallback: Option<usize>,
    /// Whether a call at the start of a line ends it.
    is_stopped: bool,
    nearest: Vec<String>,
}

impl Doom {
    /// A call of a tool that is not registered, by an element of this word.
    /// `[DT10]`
    pub(crate) const fn unknown(tag: String, at: usize, end: usize, own: Word) -> Self {
        let own = Own::Word(own);
        let reason = Reason::UnknownTool;
        Self {
            reason,
            tag,
            at,
            from: end,
            own,
            fallback: None,
            is_stopped: true,
            nearest: Vec::new(),
        }
    }

    /// An element of this name, which is not registered.
    pub(crate) fn element(tag: String, at: usize, end: usize, nearest: Vec<String>) -> Self {
        let own = Own::Name(tag.clone());
        let (reason, fallback) = (Reason::UnknownTool, Some(end));
        Self { reason, tag, at, from: end, own, fallback, is_stopped: true, nearest }
    }

    /// A block with another call in it.
    pub(crate) fn nested(tag: String, at: usize, target: Target, inner: usize) -> Self {
        let own = Own::Target(target);
        let (reason, fallback) = (Reason::NestedTool, Some(inner));
        Self { reason, tag, at, from: inner, own, fallback, is_stopped: false, nearest: Vec::new() }
    }

    /// A block in which a tag is broken.
    pub(crate) fn malformed(tag: String, at: usize, target: Target, from: usize) -> Self {
        let own = Own::Target(target);
        let reason = Reason::MalformedTag;
        Self { reason, tag, at, from, own, fallback: None, is_stopped: true, nearest: Vec::new() }
    }
}

/// The search for its end.
#[derive(Debug)]
pub(crate) struct Doomed {
    doom: Doom,
    depth: usize,
    reader: Reader,
}

#[derive(Debug)]
enum Reader {
    Text,
    Head(HeadReader),
    Tag(LightReader),
}

impl Machine {
    pub(crate) fn doom(&mut self, doom: Doom, _cx: &mut Cx<'_, '_>) -> Flow {
        self.scan = doom.from;
        self.go(State::Doomed(Box::new(Doomed { doom, depth: 0, reader: Reader::Text })))
    }

    /// A tool's start tag at the start of a line that lost its `>`.
    pub(crate) fn start_malformed(
        &mut self,
        head: Head,
        broken: usize,
        sight: Sight,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        self.emit_text(head.at, cx);
        let tag = String::from(cx.input.slice(head.name.clone()));
        let mut doom = match sight {
            Sight::Tool(tool, own) => {
                let target = Target::native(tool, own);
                Doom::malformed(tag, head.at, target, broken)
            }
            Sight::Call(_, own) => Doom::unknown(tag, head.at, broken, own),
            Sight::Thinking(_)
            | Sight::Result(_)
            | Sight::Wrapper
            | Sight::Param
            | Sight::Carrier
            | Sight::Debris
            | Sight::Frame
            | Sight::Unknown => return self.as_text(head.name.end),
        };
        doom.reason = Reason::MalformedTag;
        doom.fallback = Some(broken);
        self.doom(doom, cx)
    }

    // [U6]
    pub(crate) fn doomed(&mut self, mut doomed: Box<Doomed>, cx: &mut Cx<'_, '_>) -> Flow {
        let hold = doomed.doom.from;
        loop {
            match &mut doomed.reader {
                Reader::Text => {
                    let found = cx.input.find1(b'<', self.scan);
                    self.scan = found.unwrap_or_else(|| cx.input.end());
                    if self.is_beyond(hold, self.scan) {
                        let end = cx.input.floor(hold + self.limits.held);
                        return self.endless(&doomed.doom, end, cx);
                    }
                    match found {
                        Some(at) => doomed.reader = Reader::Head(new_reader(at, &self.limits)),
                        None if cx.input.is_over() => {
                            return self.endless(&doomed.doom, cx.input.end(), cx);
                        }
                        None => return self.wait(State::Doomed(doomed)),
                    }
                }
                Reader::Head(reader) => match reader.read(cx.input) {
                    Read::More => return self.wait(State::Doomed(doomed)),
                    Read::Done(Mark::Tag(head)) => {
                        if doomed.doom.is_stopped && self.is_line_call(&head, cx.input) {
                            return self.close_doom(&doomed.doom, head.at, cx);
                        }
                        self.scan = head.name.end;
                        doomed.reader = Reader::Tag(LightReader::new(head));
                    }
                    Read::Done(_) | Read::Not(_) | Read::Cut => {
                        self.scan = reader.behind();
                        doomed.reader = Reader::Text;
                    }
                },
                Reader::Tag(reader) => match reader.read(cx.input) {
                    Read::More => return self.wait(State::Doomed(doomed)),
                    Read::Done(light) => {
                        doomed.reader = Reader::Text;
                        if self.count(&mut doomed, &light, cx.input) {
                            return self.close_doom(&doomed.doom, light.end, cx);
                        }
                    }
                    Read::Not(_) | Read::Cut => doomed.reader = Reader::Text,
                },
            }
        }
    }

    /// Counts a tag, and tells whether it is the end.
    fn count(&self, doomed: &mut Doomed, light: &Light, input: &Input<'_>) -> bool {
        let name = input.slice(light.head.name.clone());
        let word = self.names.word(name);
        let is_own = match &doomed.doom.own {
            Own::Word(own) => word == Some(*own),
            Own::Name(own) => is_same_name(own, name),
            Own::Target(target) => word.is_some_and(|word| target.is_own(word, &self.names)),
        };
        if !is_own || light.is_closed {
            return false;
        }
        if !light.head.is_end {
            doomed.depth += usize::from(doomed.depth < self.limits.depth);
            return false;
        }
        doomed.depth = match doomed.depth.checked_sub(1) {
            Some(depth) => depth,
            None => return true,
        };
        false
    }

    /// Whether a call starts here, at the start of a line.
    fn is_line_call(&self, head: &Head, input: &Input<'_>) -> bool {
        !head.is_end && self.char_before(head.at, input) == Some('\n') && self.is_call(head, input)
    }

    /// Whether this starts a call.
    pub(crate) fn is_call(&self, head: &Head, input: &Input<'_>) -> bool {
        let name = input.slice(head.name.clone());
        self.names.word(name).is_some_and(|word| {
            let is_call = matches!(self.names.role(word), crate::dialect::Role::Call(_));
            is_call || (head.is_bounded(input) && self.names.tool_named(word, name).is_some())
        })
    }

    /// It has no end tag.
    fn endless(&mut self, doom: &Doom, looked_at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        let end = doom.fallback.unwrap_or(looked_at);
        match self.close_doom(doom, end, cx) {
            Flow::NeedInput => Flow::NeedInput,
            Flow::Again => self.rewind(end, looked_at, State::Text, cx),
        }
    }

    // [G3]
    fn close_doom(&mut self, doom: &Doom, end: usize, cx: &mut Cx<'_, '_>) -> Flow {
        // Where a broken tag ends is a guess, and so is what follows it.
        self.is_recovered |= matches!(doom.reason, Reason::MalformedTag | Reason::NestedTool);
        if self.block.as_ref().is_some_and(|block| block.is_unknown) {
            return self.close_block(end, cx);
        }
        if let Some(block) = self.block.take() {
            Self::abort(&block, cx);
        }
        let found = excerpt(cx.input.slice(doom.from.min(end)..end));
        let nearest = if doom.reason == Reason::UnknownTool && doom.nearest.is_empty() {
            near::nearest(&doom.tag, self.names.tool_names())
        } else {
            doom.nearest.clone()
        };
        let span = doom.at as u64..end as u64;
        let tag = doom.tag.clone();
        cx.sink.take(EventRef::Fault(Fault { reason: doom.reason, tag, span, found, nearest }));
        (self.done, self.scan) = (end, end);
        self.line.is_blank = true;
        self.go(State::Text)
    }
}

const fn new_reader(at: usize, limits: &Limits) -> HeadReader {
    HeadReader::new(at, limits.name)
}
