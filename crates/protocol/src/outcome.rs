//! What a tool hands back.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};
use core::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clipped;

/// What a tool hands back. Both sides are written for the model to read: a failure is an answer,
/// not an exception, and a handler never panics.
pub type ToolOutcome = Result<ToolOutput, ToolFailure>;

/// A call that worked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolOutput {
    /// What the presence shows.
    pub card: Card,
    /// What the model reads.
    pub echo: Echo,
    /// Images for the model's next pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub media: Vec<Media>,
}

impl ToolOutput {
    /// An output whose card carries `payload` under the tool's default event.
    #[must_use]
    pub fn new(echo: impl AsRef<str>, payload: Value) -> Self {
        Self {
            card: Card { event: None, payload },
            echo: Echo::new(echo.as_ref()),
            media: Vec::new(),
        }
    }
}

/// Event name and data for the presence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// What cards switch on; `None` means the tool's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Its data.
    pub payload: Value,
}

/// An image for the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Media {
    /// A `data:` or `media:` address.
    pub url: String,
    /// Such as `image/png`.
    pub media_type: String,
    /// What it shows.
    pub label: String,
}

/// Text for the model, at most [`Echo::KEPT`] bytes long.
///
/// All of it is kept in the journal. The model reads every result again in each later pass, so of a
/// longer one than [`Echo::MAX`] it is sent head and tail, and the name under which the rest can be
/// had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Echo(String);

impl Echo {
    /// Most of one result that the model is sent, in UTF-8 bytes: 16 KiB, about 4,000 tokens of
    /// English.
    pub const MAX: usize = 16 * 1024;

    /// Longest echo, in UTF-8 bytes: 256 KiB. What is longer loses its middle.
    pub const KEPT: usize = 256 * 1024;

    /// Takes `text`.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(clipped(text, Self::KEPT, "").into_owned())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Echo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Echo {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::new(&text))
    }
}

/// Why a tool did not work. Only [`ToolFailure::Busy`] is tried again, and only for tools whose
/// effect is [`Pure`](crate::Effect::Pure) or [`Read`](crate::Effect::Read).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", content = "reason", rename_all = "snake_case")]
pub enum ToolFailure {
    /// The call itself is wrong; the same call fails the same way.
    #[error("{0}")]
    BadCall(String),
    /// A rule or a person refused; asking again does not help.
    #[error("{0}")]
    Denied(String),
    /// What the call names is not there.
    #[error("{0}")]
    Missing(String),
    /// It was tried and did not work.
    #[error("{0}")]
    Failed(String),
    /// Something outside is busy or slow; a later try may work.
    #[error("{0}")]
    Busy(String),
    /// The tool ran longer than it may.
    #[error("{0}")]
    TimedOut(String),
    /// The user stopped it.
    #[error("{0}")]
    Cancelled(String),
    /// The runtime died while the call ran, so nobody knows whether it took effect.
    #[error("{0}")]
    Unknown(String),
}

impl ToolFailure {
    /// Whether trying the same call again may help.
    #[must_use]
    pub const fn is_retryable(&self) -> bool {
        matches!(self, Self::Busy(_))
    }

    /// The same failure with other words.
    #[must_use]
    pub fn map(self, words: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::BadCall(reason) => Self::BadCall(words(reason)),
            Self::Denied(reason) => Self::Denied(words(reason)),
            Self::Missing(reason) => Self::Missing(words(reason)),
            Self::Failed(reason) => Self::Failed(words(reason)),
            Self::Busy(reason) => Self::Busy(words(reason)),
            Self::TimedOut(reason) => Self::TimedOut(words(reason)),
            Self::Cancelled(reason) => Self::Cancelled(words(reason)),
            Self::Unknown(reason) => Self::Unknown(words(reason)),
        }
    }

    /// The stable name of the variant.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::BadCall(_) => "bad_call",
            Self::Denied(_) => "denied",
            Self::Missing(_) => "missing",
            Self::Failed(_) => "failed",
            Self::Busy(_) => "busy",
            Self::TimedOut(_) => "timed_out",
            Self::Cancelled(_) => "cancelled",
            Self::Unknown(_) => "unknown",
        }
    }

    /// The sentence for the model.
    #[must_use]
    pub fn reason(&self) -> String {
        self.to_string()
    }
}
