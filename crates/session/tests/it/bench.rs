//! A session with a scripted model, two small tools and a journal in a temporary folder.

use std::{
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Deserialize;
use tagline_agent::{Policy, TurnLimits};
use tagline_executor::{
    Approval, Approver, Capabilities, Choice, Question, Registry, Tool, ToolContext,
    guards::ReadLedger,
};
use tagline_model::{Model, ModelInfo, ModelStream, Request, ScriptedModel};
use tagline_policy::Situation;
use tagline_protocol::{Effect, Event, Frame, Mode, ToolOutcome, ToolOutput};
use tagline_session::{Clock, Parts, Sampling, Session, Settings};
use tagline_store::SqliteJournal;
use tagline_workspace::Workspace;

/// Counts how often it ran.
#[derive(Debug, Default)]
pub(crate) struct Counter(pub(crate) AtomicU32);

/// Adds one to a counter.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Add {
    /// What for.
    why: String,
}

impl Tool for Add {
    const NAME: &'static str = "add";
    const EFFECT: Effect = Effect::Write;
    const EXAMPLES: &'static [&'static str] = &[r#"<add why="one more"/>"#];

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        let n = cx.get::<Counter>()?.0.fetch_add(1, Ordering::SeqCst) + 1;
        Ok(ToolOutput::new(format!("{n}: {}", self.why), serde_json::json!({ "n": n })))
    }
}

/// Waits until it is stopped.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Sleep {}

impl Tool for Sleep {
    const NAME: &'static str = "sleep";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] = &["<sleep/>"];

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        cx.cancel.cancelled().await;
        Err(tagline_protocol::ToolFailure::Cancelled("woken".to_owned()))
    }
}

#[derive(Debug)]
pub(crate) struct Noon;

impl Clock for Noon {
    fn now(&self) -> String {
        "2026-01-01T12:00:00.000Z".to_owned()
    }
}

pub(crate) struct Never;

impl Approver for Never {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Approval> {
        let hash = question.hash.clone();
        Box::pin(async move { Approval { hash, choice: Choice::No { words: None } } })
    }
}

/// A session over a journal, and what it showed.
pub(crate) struct Bench {
    pub(crate) session: Session<SqliteJournal>,
    pub(crate) model: ScriptedModel,
    pub(crate) counter: Arc<Counter>,
    shown: Arc<Mutex<Vec<Frame>>>,
}

impl Bench {
    /// A new session with the two small tools, whose model plays `script`.
    pub(crate) async fn new(folder: &Path, script: &str) -> Self {
        Self::create(folder, script, small(), Capabilities::default()).await
    }

    /// A new session with the real tools for files.
    pub(crate) async fn with_files(folder: &Path, script: &str) -> Self {
        let files = folder.join("files");
        std::fs::create_dir_all(&files).unwrap();
        let workspace = Workspace::builder(files).open().unwrap();
        let capabilities =
            Capabilities::default().with(Arc::new(workspace)).with(Arc::new(ReadLedger::default()));
        Self::create(folder, script, tagline_tools::all(), capabilities).await
    }

    /// A new session whose model reads so many tokens and has this system prompt.
    pub(crate) async fn narrow(folder: &Path, script: &str, tokens: u64, system: &str) -> Self {
        let ((mut parts, mut settings), rest) =
            Self::parts(folder, script, small(), Capabilities::default());
        let info = ModelInfo { context_tokens: Some(tokens), ..rest.model.info().clone() };
        parts.model = Arc::new(Narrow { inner: rest.model.clone(), info });
        settings.system = system.to_owned();
        let (id, workspace) = ("s".to_owned(), folder.to_owned());
        rest.with(Session::create(parts, settings, id, workspace).await.unwrap())
    }

    /// A new session with the two small tools and these bounds.
    pub(crate) async fn bounded(folder: &Path, script: &str, limits: TurnLimits) -> Self {
        let ((parts, mut settings), rest) =
            Self::parts(folder, script, small(), Capabilities::default());
        settings.limits = limits;
        let (id, workspace) = ("s".to_owned(), folder.to_owned());
        rest.with(Session::create(parts, settings, id, workspace).await.unwrap())
    }

    /// The same session in another process, as it were.
    pub(crate) fn reopen(folder: &Path, script: &str) -> Self {
        let ((parts, settings), rest) =
            Self::parts(folder, script, small(), Capabilities::default());
        rest.with(Session::open(parts, settings, "s".to_owned()))
    }

    async fn create(folder: &Path, script: &str, tools: Registry, reach: Capabilities) -> Self {
        let ((parts, settings), rest) = Self::parts(folder, script, tools, reach);
        let (id, workspace) = ("s".to_owned(), folder.to_owned());
        rest.with(Session::create(parts, settings, id, workspace).await.unwrap())
    }

    fn parts(
        folder: &Path,
        script: &str,
        registry: Registry,
        capabilities: Capabilities,
    ) -> ((Parts<SqliteJournal>, Settings), Rest) {
        let model = ScriptedModel::from_text(script).unwrap();
        let counter = Arc::new(Counter::default());
        let shown = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&shown);
        let parts = Parts {
            journal: Arc::new(SqliteJournal::open(&folder.join("journal.db")).unwrap()),
            model: Arc::new(model.clone()),
            registry: Arc::new(registry),
            capabilities: capabilities.with(Arc::clone(&counter)),
            situation: Situation {
                mode: Mode::Full,
                is_attended: false,
                roots: vec![folder.to_owned(), folder.join("files")],
                home: None,
                own: Vec::new(),
                ..Situation::default()
            },
            approver: Arc::new(Never),
            clock: Arc::new(Noon),
            watcher: Arc::new(move |frame: &Frame| sink.lock().unwrap().push(frame.clone())),
        };
        let settings = Settings {
            system: "You are a test.".to_owned(),
            policy: Policy::Free,
            limits: TurnLimits::default(),
            sampling: Sampling::default(),
            tool_attempts: 1,
            timeout: None,
            answer: None,
            profile: "default".to_owned(),
        };
        ((parts, settings), Rest { model, counter, shown })
    }

    /// One word for each frame that was shown, in order.
    pub(crate) fn kinds(&self) -> String {
        let shown = self.shown.lock().unwrap();
        let kinds: Vec<String> = shown.iter().map(kind).collect();
        kinds.join("\n") + "\n"
    }
}

fn small() -> Registry {
    let mut registry = Registry::default();
    registry.add::<Add>();
    registry.add::<Sleep>();
    registry
}

/// A scripted model that says how much it reads.
#[derive(Debug)]
struct Narrow {
    inner: ScriptedModel,
    info: ModelInfo,
}

impl Model for Narrow {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn ask(&self, request: Request) -> ModelStream {
        self.inner.ask(request)
    }
}

struct Rest {
    model: ScriptedModel,
    counter: Arc<Counter>,
    shown: Arc<Mutex<Vec<Frame>>>,
}

impl Rest {
    fn with(self, session: Session<SqliteJournal>) -> Bench {
        let Self { model, counter, shown } = self;
        Bench { session, model, counter, shown }
    }
}

/// Waits until the condition holds; the caller's test hangs where it never does.
pub(crate) async fn until(mut holds: impl FnMut() -> bool) {
    while !holds() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "few of the events say more than their kind")]
pub(crate) fn kind(frame: &Frame) -> String {
    let call = frame.call.as_ref().map(|call| format!(" {call}")).unwrap_or_default();
    let more = match &frame.event {
        Event::RunFinished { reason, .. } => format!(" {reason}"),
        Event::ResultsMessage { text, .. } => format!(" {}", text.replace('\n', "↵")),
        Event::ToolCancelled { reason } => format!(" {reason}"),
        Event::ToolFailed { echo, .. } => format!(" {echo}"),
        Event::RunFailed { reason, message } => format!(" {reason}: {message}"),
        Event::UserMessage { text, .. } => format!(" {text}"),
        Event::MessageQueued { message, text, .. } => format!(" {message} {text}"),
        Event::MessageUnqueued { message, reason } => format!(" {message} {reason}"),
        Event::ApprovalAnswered { is_allowed, by, .. } => format!(" {is_allowed} {by}"),
        Event::SessionForked { source, title, turns } => format!(" {source} {title} {turns}"),
        Event::ToolEdited { arguments, .. } => format!(" {arguments}"),
        Event::SessionTitle { title } => format!(" {title}"),
        _ => String::new(),
    };
    format!("{} {}{call}{more}", frame.seq, frame.event.kind())
}
