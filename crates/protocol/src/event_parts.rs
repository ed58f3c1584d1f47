//! What events are made of.

use alloc::string::String;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The task is done.
    Done,
    /// The user stopped it.
    Stopped,
    /// A limit was reached.
    Limit,
    /// The user is asked.
    NeedsHuman,
}

/// Where output comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Something beside its text that an approval is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShownFact {
    /// What it is: `program`, `folder`, `environment`, `input` or `confinement`.
    pub name: String,
    /// In words, with nothing hidden.
    pub text: String,
}

/// Tokens of one request. What the provider does not say stays `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Of these, tokens served from the provider's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Tokens written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
}

/// How the user wants to go on where a bound of the turn is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BudgetAnswer {
    /// As much again, and on.
    Add,
    /// One more reply, without calls: the model says what it has.
    Finish,
    /// Here.
    Stop,
}

/// How a part of the transcript was made smaller. What it was stays in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "how", rename_all = "lowercase")]
pub enum Compaction {
    /// Long results were cut, each to this many bytes.
    Shortened {
        /// Bytes.
        most: u64,
    },
    /// The model wrote down what matters, and that stands for it, beside what the user said.
    Summarized {
        /// What the model wrote: not to be trusted, as what it was made from is not.
        summary: String,
    },
}

/// When a message is to reach the model, if a turn runs already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// The turn is stopped, and the message begins the next one.
    Now,
    /// It enters the turn before the model is asked again.
    NextPass,
    /// It begins a turn of its own once this one is done.
    #[default]
    WhenDone,
}
