//! `update_plan`: the steps of the work, as the user sees them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput};

/// Shows the user the plan of the work. Send all steps each time; mark what is done.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UpdatePlan {
    /// One step; write one for each, in order.
    #[serde(default)]
    #[schemars(extend("x-tag" = "child"))]
    step: Vec<Step>,
}

/// One step of a plan.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Step {
    /// How far it is.
    #[serde(default)]
    status: Status,
    /// What is done in it.
    #[schemars(extend("x-tag" = "body"))]
    text: String,
}

/// How far a step is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    #[default]
    Pending,
    InProgress,
    Completed,
}

impl Tool for UpdatePlan {
    const NAME: &'static str = "update_plan";
    const EFFECT: Effect = Effect::Pure;
    const EXAMPLES: &'static [&'static str] = &[
        r#"<update_plan><step status="completed">Read the code</step><step status="in_progress">Write the test</step><step>Run it</step></update_plan>"#,
    ];
    const FEEDS_BACK: bool = false;
    const LABEL: &'static str = "plan";

    async fn run(self, _cx: &ToolContext) -> ToolOutcome {
        let n = self.step.len();
        if n == 0 {
            return Err(ToolFailure::BadCall(NO_STEP.to_owned()));
        }
        let n_done = self.step.iter().filter(|step| step.status == Status::Completed).count();
        let echo = format!("the plan shows {n_done} of {n} steps completed");
        Ok(ToolOutput::new(echo, json!({ "steps": self.step, "done": n_done })))
    }
}

const NO_STEP: &str = "`step` of `update_plan`: expected at least 1, but found none; \
     write <update_plan><step status=\"in_progress\">what you do now</step></update_plan>";
