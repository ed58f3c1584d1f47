//! The beginning of a body: declared children and attributes written as children are lifted out,
//! a CDATA section may open, arguments may be written as JSON, or the text begins.

use alloc::{boxed::Box, string::String};

use crate::{
    ValueKind,
    block::Slot,
    chars::is_same_name,
    dialect::Sentinel,
    ends::{BodyRule, ChildRule},
    input::Peek,
    inside::Inside,
    json::JsonBody,
    machine::{Cx, Flow, Machine, State},
    own::Own,
    rule::Rule,
    skim::Skim,
    start::StartReader,
    tag::{CDATA, Head, HeadReader, Mark, Read},
    value::{Then, Value},
};

/// The element that may stand around a whole body.
const CONTENT: &str = "content";

/// The beginning of a body, or a child inside one.
#[derive(Debug)]
pub(crate) struct Lead {
    /// Where the body starts, if nothing is lifted out here.
    from: usize,
    /// Something was lifted out.
    is_lifted: bool,
    phase: Phase,
    /// The body that the child stands in.
    body: Option<Box<Value>>,
}

#[derive(Debug)]
enum Phase {
    Gap,
    Head(HeadReader),
    Start(Box<StartReader>),
}

impl Lead {
    pub(crate) const fn new(from: usize, is_lifted: bool) -> Self {
        Self { from, is_lifted, phase: Phase::Gap, body: None }
    }

    /// A declared child at this position of a body.
    pub(crate) const fn inside(at: usize, body: Box<Value>) -> Self {
        Self { from: at, is_lifted: true, phase: Phase::Gap, body: Some(body) }
    }
}

impl Machine {
    /// Goes on behind the start tag of the open block.
    pub(crate) fn enter_block(&mut self, from: usize, cx: &mut Cx<'_, '_>) -> Flow {
        let has_body = self.block.as_ref().is_some_and(|block| {
            let tool = self.names.tool(block.target.tool);
            block.target.is_native && tool.is_some_and(|tool| tool.spec.body.is_some())
        });
        if !has_body {
            return self.go(State::Inside(Box::new(Inside::first())));
        }
        match cx.input.byte(from) {
            Some(b'<') if cx.input.has_word(CDATA, from) == Some(true) => {
                self.begin_section(from + CDATA.len())
            }
            // Most bodies begin at once.
            Some(byte) if byte.is_ascii_graphic() && !matches!(byte, b'<' | b'{') => {
                self.begin_body(Lead::new(from, false), cx)
            }
            Some(_) | None => self.go(State::Lead(Box::new(Lead::new(from, false)))),
        }
    }

    pub(crate) fn lead(&mut self, mut lead: Box<Lead>, cx: &mut Cx<'_, '_>) -> Flow {
        if lead.body.is_none() && self.is_beyond(lead.from, self.scan) {
            return self.begin_body(*lead, cx);
        }
        match &mut lead.phase {
            Phase::Gap => self.lead_gap(lead, cx),
            Phase::Head(reader) => match reader.read(cx.input) {
                Read::More => self.wait(State::Lead(lead)),
                Read::Done(mark) => self.lead_mark(lead, mark, cx),
                Read::Not(_) | Read::Cut => self.begin_body(*lead, cx),
            },
            Phase::Start(reader) => match reader.read(cx.input) {
                Ok(Read::More) => self.wait(State::Lead(lead)),
                Ok(Read::Done(tag)) => self.lift(*lead, tag, cx),
                Ok(Read::Not(_) | Read::Cut) | Err(_) => self.begin_body(*lead, cx),
            },
        }
    }

    fn lead_gap(&mut self, mut lead: Box<Lead>, cx: &mut Cx<'_, '_>) -> Flow {
        self.scan = cx.input.skip_blanks(self.scan);
        match cx.input.peek(self.scan) {
            Peek::More => self.wait(State::Lead(lead)),
            Peek::Byte(b'<') => {
                lead.phase = Phase::Head(HeadReader::new(self.scan, self.limits.name));
                self.go(State::Lead(lead))
            }
            Peek::Byte(b'{') if self.may_be_json(&lead) => {
                let json = JsonBody::in_body(self.scan, lead.from);
                self.go(State::Json(Box::new(json)))
            }
            // Nothing of a body has begun.
            Peek::Over if lead.is_lifted && lead.body.is_none() => {
                self.done = self.scan;
                self.go(State::Inside(Box::new(Inside::behind_value())))
            }
            Peek::Byte(_) | Peek::Over => self.begin_body(*lead, cx),
        }
    }

    /// Whether arguments may be written as JSON here: nothing was given in another way.
    fn may_be_json(&self, lead: &Lead) -> bool {
        let is_open = self.block.as_ref().is_some_and(|block| {
            let tool = self.names.tool(block.target.tool);
            !block.has_values() && tool.is_some_and(|tool| !tool.params.is_empty())
        });
        is_open && !lead.is_lifted
    }

    fn lead_mark(&mut self, mut lead: Box<Lead>, mark: Mark, cx: &mut Cx<'_, '_>) -> Flow {
        match mark {
            Mark::Cdata(range) if lead.body.is_none() => self.begin_section(range.end),
            Mark::Cdata(_) | Mark::Comment(_) => self.begin_body(*lead, cx),
            Mark::Tag(head) if head.is_end => self.lead_end(*lead, &head, cx),
            Mark::Tag(head) if head.is_bounded(cx.input) && self.is_liftable(&head, cx) => {
                lead.phase = Phase::Start(Box::new(StartReader::new(head, &self.limits)));
                self.go(State::Lead(lead))
            }
            Mark::Tag(_) => self.begin_body(*lead, cx),
        }
    }

    /// An end tag: where children were lifted out and nothing follows, there is no body.
    fn lead_end(&mut self, lead: Lead, head: &Head, cx: &mut Cx<'_, '_>) -> Flow {
        let is_own =
            self.block.as_ref().is_some_and(|block| self.ends(head, &block.target, cx.input));
        if is_own && head.is_bounded(cx.input) && lead.is_lifted && lead.body.is_none() {
            self.scan = head.at;
            self.done = head.at;
            return self.go(State::Inside(Box::new(Inside::behind_value())));
        }
        self.begin_body(lead, cx)
    }

    /// Whether an element is a value of the tool rather than text of the body.
    /// `[I4]`
    fn is_liftable(&self, head: &Head, cx: &Cx<'_, '_>) -> bool {
        let name = cx.input.slice(head.name.clone());
        let Some(block) = &self.block else { return false };
        let word = self.names.word(name);
        match word.and_then(|word| self.names.param(block.target.tool, word)) {
            Some((id, param)) => param.is_list || !block.is_given(id),
            None => is_same_name(name, CONTENT),
        }
    }

    /// Opens the value of an element.
    fn lift(&mut self, lead: Lead, tag: crate::tag::StartTag, cx: &mut Cx<'_, '_>) -> Flow {
        let name = cx.input.slice(tag.head.name.clone());
        let is_declared = self.block.as_ref().is_some_and(|block| {
            let word = self.names.word(name);
            word.is_some_and(|word| self.names.param(block.target.tool, word).is_some())
        });
        match (lead.body, is_declared) {
            (Some(body), _) => self.open_child(tag, Then::Body(body), cx),
            (None, true) => self.open_child(tag, Then::Lead, cx),
            (None, false) if tag.is_closed || !tag.attributes.is_empty() => {
                self.begin_body(Lead::new(lead.from, lead.is_lifted), cx)
            }
            (None, false) => self.open_content(&tag),
        }
    }

    /// The element around a whole body.
    /// `[I5]`
    fn open_content(&mut self, tag: &crate::tag::StartTag) -> Flow {
        let kind = self.body_kind();
        self.forget_mention();
        let rule = Rule::Child(ChildRule::new(kind == ValueKind::Raw, false));
        let own = Some(Own::Name(String::from(CONTENT)));
        let value = Value::new(Slot::Body, own, rule, tag.end, Then::Inside);
        self.open_head(value, kind)
    }

    fn body_kind(&self) -> ValueKind {
        let tool = self.block.as_ref().and_then(|block| self.names.tool(block.target.tool));
        tool.and_then(|tool| tool.spec.body).unwrap_or_default()
    }

    fn forget_mention(&mut self) {
        if let Some(block) = &mut self.block {
            block.mention = None;
        }
    }

    // [I11] [E6]
    fn body_rule(&self) -> Rule {
        let tool = self.block.as_ref().and_then(|block| self.names.tool(block.target.tool));
        let lifts = self.body_kind() == ValueKind::Scalar
            && tool.is_some_and(|tool| tool.params.iter().any(|param| param.is_child));
        Rule::Body(BodyRule::new(lifts, tool.is_some_and(|tool| tool.spec.is_lenient_eof)))
    }

    /// How to skim over a body of the open block: what matters in it are tags of the tool's name.
    fn own_skim(&self) -> Option<Skim> {
        let target = &self.block.as_ref()?.target;
        if !target.is_native || target.sentinel != Sentinel::None {
            return None;
        }
        let spec = &self.names.tool(target.tool)?.spec;
        Skim::new([&spec.name].into_iter().chain(&spec.aliases).map(String::as_str))
    }

    /// The body is a section.
    /// `[C1]`
    fn begin_section(&mut self, from: usize) -> Flow {
        self.forget_mention();
        self.done = from;
        let value = Value::new(Slot::Body, None, self.body_rule(), from, Then::Inside);
        let value = value.of_kind(self.body_kind(), self.limits.held).in_cdata();
        let value = value.skimmed(self.own_skim().map(Skim::in_section));
        self.open_value(value)
    }

    /// The body is text, from where the last element ended.
    pub(crate) fn begin_body(&mut self, lead: Lead, cx: &mut Cx<'_, '_>) -> Flow {
        if let Some(body) = lead.body {
            self.scan = lead.from + 1;
            if let Some(block) = &mut self.block {
                block.resume_text();
            }
            return self.go(State::Value(body));
        }
        if lead.is_lifted || cx.input.slice(lead.from..self.scan).contains('\n') {
            self.forget_mention();
        }
        let looked_at = self.scan;
        let value = Value::new(Slot::Body, None, self.body_rule(), lead.from, Then::Inside);
        let value = value.of_kind(self.body_kind(), self.limits.held);
        let value = value.skimmed(self.own_skim());
        self.rewind(lead.from, looked_at, State::Value(Box::new(value)), cx)
    }
}

/// The beginning of a child's value.
#[derive(Debug)]
pub(crate) struct ValueHead {
    value: Value,
    kind: ValueKind,
    from: usize,
    reader: Option<HeadReader>,
}

impl ValueHead {
    pub(crate) const fn slot(&self) -> &Slot {
        self.value.slot()
    }
}

impl Machine {
    /// Opens a child's value, which may be a section.
    pub(crate) fn open_head(&mut self, value: Value, kind: ValueKind) -> Flow {
        let from = value.from();
        self.scan = from;
        self.done = self.done.max(from);
        let head = ValueHead { value, kind, from, reader: None };
        self.go(State::ValueHead(Box::new(head)))
    }

    pub(crate) fn value_head(&mut self, mut head: Box<ValueHead>, cx: &mut Cx<'_, '_>) -> Flow {
        if head.reader.is_none() {
            self.scan = cx.input.skip_blanks(self.scan);
        }
        let limit = self.limits.held;
        let section = match &mut head.reader {
            _ if self.is_beyond(head.from, self.scan) => None,
            None => match cx.input.peek(self.scan) {
                Peek::More => return self.wait(State::ValueHead(head)),
                Peek::Byte(b'<') => {
                    head.reader = Some(HeadReader::new(self.scan, self.limits.name));
                    return self.go(State::ValueHead(head));
                }
                Peek::Byte(_) | Peek::Over => None,
            },
            Some(reader) => match reader.read(cx.input) {
                Read::More => return self.wait(State::ValueHead(head)),
                Read::Done(Mark::Cdata(range)) => Some(range.end),
                Read::Done(_) | Read::Not(_) | Read::Cut => None,
            },
        };
        let ValueHead { value, kind, from, .. } = *head;
        let value = value.of_kind(kind, limit);
        match section {
            Some(start) => {
                self.done = start;
                self.open_value(value.starting_at(start).in_cdata())
            }
            None => {
                let looked_at = self.scan;
                self.rewind(from, looked_at, State::Value(Box::new(value)), cx)
            }
        }
    }
}
