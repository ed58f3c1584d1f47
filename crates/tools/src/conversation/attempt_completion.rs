//! `attempt_completion`: the answer that ends the turn.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput, TurnRole};

/// Ends the turn with the answer. Use it when the task is done and its result was checked.
///
/// The answer is written as the body or as the child `result`: models learned both forms, so
/// the type holds both, and [`AttemptCompletion::run`] wants exactly one.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(
    description = "Ends the turn with the answer. Use it when the task is done and its result was checked."
)]
#[serde(deny_unknown_fields)]
pub(crate) struct AttemptCompletion {
    /// The answer: what was done and what came out.
    #[serde(default)]
    #[schemars(extend("x-tag" = "child"))]
    result: Option<String>,
    /// A command with which the user can see the result; it is shown, not run.
    #[serde(default)]
    #[schemars(extend("x-tag" = "child"))]
    command: Option<String>,
    /// The answer, where it is written without `result`.
    #[serde(default)]
    #[schemars(extend("x-tag" = "body"))]
    text: Option<String>,
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
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let result = match (given(self.result), given(self.text)) {
            (Some(result), None) | (None, Some(result)) => result,
            (Some(_), Some(_)) => return Err(ToolFailure::BadCall(TWO_ANSWERS.to_owned())),
            (None, None) => return Err(ToolFailure::BadCall(NO_ANSWER.to_owned())),
        };
        Ok(ToolOutput::new("done", json!({ "result": result, "command": self.command })))
    }
}

const NO_ANSWER: &str = "`result` of `attempt_completion`: expected the answer, but found nothing; \
     write <attempt_completion><result>the answer</result></attempt_completion>";

const TWO_ANSWERS: &str = "`attempt_completion`: expected one answer, but found the child `result` and \
     other text beside it; put all of it into `result`";
