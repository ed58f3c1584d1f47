//! Bounds what the processes of a command may use of the machine, and confines what they may do to it.
//!
//! A model may be hostile, so what its commands use has a bound each: [`Limits`]. The kernel keeps
//! those that it can keep for one process itself ([`Order`]); what all processes of a command use
//! together is counted by whoever started it, and judged here ([`Usage::reached`]). What they may
//! change and see is a [`Plan`]; whether this machine holds them to it is tried, not believed
//! ([`confine::Proof`]).
//!
//! The only room with `unsafe`: what happens in a child before it becomes another program cannot be
//! said without it. The crate knows no tool and no setting.
//!
//! # Invariants
//!
//! 1. **A limit is always there.** [`Limits`] has no value for "none", and a child that cannot be
//!    bounded or confined does not become the command.
//! 2. **Bounds only go down.** One that this process has itself is never raised for a command.
//! 3. **Each limit has its own words**, with the number and the setting ([`Reached`]).
//! 4. **A confined command ends with its owner**, all its processes, whatever they shed
//!    (`tests/it/processes.rs`).
//! 5. **Nothing is claimed that was not tried.** A part that is missing is named by the trials
//!    (`confine/proof.rs`).

#[cfg(target_os = "linux")]
pub mod confine;
#[cfg(target_os = "linux")]
pub mod helper;
#[cfg(target_os = "linux")]
mod impose;
mod limits;
pub mod machine;
#[cfg(target_os = "linux")]
pub mod network;
#[cfg(target_os = "linux")]
mod order;
mod plan;
#[cfg(any(test, target_os = "macos"))]
pub mod seatbelt;
#[cfg(target_os = "linux")]
mod terminal;

pub use limits::{Limits, Reached, Usage};
#[cfg(target_os = "linux")]
pub use order::{Means, Order, Starter};
pub use plan::Plan;
