//! `wait_for_human_input`: a question that ends the turn.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput, TurnRole};

/// Asks the user and ends the turn; the answer comes as the next message. Use it only for what
/// you cannot find out yourself.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaitForHumanInput {
    /// What kind of answer is needed.
    #[serde(default)]
    kind: Kind,
    /// One answer to choose from; write several.
    #[serde(default)]
    #[schemars(extend("x-tag" = "child"))]
    option: Vec<String>,
    /// What is needed, and why.
    #[schemars(extend("x-tag" = "body child"))]
    question: String,
}

/// What the user is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Choice,
    Credential,
    Captcha,
    Otp,
    Action,
    #[default]
    Question,
}

impl Tool for WaitForHumanInput {
    const NAME: &'static str = "wait_for_human_input";
    const EFFECT: Effect = Effect::Pure;
    const EXAMPLES: &'static [&'static str] = &[
        "<wait_for_human_input>Which port should the server use?</wait_for_human_input>",
        r#"<wait_for_human_input kind="choice"><question>Which database should it use?</question><option>SQLite</option><option>Postgres</option></wait_for_human_input>"#,
    ];
    const ROLE: TurnRole = TurnRole::Asks;
    const FEEDS_BACK: bool = false;
    const LABEL: &'static str = "ask";

    async fn run(self, _cx: &ToolContext) -> ToolOutcome {
        if self.question.trim().is_empty() {
            return Err(ToolFailure::BadCall(NO_QUESTION.to_owned()));
        }
        if self.kind == Kind::Choice && self.option.len() < 2 {
            return Err(ToolFailure::BadCall(too_few_options(self.option.len())));
        }
        let payload =
            json!({ "kind": self.kind, "question": self.question, "options": self.option });
        Ok(ToolOutput::new("asked", payload))
    }
}

const NO_QUESTION: &str = "body of `wait_for_human_input`: expected a question, but found nothing; \
     write <wait_for_human_input>your question</wait_for_human_input>";

fn too_few_options(n: usize) -> String {
    format!(
        "`option` of `wait_for_human_input`: expected at least 2 with kind=\"choice\", but found {n}; \
         write one <option>…</option> for each answer, or leave `kind` out"
    )
}
