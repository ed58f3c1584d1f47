//! Bounds that the user can move.

use alloc::{format, string::String};

use tagline_protocol::dollars;

use crate::{StopReason, TurnLimits, words};

/// A bound of the turn that the user can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Passes,
    Calls,
    Tokens,
    Cost,
    /// In seconds.
    Time(u64),
}

/// A bound that is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    pub(crate) bound: Bound,
    /// What was reached, in a sentence.
    pub(crate) message: String,
}

/// Whether the turn is being brought to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The turn goes on as long as its bounds allow.
    #[default]
    Open,
    /// The model is to say what it has.
    Wanted(Reached),
    /// It was asked for that.
    Asked(Reached),
}

impl Bound {
    /// The stable word with which the turn ends.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Passes => "max_passes",
            Self::Calls => "max_calls",
            Self::Tokens => "max_tokens_total",
            Self::Cost => "max_cost",
            Self::Time(_) => "timeout",
        }
    }

    /// What the answer `add` adds: as much as was set at first.
    pub(crate) fn adds(self, usual: &TurnLimits) -> String {
        match self {
            Self::Passes => format!("{} passes", usual.passes),
            Self::Calls => format!("{} calls", usual.calls),
            Self::Tokens => format!("{} tokens", usual.budget.tokens.unwrap_or(0)),
            Self::Cost => dollars(usual.budget.cost.map_or(0, |cost| cost.most)),
            Self::Time(limit_s) => format!("{limit_s} s"),
        }
    }
}

impl Reached {
    pub(crate) const fn new(bound: Bound, message: String) -> Self {
        Self { bound, message }
    }

    pub(crate) fn time(limit_s: u64) -> Self {
        Self::new(Bound::Time(limit_s), words::time_is_up(limit_s))
    }
}

impl From<Reached> for StopReason {
    fn from(reached: Reached) -> Self {
        Self::limit(reached.bound.word(), reached.message)
    }
}

/// Why the model is not asked now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotNow {
    /// The turn is over.
    Stop(StopReason),
    /// A bound is reached that the user may move.
    Reached(Reached),
    /// The conversation should be made smaller first.
    TooLarge,
}
