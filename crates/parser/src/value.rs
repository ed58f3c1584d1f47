//! A value while it streams: text is handed out as soon as it cannot be the end.

use alloc::{boxed::Box, collections::VecDeque};
use core::ops::Range;

use crate::{
    Reason, ValueKind,
    block::Slot,
    cdata::{Cdata, END, JOIN},
    chars::{is_blank, is_name_start},
    dialect::Trim,
    ends::Verdict,
    input::{Input, Peek},
    machine::{Cx, Flow, Machine, State},
    own::{Kind, Own},
    rule::Rule,
    scalar::Scalar,
    skim::Skim,
    soft::Soft,
    tag::{HeadReader, LightReader, Read},
};

/// How many bytes of a mark are looked at before it is read.
const LONGEST_LOOK: usize = 4;

/// What is read after a value.
#[derive(Debug)]
pub(crate) enum Then {
    /// Elements inside the block.
    Inside,
    /// The beginning of the body.
    Lead,
    /// The body that the value stands in.
    Body(Box<Value>),
}

/// An open value.
#[derive(Debug)]
pub(crate) struct Value {
    pub(crate) slot: Slot,
    pub(crate) own: Option<Own>,
    pub(crate) rule: Rule,
    pub(crate) cdata: Option<Cdata>,
    pub(crate) scalar: Option<Scalar>,
    pub(crate) then: Then,
    pub(crate) reader: Reader,
    /// Where its text starts.
    pub(crate) from: usize,
    /// Behind the text that was handed out.
    pub(crate) released: usize,
    /// The blanks at the end of the text that may be layout.
    pub(crate) soft: Soft,
    /// Where sections join, in text that was not handed out.
    pub(crate) joins: VecDeque<Range<usize>>,
    pub(crate) is_stripped: bool,
    pub(crate) trim: Trim,
    /// Whether it is written as JSON.
    pub(crate) is_json: bool,
    /// Behind what was left out at the start.
    pub(crate) text_from: usize,
    pub(crate) has_break: bool,
    pub(crate) break_from: usize,
    /// How its text is skimmed while nothing is held, if it can be.
    pub(crate) skim: Option<Skim>,
}

#[derive(Debug)]
pub(crate) enum Reader {
    Text,
    Head(HeadReader),
    Tag(LightReader, Kind),
}

/// How a step inside a value went.
pub(crate) enum Step {
    Again,
    Wait,
    Verdict(Verdict),
}

impl Value {
    pub(crate) fn new(slot: Slot, own: Option<Own>, rule: Rule, from: usize, then: Then) -> Self {
        Self {
            slot,
            own,
            rule,
            cdata: None,
            scalar: None,
            then,
            reader: Reader::Text,
            from,
            released: from,
            soft: Soft::default(),
            joins: VecDeque::new(),
            is_stripped: false,
            trim: Trim::Lines,
            is_json: false,
            text_from: from,
            has_break: false,
            break_from: from,
            skim: None,
        }
    }

    /// Skims over the text where it can.
    pub(crate) const fn skimmed(mut self, skim: Option<Skim>) -> Self {
        self.skim = skim;
        self
    }

    /// Reads the value as this kind.
    pub(crate) fn of_kind(mut self, kind: ValueKind, limit: usize) -> Self {
        let is_carried = matches!(self.rule, Rule::Carried(_));
        self.scalar = match kind {
            ValueKind::Scalar if is_carried => Some(Scalar::new(limit).verbatim()),
            ValueKind::Scalar => Some(Scalar::new(limit)),
            ValueKind::Raw => None,
        };
        self
    }

    /// Without entities.
    pub(crate) fn plain(mut self) -> Self {
        self.scalar = self.scalar.map(Scalar::verbatim);
        self
    }

    /// As JSON, where the tag says so.
    pub(crate) const fn json(mut self, is_json: bool) -> Self {
        self.is_json = is_json;
        self
    }

    /// With these line breaks as layout.
    pub(crate) const fn trimmed(mut self, trim: Trim) -> Self {
        self.trim = trim;
        self
    }

    /// The value is a CDATA section.
    pub(crate) fn in_cdata(mut self) -> Self {
        self.cdata = Some(Cdata::new());
        self.scalar = self.scalar.map(Scalar::verbatim);
        self
    }

    pub(crate) const fn from(&self) -> usize {
        self.from
    }

    /// Moves the start of its text.
    pub(crate) const fn starting_at(mut self, from: usize) -> Self {
        (self.from, self.released, self.break_from) = (from, from, from);
        self
    }

    pub(crate) const fn slot(&self) -> &Slot {
        &self.slot
    }

    /// The first position that may be the end.
    pub(crate) fn hold(&self) -> Option<usize> {
        match &self.cdata {
            Some(cdata) => cdata.hold(&self.rule),
            None => self.rule.hold(),
        }
    }

    /// Up to where the text is certain to be text, but for what is soft.
    /// `[V12]` `[W1]`
    pub(crate) fn certain(&self, scan: usize, has_brackets: bool) -> usize {
        let reading = match &self.reader {
            Reader::Text => scan,
            Reader::Head(reader) if has_brackets => reader.at(),
            // A bracket before `<` is text where the block's tags have none.
            Reader::Head(reader) => reader.behind() - 1,
            Reader::Tag(reader, _) => reader.head().at,
        };
        self.hold().map_or(reading, |hold| hold.min(reading))
    }

    /// Leaves out one line break directly behind the start.
    /// `[V3]`
    fn strip_start(&mut self, input: &Input<'_>) -> bool {
        if self.is_stripped {
            return true;
        }
        let n = match (input.peek(self.from), input.peek(self.from + 1)) {
            _ if self.trim == Trim::Nothing => 0,
            (Peek::Byte(b'\n'), _) => 1,
            (Peek::Byte(b'\r'), Peek::Byte(b'\n')) => 2,
            (Peek::More, _) | (Peek::Byte(b'\r'), Peek::More) => return false,
            (Peek::Byte(_) | Peek::Over, _) => 0,
        };
        self.is_stripped = true;
        self.has_break |= n > 0;
        if n > 0 {
            self.rule.set_lined();
        } else if self.trim == Trim::Layout {
            self.trim = Trim::Nothing;
        }
        if self.scalar.is_none() {
            self.released += n;
        }
        self.text_from = self.released;
        self.soft.start_at(self.released);
        true
    }

    /// Whether a position is the first in a line, but for blanks.
    pub(crate) fn begins_line(&self, at: usize, input: &Input<'_>) -> bool {
        let text = input.slice(self.released..at).trim_end_matches([' ', '\t', '\r']);
        text.ends_with('\n') || (text.is_empty() && self.released == self.text_from)
    }

    pub(crate) fn see_breaks(&mut self, to: usize, input: &Input<'_>) {
        if !self.has_break && to > self.break_from {
            self.has_break = input.slice(self.break_from..to).contains('\n');
            self.break_from = to;
        }
    }

    /// Whether an end tag here can be firm: alone so far on its line, or in a body of one line.
    pub(crate) fn can_be_firm(&mut self, at: usize, input: &Input<'_>) -> bool {
        self.see_breaks(at, input);
        !self.has_break || self.is_alone(at, input)
    }

    /// Whether nothing but blanks stands between the last line break and a position.
    fn is_alone(&self, at: usize, input: &Input<'_>) -> bool {
        let text = input.slice(self.released..at);
        let rest = text.trim_end_matches([' ', '\t', '\r']);
        // The line break directly behind the start is no text.
        rest.ends_with('\n') || (rest.is_empty() && self.released == self.text_from)
    }
}

impl Machine {
    pub(crate) fn open_value(&mut self, value: Value) -> Flow {
        self.scan = value.from;
        self.go(State::Value(Box::new(value)))
    }

    pub(crate) fn value(&mut self, mut value: Box<Value>, cx: &mut Cx<'_, '_>) -> Flow {
        if !value.strip_start(cx.input) {
            return self.wait(State::Value(value));
        }
        self.scan = self.scan.max(value.released);
        loop {
            let verdict = match self.step_value(&mut value, cx.input) {
                Step::Again => continue,
                Step::Verdict(verdict) => verdict,
                Step::Wait if self.is_value_beyond(&value, cx.input.end()) => {
                    self.limit_value(&mut value)
                }
                Step::Wait if cx.input.is_over() => {
                    return self.over_value(value, cx);
                }
                Step::Wait => {
                    self.release_certain(&mut value, cx);
                    return self.wait(State::Value(value));
                }
            };
            match verdict {
                Verdict::On => {}
                Verdict::End(close) => return self.end_value(value, close, cx),
                Verdict::Lift => return self.lift_from(value, cx),
            }
        }
    }

    fn is_value_beyond(&self, value: &Value, at: usize) -> bool {
        value.hold().is_some_and(|hold| self.is_beyond(hold, at))
    }

    /// What is held is longer than the limit.
    /// `[L3]`
    fn limit_value(&mut self, value: &mut Value) -> Verdict {
        let Value { cdata, rule, from, .. } = value;
        if cdata.as_mut().is_some_and(|cdata| cdata.forget_mark(rule)) {
            return Verdict::On;
        }
        let at = match cdata {
            Some(cdata) => cdata.hold(rule),
            None => rule.hold(),
        };
        if let Some(block) = &mut self.block {
            let at = at.unwrap_or(*from);
            block.note(Reason::Limit, at..at, "held text");
            block.recover();
        }
        let Some(cdata) = cdata else {
            let verdict = rule.limit();
            if verdict == Verdict::On {
                rule.forget();
            }
            return verdict;
        };
        cdata.limit(rule)
    }

    fn step_value(&mut self, value: &mut Value, input: &Input<'_>) -> Step {
        match &mut value.reader {
            Reader::Text => self.step_text(value, input),
            Reader::Head(reader) => {
                let at = reader.behind() - 1;
                // More bytes than these show nothing more at the first look.
                let is_new = reader.looked_at() <= at + LONGEST_LOOK;
                let dull = if is_new { self.dull(value, input.bytes(at)) } else { None };
                if let Some(n) = dull {
                    let late = self.late(value, at, at + n - 1);
                    return late.unwrap_or_else(|| self.no_mark(value));
                }
                let Reader::Head(reader) = &mut value.reader else { return Step::Again };
                let (read, looked_at) = (reader.read(input), reader.looked_at());
                if matches!(read, Read::More | Read::Cut) {
                    return Step::Wait;
                }
                match (self.late(value, at, looked_at), read) {
                    (Some(step), _) => step,
                    (None, Read::Done(mark)) => self.step_mark(value, mark, input),
                    (None, Read::Not(_) | Read::More | Read::Cut) => self.no_mark(value),
                }
            }
            Reader::Tag(reader, kind) => {
                let (kind, at) = (*kind, reader.head().at);
                let (read, looked_at) = (reader.read(input), reader.looked_at());
                if self.is_too_long(value, at, looked_at) {
                    return self.no_mark(value);
                }
                if matches!(read, Read::More | Read::Cut) {
                    return Step::Wait;
                }
                match (self.late(value, at, looked_at), read) {
                    (Some(step), _) => step,
                    // The `>` belongs to the end of the section, and the `<` to its text.
                    (None, Read::Done(light))
                        if value.cdata.is_some()
                            && input.slice(light.head.at..light.end).ends_with(END) =>
                    {
                        self.no_mark(value)
                    }
                    (None, Read::Done(light)) => self.step_tag(value, &light, kind, false, input),
                    (None, Read::Not(_)) => self.step_broken(value, kind, looked_at, input),
                    (None, Read::More | Read::Cut) => self.no_mark(value),
                }
            }
        }
    }

    /// Whether a tag is longer than tags may be, before more is held than may be.
    fn is_too_long(&self, value: &Value, at: usize, looked_at: usize) -> bool {
        let longest = at.saturating_add(self.limits.start_tag);
        let is_first = |hold: usize| longest <= hold.saturating_add(self.limits.held);
        looked_at > longest && value.hold().is_none_or(is_first)
    }

    /// What was found lies too far behind what is held: the `<` is read again, once that is
    /// decided.
    fn late(&mut self, value: &mut Value, at: usize, looked_at: usize) -> Option<Step> {
        if !self.is_value_beyond(value, looked_at) {
            return None;
        }
        self.scan = at;
        value.reader = Reader::Text;
        Some(Step::Verdict(self.limit_value(value)))
    }

    /// The `<` that was read is text.
    pub(crate) fn no_mark(&mut self, value: &mut Value) -> Step {
        let at = match &value.reader {
            Reader::Text => self.scan,
            Reader::Head(reader) => reader.behind() - 1,
            Reader::Tag(reader, _) => reader.head().name.start - 1,
        };
        if let Some(cdata) = &mut value.cdata {
            cdata.unmark();
        }
        self.scan = at + 1;
        value.reader = Reader::Text;
        Step::Again
    }

    /// How far may be looked while something is held.
    fn reach(&self, value: &Value) -> usize {
        value.hold().map_or(usize::MAX, |hold| hold.saturating_add(self.limits.held))
    }

    fn step_text(&mut self, value: &mut Value, input: &Input<'_>) -> Step {
        let reach = self.reach(value);
        match value.rule.look(&mut self.scan, reach, input) {
            None => return Step::Wait,
            Some(Verdict::On | Verdict::Lift) => {}
            Some(verdict) => match &mut value.cdata {
                Some(cdata) => cdata.shadow(verdict),
                None => return Step::Verdict(verdict),
            },
        }
        // What was held may be text by now.
        let reach = self.reach(value);
        let Some(at) = self.find_mark(value, input).filter(|_| self.scan <= reach) else {
            return Step::Wait;
        };
        if input.byte(at) == Some(b']') {
            return self.step_bracket(value, at, input);
        }
        value.reader = Reader::Head(HeadReader::new(at, self.limits.name));
        Step::Again
    }

    /// The next byte that may matter, where the scan then stands; or the window's end.
    fn find_mark(&mut self, value: &mut Value, input: &Input<'_>) -> Option<usize> {
        if let Some(skim) = value.skim() {
            let found = input.skim(skim, &self.names.section_ends, self.scan);
            self.scan = found.unwrap_or_else(|| input.end());
            return found;
        }
        let is_free = value.hold().is_none();
        loop {
            let found = match &value.cdata {
                Some(_) => input.find2(b'<', b']', self.scan),
                None => input.find1(b'<', self.scan),
            };
            self.scan = found.unwrap_or_else(|| input.end());
            let at = found?;
            if !is_free || self.dull(value, input.bytes(at)).is_none() {
                return Some(at);
            }
            self.scan = at + 1;
        }
    }

    /// How many bytes show that a mark is only text; `None` where they do not show it.
    fn dull(&self, value: &Value, bytes: &[u8]) -> Option<usize> {
        if value.skim.as_ref().is_some_and(|skim| skim.is_dull(bytes)) && value.is_skimmed() {
            return Some(3);
        }
        let is_picky = value.scalar.is_none() && value.rule.is_calm();
        let is_picky = is_picky && !matches!(value.own, Some(Own::Name(_)));
        let is_name = |first: u8, second: u8| !is_picky || self.names.may_begin(first, second);
        let (is_dull, n) = match *bytes {
            [b']', next, ..] => (next != b']', 2),
            [b'<', b'/', first, second, ..] if is_name_start(first) => (!is_name(first, second), 4),
            [b'<', first, second, ..] if is_name_start(first) => (!is_name(first, second), 3),
            [b'<', next, ..] => {
                let may_be =
                    matches!(next, b'/' | b'!' | b'|' | b']' | 0xc2 | 0xef) || is_blank(next);
                (!may_be && !is_name_start(next), 2)
            }
            _ => (false, 0),
        };
        is_dull.then_some(n)
    }

    /// A bracket in a section: its end, a join, or text.
    /// `[C2]`
    fn step_bracket(&mut self, value: &mut Value, at: usize, input: &Input<'_>) -> Step {
        let Some(is_join) = input.has_word(JOIN, at) else {
            // The end alone may be known already, but not that it joins nothing.
            return match input.has_word(END, at) {
                Some(false) => self.pass_bracket(at),
                Some(true) | None => Step::Wait,
            };
        };
        if is_join {
            value.joins.push_back(at..at + JOIN.len());
            if let Some(cdata) = &mut value.cdata {
                cdata.joined();
            }
            self.scan = at + JOIN.len();
            return Step::Again;
        }
        if input.has_word(END, at) == Some(true) {
            if let Some(cdata) = &mut value.cdata {
                cdata.marked(at);
            }
            self.scan = at + END.len();
            return Step::Again;
        }
        self.pass_bracket(at)
    }

    const fn pass_bracket(&mut self, at: usize) -> Step {
        self.scan = at + 1;
        Step::Again
    }
}

impl Value {
    /// Goes on behind a child that was lifted out.
    pub(crate) fn resume(&mut self, at: usize) {
        self.released = at;
        self.break_from = self.break_from.max(at);
        self.soft.start_at(at);
    }
}
