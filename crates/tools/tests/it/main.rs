//! The tools, called the way the executor calls them.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod bench;
mod cases;
mod commands;
mod conversation;
#[expect(clippy::panic, reason = "tests stop at the first surprise")]
mod doors;
mod every_tool;
mod files;
#[path = "../../../protocol/tests/it/gbnf.rs"]
#[expect(clippy::indexing_slicing, clippy::panic, reason = "tests stop at the first surprise")]
mod gbnf;
#[path = "../../../protocol/tests/it/generated.rs"]
#[expect(clippy::indexing_slicing, reason = "tests stop at the first surprise")]
mod generated;
mod results;
