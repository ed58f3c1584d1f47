//! A block while it is read: its values, and what was wrong with them.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::{mem, ops::Range};

use crate::{
    Block, BlockId, Child, Fault, Finish, Limits, Reason, Repair, RepairKind, Value,
    chars::is_same_name,
    dialect,
    kept::{self, Kept, MOST_VALUES},
    machine::{Cx, Flow, Machine, State, excerpt},
    names::ParamId,
    repair::MOST_REPAIRS,
    sink::{EventRef, ValueRef},
    tag::StartTag,
    target::Target,
};

/// Where a value goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// The body.
    Body,
    /// A child.
    Child {
        /// Its declared name, or the name as written.
        name: String,
        /// Its number among children of that name.
        n: u32,
        /// The declared value, and whether it may repeat.
        param: Option<(ParamId, bool)>,
        attributes: Vec<(String, String)>,
    },
}

/// Where the text of a value that was given stands, for the comparison with a second one.
#[derive(Clone, Copy, Debug, Default)]
enum Given {
    #[default]
    No,
    Attribute(usize),
    Child(usize),
    /// Given, but not kept.
    Unknown,
}

/// An open block.
#[derive(Debug, Default)]
pub(crate) struct OpenBlock {
    pub(crate) id: BlockId,
    pub(crate) target: Target,
    /// Its tool is not registered, so that nothing of it is handed out.
    pub(crate) is_unknown: bool,
    pub(crate) name: String,
    pub(crate) at: usize,
    /// Where its source must be kept from, since it may turn out to be text.
    pub(crate) mention: Option<usize>,
    /// Behind its start tag.
    pub(crate) inner: usize,
    attributes: Vec<(String, String)>,
    given: Vec<Given>,
    pub(crate) children: Vec<Child>,
    /// The number of the last child of each name.
    counts: Vec<(String, u32)>,
    pub(crate) body: Option<Value>,
    /// Why it cannot run.
    fatal: Option<Fault>,
    faults: Vec<Fault>,
    repairs: Vec<Repair>,
    is_recovered: bool,
    /// A tag in a value might have been its end; what follows is sure nevertheless.
    pub(crate) is_unsure: bool,
    is_from_unclosed_cdata: bool,
    /// Undeclared elements around declared ones.
    pub(crate) wrappers: Vec<String>,
    kept: Kept,
    /// The value that is being read.
    text: String,
    n_bytes: usize,
    /// The body, while a child in it is read.
    aside: Option<(String, usize)>,
}

impl OpenBlock {
    /// Damage inside this block.
    pub(crate) fn fault(&self, reason: Reason, span: Range<usize>, found: String) -> Fault {
        let span = span.start as u64..span.end as u64;
        Fault { reason, tag: self.name.clone(), span, found, nearest: Vec::new() }
    }

    /// Something that was worked around, once.
    pub(crate) fn note(&mut self, reason: Reason, span: Range<usize>, found: &str) {
        let fault = self.fault(reason, span, excerpt(found));
        if self.faults.len() < 64 && self.faults.last() != Some(&fault) {
            self.faults.push(fault);
        }
    }

    /// Something that was read otherwise than written.
    pub(crate) fn repair(&mut self, kind: RepairKind, span: Range<usize>) {
        if self.repairs.len() < MOST_REPAIRS {
            let repair = Repair { kind, span: span.start as u64..span.end as u64 };
            if self.repairs.last() != Some(&repair) {
                self.repairs.push(repair);
            }
        }
    }

    /// Something that keeps the block from running; the first reason counts.
    pub(crate) fn refuse(&mut self, reason: Reason, span: Range<usize>, found: &str) {
        if self.fatal.is_none() {
            self.fatal = Some(self.fault(reason, span, excerpt(found)));
        }
    }

    /// The block's end was guessed.
    /// `[G1]`
    pub(crate) const fn recover(&mut self) {
        self.is_recovered = true;
    }

    /// Whether any value was given.
    pub(crate) const fn has_values(&self) -> bool {
        !self.attributes.is_empty() || !self.children.is_empty() || self.body.is_some()
    }

    /// Whether a declared value has been given.
    pub(crate) fn is_given(&self, param: ParamId) -> bool {
        self.given.get(param.0).is_some_and(|given| !matches!(given, Given::No))
    }

    /// Takes a value of a declared name, which will stand at `new`; its text, if that is kept. A
    /// second one must be the same, and does not count; in other syntaxes the last counts. `[I6]`
    /// `[V11]`
    fn give(
        &mut self,
        param: (ParamId, &str),
        text: Option<&str>,
        new: Given,
        span: Range<usize>,
    ) -> bool {
        let (ParamId(n), name) = param;
        if self.given.len() <= n {
            self.given.resize(n + 1, Given::No);
        }
        let Some(given) = self.given.get_mut(n) else { return true };
        let old = match *given {
            Given::No => {
                *given = if text.is_some() { new } else { Given::Unknown };
                return true;
            }
            Given::Attribute(n) => self.attributes.get(n).map(|(_, value)| value.as_str()),
            Given::Child(n) => self.children.get(n).map(|child| child.value.text()),
            Given::Unknown => None,
        };
        if !self.target.is_native {
            self.repair(RepairKind::GivenTwice, span);
            return true;
        }
        if old.is_none() || old != text {
            self.refuse(Reason::DuplicateParam, span, name);
        }
        false
    }

    /// The number of the next child of this name.
    /// `[I7]`
    pub(crate) fn count(&mut self, name: &str) -> u32 {
        if let Some((_, n)) = self.counts.iter_mut().find(|(it, _)| it == name) {
            *n += 1;
            return *n;
        }
        if self.counts.len() < MOST_VALUES {
            self.counts.push((name.into(), 0));
        }
        0
    }

    /// Keeps a piece of the value that is being read.
    /// `[L4]`
    pub(crate) fn push(&mut self, slot: &Slot, text: &str, limits: &Limits, at: usize) {
        let limit = kept::longest(slot, limits);
        let room = limit.saturating_sub(self.n_bytes);
        self.n_bytes += text.len();
        if text.len() <= room {
            return self.text.push_str(text);
        }
        if limits.owned_value == 0 {
            return self.text.clear();
        }
        let mut cut = room;
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        self.text.push_str(text.get(..cut).unwrap_or_default());
        self.refuse(Reason::Limit, at..at, "owned value");
    }

    /// A child begins inside the body.
    pub(crate) fn set_text_aside(&mut self) {
        self.aside = Some((mem::take(&mut self.text), mem::take(&mut self.n_bytes)));
    }

    /// The body goes on behind a child.
    pub(crate) fn resume_text(&mut self) {
        (self.text, self.n_bytes) = self.aside.take().unwrap_or_default();
    }

    /// Ends the value that is being read, which is text.
    pub(crate) fn close_value(&mut self, slot: Slot, span: Range<usize>, limits: &Limits) {
        self.close_value_as(slot, span, limits, Value::Text);
    }

    /// Ends the value that is being read.
    /// `[V10]`
    pub(crate) fn close_value_as(
        &mut self,
        slot: Slot,
        span: Range<usize>,
        limits: &Limits,
        make: fn(String) -> Value,
    ) {
        let text = mem::take(&mut self.text);
        let is_kept = self.n_bytes <= kept::longest(&slot, limits);
        self.n_bytes = 0;
        match slot {
            Slot::Body => self.body = Some(make(text)),
            Slot::Child { name, param, attributes, .. } => {
                let text_of = is_kept.then_some(text.as_str());
                let place = Given::Child(self.children.len());
                let at = span.end;
                let is_new = param.is_none_or(|(param, is_list)| {
                    is_list || self.give((param, &name), text_of, place, span)
                });
                if is_new {
                    let is_declared = param.is_some();
                    let value = make(text);
                    let child = Child { name, attributes, value, is_declared };
                    self.add(child, at, limits);
                }
            }
        }
    }

    /// Adds a child, if there is room.
    /// `[L9]`
    fn add(&mut self, child: Child, at: usize, limits: &Limits) {
        let attributes = child.attributes.iter().map(|(name, value)| name.len() + value.len());
        let n_bytes = child.name.len() + child.value.text().len() + attributes.sum::<usize>();
        if self.kept.take(n_bytes, limits) {
            self.children.push(child);
        } else {
            self.refuse(Reason::Limit, at..at, "values");
        }
    }

    /// The finished block; what is left can be set up again.
    fn finish(&mut self, span: Range<usize>, is_recovered: bool) -> Block {
        self.given.clear();
        self.counts.clear();
        self.wrappers.clear();
        self.text.clear();
        self.aside = None;
        Block {
            id: self.id,
            name: mem::take(&mut self.name),
            attributes: mem::take(&mut self.attributes),
            children: mem::take(&mut self.children),
            body: self.body.take(),
            is_partial: false,
            is_recovered,
            is_from_unclosed_cdata: self.is_from_unclosed_cdata,
            faults: mem::take(&mut self.faults),
            repairs: mem::take(&mut self.repairs),
            span: span.start as u64..span.end as u64,
        }
    }
}

impl Machine {
    /// Opens a block behind its start tag.
    /// `[B5]` `[B8]` `[L7]`
    pub(crate) fn open_block(
        &mut self,
        tag: StartTag,
        target: Target,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let at = tag.head.at;
        let mention = (!self.line.is_blank && !tag.is_closed).then_some(at);
        let mut block = self.new_block(at, tag.end, target, mention, cx);
        self.attributes(&mut block, &tag, cx);
        self.scan = tag.end;
        self.block = Some(block);
        self.spare.keep_list(tag.attributes);
        if tag.is_closed { self.close_block(tag.end, cx) } else { self.enter_block(tag.end, cx) }
    }

    /// Opens a block of another syntax, whose values come one by one.
    pub(crate) fn begin_block(
        &mut self,
        at: usize,
        inner: usize,
        target: Target,
        mention: Option<usize>,
        cx: &mut Cx<'_, '_>,
    ) {
        let block = self.new_block(at, inner, target, mention, cx);
        self.block = Some(block);
    }

    /// A block that is announced.
    fn new_block(
        &mut self,
        at: usize,
        inner: usize,
        target: Target,
        mention: Option<usize>,
        cx: &mut Cx<'_, '_>,
    ) -> Box<OpenBlock> {
        self.emit_text(at, cx);
        (self.is_beginning, self.has_loose_values) = (false, false);
        // A reply that was cut is not over for a block that is open.
        cx.input.set_over(cx.input.is_over() && matches!(cx.finish, None | Some(Finish::Stop)));
        let id = BlockId(self.n_blocks);
        self.n_blocks += 1;
        let mut block = self.spare.block();
        block.id = id;
        if let Some(tool) = self.names.tool(target.tool) {
            block.name = self.spare.text(&tool.spec.name);
        }
        block.at = at;
        block.mention = mention;
        block.inner = inner;
        block.attributes = self.spare.attributes();
        (block.is_recovered, block.is_unsure) = (self.is_recovered, false);
        block.is_from_unclosed_cdata = at < self.unclosed_until;
        (block.n_bytes, block.kept) = (0, Kept::default());
        block.target = target;
        cx.sink.take(EventRef::Start { block: id, name: &block.name, at: at as u64 });
        if usize::try_from(id.0).unwrap_or(usize::MAX) >= self.limits.blocks {
            block.refuse(Reason::Limit, at..inner, "calls");
        }
        block
    }

    /// Takes the attributes of a start tag; those that name the tool are none of the tool's.
    /// `[A6]` `[A7]` `[I3]`
    fn attributes(&mut self, block: &mut OpenBlock, tag: &StartTag, cx: &mut Cx<'_, '_>) {
        let is_native = block.target.is_native;
        for raw in &tag.attributes {
            let written = cx.input.slice(raw.name.clone());
            if !is_native && is_same_name(written, dialect::NAME) {
                continue;
            }
            let span = raw.name.start..raw.value.end.max(raw.name.end);
            let param = self.names.param_named(block.target.tool, written);
            if !is_native && param.is_none() {
                continue;
            }
            let mut value = self.spare.text("");
            crate::attribute::read(raw, cx.input, &mut value);
            let place = Given::Attribute(block.attributes.len());
            let (name, is_new) = match param {
                Some((id, param)) if !param.is_list => {
                    let name = param.name.as_str();
                    (name, block.give((id, name), Some(&value), place, span))
                }
                Some(_) | None => (written, true),
            };
            if is_new {
                cx.sink.take(EventRef::Attribute { block: block.id, name, value: &value });
                block.attributes.push((self.spare.text(name), value));
            } else {
                self.spare.keep(value);
            }
        }
    }

    /// Hands out a piece of the value that is being read.
    pub(crate) fn delta(&mut self, slot: &Slot, text: &str, at: usize, cx: &mut Cx<'_, '_>) {
        let Some(block) = &mut self.block else { return };
        if text.is_empty() || block.is_unknown {
            return;
        }
        block.push(slot, text, &self.limits, at);
        let value = match slot {
            Slot::Body => ValueRef::Body,
            Slot::Child { name, n, .. } => ValueRef::Child(name, *n),
        };
        cx.sink.take(EventRef::Delta { block: block.id, value, text });
    }

    /// Ends the open block; what it stands for ends here.
    /// `[G2]`
    pub(crate) fn close_block(&mut self, end: usize, cx: &mut Cx<'_, '_>) -> Flow {
        let Some(mut block) = self.block.take() else { return self.go(State::Text) };
        self.emit_text(block.at, cx);
        if block.is_unknown {
            block.fatal = Some(self.unknown_fault(&block, end));
        }
        let span = block.at..end;
        self.is_recovered |= block.is_recovered;
        let is_recovered = self.is_recovered || block.is_unsure;
        match block.fatal.take() {
            None => {
                let mut finished = block.finish(span, is_recovered);
                cx.sink.end(&mut finished);
                self.spare.keep_block(finished, block);
            }
            Some(mut fault) => {
                fault.span = span.start as u64..span.end as u64;
                Self::abort(&block, cx);
                cx.sink.take(EventRef::Fault(fault));
            }
        }
        (self.done, self.scan) = (end, end);
        self.line.is_blank = true;
        self.is_behind_call = true;
        self.go(State::Text)
    }

    /// Reports the open block as cut. The machine stays where it is, so that more of the reply can
    /// be fed.
    /// `[E7]`
    pub(crate) fn report_partial(&mut self, cx: &mut Cx<'_, '_>) {
        let Some(block) = &self.block else { return };
        let end = cx.input.end();
        if block.is_unknown {
            return self.cut_unknown(end, cx);
        }
        let fault = block.fault(Reason::UnterminatedTool, block.at..end, String::new());
        let mut children = block.children.clone();
        let mut body = block.body.clone();
        if let Some((text, _)) = &block.aside {
            body = Some(Value::Text(text.clone()));
        }
        match self.open_slot() {
            Some(Slot::Body) => body = Some(Value::Text(block.text.clone())),
            Some(Slot::Child { name, param, attributes, .. }) => children.push(Child {
                name: name.clone(),
                attributes: attributes.clone(),
                value: Value::Text(block.text.clone()),
                is_declared: param.is_some(),
            }),
            None => {}
        }
        let mut faults = block.faults.clone();
        faults.push(fault);
        cx.sink.end(&mut Block {
            id: block.id,
            name: block.name.clone(),
            attributes: block.attributes.clone(),
            children,
            body,
            is_partial: true,
            is_recovered: self.is_recovered || block.is_recovered || block.is_unsure,
            is_from_unclosed_cdata: block.is_from_unclosed_cdata,
            faults,
            repairs: block.repairs.clone(),
            span: block.at as u64..end as u64,
        });
    }

    fn open_slot(&self) -> Option<&Slot> {
        if let State::ValueHead(head) = &self.state {
            return Some(head.slot());
        }
        if let State::Foreign(foreign) = &self.state {
            return foreign.open_slot();
        }
        if let State::Yaml(yaml) = &self.state {
            return yaml.open_slot();
        }
        if let State::Value(value) = &self.state { Some(value.slot()) } else { None }
    }

    /// Ends the open block as cut, at the end of the reply.
    pub(crate) fn cut_block(&mut self, cx: &mut Cx<'_, '_>) -> Flow {
        self.report_partial(cx);
        self.block = None;
        let end = cx.input.end();
        (self.done, self.scan) = (end, end);
        self.go(State::Text)
    }
}
