//! One reply: from the parser's events to calls, and to events of the wire.

mod reading;

use alloc::{borrow::ToOwned as _, boxed::Box, string::String};

use tagline_parser::{Fault, Finish, Limits, Parser};
use tagline_protocol::{
    Call, CallId, Effect, Event as Wire, ToolOutcome, Usage, feedback::InsteadOfAction,
};

use crate::{
    Output, action,
    breaker::Verdict,
    hub::Hub,
    open::Open,
    slot::{IsPoll, Slots, State},
    spending::IsWhole,
    voice::Voice,
    words,
};

/// One reply, also while its calls run.
#[derive(Debug)]
pub(crate) struct Reply {
    parser: Parser,
    /// All text that was fed.
    raw: String,
    /// How much of it is in the transcript.
    n_kept: usize,
    /// Where the text begins that answers the last asking.
    asked_at: usize,
    /// Where the reply counts as ended, if that is before its last byte.
    cut_at: Option<usize>,
    voice: Voice,
    open: Option<Open>,
    /// Text outside of calls.
    words: String,
    /// What the speaking tool said.
    said: String,
    has_thought: bool,
    quoted: Option<Fault>,
    /// A boundary was wrong, so the calls behind it are not certain.
    is_doubtful: bool,
    /// The beginning of a continuation, while it may be a new start of the open call.
    head: Option<String>,
    n_judged: usize,
    n_calls: u32,
    pub(crate) slots: Slots,
    pub(crate) end: Option<End>,
    pub(crate) finish: Option<Finish>,
    /// It goes on in the next asking.
    pub(crate) is_unfinished: bool,
    pub(crate) continuations: u32,
    /// What the provider says of this pass.
    pub(crate) usage: Option<Usage>,
    /// The provider ended it, so that its counts are the last ones.
    pub(crate) is_whole: bool,
    /// Bytes of native reasoning in this pass.
    n_reasoned: usize,
}

/// Why nothing more of a reply is read.
#[derive(Debug)]
pub(crate) enum End {
    /// It holds all that it may.
    Enough,
    /// This call ends the turn with an answer.
    Completes(Call, String),
    /// This call ends the turn with a question.
    Asks(Call, String),
    /// The turn's calls are used up.
    NoCallsLeft,
    /// The turn goes in circles.
    Loops(String),
    /// The model failed.
    Failed { code: String, message: String },
}

impl Reply {
    /// Whether nothing was written but white space, and perhaps native reasoning.
    pub(crate) fn is_blank(&self) -> bool {
        self.raw.trim().is_empty()
    }

    pub(crate) fn new(hub: &Hub) -> Self {
        // The machine counts calls itself, so that what is beyond its bound is named.
        let limits = Limits { blocks: usize::MAX, ..Limits::default() };
        let mut parser = Parser::new(&hub.tags, limits);
        if hub.may_begin_in_thinking {
            parser.may_begin_in_thinking();
        }
        Self {
            parser,
            raw: String::new(),
            n_kept: 0,
            asked_at: 0,
            cut_at: None,
            voice: Voice::default(),
            open: None,
            words: String::new(),
            said: String::new(),
            has_thought: false,
            quoted: None,
            is_doubtful: false,
            head: None,
            n_judged: 0,
            n_calls: 0,
            slots: Slots::default(),
            end: None,
            finish: None,
            is_unfinished: false,
            continuations: 0,
            usage: None,
            is_whole: false,
            n_reasoned: 0,
        }
    }

    /// The reply that more text belongs to, and the text: where a model was asked to go on inside a
    /// tag, it may begin the call anew, and that must not end up in the value. A part that may yet
    /// become such a start is held.
    pub(crate) fn head(mut self: Box<Self>, text: String, hub: &mut Hub) -> (Box<Self>, String) {
        let (Some(mut head), Some(tool)) = (self.head.take(), self.open_tool()) else {
            return (self, text);
        };
        head.push_str(&text);
        match restart(&head, tool) {
            Restart::Unknown => {
                self.head = Some(head);
                (self, String::new())
            }
            Restart::No => (self, head),
            Restart::Yes => {
                self.close(hub);
                let mut anew = Box::new(Self::new(hub));
                anew.has_thought = self.has_thought;
                anew.continuations = self.continuations;
                (anew.usage, anew.n_reasoned) = (self.usage, self.n_reasoned);
                (anew, head)
            }
        }
    }

    /// More of the reply.
    pub(crate) fn read(&mut self, text: &str, hub: &mut Hub) {
        self.raw.push_str(text);
        self.parser.feed(text);
        self.take_events(hub);
    }

    /// More native reasoning.
    pub(crate) fn reason(&mut self, text: &str, hub: &mut Hub) {
        self.n_reasoned += text.len();
        self.has_thought |= !text.trim().is_empty();
        self.voice.think(text, &mut |event| hub.emit(event));
    }

    /// Reads what was held.
    pub(crate) fn take_head(&mut self, hub: &mut Hub) {
        if let Some(head) = self.head.take() {
            self.read(&head, hub);
        }
    }

    /// The reply is over.
    pub(crate) fn finish(&mut self, finish: Finish, hub: &mut Hub) {
        self.finish = Some(finish);
        self.parser.flush(finish);
        self.take_events(hub);
    }

    /// Whether the model should be asked to go on where the token limit stopped it: inside a tag,
    /// or in the middle of a plain answer.
    pub(crate) fn can_go_on(&self, hub: &Hub) -> bool {
        let is_plain = self.slots.is_empty() && !hub.is_guided() && !self.words.trim().is_empty();
        let is_left =
            self.end.is_none() && !hub.is_ending() && self.continuations < hub.limits.continuations;
        is_left && (self.open.is_some() || is_plain)
    }

    /// The tag that is open.
    pub(crate) fn open_tool(&self) -> Option<&str> {
        self.open.as_ref().map(|open| open.tool.as_str())
    }

    /// Whether the last asking brought anything.
    pub(crate) fn has_output(&self) -> bool {
        let text = self.raw.get(self.asked_at..).unwrap_or_default();
        !text.trim().is_empty() || !self.slots.is_empty()
    }

    /// Whether it goes on from an earlier asking.
    pub(crate) const fn is_continued(&self) -> bool {
        0 < self.continuations
    }

    /// The model is asked to go on.
    pub(crate) fn go_on(&mut self) {
        self.asked_at = self.raw.len();
        self.head = self.open.is_some().then(String::new);
        self.finish = None;
        self.is_unfinished = false;
        self.is_whole = false;
        self.n_judged = 0;
    }

    /// What this pass took: what the provider says, how many bytes came, and whether it counted
    /// all of them.
    pub(crate) fn take_usage(&mut self) -> (Option<Usage>, usize, IsWhole) {
        let n_bytes = (self.raw.len() - self.asked_at) + core::mem::take(&mut self.n_reasoned);
        let is_whole = if self.is_whole { IsWhole::Yes } else { IsWhole::No };
        (self.usage.take(), n_bytes, is_whole)
    }

    /// The answer, if the reply is one: text outside of calls, else what was said.
    pub(crate) fn answer(&self) -> Option<String> {
        let answer = [&self.words, &self.said].into_iter().find(|text| !text.trim().is_empty());
        answer.map(|text| text.trim().to_owned())
    }

    /// A call that was only quoted, and what the reply holds beside it is nothing.
    pub(crate) fn only_quoted(&self) -> Option<&Fault> {
        self.quoted.as_ref().filter(|_| action::is_quote(&self.words))
    }

    /// What a reply holds that is no action.
    pub(crate) fn instead_of_action(&self) -> InsteadOfAction<'_> {
        if let Some(quoted) = self.only_quoted() {
            return InsteadOfAction::Quoted(&quoted.tag);
        }
        if self.finish == Some(Finish::Length) {
            return InsteadOfAction::TokenLimit;
        }
        match (self.answer().is_some(), self.has_thought) {
            (true, _) => InsteadOfAction::Text,
            (false, true) => InsteadOfAction::Thinking,
            (false, false) => InsteadOfAction::Nothing,
        }
    }

    /// Closes what streams: nothing of it goes on.
    pub(crate) fn close(&mut self, hub: &mut Hub) {
        self.voice.end(&mut |event| hub.emit(event));
        if let Some(open) = self.open.take()
            && open.is_shown()
        {
            hub.emit_of(&open.call, Wire::ToolAborted);
        }
    }

    /// Puts the rest of the reply into the transcript, with a mark.
    pub(crate) fn keep_rest(&mut self, mark: &str, hub: &mut Hub) {
        let end = self.cut_at.unwrap_or(self.raw.len());
        let rest = self.raw.get(self.n_kept..end).unwrap_or_default();
        let is_begun = self.n_kept > self.asked_at;
        let text = match rest.trim().is_empty() && !is_begun {
            true => mark.trim_start().to_owned(),
            false => alloc::format!("{rest}{mark}"),
        };
        self.n_kept = self.raw.len();
        if !text.trim().is_empty() {
            hub.emit(Wire::AssistantMessage { text });
        }
    }

    /// Puts the reply up to the end of a call into the transcript, before the call may run.
    fn keep_to(&mut self, end: usize, hub: &mut Hub) {
        let text = self.raw.get(self.n_kept..end).unwrap_or_default().to_owned();
        if !text.is_empty() {
            self.n_kept = end;
            hub.emit(Wire::AssistantMessage { text });
        }
    }

    /// Hands out the calls whose turn it is.
    pub(crate) fn start_calls(&mut self, hub: &mut Hub) {
        let calls = self.slots.start();
        if !calls.is_empty() {
            hub.push(Output::Run(calls));
        }
    }

    /// Takes a result and hands out what waited for it.
    pub(crate) fn settle(
        &mut self,
        id: &CallId,
        outcome: ToolOutcome,
        is_poll: IsPoll,
        hub: &mut Hub,
    ) {
        if self.slots.settle(id, outcome, is_poll) {
            self.judge(hub);
            self.start_calls(hub);
        }
    }

    /// Looks for circles among the calls that ended, in the order of the reply.
    fn judge(&mut self, hub: &mut Hub) {
        while let Some(slot) = self.slots.get_mut(self.n_judged)
            && slot.is_settled()
        {
            self.n_judged += 1;
            let verdict = match &slot.state {
                State::Ended { call, outcome, is_poll } if !is_poll || is_look(call) => {
                    hub.breaker.judge(hub.passes, call, outcome)
                }
                State::Refused(why) => hub.breaker.refused(hub.passes, slot.tool.as_deref(), why),
                State::Ended { .. } | State::NotRun(_) | State::Waiting(_) | State::Running(_) => {
                    Verdict::Fine
                }
            };
            match verdict {
                Verdict::Fine => {}
                Verdict::Warn(note) => slot.notes.push(note),
                // What the user said meanwhile may lead out of it.
                Verdict::Stop(message) if hub.is_steered() => {
                    slot.notes.push(alloc::format!("note: {message}"));
                }
                Verdict::Stop(message) => {
                    slot.notes.push(alloc::format!("note: {message}, so the turn was stopped"));
                    return self.stop_circle(message, hub);
                }
            }
        }
    }

    fn stop_circle(&mut self, message: String, hub: &mut Hub) {
        let withdrawn = self.slots.withdraw(words::LOOPS);
        hub.cancel_calls(withdrawn, words::LOOPS);
        self.drop_end(words::LOOPS, hub);
        self.end = Some(End::Loops(message));
    }

    /// The call that would have ended the turn does not.
    pub(crate) fn drop_end(&mut self, why: &str, hub: &mut Hub) {
        if let Some(End::Completes(call, _) | End::Asks(call, _)) = self.end.take() {
            hub.cancel_calls(alloc::vec![call.id], why);
        }
    }
}

/// Whether a call for news comes back at once, so that asking again brings nothing by itself; one
/// that waits lets time pass.
const fn is_look(call: &Call) -> bool {
    matches!(call.effect, Effect::Read)
}

/// Whether a continuation begins its call anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Restart {
    Yes,
    No,
    /// More text decides.
    Unknown,
}

fn restart(head: &str, tool: &str) -> Restart {
    let tag = alloc::format!("<{tool}");
    let head = head.trim_start();
    match head.strip_prefix(&tag) {
        Some(rest) => match rest.chars().next() {
            None => Restart::Unknown,
            Some(next) if next.is_whitespace() || next == '>' || next == '/' => Restart::Yes,
            Some(_) => Restart::No,
        },
        None if tag.starts_with(head) => Restart::Unknown,
        None => Restart::No,
    }
}
