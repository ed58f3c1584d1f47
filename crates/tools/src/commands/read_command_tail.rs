//! `read_command_tail`: what a command wrote, by cursor.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_protocol::{Echo, Effect, ToolFailure, ToolOutcome, ToolOutput, system_words};

use super::{Runs, find::find, put_aside};

/// Reads output of a command by its run id: newer output from a cursor on, or the latest.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadCommandTail {
    /// Such as `r1`.
    run_id: String,
    /// Where to read on: the cursor that the last answer named, or 0 for the start. Without it,
    /// the latest output is read.
    #[serde(default)]
    cursor: Option<u64>,
    /// At most this many bytes.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 15000))]
    limit: u16,
}

const fn default_limit() -> u16 {
    8000
}

/// Longest answer, so that it fits an echo with the words around it.
const MAX_LIMIT: u16 = 15_000;
const _: () = assert!((MAX_LIMIT as usize) + 1024 < Echo::MAX);

impl Tool for ReadCommandTail {
    const NAME: &'static str = "read_command_tail";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] = &[
        r#"<read_command_tail run_id="r1"/>"#,
        r#"<read_command_tail run_id="r1" cursor="8192" limit="2000"/>"#,
    ];
    const LABEL: &'static str = "output";
    const SUBTITLE: Option<&'static str> = Some("run_id");

    fn is_polling(&self) -> bool {
        true
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        let run = find(&*cx.get::<Runs>()?, &self.run_id)?;
        let limit = self.limit.clamp(1, MAX_LIMIT);
        // Before the read: output that comes in between is then told of as newer, not missed.
        let state = run.state();
        let len = run.log.len();
        let cursor = self.cursor.unwrap_or_else(|| len.saturating_sub(limit.into()));
        if len < cursor {
            return Err(ToolFailure::BadCall(format!(
                "`cursor` of `read_command_tail`: expected at most {len}, the end of the output of `{}`, \
                 but found {cursor}; give the cursor that the last answer named",
                run.id,
            )));
        }
        let piece = run.log.read(cursor, limit.into()).map_err(|error| {
            ToolFailure::Failed(format!(
                "the log of `{}` could not be read: {}",
                run.id,
                system_words(&error)
            ))
        })?;
        let mut echo =
            format!("{} {state}; bytes {cursor} to {} of {}", run.id, piece.next, piece.len);
        if 0 < piece.n_dropped {
            echo.push_str(&format!(", {} later ones were not kept", piece.n_dropped));
        }
        match piece.next < piece.len {
            true => echo.push_str(&format!("; read on with cursor {}", piece.next)),
            false => echo.push_str(&format!("; newer output will be at cursor {}", piece.next)),
        }
        let payload = json!({
            "run_id": run.id,
            "state": state.to_string(),
            "text": piece.text,
            "cursor": cursor,
            "next": piece.next,
            "len": piece.len,
            "dropped": piece.n_dropped,
        });
        put_aside::told(Ok(ToolOutput::new(format!("{echo}\n{}", piece.text), payload)), cx).await
    }
}
