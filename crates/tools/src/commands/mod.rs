//! Tools that run commands and look after them.
//!
//! [`Runs`] owns the processes; the tools start, read, await and end runs by their id, such as
//! `r1`. The app makes one `Runs` for each session and calls [`Runs::shutdown`] at its end.

mod execute_command;
mod find;
mod limit;
mod list_recent_commands;
mod pattern;
mod put_aside;
mod read_command_tail;
mod report;
mod runs;
mod stop_command;
mod stop_on_drop;
mod wait_until;
mod write_command_input;

pub(crate) use execute_command::ExecuteCommand;
pub(crate) use list_recent_commands::ListRecentCommands;
pub(crate) use read_command_tail::ReadCommandTail;
pub use runs::{Fence, Reach, Runs, RunsConfig, Sandbox};
pub(crate) use stop_command::StopCommand;
pub use tagline_net::{BenchmarkRange, HostList, Hosts, Rules};
pub use tagline_sandbox::{Limits, Means, Starter, confine::Proof, helper};
pub(crate) use wait_until::WaitUntil;
pub(crate) use write_command_input::WriteCommandInput;
