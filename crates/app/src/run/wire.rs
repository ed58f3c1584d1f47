//! Everything a session is made of, put together.

use std::{path::PathBuf, sync::Arc};

use tagline_model::Model;
use tagline_session::{Parts, Session, SessionError, SystemClock, Task, TurnEnd};
use tagline_store::{AnyJournal, Journal as _, Lease, SessionInfo};
use tokio_util::sync::CancellationToken;

use super::{AnswerSchema, Live, bounds::Bounds, end::broken};
use crate::{
    app::App,
    approver::Terminal,
    config::Settings,
    exit::Exit,
    journal::{self, Keeping},
    output::note,
    wiring::{self, Attendance, Equipped, Place, Want, equip},
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
    /// A new one that begins with a copy of one that is in the journal.
    Fork(SessionInfo),
}

/// What to put together.
pub(crate) struct Order<'a> {
    /// The settings in force.
    pub(crate) settings: &'a Settings,
    /// Under which profile a new session is written down.
    pub(crate) profile: &'a str,
    /// Which session.
    pub(crate) which: Which,
    /// What is written down of it.
    pub(crate) keeping: Keeping,
    /// What the answer must be like.
    pub(crate) schema: Option<Arc<AnswerSchema>>,
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
    pub(crate) session: Session<AnyJournal>,
    place: Place,
    keeping: Keeping,
    /// Who is asked at a bound, where somebody is there.
    bounds: Option<Arc<Bounds>>,
    /// Keeps other processes off the session.
    _lease: Lease,
}

impl Wired {
    /// Runs one turn to its end.
    ///
    /// # Errors
    ///
    /// Where the journal cannot be read or written.
    pub(crate) async fn run(
        &self,
        task: Task,
        cancel: CancellationToken,
    ) -> Result<TurnEnd, SessionError> {
        match &self.bounds {
            Some(bounds) => {
                self.session.run_asking(task, cancel, |decider| bounds.begin(decider)).await
            }
            None => self.session.run(task, cancel).await,
        }
    }

    /// Ends every command that still runs.
    pub(crate) async fn close(&self) {
        self.place.close().await;
        if self.keeping == Keeping::Ephemeral {
            self.place.forget();
        }
    }
}

/// Puts a session together.
pub(crate) async fn open(app: &App, order: Order<'_>) -> Result<Wired, Exit> {
    let (id, folder) = match &order.which {
        Which::New { workspace } => (new_id(), workspace.clone()),
        Which::Old(info) => (info.id.clone(), info.workspace.clone()),
        Which::Fork(source) => (new_id(), source.workspace.clone()),
    };
    let app = &app.at(&folder);
    let want = Want {
        settings: order.settings,
        profile: order.profile,
        session: &id,
        model: order.model.info(),
        attendance: order.attendance,
        schema: order.schema,
    };
    let Equipped { place, registry, settings, price } = equip(app, &want)?;
    let keeping = order.keeping;
    let place = if keeping == Keeping::Kept { place.with_undo(app, &id)? } else { place };
    order.live.label(wiring::cards(&registry));
    order.live.keep(keeping);
    order.live.price(price);
    let journal = Arc::new(journal::open_for(app, keeping)?);
    let terminal = Arc::new(Terminal::default());
    let bounds = match order.attendance {
        Attendance::Attended => Some(Bounds::on(Arc::clone(&terminal))),
        Attendance::Unattended => None,
    };
    let show = order.live.watcher();
    let parts = Parts {
        journal: Arc::clone(&journal),
        model: order.model,
        registry,
        capabilities: place.capabilities.clone(),
        situation: place.situation.clone(),
        approver: terminal,
        clock: Arc::new(SystemClock),
        watcher: bounds
            .as_ref()
            .map_or_else(|| Arc::clone(&show), |it| it.watcher(Arc::clone(&show))),
    };
    if !app.is_quiet {
        session_words(&id, &order.which, keeping).iter().for_each(note);
    }
    let session = begin(app, order.which, parts, settings, id.clone()).await?;
    let lease = journal.acquire(&id).await.map_err(|error| journal::refuse(&error))?;
    // What a killed process of this session left running.
    place.runs.end_leftovers().await;
    Ok(Wired { session, place, keeping, bounds, _lease: lease })
}

/// Begins the session in its journal, or goes on with it.
async fn begin(
    app: &App,
    which: Which,
    parts: Parts<AnyJournal>,
    settings: tagline_session::Settings,
    id: String,
) -> Result<Session<AnyJournal>, Exit> {
    match which {
        Which::New { workspace } => {
            Session::create(parts, settings, id, workspace).await.map_err(|error| broken(&error))
        }
        Which::Old(_) => Ok(Session::open(parts, settings, id)),
        Which::Fork(source) => {
            let source = SessionInfo { profile: settings.profile.clone(), ..source };
            journal::fork_kept(app, &parts.journal, source, &id).await?;
            Ok(Session::open(parts, settings, id))
        }
    }
}

/// What is special about the session, if anything is.
fn session_words(id: &str, which: &Which, keeping: Keeping) -> Option<String> {
    match (which, keeping) {
        (Which::New { .. } | Which::Old(_), Keeping::Kept) => None,
        (Which::Fork(source), Keeping::Kept) => {
            Some(format!("session {id} begins with the history of {}", source.id))
        }
        (Which::Fork(source), Keeping::Ephemeral) => {
            Some(format!("this goes on in a copy of {}, of which nothing is kept", source.id))
        }
        (Which::New { .. } | Which::Old(_), Keeping::Ephemeral) => {
            Some("of this session nothing is kept".to_owned())
        }
    }
}

/// Short enough to type, long enough to be the only one: the last 48 random bits of a UUID.
pub(crate) fn new_id() -> String {
    let id = uuid::Uuid::now_v7().simple().to_string();
    id.chars().skip(20).collect()
}
