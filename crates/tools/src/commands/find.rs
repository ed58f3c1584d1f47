//! From a run id to the run.

use std::sync::Arc;

use tagline_protocol::ToolFailure;

use super::{Runs, runs::Run};

/// The run of this id.
///
/// # Errors
///
/// [`ToolFailure::Missing`], naming the latest ids there are.
pub(crate) fn find(runs: &Runs, id: &str) -> Result<Arc<Run>, ToolFailure> {
    const SHOWN: usize = 5;
    runs.get(id.trim()).ok_or_else(|| {
        let latest = runs.latest();
        let ids: Vec<_> = latest.iter().take(SHOWN).map(|run| format!("`{}`", run.id)).collect();
        let known = match ids.as_slice() {
            [] => "no command was started; start one with execute_command".to_owned(),
            ids => format!("the latest are {}; list_recent_commands shows all", ids.join(", ")),
        };
        ToolFailure::Missing(format!("`run_id`: there is no run `{id}`; {known}"))
    })
}
