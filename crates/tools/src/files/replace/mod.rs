//! `replace_in_file`: parts of a file, found by their text.

mod apply;
mod blocks;
pub(crate) mod find;
pub(crate) mod lines;
pub(crate) mod near;
pub(crate) mod put;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Parts, Tool, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput};
use tagline_workspace::{Before, Contents};

use crate::files::{
    desk::{Desk, Touch, at_desk, claims},
    diff::Diff,
    seen::check_seen,
    text::{Encoding, Text, count, n_lines},
    write_file::existing,
};

/// Longest diff in the echo, in bytes.
const ECHOED: usize = 3_000;
/// Longest diff on the card, in bytes.
const CARD: usize = 64 * 1024;

/// Changes parts of a text file: each block replaces the lines under SEARCH, which must stand in
/// the file once, by the lines under REPLACE. Use it instead of `write_file` for a small change
/// to a file that you have read; all blocks are applied, or none.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ReplaceInFile {
    /// The file, such as `src/main.rs`.
    path: String,
    /// One or more blocks: a line `------- SEARCH`, whole lines as they stand in the file, a line
    /// `=======`, the new lines, a line `+++++++ REPLACE`. No new lines: the found ones go. No
    /// searched lines: the text of a new or empty file.
    #[schemars(extend("x-tag" = "body child raw"))]
    diff: String,
}

impl Tool for ReplaceInFile {
    const NAME: &'static str = "replace_in_file";
    const EFFECT: Effect = Effect::Write;
    const EXAMPLES: &'static [&'static str] = &[concat!(
        "<replace_in_file path=\"src/main.rs\"><![CDATA[\n",
        "------- SEARCH\n",
        "    println!(\"Hello\");\n",
        "=======\n",
        "    println!(\"Good morning\");\n",
        "+++++++ REPLACE\n",
        "]]></replace_in_file>"
    )];
    const LABEL: &'static str = "edit";
    const SUBTITLE: Option<&'static str> = Some("path");

    fn claims(&self, cx: &ToolContext) -> Claims {
        claims(cx, [(self.path.as_str(), Touch::Writes)])
    }

    fn parts(&self, take: &BTreeSet<usize>) -> Option<Parts> {
        let (text, n) = blocks::only(&self.diff, take)?;
        Some(Parts { argument: "diff", n, text })
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        at_desk(cx, move |desk| self.replace(desk)).await
    }
}

impl ReplaceInFile {
    fn replace(self, desk: &Desk) -> ToolOutcome {
        let Self { path, diff } = self;
        let bad = |fault: &dyn std::fmt::Display| {
            ToolFailure::BadCall(format!("`{path}`: {fault}; nothing was written"))
        };
        let blocks = blocks::parse(&diff).map_err(|fault| bad(&fault))?;
        let old = existing(desk, &path)?;
        if let Some(old) = &old {
            check_seen(desk, &path, old)?;
        }
        let text = decode(&path, old.as_ref())?;
        let new = apply::all(&text.text, &blocks).map_err(|fault| match old {
            Some(_) => bad(&fault),
            // Nothing is searched in a file that is to be made.
            None => missing(desk, &path),
        })?;
        let bytes = text.encode(&new).map_err(|c| {
            let encoding = text.encoding.name();
            bad(&format!("expected characters that {encoding} has, but found `{c}`"))
        })?;
        desk.check_cancel()?;
        let before = old.as_ref().map_or(Before::Absent, |old| Before::Is(old.hash));
        let written = desk.files.write(&path, &bytes, before);
        let written = written.map_err(|error| desk.failure(&error))?;
        desk.note_written(&written, &bytes);
        Ok(report(&path, &text.text, &new, blocks.len(), written.is_new))
    }
}

fn missing(desk: &Desk, path: &str) -> ToolFailure {
    match desk.files.kind(path) {
        Err(error) => desk.failure(&error),
        Ok(_) => ToolFailure::Failed(format!("`{path}`: it came up meanwhile; read it first")),
    }
}

fn decode(path: &str, old: Option<&Contents>) -> Result<Text, ToolFailure> {
    let Some(old) = old else {
        return Ok(Text { text: String::new(), encoding: Encoding::Utf8, has_bom: false });
    };
    Text::decode(&old.bytes).ok_or_else(|| {
        let message = format!("`{path}`: expected a text file, but it is binary");
        ToolFailure::BadCall(message)
    })
}

fn report(path: &str, old: &str, new: &str, n_blocks: usize, is_new: bool) -> ToolOutput {
    let diff = Diff::between(old, new);
    let n_lines = n_lines(new);
    let verb = if is_new { "created" } else { "changed" };
    let n = count(n_blocks as u64, "block");
    let echo = format!("{verb} `{path}`: {n}, {}\n{}", diff.stat(), diff.bounded(ECHOED));
    let payload = json!({
        "path": path, "bytes": new.len(), "lines": n_lines, "created": is_new,
        "blocks": n_blocks, "added": diff.n_added, "removed": diff.n_removed,
        "diff": diff.bounded(CARD),
    });
    ToolOutput::new(echo.trim_end(), payload)
}
