//! `say`: words to the user, spoken while they stream.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_protocol::{Effect, ToolOutcome, ToolOutput, TurnRole};

/// Tells the user something. The work goes on; to end the turn, use `attempt_completion`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Say {
    /// How it is meant: warm, neutral, playful, urgent, or your own word.
    #[serde(default)]
    tone: Option<String>,
    /// What to say. Markdown is fine.
    #[schemars(extend("x-tag" = "body"))]
    text: String,
}

impl Tool for Say {
    const NAME: &'static str = "say";
    const EFFECT: Effect = Effect::Pure;
    const EXAMPLES: &'static [&'static str] = &[r#"<say tone="warm">Done.</say>"#];
    const ROLE: TurnRole = TurnRole::Speaks;
    const FEEDS_BACK: bool = false;
    const LENIENT_EOF: bool = true;

    async fn run(self, _cx: &ToolContext) -> ToolOutcome {
        Ok(ToolOutput::new("said", json!({ "tone": self.tone, "text": self.text })))
    }
}
