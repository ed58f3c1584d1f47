//! Calls in other syntaxes than tags: a mark opens them, and what stands behind it is found out by
//! looking, since models mix syntaxes.
//!
//! A call passes through a head, which names the tool where the body does not; a body, read by one
//! of the engines; and a tail, up to the mark that closes it.

mod bare;
mod body;
mod call;
mod channel;
mod elements;
mod fenced;
mod head;
mod json;
mod line;
mod lines;
pub(crate) mod marker;
mod python;
mod quoted;
mod routed;
mod shape;
mod skip;
mod tagged;
mod tail;
mod values;

use alloc::boxed::Box;

use crate::{
    block::Slot,
    input::Input,
    machine::{Cx, Flow, Machine, State},
};

use call::Flaw;

pub(crate) use bare::Looks;
use bare::Probe;
use body::Body;
use channel::Header;
use elements::Elements;
use head::Head;
pub(crate) use json::decoded;
pub(crate) use routed::Route;
use skip::Skip;
use tail::Tail;

/// How calls are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    /// Where the mark stands.
    pub(crate) at: usize,
    /// Whether a closing mark is due.
    pub(crate) is_closed: bool,
    /// A byte that closes the call; 0 where none does.
    pub(crate) closer: u8,
    pub(crate) evidence: Evidence,
}

impl Evidence {
    /// Whether there is none.
    const fn is_missing(self) -> bool {
        matches!(self, Self::None | Self::Whole)
    }
}

/// What speaks for it that calls are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// A token of a model's own.
    Token,
    /// The open block, whose other tags are read elsewhere.
    Inside,
    /// The header of a message to a tool, which goes on up to the next mark.
    Message,
    /// An element at the beginning of a line.
    Element,
    /// A mark that may be only spoken of: it is text unless a call begins behind it.
    Mention,
    /// Nothing: what does not read as calls throughout is text.
    None,
    /// Nothing, but all of it was seen to read as calls.
    Whole,
}

impl Manner {
    /// Behind a mark that another one closes.
    pub(crate) const fn closed(at: usize) -> Self {
        Self { at, is_closed: true, closer: 0, evidence: Evidence::Token }
    }

    /// Behind a mark that nothing closes.
    pub(crate) const fn open(at: usize) -> Self {
        Self { is_closed: false, ..Self::closed(at) }
    }
}

/// Calls of another syntax.
#[derive(Debug)]
pub(crate) struct Foreign {
    manner: Manner,
    phase: Phase,
}

/// What is read.
#[derive(Debug)]
enum Phase {
    Head(Head),
    /// The header of a message.
    Header(Box<Header>),
    /// A call in elements of tokens.
    Elements(Box<Elements>),
    Body(Box<Body>),
    Tail(Tail),
    /// Between marked calls.
    Section(usize),
    /// A list without a mark.
    Probe(Probe),
    /// What is no call, up to where text goes on.
    Skip(Skip),
}

impl Foreign {
    /// Whether a call is whole though no mark closes it, since none is due.
    pub(crate) const fn is_whole(&self) -> bool {
        matches!(self.phase, Phase::Tail(_)) && !self.manner.is_closed
    }

    /// The open value, for a reply that ends inside.
    pub(crate) fn open_slot(&self) -> Option<&Slot> {
        match &self.phase {
            Phase::Body(body) => body.open_slot(),
            Phase::Elements(elements) => elements.call.slot.as_ref(),
            Phase::Head(_)
            | Phase::Header(_)
            | Phase::Tail(_)
            | Phase::Section(_)
            | Phase::Probe(_)
            | Phase::Skip(_) => None,
        }
    }
}

impl Machine {
    /// How much an element here speaks for it that calls are meant.
    pub(crate) const fn element_evidence(&self) -> Evidence {
        if self.line.is_blank { Evidence::Element } else { Evidence::Mention }
    }

    /// A mark that opens calls.
    /// `[DJ1]`
    pub(crate) fn open_foreign(
        &mut self,
        manner: Manner,
        behind: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        self.emit_text(manner.at, cx);
        self.scan = behind;
        self.go_foreign(manner, Phase::Head(Head::new(behind)))
    }

    /// A mark behind which marked calls stand.
    pub(crate) fn open_section(&mut self, at: usize, behind: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.emit_text(at, cx);
        self.scan = behind;
        self.go_foreign(Manner::closed(at), Phase::Section(behind))
    }

    fn go_foreign(&mut self, manner: Manner, phase: Phase) -> Flow {
        self.go(State::Foreign(Box::new(Foreign { manner, phase })))
    }

    fn wait_foreign(&mut self, manner: Manner, phase: Phase) -> Flow {
        self.wait(State::Foreign(Box::new(Foreign { manner, phase })))
    }

    pub(crate) fn foreign(&mut self, foreign: Foreign, cx: &mut Cx<'_, '_>) -> Flow {
        let Foreign { manner, phase } = foreign;
        match phase {
            Phase::Head(head) => self.foreign_head(manner, head, cx),
            Phase::Header(header) => self.foreign_header(manner, header, cx),
            Phase::Elements(elements) => self.foreign_elements(manner, elements, cx),
            Phase::Body(body) => self.foreign_body(manner, body, cx),
            Phase::Tail(tail) => self.foreign_tail(manner, tail, cx),
            Phase::Section(from) => self.foreign_section(manner, from, cx),
            Phase::Probe(probe) => self.foreign_probe(manner, probe, cx),
            Phase::Skip(skip) => self.foreign_skip(skip, cx),
        }
    }

    /// No call stands behind the mark, which was text if nothing else speaks for it. Else the line
    /// is left out, and the damage named.
    /// `[DJ15]`
    fn no_head(&mut self, manner: Manner, flaw: &Flaw, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        match manner.evidence {
            Evidence::Mention | Evidence::None => self.was_text(manner.at, at, cx),
            _ if manner.closer == fenced::TICK => self.leave_out(manner, flaw, at, Skip::Fence, cx),
            Evidence::Message | Evidence::Inside => {
                self.leave_out(manner, flaw, at, Skip::Mark, cx)
            }
            Evidence::Token if manner.is_closed => self.leave_out(manner, flaw, at, Skip::Mark, cx),
            Evidence::Token | Evidence::Element | Evidence::Whole => {
                self.leave_out(manner, flaw, at, Skip::Line, cx)
            }
        }
    }

    /// It is no call. Without a mark it was text; with one the damage is named, and what belongs to
    /// it is left out.
    fn no_call(&mut self, manner: Manner, flaw: &Flaw, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        if self.may_be_text(manner) {
            return self.was_text(manner.at, at, cx);
        }
        let is_marked = manner.is_closed || manner.evidence == Evidence::Message;
        let skip = match is_marked {
            _ if manner.closer == fenced::TICK => Skip::Fence,
            true => Skip::Mark,
            false => Skip::Line,
        };
        self.leave_out(manner, flaw, at, skip, cx)
    }

    /// Whether what stands behind a mark, or without one, is text if it is no call.
    fn may_be_text(&self, manner: Manner) -> bool {
        match (manner.evidence, &self.block) {
            // A call that was longer than what may be held can no longer be taken back.
            (Evidence::None, Some(block)) => block.mention.is_some(),
            (Evidence::None | Evidence::Mention, None) => true,
            (Evidence::Mention | Evidence::Token | Evidence::Message, _) => false,
            (Evidence::Inside, _) => false,
            (Evidence::Element | Evidence::Whole, _) => false,
        }
    }

    fn leave_out(
        &mut self,
        manner: Manner,
        flaw: &Flaw,
        at: usize,
        skip: Skip,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        // Where a limit is passed does not depend on how the reply was cut.
        let at = match flaw {
            Flaw::Limit(passed) => cx.input.floor(at.min(*passed)),
            Flaw::Shape | Flaw::Unknown(_) | Flaw::Arguments | Flaw::Cut => at,
        };
        self.fail_call(flaw, manner.at.max(self.done), at.max(self.done), cx);
        if *flaw == Flaw::Cut {
            return self.go(State::Text);
        }
        self.go_foreign(manner, Phase::Skip(skip))
    }

    /// What had no mark is text.
    fn was_text(&mut self, at: usize, looked_at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        if let Some(block) = self.block.take() {
            cx.sink.take(crate::sink::EventRef::Abort(block.id));
        }
        // No call was keyed, so no observation is a result.
        self.is_keyed = false;
        self.done = at;
        self.line.is_blank = false;
        let behind = at + 1 + usize::from(cx.input.byte(at) == Some(b']'));
        self.rewind(behind, looked_at, State::Text, cx)
    }

    /// Whether a registered tool's or a role's tag begins here; `None`: that is not known yet.
    fn is_tag(&self, at: usize, input: &Input<'_>) -> Option<bool> {
        use crate::tag::{HeadReader, Mark, Read};
        match HeadReader::new(at, self.limits.name).read(input) {
            Read::More => None,
            Read::Done(Mark::Tag(head)) => {
                let name = input.slice(head.name);
                Some(self.names.word(name).is_some_and(|word| {
                    self.names.role(word) != crate::dialect::Role::None
                        || self.names.is_any_tool(word)
                }))
            }
            Read::Done(Mark::Cdata(_) | Mark::Comment(_)) | Read::Not(_) | Read::Cut => Some(false),
        }
    }
}
