//! Runs calls: decision, intent, retries, timeouts, rules between tools, audit, ordered results.
//!
//! A tool is a type that implements [`Tool`]; the [`Registry`] lists tools as rows; the
//! [`Executor`] runs calls of a session. What it needs from outside are two doors, an [`Approver`]
//! and a [`Recorder`], and [`Capabilities`] that it hands on unread. The crate knows no tool, no
//! journal, no terminal and no model.
//!
//! # Invariants
//!
//! * **X1: nothing runs without a decision** that was made, or answered, for exactly this call.
//! * **X2: intent before effect.** `tool.running` is durable before a tool's `run` is polled; where
//!   it cannot be saved, nothing runs.
//! * **X3: at most once.** Only calls that change nothing are tried again.
//! * **X4: one end.** Each call gets one of `tool.done`, `tool.failed`, `tool.cancelled`, together
//!   with its audit record, and one result, in the order of the batch.
//! * **X5: a tool cannot take the session down**: panics and overruns become failures.
//! * **X6: kept before it can be lost.** What a [`Keep`] has to look at, it has looked at before
//!   `tool.running` and after the run.
//!
//! `tests/it` holds them.

mod approve;
mod attempt;
mod binding;
mod context;
mod edit;
mod executor;
mod grant;
pub mod guards;
mod keep;
mod past;
mod permit;
mod record;
mod registry;
mod selection;
mod shown;
mod spec;
mod taint;
mod tool;

pub use approve::{Approval, Approver, Choice, Question};
pub use context::{Audit, Capabilities, Emit, ToolContext};
pub use edit::{Edit, Parts};
pub use executor::{CallResult, Doors, Executor};
pub use grant::Grant;
pub use keep::{After, Keep, Keeping};
pub use past::PastResults;
pub use permit::{Refusal, explain};
pub use record::{RecordError, Recorder};
pub use registry::{CallFuture, Entry, NoSuchTool, Registry};
pub use selection::{SelectError, ToolSets};
pub use shown::{shown, visible};
pub use tool::Tool;
