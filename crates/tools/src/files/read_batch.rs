//! `read_batch`: several files at once.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput};

use crate::files::{
    desk::{Desk, Touch, at_desk, claims},
    read_file::{BUDGET, Reading, lines, read_one},
    text::count,
};

/// Reads several files at once, each with line numbers. Use it instead of several `read_file`
/// calls for files that belong together; a file that cannot be read does not stop the others.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ReadBatch {
    /// The files, each in a child of its own.
    #[serde(rename = "path")]
    #[schemars(length(min = 1, max = 20))]
    paths: Vec<BatchPath>,
}

/// One file of the batch.
#[derive(Debug, Deserialize, JsonSchema)]
struct BatchPath {
    /// First line to read, from 1.
    #[serde(default)]
    #[schemars(range(min = 1))]
    from: Option<u64>,
    /// Last line to read.
    #[serde(default)]
    #[schemars(range(min = 1))]
    to: Option<u64>,
    /// The file.
    #[schemars(extend("x-tag" = "body"))]
    path: String,
}

impl Tool for ReadBatch {
    const NAME: &'static str = "read_batch";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] = &[concat!(
        r#"<read_batch><path>src/main.rs</path>"#,
        r#"<path from="1" to="40">src/lib.rs</path></read_batch>"#
    )];
    const LABEL: &'static str = "read";

    fn claims(&self, cx: &ToolContext) -> Claims {
        claims(cx, self.paths.iter().map(|path| (&*path.path, Touch::Reads)))
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        at_desk(cx, move |desk| self.read(desk)).await
    }
}

impl ReadBatch {
    fn read(self, desk: &Desk) -> ToolOutcome {
        let n = self.paths.len();
        let (mut shown, mut files, mut media, mut n_failed) =
            (String::new(), Vec::new(), Vec::new(), 0);
        for (i, path) in self.paths.iter().enumerate() {
            desk.check_cancel()?;
            // What one file leaves unused, the later ones may use.
            let budget = BUDGET.saturating_sub(shown.len()) / (n - i);
            match path.read(desk, budget) {
                Ok(reading) => {
                    shown.push_str(&reading.echo);
                    files.push(reading.payload);
                    media.extend(reading.media);
                }
                Err(failure) => {
                    n_failed += 1;
                    let error = failure.reason();
                    shown.push_str(&format!("{}: not read: {error}", path.path));
                    files.push(json!({ "path": path.path, "error": error }));
                }
            }
            shown.push_str("\n\n");
        }
        if n_failed == n {
            let message = format!("none of {} could be read\n{shown}", count(n as u64, "file"));
            return Err(ToolFailure::Failed(message.trim_end().to_owned()));
        }
        let payload = json!({ "files": files });
        Ok(ToolOutput { media, ..ToolOutput::new(shown.trim_end(), payload) })
    }
}

impl BatchPath {
    fn read(&self, desk: &Desk, budget: usize) -> Result<Reading, ToolFailure> {
        let wanted = lines(self.from, self.to, budget)?;
        read_one(desk, &self.path, wanted)
    }
}
