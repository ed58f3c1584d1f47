//! A call of another syntax while it is read: its name may come last, and its values stream.

use alloc::{string::String, sync::Arc, vec::Vec};
use core::ops::Range;

use crate::{
    Reason, RepairKind, Value,
    block::Slot,
    json::BODY_NAMES,
    kept::MOST_VALUES,
    machine::{Cx, Machine},
    names::ToolId,
    repair::MOST_REPAIRS,
    sink::EventRef,
    target::Target,
};

use super::Evidence;

/// Prefixes that some models write before a tool's name.
/// `[DJ11]`
const NAMESPACES: [&str; 5] = ["functions.", "default_api.", "tools.", "tool.", "function."];

/// Why something is no call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// No tool is named, or what stands there is not shaped like a call.
    Shape,
    /// No tool has this name.
    /// `[DJ14]`
    Unknown(String),
    /// The arguments are no object, or too deep.
    /// `[DJ16]`
    Arguments,
    /// Here, it becomes longer than what may be held.
    Limit(usize),
    /// The reply ended inside.
    Cut,
}

impl Flaw {
    pub(crate) const fn reason(&self) -> Reason {
        match self {
            Self::Shape => Reason::MalformedTag,
            Self::Unknown(_) => Reason::UnknownTool,
            Self::Arguments => Reason::InvalidArguments,
            Self::Limit(_) => Reason::Limit,
            Self::Cut => Reason::UnterminatedTool,
        }
    }
}

/// A value that came before the tool's name.
#[derive(Clone, Debug)]
struct Held {
    name: String,
    text: String,
    form: Form,
    span: Range<usize>,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As text.
    Text,
    /// As a string in quotes.
    String,
    /// As JSON.
    Json,
}

/// A call that is read.
#[derive(Debug)]
pub(crate) struct Call {
    /// Where what stands for it begins.
    pub(crate) at: usize,
    evidence: Evidence,
    tool: Option<ToolId>,
    /// The open value.
    pub(crate) slot: Option<Slot>,
    value_at: usize,
    held: Vec<Held>,
    /// More values were held than a call may have.
    is_overfull: bool,
    repairs: Vec<(RepairKind, Range<usize>)>,
    is_boundary_guessed: bool,
}

impl Call {
    pub(crate) const fn new(at: usize, evidence: Evidence) -> Self {
        Self {
            at,
            evidence,
            tool: None,
            slot: None,
            value_at: at,
            held: Vec::new(),
            is_overfull: false,
            repairs: Vec::new(),
            is_boundary_guessed: false,
        }
    }

    /// What was mended so far.
    pub(crate) fn into_repairs(self) -> Vec<(RepairKind, Range<usize>)> {
        self.repairs
    }

    /// The arguments of the open block.
    pub(super) fn inside(at: usize, tool: ToolId) -> Self {
        Self { tool: Some(tool), ..Self::new(at, Evidence::Inside) }
    }

    /// Whether where it ends was guessed.
    pub(super) const fn is_boundary_guessed(&self) -> bool {
        self.is_boundary_guessed
    }

    pub(crate) const fn is_named(&self) -> bool {
        self.tool.is_some()
    }

    /// Names something that was mended.
    pub(crate) fn mended(&mut self, kind: RepairKind, span: Range<usize>) {
        self.is_boundary_guessed |= matches!(
            kind,
            RepairKind::MissingBracket | RepairKind::InnerQuote | RepairKind::MissingClose
        );
        if self.repairs.len() < MOST_REPAIRS {
            self.repairs.push((kind, span));
        }
    }
}

impl Machine {
    /// The tool that a written name means. A namespace or an index around it does not count.
    /// `[DJ19]`
    pub(crate) fn tool_of(&self, written: &str) -> Option<ToolId> {
        let find =
            |name: &str| self.names.word(name).and_then(|word| self.names.tool_named(word, name));
        find(written).or_else(|| {
            let name = NAMESPACES.iter().find_map(|it| written.strip_prefix(it)).unwrap_or(written);
            let bare = name
                .rsplit_once(':')
                .filter(|(_, index)| is_index(index))
                .map_or(name, |(it, _)| it);
            find(bare).or_else(|| self.names.tool_like(bare))
        })
    }

    /// The tool's name is known: the block opens, with what came before its name.
    pub(crate) fn name_call(
        &mut self,
        call: &mut Call,
        written: &str,
        inner: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Result<(), Flaw> {
        let name = crate::chars::trim(written);
        if name.is_empty() {
            return Err(Flaw::Shape);
        }
        let Some(tool) = self.tool_of(name) else { return Err(Flaw::Unknown(name.into())) };
        let names = Arc::clone(&self.names);
        let Some(spec) = names.tool(tool).map(|it| &it.spec) else { return Err(Flaw::Shape) };
        // [DF6]
        if spec.needs_mark && call.evidence.is_missing() {
            return Err(Flaw::Shape);
        }
        if name.eq_ignore_ascii_case(&spec.name) && name != spec.name {
            call.mended(RepairKind::NameCase, call.at..call.at);
        }
        let own = names.tool(tool).map(|it| it.word);
        let Some(own) = own else { return Err(Flaw::Shape) };
        call.tool = Some(tool);
        let mention = (call.evidence == Evidence::None).then_some(call.at);
        self.begin_block(call.at, inner, Target::calling(tool, own), mention, cx);
        for held in core::mem::take(&mut call.held) {
            let slot = self.slot_for(tool, &held.name);
            self.delta(&slot, &held.text, held.span.start, cx);
            self.close_slot(slot, held.form, held.span);
        }
        if call.is_overfull
            && let Some(block) = &mut self.block
        {
            block.refuse(Reason::Limit, call.at..call.at, "values");
        }
        Ok(())
    }

    /// The name of a tool's only value.
    fn only_value(&self, tool: ToolId) -> Option<String> {
        match self.names.tool(tool)?.params.as_slice() {
            [only] => Some(only.name.clone()),
            [] => Some(BODY_NAMES.first().copied().unwrap_or_default().into()),
            [_, _, ..] => None,
        }
    }

    /// Which value of a tool a name means, or the lack of one.
    fn slot_for(&mut self, tool: ToolId, name: &str) -> Slot {
        let only = if name.is_empty() { self.only_value(tool) } else { None };
        self.slot_named(tool, only.as_deref().unwrap_or(name))
    }

    /// Which value of a tool a name means.
    pub(crate) fn slot_named(&mut self, tool: ToolId, name: &str) -> Slot {
        let found = self.names.word(name).and_then(|word| self.names.param(tool, word));
        let has_body = self.names.tool(tool).is_some_and(|tool| tool.spec.body.is_some());
        if found.is_none() && has_body && BODY_NAMES.contains(&name) {
            let block = self.block.as_mut();
            let Some(block) = block.filter(|block| block.body.is_some()) else { return Slot::Body };
            // What was handed out of the first one cannot be taken back.
            block.refuse(Reason::DuplicateParam, block.at..block.inner, name);
        }
        let name = found.map_or(name, |(_, param)| &param.name);
        let param = found.map(|(id, param)| (id, param.is_list));
        let n = self.block.as_mut().map_or(0, |block| block.count(name));
        Slot::Child { name: name.into(), n, param, attributes: Vec::new() }
    }

    /// Whether the tool declares a value of this name.
    pub(crate) fn is_value(&self, call: &Call, name: &str) -> bool {
        let word = self.names.word(name);
        call.tool.zip(word).is_some_and(|(tool, word)| self.names.param(tool, word).is_some())
    }

    /// A value begins.
    pub(crate) fn begin_value(&mut self, call: &mut Call, name: &str, at: usize) {
        call.value_at = at;
        match call.tool {
            Some(tool) => call.slot = Some(self.slot_for(tool, name)),
            None => {
                // `[L9]`
                if call.held.len() == MOST_VALUES {
                    call.is_overfull = true;
                    call.held.pop();
                }
                call.held.push(Held {
                    name: name.into(),
                    text: String::new(),
                    form: Form::Text,
                    span: at..at,
                });
            }
        }
    }

    /// The next piece of the open value.
    /// `[DJ7]`
    pub(crate) fn value_text(
        &mut self,
        call: &mut Call,
        text: &str,
        at: usize,
        cx: &mut Cx<'_, '_>,
    ) {
        if let Some(slot) = &call.slot {
            self.delta(slot, text, at, cx);
        } else if let Some(held) = call.held.last_mut() {
            held.text.push_str(text);
        }
    }

    /// The open value ends.
    pub(crate) fn end_value_of(&mut self, call: &mut Call, form: Form, end: usize) {
        if let Some(slot) = call.slot.take() {
            self.close_slot(slot, form, call.value_at..end);
        } else if let Some(held) = call.held.last_mut() {
            held.form = form;
            held.span.end = end;
        }
    }

    fn close_slot(&mut self, slot: Slot, form: Form, span: Range<usize>) {
        let limits = self.limits;
        let make = match form {
            Form::Text => Value::Text,
            Form::String => Value::String,
            Form::Json => Value::Json,
        };
        if let Some(block) = &mut self.block {
            block.close_value_as(slot, span, &limits, make);
        }
    }

    /// The call is whole.
    pub(crate) fn end_call(&mut self, call: Call, end: usize, cx: &mut Cx<'_, '_>) {
        if let Some(block) = &mut self.block {
            for (kind, span) in call.repairs {
                block.repair(kind, span);
            }
            if call.is_boundary_guessed {
                block.recover();
            }
        }
        self.close_block(end, cx);
    }

    /// It is no call: what was announced of it is taken back, and the damage is named.
    pub(crate) fn fail_call(&mut self, flaw: &Flaw, from: usize, end: usize, cx: &mut Cx<'_, '_>) {
        let block = self.block.take();
        // Of a block that was announced, only its last bytes need be in memory.
        let is_announced = block.is_some();
        let (tag, at) = match (&block, flaw) {
            (Some(block), _) => (block.name.clone(), block.at),
            (None, Flaw::Unknown(name)) => (name.clone(), from),
            (None, _) => (String::new(), from),
        };
        if let Some(block) = block {
            if block.is_unknown {
                return self.end_unknown(&block, end, cx);
            }
            cx.sink.take(EventRef::Abort(block.id));
        }
        self.emit_text(at.min(end), cx);
        if is_announced {
            let found = if *flaw == Flaw::Arguments { "arguments" } else { "" };
            self.fault_found(flaw.reason(), &tag, at..end, found.into(), cx);
        } else {
            self.fault(flaw.reason(), &tag, at..end, cx);
        }
        (self.done, self.scan) = (end, end);
    }
}

/// Whether this is the number of a call behind its name.
fn is_index(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
