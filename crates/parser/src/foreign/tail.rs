//! What stands behind a call's body: brackets too many, the closing mark, the next call.

use crate::{
    Finish, RepairKind,
    dialect::Role,
    input::{Input, Peek},
    machine::{Cx, Flow, Machine, State},
    tag::{HeadReader, LightReader, Mark as TagMark, Read},
};

use super::{
    Evidence, Manner, Phase, Skip,
    call::Call,
    fenced,
    json::{is_gap_open, skip_gap},
    marker::{self, Means, Seen},
    routed::Route,
};

/// Behind a body.
#[derive(Debug)]
pub(crate) struct Tail {
    /// The call that is not closed yet.
    call: Option<Call>,
    /// Behind its body.
    end: usize,
    cursor: usize,
    /// How far words behind it were looked through.
    words_to: usize,
}

/// What a mark behind a body means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It closes the call, and ends there.
    Closes(usize),
    /// It stands for nothing, and ends there.
    Nothing(usize),
    /// Something else begins.
    Next,
    /// It is no mark.
    Other,
    /// The chunk ends inside.
    Maybe,
}

/// How a step went.
enum Step {
    Again,
    Wait,
    /// The reply is over.
    Over,
    /// The call is closed, up to there.
    Closed(usize),
    /// Something else begins.
    Next,
    /// Another call without a mark follows, from there.
    Another(usize),
}

impl Tail {
    pub(super) const fn new(call: Option<Call>, end: usize) -> Self {
        Self { call, end, cursor: end, words_to: end }
    }
}

impl Machine {
    pub(super) fn foreign_tail(
        &mut self,
        manner: Manner,
        mut tail: Tail,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        loop {
            match self.step_tail(manner, &mut tail, cx.input) {
                Step::Again => {}
                Step::Wait if cx.input.is_over() => return self.over_tail(manner, tail, cx),
                Step::Wait => return self.wait_foreign(manner, Phase::Tail(tail)),
                Step::Over => return self.over_tail(manner, tail, cx),
                Step::Closed(end) => return self.closed(tail, end, cx),
                Step::Next => return self.unclosed(manner, tail, cx),
                Step::Another(at) => return self.another(tail, at, cx),
            }
        }
    }

    fn step_tail(&self, manner: Manner, tail: &mut Tail, input: &Input<'_>) -> Step {
        let at = skip_gap(tail.cursor, input);
        tail.cursor = at;
        if self.is_beyond(tail.end, at) {
            return Step::Next;
        }
        let byte = match input.peek(at) {
            _ if is_gap_open(at, input) => return Step::Wait,
            Peek::Byte(byte) => byte,
            Peek::More => return Step::Wait,
            Peek::Over => return Step::Over,
        };
        match byte {
            b'`' => match input.run_of(b'`', at) {
                n if at + n == input.end() && !input.is_over() => Step::Wait,
                n if n >= 3 && manner.closer == fenced::TICK => Step::Closed(at + n),
                n if n >= 3 => {
                    tail.cursor = at + n;
                    Step::Again
                }
                _ => Step::Next,
            },
            _ if byte == manner.closer => Step::Closed(at + 1),
            b'}' | b']' => mend(tail, RepairKind::ExtraBracket, at + 1),
            b')' => {
                tail.cursor += 1;
                Step::Again
            }
            b';' if (manner.evidence == Evidence::None) || !manner.is_closed => {
                self.behind_semicolon(tail, input)
            }
            b'<' | b'[' => match self.end_mark(at, input) {
                End::Closes(end) => Step::Closed(end),
                End::Nothing(end) if manner.evidence == Evidence::Message => Step::Closed(end),
                End::Nothing(end) if manner.is_closed => mend(tail, RepairKind::LeakedToken, end),
                End::Nothing(end) => {
                    tail.cursor = end;
                    Step::Again
                }
                End::Next | End::Other => Step::Next,
                End::Maybe => Step::Wait,
            },
            // The first recipient may stand in the prompt.
            b'>' if manner.evidence == Evidence::None => match self.route_at(at, input) {
                Route::Maybe => Step::Wait,
                Route::Not => Step::Next,
                Route::Text(_) | Route::Call(..) => Step::Closed(at),
            },
            _ if manner.is_closed => self.behind_words(tail, at, input),
            _ => Step::Next,
        }
    }

    /// Words between a call and its closing mark, in one line, are noise.
    /// `[DR21]`
    fn behind_words(&self, tail: &mut Tail, at: usize, input: &Input<'_>) -> Step {
        if input.slice(tail.end..at).contains('\n') {
            return Step::Next;
        }
        let Some(found) = input.find3(b'<', b'[', b'\n', tail.words_to.max(at)) else {
            tail.words_to = input.end();
            let is_late = self.is_beyond(tail.end, tail.words_to);
            return if is_late || input.is_over() { Step::Next } else { Step::Wait };
        };
        tail.words_to = found;
        if self.is_beyond(tail.end, found) || input.byte(found) == Some(b'\n') {
            return Step::Next;
        }
        match self.end_mark(found, input) {
            End::Closes(_) => mend(tail, RepairKind::StrayText, found),
            End::Maybe if !input.is_over() => Step::Wait,
            End::Nothing(_) | End::Next | End::Other | End::Maybe => Step::Next,
        }
    }

    /// Another call may follow a semicolon.
    fn behind_semicolon(&self, tail: &mut Tail, input: &Input<'_>) -> Step {
        let at = input.skip_blanks(tail.cursor + 1);
        match input.peek(at) {
            Peek::Byte(b'{') => Step::Another(at),
            Peek::More => Step::Wait,
            Peek::Byte(_) | Peek::Over => Step::Next,
        }
    }

    /// What a mark or a tag at this position means for a call before it.
    /// `[DJ18]`
    pub(super) fn end_mark(&self, at: usize, input: &Input<'_>) -> End {
        match marker::look(at, input) {
            Seen::Maybe => return End::Maybe,
            Seen::Mark(mark, end) => {
                return match mark.means {
                    Means::Close | Means::EndSection | Means::EndThink => End::Closes(end),
                    Means::Nothing => End::Nothing(end),
                    Means::Open
                    | Means::OpenOnly
                    | Means::Narrated
                    | Means::Section
                    | Means::Between
                    | Means::Result
                    | Means::Element
                    | Means::Header
                    | Means::Thought
                    | Means::Think(_) => End::Next,
                };
            }
            Seen::No => {}
        }
        let mut reader = HeadReader::new(at, self.limits.name);
        let head = match reader.read(input) {
            Read::More => return End::Maybe,
            Read::Cut => return if reader.fragment().0 { End::Maybe } else { End::Other },
            Read::Done(TagMark::Tag(head)) => head,
            Read::Done(TagMark::Cdata(_) | TagMark::Comment(_)) | Read::Not(_) => {
                return End::Other;
            }
        };
        let word = self.names.word(input.slice(head.name.clone()));
        let is_known = word.is_some_and(|word| {
            self.names.role(word) != Role::None
                || self.names.is_any_tool(word)
                || self.names.is_param(word)
        });
        match (is_known, head.is_end) {
            (false, _) => End::Other,
            (true, false) => End::Next,
            (true, true) => match LightReader::new(head).read(input) {
                Read::Done(light) => End::Closes(light.end),
                Read::More | Read::Cut => End::Maybe,
                Read::Not(_) => End::Other,
            },
        }
    }

    /// The closing mark is there.
    fn closed(&mut self, tail: Tail, end: usize, cx: &mut Cx<'_, '_>) -> Flow {
        if let Some(call) = tail.call {
            self.end_call(call, end, cx);
        }
        self.drop_to(end, cx);
        self.scan = end;
        self.line.is_blank = true;
        self.go(State::Text)
    }

    /// No closing mark, but something else.
    fn unclosed(&mut self, manner: Manner, mut tail: Tail, cx: &mut Cx<'_, '_>) -> Flow {
        if self.may_be_text(manner) {
            return self.was_text(manner.at, tail.cursor, cx);
        }
        let end = tail.end;
        if manner.closer == fenced::TICK {
            self.closed(tail, end, cx);
            return self.go_foreign(manner, Phase::Skip(Skip::Fence));
        }
        if manner.is_closed
            && let Some(call) = &mut tail.call
        {
            call.mended(RepairKind::MissingClose, end..end);
        }
        self.closed(tail, end, cx)
    }

    /// The reply is over before a closing mark. What a cut leaves without one stays open.
    /// `[DJ18]`
    fn over_tail(&mut self, manner: Manner, mut tail: Tail, cx: &mut Cx<'_, '_>) -> Flow {
        let end = cx.input.end();
        let is_stop = cx.finish == Some(Finish::Stop);
        if manner.is_closed
            && let Some(call) = &mut tail.call
        {
            if !is_stop {
                return self.cut_block(cx);
            }
            call.mended(RepairKind::MissingClose, end..end);
        }
        self.closed(tail, end, cx)
    }

    /// Another call without a mark.
    fn another(&mut self, tail: Tail, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        if let Some(call) = tail.call {
            self.end_call(call, tail.end, cx);
        }
        self.drop_to(at, cx);
        self.open_foreign(Manner::open(at), at, cx)
    }
}

/// Leaves out what stands behind a body, and names it.
fn mend(tail: &mut Tail, kind: RepairKind, end: usize) -> Step {
    if let Some(call) = &mut tail.call {
        call.mended(kind, tail.cursor..end);
    }
    tail.cursor = end;
    Step::Again
}
