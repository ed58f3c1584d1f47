//! Requests that may come twice, and are worked on once.

use sha2::{Digest as _, Sha256};

/// How long an answer is kept, in microseconds: 24 hours.
pub(crate) const KEPT: i64 = 24 * 60 * 60 * 1_000_000;

/// A request that carries a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What the sender calls it; the same request has the same key.
    pub key: String,
    /// Over what the request says: see [`Claim::new`].
    pub body: String,
    /// RFC 3339.
    pub now: String,
}

impl Claim {
    /// A request with these bytes, at the time `now`. Put into `body` all that tells it apart:
    /// method, path and content.
    #[must_use]
    pub fn new(key: &str, body: &[u8], now: &str) -> Self {
        Self { key: key.to_owned(), body: hex(body), now: now.to_owned() }
    }
}

/// What is known of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// It is the first of its key, or the process that worked on the first is gone. It is to be
    /// worked on, and settled or given back.
    Mine,
    /// Somebody works on it.
    Pending,
    /// It was answered so.
    Answered(String),
}

/// A request that was worked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Its key.
    pub key: String,
    /// What it was answered.
    pub answer: String,
}

/// SHA-256, in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    digits(&Sha256::digest(bytes))
}

pub(crate) fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_keeps_a_hash_of_the_body_alone() {
        let claim = Claim::new("k", b"POST /api/chat {}", "2026-11-27T10:00:00Z");
        expect_test::expect!["72c8ea871b8a91f3903aef9e7a6531a6c0b7af3494fbeefbf81736bd56b29cbb"]
            .assert_eq(&claim.body);
    }
}
