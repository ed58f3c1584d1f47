//! Bounds what the processes of a command may use of the machine.
//!
//! A model may be hostile, so what its commands use has a bound each: [`Limits`]. The kernel keeps
//! those that it can keep for one process ([`Limits::impose`]); what all processes of a command use
//! together is counted by whoever started it, and judged here ([`Usage::reached`]).
//!
//! The only room with `unsafe`: what happens in a child before it becomes another program cannot be
//! said without it. The crate knows no tool and no setting.
//!
//! # Invariants
//!
//! 1. **A limit is always there.** [`Limits`] has no value for "none", and a child that cannot be
//!    bounded does not become the command.
//! 2. **Bounds only go down.** One that this process has itself is never raised for a command.
//! 3. **Each limit has its own words**, with the number and the setting ([`Reached`]).

mod impose;
mod limits;
pub mod machine;

pub use limits::{Limits, Reached, Usage};
