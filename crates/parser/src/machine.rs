//! The machine: one state, one position, and what outlives a state.

use alloc::{boxed::Box, string::String, sync::Arc, vec::Vec};

use crate::{
    Fault, Finish, Limits, Reason, Sink,
    block::OpenBlock,
    comment::Comment,
    doomed::Doomed,
    element::Element,
    fence::{Fence, LineHead, Whole},
    foreign::Foreign,
    input::Input,
    inside::Inside,
    json::JsonBody,
    label::Label,
    lead::{Lead, ValueHead},
    lost::LostTag,
    mention::{Endless, Look, Seek},
    names::Names,
    orphan::Orphan,
    pairs::Pair,
    plain::Sought,
    sink::EventRef,
    spare::Spare,
    start::StartReader,
    stray::Stray,
    tag::{HeadReader, LightReader},
    text::Sight,
    thinking::Thinking,
    ticks::{Line, TickRun, TickSeek},
    value::Value,
    wrapped::Wrapped,
    yaml::Yaml,
};

/// Where the machine stands. Each variant waits for something and carries what it needs.
#[derive(Debug, Default)]
pub(crate) enum State {
    /// Waits for the first byte, which may be a byte-order mark.
    /// `[T1]`
    #[default]
    Start,
    /// Waits for what begins a line: a fence, or anything else.
    /// `[Q1]`
    LineHead(LineHead),
    /// Waits for markup in text.
    /// `[T2]` `[T3]`
    Text,
    /// Counts backticks.
    /// `[Q3]`
    Ticks(TickRun),
    /// Looks for the end of inline code in this line.
    /// `[Q3]` `[Q4]`
    TickSeek(Box<TickSeek>),
    /// Waits for the end of a comment.
    /// `[Q5]`
    Comment(Comment),
    /// Waits for the end of a fence.
    /// `[Q1]` `[Q2]`
    Fence(Fence),
    /// Waits for the end of a reply that began with a fence around calls.
    /// `[Q6]`
    Whole(Box<Whole>),
    /// Reads a name behind `<` in text.
    /// `[T3]` `[B2]`
    Head(HeadReader),
    /// Reads a start tag in text.
    /// `[B1]` `[B6]`
    Tag(Box<StartReader>, Sight),
    /// Reads an end tag in text.
    /// `[E9]` `[K5]`
    EndTag(LightReader, Sight),
    /// Looks at what follows a start tag that may be only a mention.
    /// `[B9]`
    Look(Box<Look>),
    /// Looks for the end tag of a start tag that may be only a mention.
    /// `[M1]` `[M2]`
    Seek(Box<Seek>),
    /// Reads end tags that nothing opened.
    /// `[E9]`
    Stray(Box<Stray>),
    /// Looks into an element that is not registered.
    /// `[U1]` `[U5]`
    Element(Box<Element>),
    /// Waits for the end of reasoning.
    /// `[K1]` `[K4]`
    Thinking(Box<Thinking>),
    /// Waits for the end of what cannot be run.
    /// `[E5]` `[E8]` `[U6]`
    Doomed(Box<Doomed>),
    /// Waits for what stands at the beginning of a body.
    /// `[I4]` `[I5]`
    Lead(Box<Lead>),
    /// Waits for the beginning of a child's value.
    /// `[C1]`
    ValueHead(Box<ValueHead>),
    /// Looks into an element that the block's tool does not declare.
    /// `[I2]`
    Wrapped(Box<Wrapped>),
    /// Waits for an element inside a block.
    /// `[I1]` `[I9]`
    Inside(Box<Inside>),
    /// Waits for the end of a value.
    /// `[V4]` `[V12]` `[W1]`
    Value(Box<Value>),
    /// Reads values written as YAML. `[D1]`
    Yaml(Box<Yaml>),
    /// Reads a start tag that names its tool in the rest of its line. `[D1]`
    Label(Box<Label>),
    /// Looks for the call that values without one belong to. `[D1]`
    Orphan(Box<Orphan>),
    /// Reads a start tag that lost its `<`, and what follows. `[D1]`
    Lost(Box<LostTag>),
    /// Reads the name of a value, and what stands before the value.
    /// `[DK1]`
    Pair(Box<Pair>),
    /// Reads calls of another syntax. `[D1]`
    Foreign(Box<Foreign>),
    /// Reads arguments written as JSON.
    /// `[I10]`
    Json(Box<JsonBody>),
    /// Drops what follows an invented result.
    /// `[X1]`
    Discard,
    /// Hands everything on as text, because the work would not end.
    /// `[L8]`
    GivenUp,
}

/// Whether a step can be followed by another one at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// It can.
    Again,
    /// The chunk is used up.
    NeedInput,
}

/// What every step sees.
pub(crate) struct Cx<'a, 'i> {
    pub(crate) input: &'a Input<'i>,
    pub(crate) sink: &'a mut dyn Sink,
    pub(crate) finish: Option<Finish>,
}

/// Reads one reply.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) names: Arc<Names>,
    pub(crate) limits: Limits,
    pub(crate) state: State,
    /// The next byte to look at.
    pub(crate) scan: usize,
    /// The first byte that is in no event yet.
    pub(crate) done: usize,
    pub(crate) line: Line,
    pub(crate) block: Option<Box<OpenBlock>>,
    pub(crate) spare: Spare,
    /// Elements around calls that are open.
    pub(crate) wrappers: Vec<String>,
    pub(crate) n_blocks: u32,
    /// Nothing but blanks and markup stands behind the last call.
    pub(crate) is_behind_call: bool,
    /// Nothing but blanks stands behind reasoning.
    pub(crate) is_behind_thought: bool,
    /// Values without a call that start before this position belong to none.
    pub(crate) orphans_until: usize,
    /// Tags of values stand in the text behind the last call, so that more of them belong to none.
    pub(crate) has_loose_values: bool,
    /// The end of a block was guessed.
    pub(crate) is_recovered: bool,
    /// Blocks that start before this position stood in a section that was never ended.
    pub(crate) unclosed_until: usize,
    /// No comment ends between an opened one and this position.
    pub(crate) open_comment_until: usize,
    /// Where end tags of reasoning and of results are known not to stand.
    pub(crate) endless: Endless,
    /// Whether a fence around the whole reply may be looked through.
    pub(crate) may_unwrap: bool,
    /// Bytes that were gone back over.
    rewound: usize,
    /// The furthest position that was gone back from.
    reached: usize,
    /// The character before the window.
    before: Option<char>,
    /// The next opening bracket in text.
    pub(crate) bracket: Sought,
    /// The next closing angle bracket in text.
    pub(crate) angle: Sought,
    /// A line has named a recipient.
    pub(crate) is_routed: bool,
    /// The next other byte in text that may matter.
    pub(crate) sign: Sought,
    /// Whether nothing but reasoning and markup was read so far.
    pub(crate) is_beginning: bool,
    /// Calls are written in keyed lines, so that a result may be, too.
    pub(crate) is_keyed: bool,
    /// Whether an end of reasoning without a beginning tells that the reply began in it.
    pub(crate) may_begin_in_thinking: bool,
}

impl Machine {
    pub(crate) fn new(names: Arc<Names>, limits: Limits) -> Self {
        Self {
            names,
            limits,
            state: State::Start,
            scan: 0,
            done: 0,
            line: Line::default(),
            block: None,
            spare: Spare::default(),
            wrappers: Vec::new(),
            n_blocks: 0,
            is_behind_call: false,
            is_behind_thought: false,
            orphans_until: 0,
            has_loose_values: false,
            is_recovered: false,
            unclosed_until: 0,
            open_comment_until: 0,
            endless: Endless::default(),
            may_unwrap: true,
            rewound: 0,
            reached: 0,
            before: None,
            bracket: Sought::default(),
            angle: Sought::default(),
            is_routed: false,
            sign: Sought::default(),
            is_beginning: true,
            is_keyed: false,
            may_begin_in_thinking: false,
        }
    }

    /// A machine that reads a part of the same reply, to find out what it is.
    pub(crate) fn part(&self, from: usize) -> Self {
        let mut part = Self::new(Arc::clone(&self.names), self.limits);
        (part.scan, part.done) = (from, from);
        part.state = State::LineHead(LineHead::new());
        part.may_unwrap = false;
        part.n_blocks = self.n_blocks;
        part.is_recovered = self.is_recovered;
        part
    }

    /// Reads the window as far as it goes.
    pub(crate) fn run(&mut self, cx: &mut Cx<'_, '_>) {
        while self.step(cx) == Flow::Again {}
    }

    /// Decides everything that the end of the reply decides. What a cut leaves open stays open.
    pub(crate) fn finish(&mut self, cx: &mut Cx<'_, '_>) {
        let is_stop = cx.finish == Some(Finish::Stop);
        loop {
            cx.input.set_over(is_stop || self.block.is_none());
            if self.step(cx) == Flow::Again {
                continue;
            }
            if cx.input.is_over() {
                return self.close_text(cx);
            }
            if self.block.is_none() {
                continue;
            }
            if !self.ends_though_cut(cx.input) {
                return self.report_partial(cx);
            }
            cx.input.set_over(true);
            if self.step(cx) == Flow::NeedInput {
                return self.close_text(cx);
            }
        }
    }

    /// The first byte that must stay in memory.
    pub(crate) fn keep(&self) -> usize {
        let mention = self.block.as_ref().and_then(|block| block.mention);
        mention.map_or(self.done, |at| at.min(self.done))
    }

    /// Remembers the character before the window's new start.
    pub(crate) const fn set_before(&mut self, before: Option<char>) {
        self.before = before;
    }

    fn step(&mut self, cx: &mut Cx<'_, '_>) -> Flow {
        match core::mem::take(&mut self.state) {
            State::Start => self.start(cx),
            State::LineHead(head) => self.line_head(head, cx),
            State::Text => self.text(cx),
            State::Ticks(run) => self.ticks(run, cx),
            State::TickSeek(seek) => self.tick_seek(seek, cx),
            State::Comment(comment) => self.comment(comment, cx),
            State::Fence(fence) => self.fence(fence, cx),
            State::Whole(whole) => self.whole(whole, cx),
            State::Head(reader) => self.head(reader, cx),
            State::Tag(reader, sight) => self.tag(reader, sight, cx),
            State::EndTag(reader, sight) => self.end_tag(reader, sight, cx),
            State::Look(look) => self.look(look, cx),
            State::Seek(seek) => self.seek(seek, cx),
            State::Stray(stray) => self.stray(stray, cx),
            State::Element(element) => self.element(element, cx),
            State::Thinking(thinking) => self.thinking(thinking, cx),
            State::Doomed(doomed) => self.doomed(doomed, cx),
            State::Lead(lead) => self.lead(lead, cx),
            State::ValueHead(head) => self.value_head(head, cx),
            State::Wrapped(wrapped) => self.wrapped(wrapped, cx),
            State::Inside(inside) => self.inside(inside, cx),
            State::Yaml(yaml) => self.yaml(yaml, cx),
            State::Label(label) => self.label(*label, cx),
            State::Orphan(orphan) => self.orphan(orphan, cx),
            State::Lost(lost) => self.lost(*lost, cx),
            State::Pair(pair) => self.pair(pair, cx),
            State::Value(value) => self.value(value, cx),
            State::Foreign(foreign) => self.foreign(*foreign, cx),
            State::Json(json) => self.json(json, cx),
            State::Discard => self.discard(cx),
            State::GivenUp => self.given_up(cx),
        }
    }

    /// Goes on in another state.
    pub(crate) fn go(&mut self, state: State) -> Flow {
        self.state = state;
        Flow::Again
    }

    /// Waits in a state for more input.
    pub(crate) fn wait(&mut self, state: State) -> Flow {
        self.state = state;
        Flow::NeedInput
    }

    /// Goes back to a position, from one that was looked at. Where that happens too often for
    /// linear work, nothing more is read as markup.
    /// `[L8]`
    pub(crate) fn rewind(
        &mut self,
        to: usize,
        from: usize,
        state: State,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        self.rewound += from.saturating_sub(to);
        self.reached = self.reached.max(from);
        self.scan = to;
        if self.rewound <= 4 * self.reached + (1 << 15) {
            return self.go(state);
        }
        self.give_up(cx)
    }

    /// Whether so much was gone back over that guesses must be made early.
    pub(crate) const fn is_strained(&self) -> bool {
        self.rewound > 2 * self.reached + (1 << 14)
    }

    fn give_up(&mut self, cx: &mut Cx<'_, '_>) -> Flow {
        let at = self.scan;
        if let Some(block) = self.block.take() {
            let fault = block.fault(Reason::Limit, block.at..at, String::new());
            self.done = at;
            Self::abort(&block, cx);
            cx.sink.take(EventRef::Fault(fault));
        } else {
            self.emit_text(at, cx);
            self.fault(Reason::Limit, "", at..at, cx);
        }
        self.go(State::GivenUp)
    }

    fn given_up(&mut self, cx: &mut Cx<'_, '_>) -> Flow {
        self.scan = cx.input.end();
        self.emit_text(self.scan, cx);
        self.wait(State::GivenUp)
    }

    fn discard(&mut self, cx: &mut Cx<'_, '_>) -> Flow {
        self.scan = cx.input.end();
        self.drop_to(self.scan, cx);
        self.wait(State::Discard)
    }

    /// What is left is text, and the next feed is a new text.
    /// `[T5]`
    fn close_text(&mut self, cx: &mut Cx<'_, '_>) {
        if matches!(self.state, State::Discard) {
            return;
        }
        self.scan = cx.input.end();
        self.emit_text(self.scan, cx);
    }

    /// Hands out text up to a position.
    /// `[T4]` `[T7]`
    pub(crate) fn emit_text(&mut self, to: usize, cx: &mut Cx<'_, '_>) {
        if to > self.done {
            let text = cx.input.slice(self.done..to);
            let is_blank = cx.input.is_blank(self.done..to);
            self.is_behind_call &= is_blank;
            self.is_behind_thought &= is_blank;
            self.is_beginning &= is_blank;
            cx.sink.take(EventRef::Text(text, self.done as u64..to as u64));
            self.done = to;
        }
    }

    /// Leaves out markup up to a position.
    pub(crate) fn drop_to(&mut self, to: usize, cx: &mut Cx<'_, '_>) {
        if to > self.done {
            cx.sink.take(EventRef::Dropped(self.done as u64..to as u64));
            self.done = to;
        }
    }

    /// Reports damage outside of blocks.
    pub(crate) fn fault(
        &mut self,
        reason: Reason,
        tag: &str,
        span: core::ops::Range<usize>,
        cx: &mut Cx<'_, '_>,
    ) {
        let found = excerpt(cx.input.slice(span.clone()));
        self.fault_found(reason, tag, span, found, cx);
    }

    /// Reports damage outside of blocks, with what was found.
    pub(crate) fn fault_found(
        &mut self,
        reason: Reason,
        tag: &str,
        span: core::ops::Range<usize>,
        found: String,
        cx: &mut Cx<'_, '_>,
    ) {
        let nearest = if reason == Reason::UnknownTool {
            crate::near::nearest(tag, self.names.tool_names())
        } else {
            Vec::new()
        };
        let span = span.start as u64..span.end as u64;
        cx.sink.take(EventRef::Fault(Fault { reason, tag: tag.into(), span, found, nearest }));
    }

    /// Whether a position is out of reach for what is held from `hold` on.
    /// `[L3]`
    pub(crate) const fn is_beyond(&self, hold: usize, at: usize) -> bool {
        at.saturating_sub(hold) > self.limits.held
    }

    /// Whether an identifier character stands before a position.
    pub(crate) fn is_after_word(&self, at: usize, input: &Input<'_>) -> bool {
        self.char_before(at, input).is_some_and(|c| c.is_alphanumeric() || c == '_')
    }

    /// The character before a position, also where it is no longer in memory.
    pub(crate) fn char_before(&self, at: usize, input: &Input<'_>) -> Option<char> {
        if at > input.base() { input.char_before(at) } else { self.before }
    }
}

/// At most 200 bytes of a text, for a message.
pub(crate) fn excerpt(text: &str) -> String {
    let mut end = text.len().min(200);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default().into()
}
