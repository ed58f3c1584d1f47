//! `tagline tools sets`: what `--tools` takes beside names of tools.

use serde_json::json;
use tagline_protocol::{Detail, Toolset};

use crate::{
    config::Settings,
    exit::Exit,
    output::{fail, print, print_json},
    wiring::{estimate, offered, sets},
};

/// Lists the sets, `all` last.
pub(super) fn list(settings: &Settings, json: bool) -> Result<(), Exit> {
    let (sets, all) = (sets(settings)?, tagline_tools::all());
    let names = sets.iter().map(|(name, _)| name).chain(["all"]);
    let mut rows = Vec::new();
    for name in names {
        let selected = all.select(&[name.to_owned()], &sets);
        let tools = selected.map_err(|error| fail(Exit::Usage, error))?.toolset();
        rows.push((name.to_owned(), offered(settings, &tools)));
    }
    if json {
        return rows.iter().try_for_each(|(name, tools)| {
            print_json(&json!({
                "name": name, "tools": tools.names().collect::<Vec<_>>(),
                "tokens": tokens(tools, Detail::Full),
                "tokens_compact": tokens(tools, Detail::Compact),
            }))
        });
    }
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let head = format!("{:<width$}  {:>5} {:>7} {:>7}  tools\n", "set", "tools", "full", "compact");
    let row = |(name, tools): &(String, Toolset)| {
        let (full, compact) = (tokens(tools, Detail::Full), tokens(tools, Detail::Compact));
        let names = tools.names().collect::<Vec<_>>().join(" ");
        format!("{name:<width$}  {:>5} {full:>7} {compact:>7}  {names}\n", tools.specs().len())
    };
    print(&(head + &rows.iter().map(row).collect::<String>()))
}

fn tokens(tools: &Toolset, detail: Detail) -> usize {
    estimate(&tools.docs(detail))
}
