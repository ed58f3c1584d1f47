//! What a tool may do to the world, and how much of it passes without a question.

use core::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The class of a tool's effect. It decides retries, parallelism, approvals and resume.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// No outside effect.
    Pure,
    /// Reads local data.
    Read,
    /// Sends a request out.
    Fetch,
    /// Changes the workspace; can be undone.
    Write,
    /// Runs code.
    Exec,
    /// Changes settings, memory, jobs, servers, skills or permissions.
    Control,
    /// Moves the user's mouse or keyboard.
    Desktop,
}

impl Effect {
    /// Whether a call that was not meant could do harm that nothing undoes: it runs code, changes
    /// rights, or moves the mouse.
    #[must_use]
    pub const fn is_execution(self) -> bool {
        match self {
            Self::Exec | Self::Control | Self::Desktop => true,
            Self::Pure | Self::Read | Self::Fetch | Self::Write => false,
        }
    }
}

/// How much runs without a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Reads only; everything else is refused.
    Plan,
    /// Reads pass, everything else asks.
    #[default]
    Ask,
    /// File edits pass too.
    Edit,
    /// Rules and the understanding of commands decide.
    Auto,
    /// Everything but the hard floor passes.
    Full,
}

impl Mode {
    /// Every mode, from the least to the most.
    pub const ALL: [Self; 5] = [Self::Plan, Self::Ask, Self::Edit, Self::Auto, Self::Full];

    /// The word of the command line and of the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Ask => "ask",
            Self::Edit => "edit",
            Self::Auto => "auto",
            Self::Full => "full",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// No mode has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `plan`, `ask`, `edit`, `auto` or `full`")]
pub struct NoSuchMode;

impl FromStr for Mode {
    type Err = NoSuchMode;

    fn from_str(word: &str) -> Result<Self, NoSuchMode> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == word).ok_or(NoSuchMode)
    }
}
