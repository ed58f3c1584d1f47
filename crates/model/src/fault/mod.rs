//! What goes wrong with providers, and what to do about it.

mod classify;
mod retry_after;
mod table;
mod words;

use std::time::Duration;

pub(crate) use classify::{ProviderError, Signal, classify};
pub(crate) use retry_after::retry_after;
pub(crate) use words::{Asked, explain, not_asked};

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
///
/// The codes: `connect` (nobody listens), `dns`, `connect_timeout`, `tls`, `reset`, `first_byte` (no answer in
/// time), `auth`, `quota`, `permission`, `model_not_found`, `redirect`, `too_long`, `rate_limit`,
/// `overloaded`, `loading`, `timeout`, `server`, `conflict`, `content`, `bad_request`,
/// `bad_answer` (no event stream), `bad_stream` (a damaged one), `cut` (the reply ended too
/// early; with this code alone a part of it may have been given), `script_expect`, `script_end`,
/// `cassette`, and for what is not in the table `http_NNN` by its status, or `unknown` without one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ModelFault {
    /// What to do.
    pub class: FaultClass,
    /// A stable word.
    pub code: String,
    /// HTTP status, if there was one.
    pub status: Option<u16>,
    /// What, where, what to do; never a secret.
    pub message: String,
}

impl ModelFault {
    /// Whether the reply ended too early. What was given of it stays; nothing was asked again.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.code == "cut"
    }

    /// Whether a key, an account, a name or an address has to be set right.
    #[must_use]
    pub fn is_setup(&self) -> bool {
        FaultSide::of(&self.code) == FaultSide::Setup
    }

    /// Whether the provider could not be reached, or could not answer.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        FaultSide::of(&self.code) == FaultSide::Provider
    }
}

/// On which side a fault lies. For those who have the code alone, as in a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultSide {
    /// A key, an account, a name or an address has to be set right.
    Setup,
    /// The provider could not be reached, or could not answer.
    Provider,
    /// The request itself, or a script or cassette.
    Request,
}

impl FaultSide {
    /// The side of a code of [`ModelFault`].
    ///
    /// # Examples
    ///
    /// ```
    /// use tagline_model::FaultSide;
    ///
    /// assert_eq!(FaultSide::of("auth"), FaultSide::Setup);
    /// assert_eq!(FaultSide::of("connect"), FaultSide::Provider);
    /// assert_eq!(FaultSide::of("too_long"), FaultSide::Request);
    /// ```
    #[must_use]
    pub fn of(code: &str) -> Self {
        match code {
            "auth" | "quota" | "permission" | "model_not_found" | "redirect" => Self::Setup,
            "connect" | "dns" | "connect_timeout" | "tls" | "reset" | "first_byte" | "timeout"
            | "overloaded" | "loading" | "server" | "conflict" | "rate_limit" | "bad_answer"
            | "bad_stream" | "cut" | "unknown" => Self::Provider,
            code if code.starts_with("http_5") => Self::Provider,
            _ => Self::Request,
        }
    }
}
