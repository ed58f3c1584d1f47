//! The time of day, as an input.

use std::fmt;

use jiff::Timestamp;

/// Says what time it is.
pub trait Clock: Send + Sync + fmt::Debug {
    /// RFC 3339 with milliseconds, UTC.
    fn now(&self) -> String;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> String {
        format!("{:.3}", Timestamp::now())
    }
}
