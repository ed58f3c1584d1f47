//! The body of a call: tokens from the lexer that fits what it begins with, taken by one shape.

use alloc::{boxed::Box, vec::Vec};
use core::ops::Range;

use crate::{
    Finish, RepairKind,
    block::Slot,
    dialect::{Form, Role, Sentinel},
    input::Input,
    inside::Inside,
    machine::{Cx, Flow, Machine, State},
    tag::{HeadReader, Mark, Read},
    target::Target,
};

use super::{
    Evidence, Manner, Phase,
    call::{Call, Flaw},
    json::{Kind, Lexer, Placed, Step, Token},
    lines::Lines,
    python, quoted,
    shape::Shape,
    tail::{End, Tail},
};

/// The element whose end tag ends values that stand as tags behind an object.
const FUNCTION: &str = "function";

/// Where tokens come from.
#[derive(Debug)]
pub(crate) enum Source {
    /// JSON, or what models take for it.
    Json(Lexer),
    /// Keyed lines.
    Lines(Lines),
    /// Python.
    Python(python::Lexer),
    /// Objects whose strings stand between tokens.
    Quoted(quoted::Lexer),
}

impl Source {
    fn next<'i>(&mut self, input: &Input<'i>) -> Step<'i> {
        match self {
            Self::Json(lexer) => lexer.next(input),
            Self::Lines(lines) => lines.next(input),
            Self::Python(lexer) => lexer.next(input),
            Self::Quoted(lexer) => lexer.next(input),
        }
    }

    const fn cursor(&self) -> usize {
        match self {
            Self::Json(lexer) => lexer.cursor,
            Self::Lines(lines) => lines.cursor,
            Self::Python(lexer) => lexer.cursor,
            Self::Quoted(lexer) => lexer.cursor,
        }
    }

    /// Where the bracket, the string or the word began that was read last.
    const fn start(&self) -> usize {
        match self {
            Self::Json(lexer) => lexer.start,
            Self::Lines(lines) => lines.start(),
            Self::Python(lexer) => lexer.start,
            Self::Quoted(lexer) => lexer.start,
        }
    }

    fn needs(&self) -> usize {
        match self {
            Self::Json(lexer) => lexer.needs(),
            Self::Lines(lines) => lines.needs(),
            Self::Python(lexer) => lexer.needs(),
            Self::Quoted(lexer) => lexer.cursor,
        }
    }

    fn repairs(&mut self) -> Vec<(RepairKind, Range<usize>)> {
        match self {
            Self::Json(lexer) => core::mem::take(&mut lexer.repairs),
            Self::Lines(lines) => core::mem::take(&mut lines.repairs),
            Self::Python(lexer) => core::mem::take(&mut lexer.repairs),
            Self::Quoted(lexer) => core::mem::take(&mut lexer.repairs),
        }
    }

    /// Whether whole values are all there is: only brackets are missing.
    const fn is_between(&self) -> bool {
        match self {
            Self::Json(lexer) => lexer.is_between(),
            Self::Lines(_) => false,
            Self::Python(lexer) => lexer.is_between(),
            Self::Quoted(lexer) => lexer.is_between(),
        }
    }

    fn close_missing(&mut self) -> Option<Kind> {
        match self {
            Self::Json(lexer) => lexer.close_missing(),
            Self::Lines(_) => None,
            Self::Python(lexer) => lexer.close_missing(),
            Self::Quoted(lexer) => lexer.close_missing(),
        }
    }

    /// What is wrong where nothing can be read.
    fn flaw(&self) -> Flaw {
        match self {
            Self::Json(lexer) => lexer.flaw(),
            Self::Lines(lines) => lines.flaw(),
            Self::Quoted(_) => Flaw::Shape,
            Self::Python(lexer) => lexer.flaw(),
        }
    }

    const fn go_to(&mut self, at: usize) {
        match self {
            Self::Json(lexer) => lexer.cursor = at,
            Self::Lines(lines) => lines.cursor = at,
            Self::Python(lexer) => lexer.cursor = at,
            Self::Quoted(lexer) => lexer.cursor = at,
        }
    }
}

/// A body that is read.
#[derive(Debug)]
pub(crate) struct Body {
    source: Source,
    shape: Shape,
}

impl Body {
    /// The arguments of a call, or calls that name their tools.
    pub(super) fn new(source: Source, manner: Manner, call: Option<Call>) -> Self {
        let shape = call.map_or_else(|| Shape::new(manner.at, manner.evidence), Shape::of);
        Self { source, shape }
    }

    pub(super) fn open_slot(&self) -> Option<&Slot> {
        self.shape.call.as_ref()?.slot.as_ref()
    }

    fn note_repairs(&mut self) {
        let Some(call) = &mut self.shape.call else { return };
        for (kind, span) in self.source.repairs() {
            call.mended(kind, span);
        }
    }
}

impl Machine {
    /// Opens calls in keyed lines.
    pub(super) fn open_lines(&mut self, manner: Manner, lines: Lines, cx: &mut Cx<'_, '_>) -> Flow {
        self.emit_text(manner.at, cx);
        let body = Body::new(Source::Lines(lines), manner, None);
        self.go_foreign(manner, Phase::Body(Box::new(body)))
    }

    pub(super) fn foreign_body(
        &mut self,
        mut manner: Manner,
        mut body: Box<Body>,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        loop {
            let step = body.source.next(cx.input);
            let (at, end) = (body.source.start(), body.source.cursor());
            body.note_repairs();
            let token = match step {
                Step::Token(token) => token,
                Step::Wait if cx.input.is_over() => return self.over_body(manner, body, cx),
                Step::Wait => return self.wait_in_body(manner, body),
                Step::Stuck => return self.stuck(manner, body, cx),
            };
            self.scan = end;
            let bound = self.bound(manner, &body);
            // A token may pass several limits at once; the nearest counts.
            self.forget_mention_at(end.min(bound));
            if end > bound {
                return self.no_call(manner, &Flaw::Limit(bound), end, cx);
            }
            let next = Placed { token, at, end };
            if let Err(flaw) = self.take_token(&mut body.shape, next, cx) {
                return self.no_call(manner, &flaw, end, cx);
            }
            self.forget_mention_at(end);
            if self.block.is_some() && manner.evidence == Evidence::Mention {
                manner.evidence = Evidence::Element;
            }
            if body.shape.is_behind() {
                return self.behind_body(manner, *body, end, cx);
            }
        }
    }

    /// How far the body may go before something in it is known: what is held until the tool is
    /// named, its name, and arguments written as a string.
    fn bound(&self, manner: Manner, body: &Body) -> usize {
        let inner = body.shape.bound(&self.limits);
        if self.block.is_some() {
            return inner;
        }
        inner.min(manner.at.max(self.done).saturating_add(self.limits.held))
    }

    /// The chunk is over: what was handed out need not be kept.
    fn wait_in_body(&mut self, manner: Manner, body: Box<Body>) -> Flow {
        if self.block.is_some() {
            self.done = self.done.max(body.source.needs());
        }
        self.wait_foreign(manner, Phase::Body(body))
    }

    /// All tokens are read.
    fn behind_body(&mut self, manner: Manner, body: Body, end: usize, cx: &mut Cx<'_, '_>) -> Flow {
        if body.shape.is_empty_list() {
            return self.no_call(manner, &Flaw::Shape, end, cx);
        }
        if manner.evidence == Evidence::Inside {
            return self.behind_object(body.shape.call, end);
        }
        self.go_foreign(manner, Phase::Tail(Tail::new(body.shape.call, end)))
    }

    /// What stands here is no token of the body: brackets may be missing before a closing mark, or
    /// a token of the model's own may stand between.
    fn stuck(&mut self, manner: Manner, mut body: Box<Body>, cx: &mut Cx<'_, '_>) -> Flow {
        let at = body.source.cursor();
        if !body.source.is_between() {
            return self.no_call(manner, &body.source.flaw(), at, cx);
        }
        match self.end_mark(at, cx.input) {
            End::Maybe if cx.input.is_over() => self.over_body(manner, body, cx),
            End::Maybe => self.wait_in_body(manner, body),
            End::Nothing(end) => {
                if let Some(call) = &mut body.shape.call {
                    call.mended(RepairKind::LeakedToken, at..end);
                }
                body.source.go_to(end);
                self.go_foreign(manner, Phase::Body(body))
            }
            End::Next if body.shape.is_between_values() && self.is_value_tag(at, cx.input) => {
                self.tags_follow_object(*body, at)
            }
            End::Closes(_) | End::Next => self.close_body(manner, body, cx),
            End::Other => self.no_call(manner, &body.source.flaw(), at, cx),
        }
    }

    /// Whether a tag that carries a value of the open call begins here.
    fn is_value_tag(&self, at: usize, input: &Input<'_>) -> bool {
        let Read::Done(Mark::Tag(head)) = HeadReader::new(at, self.limits.name).read(input) else {
            return false;
        };
        let word = self.names.word(input.slice(head.name.clone()));
        let tool = self.block.as_ref().map(|block| block.target.tool);
        !head.is_end
            && tool.zip(word).is_some_and(|(tool, word)| {
                self.names.role(word) == Role::Param || self.names.param(tool, word).is_some()
            })
    }

    /// The object named the tool, and its values come as tags.
    /// `[DT18]`
    fn tags_follow_object(&mut self, body: Body, at: usize) -> Flow {
        let own = self.names.word(FUNCTION);
        if let Some(block) = &mut self.block
            && let Some(own) = own
        {
            let target = Target::calling(block.target.tool, own);
            block.target = target.written(Form::Equals, Sentinel::None);
            block.repair(RepairKind::WrongWrapper, at..at);
            for (kind, span) in body.shape.call.map(Call::into_repairs).unwrap_or_default() {
                block.repair(kind, span);
            }
        }
        (self.scan, self.done) = (at, at);
        self.go(State::Inside(Box::new(Inside::behind_value())))
    }

    /// Closes the brackets that are open. All values are whole.
    fn close_body(&mut self, manner: Manner, mut body: Box<Body>, cx: &mut Cx<'_, '_>) -> Flow {
        let at = body.source.cursor();
        while let Some(kind) = body.source.close_missing() {
            body.note_repairs();
            let next = Placed { token: Token::Close(kind), at, end: at };
            if let Err(flaw) = self.take_token(&mut body.shape, next, cx) {
                return self.no_call(manner, &flaw, at, cx);
            }
        }
        self.behind_body(manner, *body, at, cx)
    }

    /// The reply is over in a body.
    /// `[DJ17]`
    fn over_body(&mut self, manner: Manner, body: Box<Body>, cx: &mut Cx<'_, '_>) -> Flow {
        if cx.finish == Some(Finish::Stop) && body.source.is_between() && !self.may_be_text(manner)
        {
            return self.close_body(manner, body, cx);
        }
        if self.block.is_some() && !self.may_be_text(manner) {
            return self.cut_block(cx);
        }
        self.no_call(manner, &Flaw::Cut, cx.input.end(), cx)
    }
}
