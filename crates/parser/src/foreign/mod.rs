//! Calls in other syntaxes than tags: a mark opens them, and what stands behind it is found out by
//! looking, since models mix syntaxes.
//!
//! A call passes through a head, which names the tool where the body does not; a body, read by one
//! of the engines; and a tail, up to the mark that closes it.

mod body;
mod call;
mod head;
mod json;
pub(crate) mod marker;
mod shape;
mod skip;
mod tail;

use alloc::boxed::Box;

use crate::{
    block::Slot,
    input::Input,
    machine::{Cx, Flow, Machine, State},
};

pub(crate) use call::Flaw;

use body::Body;
use head::Head;
use skip::Skip;
use tail::Tail;

/// How calls are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    /// Where the mark stands.
    pub(crate) at: usize,
    /// Whether a closing mark is due.
    pub(crate) is_closed: bool,
    /// Whether there is no mark: what does not read as calls throughout is text.
    pub(crate) is_bare: bool,
    /// Whether the mark may be only spoken of: it is text unless a call begins behind it.
    pub(crate) is_mention: bool,
}

impl Manner {
    /// Behind a mark that another one closes.
    pub(crate) const fn closed(at: usize) -> Self {
        Self { at, is_closed: true, is_bare: false, is_mention: false }
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
    Body(Box<Body>),
    Tail(Tail),
    /// Between marked calls.
    Section(usize),
    /// What is no call, up to where text goes on.
    Skip(Skip),
}

impl Foreign {
    /// The open value, for a reply that ends inside.
    pub(crate) fn open_slot(&self) -> Option<&Slot> {
        match &self.phase {
            Phase::Body(body) => body.open_slot(),
            Phase::Head(_) | Phase::Tail(_) | Phase::Section(_) | Phase::Skip(_) => None,
        }
    }
}

impl Machine {
    /// A mark that opens calls.
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
            Phase::Body(body) => self.foreign_body(manner, body, cx),
            Phase::Tail(tail) => self.foreign_tail(manner, tail, cx),
            Phase::Section(from) => self.foreign_section(manner, from, cx),
            Phase::Skip(skip) => self.foreign_skip(skip, cx),
        }
    }

    /// No call stands behind the mark, which was text if nothing else speaks for it. Else the line
    /// is left out, and the damage named.
    fn no_head(&mut self, manner: Manner, flaw: &Flaw, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        if manner.is_bare || manner.is_mention {
            return self.was_text(manner.at, at, cx);
        }
        self.leave_out(manner, flaw, at, Skip::Line, cx)
    }

    /// It is no call. Without a mark it was text; with one the damage is named, and what belongs to
    /// it is left out.
    fn no_call(&mut self, manner: Manner, flaw: &Flaw, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        if manner.is_bare {
            return self.was_text(manner.at, at, cx);
        }
        let skip = if manner.is_closed { Skip::Mark } else { Skip::Line };
        self.leave_out(manner, flaw, at, skip, cx)
    }

    fn leave_out(
        &mut self,
        manner: Manner,
        flaw: &Flaw,
        at: usize,
        skip: Skip,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
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
        self.done = at;
        self.line.is_blank = false;
        self.rewind(at + 1, looked_at, State::Text, cx)
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
