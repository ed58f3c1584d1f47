//! `stop_command`: ends a command and everything that it started.

use rustix::process::Signal;
use schemars::JsonSchema;
use serde::Deserialize;
use tagline_executor::{Tool, ToolContext};
use tagline_protocol::{Effect, ToolOutcome, ToolOutput};

use super::{Runs, find::find, put_aside, report, runs::State};

/// Ends a command with all processes that it started, by its run id.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StopCommand {
    /// Such as `r1`.
    run_id: String,
    /// The first signal; after 2 seconds KILL follows.
    #[serde(default)]
    signal: First,
}

/// How the processes are asked.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum First {
    #[default]
    Term,
    Int,
    Hup,
    Kill,
}

impl From<First> for Signal {
    fn from(first: First) -> Self {
        match first {
            First::Term => Self::TERM,
            First::Int => Self::INT,
            First::Hup => Self::HUP,
            First::Kill => Self::KILL,
        }
    }
}

impl Tool for StopCommand {
    const NAME: &'static str = "stop_command";
    // It can end only what this session started, and ending it twice is ending it once: there is
    // nothing to ask a person about, and nothing that a repeat would double.
    const EFFECT: Effect = Effect::Pure;
    const EXAMPLES: &'static [&'static str] = &[r#"<stop_command run_id="r1"/>"#];
    const LABEL: &'static str = "stop";
    const SUBTITLE: Option<&'static str> = Some("run_id");

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        let runs = cx.get::<Runs>()?;
        let run = find(&runs, &self.run_id)?;
        let before = run.state();
        let n = run.members().await.len();
        runs.stop(&run, self.signal.into()).await;
        cx.audit.note("processes", n);
        let id = &run.id;
        let echo = match (before, n) {
            (State::Ended(end), 0) => format!("{id} was over already: {end}"),
            (State::Ended(end), n) => {
                let noun = if n == 1 { "process" } else { "processes" };
                format!("{id} was over already: {end}; ended {n} {noun} that it had left behind")
            }
            (State::Running, _) => {
                format!("{id} is stopped\nlast output:\n{}", report::output(&run))
            }
        };
        put_aside::told(Ok(ToolOutput::new(echo, report::payload(&run, &[].into()))), cx).await
    }
}
