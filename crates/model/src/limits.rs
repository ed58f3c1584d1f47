//! How long and how often a provider is tried.

use std::time::Duration;

/// Longest wait that a provider may ask for, and the time in which tries may begin.
pub(crate) const BUDGET: Duration = Duration::from_secs(120);

/// Tries at most, whatever is configured.
pub(crate) const MAX_TRIES: u32 = 6;

/// Bounds of one asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelLimits {
    /// Until there is a connection. Default: 10 s.
    pub connect: Duration,
    /// Until the answer begins. Default: 60 s, and 300 s for a server on this machine.
    pub first_byte: Option<Duration>,
    /// Between two pieces of content; comments and pings are none. Default: 120 s.
    pub idle: Duration,
    /// Tries before the first output, from 1 to 6. Default: 6.
    pub attempts: u32,
}

impl Default for ModelLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: None,
            idle: Duration::from_secs(120),
            attempts: MAX_TRIES,
        }
    }
}

impl ModelLimits {
    pub(crate) fn first_byte(&self, is_local: bool) -> Duration {
        self.first_byte.unwrap_or(Duration::from_secs(if is_local { 300 } else { 60 }))
    }
}
