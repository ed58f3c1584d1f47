//! What bringing records back would change now.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use crate::{LeftOut, Name, Node, Record, Store, handle, look::look, store::bounded};

/// What it would take to bring records back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The numbers of the records.
    pub of: Vec<u64>,
    /// File by file, folders before what they hold.
    pub steps: Vec<Step>,
    /// Of what nobody knows whether it changed: the first of it.
    pub left_out: Vec<LeftOut>,
    /// Of how many things nobody knows.
    pub n_left_out: usize,
    /// Whether one of the records is a command's: what it changed outside of the roots is not kept.
    pub is_command: bool,
}

/// One thing that would be brought back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Below which root.
    pub root: PathBuf,
    /// What.
    pub name: Name,
    /// What stands there now.
    pub now: Node,
    /// What stood there.
    pub target: Node,
    /// Whether it can be done.
    pub state: State,
}

/// Whether a step can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It can.
    Ready,
    /// It is done: what stands there is what stood there.
    There,
    /// What stands there is not what the calls left.
    Changed(By),
    /// Its content is not in the store any more.
    Lost,
    /// The folder holds so many things that are none of it.
    Holds(usize),
}

/// Who changed something since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// A later call, or an undo.
    Record(String),
    /// A call of another session, at the same time as a command that may have changed it too.
    Session {
        /// The other one.
        session: String,
        /// Its call.
        call: String,
    },
    /// The user, or a program that no call waited for.
    Hand,
}

/// What the records say of one thing, together.
struct Fold {
    root: PathBuf,
    name: Name,
    first: Node,
    last: Node,
    /// What one record left is not what the next one met.
    is_broken: bool,
    number: u64,
}

impl Plan {
    /// What bringing these of a session's records back would take.
    #[must_use]
    pub fn make(store: &Store, all: &[Record], chosen: &[&Record]) -> Self {
        let folds = fold(chosen);
        let goes = folds.iter().filter(|(_, fold)| fold.first == Node::Absent);
        let judge = Judge { store, all, goes: goes.map(|(path, _)| path.as_path()).collect() };
        let steps = folds.iter().filter_map(|(path, fold)| judge.step(path, fold)).collect();
        let (left_out, n_left_out) = left_out(chosen);
        let of = chosen.iter().map(|record| record.number).collect();
        let is_command = chosen.iter().any(|record| record.is_whole);
        Self { of, steps, left_out, n_left_out, is_command }
    }

    /// The same beside other sessions: what one of them changed while a command of these records
    /// ran may be theirs, so it is not taken for the command's.
    #[must_use]
    pub fn beside(mut self, store: &Store, session: &str, chosen: &[&Record]) -> Self {
        let whole: Vec<_> = chosen.iter().filter(|record| record.is_whole).collect();
        let mut theirs: BTreeMap<PathBuf, By> = BTreeMap::new();
        for other in store.sessions().into_iter().filter(|other| other != session) {
            for record in store.records(&other) {
                if !whole.iter().any(|command| command.overlaps(&record)) {
                    continue;
                }
                let call = record.what.id().to_owned();
                let by = By::Session { session: other.clone(), call };
                let paths = record.changes().map(|(root, name, ..)| (name.path(root), by.clone()));
                theirs.extend(paths);
            }
        }
        for step in self.steps.iter_mut().filter(|step| step.state == State::Ready) {
            if let Some(by) = theirs.get(&step.path()) {
                step.state = State::Changed(by.clone());
            }
        }
        self
    }

    /// Whether anything is to be done, or stands in the way of it.
    #[must_use]
    pub fn is_something(&self) -> bool {
        self.steps.iter().any(|step| step.state != State::There)
    }

    /// The steps that are done; with `force`, what was changed since is overwritten.
    #[must_use]
    pub fn to_do(&self, force: bool) -> Vec<&Step> {
        let is_due = |step: &&Step| match step.state {
            State::Ready => true,
            State::Changed(_) => force,
            State::There | State::Lost | State::Holds(_) => false,
        };
        self.steps.iter().filter(is_due).collect()
    }
}

impl Step {
    /// Its absolute path.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.name.path(&self.root)
    }

    /// The content of the file that stands there now, if it has at most `limit` bytes.
    #[must_use]
    pub fn content(&self, limit: u64) -> Option<Vec<u8>> {
        let holder = handle::holder(&self.root, &self.name).ok()??;
        let file = handle::file(&holder, self.name.last()).ok()?;
        bounded(file, limit).filter(|_| self.now.hash().is_some())
    }
}

/// The first and the last that the records say of each thing.
fn fold(records: &[&Record]) -> BTreeMap<PathBuf, Fold> {
    let mut folds: BTreeMap<PathBuf, Fold> = BTreeMap::new();
    for record in records {
        for (root, name, before, after) in record.changes() {
            let fold = folds.entry(name.path(root)).or_insert_with(|| Fold {
                root: root.to_owned(),
                name: name.clone(),
                first: before.clone(),
                last: before.clone(),
                is_broken: false,
                number: 0,
            });
            fold.is_broken |= fold.last != *before;
            fold.last = after.clone();
            fold.number = record.number;
        }
    }
    folds
}

struct Judge<'a> {
    store: &'a Store,
    all: &'a [Record],
    /// What is not to be there.
    goes: BTreeSet<&'a Path>,
}

impl Judge<'_> {
    /// The step, where the records change the thing at all.
    fn step(&self, path: &Path, fold: &Fold) -> Option<Step> {
        if fold.first == fold.last && !fold.is_broken {
            return None;
        }
        let now = look(&fold.root, &fold.name);
        let state = self.state(path, fold, &now);
        let (root, name) = (fold.root.clone(), fold.name.clone());
        Some(Step { root, name, now, target: fold.first.clone(), state })
    }

    fn state(&self, path: &Path, fold: &Fold, now: &Node) -> State {
        if *now == fold.first {
            return State::There;
        }
        if self.is_lost(&fold.first) {
            return State::Lost;
        }
        let is_to_go = now.is_folder() && !fold.first.is_folder();
        let n_held = if is_to_go { self.n_held(fold) } else { 0 };
        if n_held > 0 {
            return State::Holds(n_held);
        }
        if fold.is_broken || *now != fold.last {
            return State::Changed(self.by(path, fold, now));
        }
        State::Ready
    }

    fn is_lost(&self, target: &Node) -> bool {
        match target {
            Node::File { hash, .. } => !self.store.objects.has(*hash),
            Node::Other { .. } => true,
            Node::Absent | Node::Link { .. } | Node::Folder { .. } => false,
        }
    }

    /// How many things a folder holds that do not go with it.
    fn n_held(&self, fold: &Fold) -> usize {
        let names = handle::walk(&fold.root, &fold.name).and_then(handle::names);
        let path = |part: &Vec<u8>| fold.name.join(part).path(&fold.root);
        let stays = |part: &&Vec<u8>| !self.goes.contains(path(part).as_path());
        names.unwrap_or_default().iter().filter(stays).count()
    }

    /// The record that left the thing as it is now.
    fn by(&self, path: &Path, fold: &Fold, now: &Node) -> By {
        let left_it = |record: &&Record| {
            let mut changes = record.changes();
            record.number > fold.number
                && changes.any(|(root, name, _, after)| after == now && name.path(root) == path)
        };
        let record = self.all.iter().rev().find(left_it);
        record.map_or(By::Hand, |record| By::Record(record.what.id().to_owned()))
    }
}

/// Each thing once.
fn left_out(records: &[&Record]) -> (Vec<LeftOut>, usize) {
    let all = records.iter().flat_map(|record| &record.left_out);
    let once: BTreeMap<_, _> = all.map(|it| (&it.path, it)).collect();
    let unnamed = records.iter().map(|record| record.n_left_out - record.left_out.len()).max();
    let n = once.len() + unnamed.unwrap_or(0);
    (once.into_values().cloned().collect(), n)
}
