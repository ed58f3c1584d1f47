//! Commands in a sandbox, where this machine can make one.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod bed;
mod files;
mod landlock;
mod network;
mod processes;
mod trials;
