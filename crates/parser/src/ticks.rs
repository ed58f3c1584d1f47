//! Inline code: a run of backticks hides what stands up to the next run of the same length in its
//! line. A run without such a partner is text.

use alloc::{boxed::Box, collections::BTreeMap, string::String, vec::Vec};

use crate::{
    Reason,
    dialect::Role,
    foreign::marker::{self, Mark, Seen},
    machine::{Cx, Flow, Machine, State},
};

/// Most runs remembered behind an open one; a line with more hides everything to its end.
const MOST_RUNS: usize = 1024;

/// What is known of the line that is being read.
#[derive(Debug)]
pub(crate) struct Line {
    /// Nothing but blanks and structure stands in it so far.
    pub(crate) is_blank: bool,
    open: Option<Open>,
    /// The runs behind the open one.
    inner: Vec<TickRun>,
    /// Where the last run of each length stands, once that was looked up.
    runs: Option<BTreeMap<usize, usize>>,
    /// How far it was looked up. A call may lead over the end of the line.
    until: usize,
}

/// A run that may begin inline code.
#[derive(Clone, Copy, Debug)]
struct Open {
    len: usize,
    /// Its partner was seen.
    is_sure: bool,
}

impl Default for Line {
    fn default() -> Self {
        Self { is_blank: true, open: None, inner: Vec::new(), runs: None, until: 0 }
    }
}

/// Whether what stands here is hidden by inline code.
pub(crate) enum Hidden {
    /// It is not.
    No,
    /// It is.
    Yes,
    /// The rest of the line decides.
    Unknown,
}

impl Line {
    // [Q3]
    pub(crate) const fn hides(&self) -> Hidden {
        match self.open {
            None => Hidden::No,
            Some(open) if open.is_sure => Hidden::Yes,
            Some(_) => Hidden::Unknown,
        }
    }

    /// Takes the next run of backticks.
    fn take(&mut self, run: TickRun) {
        self.is_blank = false;
        if run.at >= self.until {
            self.runs = None;
        }
        match &mut self.open {
            Some(open) if open.len == run.len => self.close(),
            Some(open) if self.inner.len() < MOST_RUNS => {
                if !open.is_sure {
                    self.inner.push(run);
                }
            }
            Some(open) => open.is_sure = true,
            None => self.open = self.opened(run),
        }
    }

    fn close(&mut self) {
        self.open = None;
        self.inner.clear();
    }

    /// What a run opens that stands outside of inline code.
    fn opened(&self, run: TickRun) -> Option<Open> {
        match &self.runs {
            None => Some(Open { len: run.len, is_sure: false }),
            Some(runs) => {
                let has_partner = runs.get(&run.len).is_some_and(|&last| last > run.at);
                has_partner.then_some(Open { len: run.len, is_sure: true })
            }
        }
    }

    /// The open run is text: the runs behind it count as if it were not there.
    fn disbelieve(&mut self, runs: BTreeMap<usize, usize>, until: usize) {
        (self.runs, self.until) = (Some(runs), until);
        self.open = None;
        for run in core::mem::take(&mut self.inner) {
            self.take(run);
        }
    }
}

/// A run that is being counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TickRun {
    pub(crate) at: usize,
    pub(crate) len: usize,
}

/// The search for the partner of a run.
#[derive(Debug)]
pub(crate) struct TickSeek {
    /// What is hidden, or not.
    at: usize,
    open: Open,
    cursor: usize,
    run: usize,
    runs: BTreeMap<usize, usize>,
}

impl Machine {
    pub(crate) fn ticks(&mut self, mut run: TickRun, cx: &mut Cx<'_, '_>) -> Flow {
        run.len += cx.input.run_of(b'`', run.at + run.len);
        let end = run.at + run.len;
        if end == cx.input.end() && !cx.input.is_over() {
            self.emit_text(end, cx);
            return self.wait(State::Ticks(run));
        }
        self.line.take(run);
        self.scan = end;
        self.go(State::Text)
    }

    /// Finds out whether inline code hides what stands at this position.
    pub(crate) fn seek_ticks(&mut self, at: usize) -> Flow {
        let Some(open) = self.line.open else { return self.go(State::Text) };
        let runs = BTreeMap::new();
        let seek = TickSeek { at, open, cursor: at, run: 0, runs };
        self.go(State::TickSeek(Box::new(seek)))
    }

    pub(crate) fn tick_seek(&mut self, mut seek: Box<TickSeek>, cx: &mut Cx<'_, '_>) -> Flow {
        loop {
            if seek.run == 0 {
                match cx.input.find2(b'`', b'\n', seek.cursor) {
                    Some(at) if cx.input.byte(at) == Some(b'`') => seek.cursor = at,
                    Some(at) => return self.no_partner(*seek, at, cx),
                    None if cx.input.is_over() => {
                        return self.no_partner(*seek, cx.input.end(), cx);
                    }
                    None => {
                        seek.cursor = cx.input.end();
                        return self.wait_for_partner(seek, cx);
                    }
                }
            }
            seek.run += cx.input.run_of(b'`', seek.cursor + seek.run);
            let end = seek.cursor + seek.run;
            if end == cx.input.end() && !cx.input.is_over() {
                return self.wait_for_partner(seek, cx);
            }
            if self.is_beyond(seek.at, end) {
                let end = seek.at + self.limits.held;
                return self.no_partner(*seek, end, cx);
            }
            if seek.run == seek.open.len {
                return self.hide(&seek, end, cx);
            }
            seek.runs.insert(seek.run, seek.cursor);
            (seek.cursor, seek.run) = (end, 0);
        }
    }

    fn wait_for_partner(&mut self, seek: Box<TickSeek>, cx: &mut Cx<'_, '_>) -> Flow {
        if self.is_beyond(seek.at, cx.input.end()) {
            let end = seek.at + self.limits.held;
            return self.no_partner(*seek, end, cx);
        }
        self.emit_text(seek.at, cx);
        self.wait(State::TickSeek(seek))
    }

    /// The run is text, so the markup behind it is seen again.
    /// `[Q4]`
    fn no_partner(&mut self, seek: TickSeek, looked_at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.line.disbelieve(seek.runs, looked_at);
        self.rewind(seek.at, looked_at, State::Text, cx)
    }

    fn hide(&mut self, seek: &TickSeek, end: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.quote(seek.at, cx);
        self.line.close();
        self.scan = end;
        self.go(State::Text)
    }

    /// Notes a call that is shown and not run.
    /// `[Q2]`
    pub(crate) fn quote(&mut self, at: usize, cx: &mut Cx<'_, '_>) {
        if let Seen::Mark(mark, end) = marker::look(at, cx.input) {
            return self.quote_mark(mark, at, end, cx);
        }
        let name = quoted_name(cx.input.rest(at));
        let is_call = self.names.word(name).is_some_and(|word| {
            let role = self.names.role(word);
            self.names.is_any_tool(word) || matches!(role, Role::Call(_) | Role::Wrapper)
        });
        if is_call {
            let tag = String::from(name);
            self.emit_text(at, cx);
            self.fault(Reason::QuotedCall, &tag, at..at + 1 + name.len(), cx);
        }
    }

    /// Notes a mark of another syntax, behind which calls are shown and not run.
    pub(crate) fn quote_mark(&mut self, mark: Mark, at: usize, end: usize, cx: &mut Cx<'_, '_>) {
        if mark.means.begins_calls() {
            self.emit_text(at, cx);
            self.fault(Reason::QuotedCall, mark.text, at..end, cx);
        }
    }
}

/// The name of the start tag at the beginning of a text.
fn quoted_name(text: &str) -> &str {
    let name = text.strip_prefix('<').unwrap_or(text);
    let end = name.bytes().position(|byte| !crate::chars::is_name(byte));
    name.get(..end.unwrap_or(name.len())).unwrap_or_default()
}
