//! `list_recent_commands`: the runs of the session.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_protocol::{Effect, ToolOutcome, ToolOutput};

use super::{
    Runs,
    runs::{Run, State},
};

/// Lists the commands of this session, the latest first: run id, state, age, command.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListRecentCommands {
    /// At most this many.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 100))]
    limit: u8,
}

const fn default_limit() -> u8 {
    20
}

impl Tool for ListRecentCommands {
    const NAME: &'static str = "list_recent_commands";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] = &["<list_recent_commands/>"];
    const VOICED: bool = false;
    const LABEL: &'static str = "commands";

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        let latest = cx.get::<Runs>()?.latest();
        let shown = latest.get(..latest.len().min(self.limit.into())).unwrap_or_default();
        let lines: Vec<_> = shown.iter().map(|run| line(run)).collect();
        let rows: Vec<_> = shown
            .iter()
            .map(|run| {
                json!({
                    "run_id": run.id,
                    "state": run.state().to_string(),
                    "is_running": run.state() == State::Running,
                    "age_seconds": run.started.elapsed().as_secs(),
                    "command": run.command,
                })
            })
            .collect();
        let echo = match (lines.as_slice(), latest.len() - shown.len()) {
            ([], _) => "no command was started in this session".to_owned(),
            (lines, 0) => lines.join("\n"),
            (lines, n) => format!("{}\n[{n} earlier ones are not shown]", lines.join("\n")),
        };
        Ok(ToolOutput::new(echo, json!({ "runs": rows, "total": latest.len() })))
    }
}

/// Such as `r1  running  12 s ago  cargo build`.
fn line(run: &Run) -> String {
    const SHOWN: usize = 100;
    let first = run.command.trim().lines().next().unwrap_or_default();
    let command = first.get(..first.floor_char_boundary(SHOWN)).unwrap_or_default();
    let more = if command.len() < run.command.trim().len() { " …" } else { "" };
    let age = run.started.elapsed().as_secs();
    format!("{}  {}  started {age} s ago  {command}{more}", run.id, run.state())
}
