//! One turn of the loop as a machine without input or output.
//!
//! One [`Input`] in, then every [`Output`] until [`Output::Wait`] or [`Output::Stop`]. The machine
//! knows no clock, no chance, no model and no tool: it is told what happened and says what is to
//! be done, so that a script plays the same turn every time.
//!
//! # Invariants
//!
//! 1. **Total.** Any inputs in any order give outputs; none panics.
//! 2. **One end.** A turn gives exactly one [`Output::Stop`] and one terminal event before it,
//!    and nothing after it.
//! 3. **One result per call, in order.** A results message reports every call of its reply that was
//!    valid or should have been, in the order in which they were written.
//! 4. **The journal is enough.** The events alone give the transcript ([`transcript_from`]); at
//!    every point it begins with the user, and user and assistant take turns.
//! 5. **Only the reply is parsed.** Only [`Input::Delta`] reaches the parser, each byte once.
//! 6. **A call is on record before it runs.** The reply up to its end and `tool.ready` come out
//!    before [`Output::Run`].
//! 7. **Nothing the user says is lost.** It enters the transcript once, and stays word for word
//!    where the rest is made smaller.
//! 8. **Making room ends.** Each step saves a tenth or the third that does not is the last; a request
//!    that a provider calls too long is sent at most twice.
#![no_std]

extern crate alloc;

mod action;
mod breaker;
mod budget;
mod config;
mod context;
mod entry;
mod estimate;
mod hub;
mod input;
mod open;
mod output;
mod pending;
pub mod prompt;
mod reply;
mod slot;
mod spending;
mod transcript;
mod turn;
mod voice;
mod words;

pub use config::{AtLimit, Budget, CostLimit, Policy, TurnConfig, TurnLimits, Window};
pub use input::Input;
pub use output::{Output, StopReason};
pub use transcript::{Transcript, transcript_from};
pub use turn::Turn;
