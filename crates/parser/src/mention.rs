//! Whether a start tag in text is a call, or only speaks of one.
//!
//! At the start of a line it is a call. In the middle of a line it is one with an attribute, or
//! with structure directly behind it, or with its end tag before the next start tag. An element
//! that names the tool it calls needs structure there: text behind it is never a value.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::{
    Finish, Reason, RepairKind,
    chars::trim,
    dialect::{Form, NAME, Role},
    foreign::Manner,
    input::{Input, Peek},
    machine::{Cx, Flow, Machine, State},
    names::{ToolId, Word},
    tag::{Head, HeadReader, Light, LightReader, Mark, Read, StartTag},
    target::Target,
};

/// What a start tag opens, if it opens something.
#[derive(Clone, Debug)]
pub(crate) enum Opens {
    /// A block.
    Block(Target),
    /// Reasoning.
    Thinking(Word),
    /// An invented result.
    Result(Word),
}

/// A look at what directly follows a start tag.
#[derive(Debug)]
pub(crate) struct Look {
    tag: StartTag,
    target: Target,
    /// The tool that it names, as it is written, if it is no tool's own.
    called: Option<(String, Form)>,
    reader: Option<HeadReader>,
}

/// The search for an end tag.
#[derive(Debug)]
pub(crate) struct Seek {
    tag: StartTag,
    opens: Opens,
    /// Where it began: before that, the end tag is known not to stand.
    from: usize,
    reader: SeekReader,
}

/// How far the end tags of reasoning and of results were looked for in vain. Their search goes on over
/// other starts, so that without this each of many mentions would be looked behind anew.
/// `[M5]`
#[derive(Debug, Default)]
pub(crate) struct Endless(Vec<(Word, usize)>);

impl Endless {
    /// The position up to which none follows the present one.
    fn until(&self, opens: &Opens) -> usize {
        let own = opens.far_word();
        self.0.iter().find(|(word, _)| Some(*word) == own).map_or(0, |(_, until)| *until)
    }

    fn note(&mut self, opens: &Opens, until: usize) {
        let Some(own) = opens.far_word() else { return };
        match self.0.iter_mut().find(|(word, _)| *word == own) {
            Some((_, old)) => *old = until.max(*old),
            None => self.0.push((own, until)),
        }
    }
}

impl Opens {
    /// The name of an end tag that is looked for behind other starts.
    const fn far_word(&self) -> Option<Word> {
        match self {
            Self::Block(_) => None,
            Self::Thinking(word) | Self::Result(word) => Some(*word),
        }
    }
}

#[derive(Debug)]
enum SeekReader {
    Text,
    Head(HeadReader),
    End(LightReader),
}

impl Machine {
    /// A registered tool's start tag.
    /// `[B4]` `[B8]` `[B9]`
    pub(crate) fn start_tool(
        &mut self,
        tag: StartTag,
        tool: ToolId,
        word: Word,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let own = self.names.tool(tool).map_or(word, |it| it.word);
        let sentinel = self.names.sentinel(&tag.head, cx.input);
        let target = Target { sentinel, ..Target::native(tool, own) };
        self.emit_text(tag.head.at, cx);
        let has_attributes = !tag.attributes.is_empty();
        let has_body = self.has_body(tool);
        if tag.head.is_loose && !tag.is_closed {
            self.seek_end(tag, Opens::Block(target))
        } else if self.line.is_blank || tag.is_closed || (has_attributes && has_body) {
            self.open_block(tag, target, cx)
        } else {
            self.scan = tag.end;
            self.go(State::Look(Box::new(Look { tag, target, called: None, reader: None })))
        }
    }

    fn has_body(&self, tool: ToolId) -> bool {
        self.names.tool(tool).is_some_and(|it| it.spec.body.is_some())
    }

    /// The start tag of an element that calls the tool it names.
    /// `[D1]` `[D2]` `[M6]`
    pub(crate) fn start_call(
        &mut self,
        tag: StartTag,
        form: Form,
        own: Word,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let Some(name) = designated(&tag, cx.input) else {
            let manner =
                Manner { evidence: self.element_evidence(), ..Manner::closed(tag.head.at) };
            return self.open_foreign(manner, tag.end, cx);
        };
        let own = self.names.own_of(own, form);
        self.emit_text(tag.head.at, cx);
        let sentinel = self.names.sentinel(&tag.head, cx.input);
        let tool = self.tool_of(&name).unwrap_or(ToolId::NONE);
        let target = Target::calling(tool, own).written(form, sentinel);
        if self.line.is_blank || tag.is_closed {
            return self.call(tag, target, &name, form, cx);
        }
        self.scan = tag.end;
        let called = Some((name, form));
        self.go(State::Look(Box::new(Look { tag, target, called, reader: None })))
    }

    /// An element that calls the tool of this name.
    pub(crate) fn call(
        &mut self,
        tag: StartTag,
        target: Target,
        name: &str,
        form: Form,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        if target.tool == ToolId::NONE {
            return self.open_unknown(&tag, name, target, cx);
        }
        let at = tag.head.at;
        let flow = self.open_block(tag, target, cx);
        self.note_spelling(name, form, at);
        flow
    }

    /// Names what is odd in the name of the tool that the open block calls.
    pub(crate) fn note_spelling(&mut self, name: &str, form: Form, at: usize) {
        let Some(block) = &mut self.block else { return };
        let tool = self.names.tool(block.target.tool);
        let is_exact = tool.is_some_and(|tool| {
            tool.spec.name == *name || tool.spec.aliases.iter().any(|alias| alias == name)
        });
        if !is_exact {
            block.repair(RepairKind::NameCase, at..at);
        }
        if form == Form::Fused {
            block.repair(RepairKind::BrokenTag, at..at);
        }
    }

    // [M5]
    pub(crate) fn start_thinking(
        &mut self,
        tag: StartTag,
        word: Word,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        self.emit_text(tag.head.at, cx);
        if tag.is_closed {
            self.drop_tag(tag.head.at, tag.end, cx)
        } else if self.line.is_blank || !tag.attributes.is_empty() {
            self.open_thinking(&tag, word, cx)
        } else {
            self.seek_end(tag, Opens::Thinking(word))
        }
    }

    // [X1] [M5]
    pub(crate) fn start_result(&mut self, tag: StartTag, word: Word, cx: &mut Cx<'_, '_>) -> Flow {
        self.emit_text(tag.head.at, cx);
        if self.line.is_blank || tag.is_closed || !tag.attributes.is_empty() {
            self.invented(&tag, cx)
        } else {
            self.seek_end(tag, Opens::Result(word))
        }
    }

    /// The model writes its own result: what follows rests on an invention.
    fn invented(&mut self, tag: &StartTag, cx: &mut Cx<'_, '_>) -> Flow {
        let name = String::from(cx.input.slice(tag.head.name.clone()));
        self.invented_as(&name, tag.head.at, tag.end, cx)
    }

    /// A mark of another syntax that stands before a result.
    pub(crate) fn invented_at(&mut self, at: usize, end: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.invented_as("tool_result", at, end, cx)
    }

    fn invented_as(&mut self, name: &str, at: usize, end: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.emit_text(at, cx);
        self.fault(Reason::FabricatedResult, name, at..end, cx);
        (self.done, self.scan) = (end, end);
        self.go(State::Discard)
    }

    fn seek_end(&mut self, tag: StartTag, opens: Opens) -> Flow {
        self.scan = tag.end.max(self.endless.until(&opens));
        let seek = Seek { tag, opens, from: self.scan, reader: SeekReader::Text };
        self.go(State::Seek(Box::new(seek)))
    }

    /// Looks at what directly follows a start tag.
    pub(crate) fn look(&mut self, mut look: Box<Look>, cx: &mut Cx<'_, '_>) -> Flow {
        if look.reader.is_none() {
            self.scan = cx.input.skip_blanks(self.scan);
        }
        let is_beyond = self.is_beyond(look.tag.end, self.scan);
        let is_structure = match &mut look.reader {
            _ if is_beyond => false,
            None => match cx.input.peek(self.scan) {
                Peek::Byte(b'<' | b']') => {
                    let reader = HeadReader::at_mark(self.scan, self.limits.name, cx.input);
                    look.reader = Some(reader);
                    return self.go(State::Look(look));
                }
                Peek::More => return self.wait(State::Look(look)),
                Peek::Over => !look.tag.attributes.is_empty() || look.called.is_some(),
                Peek::Byte(b'{') => look.called.is_some(),
                Peek::Byte(_) => false,
            },
            Some(reader) => match reader.read(cx.input) {
                Read::More => return self.wait(State::Look(look)),
                Read::Done(mark) => self.is_structure(&mark, &look.target, cx.input),
                Read::Not(_) | Read::Cut => false,
            },
        };
        let Look { tag, target, called, reader } = *look;
        match called {
            Some((name, form)) if is_structure => self.call(tag, target, &name, form, cx),
            Some(_) => {
                let looked_at = reader.map_or(self.scan, |it| it.looked_at());
                self.line.is_blank = false;
                self.rewind(tag.head.name.end, looked_at, State::Text, cx)
            }
            None if is_structure => self.open_block(tag, target, cx),
            None => self.seek_end(tag, Opens::Block(target)),
        }
    }

    /// Whether a mark directly behind a start tag shows that the tag calls.
    /// `[B9]`
    pub(crate) fn is_structure(&self, mark: &Mark, target: &Target, input: &Input<'_>) -> bool {
        match mark {
            Mark::Cdata(_) => self.has_body(target.tool),
            Mark::Comment(_) => false,
            Mark::Tag(head) if head.is_end => self.ends(head, target, input),
            Mark::Tag(head) => {
                let is_bounded = head.is_bounded(input);
                target.word(head, &self.names, input).is_some_and(|word| {
                    let role = self.names.role(word);
                    let is_carrier = role == Role::Param
                        && (is_bounded || input.byte(head.name.end) == Some(b'='));
                    let is_key = role == Role::Key && !target.is_native;
                    let is_declared = self.names.param(target.tool, word).is_some();
                    is_carrier || (is_bounded && (is_key || is_declared))
                })
            }
        }
    }

    /// Whether an end tag ends a block of this target.
    pub(crate) fn ends(&self, head: &Head, target: &Target, input: &Input<'_>) -> bool {
        let word = target.word(head, &self.names, input);
        word.is_some_and(|word| target.is_own(word, &self.names))
    }

    /// Looks for an end tag, up to the next start tag.
    pub(crate) fn seek(&mut self, mut seek: Box<Seek>, cx: &mut Cx<'_, '_>) -> Flow {
        let hold = seek.tag.end;
        loop {
            match &mut seek.reader {
                SeekReader::Text => {
                    let found = cx.input.find1(b'<', self.scan);
                    self.scan = found.unwrap_or_else(|| cx.input.end());
                    if self.is_beyond(hold, self.scan) {
                        let end = hold + self.limits.held;
                        return self.not_found(*seek, end, cx);
                    }
                    match found {
                        Some(at) => {
                            let reader = HeadReader::new(at, self.limits.name);
                            seek.reader = SeekReader::Head(reader);
                        }
                        None if cx.input.is_over() => {
                            return self.not_found(*seek, cx.input.end(), cx);
                        }
                        None => return self.wait(State::Seek(seek)),
                    }
                }
                SeekReader::Head(reader) => match reader.read(cx.input) {
                    Read::More => return self.wait(State::Seek(seek)),
                    Read::Done(Mark::Tag(head)) => {
                        if self.stops(&seek.opens, &head, cx.input) {
                            self.scan = head.at;
                            return self.not_found(*seek, head.name.end, cx);
                        }
                        self.scan = head.name.end;
                        seek.reader = if head.is_end {
                            SeekReader::End(LightReader::new(head))
                        } else {
                            SeekReader::Text
                        };
                    }
                    Read::Done(_) | Read::Not(_) | Read::Cut => {
                        self.scan = reader.behind();
                        seek.reader = SeekReader::Text;
                    }
                },
                SeekReader::End(reader) => match reader.read(cx.input) {
                    Read::More => return self.wait(State::Seek(seek)),
                    Read::Done(light) if self.is_sought(&seek.opens, &light, cx.input) => {
                        return self.found(*seek, light.end, cx);
                    }
                    Read::Done(_) | Read::Not(_) | Read::Cut => seek.reader = SeekReader::Text,
                },
            }
        }
    }

    /// Whether the search is over without a result.
    /// `[M2]`
    fn stops(&self, opens: &Opens, head: &Head, input: &Input<'_>) -> bool {
        if head.is_end || !head.is_bounded(input) || self.is_after_word(head.at, input) {
            return false;
        }
        let name = input.slice(head.name.clone());
        let Some(word) = self.names.word(name) else { return false };
        let is_special = match self.names.role(word) {
            Role::Thinking | Role::Result | Role::Call(_) => true,
            Role::None
            | Role::Name
            | Role::Param
            | Role::Key
            | Role::Value
            | Role::Kind
            | Role::Separator
            | Role::Wrapper => false,
        };
        match opens {
            Opens::Thinking(_) => false,
            Opens::Result(_) => self.names.is_any_tool(word),
            Opens::Block(target) => {
                let is_value = self.names.param(target.tool, word).is_some();
                is_special || (self.names.is_any_tool(word) && !is_value)
            }
        }
    }

    fn is_sought(&self, opens: &Opens, light: &Light, input: &Input<'_>) -> bool {
        match opens {
            Opens::Block(target) => self.ends(&light.head, target, input),
            Opens::Thinking(own) | Opens::Result(own) => {
                self.names.word(input.slice(light.head.name.clone())) == Some(*own)
            }
        }
    }

    /// The end tag is there, so the start tag counts.
    fn found(&mut self, seek: Seek, looked_at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        let Seek { tag, opens, .. } = seek;
        // What was looked through is read again, inside what the tag opens.
        let flow = match opens {
            Opens::Block(target) => self.open_block(tag, target, cx),
            Opens::Thinking(word) => self.open_thinking(&tag, word, cx),
            Opens::Result(_) => return self.invented(&tag, cx),
        };
        match flow {
            Flow::NeedInput => Flow::NeedInput,
            Flow::Again => {
                let state = core::mem::take(&mut self.state);
                self.rewind(self.scan, looked_at, state, cx)
            }
        }
    }

    /// No end tag: the start tag is text, or reasoning that nothing ends.
    /// `[M1]`
    fn not_found(&mut self, seek: Seek, looked_at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        let Seek { tag, opens, from, .. } = seek;
        self.endless.note(&opens, self.scan.min(looked_at));
        // What was looked at before is not counted again.
        let looked_at = tag.end + looked_at.saturating_sub(from);
        let is_mention = cx.input.blank_at(tag.end) > 0 && cx.finish != Some(Finish::Cut);
        if let Opens::Thinking(word) = opens
            && !is_mention
        {
            return self.open_thinking(&tag, word, cx);
        }
        self.line.is_blank = false;
        self.rewind(tag.head.name.end, looked_at, State::Text, cx)
    }
}

/// The name that a calling element, or one that carries a value, names.
/// `[DT3]`
pub(crate) fn designated(tag: &StartTag, input: &Input<'_>) -> Option<String> {
    if let Some(range) = &tag.designator {
        let word = input.slice(range.clone());
        return Some(trim(word.trim_matches(['"', '\''])).into());
    }
    let attribute = tag.attributes.iter().find(|it| input.slice(it.name.clone()) == NAME);
    attribute.map(|it| trim(&crate::attribute::value(it, input)).into())
}
