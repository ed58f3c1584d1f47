//! `list_files`: what stands in a folder.

use std::{fmt::Write as _, path::Path};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tagline_executor::{Tool, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput};
use tagline_workspace::{Kind, Problem, show_name};

use crate::{
    files::{
        desk::{Desk, Touch, at_desk, claims, last_name},
        text::{count, size},
    },
    search::walk::{Entry, Flow, Tour},
};

/// How far is counted beyond the limit.
const COUNTED: u64 = 20_000;
/// How much text the tree may take, in bytes.
const BUDGET: usize = 14 * 1024;

/// Lists a folder: names, kinds and sizes, without what ignore files leave out. To find text in
/// files, use `search_files`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ListFiles {
    /// The folder.
    #[serde(default = "here")]
    path: String,
    /// Whether folders are listed with their content.
    #[serde(default)]
    recursive: bool,
    /// Most entries to list.
    #[serde(default = "limit")]
    #[schemars(range(min = 1, max = 5_000))]
    limit: u64,
    /// Whether names that start with a dot are listed.
    #[serde(default)]
    hidden: bool,
}

pub(super) fn here() -> String {
    ".".to_owned()
}

fn limit() -> u64 {
    500
}

impl Tool for ListFiles {
    const NAME: &'static str = "list_files";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] =
        &["<list_files/>", r#"<list_files path="src" recursive="true"/>"#];
    const LABEL: &'static str = "list";
    const SUBTITLE: Option<&'static str> = Some("path");
    const VOICED: bool = false;

    fn claims(&self, cx: &ToolContext) -> Claims {
        claims(cx, [(&*self.path, Touch::Reads)])
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        at_desk(cx, move |desk| self.list(desk)).await
    }
}

impl ListFiles {
    fn list(self, desk: &Desk) -> ToolOutcome {
        let start = desk.files.folder(&self.path).map_err(|error| {
            if error.problem != Problem::NotAFolder {
                return desk.failure(&error);
            }
            let message = "expected a folder, but it is a file or lies below one; read a file with";
            ToolFailure::BadCall(format!("`{}`: {message} `read_file`", error.path))
        })?;
        let mut tree = Tree { limit: self.limit, ..Tree::default() };
        let depth = if self.recursive { None } else { Some(1) };
        let tour = Tour { start: start.clone(), depth, shows_hidden: self.hidden };
        tour.visit(desk, |entry| Ok(tree.add(&start, entry)))?;
        let echo = tree.render(&self.path);
        let payload = json!({
            "path": self.path, "entries": tree.entries, "files": tree.n_files,
            "folders": tree.n_folders, "omitted": tree.n_left_out,
        });
        Ok(ToolOutput::new(echo, payload))
    }
}

/// The entries as they are found.
#[derive(Default)]
struct Tree {
    limit: u64,
    shown: String,
    entries: Vec<Value>,
    n_files: u64,
    n_folders: u64,
    n_left_out: u64,
}

impl Tree {
    fn add(&mut self, start: &Path, entry: &Entry<'_>) -> Flow {
        if entry.kind() == Kind::Folder {
            self.n_folders += 1
        } else {
            self.n_files += 1
        }
        if self.entries.len() as u64 >= self.limit || self.shown.len() > BUDGET {
            self.n_left_out += 1;
            return if self.n_left_out > COUNTED { Flow::Stop } else { Flow::On };
        }
        let rest = entry.path.strip_prefix(start).unwrap_or(entry.path);
        let indent = "  ".repeat(rest.components().count().saturating_sub(1));
        let (kind, what, bytes) = describe(entry);
        let _ = writeln!(self.shown, "{indent}{}{what}", last_name(rest));
        let path = show_name(rest.as_os_str());
        self.entries.push(json!({ "path": path, "kind": kind, "bytes": bytes }));
        Flow::On
    }

    fn render(&self, path: &str) -> String {
        if self.n_files + self.n_folders == 0 {
            return format!("{path}: nothing, or only what ignore files and dots hide");
        }
        let (files, folders) = (count(self.n_files, "file"), count(self.n_folders, "folder"));
        let more = match self.n_left_out {
            0 => String::new(),
            n if n > COUNTED => format!("[more than {COUNTED} more; list a folder below]"),
            n => format!("[{n} more; list a folder below, or raise `limit`]"),
        };
        format!("{path}: {files}, {folders}\n{}{more}", self.shown).trim_end().to_owned()
    }
}

/// Its kind for the card, what stands behind its name, and its size.
fn describe(entry: &Entry<'_>) -> (&'static str, String, Option<u64>) {
    if let Some(target) = entry.target() {
        return ("link", format!(" -> {}", show_name(target.as_os_str())), None);
    }
    match entry.kind() {
        Kind::Folder => ("folder", "/".to_owned(), None),
        Kind::Special(_) => ("special", "  (not a regular file)".to_owned(), None),
        Kind::File(len) => ("file", format!("  {}", size(len)), Some(len)),
    }
}
