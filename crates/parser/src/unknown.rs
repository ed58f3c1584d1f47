//! Calls of tools that are not registered. They are read as if they were, so that nothing in their
//! values is taken for a call, and nothing of them is handed out but the damage at their end.

use alloc::{boxed::Box, string::String};

use crate::{
    Fault, Reason,
    block::OpenBlock,
    inside::Inside,
    machine::{Cx, Flow, Machine, State},
    near,
    sink::EventRef,
    tag::StartTag,
    target::Target,
};

impl Machine {
    /// The start of a call of a tool that is not registered.
    pub(crate) fn open_unknown(
        &mut self,
        tag: &StartTag,
        name: &str,
        target: Target,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let at = tag.head.at;
        self.emit_text(at, cx);
        let mut block = Box::<OpenBlock>::default();
        block.is_unknown = true;
        block.name = String::from(name);
        block.at = at;
        block.inner = tag.end;
        block.mention = (!self.line.is_blank && !tag.is_closed).then_some(at);
        block.target = target;
        self.scan = tag.end;
        self.block = Some(block);
        if tag.is_closed {
            return self.close_block(tag.end, cx);
        }
        self.go(State::Inside(Box::new(Inside::first())))
    }

    /// Takes back what was announced of a block: nothing, if its tool is not registered.
    pub(crate) fn abort(block: &OpenBlock, cx: &mut Cx<'_, '_>) {
        if !block.is_unknown {
            cx.sink.take(EventRef::Abort(block.id));
        }
    }

    /// What is wrong with the call of a tool that is not registered.
    pub(crate) fn unknown_fault(&self, block: &OpenBlock, end: usize) -> Fault {
        let mut fault = block.fault(Reason::UnknownTool, block.at..end, String::new());
        fault.nearest = near::nearest(&block.name, self.names.tool_names());
        fault
    }

    /// The reply ends in a call of a tool that is not registered.
    pub(crate) fn cut_unknown(&mut self, end: usize, cx: &mut Cx<'_, '_>) {
        let Some(block) = self.block.take() else { return };
        self.end_unknown(&block, end, cx);
        self.state = State::Text;
    }

    /// Names the call of a tool that is not registered.
    pub(crate) fn end_unknown(&mut self, block: &OpenBlock, end: usize, cx: &mut Cx<'_, '_>) {
        self.emit_text(block.at, cx);
        cx.sink.take(EventRef::Fault(self.unknown_fault(block, end)));
        (self.done, self.scan) = (end, end);
    }
}
