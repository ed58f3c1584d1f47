//! The conversation is about to outgrow what the model can read.

use alloc::{
    boxed::Box,
    format,
    string::{String, ToString as _},
    vec,
};

use tagline_parser::Finish;
use tagline_protocol::{Compaction, Event, Message, Role, Usage, clipped};

use super::{Phase, Turn};
use crate::{
    Input, Output, StopReason, budget::NotNow, context::Step, reply::Reply, spending::IsWhole,
    words,
};

/// The code with which a provider says that a request is too long.
pub(super) const OVERFLOW: &str = "too_long";

/// Most tokens of a summary, with the reasoning that may come before it.
const SUMMARY_TOKENS: u64 = 2_048;

/// Most bytes of one, where there is room; what the model writes beyond is not read.
const SUMMARY_BYTES: usize = 8 * 1_024;

/// Least room for one.
const LEAST_BYTES: usize = 256;

/// Notes on their way.
#[derive(Debug)]
pub(super) struct Summary {
    /// The reply that is to be continued behind it.
    reply: Option<Box<Reply>>,
    /// So many of the newest messages stay.
    kept: usize,
    text: String,
    usage: Option<Usage>,
}

impl Turn {
    /// Makes the conversation smaller by one step, and tries again to ask.
    pub(super) fn make_room(&mut self, reply: Option<Box<Reply>>) -> Phase {
        let least = if reply.is_some() { 2 } else { 1 };
        let system = self.hub.context.estimate().of(core::slice::from_ref(&self.hub.system));
        match self.hub.context.step(&self.hub.transcript, system, least) {
            Some(step @ Step::Shorten { .. }) => {
                self.compact(Step::shortened(), step.kept());
                self.ask(reply)
            }
            Some(Step::Summarize { kept }) => self.summarize(reply, kept),
            None => self.make_do(reply),
        }
    }

    /// Nothing more can be made smaller.
    fn make_do(&mut self, reply: Option<Box<Reply>>) -> Phase {
        let request = self.hub.request();
        if self.hub.context.make_do(&request) {
            return self.ask(reply);
        }
        let reason = self.does_not_fit();
        self.close_and_stop(reply, reason)
    }

    /// The provider says, in these words, that the request was too long.
    pub(super) fn overflow(&mut self, mut reply: Box<Reply>, said: &str) -> Phase {
        self.end_pass(&mut reply, Finish::Cut);
        self.hub.passes = self.hub.passes.saturating_sub(1);
        let request = self.hub.request();
        let may_try = self.hub.context.overflow(&request, said);
        let reply = if reply.is_continued() {
            reply.go_on();
            Some(reply)
        } else {
            None
        };
        if may_try {
            return self.ask(reply);
        }
        let reason = self.does_not_fit();
        self.close_and_stop(reply, reason)
    }

    fn compact(&mut self, way: Compaction, kept: u64) {
        let before = self.hub.context.estimate().of(&self.hub.request());
        // What it leaves is known once it is done; the event is what does it.
        let mut smaller = self.hub.transcript.clone();
        smaller.compact(&way, kept);
        let system = self.hub.context.estimate().of(core::slice::from_ref(&self.hub.system));
        let after = self.hub.context.estimate().of(&smaller.messages()).saturating_add(system);
        self.hub.context.stepped(before, after);
        self.hub.emit(Event::ContextCompacted { way, kept, before, after });
    }

    fn summarize(&mut self, reply: Option<Box<Reply>>, kept: usize) -> Phase {
        let room = self.hub.context.limit().unwrap_or(0) / 2;
        let most = self.hub.context.estimate().bytes_of(room);
        let old = self.hub.transcript.to_sum_up(kept, most);
        let asked = format!("{old}\n\n{}", words::SUM_UP_NOW);
        let request =
            vec![Message::new(Role::System, words::SUM_UP), Message::new(Role::User, asked)];
        if let Err(reached) = self.hub.spending.ask(&request) {
            return self.not_now(reply, NotNow::Reached(reached));
        }
        self.hub.context.send(&request);
        let state = "compacting".to_string();
        self.hub.emit(Event::ModelState { state, detail: None });
        self.hub.push(Output::Summarize(request));
        let (text, usage) = (String::new(), None);
        Phase::Summary(Box::new(Summary { reply, kept, text, usage }))
    }

    pub(super) fn in_summary(&mut self, mut summary: Box<Summary>, input: Input) -> Phase {
        match input {
            Input::Delta(text) => {
                summary.text.push_str(&text);
                if SUMMARY_BYTES < summary.text.len() {
                    self.hub.push(Output::StopReply);
                    return self.summed_up(*summary, IsWhole::No, None);
                }
            }
            Input::Usage(usage) => summary.usage = Some(usage),
            Input::ReplyEnd(Finish::Stop | Finish::Length) => {
                return self.summed_up(*summary, IsWhole::Yes, None);
            }
            Input::ReplyEnd(Finish::Cut) => {
                return self.summed_up(*summary, IsWhole::No, Some("the connection was lost"));
            }
            Input::ReplyFailed { message, .. } => {
                return self.summed_up(*summary, IsWhole::No, Some(&message));
            }
            Input::Cancel => {
                self.take_usage(&summary, IsWhole::No);
                self.hub.take_back();
                let reason = self.hub.stopping.take().unwrap_or(StopReason::Cancelled);
                return self.close_and_stop(summary.reply, reason);
            }
            Input::Reasoning(_)
            | Input::Result(..)
            | Input::PollResult(..)
            | Input::Steer(_)
            | Input::TimeIsUp { .. }
            | Input::Budget(_)
            | Input::Checked(_)
            | Input::Stopping
            | Input::OutOfTime { .. } => {}
        }
        Phase::Summary(summary)
    }

    /// The notes are there, or will not come: a list of what was done stands for them then.
    fn summed_up(&mut self, summary: Summary, is_whole: IsWhole, failed: Option<&str>) -> Phase {
        self.take_usage(&summary, is_whole);
        let notes = notes(&summary.text, self.summary_bytes());
        let failed = failed.or_else(|| notes.is_empty().then_some("nothing came"));
        let notes = match failed {
            None => notes,
            Some(why) => {
                let (level, message) = ("warning".to_string(), words::not_summed_up(why));
                self.hub.emit(Event::Notice { level, message });
                notes_within(&self.hub.transcript.digest(summary.kept), self.summary_bytes())
            }
        };
        let kept = u64::try_from(summary.kept).unwrap_or(u64::MAX);
        self.compact(Compaction::Summarized { summary: notes }, kept);
        self.ask(summary.reply)
    }

    /// Most tokens of a summary: beside half of the room for what is summed up, a third.
    pub(super) fn summary_tokens(&self) -> u64 {
        self.hub.context.limit().map_or(SUMMARY_TOKENS, |limit| SUMMARY_TOKENS.min(limit / 3))
    }

    /// Most bytes of a summary: an eighth of the room.
    fn summary_bytes(&self) -> usize {
        let context = &self.hub.context;
        let room = context.estimate().bytes_of(context.limit().unwrap_or(u64::MAX) / 8);
        room.clamp(LEAST_BYTES, SUMMARY_BYTES)
    }

    fn take_usage(&mut self, summary: &Summary, is_whole: IsWhole) {
        self.hub.spending.pass(summary.usage, summary.text.len(), is_whole);
        self.hub.context.learn(summary.usage);
        if let Some(usage) = summary.usage {
            self.hub.emit(Event::Usage(usage));
        }
    }

    /// Why the turn ends: what does not fit.
    fn does_not_fit(&self) -> StopReason {
        let estimate = self.hub.context.estimate();
        let system = ("the system prompt", self.hub.system.text.len());
        let largest = self.hub.transcript.largest();
        let (item, n_bytes) = if system.1 < largest.1 { largest } else { system };
        let n = estimate.of_bytes(u64::try_from(n_bytes).unwrap_or(u64::MAX));
        let size = estimate.of(&self.hub.request());
        let limit = self.hub.context.limit().unwrap_or(0);
        StopReason::limit("context", words::does_not_fit(limit, size, item, n))
    }
}

/// What counts of what the model wrote: not its reasoning, and not more than there is room for.
fn notes(text: &str, most: usize) -> String {
    let said = ["</think>", "</thinking>"].iter().find_map(|end| text.rsplit_once(end));
    notes_within(said.map_or(text, |(_, said)| said), most)
}

fn notes_within(text: &str, most: usize) -> String {
    clipped(text.trim(), most, "").into_owned()
}
