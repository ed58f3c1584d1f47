//! The built-in tools: one type each, one line each in [`all`].
//!
//! A tool's type is its arguments, its docs are its prompt, its examples are tests. What a tool
//! may touch is its [`ToolContext`](tagline_executor::ToolContext), nothing else; what a family
//! needs beside it is a capability that the app wires, such as [`commands::Runs`]. The crate
//! knows no model, no session, no server; it reads neither the environment nor the clock.
//!
//! # Invariants
//!
//! 1. **Examples are calls.** Each example in the prompt goes through our own parser into its own
//!    type (`tests/it/every_tool.rs`).
//! 2. **A process dies with its owner.** Each process that a command started, in whatever group
//!    or session it hides, is gone after a stop, a timeout, a cancel or the session's end
//!    (`tests/it/commands/escapes.rs`).
//! 3. **Output is bounded and honest.** Memory does not grow with a command's output; what is cut
//!    is counted and said; reading the log by cursor repeats and skips no byte
//!    (`tests/it/commands/output.rs`).
//! 4. **The model gets plain text.** No control character but newline and tab leaves a run, and
//!    where the output was cut never changes its text (`commands/runs/plain.rs`).
//! 5. **An edit is whole or nothing**, keeps the form of its file (encoding, byte order mark, line
//!    ends), and needs the present content to have been read (`tests/it/files`).
//! 6. **Reading is bounded**: memory and answers do not grow with a file or a tree.
//! 7. **A command is bounded**: what it uses of the machine, with all that it starts, has limits that
//!    are told when they are reached (`tests/it/commands/limits.rs`).

pub mod commands;
mod conversation;
mod files;
mod registry;
mod search;
mod sets;

pub use files::media::{NoImage, image};
pub use registry::all;
pub use sets::sets;
