//! Turns played from scripts, and the prompt.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::too_many_lines,
    clippy::wildcard_enum_match_arm,
    reason = "tests stop at the first surprise, show a whole exchange, and look for some events only"
)]

mod answers;
mod budgets;
mod calls;
mod cancel;
mod continuation;
mod cut;
mod faults;
mod guided;
mod history;
mod invariants;
mod limits;
mod loops;
mod play;
mod prompt;
mod resume;
mod room;
mod steer;
mod tools;
