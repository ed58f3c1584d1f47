//! What is left out behind something that was no call, up to where text goes on.

use crate::{
    input::Input,
    machine::{Cx, Flow, Machine, State},
};

use super::{
    Manner, Phase,
    call::Flaw,
    fenced::TICK,
    marker::{self, Means, Seen},
    tail::End,
};

/// Something that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skip {
    /// Up to the end of the line, or a mark.
    Line,
    /// Up to a mark.
    Mark,
    /// Up to the end of a fence.
    Fence,
}

/// Where it ends.
enum Found {
    /// Behind a closing mark.
    Behind(usize),
    /// Before something else.
    Before(usize),
    /// Not before this position.
    Not(usize),
    /// The chunk ends inside of a mark at this position.
    Maybe(usize),
}

impl Machine {
    pub(super) fn foreign_skip(&mut self, skip: Skip, cx: &mut Cx<'_, '_>) -> Flow {
        loop {
            let found = self.look_for_end(skip, cx.input);
            let (Found::Behind(at) | Found::Before(at) | Found::Not(at) | Found::Maybe(at)) = found;
            self.drop_to(at, cx);
            self.scan = at;
            match found {
                Found::Behind(_) | Found::Before(_) => {
                    self.line.is_blank = true;
                    return self.go(State::Text);
                }
                Found::Not(_) if at < cx.input.end() => {}
                Found::Not(_) | Found::Maybe(_) if cx.input.is_over() => {
                    self.drop_to(cx.input.end(), cx);
                    self.scan = cx.input.end();
                    return self.go(State::Text);
                }
                Found::Not(_) | Found::Maybe(_) => {
                    let manner = Manner::closed(at);
                    return self.wait_foreign(manner, Phase::Skip(skip));
                }
            }
        }
    }

    fn look_for_end(&self, skip: Skip, input: &Input<'_>) -> Found {
        let found = match skip {
            Skip::Mark => input.find2(b'<', b'[', self.scan),
            Skip::Line => input.find3(b'<', b'[', b'\n', self.scan),
            Skip::Fence => input.find1(TICK, self.scan),
        };
        let Some(at) = found else { return Found::Not(input.end()) };
        if skip == Skip::Fence {
            return match input.run_of(TICK, at) {
                n if at + n == input.end() && !input.is_over() => Found::Maybe(at),
                n if n >= 3 => Found::Behind(at + n),
                n => Found::Not(at + n),
            };
        }
        if input.byte(at) == Some(b'\n') {
            return Found::Before(at);
        }
        match self.end_mark(at, input) {
            End::Closes(end) => Found::Behind(end),
            End::Next => Found::Before(at),
            End::Maybe => Found::Maybe(at),
            End::Nothing(end) if marker::ends_message(input.slice(at..end)) => Found::Behind(end),
            End::Nothing(end) => Found::Not(end),
            End::Other => Found::Not(at + 1),
        }
    }

    fn wait_in_section(&mut self, manner: Manner, from: usize, cx: &mut Cx<'_, '_>) -> Flow {
        if cx.input.is_over() {
            return self.no_call(manner, &Flaw::Cut, cx.input.end(), cx);
        }
        self.wait_foreign(manner, Phase::Section(from))
    }

    /// Between marked calls: what is no mark stands for nothing.
    /// `[DJ11]`
    pub(super) fn foreign_section(
        &mut self,
        manner: Manner,
        from: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        loop {
            let found = cx.input.find1(b'<', self.scan);
            self.scan = found.unwrap_or_else(|| cx.input.end());
            if self.is_beyond(from, self.scan) {
                return self.no_call(manner, &Flaw::Limit(from + self.limits.held), self.scan, cx);
            }
            let Some(at) = found else { return self.wait_in_section(manner, from, cx) };
            let tag = self.is_tag(at, cx.input);
            match marker::look(at, cx.input) {
                Seen::Maybe if !cx.input.is_over() => {
                    return self.wait_in_section(manner, from, cx);
                }
                Seen::Mark(mark, end) if mark.means == Means::EndSection => {
                    return self.no_call(manner, &Flaw::Shape, end, cx);
                }
                Seen::Mark(..) => {
                    self.drop_to(at, cx);
                    self.line.is_blank = true;
                    return self.go(State::Text);
                }
                Seen::No if tag == Some(true) => {
                    self.drop_to(at, cx);
                    self.line.is_blank = true;
                    return self.go(State::Text);
                }
                Seen::No if tag.is_none() && !cx.input.is_over() => {
                    return self.wait_in_section(manner, from, cx);
                }
                Seen::Maybe | Seen::No => self.scan = at + 1,
            }
        }
    }
}
