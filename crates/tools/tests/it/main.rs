//! The tools, called the way the executor calls them.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod bench;
mod cases;
mod commands;
mod conversation;
mod every_tool;
mod files;
mod results;
