//! What a tool may do to the world, and how much of it passes without a question.

use serde::{Deserialize, Serialize};

/// The class of a tool's effect. It decides retries, parallelism, approvals and resume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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

/// How much runs without a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
