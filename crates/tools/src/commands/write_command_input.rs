//! `write_command_input`: types into a command's terminal.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput, system_words};
use tokio::time::timeout;

use super::{
    Runs,
    find::find,
    put_aside,
    runs::{Run, State, Terminal},
};

/// Types into the terminal of a command that was started with terminal="true", and answers with what
/// it wrote then. Enter is pressed behind the text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WriteCommandInput {
    /// Such as `r1`.
    run_id: String,
    /// Press Enter behind the text.
    #[serde(default = "yes")]
    enter: bool,
    /// What is typed. Nothing, to press Enter alone.
    #[serde(default)]
    #[schemars(extend("x-tag" = "body raw"))]
    text: String,
}

const fn yes() -> bool {
    true
}

/// Longest line: a terminal that waits for whole lines takes no more (`termios(3)`, canonical mode).
const MAX_LINE: usize = 4095;
/// Longest text.
const MAX_TEXT: usize = 64 * 1024;
/// How long the command may take to read what is typed.
const TAKES: Duration = Duration::from_secs(5);
/// Output counts as whole when nothing came for so long,
const SETTLES: Duration = Duration::from_millis(300);
/// and is answered with after so long in any case.
const AT_MOST: Duration = Duration::from_secs(5);
/// Bytes of output in the answer.
const SHOWN: usize = 8000;

impl Tool for WriteCommandInput {
    const NAME: &'static str = "write_command_input";
    const EFFECT: Effect = Effect::Exec;
    const EXAMPLES: &'static [&'static str] = &[
        r#"<write_command_input run_id="r1">yes</write_command_input>"#,
        r#"<write_command_input run_id="r1" enter="false">q</write_command_input>"#,
    ];
    const LABEL: &'static str = "type";
    const SUBTITLE: Option<&'static str> = Some("run_id");

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        check(&self.text)?;
        let run = find(&*cx.get::<Runs>()?, &self.run_id)?;
        let terminal = terminal(&run)?;
        let cursor = run.log.len();
        let typed = if self.enter { format!("{}\n", self.text) } else { self.text.clone() };
        tokio::select! {
            typed = timeout(TAKES, terminal.write(typed.as_bytes())) => match typed {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return Err(ToolFailure::Failed(format!(
                    "`{}` takes no input any more: {}", run.id, system_words(&error),
                ))),
                Err(_) => return Err(ToolFailure::Failed(format!(
                    "`{}` does not read what is typed; a part of it may have been typed; wait, or end it with stop_command", run.id,
                ))),
            },
            () = cx.cancel.cancelled() => {
                return Err(ToolFailure::Cancelled("a part of the text may have been typed".to_owned()));
            }
        }
        cx.audit.note("run_id", run.id.as_str());
        settle(&run, cx).await;
        put_aside::told(answer(&run, cursor), cx).await
    }
}

fn check(text: &str) -> Result<(), ToolFailure> {
    let bad = |what: String| {
        Err(ToolFailure::BadCall(format!("`text` of `write_command_input`: {what}")))
    };
    if MAX_TEXT < text.len() {
        return bad(format!(
            "expected at most {MAX_TEXT} bytes, but found {}; write them to a file",
            text.len()
        ));
    }
    if let Some(key) = text.chars().find(|c| c.is_control() && *c != '\n' && *c != '\t') {
        return bad(format!(
            "expected text, but found the control character U+{:04X}; to interrupt a command, use stop_command with signal=\"INT\"",
            key as u32
        ));
    }
    match text.lines().map(str::len).max() {
        Some(n) if MAX_LINE < n => bad(format!(
            "expected lines of at most {MAX_LINE} bytes, but found one of {n}; a terminal takes no longer ones; write it to a file"
        )),
        Some(_) | None => Ok(()),
    }
}

fn terminal(run: &Run) -> Result<&Terminal, ToolFailure> {
    if let State::Ended(end) = run.state() {
        return Err(ToolFailure::Missing(format!("`run_id`: `{}` is over: {end}", run.id)));
    }
    run.terminal().ok_or_else(|| {
        ToolFailure::BadCall(format!(
            "`run_id`: `{}` has no terminal, so nothing can be typed; start the command again with terminal=\"true\"",
            run.id
        ))
    })
}

/// Waits until the command has written what it writes to that.
async fn settle(run: &Run, cx: &ToolContext) {
    let mut growth = run.growth();
    let quiet = async { while let Ok(Ok(())) = timeout(SETTLES, growth.changed()).await {} };
    tokio::select! {
        _ = timeout(AT_MOST, quiet) => {}
        _ = run.ended() => {}
        () = cx.cancel.cancelled() => {}
    }
}

fn answer(run: &Run, cursor: u64) -> ToolOutcome {
    let state = run.state();
    let piece = run.log.read(cursor, SHOWN).map_err(|error| {
        let why = system_words(&error);
        ToolFailure::Failed(format!("the log of `{}` could not be read: {why}", run.id))
    })?;
    let more = if piece.next < piece.len {
        "; read on with read_command_tail, cursor "
    } else {
        "; newer output will be at cursor "
    };
    let echo = format!("{} {state}{more}{}\n{}", run.id, piece.next, piece.text);
    let payload = json!({
        "run_id": run.id, "state": state.to_string(), "text": piece.text,
        "cursor": cursor, "next": piece.next, "len": piece.len,
    });
    Ok(ToolOutput::new(echo, payload))
}
