//! A small toolset with one tool of each kind.

use schemars::JsonSchema;
use tagline_protocol::{Effect, SpecHeader, ToolSpec, Toolset, TurnRole};

/// Speaks to the user while you work.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema counts")]
struct Say {
    /// How it is meant.
    tone: Option<String>,
    /// The words.
    #[schemars(extend("x-tag" = "body"))]
    text: String,
}

/// Thinks aloud.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema counts")]
struct Ponder {
    /// The thought.
    #[schemars(extend("x-tag" = "body"))]
    text: String,
}

/// Reads a text file.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema counts")]
struct ReadFile {
    /// Path below the workspace.
    path: String,
}

/// Writes a text file, whole.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema counts")]
struct WriteFile {
    /// Path below the workspace.
    path: String,
    /// The new text.
    #[schemars(extend("x-tag" = "body raw"))]
    content: String,
}

/// Runs a command.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema counts")]
struct ExecuteCommand {
    /// The command.
    #[schemars(extend("x-tag" = "body raw"))]
    command: String,
}

/// Shows the plan.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema counts")]
struct UpdatePlan {
    /// Its steps.
    step: Vec<String>,
}

/// Ends the work with an answer.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema counts")]
struct AttemptCompletion {
    /// The answer.
    #[schemars(extend("x-tag" = "body child"))]
    result: String,
}

/// Asks the user.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema counts")]
struct WaitForHumanInput {
    /// What is needed.
    #[schemars(extend("x-tag" = "body"))]
    question: String,
}

/// Every tool of the tests.
pub(crate) fn toolset() -> Toolset {
    let header = SpecHeader::new;
    let quiet = |name, role| SpecHeader {
        role,
        feeds_back: false,
        is_lenient_eof: true,
        ..header(name, Effect::Pure)
    };
    let examples = ["<write_file path=\"notes.txt\"><![CDATA[hello]]></write_file>"];
    let write = SpecHeader { examples: &examples, ..header("write_file", Effect::Write) };
    let read = SpecHeader {
        examples: &["<read_file path=\"notes.txt\"/>"],
        ..header("read_file", Effect::Read)
    };
    Toolset::new([
        ToolSpec::of::<Say>(quiet("say", TurnRole::Speaks)).unwrap(),
        ToolSpec::of::<Ponder>(quiet("ponder", TurnRole::Thinks)).unwrap(),
        ToolSpec::of::<ReadFile>(read).unwrap(),
        ToolSpec::of::<WriteFile>(write).unwrap(),
        ToolSpec::of::<ExecuteCommand>(header("execute_command", Effect::Exec)).unwrap(),
        ToolSpec::of::<UpdatePlan>(quiet("update_plan", TurnRole::Ordinary)).unwrap(),
        ToolSpec::of::<AttemptCompletion>(quiet("attempt_completion", TurnRole::Completes))
            .unwrap(),
        ToolSpec::of::<WaitForHumanInput>(quiet("wait_for_human_input", TurnRole::Asks)).unwrap(),
    ])
}
