//! Text outside of blocks: finds what may be markup, and says what it is.

use alloc::boxed::Box;

use crate::{
    Reason,
    dialect::{Form, Role},
    fence::LineHead,
    foreign::{
        Manner,
        marker::{self, Mark, Means, Seen},
    },
    input::Input,
    machine::{Cx, Flow, Machine, State},
    names::{ToolId, Word},
    start::{Flaw, StartReader},
    tag::{self, Head, HeadReader, Light, LightReader, Read, StartTag},
    ticks::{Hidden, TickRun},
};

/// What a name in text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// A registered tool.
    Tool(ToolId, Word),
    /// An element that calls a tool.
    Call(Form, Word),
    /// Reasoning.
    Thinking(Word),
    /// A result.
    Result(Word),
    /// An element around calls.
    Wrapper,
    /// The end of a value of some tool.
    Param,
    /// The start of an element that carries a value, with no call around it.
    Carrier,
    /// The end of an element that calls are written with, behind a call.
    Debris,
    /// An element around the answer.
    Frame,
    /// Something that is not registered.
    Unknown,
}

/// The byte-order mark.
const BOM: char = '\u{feff}';

/// The position up to which text is certain to be no part of a tag: a bracket may stand before the
/// `<` of one.
pub(crate) fn before_bracket(to: usize, input: &Input<'_>) -> usize {
    match to.checked_sub(1) {
        // The tag that begins here has its bracket.
        Some(_) if input.byte(to) == Some(b']') => to,
        Some(at) if at >= input.base() && input.byte(at) == Some(b']') && !input.is_over() => at,
        Some(_) | None => to,
    }
}

impl Machine {
    /// Leaves out a byte-order mark.
    /// `[T1]`
    pub(crate) fn start(&mut self, cx: &mut Cx<'_, '_>) -> Flow {
        let rest = cx.input.rest(self.scan);
        if rest.is_empty() && !cx.input.is_over() {
            return self.wait(State::Start);
        }
        if rest.starts_with(BOM) {
            self.scan += BOM.len_utf8();
            self.drop_to(self.scan, cx);
        }
        self.go(State::LineHead(LineHead::first()))
    }

    /// Reads text up to what may be markup.
    /// `[T2]` `[T4]`
    pub(crate) fn text(&mut self, cx: &mut Cx<'_, '_>) -> Flow {
        let input = cx.input;
        let at = loop {
            let found = self.find_sign(input);
            if let Some(at) = self.angle(input)
                && found.is_none_or(|found| at < found)
            {
                self.pass(at, input);
                return self.routed(at, cx);
            }
            let Some(at) = found else {
                let to = input.end();
                self.pass(to, input);
                self.emit_text(before_bracket(to, input), cx);
                return self.wait(State::Text);
            };
            self.pass(at, input);
            if !self.pass_plain(at, input) {
                break at;
            }
        };
        match input.byte(at) {
            Some(b'\n') => self.break_line(false),
            Some(b'`') => self.go(State::Ticks(TickRun { at, len: 0 })),
            _ => self.sign(at, cx),
        }
    }

    /// The next byte that may stand before a recipient, where recipients are named in lines.
    fn angle(&mut self, input: &Input<'_>) -> Option<usize> {
        if !self.is_routed {
            return None;
        }
        self.angle.find(self.scan, input, |from| input.find1(b'>', from))
    }

    /// A byte that may begin a mark of another syntax, or a tag.
    /// `[DX2]`
    fn sign(&mut self, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        match marker::look(at, cx.input) {
            Seen::Maybe => {
                self.emit_text(before_bracket(at, cx.input), cx);
                self.wait(State::Text)
            }
            Seen::Mark(mark, end) => match self.line.hides() {
                Hidden::Unknown => self.seek_ticks(at),
                Hidden::Yes => {
                    self.quote_mark(mark, at, end, cx);
                    self.as_text(end)
                }
                Hidden::No => self.mark(mark, at, end, cx),
            },
            Seen::No if cx.input.byte(at) == Some(b'[') => self.as_text(at + 1),
            Seen::No => self.head(HeadReader::new(at, self.limits.name), cx),
        }
    }

    /// A mark of another syntax.
    /// `[DJ21]`
    fn mark(&mut self, mark: Mark, at: usize, end: usize, cx: &mut Cx<'_, '_>) -> Flow {
        match mark.means {
            Means::Open => self.open_foreign(Manner::closed(at), end, cx),
            Means::OpenOnly => self.open_foreign(Manner::open(at), end, cx),
            Means::Narrated => {
                let evidence = self.element_evidence();
                self.open_foreign(Manner { evidence, closer: b']', ..Manner::open(at) }, end, cx)
            }
            Means::EndThink => self.orphan_end(at, end, cx),
            Means::Element => self.open_elements(at, end, cx),
            Means::Header => self.open_header(mark, at, end, cx),
            Means::Thought => {
                self.emit_text(at, cx);
                self.open_thought(end, cx)
            }
            Means::Section => self.open_section(at, end, cx),
            Means::Think(until) => self.open_literal(at, end, until, cx),
            Means::Result if self.n_blocks > 0 => self.invented_at(at, end, cx),
            Means::Result | Means::Close | Means::EndSection | Means::Nothing => {
                let is_line = self.line.is_blank;
                let flow = self.drop_tag(at, end, cx);
                if is_line { self.go(State::LineHead(LineHead::new())) } else { flow }
            }
            Means::Between => self.as_text(end),
        }
    }

    /// Moves on over text without a line break.
    fn pass(&mut self, to: usize, input: &Input<'_>) {
        if self.line.is_blank {
            self.line.is_blank = input.is_blank(self.scan..to);
        }
        self.scan = to;
    }

    /// What stands before this position was text.
    pub(crate) fn as_text(&mut self, to: usize) -> Flow {
        self.line.is_blank = false;
        self.scan = to;
        self.go(State::Text)
    }

    /// Reads a name behind `<`.
    /// `[T3]` `[T6]`
    pub(crate) fn head(&mut self, mut reader: HeadReader, cx: &mut Cx<'_, '_>) -> Flow {
        let at = reader.at();
        match reader.read(cx.input) {
            Read::More => {
                self.emit_text(before_bracket(at, cx.input), cx);
                self.wait(State::Head(reader))
            }
            Read::Not(to) => self.as_text(to),
            Read::Cut => self.as_text(cx.input.end()),
            Read::Done(tag::Mark::Cdata(range)) => self.as_text(range.end),
            Read::Done(tag::Mark::Comment(range)) => match self.line.hides() {
                Hidden::Unknown => self.seek_ticks(at),
                Hidden::Yes => self.as_text(range.end),
                Hidden::No => self.open_comment(range.end),
            },
            Read::Done(tag::Mark::Tag(head)) => self.sighted(head, cx),
        }
    }

    fn sighted(&mut self, mut head: Head, cx: &mut Cx<'_, '_>) -> Flow {
        // The bracket before it may be part of something else.
        head.at = head.at.max(self.done);
        let word = self.names.word(cx.input.slice(head.name.clone()));
        let sight = self.sight(&head, word, cx.input);
        let is_carrier = word.is_some_and(|word| self.names.role(word) == Role::Param);
        self.has_loose_values |= is_carrier && sight != Some(Sight::Carrier);
        let Some(sight) = sight else { return self.as_text(head.name.end) };
        match self.line.hides() {
            Hidden::Unknown => self.seek_ticks(head.at),
            Hidden::Yes => {
                self.quote(head.at, cx);
                self.as_text(head.name.end)
            }
            Hidden::No if head.is_end => self.go(State::EndTag(LightReader::new(head), sight)),
            Hidden::No if matches!(sight, Sight::Call(Form::Label, _)) => {
                let Sight::Call(_, word) = sight else { return self.as_text(head.name.end) };
                self.open_label(head, word)
            }
            Hidden::No => {
                let list = self.spare.list();
                let mut reader = StartReader::new(head, &self.limits).listing(list);
                let flow = self.read_tag(&mut reader, sight, cx);
                flow.unwrap_or_else(|| self.wait(State::Tag(Box::new(reader), sight)))
            }
        }
    }

    /// What a tag in text means; `None` where it is only text.
    fn sight(&self, head: &Head, word: Option<Word>, input: &Input<'_>) -> Option<Sight> {
        let name = input.slice(head.name.clone());
        let role = word.map_or(Role::None, |word| self.names.role(word));
        let is_bounded = head.is_bounded(input);
        if !is_bounded && !self.is_designated(role, head, input) {
            return None;
        }
        let sight = match (role, word) {
            _ if self.is_debris(role, word, head, input) => Sight::Debris,
            (Role::Thinking, Some(word)) => Sight::Thinking(word),
            (Role::Result, Some(word)) => Sight::Result(word),
            (_, Some(word)) if self.names.tool_named(word, name).is_some() => {
                Sight::Tool(self.names.tool_named(word, name)?, word)
            }
            (Role::Call(form), Some(word)) => Sight::Call(form, word),
            (Role::Wrapper, _) => Sight::Wrapper,
            (Role::Param, _) if head.is_end => Sight::Param,
            (Role::Param, _) => Sight::Carrier,
            (_, Some(word)) if head.is_end && self.names.is_param(word) => Sight::Param,
            _ if self.is_frame(head, name, input) => Sight::Frame,
            _ => Sight::Unknown,
        };
        self.counts(sight, head, name, input).then_some(sight)
    }

    /// Whether a start tag directly behind reasoning opens an element around the answer.
    fn is_frame(&self, head: &Head, name: &str, input: &Input<'_>) -> bool {
        self.is_behind_thought
            && !head.is_end
            && input.byte(head.name.end) == Some(b'>')
            && input.is_blank(self.done..head.at)
            && crate::dialect::is_frame(name)
    }

    fn is_designated(&self, role: Role, head: &Head, input: &Input<'_>) -> bool {
        let is_carrying = role == Role::Param || role.form().is_some_and(Form::is_designated);
        is_carrying && !head.is_end && input.byte(head.name.end) == Some(b'=')
    }

    /// Whether a tag of this meaning counts where it stands.
    /// `[B3]` `[E9]` `[U4]` `[DK6]`
    fn counts(&self, sight: Sight, head: &Head, name: &str, input: &Input<'_>) -> bool {
        let is_marked = head.sentinel.is_strong();
        let is_free = is_marked || !self.is_after_word(head.at, input);
        match (sight, head.is_end) {
            (Sight::Tool(..) | Sight::Param, true) => self.line.is_blank,
            (Sight::Call(..), true) => self.line.is_blank,
            (Sight::Thinking(_), true) => true,
            (Sight::Wrapper | Sight::Unknown, true) => self.is_wrapper(name),
            (Sight::Result(_), true) => false,
            (Sight::Unknown, false) => (self.line.is_blank || is_marked) && !head.is_loose,
            (Sight::Debris | Sight::Frame, _) => true,
            (Sight::Carrier, _) => self.line.is_blank && !head.is_loose && !head.is_end,
            (Sight::Param, false) => false,
            (Sight::Tool(..) | Sight::Call(..), false) => is_free,
            // What stands in it shows whether it is around calls.
            (Sight::Wrapper, false) => !head.is_loose,
            (Sight::Thinking(_) | Sight::Result(_), false) => is_free && !head.is_loose,
        }
    }

    /// Whether this is an end tag too many, or of another syntax, behind a call.
    fn is_debris(&self, role: Role, word: Option<Word>, head: &Head, input: &Input<'_>) -> bool {
        if !head.is_end || !self.is_behind_call {
            return false;
        }
        let is_call = match role {
            Role::Call(_)
            | Role::Name
            | Role::Param
            | Role::Key
            | Role::Value
            | Role::Kind
            | Role::Separator
            | Role::Wrapper
            | Role::Result => true,
            Role::None | Role::Thinking => head.sentinel.is_strong(),
        };
        let is_tool = word.is_some_and(|word| self.names.is_any_tool(word));
        let is_open = self.is_wrapper(input.slice(head.name.clone()));
        is_call && !is_tool && !is_open && input.is_blank(self.done..head.at)
    }

    /// Whether an element of this name is open around calls.
    fn is_wrapper(&self, name: &str) -> bool {
        self.wrappers.iter().any(|it| crate::chars::is_same_name(it, name))
    }

    /// Whether a tag would be more than text if nothing hid it.
    pub(crate) fn means_something(&self, head: &Head, input: &Input<'_>) -> bool {
        let word = self.names.word(input.slice(head.name.clone()));
        match self.sight(head, word, input) {
            Some(Sight::Tool(..) | Sight::Call(..) | Sight::Result(_) | Sight::Wrapper) => true,
            Some(Sight::Thinking(_)) => true,
            Some(Sight::Param | Sight::Carrier | Sight::Debris | Sight::Frame | Sight::Unknown)
            | None => false,
        }
    }

    /// Reads a start tag in text.
    pub(crate) fn tag(
        &mut self,
        mut reader: Box<StartReader>,
        sight: Sight,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let flow = self.read_tag(&mut reader, sight, cx);
        flow.unwrap_or_else(|| self.wait(State::Tag(reader, sight)))
    }

    /// Reads on in a start tag; `None` where the chunk ends inside.
    fn read_tag(
        &mut self,
        reader: &mut StartReader,
        sight: Sight,
        cx: &mut Cx<'_, '_>,
    ) -> Option<Flow> {
        let at = reader.head().at;
        Some(match reader.read(cx.input) {
            Ok(Read::Done(tag)) => self.started(tag, sight, cx),
            Ok(Read::Not(to)) => self.as_text(to),
            Ok(Read::More) => {
                self.emit_text(at, cx);
                return None;
            }
            Ok(Read::Cut) => self.cut_tag(reader, sight, cx),
            Err(flaw) => self.flawed(reader, sight, flaw, cx),
        })
    }

    fn started(&mut self, tag: StartTag, sight: Sight, cx: &mut Cx<'_, '_>) -> Flow {
        match sight {
            Sight::Tool(tool, word) => self.start_tool(tag, tool, word, cx),
            Sight::Call(form, word) => self.start_call(tag, form, word, cx),
            Sight::Thinking(word) => self.start_thinking(tag, word, cx),
            Sight::Result(word) => self.start_result(tag, word, cx),
            Sight::Wrapper | Sight::Unknown => self.start_element(tag, sight),
            Sight::Carrier => self.open_orphan(tag, cx),
            Sight::Frame => self.open_frame(&tag, cx),
            Sight::Param | Sight::Debris => self.as_text(tag.end),
        }
    }

    /// An element around the answer stands for nothing, and nor does its end.
    fn open_frame(&mut self, tag: &StartTag, cx: &mut Cx<'_, '_>) -> Flow {
        self.open_wrapper(cx.input.slice(tag.head.name.clone()));
        self.drop_tag(tag.head.at, tag.end, cx);
        self.line.is_blank = true;
        self.go(State::LineHead(LineHead::new()))
    }

    /// The reply ended inside a start tag.
    /// `[B7]`
    fn cut_tag(&mut self, reader: &StartReader, sight: Sight, cx: &mut Cx<'_, '_>) -> Flow {
        let end = cx.input.end();
        match sight {
            Sight::Tool(..) | Sight::Call(..) if reader.is_in_attributes() => {
                let at = reader.head().at;
                let name = alloc::string::String::from(cx.input.slice(reader.head().name.clone()));
                self.emit_text(at, cx);
                self.fault(Reason::UnterminatedTool, &name, at..end, cx);
                (self.done, self.scan) = (end, end);
                self.go(State::Text)
            }
            Sight::Tool(..)
            | Sight::Call(..)
            | Sight::Thinking(_)
            | Sight::Result(_)
            | Sight::Wrapper
            | Sight::Param
            | Sight::Carrier
            | Sight::Debris
            | Sight::Frame
            | Sight::Unknown => self.as_text(end),
        }
    }

    /// What looked like a start tag is none.
    /// `[B6]` `[E8]` `[L1]`
    fn flawed(
        &mut self,
        reader: &StartReader,
        sight: Sight,
        flaw: Flaw,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let head = reader.head().clone();
        let is_call = matches!(sight, Sight::Tool(..) | Sight::Call(..));
        match flaw {
            Flaw::Broken { at } if is_call && self.line.is_blank && reader.is_in_attributes() => {
                self.start_malformed(head, at, sight, cx)
            }
            Flaw::Broken { .. } => self.as_text(head.name.end),
            Flaw::TooLong { at } => {
                if is_call {
                    let name = alloc::string::String::from(cx.input.slice(head.name.clone()));
                    self.emit_text(head.at, cx);
                    self.fault(Reason::Limit, &name, head.at..head.at, cx);
                }
                self.line.is_blank = false;
                self.rewind(head.name.end, at, State::Text, cx)
            }
        }
    }

    /// Reads an end tag in text.
    pub(crate) fn end_tag(
        &mut self,
        mut reader: LightReader,
        sight: Sight,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let at = reader.head().at;
        match reader.read(cx.input) {
            Read::Done(light) => self.ended(&light, sight, cx),
            Read::More => {
                self.emit_text(at, cx);
                self.wait(State::EndTag(reader, sight))
            }
            Read::Not(to) => self.as_text(to),
            Read::Cut => self.as_text(cx.input.end()),
        }
    }

    // [E9] [K5] [U5]
    // [DT8]
    fn ended(&mut self, light: &Light, sight: Sight, cx: &mut Cx<'_, '_>) -> Flow {
        match sight {
            Sight::Tool(..) | Sight::Call(..) | Sight::Param => self.open_stray(light, sight, cx),
            Sight::Wrapper | Sight::Unknown => {
                let name = cx.input.slice(light.head.name.clone());
                let open =
                    self.wrappers.iter().rposition(|it| crate::chars::is_same_name(it, name));
                self.wrappers.truncate(open.unwrap_or(self.wrappers.len()));
                self.drop_tag(light.head.at, light.end, cx)
            }
            Sight::Thinking(_) => self.orphan_end(light.head.at, light.end, cx),
            Sight::Debris => self.drop_tag(light.head.at, light.end, cx),
            Sight::Result(_) | Sight::Carrier | Sight::Frame => self.as_text(light.end),
        }
    }

    /// Leaves out a tag.
    pub(crate) fn drop_tag(&mut self, at: usize, end: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.emit_text(at, cx);
        self.drop_to(end, cx);
        self.scan = end;
        self.go(State::Text)
    }
}
