//! `thinking`: reasoning, shown folded.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_protocol::{Effect, ToolOutcome, ToolOutput, TurnRole};

/// Reasons before acting: what is known, what is missing, what comes next. Nothing in it runs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Thinking {
    /// The reasoning.
    #[schemars(extend("x-tag" = "body"))]
    text: String,
}

impl Tool for Thinking {
    const NAME: &'static str = "thinking";
    const EFFECT: Effect = Effect::Pure;
    const EXAMPLES: &'static [&'static str] =
        &["<thinking>The test names the file, so I read it first.</thinking>"];
    const ROLE: TurnRole = TurnRole::Thinks;
    const FEEDS_BACK: bool = false;

    async fn run(self, _cx: &ToolContext) -> ToolOutcome {
        Ok(ToolOutput::new("thought", json!({ "text": self.text })))
    }
}
