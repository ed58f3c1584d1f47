//! Protected names that a command makes which nobody approved: they are put aside.
//!
//! Names that are there when a command starts are read-only for it. Of those that are not, nothing stands
//! in the way of making one: so what is new is looked for when a call is answered, while a command runs,
//! and when nothing of it is left.

mod git;
mod look;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use rustix::process::Signal;
use tagline_executor::Keeping;
use tagline_protocol::CallId;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use self::look::{Entry, Places};
use super::{fence::repository, run::Run};

/// How long a name stands while the command runs that made it.
const LOOK: Duration = Duration::from_secs(1);
/// The same while the session ends.
const LAST_LOOK: Duration = Duration::from_millis(20);
/// A command that makes the same name so often is ended: in between it would stand there.
const TRIES: u32 = 3;

/// The call that starts a command which no person approved.
#[derive(Clone, Debug)]
pub(crate) struct Maker {
    /// Its id.
    pub(crate) call: CallId,
    /// Who keeps what goes.
    pub(crate) keeping: Option<Arc<Keeping>>,
}

/// Something that was put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PutAside {
    /// The command that ran meanwhile.
    pub(crate) run_id: String,
    /// Its path, below the folder that may be changed.
    pub(crate) name: String,
    /// Why.
    pub(crate) why: String,
    /// Where it is now, or why it could not be moved.
    pub(crate) kept: Result<PathBuf, String>,
    /// The id by which `tagline undo` brings it back.
    pub(crate) undo: Option<String>,
    /// Whether the command was ended for it.
    pub(crate) is_last: bool,
}

/// What is put aside in a session.
#[derive(Debug, Default)]
pub(super) struct Aside {
    /// The data folder, which has the undo store.
    data: Option<PathBuf>,
    roots: Vec<PathBuf>,
    /// What was made with the user's yes while commands ran.
    let_be: Mutex<BTreeSet<PathBuf>>,
    watches: Mutex<Vec<Weak<Watch>>>,
    /// What no call has told yet. Held for as long as something is on its way.
    untold: Mutex<Vec<PutAside>>,
}

/// What one command may have made.
#[derive(Debug)]
pub(super) struct Watch {
    run_id: String,
    maker: Maker,
    places: Places,
    /// What was there when it started.
    taken: BTreeSet<PathBuf>,
    /// How often which name was put aside.
    times: Mutex<BTreeMap<PathBuf, u32>>,
}

impl Aside {
    pub(super) fn new(data: Option<PathBuf>, roots: Vec<PathBuf>) -> Self {
        Self { data, roots, ..Self::default() }
    }

    /// What is there now, before a command starts. Blocks on the disk.
    pub(super) fn before(&self, run_id: &str, maker: &Maker) -> Watch {
        let known: BTreeSet<_> = self.roots.iter().map(|root| root.join(".git")).collect();
        let repositories = self.roots.iter().filter_map(|root| repository(root));
        let repositories: BTreeSet<_> = repositories.filter(|git| !known.contains(git)).collect();
        let repositories = repositories.into_iter().collect();
        let places = Places { roots: self.roots.clone(), repositories };
        let (taken, times) = (places.taken(), Mutex::default());
        Watch { run_id: run_id.to_owned(), maker: maker.clone(), places, taken, times }
    }

    /// The user said yes to this path being made: it stays, whatever runs meanwhile.
    pub(super) fn let_be(&self, path: PathBuf) {
        lock(&self.let_be).insert(path);
    }

    /// From now on each call looks at what the command makes, for as long as the watch lives.
    pub(super) fn add(&self, watch: Watch) -> Arc<Watch> {
        let watch = Arc::new(watch);
        let mut watches = lock(&self.watches);
        watches.retain(|watch| watch.strong_count() > 0);
        watches.push(Arc::downgrade(&watch));
        watch
    }

    /// Looks until nothing of the command is left.
    pub(super) async fn guard(
        self: Arc<Self>,
        watch: Arc<Watch>,
        run: Arc<Run>,
        closing: CancellationToken,
    ) {
        loop {
            let is_closing = closing.is_cancelled();
            let is_ended = run.is_ended();
            // What takes no second is looked at once, when it is over.
            tokio::select! {
                () = sleep(if is_closing { LAST_LOOK } else { LOOK }) => {}
                () = closing.cancelled(), if !is_closing => {}
                _ = run.ended(), if !is_ended => {}
            }
            let is_over = run.is_gone();
            self.look(&watch).await;
            if is_over {
                return;
            }
            if watch.is_made_again() {
                run.stop(Signal::TERM).await;
            }
        }
    }

    /// Puts aside what all commands of the session have made, and gives what was not told yet.
    pub(super) async fn told(self: &Arc<Self>) -> Vec<PutAside> {
        let aside = Arc::clone(self);
        let look = move || {
            let watches: Vec<_> = lock(&aside.watches).iter().filter_map(Weak::upgrade).collect();
            watches.iter().for_each(|watch| aside.put(watch));
            std::mem::take(&mut *lock(&aside.untold))
        };
        tokio::task::spawn_blocking(look).await.unwrap_or_default()
    }

    async fn look(self: &Arc<Self>, watch: &Arc<Watch>) {
        let (aside, watch) = (Arc::clone(self), Arc::clone(watch));
        // One that broke off is followed by the next.
        let _ = tokio::task::spawn_blocking(move || aside.put(&watch)).await;
    }

    /// Puts aside what a command made.
    fn put(&self, watch: &Watch) {
        let mut untold = lock(&self.untold);
        let mut faults: Vec<_> = self.faults(watch).collect();
        faults.sort_by(|(one, _), (two, _)| one.path.cmp(&two.path));
        if faults.is_empty() {
            return;
        }
        let paths: Vec<_> = faults.iter().map(|(entry, _)| entry.path.clone()).collect();
        let mut kept = Vec::new();
        let mut take = || {
            let call = watch.maker.call.to_string();
            let put = |(entry, _): &(Entry, String)| entry.put_aside(self.data.as_deref(), &call);
            kept = faults.iter().map(put).collect();
        };
        let undo = match &watch.maker.keeping {
            Some(keeping) => keeping.0.aside(&watch.maker.call, &paths, &mut take),
            None => {
                take();
                None
            }
        };
        let done = faults.into_iter().zip(kept).map(|((entry, why), kept)| PutAside {
            run_id: watch.run_id.clone(),
            name: watch.places.shown(&entry.path),
            why,
            undo: undo.clone().filter(|_| kept.is_ok()),
            kept,
            is_last: watch.count(&entry.path) >= TRIES,
        });
        untold.extend(done);
    }

    /// What is new and not harmless, with why.
    fn faults<'a>(&self, watch: &'a Watch) -> impl Iterator<Item = (Entry, String)> + 'a {
        let let_be = lock(&self.let_be).clone();
        let entries = watch.places.entries().into_iter();
        let is_new = |entry: &Entry| !watch.taken.contains(&entry.path);
        let is_made = move |entry: &Entry| !let_be.iter().any(|path| path.starts_with(&entry.path));
        let with_fault = |entry: Entry| entry.fault().map(|why| (entry, why));
        entries.filter(is_new).filter(is_made).filter_map(with_fault)
    }
}

impl Watch {
    /// Whether the command goes on making what was put aside.
    fn is_made_again(&self) -> bool {
        lock(&self.times).values().any(|n| *n >= TRIES)
    }

    fn count(&self, path: &Path) -> u32 {
        let mut times = lock(&self.times);
        let n = times.entry(path.to_owned()).or_default();
        *n += 1;
        *n
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
