//! The only loop that awaits: model, agent, executor, journal.
//!
//! A [`Session`] owns one conversation. [`Session::run`] pumps a turn: it does what the agent's
//! machine asks for, and tells the machine what happened. It knows no tool and no provider.
//!
//! # Invariants
//!
//! 1. What a watcher is shown is in the journal already.
//! 2. A call begins only after its intent is on disk; where that cannot be written, it never begins.
//! 3. A turn ends exactly once, and nothing it started outlives it.
//! 4. The journal alone is enough to go on: a resumed turn repeats no finished call.

mod answer;
mod calls;
mod clock;
mod error;
mod log;
mod merge;
mod pump;
mod reply;
mod session;

pub use answer::AnswerCheck;
pub use calls::Denial;
pub use clock::{Clock, SystemClock};
pub use error::SessionError;
pub use log::{Log, Watcher};
pub use pump::Sampling;
pub use session::{Parts, Session, Settings, Task, TurnEnd};
