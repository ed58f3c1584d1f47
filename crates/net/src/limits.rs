//! Bounds of a request.

use std::time::Duration;

/// How long a request may take and how much may come of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Until a connection stands, look-up and TLS included, for each hop. Default: 5 s.
    pub connect: Duration,
    /// Until the whole answer is there, over all hops. Default: 15 s.
    pub total: Duration,
    /// The longest body, as sent and as unpacked, in bytes. Default: 10 MiB.
    pub body: u64,
    /// How many times longer a body may be unpacked than sent. Default: 100.
    pub ratio: u64,
    /// Redirects that are followed. Default: 5.
    pub redirects: usize,
    /// Requests to one host within a minute, redirects included. Default: 10.
    pub per_minute: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            total: Duration::from_secs(15),
            body: 10 * 1024 * 1024,
            ratio: 100,
            redirects: 5,
            per_minute: 10,
        }
    }
}
