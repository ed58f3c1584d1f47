//! Tags inside a value, read whole and handed to the rule for its end.

use crate::{
    RepairKind,
    block::Slot,
    cdata::Facts,
    dialect::{BRACKETS, Role, Sentinel},
    ends::Verdict,
    input::Input,
    machine::Machine,
    mention::designated,
    own::{self, Kind, Own, Point},
    rule::Rule,
    start::StartReader,
    tag::{Head, Light, LightReader, Mark, Read},
    value::{Reader, Step, Value},
};

impl Machine {
    // [V1] [Q7]
    pub(crate) fn step_mark(&mut self, value: &mut Value, mark: Mark, input: &Input<'_>) -> Step {
        let head = match mark {
            Mark::Comment(_) => return self.no_mark(value),
            Mark::Cdata(_) if value.cdata.is_none() => return self.no_mark(value),
            Mark::Cdata(range) => {
                let point = Point::start(range.start, range.end, Kind::Cdata);
                return self.step_point(value, &point, input);
            }
            Mark::Tag(head) => head,
        };
        let Some(block) = &self.block else { return self.no_mark(value) };
        value.join_brackets(block.target.sentinel, &head, input);
        let kind = own::kind(&self.names, block, value.own.as_ref(), &head, input);
        // A value without a tag of its own may be one whose start tag is lost.
        let is_sole = value.own.is_none() && matches!(value.slot, Slot::Child { .. });
        if is_sole && kind == Some(Kind::Sibling) && value.hold().is_none() {
            self.mended(RepairKind::MissingOpen, head.at..head.at);
        }
        match kind {
            None => self.no_mark(value),
            Some(Kind::Other)
                if value.scalar.is_none() && (head.is_end || value.rule.is_calm()) =>
            {
                self.no_mark(value)
            }
            Some(Kind::Other) if !head.is_end => {
                self.step_point(value, &Point::start(head.at, head.name.end, Kind::Other), input)
            }
            Some(Kind::Sibling) if !head.is_end && !matches!(value.rule, Rule::Carried(_)) => {
                self.step_point(value, &Point::start(head.at, head.name.end, Kind::Sibling), input)
            }
            Some(Kind::Sibling) if self.is_idle_sibling(value, &head, input) => self.no_mark(value),
            Some(kind) => {
                value.reader = Reader::Tag(LightReader::new(head), kind);
                Step::Again
            }
        }
    }

    /// Whether a tag, named as a declared value, means nothing in a value that a general element
    /// carries.
    fn is_idle_sibling(&self, value: &Value, head: &Head, input: &Input<'_>) -> bool {
        let role = |word| self.names.role(word);
        let is_carried = |role| matches!(role, Role::Param | Role::Value);
        let own = value.own.as_ref().and_then(Own::word).map(role);
        let of_tag = self.names.word(input.slice(head.name.clone())).map(role);
        let is_carrier = matches!(of_tag, Some(Role::Param | Role::Key));
        own.is_some_and(is_carried) && !is_carrier && (head.is_end || value.rule.is_calm())
    }

    /// A whole tag.
    pub(crate) fn step_tag(
        &mut self,
        value: &mut Value,
        light: &Light,
        kind: Kind,
        is_broken: bool,
        input: &Input<'_>,
    ) -> Step {
        let Light { head, is_closed, end } = light;
        let (is_end, is_closed) = (head.is_end, *is_closed);
        let mut point = Point { is_end, is_closed, is_broken, ..Point::start(head.at, *end, kind) };
        if matches!(value.rule, Rule::Carried(_)) {
            point.begins_line = value.begins_line(head.at, input);
            point.is_next = !is_end && self.is_next(value, head, point.end, input);
            if let Rule::Carried(rule) = &mut value.rule
                && kind == Kind::Own
                && !is_end
                && head.at == value.text_from
            {
                rule.see_again();
            }
            let sentinel = self.names.sentinel(head, input);
            point.is_bare =
                is_end && self.block.as_ref().is_some_and(|it| it.target.may_be_bare(sentinel));
        }
        self.step_point(value, &point, input)
    }

    /// A tag without its `>`. An end tag of a carried value or of the call counts nevertheless
    /// where another tag follows, and a start tag where a value has ended.
    /// `[DT19]`
    pub(crate) fn step_broken(
        &mut self,
        value: &mut Value,
        kind: Kind,
        looked_at: usize,
        input: &Input<'_>,
    ) -> Step {
        let (Reader::Tag(reader, _), Rule::Carried(rule)) = (&value.reader, &value.rule) else {
            return self.no_mark(value);
        };
        let head = reader.head().clone();
        let counts = match kind {
            // Where a value has ended, the next one begins, be it broken.
            Kind::Own if !head.is_end => rule.is_waiting(),
            Kind::Own | Kind::Block => head.is_end && input.byte(looked_at) == Some(b'<'),
            Kind::Sibling | Kind::Call(_) | Kind::Outer => false,
            Kind::Around | Kind::Other | Kind::Cdata => false,
        };
        if counts {
            let light = Light { end: head.name.end, head, is_closed: false };
            return self.step_tag(value, &light, kind, true, input);
        }
        let begins_line = value.begins_line(head.at, input);
        if let Rule::Carried(rule) = &mut value.rule
            && kind == Kind::Own
        {
            rule.see_broken(begins_line);
        }
        self.no_mark(value)
    }

    /// Whether this start tag, which is whole, is of a declared value that was not given yet.
    fn is_next(&self, value: &Value, head: &Head, end: usize, input: &Input<'_>) -> bool {
        let Some(block) = &self.block else { return false };
        let name = input.slice(head.name.clone());
        let is_carrier =
            self.names.word(name).is_some_and(|word| self.names.role(word) == Role::Param);
        // What stands behind the tag must not matter: it may not be there yet.
        let tag = Input::new(input.slice(head.at..end), head.at, true);
        let carried = match StartReader::new(head.clone(), &self.limits).read(&tag) {
            Ok(Read::Done(tag)) if is_carrier => designated(&tag, input),
            Ok(_) | Err(_) => None,
        };
        let name = if is_carrier { carried.as_deref() } else { Some(name) };
        let word = name.and_then(|name| self.names.word(name));
        let param = word.and_then(|word| self.names.param(block.target.tool, word));
        param.is_some_and(|(id, param)| {
            let is_open = matches!(&value.slot, Slot::Child { name, .. } if *name == param.name);
            let is_again = is_open && head.at == value.text_from;
            param.is_list || is_again || !(is_open || block.is_given(id))
        })
    }

    fn step_point(&mut self, value: &mut Value, point: &Point, input: &Input<'_>) -> Step {
        value.reader = Reader::Text;
        self.scan = point.end;
        let can_be_firm =
            point.kind == Kind::Block && point.is_end && value.can_be_firm(point.at, input);
        let is_like = self.is_like(value, point);
        let verdict = match &mut value.cdata {
            None => value.rule.point(point, can_be_firm, self.limits.depth, input),
            Some(cdata) => {
                let is_body = value.slot == Slot::Body && value.own.is_none();
                let depth_limit = self.limits.depth;
                let facts = Facts { input, is_body, is_like, can_be_firm, depth_limit };
                cdata.point(point, &mut value.rule, &facts)
            }
        };
        if verdict == Verdict::Lift {
            self.scan = point.at;
        }
        Step::Verdict(verdict)
    }

    /// Whether a call could follow a value like this one that was left open.
    fn is_like(&self, value: &Value, point: &Point) -> bool {
        match (point.kind, &value.own) {
            (Kind::Block, _) => true,
            (Kind::Call(Some(tool)), Some(own)) => {
                own.word().is_some_and(|word| self.names.param(tool, word).is_some())
            }
            _ => false,
        }
    }
}

impl Value {
    /// Brackets before the tags of a nested value are no part of it: what is left is elements.
    fn join_brackets(&mut self, sentinel: Sentinel, head: &Head, input: &Input<'_>) {
        let is_text = matches!(&self.slot, Slot::Child { param: Some(_), .. } | Slot::Body)
            && self.scalar.is_none();
        if sentinel == Sentinel::Brackets && head.sentinel == sentinel && !is_text {
            let is_whole = input.byte(head.at) == Some(b']');
            let from = head.at + usize::from(is_whole);
            self.joins.push_back(head.at..from + BRACKETS.len() - 1);
        }
    }
}
