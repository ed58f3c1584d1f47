//! Arguments written as one JSON object between a tool's tags.
//!
//! The object is read byte by byte and kept as ranges; nothing is decoded before its end is known.

use alloc::{boxed::Box, vec::Vec};
use core::ops::Range;

use crate::{
    Reason, Value,
    foreign::decoded,
    input::{Input, Peek},
    inside::Inside,
    kept::MOST_VALUES,
    lead::Lead,
    machine::{Cx, Flow, Machine, State},
    tag::{HeadReader, Mark, Read},
};

/// Names under which a body is given where every value has a name.
pub(crate) const BODY_NAMES: [&str; 2] = ["content", "body"];

/// Arguments as JSON.
#[derive(Debug)]
pub(crate) struct JsonBody {
    /// Where `{` stands.
    from: usize,
    /// Where the body starts, if this turns out to be text.
    body_from: Option<usize>,
    cursor: usize,
    entries: Vec<Entry>,
    /// There are more members than a call may have values.
    is_overfull: bool,
    phase: Phase,
}

/// One member of the object, as ranges of its source.
#[derive(Clone, Debug)]
struct Entry {
    key: Range<usize>,
    value: Range<usize>,
}

#[derive(Clone, Debug)]
enum Phase {
    /// Before a key, or before `}` if the object is empty so far.
    Key,
    InKey {
        from: usize,
    },
    Colon {
        key: Range<usize>,
    },
    Value {
        key: Range<usize>,
    },
    Text {
        key: Range<usize>,
        from: usize,
    },
    Nested {
        key: Range<usize>,
        from: usize,
        depth: usize,
        is_text: bool,
    },
    Word {
        key: Range<usize>,
        from: usize,
    },
    Comma,
    Behind,
    Head(HeadReader),
}

/// How a step went.
enum Step {
    Again,
    Wait,
    /// It is no JSON object of arguments.
    Not,
    /// The object is whole, and the tag behind it starts here.
    Whole(usize),
}

impl JsonBody {
    pub(crate) const fn new(from: usize) -> Self {
        Self {
            from,
            body_from: None,
            cursor: from + 1,
            entries: Vec::new(),
            is_overfull: false,
            phase: Phase::Key,
        }
    }

    pub(crate) fn in_body(from: usize, body_from: usize) -> Self {
        Self { body_from: Some(body_from), ..Self::new(from) }
    }

    /// `[L9]`
    fn add(&mut self, key: Range<usize>, value: Range<usize>) {
        self.is_overfull |= self.entries.len() == MOST_VALUES;
        if !self.is_overfull {
            self.entries.push(Entry { key, value });
        }
    }
}

impl Machine {
    pub(crate) fn json(&mut self, mut json: Box<JsonBody>, cx: &mut Cx<'_, '_>) -> Flow {
        loop {
            let step = self.step_json(&mut json, cx.input);
            if self.is_beyond(json.from, json.cursor) {
                return self.no_json(&json, cx);
            }
            match step {
                Step::Again => {}
                Step::Wait if cx.input.is_over() => return self.no_json(&json, cx),
                Step::Wait => return self.wait(State::Json(json)),
                Step::Not => return self.no_json(&json, cx),
                Step::Whole(at) => return self.take_json(&json, at, cx),
            }
        }
    }

    /// It was text after all.
    fn no_json(&mut self, json: &JsonBody, cx: &mut Cx<'_, '_>) -> Flow {
        self.scan = json.cursor;
        match json.body_from {
            Some(from) => self.begin_body(Lead::new(from, false), cx),
            None if self.is_sole(json.from) => self.begin_sole(json.cursor, cx),
            None => self.stray_text(Box::new(Inside::first()), json.from, cx),
        }
    }

    fn step_json(&self, json: &mut JsonBody, input: &Input<'_>) -> Step {
        let phase = core::mem::replace(&mut json.phase, Phase::Comma);
        match phase {
            Phase::InKey { from } => self.in_key(json, from, input),
            Phase::Text { key, from } => in_text(json, key, from, input),
            Phase::Nested { key, from, depth, is_text } => {
                nested(json, Entry { key, value: from..from }, depth, is_text, input)
            }
            Phase::Word { key, from } => word(json, key, from, input),
            Phase::Behind => behind(json, input),
            Phase::Head(reader) => self.json_end(json, reader, input),
            phase @ (Phase::Key | Phase::Colon { .. } | Phase::Value { .. } | Phase::Comma) => {
                json.cursor = input.skip_blanks(json.cursor);
                match input.peek(json.cursor) {
                    Peek::Byte(byte) => token(json, phase, byte),
                    Peek::More | Peek::Over => {
                        json.phase = phase;
                        Step::Wait
                    }
                }
            }
        }
    }

    // [I10]
    fn in_key(&self, json: &mut JsonBody, from: usize, input: &Input<'_>) -> Step {
        let Some(end) = end_of_text(&mut json.cursor, input) else {
            json.phase = Phase::InKey { from };
            return Step::Wait;
        };
        let key = from..end;
        // A body that is a JSON file of its own is no call.
        if json.body_from.is_some() && !self.is_argument(&decoded(input.slice(key.clone()))) {
            return Step::Not;
        }
        json.phase = Phase::Colon { key };
        Step::Again
    }

    /// Whether the open block's tool has a value of this name.
    fn is_argument(&self, name: &str) -> bool {
        let Some(block) = &self.block else { return false };
        let word = self.names.word(name);
        word.is_some_and(|word| self.names.param(block.target.tool, word).is_some())
            || BODY_NAMES.contains(&name)
    }

    fn json_end(&self, json: &mut JsonBody, mut reader: HeadReader, input: &Input<'_>) -> Step {
        let at = reader.at();
        match reader.read(input) {
            Read::More => {
                json.phase = Phase::Head(reader);
                Step::Wait
            }
            Read::Done(Mark::Tag(head)) if head.is_end => {
                let is_own =
                    self.block.as_ref().is_some_and(|block| self.ends(&head, &block.target, input));
                if is_own { Step::Whole(at) } else { Step::Not }
            }
            Read::Cut if reader.fragment().0 => Step::Whole(at),
            Read::Done(_) | Read::Not(_) | Read::Cut => Step::Not,
        }
    }

    /// The members become values.
    /// `[I10]`
    fn take_json(&mut self, json: &JsonBody, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        for entry in &json.entries {
            let name = decoded(cx.input.slice(entry.key.clone()));
            let source = cx.input.slice(entry.value.clone());
            self.take_member(&name, source, entry.value.clone(), cx);
        }
        if let Some(block) = &mut self.block {
            block.mention = None;
            if json.is_overfull {
                block.refuse(Reason::Limit, at..at, "values");
            }
        }
        (self.scan, self.done) = (at, at);
        self.go(State::Inside(Box::new(Inside::behind_value())))
    }

    fn take_member(&mut self, name: &str, source: &str, span: Range<usize>, cx: &mut Cx<'_, '_>) {
        let Some(block) = &self.block else { return };
        let slot = self.slot_named(block.target.tool, name);
        let text = source.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let limits = self.limits;
        match text {
            Some(text) => {
                let text = decoded(text);
                self.delta(&slot, &text, span.start, cx);
            }
            None => self.delta(&slot, source, span.start, cx),
        }
        if let Some(block) = &mut self.block {
            let make = if text.is_some() { Value::String } else { Value::Json };
            block.close_value_as(slot, span, &limits, make);
        }
    }
}

/// A byte between the parts of an object.
fn token(json: &mut JsonBody, phase: Phase, byte: u8) -> Step {
    let at = json.cursor;
    json.cursor += 1;
    json.phase = match (phase, byte) {
        (Phase::Key, b'"') => Phase::InKey { from: at + 1 },
        (Phase::Key, b'}') if json.entries.is_empty() => Phase::Behind,
        (Phase::Colon { key }, b':') => Phase::Value { key },
        (Phase::Value { key }, b'"') => Phase::Text { key, from: at },
        (Phase::Value { key }, b'{' | b'[') => {
            Phase::Nested { key, from: at, depth: 1, is_text: false }
        }
        (Phase::Value { key }, b'-' | b'0'..=b'9' | b'a'..=b'z') => Phase::Word { key, from: at },
        (Phase::Comma, b',') => Phase::Key,
        (Phase::Comma, b'}') => Phase::Behind,
        _ => return Step::Not,
    };
    Step::Again
}

/// Moves behind a closing quote, and says where the quote stands.
fn end_of_text(cursor: &mut usize, input: &Input<'_>) -> Option<usize> {
    loop {
        let Some(at) = input.find2(b'"', b'\\', *cursor) else {
            *cursor = input.end();
            return None;
        };
        if input.byte(at) == Some(b'"') {
            *cursor = at + 1;
            return Some(at);
        }
        *cursor = at;
        input.byte(at + 1)?;
        *cursor = at + 2;
    }
}

fn in_text(json: &mut JsonBody, key: Range<usize>, from: usize, input: &Input<'_>) -> Step {
    match end_of_text(&mut json.cursor, input) {
        Some(end) => {
            json.add(key, from..end + 1);
            Step::Again
        }
        None => {
            json.phase = Phase::Text { key, from };
            Step::Wait
        }
    }
}

fn nested(
    json: &mut JsonBody,
    entry: Entry,
    mut depth: usize,
    mut is_text: bool,
    input: &Input<'_>,
) -> Step {
    let from = entry.value.start;
    loop {
        if is_text && end_of_text(&mut json.cursor, input).is_some() {
            is_text = false;
        }
        match input.byte(json.cursor) {
            Some(byte) if !is_text => {
                json.cursor += 1;
                match byte {
                    b'"' => is_text = true,
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
            }
            Some(_) | None => {
                json.phase = Phase::Nested { key: entry.key, from, depth, is_text };
                return Step::Wait;
            }
        }
        if depth == 0 {
            json.add(entry.key, from..json.cursor);
            return Step::Again;
        }
    }
}

fn word(json: &mut JsonBody, key: Range<usize>, from: usize, input: &Input<'_>) -> Step {
    loop {
        match input.byte(json.cursor) {
            Some(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.') => {
                json.cursor += 1;
            }
            Some(_) => {
                json.add(key, from..json.cursor);
                return Step::Again;
            }
            None => {
                json.phase = Phase::Word { key, from };
                return Step::Wait;
            }
        }
    }
}

fn behind(json: &mut JsonBody, input: &Input<'_>) -> Step {
    json.cursor = input.skip_blanks(json.cursor);
    match input.peek(json.cursor) {
        Peek::Byte(b'<') => {
            json.phase = Phase::Head(HeadReader::new(json.cursor, usize::MAX));
            Step::Again
        }
        Peek::Over => Step::Whole(json.cursor),
        Peek::Byte(_) => Step::Not,
        Peek::More => {
            json.phase = Phase::Behind;
            Step::Wait
        }
    }
}
