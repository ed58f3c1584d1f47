//! Values whose names are text of their own: `<arg_key>path</arg_key><arg_value>…</arg_value>`, and
//! `<parameter>path</parameter>…`.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::ops::Range;

use crate::{
    Reason, RepairKind,
    chars::trim,
    dialect::{self, Role, Trim},
    input::{Input, Peek},
    inside::Inside,
    machine::{Cx, Flow, Machine, State},
    names::Word,
    own::Own,
    start::StartReader,
    tag::{Head, HeadReader, LightReader, Mark, Read, StartTag},
    value::Then,
};

/// A name, and what stands between it and its value.
#[derive(Debug)]
pub(crate) struct Pair {
    /// The start tag before the name.
    tag: StartTag,
    name: Option<String>,
    is_json: Option<bool>,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// In the name.
    Name,
    /// In the tag behind the name.
    NameEnd(HeadReader),
    /// In the end tag of the name.
    End(LightReader),
    /// Behind the name, which ends here.
    Gap(usize),
    /// In a tag behind it.
    Head(usize, HeadReader),
    /// In the start tag of the value, or of its type.
    Start(usize, Box<StartReader>),
    /// In the type, which starts here.
    Type(usize),
    /// In the end tag of the type.
    TypeEnd(HeadReader),
}

/// How a step went.
enum Step {
    Again,
    Wait,
    /// The reply is over.
    Over,
    /// It is no name.
    NoName,
    /// The value starts here, behind its start tag.
    Value(usize),
    /// The value starts here, without a start tag.
    Bare(usize),
    /// No value stands behind the name.
    NoValue(usize),
}

/// The tag that was read, or what comes instead.
fn tag_of(read: Read<Mark>, otherwise: Step) -> Result<Head, Step> {
    match read {
        Read::More => Err(Step::Wait),
        Read::Cut => Err(Step::Over),
        Read::Done(Mark::Tag(head)) => Ok(head),
        Read::Done(Mark::Cdata(_) | Mark::Comment(_)) | Read::Not(_) => Err(otherwise),
    }
}

impl Machine {
    /// The start tag of a name.
    pub(crate) fn open_pair(&mut self, tag: StartTag) -> Flow {
        self.scan = tag.end;
        let pair = Pair { tag, name: None, is_json: None, stage: Stage::Name };
        self.go(State::Pair(Box::new(pair)))
    }

    pub(crate) fn pair(&mut self, mut pair: Box<Pair>, cx: &mut Cx<'_, '_>) -> Flow {
        loop {
            if self.is_beyond(pair.tag.head.at, self.scan) {
                return self.no_name(*pair, cx);
            }
            match self.step_pair(&mut pair, cx.input) {
                Step::Again => {}
                Step::Wait if cx.input.is_over() => return self.over_pair(*pair, cx),
                Step::Wait => return self.wait(State::Pair(pair)),
                Step::Over => return self.over_pair(*pair, cx),
                Step::NoName => return self.no_name(*pair, cx),
                Step::Value(from) => return self.named_value(*pair, from, true, cx),
                Step::Bare(from) => return self.named_value(*pair, from, false, cx),
                Step::NoValue(at) => return self.no_value(&pair, at, cx),
            }
        }
    }

    fn step_pair(&mut self, pair: &mut Pair, input: &Input<'_>) -> Step {
        match &mut pair.stage {
            Stage::Name => self.in_pair_name(pair, input),
            Stage::NameEnd(reader) => match tag_of(reader.read(input), Step::NoName) {
                Ok(head) => self.behind_name(pair, head, input),
                Err(step) => step,
            },
            Stage::End(reader) => match reader.read(input) {
                Read::More => Step::Wait,
                Read::Cut => Step::Over,
                Read::Not(_) => Step::NoName,
                Read::Done(light) => {
                    self.scan = light.end;
                    pair.stage = Stage::Gap(light.end);
                    Step::Again
                }
            },
            Stage::Gap(from) => {
                let from = *from;
                self.before_value(pair, from, input)
            }
            Stage::Head(from, reader) => {
                let from = *from;
                match tag_of(reader.read(input), Step::Bare(from)) {
                    Ok(head) => self.value_tag(pair, from, head, input),
                    Err(step) => step,
                }
            }
            Stage::Start(from, reader) => {
                let from = *from;
                match reader.read(input) {
                    Ok(Read::More) => Step::Wait,
                    Ok(Read::Cut) => Step::Over,
                    Ok(Read::Not(_)) | Err(_) => Step::Bare(from),
                    Ok(Read::Done(tag)) => self.value_start(pair, &tag, input),
                }
            }
            Stage::Type(from) => {
                let from = *from;
                self.in_type(pair, from, input)
            }
            Stage::TypeEnd(reader) => match tag_of(reader.read(input), Step::NoName) {
                Ok(head) if head.is_end => {
                    pair.stage = Stage::End(LightReader::new(head));
                    Step::Again
                }
                Ok(_) => Step::NoName,
                Err(step) => step,
            },
        }
    }

    /// Moves to the next `<`, if it stands near.
    fn near_tag(&mut self, from: usize, input: &Input<'_>) -> Result<usize, Step> {
        let found = input.find1(b'<', self.scan);
        self.scan = found.unwrap_or_else(|| input.end());
        match found {
            _ if self.scan - from > self.limits.name => Err(Step::NoName),
            Some(at) => Ok(at),
            None => Err(Step::Wait),
        }
    }

    // [DK1]
    fn in_pair_name(&mut self, pair: &mut Pair, input: &Input<'_>) -> Step {
        match self.near_tag(pair.tag.end, input) {
            Err(step) => step,
            Ok(at) => {
                pair.stage = Stage::NameEnd(HeadReader::new(at, self.limits.name));
                Step::Again
            }
        }
    }

    /// The tag that ends a name: its own, or what must follow it.
    fn behind_name(&mut self, pair: &mut Pair, head: Head, input: &Input<'_>) -> Step {
        let name = trim(input.slice(pair.tag.end..head.at));
        let role = self.marked_role(&head, input);
        let is_key = self.is_key(&pair.tag, input);
        let is_named = is_key || self.names.word(name).is_some_and(|word| self.declares(word));
        if name.is_empty() || !is_named {
            return Step::NoName;
        }
        pair.name = Some(name.into());
        match (role, head.is_end) {
            (Role::Key | Role::Param, true) => pair.stage = Stage::End(LightReader::new(head)),
            (Role::Value | Role::Kind, false) if is_key => {
                self.mended(RepairKind::MissingClose, head.at..head.at);
                self.scan = head.at;
                pair.stage = Stage::Gap(head.at);
            }
            _ => return Step::NoName,
        }
        Step::Again
    }

    fn before_value(&mut self, pair: &mut Pair, from: usize, input: &Input<'_>) -> Step {
        if !self.is_key(&pair.tag, input) {
            return Step::Bare(from);
        }
        self.scan = input.skip_blanks(self.scan);
        match input.peek(self.scan) {
            Peek::More => Step::Wait,
            Peek::Over => Step::Over,
            Peek::Byte(b'<' | b']') => {
                let reader = HeadReader::at_mark(self.scan, self.limits.name, input);
                pair.stage = Stage::Head(from, reader);
                Step::Again
            }
            Peek::Byte(_) => Step::Bare(from),
        }
    }

    /// A tag where a value is due.
    /// `[DK4]`
    fn value_tag(&mut self, pair: &mut Pair, from: usize, head: Head, input: &Input<'_>) -> Step {
        let block = self.block.as_ref();
        let is_block_end = head.is_end
            && block.is_some_and(|block| {
                let word = block.target.word(&head, &self.names, input);
                word.is_some_and(|word| block.target.is_own(word, &self.names))
            });
        match (self.marked_role(&head, input), head.is_end) {
            (Role::Value | Role::Kind, false) => {
                let reader = StartReader::new(head, &self.limits);
                pair.stage = Stage::Start(from, Box::new(reader));
                Step::Again
            }
            (Role::Key, true) => {
                if let Some(block) = &mut self.block {
                    block.recover();
                    block.note(Reason::MismatchedClose, head.at..head.name.end, "");
                }
                pair.stage = Stage::End(LightReader::new(head));
                Step::Again
            }
            (Role::Key, false) => Step::NoValue(head.at),
            _ if is_block_end => Step::NoValue(head.at),
            _ => Step::Bare(from),
        }
    }

    fn value_start(&mut self, pair: &mut Pair, tag: &StartTag, input: &Input<'_>) -> Step {
        self.scan = tag.end;
        if self.marked_role(&tag.head, input) == Role::Kind && !tag.is_closed {
            pair.stage = Stage::Type(tag.end);
            return Step::Again;
        }
        Step::Value(tag.end)
    }

    fn in_type(&mut self, pair: &mut Pair, from: usize, input: &Input<'_>) -> Step {
        match self.near_tag(from, input) {
            Err(step) => step,
            Ok(at) => {
                pair.is_json = Some(!dialect::is_text(trim(input.slice(from..at))));
                pair.stage = Stage::TypeEnd(HeadReader::new(at, self.limits.name));
                Step::Again
            }
        }
    }

    /// What a tag means, if it is marked as those of the open block are.
    fn marked_role(&self, head: &Head, input: &Input<'_>) -> Role {
        let block = self.block.as_ref();
        let word = block.and_then(|block| block.target.word(head, &self.names, input));
        word.map_or(Role::None, |word| self.names.role(word))
    }

    fn is_key(&self, tag: &StartTag, input: &Input<'_>) -> bool {
        let word = self.names.word(input.slice(tag.head.name.clone()));
        word.is_some_and(|word| self.names.role(word) == Role::Key)
    }

    /// Whether the open block's tool declares a value of this name.
    fn declares(&self, word: Word) -> bool {
        let block = self.block.as_ref();
        block.is_some_and(|block| self.names.param(block.target.tool, word).is_some())
    }

    /// The value begins.
    fn named_value(
        &mut self,
        pair: Pair,
        from: usize,
        has_start: bool,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let is_key = self.is_key(&pair.tag, cx.input);
        let name = pair.name.unwrap_or_default();
        let opening = self.opening_of(&name, Vec::new(), pair.is_json, false);
        let written = if is_key { "arg_value" } else { cx.input.slice(pair.tag.head.name.clone()) };
        let own = self.names.word(written).map_or_else(|| Own::Name(written.into()), Own::Word);
        match (is_key, has_start) {
            (true, true) => {}
            (true, false) => self.mended(RepairKind::MissingOpen, from..from),
            (false, _) => self.mended(RepairKind::NameAsText, pair.tag.head.at..from),
        }
        if let Some(block) = &mut self.block {
            block.mention = None;
        }
        let trim = match (is_key, has_start) {
            (true, true) => None,
            (true, false) => Some(Trim::Layout),
            (false, _) => Some(Trim::Lines),
        };
        self.done = from;
        self.open_carried(opening, own, from, trim)
    }

    /// It is no name: a value without one, or nothing.
    /// `[DK7]`
    fn no_name(&mut self, pair: Pair, cx: &mut Cx<'_, '_>) -> Flow {
        let looked_at = self.scan;
        let end = pair.tag.end;
        let flow = if self.is_key(&pair.tag, cx.input) {
            self.refuse_pair(pair.tag.head.at..end, cx.input);
            self.stray_text(Box::new(Inside::first()), end, cx)
        } else {
            self.open_child(pair.tag, Then::Inside, cx)
        };
        match flow {
            Flow::NeedInput => Flow::NeedInput,
            Flow::Again => {
                let state = core::mem::take(&mut self.state);
                self.rewind(self.scan, looked_at, state, cx)
            }
        }
    }

    /// A name without a value.
    /// `[DK7]`
    fn no_value(&mut self, pair: &Pair, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.refuse_pair(pair.tag.head.at..at, cx.input);
        (self.scan, self.done) = (at, at);
        self.go(State::Inside(Box::new(Inside::behind_value())))
    }

    fn refuse_pair(&mut self, span: Range<usize>, input: &Input<'_>) {
        if let Some(block) = &mut self.block {
            block.refuse(Reason::MalformedTag, span.clone(), input.slice(span));
        }
    }

    /// The reply is over before the value.
    /// `[DK5]`
    fn over_pair(&mut self, pair: Pair, cx: &mut Cx<'_, '_>) -> Flow {
        self.scan = cx.input.end();
        self.state = State::Pair(Box::new(pair));
        self.cut_block(cx)
    }
}
