//! Decides whether a call may run. Pure: no files, no clock, no environment.
//!
//! Order: the hard floor, then deny rules, then what the mode says. Absence closes: what is not
//! understood asks, and where nobody can answer, asking means no.

mod decide;
mod invisible;
mod language;
mod place;
mod rule;
mod verdict;

pub use decide::decide;
pub use invisible::is_invisible;
pub use rule::{Answer, BadScope, Rule, Scope};
pub use tagline_protocol::{Effect, Mode};
pub use verdict::{Claims, PathClaim, Request, Situation, Verdict};
