//! The named sets of tools that there are without anybody's configuration.

use tagline_executor::{Registry, ToolSets};
use tagline_protocol::Effect;

use crate::all;

/// What a small model finds its way with.
const MINIMAL: &[&str] =
    &["attempt_completion", "read_file", "list_files", "write_file", "execute_command"];

/// Work on a tree of source text: no pictures of it, no talk beside it.
const CODE: &[&str] = &[
    "thinking",
    "attempt_completion",
    "wait_for_human_input",
    "update_plan",
    "read_result",
    "read_file",
    "read_batch",
    "list_files",
    "search_files",
    "search",
    "query",
    "extract",
    "list_code_definition_names",
    "write_file",
    "replace_in_file",
    "apply_patch",
    "move_file",
    "delete_file",
    "execute_command",
    "read_command_tail",
    "stop_command",
];

/// Beside what fetches: how its finds are read, kept and told.
const BESIDE_FETCHING: &[&str] = &[
    "say",
    "attempt_completion",
    "wait_for_human_input",
    "read_result",
    "read_file",
    "write_file",
];

/// `minimal`, `code` and `web`; `all` goes without saying.
#[must_use]
pub fn sets() -> ToolSets {
    let mut sets = ToolSets::default();
    let named = |names: &[&str]| names.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
    sets.add("minimal", named(MINIMAL));
    sets.add("code", named(CODE));
    sets.add("web", [named(BESIDE_FETCHING), fetching(&all())].concat());
    sets
}

fn fetching(tools: &Registry) -> Vec<String> {
    let specs = tools.entries().iter().map(|entry| &entry.spec);
    specs.filter(|spec| spec.effect == Effect::Fetch).map(|spec| spec.name.clone()).collect()
}
