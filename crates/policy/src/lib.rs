//! Decides whether a call may run. Pure: no files, no clock, no environment.
//!
//! A [`Request`] says what a call touches, a [`Situation`] where it would run and what the user said
//! beforehand; [`decide`] answers with a [`Verdict`], and [`explain`] with the way to it. Commands are
//! read with the grammar of bash and judged part by part. The crate does not know what paths lead to:
//! the workspace resolves them before, and holds the border again when it opens them. It is no
//! sandbox: it is told whether there is one.
//!
//! # Invariants
//!
//! * **D1: the strictest reading wins**: floor, then deny, then ask, then allow. What is not
//!   understood asks.
//! * **D2: nobody there means no.** Where nobody can answer, no verdict asks.
//! * **D3: the floor holds in every mode** and against every rule.
//! * **D4: total.** Any text and any request gets a verdict, without a panic.
//! * **D5: a stricter mode never allows more**, in the order full, auto, edit, ask, plan.
//! * **D6: less is known, less is allowed.** Without a sandbox, or with a taint, nothing more passes.
//!
//! `tests/it` holds them; the cases are in `tests/it/cases`, and `docs/shell-cases.md` says what
//! became of hostile commands.

mod command;
mod decide;
mod explain;
mod grants;
mod host;
mod invisible;
mod language;
mod matching;
mod pattern;
mod place;
pub mod protected;
mod rule;
mod scope;
mod shell;
mod taint;
mod verdict;

pub use decide::{NOBODY, decide, unattended};
pub use explain::{Explanation, PartView, explain};
pub use host::HostPattern;
pub use invisible::is_invisible;
pub use pattern::Pattern;
pub use rule::{Answer, Rule};
pub use scope::{BadScope, Scope};
pub use shell::{Programs, programs};
pub use tagline_protocol::{Effect, Mode};
pub use taint::taint;
pub use verdict::{Claims, Fact, FactKind, PathClaim, Request, Sandbox, Situation, Verdict};
