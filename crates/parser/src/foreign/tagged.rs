//! Tags behind an opening mark, or behind the name of a tool that a mark opens.

use alloc::boxed::Box;

use crate::{
    RepairKind,
    chars::is_name,
    dialect::{Form, Role},
    input::{Input, Peek},
    inside::Inside,
    machine::{Cx, Flow, Machine, State},
    names::ToolId,
    tag::{Head as TagHead, HeadReader, LightReader, Mark as TagMark, Read, StartTag},
    target::Target,
};

use super::{
    Evidence, Manner, Phase,
    body::{Body, Source},
    call::{Call, Flaw},
    head::{Head, Step},
    json::Lexer,
};

/// Most blanks that are looked over behind a bracket.
const MOST_BLANKS: usize = 64;

impl Machine {
    /// An end tag behind a name: of a call without values, or of the name alone, as in
    /// `<function>read_file</function><parameter=path>`.
    pub(super) fn behind_named(&self, name: &str, at: usize, input: &Input<'_>) -> Step {
        let mut reader = HeadReader::new(at, self.limits.name);
        let head = match reader.read(input) {
            Read::More => return Step::Wait,
            Read::Done(TagMark::Tag(head)) => head,
            Read::Done(_) | Read::Not(_) | Read::Cut => return Step::Empty(at),
        };
        let word = self.names.word(input.slice(head.name.clone()));
        if !word.is_some_and(|word| matches!(self.names.role(word), Role::Call(_))) {
            return Step::Empty(at);
        }
        let end = match LightReader::new(head).read(input) {
            Read::Done(light) => light.end,
            Read::More => return Step::Wait,
            Read::Cut | Read::Not(_) => return Step::Empty(at),
        };
        let next = input.skip_blanks(end);
        match input.peek(next) {
            Peek::More => Step::Wait,
            Peek::Byte(b'<' | b']') => match self.begins_values(name, next, input) {
                None => Step::Wait,
                Some(true) => Step::Values(end),
                Some(false) => Step::Empty(at),
            },
            Peek::Byte(_) | Peek::Over => Step::Empty(at),
        }
    }

    /// Whether the tag at this position begins the values of a call; `None`: it is not known yet.
    pub(super) fn begins_values(&self, name: &str, at: usize, input: &Input<'_>) -> Option<bool> {
        match HeadReader::at_mark(at, self.limits.name, input).read(input) {
            Read::More => None,
            Read::Done(TagMark::Tag(head)) if !head.is_end => {
                let word = self.names.word(input.slice(head.name));
                let tool = self.tool_of(name);
                Some(word.is_some_and(|word| {
                    matches!(self.names.role(word), Role::Key | Role::Param | Role::Separator)
                        || tool.is_some_and(|tool| self.names.param(tool, word).is_some())
                }))
            }
            Read::Done(_) | Read::Not(_) | Read::Cut => Some(false),
        }
    }

    /// A start tag without its `<` stands behind the mark, which stands for nothing.
    pub(super) fn lost_follows(
        &mut self,
        manner: Manner,
        lost: TagHead,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        self.emit_text(manner.at, cx);
        self.drop_to(lost.at, cx);
        self.scan = lost.at;
        self.line.is_blank = true;
        self.open_lost(lost)
    }

    /// Values in tags stand behind the name of a tool, in the element that begins at the mark.
    pub(super) fn values_follow(
        &mut self,
        manner: Manner,
        head: &Head,
        behind: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let mut reader = HeadReader::at_mark(manner.at, self.limits.name, cx.input);
        let Read::Done(TagMark::Tag(mut tag)) = reader.read(cx.input) else {
            return self.no_head(manner, &Flaw::Shape, behind, cx);
        };
        // The bracket before it may be part of something else.
        tag.at = manner.at;
        let Some(own) = self.names.word(cx.input.slice(tag.name.clone())) else {
            return self.no_head(manner, &Flaw::Shape, behind, cx);
        };
        let name = head.name.clone().unwrap_or_default();
        let sentinel = self.names.sentinel(&tag, cx.input);
        let is_paired = self.is_paired(behind, cx.input);
        let form = if is_paired { Form::Text } else { Form::Equals };
        let tool = self.tool_of(&name).unwrap_or(ToolId::NONE);
        let target = Target::calling(tool, own).written(form, sentinel);
        let is_known = tool != ToolId::NONE;
        let flow = self.call(StartTag::bare(tag, behind), target, &name, form, cx);
        if !is_paired && is_known {
            self.mended(RepairKind::NameAsText, manner.at..behind);
        }
        flow
    }

    /// Whether the values behind a name have names in tags of their own.
    fn is_paired(&self, behind: usize, input: &Input<'_>) -> bool {
        let at = input.skip_blanks(behind);
        match HeadReader::at_mark(at, self.limits.name, input).read(input) {
            Read::Done(TagMark::Tag(head)) => {
                let word = self.names.word(input.slice(head.name));
                let role = word.map(|word| self.names.role(word));
                matches!(role, Some(Role::Key | Role::Separator))
            }
            Read::Done(_) | Read::Not(_) | Read::More | Read::Cut => false,
        }
    }

    /// Tags stand behind the mark: they are read as tags, and the mark stands for nothing.
    /// `[DT13]`
    pub(super) fn tags_follow(&mut self, manner: Manner, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.emit_text(manner.at, cx);
        self.drop_to(at, cx);
        self.scan = at;
        self.line.is_blank = true;
        self.go(State::Text)
    }

    /// Whether arguments as JSON begin here, in the element of a call; `None`: that is not known
    /// yet. In a tool's own element, text may begin so too.
    pub(crate) fn begins_object(&self, at: usize, input: &Input<'_>) -> Option<bool> {
        let Some(block) = &self.block else { return Some(false) };
        if input.byte(at) != Some(b'{') {
            return Some(false);
        }
        if !block.target.is_native {
            return Some(true);
        }
        let quote = input.skip_blanks(at + 1);
        if quote - at > MOST_BLANKS {
            return Some(false);
        }
        match input.peek(quote) {
            Peek::Byte(b'"') => {}
            Peek::More => return None,
            Peek::Byte(_) | Peek::Over => return Some(false),
        }
        let mut end = quote + 1;
        while input.byte(end).is_some_and(is_name) && end - quote <= self.limits.name {
            end += 1;
        }
        if input.peek(end) == Peek::More {
            return None;
        }
        let word = self.names.word(input.slice(quote + 1..end));
        let is_value = |word| self.names.param(block.target.tool, word).is_some();
        Some(input.byte(end) == Some(b'"') && word.is_some_and(is_value))
    }

    /// Reads the arguments of the open block as JSON.
    pub(crate) fn open_object(&mut self, at: usize) -> Flow {
        let Some(block) = &self.block else { return self.go(State::Text) };
        let call = Call::inside(at, block.target.tool);
        let manner = Manner { evidence: Evidence::Inside, ..Manner::closed(block.at) };
        self.scan = at;
        let body = Body::new(Source::Json(Lexer::new(at)), manner, Some(call));
        self.go_foreign(manner, Phase::Body(Box::new(body)))
    }

    /// Behind the arguments of the open block.
    pub(super) fn behind_object(&mut self, call: Option<Call>, end: usize) -> Flow {
        if let Some(block) = &mut self.block
            && let Some(call) = call
        {
            if call.is_boundary_guessed() {
                block.recover();
            }
            for (kind, span) in call.into_repairs() {
                block.repair(kind, span);
            }
        }
        (self.scan, self.done) = (end, end);
        self.go(State::Inside(Box::new(Inside::behind_value())))
    }
}
