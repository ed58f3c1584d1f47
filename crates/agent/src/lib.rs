//! One turn of the loop as a machine without input or output.
//!
//! One [`Input`] in, then every [`Output`] until [`Output::Wait`] or [`Output::Stop`].
#![no_std]

extern crate alloc;

mod turn;

pub use turn::{Input, Output, Policy, StopReason, Turn, TurnLimits};
