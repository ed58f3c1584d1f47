//! Values without a call around them: `<parameter=path>…</parameter></function>`. Where an end tag
//! of a call follows, and their names fit exactly one tool, they call it.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::{
    Reason, RepairKind,
    chars::trim,
    dialect::{Form, Role},
    input::Input,
    machine::{Cx, Flow, Machine, State},
    mention::designated,
    named::FUNCTION,
    names::{ToolId, Word},
    start::StartReader,
    tag::{Head, HeadReader, LightReader, Mark, Read, StartTag},
    target::Target,
};

/// Most text that is held until the end tag of a call shows that values belong to one.
const MOST: usize = 1 << 16;

/// Values whose call is looked for.
#[derive(Debug)]
pub(crate) struct Orphan {
    /// The first of their start tags.
    head: Head,
    names: Vec<String>,
    /// Behind it. Where a line break stands there, other tags begin lines.
    from: usize,
    /// Behind the name of the last end tag of a value.
    ended: Option<usize>,
    reader: Reader,
}

#[derive(Debug)]
enum Reader {
    Text,
    Head(HeadReader),
    Start(Box<StartReader>),
    End(LightReader, Word),
}

/// What the values turned out to be.
enum Found {
    Again,
    Wait,
    /// No call.
    Text,
    /// The end tag of a call of this word, which ends there.
    End(Word, usize),
    /// The first start tag names a tool, whose values follow.
    Tool(ToolId),
}

impl Orphan {
    /// Whether an end tag of a value stands directly before a tag.
    fn is_ended(&self, at: usize, input: &Input<'_>) -> bool {
        self.ended.is_some_and(|ended| trim(input.slice(ended..at)) == ">")
    }
}

impl Machine {
    /// The start tag of a value in text.
    /// `[DT21]`
    pub(crate) fn open_orphan(&mut self, tag: StartTag, cx: &mut Cx<'_, '_>) -> Flow {
        let name = designated(&tag, cx.input);
        let is_loose = tag.head.at < self.orphans_until || self.has_loose_values;
        let Some(name) = name.filter(|_| !is_loose && !tag.is_closed) else {
            self.has_loose_values = true;
            return self.as_text(tag.head.name.end);
        };
        self.emit_text(tag.head.at, cx);
        self.scan = tag.end;
        let (names, reader) = (alloc::vec![name], Reader::Text);
        let orphan = Orphan { head: tag.head, names, from: tag.end, ended: None, reader };
        self.go(State::Orphan(Box::new(orphan)))
    }

    pub(crate) fn orphan(&mut self, mut orphan: Box<Orphan>, cx: &mut Cx<'_, '_>) -> Flow {
        loop {
            let found = self.step_orphan(&mut orphan, cx.input);
            if self.scan - orphan.head.at > self.most_orphaned() {
                return self.no_orphan(&orphan, cx);
            }
            match found {
                Found::Again => {}
                Found::Wait if cx.input.is_over() => return self.no_orphan(&orphan, cx),
                Found::Wait => return self.wait(State::Orphan(orphan)),
                Found::Text => return self.no_orphan(&orphan, cx),
                Found::Tool(tool) => return self.adopt_named(*orphan, tool, cx),
                Found::End(word, end) => return self.adopt(*orphan, word, end, cx),
            }
        }
    }

    fn most_orphaned(&self) -> usize {
        MOST.min(self.limits.held)
    }

    fn step_orphan(&mut self, orphan: &mut Orphan, input: &Input<'_>) -> Found {
        match &mut orphan.reader {
            Reader::Text => {
                let found = input.find1(b'<', self.scan);
                self.scan = found.unwrap_or_else(|| input.end());
                let Some(at) = found else { return Found::Wait };
                orphan.reader = Reader::Head(HeadReader::new(at, self.limits.name));
                Found::Again
            }
            Reader::Head(reader) => {
                let behind = reader.behind();
                match reader.read(input) {
                    Read::More => Found::Wait,
                    Read::Done(Mark::Tag(head)) => self.orphan_tag(orphan, head, input),
                    Read::Done(Mark::Cdata(_) | Mark::Comment(_)) | Read::Not(_) | Read::Cut => {
                        self.pass_orphan(orphan, behind)
                    }
                }
            }
            Reader::Start(reader) => {
                let behind = reader.head().name.end;
                match reader.read(input) {
                    Ok(Read::More) => Found::Wait,
                    Ok(Read::Done(tag)) => {
                        orphan.names.extend(designated(&tag, input));
                        self.pass_orphan(orphan, tag.end)
                    }
                    Ok(Read::Not(_) | Read::Cut) | Err(_) => self.pass_orphan(orphan, behind),
                }
            }
            Reader::End(reader, word) => {
                let (word, behind) = (*word, reader.head().name.end);
                match reader.read(input) {
                    Read::More => Found::Wait,
                    Read::Done(light) => Found::End(word, light.end),
                    Read::Not(_) | Read::Cut => self.pass_orphan(orphan, behind),
                }
            }
        }
    }

    fn pass_orphan(&mut self, orphan: &mut Orphan, to: usize) -> Found {
        self.scan = to;
        orphan.reader = Reader::Text;
        Found::Again
    }

    fn orphan_tag(&mut self, orphan: &mut Orphan, head: Head, input: &Input<'_>) -> Found {
        let name = input.slice(head.name.clone());
        let word = self.names.word(name);
        let role = word.map_or(Role::None, |word| self.names.role(word));
        let is_lined = matches!(input.byte(orphan.from), Some(b'\n' | b'\r'));
        let is_in_place =
            !is_lined || matches!(self.char_before(head.at, input), Some('\n') | None);
        let is_begun = orphan.names.len() > 1 || !input.is_blank(orphan.from..head.at);
        let tool = orphan.names.first().filter(|_| !is_begun).and_then(|name| self.tool_of(name));
        if let Some(tool) = tool.filter(|_| role == Role::Param && !head.is_end) {
            return Found::Tool(tool);
        }
        match (role, word, head.is_end) {
            (_, _, false) if self.is_call(&head, input) && is_in_place => Found::Text,
            (Role::Param, _, false) if is_in_place => {
                orphan.reader = Reader::Start(Box::new(StartReader::new(head, &self.limits)));
                Found::Again
            }
            (Role::Param, _, true) => {
                orphan.ended = Some(head.name.end);
                self.pass_orphan(orphan, head.name.end)
            }
            (Role::Call(_) | Role::Wrapper, Some(word), true)
                if is_in_place && orphan.is_ended(head.at, input) =>
            {
                orphan.reader = Reader::End(LightReader::new(head), word);
                Found::Again
            }
            _ => self.pass_orphan(orphan, head.name.end),
        }
    }

    /// No call: text.
    fn no_orphan(&mut self, orphan: &Orphan, cx: &mut Cx<'_, '_>) -> Flow {
        let looked_at = self.scan.min(orphan.head.at + self.most_orphaned());
        (self.orphans_until, self.has_loose_values) = (looked_at, true);
        self.line.is_blank = false;
        self.rewind(orphan.head.name.end, looked_at, State::Text, cx)
    }

    /// The tools that declare all of the names.
    fn fitting(&self, orphan: &Orphan) -> Vec<ToolId> {
        let fits = |tool: &ToolId| {
            orphan.names.iter().all(|name| {
                let word = self.names.word(name);
                word.is_some_and(|word| self.names.param(*tool, word).is_some())
            })
        };
        self.names.tool_ids().filter(fits).collect()
    }

    /// The values behind a start tag that names a tool.
    fn adopt_named(&mut self, orphan: Orphan, tool: ToolId, cx: &mut Cx<'_, '_>) -> Flow {
        let (at, from, looked_at) = (orphan.head.at, orphan.from, self.scan);
        let own = self.names.word(FUNCTION).unwrap_or_default();
        let sentinel = self.names.sentinel(&orphan.head, cx.input);
        let target = Target::calling(tool, own).written(Form::Equals, sentinel);
        self.open_block(StartTag::bare(orphan.head, from), target, cx);
        self.mended(RepairKind::MissingOpen, at..from);
        let state = core::mem::take(&mut self.state);
        self.rewind(from, looked_at, state, cx)
    }

    fn adopt(&mut self, orphan: Orphan, word: Word, end: usize, cx: &mut Cx<'_, '_>) -> Flow {
        let at = orphan.head.at;
        match self.fitting(&orphan).as_slice() {
            [] => self.no_orphan(&orphan, cx),
            [tool] => {
                let sentinel = self.names.sentinel(&orphan.head, cx.input);
                let target = Target::calling(*tool, word).written(Form::Equals, sentinel);
                self.open_block(StartTag::bare(orphan.head, at), target, cx);
                self.mended(RepairKind::InferredName, at..at);
                let state = core::mem::take(&mut self.state);
                self.rewind(at, end, state, cx)
            }
            _ => {
                let tag = String::from(cx.input.slice(orphan.head.name));
                self.fault(Reason::MalformedTag, &tag, at..end, cx);
                (self.done, self.scan) = (end, end);
                self.is_behind_call = true;
                self.go(State::Text)
            }
        }
    }
}
