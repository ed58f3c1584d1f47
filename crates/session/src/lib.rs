//! The only loop that awaits: model, agent, executor, journal.
//!
//! A [`Session`] owns one conversation. [`Session::run`] pumps a turn: it does what the agent's
//! machine asks for, and tells the machine what happened. It knows no tool and no provider.
//!
//! A [`Hub`] owns the sessions of a process: it takes messages in, runs one turn at a time in each
//! session, keeps what waits, asks people, and shows what happens to any number of readers. What
//! a session is made of comes from a [`Workshop`], which the program around it brings.
//!
//! # Invariants
//!
//! 1. What a watcher is shown is in the journal already.
//! 2. A call begins only after its intent is on disk; where that cannot be written, it never begins.
//! 3. A turn ends exactly once, and nothing it started outlives it.
//! 4. The journal alone is enough to go on: a resumed turn repeats no finished call.
//! 5. A session has one turn at a time. What was taken in is in the journal before that is said,
//!    and is delivered once or stays visible.
//! 6. A question is answered once, by its hash; once nobody can answer it any more, the journal
//!    says so.
//! 7. A reader sees every frame behind its position once, in order, or a snapshot in their place.
//!    Nobody who writes waits for a reader, and a reader that stops costs nothing beside a bounded
//!    tail that all readers share.
//! 8. Every task has an owner that waits for its end.

mod answer;
mod calls;
mod clock;
mod cover;
mod error;
mod fork;
mod hub;
mod log;
mod meanwhile;
mod media;
mod merge;
mod past_results;
mod pump;
mod queue;
mod reasoner;
mod reply;
mod session;
mod spans;
mod watch;
mod workshop;

pub use answer::AnswerCheck;
pub use calls::Denial;
pub use clock::{Clock, SystemClock};
pub use error::SessionError;
pub use fork::{ForkError, Upto, fork};
pub use hub::{
    Answer, Asked, BudgetQuestion, Granted, Health, Hub, HubError, HubLimits, IdempotencyKey,
    Message, NewSession, Place, Recovered, Scope, Sent, Start, Starts, Stopping, Vitals,
};
pub use log::{Log, Watcher};
pub use meanwhile::Decider;
pub use media::Image;
pub use pump::Sampling;
pub use queue::Queued;
pub use session::{Parts, Session, Settings, Task, TurnEnd};
pub use tagline_executor::Edit;
pub use watch::{Closed, Position, Resync, SNAPSHOT, Snapshot, Watched, Watching, Why, WireFrame};
pub use workshop::{Equipment, NoUpkeep, Upkeep, Workshop, WorkshopError};
