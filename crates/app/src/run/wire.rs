//! Everything a session is made of, put together.

use std::{path::PathBuf, sync::Arc};

use jiff::ZonedDateTime;
use tagline_agent::{Policy, TurnLimits, prompt};
use tagline_executor::{Capabilities, Registry, guards::ReadLedger};
use tagline_model::Model;
use tagline_policy::Situation;
use tagline_protocol::{Detail, GrammarOptions, Toolset};
use tagline_session::{Parts, Sampling, Session, SystemClock};
use tagline_store::{Lease, SessionInfo, SqliteJournal};
use tagline_tools::commands::{Runs, RunsConfig};
use tagline_workspace::Workspace;

use super::{Live, approve::Answers, end::broken};
use crate::{
    app::App,
    config::{Loop, Settings, Switch},
    exit::Exit,
    journal,
    output::fail,
    paths::Paths,
};

/// Who the assistant is.
const PERSONA: &str =
    "You do the user's tasks on their machine with the tools below. Be brief and exact.";

/// Which session it is.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// A new one, in this folder.
    New {
        /// Absolute.
        workspace: PathBuf,
    },
    /// One that is in the journal.
    Old(SessionInfo),
}

/// What to put together.
pub(crate) struct Order<'a> {
    /// The settings in force.
    pub(crate) settings: &'a Settings,
    /// Which session.
    pub(crate) place: Place,
    /// Who is asked.
    pub(crate) model: Arc<dyn Model>,
    /// Who says yes.
    pub(crate) approver: Answers,
    /// Who is shown the frames.
    pub(crate) live: Arc<Live>,
}

/// A session and what it owns.
pub(crate) struct Wired {
    /// The session.
    pub(crate) session: Session<SqliteJournal>,
    runs: Arc<Runs>,
    /// Keeps other processes off the session.
    _lease: Lease,
}

impl Wired {
    /// Ends every command that still runs.
    pub(crate) async fn close(&self) {
        self.runs.shutdown().await;
    }
}

/// Puts a session together.
pub(crate) async fn open(app: &App, order: Order<'_>) -> Result<Wired, Exit> {
    let paths = app.paths()?;
    let journal = Arc::new(journal::open(app)?);
    let (id, folder) = match &order.place {
        Place::New { workspace } => (new_id(), workspace.clone()),
        Place::Old(info) => (info.id.clone(), info.workspace.clone()),
    };
    let workspace = Arc::new(workspace(app, &paths, &order.settings.add_dirs, &folder)?);
    let runs = Arc::new(runs(app, &paths, &id, &workspace)?);
    let registry = Arc::new(tools(order.settings)?);
    order.live.label(
        registry.entries().iter().map(|e| (e.spec.name.clone(), e.spec.card.clone())).collect(),
    );
    let settings = settings(&order, &registry, &workspace);
    let parts = Parts {
        journal: Arc::clone(&journal),
        model: order.model,
        registry,
        capabilities: Capabilities::default()
            .with(Arc::clone(&workspace))
            .with(Arc::clone(&runs))
            .with(Arc::new(ReadLedger::default())),
        situation: Situation {
            mode: order.settings.mode,
            is_attended: order.approver.is_attended,
            roots: workspace.writable_roots(),
            home: app.env.get("HOME").map(PathBuf::from),
            own: paths.own(),
            rules: Vec::new(),
        },
        approver: order.approver.approver,
        clock: Arc::new(SystemClock),
        watcher: order.live.watcher(),
    };
    let session = match order.place {
        Place::New { .. } => Session::create(parts, settings, id.clone(), folder)
            .await
            .map_err(|error| broken(&error))?,
        Place::Old(_) => Session::open(parts, settings, id.clone()),
    };
    let lease = journal.acquire(&id).await.map_err(|error| journal::refuse(&error))?;
    Ok(Wired { session, runs, _lease: lease })
}

/// Short enough to type, long enough to be the only one: the last 48 random bits of a UUID.
pub(crate) fn new_id() -> String {
    let id = uuid::Uuid::now_v7().simple().to_string();
    id.chars().skip(20).collect()
}

/// The tools that the settings name, or all.
pub(crate) fn tools(settings: &Settings) -> Result<Registry, Exit> {
    let all = tagline_tools::all();
    if settings.tools.is_empty() {
        return Ok(all);
    }
    all.only(&settings.tools).map_err(|error| fail(Exit::Usage, format_args!("--tools: {error}")))
}

fn workspace(
    app: &App,
    paths: &Paths,
    extra: &[PathBuf],
    folder: &std::path::Path,
) -> Result<Workspace, Exit> {
    let mut builder = Workspace::builder(folder).data(&paths.data);
    if let Some(home) = app.env.get("HOME") {
        builder = builder.device(home);
    }
    for own in paths.own() {
        builder = builder.own(own);
    }
    for folder in extra {
        builder = builder.extra(app.env.cwd().join(folder));
    }
    builder.open().map_err(|error| fail(Exit::Setup, error))
}

fn runs(app: &App, paths: &Paths, id: &str, workspace: &Workspace) -> Result<Runs, Exit> {
    let folder = paths.state.join("runs").join(id);
    let mut config = RunsConfig::new(folder, workspace.writable_roots());
    config.environment = app.env.vars().iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    Runs::new(config)
        .map_err(|error| fail(Exit::Setup, format_args!("the folder for command logs: {error}")))
}

fn settings(
    order: &Order<'_>,
    registry: &Registry,
    workspace: &Workspace,
) -> tagline_session::Settings {
    let Settings { limits, network, .. } = order.settings;
    let policy = policy(order.settings);
    let tools = Toolset::new(registry.entries().iter().map(|entry| entry.spec.clone()));
    let grammar = grammar(order, &tools);
    // A grammar holds the form by itself, so the least explanation will do.
    let detail = if grammar.is_some() { Detail::Compact } else { Detail::Full };
    let system = system(policy, detail, &tools, workspace);
    let defaults = TurnLimits::for_policy(policy);
    tagline_session::Settings {
        system,
        policy,
        limits: TurnLimits {
            passes: limits.max_passes.unwrap_or(defaults.passes),
            calls_per_reply: limits.calls_per_reply,
            calls: limits.max_calls,
            continuations: limits.continuations,
            stream_attempts: network.attempts,
        },
        sampling: Sampling {
            max_tokens: order.settings.max_tokens,
            temperature: order.settings.temperature,
            seed: order.settings.seed,
            grammar,
        },
        tool_attempts: limits.tool_attempts,
        timeout: limits.timeout,
    }
}

/// The loop that the settings name.
pub(crate) fn policy(settings: &Settings) -> Policy {
    match settings.r#loop {
        Loop::Free => Policy::Free,
        Loop::Guided => Policy::Guided { requires_thinking: false },
    }
}

/// A server that takes a grammar holds the model to it: one call a reply, with short values, so
/// that even a very small model can act.
fn grammar(order: &Order<'_>, tools: &Toolset) -> Option<String> {
    let takes_it = order.model.info().takes_grammar && order.settings.grammar == Switch::Auto;
    takes_it.then(|| tools.grammar(&GrammarOptions::small()))
}

/// The prompt; its last part says where and when.
pub(crate) fn system(
    policy: Policy,
    detail: Detail,
    tools: &Toolset,
    workspace: &Workspace,
) -> String {
    let folder = workspace.path().display().to_string();
    let date = ZonedDateTime::now().strftime("%A, %Y-%m-%d").to_string();
    let facts =
        [("folder", folder.as_str()), ("platform", std::env::consts::OS), ("date", date.as_str())];
    let parts = prompt::PromptParts {
        name: "Tagline",
        persona: PERSONA,
        policy,
        detail,
        tools,
        rules: &[],
        facts: &facts,
    };
    prompt::system(&parts)
}
