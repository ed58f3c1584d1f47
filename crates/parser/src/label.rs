//! A start tag that names its tool in the rest of its line: `<tool: run>`, whose text is the only
//! value. The `>` may be missing.

use crate::{
    block::Slot,
    chars::trim,
    dialect::Form,
    doomed::Doom,
    ends::BodyRule,
    inside::Inside,
    machine::{Cx, Flow, Machine, State},
    names::{ToolId, Word},
    rule::Rule,
    tag::{Head, StartTag},
    target::Target,
    value::{Then, Value},
};

/// A label that is read.
#[derive(Debug)]
pub(crate) struct Label {
    head: Head,
    own: Word,
}

impl Machine {
    pub(crate) fn open_label(&mut self, head: Head, word: Word) -> Flow {
        self.scan = head.name.end;
        let own = self.names.own_of(word, Form::Label);
        self.go(State::Label(alloc::boxed::Box::new(Label { head, own })))
    }

    pub(crate) fn label(&mut self, label: Label, cx: &mut Cx<'_, '_>) -> Flow {
        let from = label.head.name.end;
        let found = cx.input.find2(b'>', b'\n', self.scan);
        self.scan = found.unwrap_or_else(|| cx.input.end());
        match found {
            _ if self.scan - from > self.limits.name => self.no_label(&label, cx),
            Some(at) => self.labelled(label, at, cx),
            None if cx.input.is_over() => self.no_label(&label, cx),
            None => {
                self.emit_text(label.head.at, cx);
                self.wait(State::Label(alloc::boxed::Box::new(label)))
            }
        }
    }

    fn no_label(&mut self, label: &Label, cx: &mut Cx<'_, '_>) -> Flow {
        self.line.is_blank = false;
        self.rewind(label.head.name.end, self.scan, State::Text, cx)
    }

    /// The label is whole: it ends here, with a `>` or a line break.
    /// `[DT17]`
    fn labelled(&mut self, label: Label, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        let name = trim(cx.input.slice(label.head.name.end..at));
        if name.is_empty() || name.contains([' ', '<']) {
            return self.no_label(&label, cx);
        }
        let Label { head, own } = label;
        let is_broken = cx.input.byte(at) == Some(b'\n');
        let end = if is_broken { at } else { at + 1 };
        self.emit_text(head.at, cx);
        let Some(tool) = self.tool_of(name) else {
            return self.doom(Doom::unknown(name.into(), head.at, end, own), cx);
        };
        let start = head.at;
        let sentinel = self.names.sentinel(&head, cx.input);
        let target = Target::calling(tool, own).written(Form::Label, sentinel);
        self.open_block(StartTag::bare(head, end), target, cx);
        self.note_spelling(name, Form::Label, start);
        if is_broken {
            self.mended(crate::RepairKind::BrokenTag, at..at);
        }
        self.open_sole(tool, end)
    }

    /// Whether text here, the first between the tags of the open block, is the only value of its
    /// tool.
    pub(crate) fn is_sole(&self, at: usize) -> bool {
        let Some(block) = &self.block else { return false };
        let tool = self.names.tool(block.target.tool);
        block.target.is_native
            && !self.is_beyond(block.inner, at)
            && tool.is_some_and(|tool| tool.spec.body.is_none() && tool.params.len() == 1)
    }

    /// Text begins where an element was due, in a tool's own element. It is the tool's only value.
    pub(crate) fn begin_sole(&mut self, looked_at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        let Some(block) = &self.block else { return self.go(State::Text) };
        // What stood before it and was left out is not part of it.
        let (tool, from) = (block.target.tool, block.inner.max(self.done));
        self.open_sole(tool, from);
        let state = core::mem::take(&mut self.state);
        self.rewind(from, looked_at, state, cx)
    }

    /// The text of the element is the only value of the tool.
    fn open_sole(&mut self, tool: ToolId, from: usize) -> Flow {
        let Some(it) = self.names.tool(tool) else { return self.go(State::Text) };
        let sole = match it.params.as_slice() {
            [only] => Some(only.name.clone()),
            _ => None,
        };
        if sole.is_none() && it.spec.body.is_none() {
            return self.go(State::Inside(alloc::boxed::Box::new(Inside::first())));
        }
        let opening =
            self.opening_of(&sole.unwrap_or_default(), alloc::vec::Vec::new(), None, true);
        let kind = opening.kind;
        let rule = Rule::Body(BodyRule::new(false, false));
        let slot: Slot = opening.slot;
        self.done = from;
        let value = Value::new(slot, None, rule, from, Then::Inside);
        let value = value.of_kind(kind, self.limits.held);
        self.open_value(if self.is_calling() { value.plain() } else { value })
    }
}
