//! Decides whether a call may run. Pure: no files, no clock, no environment.
//!
//! Order: the hard floor, then deny rules, then what the mode says. Absence closes: what is not
//! understood asks, and where nobody can answer, asking means no.

mod verdict;

pub use verdict::{Claims, PathClaim, Request, Situation, Verdict};

/// Judges one call. See [`Verdict`].
#[must_use]
pub fn decide(_request: &Request, _situation: &Situation) -> Verdict {
    Verdict::Ask { why: String::new(), scopes: Vec::new() }
}
