//! What the machine asks for.

use alloc::{
    string::{String, ToString as _},
    vec,
    vec::Vec,
};

use tagline_protocol::{Call, CallId, Event, Message, Outcome};

/// Something to do, or that the machine waits.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Ask the model with this transcript; feed its reply back.
    AskModel(Vec<Message>),
    /// Ask the model for notes on an older part of the conversation; feed what it writes back like
    /// a reply. It is not parsed, so no grammar goes along.
    Summarize(Vec<Message>),
    /// End the model's stream now; nothing more of it is read. Answer with nothing.
    StopReply,
    /// Run these calls, all at once if there are several; answer each with
    /// [`Input::Result`](crate::Input::Result). Several are all *pure* or *read*.
    Run(Vec<Call>),
    /// Look whether this is the answer that was asked for, and say so with
    /// [`Input::Checked`](crate::Input::Checked).
    CheckAnswer(String),
    /// A bound is reached: ask the user how to go on, and say so with
    /// [`Input::Budget`](crate::Input::Budget). Nothing goes on until then; only where
    /// [`TurnLimits::at_limit`](crate::TurnLimits::at_limit) says so.
    AskBudget {
        /// What was reached, in a sentence.
        message: String,
        /// What [`BudgetAnswer::Add`](tagline_protocol::BudgetAnswer::Add) would add.
        adds: String,
    },
    /// Record and show this.
    Emit(Option<CallId>, Event),
    /// Nothing more until the next input.
    Wait,
    /// The turn is over: a stream or a call that still runs is to be ended.
    Stop(StopReason),
}

/// Why a turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Done, with this answer.
    Completed(String),
    /// A question to the user.
    NeedsHuman(String),
    /// A limit: its stable word and a sentence.
    Limit {
        /// `max_passes`, `max_calls`, `max_tokens_total`, `max_cost`, `loop`, `continuations`,
        /// `context` or `timeout`.
        reason: String,
        /// What was reached, in a sentence.
        message: String,
    },
    /// No valid call or answer came.
    Protocol(String),
    /// Answers came, but none that was asked for.
    BadAnswer(String),
    /// The model failed.
    ModelFailed {
        /// A stable word.
        code: String,
        /// A sentence.
        message: String,
    },
    /// The user stopped it.
    Cancelled,
}

impl StopReason {
    pub(crate) fn limit(reason: &str, message: String) -> Self {
        Self::Limit { reason: reason.to_string(), message }
    }

    /// The turn's last events; the very last is the terminal one.
    pub(crate) fn events(&self) -> Vec<Event> {
        let finished = |outcome, reason: &str, result: Option<&String>| Event::RunFinished {
            outcome,
            reason: reason.to_string(),
            result: result.cloned(),
        };
        match self {
            Self::Completed(answer) => vec![finished(Outcome::Done, "completed", Some(answer))],
            Self::NeedsHuman(question) => {
                vec![finished(Outcome::NeedsHuman, "needs_human", Some(question))]
            }
            Self::Limit { reason, message } => vec![
                Event::Notice { level: "warning".to_string(), message: message.clone() },
                finished(Outcome::Limit, reason, None),
            ],
            Self::Protocol(message) => {
                vec![Event::RunFailed { reason: "protocol".to_string(), message: message.clone() }]
            }
            Self::BadAnswer(message) => {
                let reason = "output_schema".to_string();
                vec![Event::RunFailed { reason, message: message.clone() }]
            }
            Self::ModelFailed { code, message } => {
                vec![Event::RunFailed { reason: code.clone(), message: message.clone() }]
            }
            Self::Cancelled => vec![finished(Outcome::Stopped, "cancelled", None)],
        }
    }
}
