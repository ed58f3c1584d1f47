//! Words of frames that have no row of their own.

use serde_json::Value;

use super::{clean::clean, units::count};

/// Where it comes from.
pub(super) fn forked(source: &str, turns: u32) -> String {
    let source = clean(source);
    if turns == 0 {
        return format!("a copy of the start of session {source}");
    }
    let turns = count(u64::from(turns), "turn", "turns");
    format!("up to here a copy of session {source}, {turns}; its changes are undone there")
}

/// Its conversation has become shorter.
pub(super) fn compacted(before: u64, after: u64) -> String {
    format!("the conversation was made smaller: {before} → {after} tokens")
}

/// How far a call is, where it says so in words.
pub(super) fn of_progress(payload: &Value) -> &str {
    let names = ["message", "text", "state"];
    names.iter().find_map(|name| payload.get(name)?.as_str()).unwrap_or_default()
}
