//! The file tools over a temporary folder.

mod editing;
mod finding;
mod moving;
mod outlining;
mod patching;
mod querying;
mod race;
mod reading;
mod writing;

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::Value;
use tagline_executor::{Audit, Capabilities, ToolContext, guards::ReadLedger};
use tagline_policy::Claims;
use tagline_protocol::{CallId, ToolOutcome};
use tagline_workspace::{Builder, Workspace};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A workspace, and what the model has seen of it.
struct Desk {
    top: TempDir,
    cx: ToolContext,
}

impl Desk {
    fn new() -> Self {
        Self::with(|builder| builder)
    }

    fn with(change: impl FnOnce(Builder) -> Builder) -> Self {
        let top = TempDir::new().unwrap();
        let path = |name: &str| top.path().join(name);
        fs::create_dir(path("ws")).unwrap();
        fs::create_dir(path("data")).unwrap();
        let builder = change(Workspace::builder(path("ws")).data(path("data")));
        let workspace = Arc::new(builder.open().unwrap());
        let capabilities =
            Capabilities::default().with(workspace).with(Arc::new(ReadLedger::default()));
        let cx = ToolContext {
            call: CallId("c1".to_owned()),
            session: "s1".to_owned(),
            is_approved: false,
            cancel: CancellationToken::new(),
            audit: Audit::default(),
            emit: Arc::new(|_| {}),
            capabilities,
        };
        Self { top, cx }
    }

    fn path(&self, rest: &str) -> PathBuf {
        self.top.path().canonicalize().unwrap().join("ws").join(rest)
    }

    /// Puts a file there behind the model's back.
    fn put(&self, path: &str, content: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), content).unwrap();
    }

    fn get(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    fn run(&self, tool: &str, arguments: Value) -> ToolOutcome {
        let registry = tagline_tools::all();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on((registry.get(tool).unwrap().call)(arguments, &self.cx))
    }

    fn claims(&self, tool: &str, arguments: Value) -> Claims {
        (tagline_tools::all().get(tool).unwrap().claims)(&arguments, &self.cx).unwrap()
    }

    /// What the model reads, a failure with its kind, without this machine's paths.
    fn echo(&self, tool: &str, arguments: Value) -> String {
        let text = match self.run(tool, arguments) {
            Ok(output) => output.echo.to_string(),
            Err(failure) => format!("{}: {failure}", failure.kind()),
        };
        self.plain(&text)
    }

    fn payload(&self, tool: &str, arguments: Value) -> Value {
        self.run(tool, arguments).unwrap().card.payload
    }

    fn plain(&self, text: &str) -> String {
        text.replace(&self.path("").parent().unwrap().display().to_string(), "/top")
    }

    /// Names below the workspace, sorted.
    fn tree(&self) -> String {
        let mut found = vec![];
        collect(&self.path(""), Path::new(""), &mut found);
        found.sort();
        found.iter().fold(String::new(), |mut all, path| {
            let _ = writeln!(all, "{path}");
            all
        })
    }
}

fn collect(folder: &Path, rest: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let rest = rest.join(entry.file_name());
        found.push(rest.display().to_string());
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &rest, found);
        }
    }
}
