//! Replies to measure parsers with, for benches and tests only.
//!
//! Every byte follows from the name of the workload, so that two machines measure the same. One
//! workload can be written in several dialects, with the same calls and the same contents, so that
//! parsers of different dialects do the same work.
//!
//! # Invariants
//!
//! * The same arguments give the same bytes.
//! * [`Text::calls`] are what a correct reader finds, in order.

mod call;
mod prose;
mod rng;
mod shape;
mod source;

pub use call::{Call, Dialect};
pub use shape::{Shape, Text, build};

/// One tool that the calls of the workloads may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// The names of its attributes.
    pub attributes: &'static [&'static str],
    /// The name of the argument that its body is, and whether it is verbatim.
    pub body: Option<(&'static str, bool)>,
}

const fn tool(
    name: &'static str,
    attributes: &'static [&'static str],
    body: Option<(&'static str, bool)>,
) -> Tool {
    Tool { name, attributes, body }
}

/// The tools a parser is to know, those that no workload calls included: a real set is not small.
pub const TOOLS: &[Tool] = &[
    tool("write_file", &["path"], Some(("content", true))),
    tool("read_file", &["path"], None),
    tool("list_files", &["path", "recursive"], None),
    tool("search_files", &["path", "regex"], None),
    tool("execute_command", &["background"], Some(("command", true))),
    tool("say", &["tone"], Some(("text", false))),
    tool("remember", &[], Some(("text", false))),
    tool("replace_in_file", &["path"], Some(("diff", true))),
    tool("append_file", &["path"], Some(("content", true))),
    tool("move_file", &["from", "to"], None),
    tool("delete_file", &["path"], None),
    tool("make_folder", &["path"], None),
    tool("fetch_page", &["url"], None),
    tool("web_search", &["query"], None),
    tool("take_screenshot", &["window"], None),
    tool("press_key", &["key"], None),
    tool("click", &["x", "y"], None),
    tool("type_text", &[], Some(("text", false))),
    tool("open_app", &["id"], Some(("html", true))),
    tool("close_app", &["id"], None),
    tool("set_mood", &["mood"], None),
    tool("set_timer", &["seconds"], None),
    tool("show_image", &["path", "alt"], None),
    tool("recall", &["query"], None),
    tool("wait_until", &["seconds"], None),
    tool("attempt_completion", &[], Some(("result", false))),
];
