//! `apply_patch`: a unified diff over several files, all of it or nothing.

mod draft;
mod fit;
mod names;
mod parse;
mod plan;
mod put;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tagline_executor::{Parts, Tool, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput};

use crate::files::{
    desk::{Desk, Touch, at_desk, claims, makes},
    diff::Diff,
    patch::{parse::Deed, plan::Step},
    text::count,
};

/// Longest diff of one file on the card, in bytes.
const CARD: usize = 16 * 1024;
/// Most files that the echo names.
const NAMED: usize = 100;

/// Changes, creates, renames and deletes files by a unified diff, all of it or nothing. Use it for
/// changes in several files; for one small change, use `replace_in_file`. What is changed must
/// have been read before.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ApplyPatch {
    /// For each file a `--- a/path` and a `+++ b/path` line, `/dev/null` for a side without a file,
    /// then its hunks: a line `@@`, lines of the file with a blank in front, `-` lines, `+` lines.
    /// Line numbers are not needed, the lines themselves must be exact.
    #[schemars(extend("x-tag" = "body child raw"))]
    patch: String,
}

impl Tool for ApplyPatch {
    const NAME: &'static str = "apply_patch";
    const EFFECT: Effect = Effect::Write;
    const EXAMPLES: &'static [&'static str] = &[concat!(
        "<apply_patch><![CDATA[\n",
        "--- a/src/main.rs\n",
        "+++ b/src/main.rs\n",
        "@@\n",
        " fn main() {\n",
        "-    println!(\"Hello\");\n",
        "+    println!(\"Good morning\");\n",
        " }\n",
        "--- /dev/null\n",
        "+++ b/notes.txt\n",
        "@@\n",
        "+first note\n",
        "]]></apply_patch>"
    )];
    const LABEL: &'static str = "patch";

    fn claims(&self, cx: &ToolContext) -> Claims {
        // What is no patch changes nothing.
        let patches = parse::parse(&self.patch).unwrap_or_default();
        let mut paths = Vec::new();
        for patch in &patches {
            let goes = patch.deed == Deed::Delete || patch.to.is_some();
            let touch = if goes { Touch::Removes } else { Touch::Writes };
            paths.push((patch.path.as_str(), touch));
            paths.extend(patch.to.as_deref().map(|to| (to, Touch::Writes)));
        }
        claims(cx, paths)
    }

    fn parts(&self, take: &BTreeSet<usize>) -> Option<Parts> {
        let (text, n) = parse::only(&self.patch, take)?;
        Some(Parts { argument: "patch", n, text })
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        makes(cx, &self.claims(cx));
        at_desk(cx, move |desk| self.apply(desk)).await
    }
}

impl ApplyPatch {
    fn apply(self, desk: &Desk) -> ToolOutcome {
        let patches = parse::parse(&self.patch).map_err(|fault| {
            ToolFailure::BadCall(format!("`patch`: {fault}; nothing was written"))
        })?;
        let steps = plan::plan(desk, &patches)?;
        desk.check_cancel()?;
        put::put(desk, &steps)?;
        Ok(report(&steps))
    }
}

fn report(steps: &[Step]) -> ToolOutput {
    let (mut echo, mut files) = (String::new(), Vec::new());
    let (mut n_added, mut n_removed) = (0, 0);
    for (i, step) in steps.iter().enumerate() {
        let old = step.old.as_ref().map_or("", |old| &old.text);
        let diff = Diff::between(old, step.new.as_ref().map_or("", |new| &new.text));
        n_added += diff.n_added;
        n_removed += diff.n_removed;
        if i < NAMED {
            echo.push_str(&format!("\n{}: {}", deed(step), diff.stat()));
        }
        files.push(of_card(step, &diff));
    }
    if steps.len() > NAMED {
        echo.push_str(&format!("\n[and {}]", count((steps.len() - NAMED) as u64, "more file")));
    }
    let n = count(steps.len() as u64, "file");
    let echo = format!("patched {n}, +{n_added} -{n_removed}{echo}");
    let payload = json!({ "files": files, "added": n_added, "removed": n_removed });
    ToolOutput::new(echo, payload)
}

/// What happened to a file, for the model.
fn deed(step: &Step) -> String {
    let path = &step.path;
    match (&step.old, &step.new, &step.to) {
        (_, _, Some(to)) => format!("moved `{path}` to `{to}`"),
        (_, None, None) => format!("deleted `{path}`, it is kept in the undo store"),
        (None, Some(_), None) => format!("created `{path}`"),
        (Some(_), Some(_), None) => format!("changed `{path}`"),
    }
}

fn of_card(step: &Step, diff: &Diff) -> Value {
    json!({
        "path": step.path, "to": step.to, "created": step.old.is_none(),
        "deleted": step.new.is_none(), "added": diff.n_added, "removed": diff.n_removed,
        "diff": diff.bounded(CARD),
    })
}
