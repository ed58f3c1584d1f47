//! What calls changed and the way back, over HTTP: the same as `tagline diff` and `tagline undo`.

use std::{path::PathBuf, sync::Arc};

use tagline_server::{
    ChangeRow, Changes, ChangingCall, Found, How, Undo, UndoProblem, Undone, Which,
};
use tagline_snapshot::{
    Carried, Keeper, Plan, Record, SnapshotError, State, Step, Store, What, select,
};
use tagline_store::{AnyJournal, Journal as _};

use crate::{
    app::App,
    changes::{Change, facts, not_covered, of_copy, shown, text, verb, why_not},
    wiring::{own_folders, undo_store},
};

/// Most rows of an answer.
const ROWS: usize = 200;
/// Most bytes of text of an answer.
const TEXT: usize = 256 * 1024;

/// The undo store, for the sessions of this server.
#[derive(Debug)]
pub(super) struct Undoing {
    app: App,
    journal: AnyJournal,
}

/// A session's records, and where it works.
struct Kept {
    store: Arc<Store>,
    session: String,
    folder: PathBuf,
    own: Vec<PathBuf>,
}

impl Undoing {
    pub(super) const fn new(app: App, journal: AnyJournal) -> Self {
        Self { app, journal }
    }

    async fn with<T: Send + 'static>(
        &self,
        session: &str,
        work: impl FnOnce(&Kept) -> Result<T, UndoProblem> + Send + 'static,
    ) -> Result<T, UndoProblem> {
        let told = |words: &dyn std::fmt::Display| UndoProblem::Store(words.to_string());
        let info = self.journal.find(session).await.map_err(|error| told(&error))?;
        let id = info.id.clone();
        let store = undo_store(&self.app).map_err(|trouble| told(&trouble.message))?;
        let own = own_folders(&self.app).map_err(|trouble| told(&trouble.message))?;
        let done = tokio::task::spawn_blocking(move || {
            let folder = info.workspace.canonicalize().unwrap_or(info.workspace);
            work(&Kept { store, session: info.id, folder, own })
        });
        match done.await.map_err(|error| told(&error))? {
            Err(UndoProblem::Nothing(words)) => {
                Err(UndoProblem::Nothing(words + &of_copy(&self.journal, &id).await))
            }
            done => done,
        }
    }
}

impl Undo for Undoing {
    fn changes<'a>(&'a self, session: &'a str, which: Which) -> Found<'a, Changes> {
        Box::pin(self.with(session, move |kept| kept.changes(&which)))
    }

    fn undo<'a>(&'a self, session: &'a str, which: Which, how: How) -> Found<'a, Undone> {
        Box::pin(self.with(session, move |kept| kept.undo(&which, how)))
    }
}

impl Kept {
    fn changes(&self, which: &Which) -> Result<Changes, UndoProblem> {
        let records = self.store.records(&self.session);
        let last = records.iter().filter_map(|record| record.what.turn()).max();
        let which = match (which, last) {
            // What is shown may be undone already.
            (Which::Last, Some(turn)) => tagline_snapshot::Which::Turn(turn),
            (Which::Last | Which::Call(_) | Which::Turn(_), _) => of(which),
        };
        let chosen = select(&self.store, &records, &which).map_err(nothing)?;
        let is_call = |record: &&Record| record.what.turn().is_some();
        let is_named = matches!(which, tagline_snapshot::Which::Call(_));
        let calls: Vec<_> = chosen.into_iter().filter(|it| is_named || is_call(it)).collect();
        let plan = Plan::make(&self.store, &records, &calls);
        let mut told = self.told(&Change::of_records(&self.store, &calls), |_| None);
        told.calls = calls.iter().map(|record| changing(record)).collect();
        told.not_covered = not_covered(&self.folder, &plan);
        Ok(told)
    }

    fn undo(&self, which: &Which, how: How) -> Result<Undone, UndoProblem> {
        let keeper = Keeper::after_all(Arc::clone(&self.store), &self.session, &self.own);
        keeper.settle().map_err(|error| refused(&error))?;
        let records = self.store.records(&self.session);
        let chosen = select(&self.store, &records, &of(which)).map_err(nothing)?;
        let plan = Plan::make(&self.store, &records, &chosen);
        let plan = plan.beside(&self.store, &self.session, &chosen);
        let mut what = self.planned(&plan, how.is_forced);
        what.calls = chosen.iter().map(|record| changing(record)).collect();
        let n = plan.to_do(how.is_forced).len();
        if how.is_dry || n == 0 {
            return Ok(Undone { what, ..Undone::default() });
        }
        let carried = plan.carry_out(&keeper, how.is_forced).map_err(|error| refused(&error))?;
        Ok(self.done(what, n, &carried))
    }

    fn done(&self, what: Changes, n: usize, carried: &Carried) -> Undone {
        let failed = carried.failures.iter();
        let failed = failed.map(|it| format!("{}: {}", shown(&self.folder, &it.path), it.why));
        Undone {
            what,
            n_done: n.saturating_sub(carried.failures.len()),
            undo: carried.record.as_ref().map(|record| record.what.id().to_owned()),
            failed: failed.collect(),
        }
    }

    /// What a plan would change, and what it leaves as it is.
    fn planned(&self, plan: &Plan, is_forced: bool) -> Changes {
        let is_done = |step: &&Step| step.state == State::There;
        let steps: Vec<&Step> = plan.steps.iter().filter(|step| !is_done(step)).collect();
        let changes = Change::of_steps(&self.store, &steps);
        let mut told = self.told(&changes, |n| steps.get(n).and_then(|it| why_not(it, is_forced)));
        told.not_covered = not_covered(&self.folder, plan);
        told
    }

    fn told(&self, changes: &[Change<'_>], left: impl Fn(usize) -> Option<String>) -> Changes {
        let mut room = TEXT;
        let row = |(n, change): (usize, &Change<'_>)| {
            let path = shown(&self.folder, &change.path);
            let mut text = text(&self.folder, change);
            if text.len() > room {
                text = format!("{path}: the texts of this answer are too long to be shown\n");
            }
            room = room.saturating_sub(text.len());
            ChangeRow {
                path,
                verb: verb(change).to_owned(),
                facts: facts(change),
                text,
                left: left(n),
            }
        };
        let rows = changes.iter().enumerate().take(ROWS).map(row).collect();
        let n_more = changes.len().saturating_sub(ROWS);
        Changes { changes: rows, n_more, ..Changes::default() }
    }
}

fn of(which: &Which) -> tagline_snapshot::Which {
    match which {
        Which::Call(id) => tagline_snapshot::Which::Call(id.clone()),
        Which::Turn(turn) => tagline_snapshot::Which::Turn(*turn),
        Which::Last => tagline_snapshot::Which::Last,
    }
}

fn changing(record: &Record) -> ChangingCall {
    match &record.what {
        What::Call { id, tool, target } => {
            ChangingCall { call: id.clone(), tool: tool.clone(), target: target.clone() }
        }
        What::Undo { id, .. } | What::Aside { id, .. } => {
            ChangingCall { call: id.clone(), tool: String::new(), target: String::new() }
        }
    }
}

fn nothing(no: tagline_snapshot::NoSuch) -> UndoProblem {
    UndoProblem::Nothing(no.to_string())
}

fn refused(error: &SnapshotError) -> UndoProblem {
    match error {
        SnapshotError::Busy(session) => UndoProblem::Busy(session.clone()),
        SnapshotError::Store { .. } | SnapshotError::Damaged { .. } | SnapshotError::Stopped => {
            UndoProblem::Store(error.to_string())
        }
    }
}
