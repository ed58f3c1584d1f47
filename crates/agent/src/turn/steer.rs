//! What the user says while the turn runs.

use alloc::boxed::Box;

use serde_json::Value;
use tagline_protocol::{Call, ToolOutput, UserInput};

use super::{Phase, Turn};
use crate::{
    reply::Reply,
    slot::{Slot, State},
};

impl Turn {
    /// Whether the turn has ended, so that it takes nothing more.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over)
    }

    pub(super) fn steer(&mut self, said: UserInput) {
        if !self.is_over() {
            self.hub.steer(said);
        }
    }

    /// What would have ended the turn stands as said, and the model reads what the user wrote
    /// meanwhile.
    pub(super) fn go_on_with_user(
        &mut self,
        mut reply: Box<Reply>,
        call: Option<Call>,
        echo: &str,
    ) -> Phase {
        if let Some(call) = call {
            self.finish_call(&call, echo);
            let tool = Some(call.tool.clone());
            let outcome = Ok(ToolOutput::new(echo, Value::Null));
            reply.slots.push(Slot::new(tool, true, State::Ended { call, outcome, is_poll: true }));
        }
        self.report_and_ask(reply, None)
    }
}
