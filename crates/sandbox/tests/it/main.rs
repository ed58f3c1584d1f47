//! Commands in a sandbox, where this machine can make one.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]
#![expect(clippy::print_stderr, reason = "what a machine cannot try is told")]

mod bed;
mod files;
mod landlock;
mod network;
mod processes;
mod trials;
