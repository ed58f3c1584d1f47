//! Values written as YAML between a tool's tags: `path: a.txt`, a line each.
//!
//! A part of YAML that models write: plain and quoted scalars, block scalars (which are handed out
//! as they arrive), and lists and maps, which become JSON.

mod flow;
mod lines;
mod scalar;
mod values;

use alloc::{boxed::Box, string::String, vec::Vec};
use core::ops::Range;

use crate::{
    Reason, Value, ValueKind,
    block::Slot,
    chars::{is_name_start, trim},
    child::Opening,
    input::{Input, Peek},
    inside::Inside,
    machine::{Cx, Flow, Machine, State},
    tag::{HeadReader, Mark, Read},
};

use scalar::{Block, Header};

/// Values that are read.
#[derive(Debug)]
pub(crate) struct Yaml {
    /// How far the keys are indented.
    indent: usize,
    /// Whether a line that is no value was named already.
    has_stray: bool,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// At the start of a line.
    Line(usize),
    /// In a key, which starts here.
    Key(usize),
    /// Behind a colon.
    Behind(Open),
    /// In the rest of a line.
    Rest(Open),
    /// In a value in quotes, in a list or in a map, which starts here.
    Closed(Open, flow::Scan),
    /// In a block scalar.
    Block(Open, Block),
    /// In a line that may be indented more than the key, which starts here; whether it is.
    Nested(Open, usize, bool),
    /// In a line that is left out.
    Skip,
}

/// A value whose key was read.
#[derive(Debug)]
struct Open {
    slot: Slot,
    kind: ValueKind,
    /// Where it starts.
    from: usize,
    /// Lines of a plain scalar.
    text: String,
}

/// How a step went.
enum Step {
    Again,
    Wait,
    /// Something else than a value begins.
    Tag(usize),
}

impl Yaml {
    pub(crate) fn open_slot(&self) -> Option<&Slot> {
        match &self.stage {
            Stage::Behind(open)
            | Stage::Rest(open)
            | Stage::Closed(open, _)
            | Stage::Block(open, _)
            | Stage::Nested(open, _, _) => Some(&open.slot),
            Stage::Line(_) | Stage::Key(_) | Stage::Skip => None,
        }
    }
}

impl Machine {
    /// Whether a line that gives a value begins here; `None`: that is not known yet.
    pub(crate) fn begins_yaml(&self, at: usize, input: &Input<'_>) -> Option<bool> {
        if !input.byte(at).is_some_and(is_name_start) {
            return Some(false);
        }
        let mut end = at;
        while input.byte(end).is_some_and(crate::chars::is_name) && input.byte(end) != Some(b':') {
            end += 1;
            if end - at > self.limits.name {
                return Some(false);
            }
        }
        match (input.peek(end), input.peek(end + 1)) {
            (Peek::More, _) | (Peek::Byte(b':'), Peek::More) => return None,
            (Peek::Byte(b':'), Peek::Byte(b' ' | b'\n' | b'\r')) => {}
            _ => return Some(false),
        }
        let block = self.block.as_ref();
        let word = self.names.word(input.slice(at..end));
        let is_value = block
            .zip(word)
            .is_some_and(|(block, word)| self.names.param(block.target.tool, word).is_some());
        Some(is_value)
    }

    /// Reads values as YAML from the first key on.
    pub(crate) fn open_yaml(&mut self, at: usize, indent: usize) -> Flow {
        self.scan = at;
        if let Some(block) = &mut self.block {
            block.mention = None;
        }
        let stage = Stage::Key(at);
        self.go(State::Yaml(Box::new(Yaml { indent, has_stray: false, stage })))
    }

    pub(crate) fn yaml(&mut self, mut yaml: Box<Yaml>, cx: &mut Cx<'_, '_>) -> Flow {
        loop {
            match self.step_yaml(&mut yaml, cx) {
                Step::Again => {}
                Step::Wait if cx.input.is_over() => return self.over_yaml(yaml, cx),
                Step::Wait => {
                    self.hold_yaml(&yaml);
                    return self.wait(State::Yaml(yaml));
                }
                Step::Tag(at) => {
                    (self.scan, self.done) = (at, at);
                    return self.go(State::Inside(Box::new(Inside::behind_value())));
                }
            }
        }
    }

    /// What was handed out need not be kept.
    fn hold_yaml(&mut self, yaml: &Yaml) {
        let from = match &yaml.stage {
            Stage::Line(from) | Stage::Key(from) => *from,
            Stage::Behind(open) | Stage::Rest(open) | Stage::Closed(open, _) => open.from,
            Stage::Nested(open, _, _) => open.from,
            Stage::Block(_, block) => block.needs(),
            Stage::Skip => self.scan,
        };
        self.done = self.done.max(from);
    }

    fn step_yaml(&mut self, yaml: &mut Yaml, cx: &mut Cx<'_, '_>) -> Step {
        match core::mem::replace(&mut yaml.stage, Stage::Skip) {
            Stage::Line(from) => self.yaml_line(yaml, from, cx.input),
            Stage::Key(from) => self.yaml_key(yaml, from, cx.input),
            Stage::Behind(open) => self.yaml_value(yaml, open, cx),
            Stage::Rest(open) => self.yaml_rest(yaml, open, cx),
            Stage::Closed(open, scan) => self.yaml_closed(yaml, open, scan, cx),
            Stage::Block(open, block) => self.yaml_block(yaml, open, block, cx),
            Stage::Nested(open, line, is_in) => self.yaml_nested(yaml, open, (line, is_in), cx),
            Stage::Skip => {
                let Some(at) = self.line_end(cx.input) else { return Step::Wait };
                self.next_line(yaml, at)
            }
        }
    }

    /// Moves to the end of the line.
    fn line_end(&mut self, input: &Input<'_>) -> Option<usize> {
        let found = input.find1(b'\n', self.scan);
        self.scan = found.unwrap_or_else(|| input.end());
        found
    }

    /// Goes on behind a line break.
    fn next_line(&mut self, yaml: &mut Yaml, at: usize) -> Step {
        self.scan = at + 1;
        yaml.stage = Stage::Line(self.scan);
        Step::Again
    }

    fn yaml_line(&mut self, yaml: &mut Yaml, from: usize, input: &Input<'_>) -> Step {
        self.scan = input.skip_blanks_of_line(self.scan);
        let at = self.scan;
        let byte = match input.peek(at) {
            Peek::Byte(byte) => byte,
            Peek::More | Peek::Over => {
                yaml.stage = Stage::Line(from);
                return Step::Wait;
            }
        };
        match byte {
            _ if self.is_beyond(from, at) => {}
            b'\n' => return self.next_line(yaml, at),
            b'<' => match self.is_any_tag(at, input) {
                Some(true) => return Step::Tag(at),
                Some(false) => {}
                None => {
                    yaml.stage = Stage::Line(from);
                    return Step::Wait;
                }
            },
            b'#' => return Step::Again,
            _ if at - from == yaml.indent && is_key_start(byte) => {
                yaml.stage = Stage::Key(at);
                return Step::Again;
            }
            _ => {}
        }
        self.stray_line(yaml, at);
        Step::Again
    }

    /// Whether a tag stands here.
    fn is_any_tag(&self, at: usize, input: &Input<'_>) -> Option<bool> {
        match HeadReader::new(at, self.limits.name).read(input) {
            Read::More => None,
            Read::Done(Mark::Tag(_)) | Read::Cut => Some(true),
            Read::Done(Mark::Cdata(_) | Mark::Comment(_)) | Read::Not(_) => Some(false),
        }
    }

    /// A line that gives no value.
    fn stray_line(&mut self, yaml: &mut Yaml, at: usize) {
        if let Some(block) = &mut self.block
            && !core::mem::replace(&mut yaml.has_stray, true)
        {
            block.note(Reason::InvalidArguments, at..at, "");
        }
    }

    fn yaml_key(&mut self, yaml: &mut Yaml, from: usize, input: &Input<'_>) -> Step {
        let found = input.find2(b':', b'\n', self.scan);
        self.scan = found.unwrap_or_else(|| input.end());
        if self.scan - from > self.limits.name {
            self.stray_line(yaml, from);
            return Step::Again;
        }
        let Some(at) = found else {
            yaml.stage = Stage::Key(from);
            return Step::Wait;
        };
        let ends = match input.peek(at + 1) {
            _ if input.byte(at) == Some(b'\n') => false,
            Peek::More => {
                yaml.stage = Stage::Key(from);
                return Step::Wait;
            }
            Peek::Byte(byte) => matches!(byte, b' ' | b'\t' | b'\n' | b'\r'),
            Peek::Over => true,
        };
        if !ends {
            self.stray_line(yaml, from);
            return Step::Again;
        }
        let name = trim(input.slice(from..at)).trim_matches(['"', '\'']);
        let Opening { slot, kind, .. } = self.opening_of(name, Vec::new(), None, false);
        self.scan = at + 1;
        yaml.stage = Stage::Behind(Open { slot, kind, from: at + 1, text: String::new() });
        Step::Again
    }

    /// What a value begins with.
    fn yaml_value(&mut self, yaml: &mut Yaml, mut open: Open, cx: &mut Cx<'_, '_>) -> Step {
        self.scan = cx.input.skip_blanks_of_line(self.scan);
        open.from = self.scan;
        let byte = match cx.input.peek(self.scan) {
            Peek::Byte(byte) => byte,
            Peek::More | Peek::Over => {
                yaml.stage = Stage::Behind(open);
                return Step::Wait;
            }
        };
        yaml.stage = match byte {
            b'\n' => {
                self.scan += 1;
                open.from = self.scan;
                Stage::Nested(open, self.scan, false)
            }
            b'[' | b'{' if open.kind == ValueKind::Raw => Stage::Rest(open),
            b'"' | b'\'' | b'[' | b'{' => {
                let scan = flow::Scan::new(self.scan);
                Stage::Closed(open, scan)
            }
            _ => Stage::Rest(open),
        };
        Step::Again
    }

    /// A plain scalar, or the header of a block scalar.
    fn yaml_rest(&mut self, yaml: &mut Yaml, open: Open, cx: &mut Cx<'_, '_>) -> Step {
        let found = self.line_end(cx.input);
        if self.is_beyond(open.from, self.scan) {
            return self.too_long(yaml, open.from, cx.input);
        }
        let Some(at) = found else {
            if cx.input.is_over() {
                return self.last_line(yaml, open, cx);
            }
            yaml.stage = Stage::Rest(open);
            return Step::Wait;
        };
        let rest = cx.input.slice(open.from..at);
        if let Some(header) = Header::read(rest) {
            self.scan = at + 1;
            yaml.stage =
                Stage::Block(open, Block::new(header, at + 1, yaml.indent, self.limits.held));
            return Step::Again;
        }
        if let Some(tag) = self.own_end_in(open.from..at, cx.input) {
            return self.plain_to(yaml, open, tag, cx);
        }
        let text = scalar::plain(rest);
        self.scan = at + 1;
        let (from, mut open) = (open.from, open);
        open.text.push_str(text);
        self.plain_behind(yaml, open, from..at, cx)
    }

    /// The reply ends in a line, which may hold the end tag.
    fn last_line(&mut self, yaml: &mut Yaml, open: Open, cx: &mut Cx<'_, '_>) -> Step {
        match self.own_end_in(open.from..cx.input.end(), cx.input) {
            Some(tag) => self.plain_to(yaml, open, tag, cx),
            None => {
                yaml.stage = Stage::Rest(open);
                Step::Wait
            }
        }
    }

    /// The block's end tag as the last thing in a line.
    fn own_end_in(&self, line: Range<usize>, input: &Input<'_>) -> Option<usize> {
        let text = input.slice(line.clone()).trim_end();
        let at = line.start + text.rfind("</")?;
        let Read::Done(Mark::Tag(head)) = HeadReader::new(at, self.limits.name).read(input) else {
            return None;
        };
        let block = self.block.as_ref()?;
        (text.ends_with('>') && self.ends(&head, &block.target, input)).then_some(at)
    }

    /// A plain scalar that ends before a tag.
    fn plain_to(&mut self, yaml: &mut Yaml, open: Open, tag: usize, cx: &mut Cx<'_, '_>) -> Step {
        let text = scalar::plain(cx.input.slice(open.from..tag));
        self.give_text(open.slot, text, open.from..tag, cx);
        self.scan = tag;
        yaml.stage = Stage::Line(tag);
        Step::Tag(tag)
    }

    /// Ends a plain scalar of one line.
    fn plain_behind(
        &mut self,
        yaml: &mut Yaml,
        open: Open,
        span: Range<usize>,
        cx: &mut Cx<'_, '_>,
    ) -> Step {
        self.give_text(open.slot, &open.text, span, cx);
        yaml.stage = Stage::Line(self.scan);
        Step::Again
    }

    /// A value is longer than what may be held.
    fn too_long(&mut self, yaml: &mut Yaml, from: usize, input: &Input<'_>) -> Step {
        self.scan = input.floor(from + self.limits.held);
        if let Some(block) = &mut self.block {
            block.refuse(Reason::Limit, from..self.scan, "held text");
        }
        yaml.stage = Stage::Skip;
        Step::Again
    }

    fn give_text(&mut self, slot: Slot, text: &str, span: Range<usize>, cx: &mut Cx<'_, '_>) {
        self.give(slot, text, span, Value::Text, cx);
    }

    /// Hands out a whole value.
    fn give(
        &mut self,
        slot: Slot,
        text: &str,
        span: Range<usize>,
        make: fn(String) -> Value,
        cx: &mut Cx<'_, '_>,
    ) {
        self.delta(&slot, text, span.start, cx);
        let limits = self.limits;
        if let Some(block) = &mut self.block {
            block.close_value_as(slot, span, &limits, make);
        }
    }

    /// The reply is over: a value that runs into its end is not whole.
    fn over_yaml(&mut self, yaml: Box<Yaml>, cx: &mut Cx<'_, '_>) -> Flow {
        self.scan = cx.input.end();
        if matches!(yaml.stage, Stage::Line(_)) {
            self.done = self.scan;
            return self.go(State::Inside(Box::new(Inside::behind_value())));
        }
        self.state = State::Yaml(yaml);
        self.cut_block(cx)
    }
}

const fn is_key_start(byte: u8) -> bool {
    is_name_start(byte) || matches!(byte, b'"' | b'\'')
}
