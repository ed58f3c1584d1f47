//! A workspace in a temporary folder, and tools that run in it.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, Mutex},
};

use serde_json::Value;
use tagline_executor::{Audit, Capabilities, PastResults, ToolContext, guards::ReadLedger};
use tagline_protocol::{CallId, Event, ToolOutcome};
use tagline_tools::commands::{Fence, Means, Proof, Runs, RunsConfig, Sandbox, Starter};
use tagline_workspace::Workspace;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// Whether this machine can confine commands. Where it cannot, tests of that have nothing to test.
pub(crate) static CAN_CONFINE: LazyLock<bool> = LazyLock::new(|| {
    let scratch = TempDir::new().unwrap();
    let outside = TempDir::new().unwrap();
    Proof::make(Means::Namespaces, &Starter::Fork, scratch.path(), outside.path())
        .is_ok_and(|proof| proof.is_whole())
});

/// Where calls run.
pub(crate) struct Bench {
    pub(crate) folder: TempDir,
    pub(crate) runs: Arc<Runs>,
    pub(crate) cancel: CancellationToken,
    workspace: Arc<Workspace>,
    events: Arc<Mutex<Vec<Event>>>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(|_| ())
    }

    /// With other settings of the run manager.
    pub(crate) fn with(change: impl FnOnce(&mut RunsConfig)) -> Self {
        let folder = TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("ws")).unwrap();
        let workspace = Workspace::builder(path("ws")).open().unwrap();
        let mut config = config(&folder);
        change(&mut config);
        Self {
            runs: Arc::new(Runs::new(config).unwrap()),
            workspace: Arc::new(workspace),
            cancel: CancellationToken::new(),
            events: Arc::default(),
            folder,
        }
    }

    /// One whose commands are confined, where this machine can.
    pub(crate) fn confined() -> Self {
        Self::with(|config| {
            if *CAN_CONFINE {
                config.sandbox = Sandbox::On(Fence::default());
            }
        })
    }

    /// Runs a call to its answer.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> ToolOutcome {
        let registry = tagline_tools::all();
        let entry = registry.get(tool).unwrap();
        (entry.call)(arguments, &self.context()).await
    }

    /// What the model reads of a call, a failure with its kind.
    pub(crate) async fn echo(&self, tool: &str, arguments: Value) -> String {
        match self.call(tool, arguments).await {
            Ok(output) => output.echo.to_string(),
            Err(failure) => format!("{}: {failure}", failure.kind()),
        }
    }

    pub(crate) fn context(&self) -> ToolContext {
        let events = Arc::clone(&self.events);
        ToolContext {
            call: CallId("c1".to_owned()),
            session: "s1".to_owned(),
            is_approved: false,
            cancel: self.cancel.clone(),
            audit: Audit::default(),
            emit: Arc::new(move |event| events.lock().unwrap().push(event)),
            capabilities: Capabilities::default()
                .with(Arc::clone(&self.runs))
                .with(Arc::clone(&self.workspace))
                .with(Arc::new(ReadLedger::default()))
                .with(Arc::new(past_results())),
        }
    }

    /// The output that was shown live so far.
    pub(crate) fn shown(&self) -> String {
        let events = self.events.lock().unwrap();
        let delta = |event: &Event| {
            let Event::ToolOutput { delta, .. } = event else { return String::new() };
            delta.clone()
        };
        events.iter().map(delta).collect()
    }

    /// The live events so far; they are handed out once.
    pub(crate) fn events(&self) -> Vec<Event> {
        std::mem::take(&mut self.events.lock().unwrap())
    }
}

/// The settings of the run manager.
pub(crate) fn config(folder: &TempDir) -> RunsConfig {
    let path = |name: &str| folder.path().join(name);
    RunsConfig { environment: environment(), ..RunsConfig::new(path("runs"), vec![path("ws")]) }
}

/// What a command may see of a process: some of it, and never the canary.
fn environment() -> BTreeMap<String, String> {
    [("HOME", "/home/ada"), ("OPENAI_API_KEY", "canary"), ("PATH", env!("PATH"))]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
}

/// One call has given a result before, and nothing can be said of another.
fn past_results() -> PastResults {
    PastResults::new(|call| {
        let found = match call.0.as_str() {
            "t1.3" => Ok(Some("0123456789äöü\n".repeat(2_000))),
            "t1.4" => Err("the journal is closed".to_owned()),
            _ => Ok(None),
        };
        Box::pin(std::future::ready(found))
    })
}
