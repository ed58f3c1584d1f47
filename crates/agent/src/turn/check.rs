//! The answer, and whether it is the one that was asked for.

use alloc::{boxed::Box, string::String};

use tagline_protocol::{
    Call, Event,
    feedback::{self, Feedback},
};

use super::{IsWriting, Phase, Turn};
use crate::{
    Input, Output, StopReason,
    reply::{End, Reply},
    slot::{Slot, State},
    words,
};

/// So many answers that were not asked for end the turn.
const MAX_MISMATCHES: u32 = 3;

impl Turn {
    /// The reply ends the turn with this answer, by this call if one gave it.
    pub(super) fn answer(
        &mut self,
        reply: Box<Reply>,
        call: Option<Call>,
        answer: String,
    ) -> Phase {
        if self.hub.checks_answer {
            self.hub.push(Output::CheckAnswer(answer));
            return Phase::Check(reply, call);
        }
        self.complete_with(reply, call, answer)
    }

    pub(super) fn in_check(
        &mut self,
        mut reply: Box<Reply>,
        call: Option<Call>,
        input: Input,
    ) -> Phase {
        match input {
            Input::Checked(Ok(answer)) => self.complete_with(reply, call, answer),
            Input::Checked(Err(found)) => self.mismatch(reply, call, &found),
            Input::Cancel => {
                reply.end = call.map(|call| End::Completes(call, String::new()));
                self.cancel(*reply, IsWriting::No)
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
            | Input::Budget(_)
            | Input::Stopping
            | Input::OutOfTime { .. } => Phase::Check(reply, call),
        }
    }

    fn complete_with(&mut self, reply: Box<Reply>, call: Option<Call>, answer: String) -> Phase {
        if self.hub.is_steered() {
            return self.go_on_with_user(reply, call, words::ANSWERED_MEANWHILE);
        }
        if let Some(call) = call {
            self.finish_call(&call, "");
        }
        self.report_and_stop(reply, StopReason::Completed(answer))
    }

    /// The model reads what is wrong with its answer and writes another one, if a pass is left.
    fn mismatch(&mut self, mut reply: Box<Reply>, call: Option<Call>, found: &str) -> Phase {
        let Feedback { reason, message, .. } = feedback::bad_answer(found);
        let id = call.as_ref().map_or_else(|| self.hub.next_id(), |call| call.id.clone());
        let event = Event::ToolRejected { reason: reason.into(), message: message.clone() };
        self.hub.emit_of(&id, event);
        let tool = call.map(|call| call.tool);
        reply.slots.push(Slot::new(tool, true, State::Refused(message)));
        self.hub.mismatches += 1;
        let n = self.hub.mismatches;
        if n >= MAX_MISMATCHES || self.hub.passes >= self.hub.limits.passes {
            let why = StopReason::BadAnswer(words::no_such_answer(n, found));
            return self.report_and_stop(reply, why);
        }
        self.report_and_ask(reply, None)
    }
}
