//! Everything a session is made of, put together.

use std::{path::PathBuf, sync::Arc};

use tagline_executor::Registry;
use tagline_model::{Model, ModelInfo};
use tagline_protocol::{Calls, Detail, GrammarOptions, Toolset};
use tagline_session::{AnswerCheck, Clock as _, Parts, Sampling, Session, SystemClock};
use tagline_store::{AnyJournal, Journal as _, Lease, SessionInfo};

use super::{AnswerSchema, Live, end::broken};
use crate::{
    app::App,
    approver::Terminal,
    config::{Grammar, Loop, Settings},
    exit::Exit,
    journal::{self, Keeping},
    output::note,
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
    /// Keeps other processes off the session.
    _lease: Lease,
}

impl Wired {
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
    let place = Place::open(app, order.settings, order.attendance, &id)?;
    let registry = Arc::new(wiring::registry(order.settings)?);
    order.live.label(wiring::cards(&registry));
    order.live.keep(order.keeping);
    let settings = settings(app, &order, &registry)?;
    let keeping = order.keeping;
    let journal = Arc::new(journal::open_for(app, keeping)?);
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
    if !app.is_quiet {
        session_words(&id, &order.which, keeping).iter().for_each(note);
    }
    let session = begin(app, order.which, parts, settings, id.clone()).await?;
    let lease = journal.acquire(&id).await.map_err(|error| journal::refuse(&error))?;
    // What a killed process of this session left running.
    place.runs.end_leftovers().await;
    Ok(Wired { session, place, keeping, _lease: lease })
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
            let (from, created) = (source.id.clone(), SystemClock.now());
            let profile = settings.profile.clone();
            let info = SessionInfo { id: id.clone(), created, profile, ..source };
            journal::fork_kept(app, &parts.journal, &from, info).await?;
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

fn settings(
    app: &App,
    order: &Order<'_>,
    registry: &Registry,
) -> Result<tagline_session::Settings, Exit> {
    let tools = Toolset::new(registry.entries().iter().map(|entry| entry.spec.clone()));
    let grammar = grammar(order.settings, order.model.info());
    let price = wiring::price(order.settings, &order.model.info().name)?;
    order.live.price(price);
    let mut wanted = order.settings.clone();
    if grammar == Some(Size::Small) {
        // The grammar holds the form by itself, and a small model gets lost in a long prompt.
        wanted.detail = Detail::Compact;
    }
    let mut system = Prompt::collect(app)?.text(&wanted, &tools);
    system.extend(order.schema.iter().map(|schema| schema.section(&tools)));
    let check = |schema: Arc<AnswerSchema>| AnswerCheck::new(move |answer| schema.check(answer));
    Ok(tagline_session::Settings {
        system,
        answer: order.schema.clone().map(check),
        policy: wiring::policy(order.settings),
        limits: wiring::limits(order.settings, price),
        sampling: Sampling {
            max_tokens: order.settings.max_tokens,
            temperature: order.settings.temperature,
            seed: order.settings.seed,
            grammar: grammar.map(|size| size.options(order.settings.r#loop)),
        },
        tool_attempts: order.settings.limits.tool_attempts,
        timeout: order.settings.limits.timeout,
        profile: order.profile.to_owned(),
    })
}

/// Models with fewer parameters are small: they are held to one call a reply, with short values.
const SMALL_MODEL: u64 = 1_000_000_000;

/// How much a grammar lets a model write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Small,
    General,
}

/// The grammar for this model, if its server takes one. A model of unknown size is not small.
fn grammar(settings: &Settings, model: &ModelInfo) -> Option<Size> {
    let is_small = model.parameters.is_some_and(|n| n < SMALL_MODEL);
    let size = match settings.grammar {
        Grammar::Auto if is_small => Size::Small,
        Grammar::Small => Size::Small,
        Grammar::Auto | Grammar::General => Size::General,
        Grammar::Off => return None,
    };
    model.takes_grammar.then_some(size)
}

impl Size {
    /// The guided loop takes thinking and one call.
    const fn options(self, r#loop: Loop) -> GrammarOptions {
        let (usual, thinking) = match self {
            Self::Small => (GrammarOptions::small(), 120),
            Self::General => (GrammarOptions::general(), 2_000),
        };
        match r#loop {
            Loop::Free => usual,
            Loop::Guided => {
                GrammarOptions { calls: Calls::One, max_thinking: Some(thinking), ..usual }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: Grammar, parameters: Option<u64>, expected: Option<Size>) {
        let settings = Settings { grammar: word, ..Settings::default() };
        let model = ModelInfo { takes_grammar: true, parameters, ..ModelInfo::default() };
        assert_eq!(grammar(&settings, &model), expected, "{word:?} {parameters:?}");
        assert_eq!(grammar(&settings, &ModelInfo { takes_grammar: false, ..model }), None);
    }

    #[test]
    fn the_grammar_fits_the_size_of_the_model_unless_the_user_says_which() {
        check(Grammar::Auto, Some(134_515_008), Some(Size::Small));
        check(Grammar::Auto, Some(30_000_000_000), Some(Size::General));
        check(Grammar::Auto, None, Some(Size::General));
        check(Grammar::Small, Some(30_000_000_000), Some(Size::Small));
        check(Grammar::General, Some(134_515_008), Some(Size::General));
        check(Grammar::Off, Some(134_515_008), None);
    }

    #[test]
    fn the_guided_loop_takes_thinking_and_one_call() {
        for size in [Size::Small, Size::General] {
            let options = size.options(Loop::Guided);
            assert!(options.calls == Calls::One && options.max_thinking.is_some());
            assert_eq!(size.options(Loop::Free).max_thinking, None);
        }
    }
}
