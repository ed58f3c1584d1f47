//! Decides whether a call may run. Pure: no files, no clock, no environment.
//!
//! Order: the hard floor, then deny rules, then what the mode says. Absence closes: what is not
//! understood asks, and where nobody can answer, asking means no.

mod language;
mod rule;
mod verdict;

pub use rule::{Answer, BadScope, Rule, Scope};
pub use verdict::{Claims, PathClaim, Request, Situation, Verdict};

/// Judges one call. See [`Verdict`].
#[must_use]
pub fn decide(request: &Request, _situation: &Situation) -> Verdict {
    let words: Vec<String> =
        request.claims.command.iter().flat_map(|it| it.split(' ')).map(str::to_owned).collect();
    Verdict::Ask {
        why: String::new(),
        scopes: language::narrow(&words).map(Scope::Command).into_iter().collect(),
    }
}
