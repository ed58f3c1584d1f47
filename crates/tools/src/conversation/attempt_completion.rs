//! `attempt_completion`: the answer that ends the turn.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput, TurnRole};

/// Ends the turn with the answer. Use it when the task is done and its result was checked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AttemptCompletion {
    /// The answer: what was done and what came out.
    #[schemars(extend("x-tag" = "body child"))]
    result: String,
    /// A command with which the user can see the result; it is shown, not run.
    #[serde(default)]
    #[schemars(extend("x-tag" = "child"))]
    command: Option<String>,
}

impl Tool for AttemptCompletion {
    const NAME: &'static str = "attempt_completion";
    const EFFECT: Effect = Effect::Pure;
    const EXAMPLES: &'static [&'static str] = &[
        "<attempt_completion><result>The page is in site/index.html, and its links work.</result></attempt_completion>",
        "<attempt_completion>The tests pass.</attempt_completion>",
    ];
    const ROLE: TurnRole = TurnRole::Completes;
    const FEEDS_BACK: bool = false;
    const LENIENT_EOF: bool = true;
    const LABEL: &'static str = "answer";

    async fn run(self, _cx: &ToolContext) -> ToolOutcome {
        if self.result.trim().is_empty() {
            return Err(ToolFailure::BadCall(NO_ANSWER.to_owned()));
        }
        Ok(ToolOutput::new("done", json!({ "result": self.result, "command": self.command })))
    }
}

const NO_ANSWER: &str = "`result` of `attempt_completion`: expected the answer, but found nothing; \
     write <attempt_completion><result>the answer</result></attempt_completion>";
