//! Calls without a mark: JSON or Python that is the whole reply. What does not read as calls of
//! declared tools throughout is text.
//! `[DP3]`

use crate::{
    Finish,
    chars::is_name_start,
    input::{Input, Peek},
    judge::Judge,
    machine::{Cx, Flow, Machine, State},
};

use super::{Evidence, Flaw, Foreign, Head, Manner, Phase};

/// Keys that an object which calls a tool may begin with.
const FIRST_KEYS: [&str; 13] = [
    "name",
    "tool",
    "tool_name",
    "function_name",
    "function",
    "action",
    "type",
    "id",
    "tool_call_id",
    "arguments",
    "args",
    "parameters",
    "index",
];

/// A list without a mark, up to its closing bracket.
#[derive(Clone, Debug)]
pub(crate) struct Probe {
    at: usize,
    cursor: usize,
    depth: usize,
    /// The quote of an open string.
    quote: Option<u8>,
}

/// Whether something looks like calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looks {
    Yes,
    No,
    /// The chunk is over before that is known.
    Maybe,
}

impl Machine {
    /// Whether an object or a list of calls begins here.
    pub(crate) fn looks_like_calls(&self, at: usize, input: &Input<'_>) -> Looks {
        let mut from = at;
        if input.byte(at) == Some(b'[') {
            from = input.skip_blanks(at + 1);
        }
        match input.peek(from) {
            Peek::Byte(b'{') => looks_like_call(from, input),
            Peek::Byte(byte) if from > at && is_name_start(byte) => {
                self.looks_like_python(from, input)
            }
            Peek::More => Looks::Maybe,
            Peek::Byte(_) | Peek::Over => Looks::No,
        }
    }

    /// Whether a declared tool's name and `(` stand here.
    fn looks_like_python(&self, from: usize, input: &Input<'_>) -> Looks {
        let mut end = from;
        loop {
            match input.peek(end) {
                Peek::Byte(byte)
                    if crate::chars::is_name(byte) && end - from < self.limits.name =>
                {
                    end += 1
                }
                Peek::More => return Looks::Maybe,
                Peek::Byte(b'(') if self.tool_of(input.slice(from..end)).is_some() => {
                    return Looks::Yes;
                }
                Peek::Byte(_) | Peek::Over => return Looks::No,
            }
        }
    }

    /// Opens what looks like calls without a mark.
    /// `[DF1]`
    pub(crate) fn open_bare(&mut self, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.emit_text(at, cx);
        let manner = Manner { evidence: Evidence::None, ..Manner::open(at) };
        if cx.input.byte(at) != Some(b'[') {
            return self.open_foreign(manner, at, cx);
        }
        let probe = Probe { at, cursor: at, depth: 0, quote: None };
        self.go_foreign(manner, Phase::Probe(probe))
    }

    /// Looks for the end of a list without a mark: none of its calls counts before that.
    pub(super) fn foreign_probe(
        &mut self,
        manner: Manner,
        mut probe: Probe,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        loop {
            if self.is_beyond(probe.at, probe.cursor) {
                return self.was_text(manner.at, probe.cursor, cx);
            }
            let Some(byte) = cx.input.byte(probe.cursor) else {
                return if cx.input.is_over() {
                    self.over_probe(manner, &probe, cx)
                } else {
                    self.wait_foreign(manner, Phase::Probe(probe))
                };
            };
            if byte == b'\\' && cx.input.peek(probe.cursor + 1) == Peek::More {
                return self.wait_foreign(manner, Phase::Probe(probe));
            }
            if probe.step(byte) {
                return self.probed(manner, &probe, cx);
            }
        }
    }

    /// The list is closed: it counts if it is nothing but calls, and nothing follows in its line.
    /// `[DF2]`
    fn probed(&mut self, manner: Manner, probe: &Probe, cx: &mut Cx<'_, '_>) -> Flow {
        let behind = cx.input.skip_blanks_of_line(probe.cursor);
        let is_alone = match cx.input.peek(behind) {
            Peek::More => return self.wait_foreign(manner, Phase::Probe(probe.clone().back())),
            Peek::Byte(byte) => matches!(byte, b'\n' | b'<' | b'`'),
            Peek::Over => true,
        };
        if is_alone && self.holds_calls(manner.at, probe.cursor, cx) == Holds::Calls {
            let looked_at = probe.cursor;
            let head = Phase::Head(Head::new(manner.at));
            let manner = Manner { evidence: Evidence::Whole, ..manner };
            let foreign = Foreign { manner, phase: head };
            return self.rewind(
                manner.at,
                looked_at,
                State::Foreign(alloc::boxed::Box::new(foreign)),
                cx,
            );
        }
        self.was_text(manner.at, probe.cursor, cx)
    }

    /// The reply ends inside of a list. If it called something, that is named.
    /// `[DF3]`
    fn over_probe(&mut self, manner: Manner, probe: &Probe, cx: &mut Cx<'_, '_>) -> Flow {
        let end = cx.input.end();
        match self.holds_calls(manner.at, end, cx) {
            Holds::Nothing => self.was_text(manner.at, probe.cursor, cx),
            Holds::Calls | Holds::Part if cx.finish == Some(Finish::Stop) => {
                self.was_text(manner.at, probe.cursor, cx)
            }
            Holds::Calls | Holds::Part => {
                self.fail_call(&Flaw::Cut, manner.at, end, cx);
                self.go(State::Text)
            }
        }
    }

    /// What a part of the reply holds, read as if it were marked as calls.
    /// `[DF4]`
    fn holds_calls(&self, from: usize, to: usize, cx: &Cx<'_, '_>) -> Holds {
        let mut judge = Judge::default();
        let mut part = self.part(from);
        let manner = Manner { evidence: Evidence::Whole, ..Manner::open(from) };
        let foreign = Foreign { manner, phase: Phase::Head(Head::new(from)) };
        part.state = State::Foreign(alloc::boxed::Box::new(foreign));
        part.read_part(from, to, cx.input, &mut judge);
        match () {
            () if judge.holds_only_calls() && !judge.has_thinking => Holds::Calls,
            () if judge.is_begun => Holds::Part,
            () => Holds::Nothing,
        }
    }
}

/// What a list without a mark holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    /// Nothing but whole calls of declared tools.
    Calls,
    /// At least the beginning of one.
    Part,
    Nothing,
}

impl Probe {
    /// Takes a byte, and tells whether the outermost bracket is closed.
    const fn step(&mut self, byte: u8) -> bool {
        self.cursor += 1;
        match (self.quote, byte) {
            (Some(_), b'\\') => self.cursor += 1,
            (Some(quote), _) => {
                if byte == quote {
                    self.quote = None;
                }
            }
            (None, b'"' | b'\'') => self.quote = Some(byte),
            (None, b'[' | b'{' | b'(') => self.depth += 1,
            (None, b']' | b'}' | b')') => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            (None, _) => {}
        }
        false
    }

    /// Before the closing bracket again.
    const fn back(mut self) -> Self {
        self.cursor -= 1;
        self.depth = 1;
        self
    }
}

/// Whether an object begins with a key that one which calls a tool may begin with.
fn looks_like_call(at: usize, input: &Input<'_>) -> Looks {
    let quote = input.skip_blanks(at + 1);
    match input.peek(quote) {
        Peek::Byte(b'"' | b'\'') => {}
        Peek::More => return Looks::Maybe,
        Peek::Byte(_) | Peek::Over => return Looks::No,
    }
    let mut looks = Looks::No;
    for key in FIRST_KEYS {
        let n = input.matched(key, quote + 1);
        match input.peek(quote + 1 + n) {
            Peek::Byte(b'"' | b'\'') if n == key.len() => return Looks::Yes,
            Peek::More => looks = Looks::Maybe,
            Peek::Byte(_) | Peek::Over => {}
        }
    }
    looks
}
