//! The events of a session: what the journal keeps, and what every door sends.
//!
//! Unknown types must be ignored by readers, and kept: [`AnyFrame`](crate::AnyFrame) does.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    BudgetAnswer, CallId, Compaction, Delivery, Effect, Media, Mode, Outcome, ShownFact, Stream,
    Usage,
};

/// Version of the shape of [`Frame`].
pub const SCHEMA_VERSION: u32 = 1;

/// The types of [`Event`], as the wire names them, in declared order.
pub const EVENT_TYPES: &[&str] = &[
    "run.started",
    "run.finished",
    "run.failed",
    "pass.started",
    "pass.finished",
    "message.user",
    "message.assistant",
    "message.results",
    "message.queued",
    "message.unqueued",
    "say.start",
    "say.delta",
    "say.end",
    "think.start",
    "think.delta",
    "think.end",
    "tool.opening",
    "tool.attr",
    "tool.body",
    "tool.aborted",
    "tool.ready",
    "tool.repaired",
    "tool.rejected",
    "tool.edited",
    "approval.asked",
    "approval.answered",
    "budget.asked",
    "budget.answered",
    "tool.running",
    "tool.output",
    "tool.progress",
    "tool.done",
    "tool.failed",
    "tool.cancelled",
    "model.state",
    "usage",
    "context.compacted",
    "notice",
    "session.title",
    "session.forked",
    "session.mode",
    "grant.revoked",
    "audit",
];

/// One event with its place in the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Frame {
    /// [`SCHEMA_VERSION`].
    pub v: u32,
    /// Number in the session's journal: from 1, without gaps.
    pub seq: u64,
    /// RFC 3339 with milliseconds, UTC.
    pub ts: String,
    /// The session.
    pub session: String,
    /// The turn, if the event belongs to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The pass within the turn, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// Joins all frames of one call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<CallId>,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What happened. The names are the wire's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
pub enum Event {
    /// A turn starts.
    #[serde(rename = "run.started")]
    RunStarted {
        /// `provider/model`.
        model: String,
        /// How much runs without a question.
        mode: Mode,
        /// `free` or `guided`.
        policy: String,
    },
    /// A turn ended in an orderly way.
    #[serde(rename = "run.finished")]
    RunFinished {
        /// How.
        outcome: Outcome,
        /// A stable word for why, such as `completed` or `max_passes`.
        reason: String,
        /// The answer, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<String>,
    },
    /// A turn ended by an error.
    #[serde(rename = "run.failed")]
    RunFailed {
        /// A stable word.
        reason: String,
        /// What happened, in a sentence.
        message: String,
    },
    /// The model is asked.
    #[serde(rename = "pass.started")]
    PassStarted,
    /// The model's reply is over.
    #[serde(rename = "pass.finished")]
    PassFinished {
        /// `stop`, `length` or `cut`.
        finish: String,
    },
    /// What the user wrote: the transcript's user message.
    #[serde(rename = "message.user")]
    UserMessage {
        /// The text.
        text: String,
        /// Images.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        media: Vec<Media>,
    },
    /// The reply as it was kept: the transcript's assistant message.
    #[serde(rename = "message.assistant")]
    AssistantMessage {
        /// The raw text.
        text: String,
    },
    /// What was sent back: the transcript's results message.
    #[serde(rename = "message.results")]
    ResultsMessage {
        /// The encoded text.
        text: String,
        /// Images.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        media: Vec<Media>,
    },
    /// What the user wrote was taken in, and waits: it is no part of the transcript yet.
    #[serde(rename = "message.queued")]
    MessageQueued {
        /// Identifies it within the session.
        message: String,
        /// When it is to be delivered.
        delivery: Delivery,
        /// The text.
        text: String,
        /// Images.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        media: Vec<Media>,
        /// What the sender named it, so that sending it again changes nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
    /// It waits no longer.
    #[serde(rename = "message.unqueued")]
    MessageUnqueued {
        /// Which one.
        message: String,
        /// `sent`: it is in the transcript now; `withdrawn`: the user took it back; `stopped`:
        /// everything was stopped.
        reason: String,
    },
    /// Words to the user begin.
    #[serde(rename = "say.start")]
    SayStart {
        /// How they are meant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tone: Option<String>,
    },
    /// More words.
    #[serde(rename = "say.delta")]
    SayDelta {
        /// To append.
        delta: String,
    },
    /// The words are over.
    #[serde(rename = "say.end")]
    SayEnd,
    /// Reasoning begins.
    #[serde(rename = "think.start")]
    ThinkStart,
    /// More reasoning.
    #[serde(rename = "think.delta")]
    ThinkDelta {
        /// To append.
        delta: String,
    },
    /// The reasoning is over.
    #[serde(rename = "think.end")]
    ThinkEnd,
    /// A call's tag was seen.
    #[serde(rename = "tool.opening")]
    ToolOpening {
        /// The tool.
        tool: String,
    },
    /// One attribute of it.
    #[serde(rename = "tool.attr")]
    ToolAttr {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// More of one of its values.
    #[serde(rename = "tool.body")]
    ToolBody {
        /// Which child, such as `html`; absent for the body. Repeated children carry `#n` from the second on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        child: Option<String>,
        /// To append.
        delta: String,
    },
    /// What was announced is no call.
    #[serde(rename = "tool.aborted")]
    ToolAborted,
    /// The call is closed and valid.
    #[serde(rename = "tool.ready")]
    ToolReady {
        /// The tool.
        tool: String,
        /// Typed arguments.
        arguments: Value,
        /// What it may do.
        effect: Effect,
    },
    /// The parser worked around something.
    #[serde(rename = "tool.repaired")]
    ToolRepaired {
        /// A stable word.
        reason: String,
        /// In words.
        message: String,
    },
    /// The call cannot run.
    #[serde(rename = "tool.rejected")]
    ToolRejected {
        /// A stable word.
        reason: String,
        /// In words, as the model reads it.
        message: String,
    },
    /// The person who was asked changed the call; it is judged anew.
    #[serde(rename = "tool.edited")]
    ToolEdited {
        /// Its arguments from now on.
        arguments: Value,
        /// What was changed, as the model will read it.
        note: String,
    },
    /// A person is asked.
    #[serde(rename = "approval.asked")]
    ApprovalAsked {
        /// Binds the answer to what would run.
        hash: String,
        /// Why it asks.
        why: String,
        /// What would run, as shown.
        shown: String,
        /// What else the answer is bound to: programs as they were found, folder, environment,
        /// input, and how a command is held.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        facts: Vec<ShownFact>,
        /// What an answer may cover.
        scopes: Vec<String>,
    },
    /// The answer.
    #[serde(rename = "approval.answered")]
    ApprovalAnswered {
        /// Whether it may run.
        is_allowed: bool,
        /// `user`, or the name of a rule.
        by: String,
        /// Words for the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        words: Option<String>,
    },
    /// A bound of the turn is reached; nothing goes on until the user says how.
    #[serde(rename = "budget.asked")]
    BudgetAsked {
        /// The stable word with which the turn would end, such as `max_passes`.
        reason: String,
        /// What was reached, in a sentence.
        message: String,
        /// What [`BudgetAnswer::Add`] would add, such as `25 passes`.
        adds: String,
    },
    /// The answer.
    #[serde(rename = "budget.answered")]
    BudgetAnswered {
        /// How it goes on.
        answer: BudgetAnswer,
    },
    /// The intent: durable before the effect begins.
    #[serde(rename = "tool.running")]
    ToolRunning {
        /// Over tool and canonical arguments.
        hash: String,
        /// What it may do.
        effect: Effect,
        /// Which rule or answer let it run.
        decision: String,
        /// From 1; above 1 the call is tried again.
        attempt: u32,
    },
    /// Live output.
    #[serde(rename = "tool.output")]
    ToolOutput {
        /// Where from.
        stream: Stream,
        /// To append. Of control characters it holds newline, tab, and the sequences of colors and
        /// weights (SGR, ECMA-48 8.3.117), each whole, and of the whole style from there on.
        delta: String,
    },
    /// Progress in words or numbers.
    #[serde(rename = "tool.progress")]
    ToolProgress {
        /// Data for the card.
        payload: Value,
    },
    /// The call worked.
    #[serde(rename = "tool.done")]
    ToolDone {
        /// What cards switch on.
        event: String,
        /// Data for the card.
        payload: Value,
        /// What the model reads.
        #[serde(rename = "llmEcho")]
        echo: String,
        /// Images.
        #[serde(default, skip_serializing_if = "Vec::is_empty", rename = "llmMedia")]
        media: Vec<Media>,
        /// Milliseconds from start to end.
        ms: u64,
    },
    /// The call did not work.
    #[serde(rename = "tool.failed")]
    ToolFailed {
        /// `tool_error`, or the tool's own.
        event: String,
        /// `{tag, reason, kind, retryable}`.
        payload: Value,
        /// What the model reads.
        #[serde(rename = "llmEcho")]
        echo: String,
        /// Milliseconds from start to end.
        ms: u64,
    },
    /// The call was stopped, or never ran.
    #[serde(rename = "tool.cancelled")]
    ToolCancelled {
        /// Why.
        reason: String,
    },
    /// Where the model stands.
    #[serde(rename = "model.state")]
    ModelState {
        /// `queued`, `loading`, `prefill`, `first_token`, `stalled`, `retrying` or `compacting`.
        state: String,
        /// In words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// Tokens of one pass.
    #[serde(rename = "usage")]
    Usage(Usage),
    /// All of the transcript but its newest messages was made smaller, because it was about to
    /// outgrow what the model can read.
    #[serde(rename = "context.compacted")]
    ContextCompacted {
        /// How.
        #[serde(flatten)]
        way: Compaction,
        /// So many of the newest messages stand as they were.
        kept: u64,
        /// Tokens of the request before, estimated.
        before: u64,
        /// Tokens of it afterwards, estimated.
        after: u64,
    },
    /// Something the user should know.
    #[serde(rename = "notice")]
    Notice {
        /// `info`, `warning` or `error`.
        level: String,
        /// In a sentence.
        message: String,
    },
    /// The session's title.
    #[serde(rename = "session.title")]
    SessionTitle {
        /// The title.
        title: String,
    },
    /// The session began as a copy of another one, and goes on by itself from here. What was changed
    /// by the calls before this is kept for undo with the other one.
    #[serde(rename = "session.forked")]
    SessionForked {
        /// The other one.
        source: String,
        /// Its title then.
        title: String,
        /// So many turns were copied.
        turns: u32,
    },
    /// The user set how much runs without a question in this session, from the next call on and
    /// for the turns that follow.
    #[serde(rename = "session.mode")]
    SessionMode {
        /// The mode.
        mode: Mode,
    },
    /// The user took an answer back that covered more than its call: from the next call on it asks
    /// again.
    #[serde(rename = "grant.revoked")]
    GrantRevoked {
        /// What the answer covered.
        scope: String,
    },
    /// A record of the executor: who did what, by which decision.
    #[serde(rename = "audit")]
    Audit {
        /// Details.
        record: BTreeMap<String, Value>,
    },
}

impl Event {
    /// The wire's name of the type, such as `tool.done`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::RunStarted { .. } => "run.started",
            Self::RunFinished { .. } => "run.finished",
            Self::RunFailed { .. } => "run.failed",
            Self::PassStarted { .. } => "pass.started",
            Self::PassFinished { .. } => "pass.finished",
            Self::UserMessage { .. } => "message.user",
            Self::AssistantMessage { .. } => "message.assistant",
            Self::ResultsMessage { .. } => "message.results",
            Self::MessageQueued { .. } => "message.queued",
            Self::MessageUnqueued { .. } => "message.unqueued",
            Self::SayStart { .. } => "say.start",
            Self::SayDelta { .. } => "say.delta",
            Self::SayEnd { .. } => "say.end",
            Self::ThinkStart { .. } => "think.start",
            Self::ThinkDelta { .. } => "think.delta",
            Self::ThinkEnd { .. } => "think.end",
            Self::ToolOpening { .. } => "tool.opening",
            Self::ToolAttr { .. } => "tool.attr",
            Self::ToolBody { .. } => "tool.body",
            Self::ToolAborted { .. } => "tool.aborted",
            Self::ToolReady { .. } => "tool.ready",
            Self::ToolRepaired { .. } => "tool.repaired",
            Self::ToolRejected { .. } => "tool.rejected",
            Self::ToolEdited { .. } => "tool.edited",
            Self::ApprovalAsked { .. } => "approval.asked",
            Self::ApprovalAnswered { .. } => "approval.answered",
            Self::BudgetAsked { .. } => "budget.asked",
            Self::BudgetAnswered { .. } => "budget.answered",
            Self::ToolRunning { .. } => "tool.running",
            Self::ToolOutput { .. } => "tool.output",
            Self::ToolProgress { .. } => "tool.progress",
            Self::ToolDone { .. } => "tool.done",
            Self::ToolFailed { .. } => "tool.failed",
            Self::ToolCancelled { .. } => "tool.cancelled",
            Self::ModelState { .. } => "model.state",
            Self::Usage { .. } => "usage",
            Self::ContextCompacted { .. } => "context.compacted",
            Self::Notice { .. } => "notice",
            Self::SessionTitle { .. } => "session.title",
            Self::SessionForked { .. } => "session.forked",
            Self::SessionMode { .. } => "session.mode",
            Self::GrantRevoked { .. } => "grant.revoked",
            Self::Audit { .. } => "audit",
        }
    }
}
