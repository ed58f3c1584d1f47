//! Markdown fences: calls inside are shown, not run. A fence around the whole reply, with nothing
//! in it but calls, is looked through.

use alloc::boxed::Box;

use crate::{
    Finish,
    foreign::{
        Looks, Route,
        marker::{self, Seen},
    },
    input::{Input, Peek},
    judge::Judge,
    machine::{Cx, Flow, Machine, State},
    tag::{HeadReader, Mark, Read},
    text::before_bracket,
    ticks::{Line, TickRun},
};

/// The beginning of a line.
#[derive(Debug)]
pub(crate) struct LineHead {
    run: Option<Run>,
    /// Whether nothing but blanks was read before.
    is_first: bool,
    /// Whether the mark of a block quote was seen.
    is_quote: bool,
    /// Whether blanks or such marks were passed.
    is_indented: bool,
}

/// A run that may be a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    byte: u8,
    at: usize,
    len: usize,
    /// The whole run is known.
    is_counted: bool,
}

/// An open fence.
#[derive(Debug)]
pub(crate) struct Fence {
    byte: u8,
    len: usize,
    line: FenceLine,
    /// Whether what it hides is already known to be text.
    is_text: bool,
}

/// Where in a line of a fence reading stands.
#[derive(Debug)]
enum FenceLine {
    /// Before its first letter.
    Head,
    /// In a run that may close the fence.
    Run(usize),
    /// Behind such a run.
    Tail,
    /// In its text.
    Rest,
    /// In a name behind `<`.
    Name(HeadReader),
}

/// A reply that begins with a fence around calls.
#[derive(Debug)]
pub(crate) struct Whole {
    opener: Run,
    /// Behind the opening line.
    content: Option<usize>,
    /// Whether a call was seen to begin the content.
    is_call: bool,
    fence: Fence,
    /// The last line that may close it.
    closer: Option<(usize, usize)>,
    line_from: usize,
    next_probe: usize,
    /// How far blanks were skipped at the beginning of the content.
    looked_to: usize,
}

impl LineHead {
    pub(crate) const fn new() -> Self {
        Self { run: None, is_first: false, is_quote: false, is_indented: false }
    }

    pub(crate) const fn first() -> Self {
        Self { run: None, is_first: true, is_quote: false, is_indented: false }
    }
}

/// What the line of a fence turned out to be.
enum Ended {
    /// The chunk is over.
    No,
    /// The fence closes with this line, up to this position.
    Closed(usize),
    /// Another line begins.
    Line(usize),
}

impl Fence {
    const fn new(byte: u8, len: usize, is_text: bool) -> Self {
        Self { byte, len, line: FenceLine::Rest, is_text }
    }
}

impl Machine {
    /// Reads the beginning of a line.
    /// `[Q1]`
    pub(crate) fn line_head(&mut self, mut head: LineHead, cx: &mut Cx<'_, '_>) -> Flow {
        if head.run.is_none() {
            // A recipient stands at the very beginning of a line.
            match self.route_at(self.scan, cx.input) {
                _ if head.is_indented => {}
                Route::Maybe => {
                    self.emit_text(self.scan, cx);
                    return self.wait(State::LineHead(head));
                }
                route @ (Route::Call(..) | Route::Text(_)) => {
                    return self.open_route(route, self.scan, cx);
                }
                Route::Not => {}
            }
            let (at, is_quote) = skip_prefix(self.scan, cx.input);
            head.is_indented |= at > self.scan;
            self.scan = at;
            head.is_quote |= is_quote;
            match cx.input.peek(self.scan) {
                Peek::Byte(b'\n') => return self.break_line(head.is_first && !head.is_quote),
                Peek::Byte(byte @ (b'`' | b'~')) => {
                    head.run = Some(Run { byte, at: self.scan, len: 0, is_counted: false });
                }
                Peek::More => {
                    self.emit_text(self.scan, cx);
                    return self.wait(State::LineHead(head));
                }
                Peek::Byte(_) | Peek::Over => {
                    self.line.is_blank &= !head.is_quote;
                    let is_quote = head.is_quote;
                    return self.line_start(head, is_quote, cx);
                }
            }
        }
        self.fence_head(head, cx)
    }

    /// Goes on behind a line break.
    pub(crate) fn break_line(&mut self, is_first: bool) -> Flow {
        self.scan += 1;
        self.line = Line::default();
        let head = if is_first { LineHead::first() } else { LineHead::new() };
        self.go(State::LineHead(head))
    }

    fn fence_head(&mut self, mut head: LineHead, cx: &mut Cx<'_, '_>) -> Flow {
        let Some(run) = &mut head.run else { return self.go(State::Text) };
        if !run.is_counted {
            run.len += cx.input.run_of(run.byte, run.at + run.len);
            let end = run.at + run.len;
            if end == cx.input.end() && !cx.input.is_over() {
                return self.wait_in_head(head, cx);
            }
            run.is_counted = true;
            self.scan = end;
        }
        let run = *run;
        match (run.len >= 3, run.byte) {
            (true, b'~') => self.open_fence(&head, run),
            (true, _) => self.info(head, run, cx),
            (false, b'~') => {
                self.line.is_blank = false;
                self.go(State::Text)
            }
            (false, _) => self.go(State::Ticks(TickRun { at: run.at, len: run.len })),
        }
    }

    fn wait_in_head(&mut self, head: LineHead, cx: &mut Cx<'_, '_>) -> Flow {
        if let Some(run) = head.run {
            let is_text = self.is_text_run(run);
            self.emit_text(if is_text { run.at + run.len } else { run.at }, cx);
        }
        self.wait(State::LineHead(head))
    }

    /// Whether a run is too long to be held, so that it is shown whatever it opens.
    const fn is_text_run(&self, run: Run) -> bool {
        run.len > self.limits.held
    }

    /// Another backtick in the line of an opening run makes the run inline code.
    fn info(&mut self, head: LineHead, run: Run, cx: &mut Cx<'_, '_>) -> Flow {
        let end = run.at + run.len;
        match cx.input.find2(b'`', b'\n', self.scan) {
            Some(at) if cx.input.byte(at) == Some(b'`') && !self.is_beyond(end, at) => {
                let state = State::Ticks(TickRun { at: run.at, len: run.len });
                self.rewind(end, at, state, cx)
            }
            None if !cx.input.is_over() && !self.is_beyond(end, cx.input.end()) => {
                self.scan = cx.input.end();
                self.wait_in_head(head, cx)
            }
            Some(at)
                if !self.is_beyond(end, at)
                    && !self.is_text_run(run)
                    && self.is_fence_of_calls(cx.input.slice(end..at))
                    && !head.is_quote =>
            {
                self.open_fenced(cx.input.slice(end..at), run.at, at + 1, cx)
            }
            Some(_) | None => {
                self.scan = end;
                self.open_fence(&head, run)
            }
        }
    }

    fn open_fence(&mut self, head: &LineHead, run: Run) -> Flow {
        self.line.is_blank = false;
        let is_whole = head.is_first && !head.is_quote && self.may_unwrap;
        let is_whole = is_whole && !self.is_text_run(run);
        let fence = Fence::new(run.byte, run.len, !is_whole);
        if is_whole {
            let whole = Whole {
                opener: run,
                content: None,
                is_call: false,
                fence,
                closer: None,
                line_from: run.at,
                next_probe: 0,
                looked_to: run.at,
            };
            self.may_unwrap = false;
            return self.go(State::Whole(Box::new(whole)));
        }
        self.go(State::Fence(fence))
    }

    /// Reads a fence that is text.
    /// `[Q2]`
    /// `[DF5]`
    pub(crate) fn fence(&mut self, mut fence: Fence, cx: &mut Cx<'_, '_>) -> Flow {
        loop {
            match self.fence_line(&mut fence, cx) {
                Ended::Line(_) => {}
                Ended::Closed(_) => {
                    self.line = Line::default();
                    self.line.is_blank = false;
                    return self.go(State::Text);
                }
                Ended::No => {
                    self.emit_text(before_bracket(fence.hold(self.scan), cx.input), cx);
                    return self.wait(State::Fence(fence));
                }
            }
        }
    }

    /// Reads on in a fence, up to the end of a line.
    fn fence_line(&mut self, fence: &mut Fence, cx: &mut Cx<'_, '_>) -> Ended {
        loop {
            match &mut fence.line {
                FenceLine::Head => {
                    self.scan = skip_prefix(self.scan, cx.input).0;
                    match cx.input.peek(self.scan) {
                        Peek::Byte(byte) if byte == fence.byte => fence.line = FenceLine::Run(0),
                        Peek::Byte(_) => fence.line = FenceLine::Rest,
                        Peek::More | Peek::Over => return Ended::No,
                    }
                }
                FenceLine::Run(len) => {
                    let n = cx.input.run_of(fence.byte, self.scan);
                    *len += n;
                    self.scan += n;
                    if self.scan == cx.input.end() && !cx.input.is_over() {
                        return Ended::No;
                    }
                    let is_long = *len >= fence.len;
                    fence.line = if is_long { FenceLine::Tail } else { FenceLine::Rest };
                }
                FenceLine::Tail => {
                    self.scan = cx.input.skip_blanks_of_line(self.scan);
                    match cx.input.peek(self.scan) {
                        Peek::Byte(b'\n') | Peek::Over => return Ended::Closed(self.scan),
                        Peek::Byte(_) => fence.line = FenceLine::Rest,
                        Peek::More => return Ended::No,
                    }
                }
                FenceLine::Rest => match self.fence_rest(fence.is_text, cx) {
                    FenceLine::Rest => return Ended::No,
                    FenceLine::Head => {
                        fence.line = FenceLine::Head;
                        return Ended::Line(self.scan);
                    }
                    line @ (FenceLine::Run(_) | FenceLine::Tail | FenceLine::Name(_)) => {
                        fence.line = line;
                    }
                },
                FenceLine::Name(reader) => {
                    match reader.read(cx.input) {
                        Read::More => return Ended::No,
                        Read::Done(Mark::Tag(name)) if fence.is_text && !name.is_end => {
                            self.quote(name.at, cx);
                        }
                        Read::Done(_) | Read::Not(_) | Read::Cut => {}
                    }
                    fence.line = FenceLine::Rest;
                }
            }
        }
    }

    fn fence_rest(&mut self, is_text: bool, cx: &mut Cx<'_, '_>) -> FenceLine {
        while let Some(at) = cx.input.find3(b'\n', b'<', b'[', self.scan) {
            self.scan = at;
            match (cx.input.byte(at), marker::look(at, cx.input)) {
                (_, Seen::Maybe) => return FenceLine::Rest,
                (_, Seen::Mark(mark, end)) => {
                    if is_text {
                        self.quote_mark(mark, at, end, cx);
                    }
                    self.scan = end;
                }
                (byte, Seen::No) => {
                    self.scan = at + 1;
                    match byte {
                        Some(b'\n') => return FenceLine::Head,
                        Some(b'[') => {}
                        _ => return FenceLine::Name(HeadReader::new(at, self.limits.name)),
                    }
                }
            }
        }
        self.scan = cx.input.end();
        FenceLine::Rest
    }
}

impl Fence {
    /// What must stay in memory.
    fn hold(&self, scan: usize) -> usize {
        match &self.line {
            FenceLine::Name(reader) => reader.at(),
            FenceLine::Head | FenceLine::Run(_) | FenceLine::Tail | FenceLine::Rest => scan,
        }
    }
}

/// Skips blanks and the marks of block quotes, and tells whether there was a mark.
fn skip_prefix(from: usize, input: &Input<'_>) -> (usize, bool) {
    let (mut at, mut is_quote) = (from, false);
    loop {
        at = input.skip_blanks_of_line(at);
        if input.byte(at) != Some(b'>') {
            return (at, is_quote);
        }
        (at, is_quote) = (at + 1, true);
    }
}

impl Machine {
    /// Reads on in a fence that may be around the whole reply.
    pub(crate) fn whole(&mut self, mut whole: Box<Whole>, cx: &mut Cx<'_, '_>) -> Flow {
        loop {
            let is_late = self.is_beyond(whole.opener.at, self.scan);
            if is_late || (whole.content.is_some() && !self.begins_with_call(&mut whole, cx)) {
                return self.show_fence(&whole, cx);
            }
            if whole.content.is_some() && !whole.is_call {
                return self.wait_whole(whole, cx);
            }
            match self.fence_line(&mut whole.fence, cx) {
                Ended::No => return self.wait_whole(whole, cx),
                Ended::Closed(end) => {
                    whole.closer = Some((whole.line_from, end));
                    self.scan = end;
                    whole.fence.line = FenceLine::Rest;
                }
                Ended::Line(at) => {
                    whole.content.get_or_insert(at);
                    if self.is_refuted(&mut whole, cx) {
                        return self.show_fence(&whole, cx);
                    }
                    whole.line_from = at;
                }
            }
        }
    }

    /// Whether the first thing in the fence is, or may yet be, a call.
    fn begins_with_call(&mut self, whole: &mut Whole, cx: &Cx<'_, '_>) -> bool {
        if whole.is_call {
            return true;
        }
        let content = whole.content.unwrap_or(self.scan);
        let at = cx.input.skip_blanks(content.max(whole.looked_to));
        whole.looked_to = at;
        let mut reader = HeadReader::new(at, self.limits.name);
        match cx.input.peek(at) {
            Peek::Byte(b'<') => {}
            Peek::Byte(b'{' | b'[') => {
                let looks = self.looks_like_calls(at, cx.input);
                whole.is_call = looks == Looks::Yes;
                return looks != Looks::No;
            }
            Peek::More => return true,
            Peek::Byte(_) | Peek::Over => return false,
        }
        match reader.read(cx.input) {
            Read::More => true,
            Read::Done(Mark::Tag(head)) => {
                whole.is_call = !head.is_end && self.means_something(&head, cx.input);
                whole.is_call
            }
            Read::Done(_) | Read::Not(_) | Read::Cut => false,
        }
    }

    /// Whether words behind a line that may close the fence show that the fence is not around all.
    fn is_refuted(&self, whole: &mut Whole, cx: &Cx<'_, '_>) -> bool {
        let Some((closer, _)) = whole.closer else { return false };
        let line = whole.line_from..self.scan;
        if whole.line_from == closer || cx.input.is_blank(line) {
            return false;
        }
        let Some(content) = whole.content else { return true };
        if closer - content < whole.next_probe {
            return false;
        }
        whole.next_probe = 2 * (closer - content);
        self.holds_only_calls(content, closer, cx)
    }

    fn wait_whole(&mut self, mut whole: Box<Whole>, cx: &mut Cx<'_, '_>) -> Flow {
        if !cx.input.is_over() {
            return self.wait(State::Whole(whole));
        }
        if let Some((closer, end)) = whole.closer.take()
            && let Some(content) = whole.content
            && cx.input.is_blank(end..cx.input.end())
            && self.holds_only_calls(content, closer, cx)
        {
            self.emit_text(whole.opener.at, cx);
            return self.look_through(content, closer, cx);
        }
        self.show_fence(&whole, cx)
    }

    /// The fence is shown as it stands.
    fn show_fence(&mut self, whole: &Whole, cx: &mut Cx<'_, '_>) -> Flow {
        let looked_at = self.scan.min(whole.opener.at + self.limits.held);
        let to = whole.opener.at + whole.opener.len;
        let fence = Fence::new(whole.opener.byte, whole.opener.len, true);
        self.rewind(to, looked_at, State::Fence(fence), cx)
    }

    /// Whether a part of the reply is nothing but calls.
    fn holds_only_calls(&self, from: usize, to: usize, cx: &Cx<'_, '_>) -> bool {
        let mut judge = Judge::default();
        self.part(from).read_part(from, to, cx.input, &mut judge);
        judge.holds_only_calls()
    }

    /// Reads a part of the window as if the reply ended with it.
    pub(crate) fn read_part(
        &mut self,
        from: usize,
        to: usize,
        input: &Input<'_>,
        sink: &mut dyn crate::Sink,
    ) {
        let part = Input::new(input.slice(from..to), from, true);
        let mut cx = Cx { input: &part, sink, finish: Some(Finish::Stop) };
        self.finish(&mut cx);
        input.add_visits(part.visits());
    }

    /// The fence is dropped, and the calls in it count.
    /// `[Q6]`
    fn look_through(&mut self, content: usize, closer: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.drop_to(content, cx);
        let mut part = self.part(content);
        part.read_part(content, closer, cx.input, cx.sink);
        self.n_blocks = part.n_blocks;
        self.is_recovered = part.is_recovered;
        self.done = closer;
        self.scan = cx.input.end();
        self.drop_to(self.scan, cx);
        self.go(State::Text)
    }
}
