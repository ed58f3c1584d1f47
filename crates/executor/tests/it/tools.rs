//! Tools that misbehave on purpose.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_protocol::{Effect, ToolOutcome, ToolOutput};

/// Says its text again.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Repeat {
    /// What to say.
    text: String,
}

impl Tool for Repeat {
    const NAME: &'static str = "repeat";
    const ALIASES: &'static [&'static str] = &["echo"];
    const EFFECT: Effect = Effect::Pure;
    const EXAMPLES: &'static [&'static str] = &[r#"<repeat text="hello"/>"#];

    async fn run(self, _cx: &ToolContext) -> ToolOutcome {
        Ok(ToolOutput::new(&self.text, json!({ "text": self.text })))
    }
}
