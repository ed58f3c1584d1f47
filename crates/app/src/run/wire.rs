//! Everything a session is made of, put together.

use std::{path::PathBuf, sync::Arc};

use tagline_executor::Registry;
use tagline_model::Model;
use tagline_protocol::{Detail, GrammarOptions, Toolset};
use tagline_session::{Parts, Sampling, Session, SystemClock};
use tagline_store::{Lease, SessionInfo, SqliteJournal};

use super::{Live, end::broken};
use crate::{
    app::App,
    approver::Terminal,
    config::{Settings, Switch},
    exit::Exit,
    journal,
    wiring::{self, Attendance, Place, Prompt},
};

/// Which session it is.
#[derive(Clone, Debug)]
pub(crate) enum Which {
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
    /// Under which profile a new session is written down.
    pub(crate) profile: &'a str,
    /// Which session.
    pub(crate) which: Which,
    /// Who is asked.
    pub(crate) model: Arc<dyn Model>,
    /// Whether somebody can say yes.
    pub(crate) attendance: Attendance,
    /// Who is shown the frames.
    pub(crate) live: Arc<Live>,
}

/// A session and what it owns.
pub(crate) struct Wired {
    /// The session.
    pub(crate) session: Session<SqliteJournal>,
    place: Place,
    /// Keeps other processes off the session.
    _lease: Lease,
}

impl Wired {
    /// Ends every command that still runs.
    pub(crate) async fn close(&self) {
        self.place.close().await;
    }
}

/// Puts a session together.
pub(crate) async fn open(app: &App, order: Order<'_>) -> Result<Wired, Exit> {
    let (id, folder) = match &order.which {
        Which::New { workspace } => (new_id(), workspace.clone()),
        Which::Old(info) => (info.id.clone(), info.workspace.clone()),
    };
    let app = &app.at(&folder);
    let journal = Arc::new(journal::open(app)?);
    let place = Place::open(app, order.settings, order.attendance, &id)?;
    let registry = Arc::new(wiring::registry(order.settings)?);
    order.live.label(wiring::cards(&registry));
    let settings = settings(app, &order, &registry)?;
    let parts = Parts {
        journal: Arc::clone(&journal),
        model: order.model,
        registry,
        capabilities: place.capabilities.clone(),
        situation: place.situation.clone(),
        approver: Arc::new(Terminal::default()),
        clock: Arc::new(SystemClock),
        watcher: order.live.watcher(),
    };
    let session = match order.which {
        Which::New { .. } => Session::create(parts, settings, id.clone(), folder)
            .await
            .map_err(|error| broken(&error))?,
        Which::Old(_) => Session::open(parts, settings, id.clone()),
    };
    let lease = journal.acquire(&id).await.map_err(|error| journal::refuse(&error))?;
    // What a killed process of this session left running.
    place.runs.end_leftovers().await;
    Ok(Wired { session, place, _lease: lease })
}

/// Short enough to type, long enough to be the only one: the last 48 random bits of a UUID.
pub(crate) fn new_id() -> String {
    let id = uuid::Uuid::now_v7().simple().to_string();
    id.chars().skip(20).collect()
}

fn settings(
    app: &App,
    order: &Order<'_>,
    registry: &Registry,
) -> Result<tagline_session::Settings, Exit> {
    let tools = Toolset::new(registry.entries().iter().map(|entry| entry.spec.clone()));
    let grammar = grammar(order, &tools);
    let mut wanted = order.settings.clone();
    if grammar.is_some() {
        // A grammar holds the form by itself, so the least explanation will do.
        wanted.detail = Detail::Compact;
    }
    Ok(tagline_session::Settings {
        system: Prompt::collect(app)?.text(&wanted, &tools),
        policy: wiring::policy(order.settings),
        limits: wiring::limits(order.settings),
        sampling: Sampling {
            max_tokens: order.settings.max_tokens,
            temperature: order.settings.temperature,
            seed: order.settings.seed,
            grammar,
        },
        tool_attempts: order.settings.limits.tool_attempts,
        timeout: order.settings.limits.timeout,
        profile: order.profile.to_owned(),
    })
}

/// A server that takes a grammar holds the model to it: one call a reply, with short values, so
/// that even a very small model can act.
fn grammar(order: &Order<'_>, tools: &Toolset) -> Option<String> {
    let takes_it = order.model.info().takes_grammar && order.settings.grammar == Switch::Auto;
    takes_it.then(|| tools.grammar(&GrammarOptions::small()))
}
