//! Start tags of calls that lost their `<`: `function=read_file>` at the start of a line. They count
//! where they name a registered tool and structure follows.

use alloc::boxed::Box;

use crate::{
    RepairKind,
    chars::{is_name, is_name_start},
    dialect::{NAME, Role, Sentinel},
    input::{Input, Peek},
    machine::{Cx, Flow, Machine, State},
    mention::designated,
    start::StartReader,
    tag::{Head, HeadReader, Read, StartTag},
    target::Target,
};

/// The longest word at the start of a line that is looked at.
const LONGEST: usize = 64;

/// What stands at the start of a line.
pub(crate) enum Lost {
    /// No start tag.
    No,
    /// The chunk ends inside of what may be one.
    Maybe,
    /// One without its `<`.
    Tag(Head),
}

/// A start tag without its `<`.
#[derive(Debug)]
pub(crate) struct LostTag {
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Start(Box<StartReader>),
    /// Behind it.
    Gap(StartTag, Target),
    /// In a tag behind it.
    Head(StartTag, Target, HeadReader),
}

impl Machine {
    /// Looks for a start tag that lost its `<`.
    pub(crate) fn lost_at(&self, at: usize, input: &Input<'_>) -> Lost {
        let is_begun = input.byte(at).is_some_and(is_name_start);
        if !is_begun
            || input.byte(at + 1).is_some_and(|second| !self.may_be_lost(at, second, input))
        {
            return Lost::No;
        }
        let mut end = at;
        while input.byte(end).is_some_and(is_name) {
            end += 1;
        }
        if end - at > LONGEST {
            return Lost::No;
        }
        let name = at..end;
        let is_found = match input.peek(end) {
            Peek::More => return self.may_become_lost(input.slice(name)),
            Peek::Over => Some(false),
            Peek::Byte(byte) => self.is_lost(input.slice(name.clone()), byte, end, input),
        };
        let (is_end, is_loose, sentinel) = (false, false, Sentinel::None);
        match is_found {
            None => Lost::Maybe,
            Some(true) => Lost::Tag(Head { at, is_end, is_loose, sentinel, name }),
            Some(false) => Lost::No,
        }
    }

    fn may_be_lost(&self, at: usize, second: u8, input: &Input<'_>) -> bool {
        input.byte(at).is_some_and(|first| self.names.may_begin(first, second))
    }

    /// The chunk ends inside of a word.
    fn may_become_lost(&self, fragment: &str) -> Lost {
        if self.names.begins_call(fragment) { Lost::Maybe } else { Lost::No }
    }

    /// Whether a name with this byte behind it is a start tag; `None`: that is not known yet.
    fn is_lost(&self, name: &str, byte: u8, end: usize, input: &Input<'_>) -> Option<bool> {
        let word = self.names.word(name);
        let role = word.map_or(Role::None, |word| self.names.role(word));
        let is_tool = word.is_some_and(|word| self.names.tool_named(word, name).is_some());
        match (role, byte) {
            (Role::Call(form), b'=') => Some(form.is_designated()),
            (Role::Call(_), b' ') => {
                if !input.has_word(NAME, end + 1)? {
                    return Some(false);
                }
                input.has_word("=", end + 1 + NAME.len())
            }
            (Role::None, b'>') => Some(is_tool),
            _ => Some(false),
        }
    }

    /// A start tag without its `<`; what stands before it in an element around calls is dropped.
    pub(crate) fn open_lost(&mut self, head: Head) -> Flow {
        let stage = Stage::Start(Box::new(StartReader::new(head, &self.limits)));
        self.go(State::Lost(Box::new(LostTag { stage })))
    }

    pub(crate) fn lost(&mut self, lost: LostTag, cx: &mut Cx<'_, '_>) -> Flow {
        match lost.stage {
            Stage::Start(mut reader) => match reader.read(cx.input) {
                Ok(Read::More) => {
                    self.emit_text(reader.head().at, cx);
                    self.wait(State::Lost(Box::new(LostTag { stage: Stage::Start(reader) })))
                }
                Ok(Read::Done(tag)) => self.lost_tag(tag, cx),
                Ok(Read::Not(_) | Read::Cut) | Err(_) => {
                    let (at, looked_at) = (reader.head().name.end, reader.looked_at());
                    self.was_no_tag(at, looked_at, cx)
                }
            },
            Stage::Gap(tag, target) => self.lost_gap(tag, target, cx),
            Stage::Head(tag, target, mut reader) => match reader.read(cx.input) {
                Read::More => {
                    let stage = Stage::Head(tag, target, reader);
                    self.wait(State::Lost(Box::new(LostTag { stage })))
                }
                Read::Done(mark) if self.is_structure(&mark, &target, cx.input) => {
                    self.found_lost(tag, target, cx)
                }
                Read::Done(_) | Read::Not(_) | Read::Cut => {
                    self.was_no_tag(tag.head.name.end, reader.looked_at(), cx)
                }
            },
        }
    }

    /// The whole tag: it must name a registered tool.
    fn lost_tag(&mut self, tag: StartTag, cx: &mut Cx<'_, '_>) -> Flow {
        let name = cx.input.slice(tag.head.name.clone());
        let Some(word) = self.names.word(name) else {
            return self.was_no_tag(tag.head.name.end, tag.end, cx);
        };
        let target = match self.names.role(word).form() {
            Some(form) => designated(&tag, cx.input).and_then(|name| {
                let sentinel = self.names.sentinel(&tag.head, cx.input);
                let own = self.names.own_of(word, form);
                Some(Target::calling(self.tool_of(&name)?, own).written(form, sentinel))
            }),
            None => self.names.tool_named(word, name).map(|tool| Target::native(tool, word)),
        };
        match target {
            None => self.was_no_tag(tag.head.name.end, tag.end, cx),
            Some(target) if tag.is_closed => self.found_lost(tag, target, cx),
            Some(target) => {
                self.scan = tag.end;
                self.lost_gap(tag, target, cx)
            }
        }
    }

    fn lost_gap(&mut self, tag: StartTag, target: Target, cx: &mut Cx<'_, '_>) -> Flow {
        self.scan = cx.input.skip_blanks(self.scan);
        let stage = match cx.input.peek(self.scan) {
            _ if self.is_beyond(tag.head.at, self.scan) => {
                return self.was_no_tag(tag.head.name.end, self.scan, cx);
            }
            Peek::Byte(b'<') => {
                let reader = HeadReader::new(self.scan, self.limits.name);
                return self.go(State::Lost(Box::new(LostTag {
                    stage: Stage::Head(tag, target, reader),
                })));
            }
            Peek::More => Stage::Gap(tag, target),
            Peek::Byte(_) | Peek::Over => {
                return self.was_no_tag(tag.head.name.end, self.scan, cx);
            }
        };
        self.emit_text_before(&stage, cx);
        self.wait(State::Lost(Box::new(LostTag { stage })))
    }

    fn emit_text_before(&mut self, stage: &Stage, cx: &mut Cx<'_, '_>) {
        if let Stage::Gap(tag, _) = stage {
            self.emit_text(tag.head.at, cx);
        }
    }

    fn found_lost(&mut self, tag: StartTag, target: Target, cx: &mut Cx<'_, '_>) -> Flow {
        let at = tag.head.at;
        let flow = self.open_block(tag, target, cx);
        self.mended(RepairKind::MissingOpen, at..at);
        flow
    }

    /// It was text.
    fn was_no_tag(&mut self, to: usize, looked_at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.line.is_blank = false;
        self.rewind(to, looked_at, State::Text, cx)
    }
}
