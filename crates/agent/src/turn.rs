//! The machine's surface.

use alloc::{string::String, vec::Vec};

use tagline_parser::Finish;
use tagline_protocol::{Call, CallId, Event, Message, ToolOutcome, Usage};

/// How many actions a reply may hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Many: calls run in order as they complete.
    #[default]
    Free,
    /// One: thinking, then exactly one action.
    Guided {
        /// A call without thinking before it is a format error.
        requires_thinking: bool,
    },
}

/// Bounds of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnLimits {
    /// Askings of the model. Default: 25, guided 10.
    pub passes: u32,
    /// Calls taken from one reply. Default: 25.
    pub calls_per_reply: u32,
    /// Calls of the turn. Default: 100.
    pub calls: u32,
    /// Askings to go on in an open tag after a token limit. Default: 3.
    pub continuations: u32,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// More of the reply.
    Delta(String),
    /// More native reasoning.
    Reasoning(String),
    /// Token counts of this pass.
    Usage(Usage),
    /// The reply is over. [`Finish::Cut`]: the connection was lost.
    ReplyEnd(Finish),
    /// The model could not be asked, or failed for good.
    ReplyFailed {
        /// A stable word.
        code: String,
        /// A sentence.
        message: String,
    },
    /// A call has ended.
    Result(CallId, ToolOutcome),
    /// The user stops the turn.
    Cancel,
}

/// Something to do, or that the machine waits.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Ask the model with this transcript; feed its reply back.
    AskModel(Vec<Message>),
    /// End the model's stream now; nothing more of it is read. Answer with nothing.
    StopReply,
    /// Run these calls, all at once if there are several; answer each with [`Input::Result`].
    Run(Vec<Call>),
    /// Record and show this.
    Emit(Option<CallId>, Event),
    /// Nothing more until the next input.
    Wait,
    /// The turn is over.
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
        /// Such as `max_passes`, `max_calls`, `loop`, `continuations`.
        reason: String,
        /// What was reached, in a sentence.
        message: String,
    },
    /// No valid call or answer came.
    Protocol(String),
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

/// One turn.
#[derive(Debug)]
pub struct Turn {}
