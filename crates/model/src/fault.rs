//! What goes wrong with providers, and what to do about it.

use std::time::Duration;

/// What to do about a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultClass {
    /// Try again.
    Retry,
    /// Try again, not before this.
    RetryAfter(Duration),
    /// The request is too long for the model.
    Compact,
    /// The user must do something: a key, a payment, a name.
    AskUser,
    /// Nothing helps.
    Fail,
}

/// A fault of a provider or of the way to it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ModelFault {
    /// What to do.
    pub class: FaultClass,
    /// A stable word, such as `connect`, `auth`, `rate_limit`, `overloaded`, `cut`, `bad_stream`.
    pub code: String,
    /// HTTP status, if there was one.
    pub status: Option<u16>,
    /// What, where, what to do; never a secret.
    pub message: String,
}
