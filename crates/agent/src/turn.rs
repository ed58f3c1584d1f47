//! The machine.

mod budget;
mod check;
mod room;
mod steer;

use alloc::{
    boxed::Box,
    string::{String, ToString as _},
};

use tagline_parser::Finish;
use tagline_protocol::{Call, CallId, Event, ToolOutcome, UserInput, feedback};

use crate::{
    Input, Output, StopReason, TurnConfig,
    budget::{NotNow, Reached},
    hub::Hub,
    reply::{End, Reply},
    slot::{IsPoll, Slot, State},
    turn::room::{OVERFLOW, Summary},
    words,
};

/// So many replies in a row without a valid call or an answer end the turn.
const MAX_FRUITLESS: u32 = 3;

/// One turn: from what the user wrote to the answer.
///
/// Feed what happened with [`Turn::handle_input`], then do what [`Turn::poll_output`] says until it
/// says [`Output::Wait`] or [`Output::Stop`].
#[derive(Debug)]
pub struct Turn {
    hub: Hub,
    phase: Phase,
}

/// What the machine waits for.
#[derive(Debug)]
enum Phase {
    /// The model writes; calls may run meanwhile.
    Reply(Box<Reply>),
    /// The reply is over; calls still run.
    Calls(Box<Reply>),
    /// The caller looks at the answer; the call that gave it, if one did.
    Check(Box<Reply>, Option<Call>),
    /// The user says how to go on, also with a reply that is not finished.
    Budget(Option<Box<Reply>>, Reached),
    /// The model writes notes on the older part of the conversation, so that it fits.
    Summary(Box<Summary>),
    /// Nothing: the turn is over.
    Over,
}

impl Turn {
    /// A turn that begins with what the user wrote.
    #[must_use]
    pub fn new(config: TurnConfig, user: impl Into<UserInput>) -> Self {
        let mut turn = Self { hub: Hub::new(config), phase: Phase::Over };
        let UserInput { text, media } = user.into();
        turn.hub.emit(Event::UserMessage { text, media });
        turn.phase = turn.ask(None);
        turn
    }

    /// A turn that goes on where an interrupted one stood: its history is
    /// the journal's [`Transcript`](crate::Transcript). The task is not sent
    /// again, and calls that have ended stand in the history with their results, so none is
    /// repeated.
    #[must_use]
    pub fn resume(config: TurnConfig) -> Self {
        let mut turn = Self { hub: Hub::new(config), phase: Phase::Over };
        if turn.hub.is_models_turn_over() {
            turn.hub.report(&[], Some(words::GO_ON));
        }
        turn.phase = turn.ask(None);
        turn
    }

    /// Takes one thing that happened. What does not fit the phase is ignored: a result may well
    /// arrive after a cancel.
    pub fn handle_input(&mut self, input: Input) {
        if let Input::Steer(said) = input {
            return self.steer(said);
        }
        if let Input::TimeIsUp { limit_s } = input {
            self.hub.late = Some(limit_s);
        }
        self.hub.stopping = self.hub.stopping.take().or_else(|| stopping(&input));
        self.phase = match core::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Reply(reply) => self.in_reply(reply, input),
            Phase::Calls(reply) => self.in_calls(reply, input),
            Phase::Check(reply, call) => self.in_check(reply, call, input),
            Phase::Budget(reply, reached) => self.in_budget(reply, reached, input),
            Phase::Summary(summary) => self.in_summary(summary, input),
            Phase::Over => Phase::Over,
        };
    }

    /// The next thing to do.
    pub fn poll_output(&mut self) -> Output {
        self.hub.poll()
    }

    /// The tool that the last call repeated word for word without any news: a grammar for the next
    /// reply does well to leave it out, so that the model does something else.
    #[must_use]
    pub fn overused(&self) -> Option<&str> {
        self.hub.breaker.overused()
    }

    /// Most tokens that the reply may have that was asked for last; `None`: the budget sets no bound.
    #[must_use]
    pub fn room(&self) -> Option<u64> {
        let room = self.hub.spending.room();
        match self.phase {
            Phase::Summary(_) => {
                let most = self.summary_tokens();
                Some(room.map_or(most, |room| room.min(most)))
            }
            Phase::Reply(_)
            | Phase::Calls(_)
            | Phase::Check(..)
            | Phase::Budget(..)
            | Phase::Over => room,
        }
    }

    fn in_reply(&mut self, mut reply: Box<Reply>, input: Input) -> Phase {
        match input {
            Input::Delta(delta) => {
                let text;
                (reply, text) = reply.head(delta, &mut self.hub);
                reply.read(&text, &mut self.hub);
            }
            Input::Reasoning(text) => reply.reason(&text, &mut self.hub),
            Input::Usage(usage) => reply.usage = Some(usage),
            Input::ReplyEnd(finish) => return self.end_reply(reply, finish),
            Input::ReplyFailed { code, message } => return self.fail(reply, code, message),
            Input::Result(id, outcome) => self.settle(&mut reply, &id, outcome, IsPoll::No),
            Input::PollResult(id, outcome) => self.settle(&mut reply, &id, outcome, IsPoll::Yes),
            Input::Stopping
            | Input::OutOfTime { .. }
            | Input::TimeIsUp { .. }
            | Input::Budget(_)
            | Input::Checked(_)
            | Input::Steer(_) => return Phase::Reply(reply),
            Input::Cancel => return self.cancel(*reply, IsWriting::Yes),
        }
        if reply.end.is_some() {
            self.hub.push(Output::StopReply);
            reply.finish = Some(Finish::Stop);
            return self.close(reply, "");
        }
        Phase::Reply(reply)
    }

    fn in_calls(&mut self, mut reply: Box<Reply>, input: Input) -> Phase {
        match input {
            Input::Result(id, outcome) => self.settle(&mut reply, &id, outcome, IsPoll::No),
            Input::PollResult(id, outcome) => self.settle(&mut reply, &id, outcome, IsPoll::Yes),
            Input::Stopping
            | Input::OutOfTime { .. }
            | Input::TimeIsUp { .. }
            | Input::Budget(_)
            | Input::Steer(_) => return Phase::Calls(reply),
            Input::Cancel => return self.cancel(*reply, IsWriting::No),
            Input::Delta(_)
            | Input::Reasoning(_)
            | Input::Usage(_)
            | Input::Checked(_)
            | Input::ReplyEnd(_)
            | Input::ReplyFailed { .. } => {}
        }
        self.conclude(reply)
    }

    fn settle(&mut self, reply: &mut Reply, id: &CallId, outcome: ToolOutcome, is_poll: IsPoll) {
        reply.settle(id, outcome, is_poll, &mut self.hub);
    }

    fn end_reply(&mut self, mut reply: Box<Reply>, finish: Finish) -> Phase {
        reply.is_whole = finish != Finish::Cut;
        reply.take_head(&mut self.hub);
        if finish == Finish::Length && reply.can_go_on(&self.hub) {
            reply.finish = Some(finish);
            reply.is_unfinished = true;
            return self.close(reply, "");
        }
        reply.finish(finish, &mut self.hub);
        let mark = match finish {
            Finish::Cut if reply.has_output() => words::CUT_MARK,
            Finish::Stop | Finish::Length if !reply.has_output() => words::EMPTY,
            Finish::Stop | Finish::Length | Finish::Cut => "",
        };
        self.close(reply, mark)
    }

    fn fail(&mut self, mut reply: Box<Reply>, code: String, message: String) -> Phase {
        let has_output = reply.has_output();
        if code == OVERFLOW && !has_output {
            return self.overflow(reply, &message);
        }
        let withdrawn = reply.slots.withdraw(words::MODEL_FAILED);
        self.hub.cancel_calls(withdrawn, words::MODEL_FAILED);
        reply.end = Some(End::Failed { code, message });
        reply.finish = Some(Finish::Cut);
        self.close(reply, if has_output { words::FAILED_MARK } else { "" })
    }

    /// The reply is over: what it was goes into the transcript.
    fn close(&mut self, mut reply: Box<Reply>, mark: &str) -> Phase {
        if !reply.is_unfinished {
            reply.close(&mut self.hub);
        }
        reply.keep_rest(mark, &mut self.hub);
        let finish = reply.finish.unwrap_or(Finish::Cut);
        self.end_pass(&mut reply, finish);
        if finish != Finish::Cut {
            self.hub.cuts = 0;
            self.hub.context.taken();
        }
        self.conclude(reply)
    }

    /// The model's part of the pass is over: what it took, and how it ended.
    fn end_pass(&mut self, reply: &mut Reply, finish: Finish) {
        let (usage, n_bytes, is_whole) = reply.take_usage();
        self.hub.spending.pass(usage, n_bytes, is_whole);
        self.hub.context.learn(usage);
        if let Some(usage) = usage {
            self.hub.emit(Event::Usage(usage));
        }
        self.hub.emit(Event::PassFinished { finish: finish_word(finish).to_string() });
    }

    /// Decides how it goes on, once every call has ended.
    fn conclude(&mut self, mut reply: Box<Reply>) -> Phase {
        if !reply.slots.is_settled() {
            return Phase::Calls(reply);
        }
        match reply.end.take() {
            Some(End::Failed { code, message }) => {
                self.report_and_stop(reply, StopReason::ModelFailed { code, message })
            }
            Some(End::Loops(message)) => {
                self.report_and_stop(reply, StopReason::limit("loop", message))
            }
            Some(End::NoCallsLeft) => self.no_calls_left(reply),
            Some(End::Completes(call, answer)) => self.complete(reply, &call, answer),
            Some(End::Asks(call, _)) if self.hub.is_steered() => {
                self.go_on_with_user(reply, Some(call), words::ASKED_MEANWHILE)
            }
            Some(End::Asks(call, question)) => {
                self.finish_call(&call, "");
                self.report_and_stop(reply, StopReason::NeedsHuman(question))
            }
            Some(End::Enough) | None => self.go_on(reply),
        }
    }

    /// An answer counts if every call that was written before it has worked; otherwise the model
    /// reads the results first, because it wrote the answer without knowing them.
    fn complete(&mut self, mut reply: Box<Reply>, call: &Call, answer: String) -> Phase {
        if let Some(n) = reply.slots.first_failure().filter(|_| !self.hub.is_ending()) {
            let why = words::not_complete(n);
            self.hub.cancel_calls(alloc::vec![call.id.clone()], &why);
            reply.slots.push(Slot::new(Some(call.tool.clone()), true, State::NotRun(why)));
            return self.go_on(reply);
        }
        let answer = if answer.trim().is_empty() { reply.answer() } else { Some(answer) };
        self.answer(reply, Some(call.clone()), answer.unwrap_or_default())
    }

    /// A call that ends the turn is done by ending it.
    fn finish_call(&mut self, call: &Call, echo: &str) {
        let done = Event::ToolDone {
            event: call.tool.clone(),
            payload: call.arguments.clone(),
            echo: echo.to_string(),
            media: alloc::vec::Vec::new(),
            ms: 0,
        };
        self.hub.emit_of(&call.id, done);
    }

    fn go_on(&mut self, mut reply: Box<Reply>) -> Phase {
        if reply.is_unfinished {
            return self.continue_reply(reply);
        }
        if reply.finish == Some(Finish::Cut) {
            return self.after_cut(reply);
        }
        if self.hub.is_ending() {
            return self.end_with(reply);
        }
        let has_news = reply.slots.iter().any(Slot::is_news);
        let is_action = self.hub.is_guided() && !reply.slots.is_empty();
        if has_news || is_action {
            if reply.slots.has_call() {
                self.hub.fruitless = 0;
                return self.report_and_ask(reply, None);
            }
            return self.fruitless(reply);
        }
        if !self.hub.is_guided()
            && let Some(answer) = reply.answer().filter(|_| reply.only_quoted().is_none())
        {
            return match reply.finish {
                Some(Finish::Length) => {
                    let limit = words::continuations(self.hub.limits.continuations);
                    self.report_and_stop(reply, StopReason::limit("continuations", limit))
                }
                Some(Finish::Stop | Finish::Cut) | None => self.answer(reply, None, answer),
            };
        }
        let words = self.no_action(&reply);
        reply.slots.push(Slot::new(None, true, State::Refused(words)));
        self.fruitless(reply)
    }

    /// A reply without a valid call or an answer.
    fn fruitless(&mut self, reply: Box<Reply>) -> Phase {
        self.hub.fruitless += 1;
        if self.hub.fruitless >= MAX_FRUITLESS {
            let reason = StopReason::Protocol(words::fruitless(MAX_FRUITLESS, reply.is_blank()));
            return self.report_and_stop(reply, reason);
        }
        self.report_and_ask(reply, None)
    }

    /// What the model is told about a reply that is neither.
    fn no_action(&self, reply: &Reply) -> String {
        let found = reply.instead_of_action();
        if self.hub.is_guided() {
            feedback::no_action(found).message
        } else {
            feedback::no_answer(found).message
        }
    }

    /// Asks the model to write the next character, and reads it with the same parser.
    ///
    /// A provider that goes on in an assistant message (a prefill) could be sent the reply so far
    /// as the last message and would need no words; this one works with all of them.
    fn continue_reply(&mut self, mut reply: Box<Reply>) -> Phase {
        reply.continuations += 1;
        let words = words::continuation(reply.open_tool());
        let entries = reply.slots.take_entries();
        self.hub.report(&entries, Some(&words));
        reply.go_on();
        self.ask(Some(reply))
    }

    /// What ran is not repeated: its results go back, and the model goes on from there.
    fn after_cut(&mut self, reply: Box<Reply>) -> Phase {
        self.hub.cuts += 1;
        if self.hub.cuts >= self.hub.limits.stream_attempts {
            let message = words::cut_too_often(self.hub.limits.stream_attempts);
            let code = "cut".to_string();
            return self.report_and_stop(reply, StopReason::ModelFailed { code, message });
        }
        if reply.has_output() {
            return self.report_and_ask(reply, Some(words::AFTER_CUT));
        }
        let message = words::asking_again(self.hub.cuts + 1, self.hub.limits.stream_attempts);
        self.hub.emit(Event::Notice { level: "warning".to_string(), message });
        self.hub.passes = self.hub.passes.saturating_sub(1);
        self.ask(None)
    }

    fn report_and_ask(&mut self, mut reply: Box<Reply>, words: Option<&str>) -> Phase {
        let entries = reply.slots.take_entries();
        self.hub.report(&entries, words);
        self.ask(None)
    }

    fn report_and_stop(&mut self, mut reply: Box<Reply>, reason: StopReason) -> Phase {
        reply.close(&mut self.hub);
        let entries = reply.slots.take_entries();
        self.hub.report(&entries, None);
        self.hub.stop(reason);
        Phase::Over
    }

    fn ask(&mut self, reply: Option<Box<Reply>>) -> Phase {
        if reply.is_none() {
            self.hub.hear();
        }
        match self.hub.ask() {
            Ok(()) => Phase::Reply(reply.unwrap_or_else(|| Box::new(Reply::new(&self.hub)))),
            Err(not_now) => self.not_now(reply, not_now),
        }
    }

    fn not_now(&mut self, reply: Option<Box<Reply>>, not_now: NotNow) -> Phase {
        match not_now {
            NotNow::Reached(reached) => self.reach(reply, reached),
            NotNow::TooLarge => self.make_room(reply),
            NotNow::Stop(reason) => self.close_and_stop(reply, reason),
        }
    }

    fn close_and_stop(&mut self, reply: Option<Box<Reply>>, reason: StopReason) -> Phase {
        if let Some(mut reply) = reply {
            reply.close(&mut self.hub);
        }
        self.hub.stop(reason);
        Phase::Over
    }

    fn cancel(&mut self, mut reply: Reply, is_writing: IsWriting) -> Phase {
        let reason = self.hub.stopping.take().unwrap_or(StopReason::Cancelled);
        self.hub.take_back();
        reply.close(&mut self.hub);
        let mut calls = reply.slots.abandon();
        calls.extend(reply.slots.withdraw(words::STOPPED));
        self.hub.cancel_calls(calls, words::STOPPED);
        reply.drop_end(words::STOPPED, &mut self.hub);
        if is_writing == IsWriting::Yes {
            let by = if reason == StopReason::Cancelled {
                words::STOPPED_MARK
            } else {
                words::TIME_MARK
            };
            let mark = if reply.has_output() { by } else { "" };
            reply.keep_rest(mark, &mut self.hub);
            self.end_pass(&mut reply, Finish::Cut);
        }
        let entries = reply.slots.take_entries();
        self.hub.report(&entries, None);
        self.hub.stop(reason);
        Phase::Over
    }
}

/// Why the turn is being stopped, if that is what happened.
fn stopping(input: &Input) -> Option<StopReason> {
    match input {
        Input::Stopping => Some(StopReason::Cancelled),
        Input::OutOfTime { limit_s } => {
            Some(StopReason::limit("timeout", words::out_of_time(*limit_s)))
        }
        Input::Delta(_)
        | Input::Reasoning(_)
        | Input::Usage(_)
        | Input::Checked(_)
        | Input::ReplyEnd(_)
        | Input::ReplyFailed { .. }
        | Input::Result(..)
        | Input::PollResult(..)
        | Input::Steer(_)
        | Input::TimeIsUp { .. }
        | Input::Budget(_)
        | Input::Cancel => None,
    }
}

/// Whether the model's reply is still coming.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IsWriting {
    Yes,
    No,
}

/// The word of `pass.finished`.
const fn finish_word(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "stop",
        Finish::Length => "length",
        Finish::Cut => "cut",
    }
}
