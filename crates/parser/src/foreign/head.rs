//! What stands behind an opening mark: the tool's name, or the body that names it.

use alloc::{boxed::Box, string::String};

use crate::{
    input::{Input, Peek},
    lost::Lost,
    machine::{Cx, Flow, Machine},
    tag::Head as TagHead,
};

use super::{
    Manner, Phase,
    body::{Body, Source},
    call::{Call, Flaw},
    json::{Lexer, is_gap_open, skip_gap},
    lines::{Keys, Lines},
    marker::{self, Means, Seen},
    python, quoted,
    tail::Tail,
};

/// The words that name no tool but the kind of a call.
/// `[DJ12]`
const KINDS: [&str; 2] = ["function", "tool"];

/// What Gemma writes before a tool's name.
pub(super) const CALL: &str = "call:";

/// The marks behind which Gemma names a tool.
const QUOTED: [&str; 2] = ["<|tool_call>", "<start_function_call>"];

/// The head of a call.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    cursor: usize,
    /// The tool's name, where it stands before the body.
    pub(super) name: Option<String>,
    /// Where that begins.
    name_at: usize,
    /// Whether the object behind it is written with tokens for quotes.
    is_quoted: bool,
    stage: Stage,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Before a name or a body.
    Start,
    /// In a name.
    Name(usize),
    /// Behind a name, which ends here.
    Behind(usize),
    /// Behind `[`.
    List(usize),
    /// In a name behind `[`.
    ListName(usize),
    /// Behind `(`.
    Paren,
    /// In the line of a fence.
    Fence,
    /// In a call's number, up to a mark.
    Number,
}

/// How a step went.
pub(super) enum Step {
    Again,
    Wait,
    /// The reply is over.
    Over,
    /// A JSON body stands here.
    Json(usize),
    /// Keyed lines stand here, behind their first key.
    Lines(usize),
    /// An object whose strings stand between tokens.
    Quoted(usize),
    /// Calls in Python stand here.
    Python(usize),
    /// Tags follow.
    Tags,
    /// The call has no arguments.
    Empty(usize),
    /// Tags with values stand behind the name, which ends here.
    Values(usize),
    /// A start tag that lost its `<`.
    Lost(TagHead),
    /// It is no call.
    Not(usize),
}

impl Head {
    pub(crate) const fn new(behind: usize) -> Self {
        Self { cursor: behind, name: None, name_at: behind, is_quoted: false, stage: Stage::Start }
    }
}

impl Head {
    /// Behind a tool's name.
    pub(super) fn named(name: String, behind: usize) -> Self {
        let mut head = Self::new(behind);
        head.name = Some(name);
        head.stage = Stage::Behind(behind);
        head
    }
}

impl Machine {
    pub(super) fn foreign_head(
        &mut self,
        manner: Manner,
        mut head: Head,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        loop {
            let step = self.step_head(&mut head, cx.input);
            if self.is_beyond(manner.at, head.cursor) {
                return self.no_head(
                    manner,
                    &Flaw::Limit(manner.at + self.limits.held),
                    head.cursor,
                    cx,
                );
            }
            match step {
                Step::Again => {}
                Step::Wait if cx.input.is_over() => {
                    return self.no_head(manner, &Flaw::Cut, cx.input.end(), cx);
                }
                Step::Wait => return self.wait_foreign(manner, Phase::Head(head)),
                Step::Over => return self.no_head(manner, &Flaw::Cut, cx.input.end(), cx),
                Step::Tags => return self.tags_follow(manner, head.cursor, cx),
                Step::Not(at) => return self.no_head(manner, &Flaw::Shape, at, cx),
                Step::Empty(at) => return self.empty_call(manner, &head, at, cx),
                Step::Lines(at) => {
                    return self.open_lines(manner, Lines::new(Keys::Continue, at), cx);
                }
                Step::Lost(lost) => return self.lost_follows(manner, lost, cx),
                Step::Values(at) => return self.values_follow(manner, &head, at, cx),
                Step::Json(at) => {
                    let source = Source::Json(Lexer::new(at));
                    return self.begin_foreign(manner, &head, source, at, cx);
                }
                Step::Quoted(at) => {
                    let source = Source::Quoted(quoted::Lexer::new(at));
                    return self.begin_foreign(manner, &head, source, at, cx);
                }
                Step::Python(at) => {
                    head.name = None;
                    let is_print_tool = self.tool_of(python::PRINT).is_some();
                    let source = Source::Python(python::Lexer::new(at, is_print_tool));
                    return self.begin_foreign(manner, &head, source, at, cx);
                }
            }
        }
    }

    fn step_head(&self, head: &mut Head, input: &Input<'_>) -> Step {
        match head.stage {
            Stage::Start => self.head_start(head, input),
            Stage::Name(from) => head_name(head, from, input),
            Stage::Behind(from) => self.head_behind(head, from, input),
            Stage::List(at) => gap(head, input, |head, byte| match byte {
                b'{' | b']' => Step::Json(at),
                _ if crate::chars::is_name_start(byte) => {
                    head.stage = Stage::ListName(at);
                    Step::Again
                }
                _ => Step::Not(head.cursor),
            }),
            Stage::ListName(at) => list_name(head, at, input),
            Stage::Paren => gap(head, input, |head, byte| match byte {
                b'{' => Step::Json(head.cursor),
                _ => Step::Python(head.name_at),
            }),
            Stage::Fence => match input.find1(b'\n', head.cursor) {
                Some(at) => {
                    head.cursor = at + 1;
                    head.stage = Stage::Start;
                    Step::Again
                }
                None => {
                    head.cursor = input.end();
                    Step::Wait
                }
            },
            Stage::Number => match input.find2(b'[', b'<', head.cursor) {
                Some(at) => {
                    head.cursor = at;
                    head.stage = Stage::Behind(at);
                    Step::Again
                }
                None => {
                    head.cursor = input.end();
                    Step::Wait
                }
            },
        }
    }

    fn head_start(&self, head: &mut Head, input: &Input<'_>) -> Step {
        gap(head, input, |head, byte| match byte {
            b'{' => Step::Json(head.cursor),
            b'`' => match input.run_of(b'`', head.cursor) {
                n if head.cursor + n == input.end() && !input.is_over() => Step::Wait,
                n if n >= 3 => {
                    head.cursor += n;
                    head.stage = Stage::Fence;
                    Step::Again
                }
                _ => Step::Not(head.cursor),
            },
            b'[' | b'<' => self.head_mark(head, byte, input),
            _ if crate::chars::is_name_start(byte) => match self.lost_at(head.cursor, input) {
                Lost::Maybe => Step::Wait,
                Lost::Tag(lost) => Step::Lost(lost),
                Lost::No => {
                    head.stage = Stage::Name(head.cursor);
                    Step::Again
                }
            },
            _ => Step::Not(head.cursor),
        })
    }

    /// A mark before the body, or a list.
    fn head_mark(&self, head: &mut Head, byte: u8, input: &Input<'_>) -> Step {
        match marker::look(head.cursor, input) {
            Seen::Maybe => Step::Wait,
            Seen::Mark(mark, end) => match mark.means {
                Means::Between
                | Means::Open
                | Means::OpenOnly
                | Means::Narrated
                | Means::Section
                | Means::Nothing => {
                    head.cursor = end;
                    Step::Again
                }
                Means::Close
                | Means::EndSection
                | Means::Result
                | Means::Think(_)
                | Means::Element
                | Means::Header
                | Means::Thought
                | Means::EndThink => Step::Not(head.cursor),
            },
            Seen::No if byte == b'[' => {
                let at = head.cursor;
                head.cursor += 1;
                head.stage = Stage::List(at);
                Step::Again
            }
            Seen::No => match self.is_tag(head.cursor, input) {
                None => Step::Wait,
                Some(true) => Step::Tags,
                Some(false) => Step::Not(head.cursor),
            },
        }
    }

    fn head_behind(&self, head: &mut Head, from: usize, input: &Input<'_>) -> Step {
        gap(head, input, |head, byte| match byte {
            b'{' if head.is_quoted => Step::Quoted(head.cursor),
            b'{' | b'`' => {
                head.stage = Stage::Start;
                Step::Again
            }
            // The value of a call in Python may be given a name.
            b'=' => match input.peek(head.cursor + 1) {
                Peek::More => Step::Wait,
                Peek::Byte(b'=') | Peek::Over => Step::Not(head.cursor),
                Peek::Byte(_) => Step::Python(head.name_at),
            },
            b'(' => {
                head.cursor += 1;
                head.stage = Stage::Paren;
                Step::Again
            }
            b'[' | b'<' => self.behind_mark(head, from, input),
            _ => Step::Not(head.cursor),
        })
    }

    /// A mark behind a name.
    /// `[DJ10]`
    fn behind_mark(&self, head: &mut Head, from: usize, input: &Input<'_>) -> Step {
        match marker::look(head.cursor, input) {
            Seen::Maybe => Step::Wait,
            Seen::Mark(mark, end) => match mark.means {
                Means::Between => {
                    if head.name.as_ref().is_some_and(|name| KINDS.contains(&name.as_str())) {
                        head.name = None;
                    }
                    head.cursor = end;
                    head.stage = Stage::Start;
                    Step::Again
                }
                Means::Close | Means::EndSection => Step::Empty(head.cursor),
                Means::Open
                | Means::OpenOnly
                | Means::Narrated
                | Means::Section
                | Means::Result
                | Means::Think(_)
                | Means::EndThink
                | Means::Element
                | Means::Header
                | Means::Thought
                | Means::Nothing => Step::Not(head.cursor),
            },
            Seen::No => {
                let number = "[CALL_ID]";
                match input.has_word(number, head.cursor) {
                    None => Step::Wait,
                    Some(true) => {
                        head.cursor += number.len();
                        head.stage = Stage::Number;
                        Step::Again
                    }
                    Some(false) if input.byte(head.cursor + 1) == Some(b'/') => {
                        let name = head.name.as_deref().unwrap_or_default();
                        self.behind_named(name, head.cursor, input)
                    }
                    Some(false) => match self.begins_values(
                        head.name.as_deref().unwrap_or_default(),
                        head.cursor,
                        input,
                    ) {
                        None => Step::Wait,
                        Some(true) => Step::Values(from),
                        Some(false) => Step::Not(head.cursor),
                    },
                }
            }
        }
    }

    /// A name without arguments.
    /// `[DK2]`
    fn empty_call(&mut self, manner: Manner, head: &Head, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        let mut call = Call::new(manner.at, manner.evidence);
        let name = head.name.as_deref().unwrap_or_default();
        match self.name_call(&mut call, name, at, cx) {
            Ok(()) => self.go_foreign(manner, Phase::Tail(Tail::new(Some(call), at))),
            Err(_) => self.no_head(manner, &Flaw::Shape, at, cx),
        }
    }

    /// The body of a call begins; its tool may be known.
    fn begin_foreign(
        &mut self,
        manner: Manner,
        head: &Head,
        source: Source,
        at: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        self.scan = at;
        let mut named = None;
        if let Some(name) = &head.name {
            let mut call = Call::new(manner.at, manner.evidence);
            if let Err(flaw) = self.name_call(&mut call, name, at, cx) {
                return self.no_head(manner, &flaw, at, cx);
            }
            named = Some(call);
        }
        self.go_foreign(manner, Phase::Body(Box::new(Body::new(source, manner, named))))
    }
}

/// Skips what stands between tokens, and decides by the byte behind it.
fn gap(head: &mut Head, input: &Input<'_>, decide: impl FnOnce(&mut Head, u8) -> Step) -> Step {
    head.cursor = skip_gap(head.cursor, input);
    match input.peek(head.cursor) {
        _ if is_gap_open(head.cursor, input) => Step::Wait,
        Peek::Byte(byte) => decide(head, byte),
        Peek::More => Step::Wait,
        Peek::Over => Step::Over,
    }
}

// [DJ8]
fn head_name(head: &mut Head, from: usize, input: &Input<'_>) -> Step {
    loop {
        match input.peek(head.cursor) {
            Peek::Byte(byte) if is_tool_name(byte) => head.cursor += 1,
            Peek::More => return Step::Wait,
            Peek::Over => return Step::Over,
            Peek::Byte(_) => break,
        }
    }
    let name = input.slice(from..head.cursor);
    if name.eq_ignore_ascii_case("tool_name:") {
        return Step::Lines(head.cursor);
    }
    let called = name.strip_prefix(CALL);
    head.is_quoted = called.is_some() || opens_quoted(from, input);
    head.name = Some(called.unwrap_or(name).into());
    head.name_at = from;
    head.stage = Stage::Behind(head.cursor);
    Step::Again
}

/// Whether one of the marks whose objects have tokens for quotes stands directly before a name.
fn opens_quoted(at: usize, input: &Input<'_>) -> bool {
    QUOTED
        .iter()
        .any(|mark| at.checked_sub(mark.len()).is_some_and(|from| input.slice(from..at) == *mark))
}

/// Calls in Python stand in a list whose first word goes on with `(`.
fn list_name(head: &mut Head, at: usize, input: &Input<'_>) -> Step {
    loop {
        match input.peek(head.cursor) {
            Peek::Byte(byte) if is_tool_name(byte) => head.cursor += 1,
            Peek::Byte(b'(') => return Step::Python(at),
            Peek::Byte(_) => return Step::Not(head.cursor),
            Peek::More => return Step::Wait,
            Peek::Over => return Step::Over,
        }
    }
}

pub(super) const fn is_tool_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':' | b'/')
}
