//! A bound is reached: the turn ends, or the user says how to go on.

use alloc::{boxed::Box, string::ToString as _};

use tagline_protocol::{BudgetAnswer, Event};

use super::{Phase, Turn};
use crate::{
    AtLimit, Input, Output, StopReason,
    budget::{Bound, Ending, Reached},
    reply::Reply,
    words,
};

impl Turn {
    /// The model is not asked, because a bound is reached.
    pub(super) fn reach(&mut self, reply: Option<Box<Reply>>, reached: Reached) -> Phase {
        match self.hub.limits.at_limit {
            AtLimit::End => self.close_and_stop(reply, reached.into()),
            AtLimit::Ask => self.ask_budget(reply, reached),
        }
    }

    /// A call was not run, because the turn's calls are used up.
    pub(super) fn no_calls_left(&mut self, mut reply: Box<Reply>) -> Phase {
        let reached = Reached::new(Bound::Calls, words::max_calls(self.hub.limits.calls));
        match self.hub.limits.at_limit {
            AtLimit::End => self.report_and_stop(reply, reached.into()),
            AtLimit::Ask => {
                let entries = reply.slots.take_entries();
                self.hub.report(&entries, None);
                self.ask_budget(None, reached)
            }
        }
    }

    fn ask_budget(&mut self, reply: Option<Box<Reply>>, reached: Reached) -> Phase {
        let (message, adds) = (reached.message.clone(), reached.bound.adds(&self.hub.usual));
        let reason = reached.bound.word().to_string();
        let asked = Event::BudgetAsked { reason, message: message.clone(), adds: adds.clone() };
        self.hub.emit(asked);
        self.hub.push(Output::AskBudget { message, adds });
        Phase::Budget(reply, reached)
    }

    pub(super) fn in_budget(
        &mut self,
        reply: Option<Box<Reply>>,
        reached: Reached,
        input: Input,
    ) -> Phase {
        match input {
            Input::Budget(answer) => {
                self.hub.emit(Event::BudgetAnswered { answer });
                self.answered(reply, reached, answer)
            }
            Input::Cancel => {
                self.hub.take_back();
                let reason = self.hub.stopping.take().unwrap_or(StopReason::Cancelled);
                self.close_and_stop(reply, reason)
            }
            Input::Delta(_)
            | Input::Reasoning(_)
            | Input::Usage(_)
            | Input::ReplyEnd(_)
            | Input::ReplyFailed { .. }
            | Input::Result(..)
            | Input::PollResult(..)
            | Input::Steer(_)
            | Input::TimeIsUp { .. }
            | Input::Checked(_)
            | Input::Stopping
            | Input::OutOfTime { .. } => Phase::Budget(reply, reached),
        }
    }

    fn answered(
        &mut self,
        reply: Option<Box<Reply>>,
        reached: Reached,
        answer: BudgetAnswer,
    ) -> Phase {
        match answer {
            BudgetAnswer::Add => {
                self.hub.add(reached.bound);
                self.ask(reply)
            }
            BudgetAnswer::Finish => {
                if let Some(mut reply) = reply {
                    reply.close(&mut self.hub);
                }
                self.hub.ending = Ending::Wanted(reached);
                self.hub.report(&[], Some(words::FINISH));
                self.ask(None)
            }
            BudgetAnswer::Stop => self.close_and_stop(reply, reached.into()),
        }
    }

    /// The model was asked to say what it has; whether it did.
    pub(super) fn end_with(&mut self, reply: Box<Reply>) -> Phase {
        match reply.answer() {
            Some(answer) => self.answer(reply, None, answer),
            None => self.report_and_ask(reply, None),
        }
    }
}
