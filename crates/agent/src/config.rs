//! What a turn is started with.

use alloc::string::String;

use tagline_protocol::{Price, Toolset};

use crate::Transcript;

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

impl Policy {
    /// The word of the command line and of [`run.started`](tagline_protocol::Event::RunStarted).
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Guided { .. } => "guided",
        }
    }
}

/// Bounds of a turn. Reaching one ends the turn in an orderly way and keeps all work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnLimits {
    /// Askings of the model. Default: 25, guided 10.
    pub passes: u32,
    /// Calls taken from one reply. Default: 25.
    pub calls_per_reply: u32,
    /// Calls of the turn. Default: 100.
    pub calls: u32,
    /// Askings to go on after a token limit, in one reply. Default: 3.
    pub continuations: u32,
    /// Replies in a row that may be cut by a lost connection before the turn fails. Default: 3.
    pub stream_attempts: u32,
    /// What the turn may take. Default: no bound.
    pub budget: Budget,
    /// What happens where passes, calls, time or the budget are used up. Default: the turn ends.
    pub at_limit: AtLimit,
}

/// What happens where a bound is reached that the user can move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtLimit {
    /// The turn ends.
    #[default]
    End,
    /// The turn pauses, and the user is asked: [`Output::AskBudget`](crate::Output::AskBudget).
    Ask,
}

/// What a turn may take. The model is not asked again once a bound is reached, or where the next
/// request alone would reach it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Tokens, read and written.
    pub tokens: Option<u64>,
    /// Money.
    pub cost: Option<CostLimit>,
}

/// A bound of money; there is none without a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostLimit {
    /// In billionths of a dollar.
    pub most: u64,
    /// What the model's tokens cost.
    pub price: Price,
}

impl TurnLimits {
    /// The defaults for a policy.
    #[must_use]
    pub const fn for_policy(policy: Policy) -> Self {
        let passes = match policy {
            Policy::Free => 25,
            Policy::Guided { .. } => 10,
        };
        Self {
            passes,
            calls_per_reply: 25,
            calls: 100,
            continuations: 3,
            stream_attempts: 3,
            budget: Budget { tokens: None, cost: None },
            at_limit: AtLimit::End,
        }
    }
}

impl Default for TurnLimits {
    fn default() -> Self {
        Self::for_policy(Policy::Free)
    }
}

/// What the model can read at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Tokens of a request and its reply together, where that is known.
    pub tokens: Option<u64>,
    /// Most tokens of a reply, where that is set.
    pub reply: Option<u64>,
}

/// Most room that is left to a reply of unknown length.
const REPLY: u64 = 8_192;

impl Window {
    /// Most tokens of a request.
    pub(crate) fn limit(self) -> Option<u64> {
        let tokens = self.tokens?;
        let reply = self.reply.unwrap_or(REPLY.min(tokens / 4)).min(tokens / 2);
        Some(tokens - reply)
    }
}

/// What a turn is started with. The same config and the same inputs give the same outputs.
#[derive(Clone, Debug, Default)]
pub struct TurnConfig {
    /// The tools, in the order the prompt lists them.
    pub tools: Toolset,
    /// How many actions a reply may hold.
    pub policy: Policy,
    /// Bounds of the turn.
    pub limits: TurnLimits,
    /// What the model can read: before the conversation outgrows it, its older part is made smaller.
    pub window: Window,
    /// The system prompt.
    pub system: String,
    /// The conversation so far.
    pub history: Transcript,
    /// Whether an answer counts only once the caller has looked at it:
    /// [`Output::CheckAnswer`](crate::Output::CheckAnswer).
    pub checks_answer: bool,
    /// Whether the model's template may open its reasoning in the prompt, so that a reply begins
    /// inside of it without saying so. Then an end of reasoning without a beginning makes what
    /// stands before it reasoning; for other models it is a slip, and the text stays an answer.
    pub may_begin_in_thinking: bool,
    /// What the ids of this turn's calls begin with; unique within the session, such as `r3.`.
    /// A number that counts from 1 follows.
    pub call_prefix: String,
}
