//! Tools that the tests share: each way in which a value can be written is here once.
#![expect(dead_code, reason = "the types are only read for their schema")]

use schemars::JsonSchema;
use serde::Deserialize;
use tagline_protocol::{Effect, SpecHeader, ToolSpec, Toolset, TurnRole};

/// Writes a text file, whole. To change a part, use `replace_in_file`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct WriteFile {
    /// Path below the workspace, such as `src/main.rs`.
    path: String,
    /// The new text, all of it.
    #[schemars(extend("x-tag" = "body raw"))]
    content: String,
}

/// Reads a file, with line numbers.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ReadFile {
    /// Path below the workspace.
    path: String,
    /// First line, from 1.
    #[schemars(range(min = 1))]
    from: Option<u32>,
    /// Last line.
    #[schemars(range(min = 1))]
    to: Option<u32>,
}

/// Searches text in files.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SearchFiles {
    /// What to look for.
    #[schemars(extend("x-tag" = "child raw"), length(min = 1))]
    query: String,
    /// Folder to look in.
    #[serde(default = "here")]
    path: String,
    /// Lines around each match.
    #[serde(default = "two")]
    #[schemars(range(max = 20))]
    context: u8,
    /// Least score.
    #[schemars(range(min = 0.0, max = 1.0))]
    min_score: Option<f64>,
    /// Whether upper and lower case differ.
    #[serde(default)]
    match_case: bool,
}

fn here() -> String {
    ".".to_owned()
}

fn two() -> u8 {
    2
}

/// Speaks to the user.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Say {
    /// How it is meant.
    tone: Option<Tone>,
    /// The words.
    #[schemars(extend("x-tag" = "body"))]
    text: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Tone {
    Warm,
    Neutral,
    /// With a wink.
    Playful,
}

/// Shows the plan.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct UpdatePlan {
    /// The steps, in order.
    #[serde(rename = "step")]
    steps: Vec<Step>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Step {
    /// Where it stands.
    #[serde(default)]
    status: Status,
    /// What is done.
    #[schemars(extend("x-tag" = "body"))]
    text: String,
}

#[derive(Debug, Default, Deserialize, JsonSchema, serde::Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    #[default]
    Open,
    Doing,
    Done,
}

/// Runs a command.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ExecuteCommand {
    /// Folder to run in.
    cwd: Option<String>,
    /// Whether to answer at once.
    #[serde(default)]
    background: bool,
    /// Seconds until it is stopped.
    #[schemars(range(min = 1, max = 3600))]
    timeout_seconds: Option<u32>,
    /// The command, for bash.
    #[schemars(extend("x-tag" = "body child raw"))]
    command: String,
}

/// Changes the stored data of a surface.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MutateData {
    /// The surface.
    id: String,
    /// Labels to add.
    label: Option<Vec<String>>,
    /// A JSON Patch.
    #[schemars(extend("x-tag" = "body raw"))]
    patch: serde_json::Value,
}

/// Ends the turn with the answer.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct AttemptCompletion {
    /// The answer.
    #[schemars(extend("x-tag" = "body child"))]
    result: String,
}

/// Lists recent commands.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ListRecentCommands {}

pub(crate) fn spec<T: JsonSchema>(name: &str, effect: Effect, examples: &[&str]) -> ToolSpec {
    ToolSpec::of::<T>(SpecHeader { examples, ..SpecHeader::new(name, effect) }).unwrap()
}

/// The shared tools.
pub(crate) fn toolset() -> Toolset {
    Toolset::new([
        write_file(),
        spec::<ReadFile>(
            "read_file",
            Effect::Read,
            &[r#"<read_file path="src/main.rs" from="1" to="80"/>"#],
        ),
        spec::<SearchFiles>(
            "search_files",
            Effect::Read,
            &[r#"<search_files path="src"><query>fn main</query></search_files>"#],
        ),
        spec::<Say>("say", Effect::Pure, &[r#"<say tone="warm">On it.</say>"#]),
        spec::<UpdatePlan>("update_plan", Effect::Pure, &[PLAN]),
        spec::<ExecuteCommand>(
            "execute_command",
            Effect::Exec,
            &["<execute_command>cargo test</execute_command>"],
        ),
        spec::<MutateData>("mutate_data", Effect::Write, &[PATCH]),
        attempt_completion(),
        spec::<ListRecentCommands>(
            "list_recent_commands",
            Effect::Read,
            &["<list_recent_commands/>"],
        ),
    ])
}

const PLAN: &str =
    r#"<update_plan><step status="done">Read the code</step><step>Mend it</step></update_plan>"#;

const PATCH: &str =
    r#"<mutate_data id="app-1"><![CDATA[[{"op":"add","path":"/n","value":1}]]]></mutate_data>"#;

fn write_file() -> ToolSpec {
    let header = SpecHeader {
        aliases: &["write_to_file"],
        examples: &["<write_file path=\"notes/a.txt\"><![CDATA[Hello!\n]]></write_file>"],
        ..SpecHeader::new("write_file", Effect::Write)
    };
    ToolSpec::of::<WriteFile>(header).unwrap()
}

fn attempt_completion() -> ToolSpec {
    let header = SpecHeader {
        role: TurnRole::Completes,
        feeds_back: false,
        is_lenient_eof: true,
        examples: &["<attempt_completion><result>It works.</result></attempt_completion>"],
        ..SpecHeader::new("attempt_completion", Effect::Pure)
    };
    ToolSpec::of::<AttemptCompletion>(header).unwrap()
}

/// Whether the type of a shared tool takes these arguments.
pub(crate) fn deserializes(tool: &str, arguments: &serde_json::Value) -> bool {
    fn takes<T: serde::de::DeserializeOwned>(arguments: &serde_json::Value) -> bool {
        serde_json::from_value::<T>(arguments.clone()).is_ok()
    }
    match tool {
        "write_file" => takes::<WriteFile>(arguments),
        "read_file" => takes::<ReadFile>(arguments),
        "search_files" => takes::<SearchFiles>(arguments),
        "say" => takes::<Say>(arguments),
        "update_plan" => takes::<UpdatePlan>(arguments),
        "execute_command" => takes::<ExecuteCommand>(arguments),
        "mutate_data" => takes::<MutateData>(arguments),
        "attempt_completion" => takes::<AttemptCompletion>(arguments),
        "list_recent_commands" => takes::<ListRecentCommands>(arguments),
        other => panic!("`{other}` is no shared tool"),
    }
}
