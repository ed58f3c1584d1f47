//! `write_file`: a whole file, atomically.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput};
use tagline_workspace::{Before, Contents, Problem, Written};

use crate::files::{
    desk::{Desk, Touch, WHOLE, at_desk, claims, makes},
    diff::Diff,
    seen::check_seen,
    text::{Text, count, n_lines},
};

/// Longest diff in the echo, in bytes: the model wrote the new text itself.
const ECHOED: usize = 1_500;
/// Longest diff on the card, in bytes.
const CARD: usize = 64 * 1024;

/// Writes a text file, whole. Creates it with its folders, or replaces it. To change a part of a
/// file, use `replace_in_file`; a file that is there must have been read before.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct WriteFile {
    /// The file, such as `src/main.rs`.
    path: String,
    /// The new text of the file, all of it.
    #[schemars(extend("x-tag" = "body child raw"))]
    content: String,
}

impl Tool for WriteFile {
    const NAME: &'static str = "write_file";
    const ALIASES: &'static [&'static str] = &["write_to_file"];
    const EFFECT: Effect = Effect::Write;
    const EXAMPLES: &'static [&'static str] =
        &[r#"<write_file path="list.txt"><![CDATA[milk, eggs]]></write_file>"#];
    const LABEL: &'static str = "write";
    const SUBTITLE: Option<&'static str> = Some("path");

    fn claims(&self, cx: &ToolContext) -> Claims {
        claims(cx, [(self.path.as_str(), Touch::Writes)])
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        makes(cx, &self.claims(cx));
        at_desk(cx, move |desk| self.write(desk)).await
    }
}

impl WriteFile {
    fn write(self, desk: &Desk) -> ToolOutcome {
        let Self { path, content } = self;
        let old = existing(desk, &path)?;
        if let Some(old) = &old {
            if old.bytes == content.as_bytes() {
                desk.note(&old.path, &old.bytes);
                return Ok(unchanged(&path, &content));
            }
            check_seen(desk, &path, old)?;
        }
        desk.check_cancel()?;
        let before = old.as_ref().map_or(Before::Absent, |old| Before::Is(old.hash));
        let written = desk.files.write(&path, content.as_bytes(), before);
        let written = written.map_err(|error| desk.failure(&error))?;
        desk.note_written(&written, content.as_bytes());
        let old_text = old.and_then(|old| Text::decode(&old.bytes)).map(|text| text.text);
        Ok(report(&path, &content, &written, old_text.as_deref()))
    }
}

/// The file that stands there now, if any.
pub(crate) fn existing(desk: &Desk, path: &str) -> Result<Option<Contents>, ToolFailure> {
    match desk.files.read(path, WHOLE) {
        Ok(contents) => Ok(Some(contents)),
        Err(error) if matches!(error.problem, Problem::Missing(_)) => Ok(None),
        Err(error) => Err(desk.failure(&error)),
    }
}

fn unchanged(path: &str, content: &str) -> ToolOutput {
    let (n_bytes, n_lines) = (content.len(), n_lines(content));
    let echo = format!("`{path}` holds exactly this text already; nothing was written");
    let payload = json!({
        "path": path, "bytes": n_bytes, "lines": n_lines, "created": false, "diff": "",
    });
    ToolOutput::new(echo, payload)
}

fn report(path: &str, content: &str, written: &Written, old: Option<&str>) -> ToolOutput {
    let n_lines = n_lines(content);
    let diff = Diff::between(old.unwrap_or_default(), content);
    let size = format!("{}, {}", count(n_lines as u64, "line"), count(written.len, "byte"));
    let mut echo = match (written.is_new, old) {
        (true, _) => format!("wrote `{path}`: new, {size}"),
        (false, None) => format!("replaced `{path}`, which was binary: {size}"),
        (false, Some(_)) => {
            format!("replaced `{path}`: {size}, {}\n{}", diff.stat(), diff.bounded(ECHOED))
        }
    };
    if !written.is_durable {
        echo.push_str("\nthe system did not confirm that its folder is on the disk");
    }
    let payload = json!({
        "path": path, "bytes": written.len, "lines": n_lines, "created": written.is_new,
        "added": diff.n_added, "removed": diff.n_removed, "diff": diff.bounded(CARD),
    });
    ToolOutput::new(echo.trim_end(), payload)
}
