//! `list_code_definition_names`: what a file or folder of code defines.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tagline_executor::{Tool, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput};
use tagline_workspace::{FileError, Kind, Opened};

use crate::{
    files::{
        desk::{Desk, Touch, at_desk, claims},
        text::{Text, count},
    },
    search::{
        code::{Definition, Symbols, is_code},
        list_files::here,
        walk::{Flow, Tour},
    },
};

/// Largest file that is read, in bytes.
const FILE: u64 = 1024 * 1024;
/// Most files of a folder that are read.
const FILES: usize = 2_000;
/// How much text the list may take, in bytes.
const BUDGET: usize = 14 * 1024;
/// Longest line that is shown, in characters.
const WIDTH: usize = 120;

/// Lists the functions, types and other definitions of a file, or of the files of a folder, with
/// their lines. To read one of them, use `extract`; to find text, `search_files`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ListCodeDefinitionNames {
    /// The file or folder.
    #[serde(default = "here")]
    path: String,
}

impl Tool for ListCodeDefinitionNames {
    const NAME: &'static str = "list_code_definition_names";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] =
        &[r#"<list_code_definition_names path="src/auth.rs"/>"#];
    const LABEL: &'static str = "outline";
    const SUBTITLE: Option<&'static str> = Some("path");
    const VOICED: bool = false;

    fn claims(&self, cx: &ToolContext) -> Claims {
        claims(cx, [(&*self.path, Touch::Reads)])
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        at_desk(cx, move |desk| self.list(desk)).await
    }
}

impl ListCodeDefinitionNames {
    fn list(self, desk: &Desk) -> ToolOutcome {
        let mut outline = Outline::default();
        let failure = |error: FileError| desk.failure(&error);
        match desk.files.kind(&self.path).map_err(failure)? {
            Kind::Folder => self.walk(desk, &mut outline)?,
            Kind::File(_) | Kind::Special(_) => {
                let opened = desk.files.open(&self.path).map_err(failure)?;
                outline
                    .add(desk, opened)
                    .map_err(|why| ToolFailure::BadCall(format!("`{}`: {why}", self.path)))?;
            }
        }
        Ok(outline.report(&self.path))
    }

    fn walk(&self, desk: &Desk, outline: &mut Outline) -> Result<(), ToolFailure> {
        let start = desk.files.folder(&self.path).map_err(|error| desk.failure(&error))?;
        let tour = Tour { start, depth: None, shows_hidden: false };
        tour.visit(desk, |entry| {
            let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
            if !entry.is_file() || !is_code(&name) {
                return Ok(Flow::On);
            }
            if outline.n_files >= FILES {
                outline.is_cut = true;
                return Ok(Flow::Stop);
            }
            // What vanished, is not ours to read or no text is left out.
            if let Ok(opened) = desk.files.open_found(entry.path) {
                let _ = outline.add(desk, opened);
            }
            Ok(Flow::On)
        })
    }
}

/// The definitions as they are found.
#[derive(Default)]
struct Outline {
    shown: String,
    files: Vec<Value>,
    n_files: usize,
    n_definitions: usize,
    /// Files with definitions that are not shown any more.
    n_hidden: usize,
    /// The folder holds more files than are read.
    is_cut: bool,
}

impl Outline {
    /// Takes a file, or says why not.
    fn add(&mut self, desk: &Desk, opened: Opened) -> Result<(), String> {
        let contents = opened.read(FILE).map_err(|problem| problem.to_string())?;
        let text = Text::decode(&contents.bytes);
        let text = text.ok_or("expected a text file, but it is binary")?.text;
        let path = desk.files.show(&contents.path);
        self.n_files += 1;
        let symbols = Symbols::of(&path, &text);
        let found = symbols.all();
        if found.is_empty() {
            return Ok(());
        }
        self.n_definitions += found.len();
        let shown = show(&path, found, &text);
        if self.shown.len() + shown.len() > BUDGET && !self.shown.is_empty() {
            self.n_hidden += 1;
            return Ok(());
        }
        self.shown.push_str(&shown);
        self.files.push(json!({ "path": path, "definitions": of_card(found) }));
        Ok(())
    }

    fn report(self, path: &str) -> ToolOutput {
        let n = count(self.n_definitions as u64, "definition");
        let of = count(self.n_files as u64, "file");
        let mut echo = match self.n_definitions {
            0 => format!("{path}: no definition in {of} of code"),
            _ => format!("{path}: {n} in {of} of code\n{}", self.shown),
        };
        if self.n_hidden > 0 {
            let n = count(self.n_hidden as u64, "more file");
            let _ = write!(echo, "[{n} with definitions; list a folder or file below]");
        }
        if self.is_cut {
            let _ = write!(echo, "[only {FILES} files were read; list a folder below]");
        }
        let payload = json!({
            "path": path, "files": self.files, "searched": self.n_files, "hits": self.n_definitions,
        });
        ToolOutput::new(echo.trim_end(), payload)
    }
}

/// One file's definitions: the number and the text of each line that names one.
fn show(path: &str, found: &[Definition], text: &str) -> String {
    let lines: Vec<_> = text.lines().collect();
    let mut shown = format!("{path}\n");
    let mut before = None;
    for (i, definition) in found.iter().enumerate() {
        // One line may name several.
        if before.replace(definition.at) == Some(definition.at) {
            continue;
        }
        if shown.len() > BUDGET {
            let n = count((found.len() - i) as u64, "more definition");
            let _ = writeln!(shown, "  [{n}, from line {}]", definition.at + 1);
            break;
        }
        let line = lines.get(definition.at).copied().unwrap_or_default();
        let line: String = line.trim_end().chars().take(WIDTH).collect();
        let _ = writeln!(shown, "  {} | {line}", definition.at + 1);
    }
    shown
}

fn of_card(found: &[Definition]) -> Vec<Value> {
    let of = |it: &Definition| json!({ "name": it.name, "line": it.at + 1, "end": it.last + 1 });
    found.iter().map(of).collect()
}
