//! Messages behind a line that names their recipient, as Functionary writes them: `>>>all` and
//! text, `>>>NAME` and the arguments of a call.
//! `[DC7]`

use crate::{
    fence::LineHead,
    input::{Input, Peek},
    machine::{Cx, Flow, Machine, State},
    ticks::{Hidden, Line},
};

use super::{Head, Manner, Phase, head::is_tool_name};

/// What stands before a recipient.
const ROUTE: &str = ">>>";

/// Most blanks between the line and the arguments.
const MOST_BLANKS: usize = 64;

/// The recipient of text.
const ALL: &str = "all";

/// What stands behind [`ROUTE`], or where that may have stood in the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// Text, from there.
    Text(usize),
    /// A tool's name, up to there, and an object from there.
    Call(usize, usize),
    /// Nothing of the kind.
    Not,
    /// The chunk ends before that is known.
    Maybe,
}

impl Machine {
    /// Whether a recipient stands here with what stands before it, or may still.
    pub(crate) fn route_at(&self, at: usize, input: &Input<'_>) -> Route {
        match input.has_word(ROUTE, at) {
            Some(true) => self.recipient_at(at + ROUTE.len(), input),
            Some(false) => Route::Not,
            None => Route::Maybe,
        }
    }

    /// Whether a line that is a recipient begins here.
    pub(super) fn recipient_at(&self, at: usize, input: &Input<'_>) -> Route {
        let mut end = at;
        let is_over = loop {
            match input.peek(end) {
                Peek::Byte(byte) if is_tool_name(byte) && end - at <= self.limits.name => end += 1,
                Peek::Byte(b'\n') => break false,
                Peek::Over => break true,
                Peek::More if self.begins_recipient(input.slice(at..end)) => return Route::Maybe,
                Peek::Byte(_) | Peek::More => return Route::Not,
            }
        };
        let name = input.slice(at..end);
        if name == ALL {
            return Route::Text(if is_over { end } else { end + 1 });
        }
        if is_over || !self.begins_recipient(name) || self.tool_of(name).is_none() {
            return Route::Not;
        }
        let behind = input.skip_blanks(end);
        match input.peek(behind) {
            _ if behind - end > MOST_BLANKS => Route::Not,
            Peek::Byte(b'{') => Route::Call(end, behind),
            Peek::More => Route::Maybe,
            Peek::Byte(_) | Peek::Over => Route::Not,
        }
    }

    /// Whether a recipient may begin so.
    fn begins_recipient(&self, text: &str) -> bool {
        ALL.starts_with(text) || self.names.tool_names().any(|name| name.starts_with(text))
    }

    /// A recipient in the middle of a line, behind text.
    pub(crate) fn routed(&mut self, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        match (self.route_at(at, cx.input), self.line.hides()) {
            (Route::Not, _) | (_, Hidden::Yes) => self.as_text(at + 1),
            (Route::Maybe, _) => {
                self.emit_text(at, cx);
                self.wait(State::Text)
            }
            (_, Hidden::Unknown) => self.seek_ticks(at),
            (route, Hidden::No) => self.open_route(route, at, cx),
        }
    }

    /// Goes on behind a recipient, which begins at `at`.
    pub(crate) fn open_route(&mut self, route: Route, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.is_routed = true;
        self.emit_text(at, cx);
        match route {
            Route::Call(end, behind) => {
                let from = at + ROUTE.len();
                let head = Head::named(cx.input.slice(from..end).into(), behind);
                self.scan = behind;
                self.go_foreign(Manner::open(at), Phase::Head(head))
            }
            Route::Text(from) => {
                self.drop_to(from, cx);
                self.scan = from;
                self.line = Line::default();
                self.go(State::LineHead(LineHead::new()))
            }
            Route::Not | Route::Maybe => self.as_text(at + 1),
        }
    }
}
