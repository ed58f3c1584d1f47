//! Opens the value of an element inside a block: where it goes, what ends it, and how it is read.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::ops::Range;

use crate::{
    RepairKind, ValueKind,
    block::Slot,
    carried::CarriedRule,
    chars::is_same_name,
    dialect::{self, Role, Sentinel, Style, Trim},
    ends::ChildRule,
    inside::Inside,
    json::BODY_NAMES,
    lead::Lead,
    machine::{Cx, Flow, Machine, State},
    mention::designated,
    names::Word,
    own::Own,
    rule::Rule,
    tag::{RawAttribute, StartTag},
    value::{Then, Value},
};

/// A value that is about to be read.
#[derive(Debug)]
pub(crate) struct Opening {
    pub(crate) slot: Slot,
    pub(crate) kind: ValueKind,
    /// Whether the tag says that it is written as JSON.
    pub(crate) is_json: bool,
}

impl Machine {
    /// Opens the value of an element, which may be empty.
    /// `[I12]`
    pub(crate) fn open_child(&mut self, tag: StartTag, then: Then, cx: &mut Cx<'_, '_>) -> Flow {
        let written = cx.input.slice(tag.head.name.clone());
        let word = self.names.word(written);
        let own = word.map_or_else(|| Own::Name(written.into()), Own::Word);
        let opening = self.opening(&tag, word, cx);
        self.learn_strictness(&tag, word, cx);
        if let Slot::Child { .. } = opening.slot
            && let Some(block) = &mut self.block
        {
            block.mention = None;
        }
        self.done = tag.end;
        if tag.is_closed {
            self.scan = tag.end;
            let limits = self.limits;
            if let Some(block) = &mut self.block {
                block.close_value(opening.slot, tag.head.at..tag.end, &limits);
            }
            return self.go_behind(then, tag.end);
        }
        if self.is_calling() {
            if tag.is_broken {
                self.mended(RepairKind::BrokenTag, tag.end - 1..tag.end);
            }
            return self.open_carried(opening, own, tag.end, None);
        }
        let is_raw = opening.kind == ValueKind::Raw;
        let is_declared = match &opening.slot {
            Slot::Child { param, .. } => param.is_some(),
            Slot::Body => true,
        };
        let rule = match then {
            Then::Inside => ChildRule::new(is_raw, is_declared),
            Then::Lead | Then::Body(_) => ChildRule::lifted(is_raw, is_declared),
        };
        let value = Value::new(opening.slot, Some(own), Rule::Child(rule), tag.end, then);
        self.open_head(value, opening.kind)
    }

    /// Opens a value of another syntax; `trim`, where its form differs from that of the block.
    pub(crate) fn open_carried(
        &mut self,
        opening: Opening,
        own: Own,
        from: usize,
        trim: Option<Trim>,
    ) -> Flow {
        let Some(block) = &self.block else { return self.go(State::Text) };
        let Style { trim: usual, has_cdata, .. } = block.target.style;
        let is_bracketed = block.target.sentinel == Sentinel::Brackets;
        let rule = Rule::Carried(CarriedRule::new(self.is_strained(), is_bracketed));
        let value = Value::new(opening.slot, Some(own), rule, from, Then::Inside);
        let value = value.trimmed(trim.unwrap_or(usual)).json(opening.is_json);
        if has_cdata && !opening.is_json {
            return self.open_head(value, opening.kind);
        }
        let value = value.of_kind(opening.kind, self.limits.held);
        self.done = self.done.max(from);
        self.open_value(value)
    }

    /// Whether the open block's element names its tool.
    pub(crate) fn is_calling(&self) -> bool {
        self.block.as_ref().is_some_and(|block| !block.target.is_native)
    }

    /// A block and its first value that carry the same namespace carry it throughout.
    fn learn_strictness(&mut self, tag: &StartTag, word: Option<Word>, cx: &Cx<'_, '_>) {
        let is_carrier = word.is_some_and(|word| self.names.role(word) == Role::Param);
        let sentinel = self.names.sentinel(&tag.head, cx.input);
        if let Some(block) = &mut self.block
            && is_carrier
            && block.children.is_empty()
        {
            block.target.learn(sentinel);
        }
    }

    /// Goes on behind a child.
    pub(crate) fn go_behind(&mut self, then: Then, at: usize) -> Flow {
        match then {
            Then::Inside => self.go(State::Inside(Box::new(Inside::behind_value()))),
            Then::Lead => self.go(State::Lead(Box::new(Lead::new(at, true)))),
            Then::Body(mut body) => {
                if let Some(block) = &mut self.block {
                    block.resume_text();
                }
                body.resume(at);
                self.go(State::Value(body))
            }
        }
    }

    /// Which value an element carries, and how it is read.
    /// `[I1]` `[I3]` `[DT9]`
    fn opening(&mut self, tag: &StartTag, word: Option<Word>, cx: &Cx<'_, '_>) -> Opening {
        let written = cx.input.slice(tag.head.name.clone());
        let is_carrier = word.is_some_and(|word| self.names.role(word) == Role::Param);
        let carried = is_carrier.then(|| designated(tag, cx.input)).flatten();
        let name = carried.as_deref().unwrap_or(written);
        let mut attributes = child_attributes(tag, cx);
        let mut is_json = None;
        if carried.is_some() {
            is_json = wire(&attributes);
            attributes.clear();
        }
        // What is named otherwise is another value, and not the tool's own text.
        let may_be_body = is_carrier && (carried.is_none() || BODY_NAMES.contains(&name));
        self.opening_of(name, attributes, is_json, may_be_body)
    }

    /// Where a value of this name goes, and how it is read.
    pub(crate) fn opening_of(
        &mut self,
        name: &str,
        attributes: Vec<(String, String)>,
        is_json: Option<bool>,
        may_be_body: bool,
    ) -> Opening {
        let is_json = is_json.unwrap_or(false);
        let body_slot = Opening { slot: Slot::Body, kind: ValueKind::Raw, is_json };
        let Some(block) = &mut self.block else { return body_slot };
        let tool = block.target.tool;
        let param = self.names.word(name).and_then(|word| self.names.param(tool, word));
        let body = self.names.tool(tool).and_then(|tool| tool.spec.body);
        let free = if block.target.is_native { ValueKind::Scalar } else { ValueKind::Raw };
        match (param, body) {
            (Some((id, param)), _) => {
                let n = block.count(&param.name);
                let (name, kind) = (param.name.clone(), param.kind);
                // A declared text stays one, whatever the tag says.
                let is_json = is_json && kind == ValueKind::Scalar;
                let slot = Slot::Child { name, n, param: Some((id, param.is_list)), attributes };
                Opening { slot, kind, is_json }
            }
            (None, Some(kind)) if may_be_body && block.body.is_none() => {
                Opening { kind, is_json: false, ..body_slot }
            }
            (None, _) => {
                let (n, name) = (block.count(name), String::from(name));
                let slot = Slot::Child { name, n, param: None, attributes };
                Opening { slot, kind: free, is_json }
            }
        }
    }

    /// Names something in the open block that was read otherwise than written.
    pub(crate) fn mended(&mut self, kind: RepairKind, span: Range<usize>) {
        let Some(block) = &mut self.block else { return };
        block.repair(kind, span);
        if is_boundary(kind) {
            block.recover();
        }
    }
}

/// Whether a repair guesses where something begins or ends.
/// `[G1]`
const fn is_boundary(kind: RepairKind) -> bool {
    matches!(
        kind,
        RepairKind::MissingOpen
            | RepairKind::MissingClose
            | RepairKind::InferredName
            | RepairKind::BrokenTag
    )
}

/// What an element says of how its value is written: as text, or as JSON.
fn wire(attributes: &[(String, String)]) -> Option<bool> {
    let find = |name: &str| attributes.iter().find(|(it, _)| is_same_name(it, name));
    match (find(dialect::IS_TEXT), find(dialect::TYPE)) {
        (Some((_, is_text)), _) => Some(!dialect::is_yes(is_text)),
        (None, Some((_, kind))) => Some(!dialect::is_text(kind)),
        (None, None) => None,
    }
}

// [I8]
fn child_attributes(tag: &StartTag, cx: &Cx<'_, '_>) -> Vec<(String, String)> {
    let pair = |raw: &RawAttribute| {
        let name = cx.input.slice(raw.name.clone());
        (name.into(), crate::attribute::value(raw, cx.input))
    };
    tag.attributes.iter().map(pair).collect()
}
