//! How a turn ended, read from its frames.

use std::collections::BTreeMap;

use serde_json::Value;
use tagline_agent::StopReason;
use tagline_executor::Refusal;
use tagline_policy::NOBODY;
use tagline_protocol::{CallId, Event, Frame, Outcome};
use tagline_session::{Denial, TurnEnd};

/// Takes the frames of a turn until it ends.
#[derive(Debug, Default)]
pub(super) struct Ends {
    tools: BTreeMap<CallId, String>,
    refused: BTreeMap<CallId, Refusal>,
    denials: Vec<Denial>,
    /// The last thing the user was told: at a limit it says which.
    notice: String,
}

impl Ends {
    /// Takes one frame; the last one says how the turn ended.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few of the events say how it ends")]
    pub(super) fn take(&mut self, frame: &Frame) -> Option<TurnEnd> {
        let call = frame.call.clone().unwrap_or_else(|| CallId(String::new()));
        match &frame.event {
            Event::ToolReady { tool, .. } => {
                self.tools.insert(call, tool.clone());
            }
            Event::ApprovalAnswered { is_allowed: false, by, .. } => {
                let refusal = match by.as_str() {
                    "user" => Refusal::User,
                    NOBODY => Refusal::NeedsHuman,
                    rule => Refusal::Rule(rule.to_owned()),
                };
                self.refused.insert(call, refusal);
            }
            Event::ToolFailed { payload, .. } => self.failed(&call, payload),
            Event::ToolDone { .. } => {
                let tool = self.tools.get(&call);
                self.denials.retain(|denial| Some(&denial.tool) != tool);
            }
            Event::Notice { message, .. } => self.notice.clone_from(message),
            Event::RunFinished { outcome, reason, result } => {
                return Some(self.end(self.finished(*outcome, reason, result.as_ref())));
            }
            Event::RunFailed { reason, message } => {
                return Some(self.end(failed(reason, message.clone())));
            }
            _ => {}
        }
        None
    }

    fn failed(&mut self, call: &CallId, payload: &Value) {
        let text = |name| payload.get(name).and_then(Value::as_str);
        if text("kind") != Some("denied") {
            return;
        }
        let refusal = self.refused.remove(call).unwrap_or_else(|| Refusal::Rule(String::new()));
        let tool = self.tools.get(call).cloned().unwrap_or_default();
        let why = text("reason").unwrap_or_default().to_owned();
        self.denials.push(Denial { tool, refusal, why });
    }

    fn finished(&self, outcome: Outcome, reason: &str, result: Option<&String>) -> StopReason {
        let text = result.cloned().unwrap_or_default();
        match outcome {
            Outcome::Done => StopReason::Completed(text),
            Outcome::NeedsHuman => StopReason::NeedsHuman(text),
            Outcome::Stopped => StopReason::Cancelled,
            Outcome::Limit => {
                StopReason::Limit { reason: reason.to_owned(), message: self.notice.clone() }
            }
        }
    }

    fn end(&self, stop: StopReason) -> TurnEnd {
        TurnEnd { stop, denials: self.denials.clone() }
    }
}

fn failed(reason: &str, message: String) -> StopReason {
    match reason {
        "protocol" => StopReason::Protocol(message),
        "output_schema" => StopReason::BadAnswer(message),
        code => StopReason::ModelFailed { code: code.to_owned(), message },
    }
}
