//! Looks at what a call may change, before it and after it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use crate::{
    LeftOut, Name, Record, SnapshotError, Store, What, Why,
    apply::next_id,
    error::At as _,
    objects::Put,
    quota::{self, Freed},
    record::{self, Changed, NAMED, Part, Stage},
    store::Lock,
    tree::Tree,
    walk::{Tools, Walk, Walked},
};

/// How often, and after which pause, a session that is taken is tried.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(20);

/// What a call may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Anything below the roots.
    Whole,
    /// These absolute paths, and what is below them.
    Paths(Vec<PathBuf>),
}

/// Keeps what the calls of one session change. All methods block on the disk.
#[derive(Debug)]
pub struct Keeper {
    pub(crate) store: Arc<Store>,
    session: String,
    roots: Vec<PathBuf>,
    borders: Vec<(PathBuf, Option<Why>)>,
    seen: Mutex<Seen>,
    /// That of the call that runs.
    lock: Mutex<Weak<Lock>>,
}

/// What was seen last, so that only what changed is read.
#[derive(Debug, Default)]
struct Seen {
    generation: u64,
    trees: BTreeMap<PathBuf, Arc<Tree>>,
    /// What the files of [`Store::tree`] hold.
    saved: BTreeMap<PathBuf, Arc<Tree>>,
}

/// A call that may begin now. Dropped without [`Keeper::end`], it counts as killed.
#[derive(Debug)]
pub struct Begun {
    folder: PathBuf,
    record: Record,
    parts: Vec<Part>,
    before: Vec<Arc<Tree>>,
    n_new: u64,
    _lock: Arc<Lock>,
}

/// How a call was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Its record; none where nothing changed.
    pub record: Option<Record>,
    /// What left the store to make room.
    pub freed: Option<Freed>,
}

impl Keeper {
    /// For a session that may change what is below `roots`, but never `own`. All are absolute,
    /// links resolved.
    #[must_use]
    pub fn new(
        store: Arc<Store>,
        session: impl Into<String>,
        roots: Vec<PathBuf>,
        own: &[PathBuf],
    ) -> Self {
        let own = own.iter().map(|path| (path.clone(), Some(Why::Own)));
        let others = roots.iter().map(|path| (path.clone(), None));
        let borders = others.chain(own).collect();
        let (session, seen, lock) = (session.into(), Mutex::default(), Mutex::default());
        Self { store, session, roots, borders, seen, lock }
    }

    /// For a session whose calls are over, to bring some of them back.
    #[must_use]
    pub fn after_all(store: Arc<Store>, session: impl Into<String>, own: &[PathBuf]) -> Self {
        let session = session.into();
        let records = store.records(&session);
        let roots: BTreeSet<_> = records.iter().flat_map(Record::roots).collect();
        let roots = roots.into_iter().map(Path::to_owned).collect();
        Self::new(store, session, roots, own)
    }

    /// The session.
    #[must_use]
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Keeps what stands where the call may change something. Everything that it may destroy is on
    /// the disk when this returns.
    ///
    /// # Errors
    ///
    /// [`SnapshotError::Stopped`] soon after `stop` says so; [`SnapshotError::Busy`] where another
    /// process is at it; what the store cannot do. Then nothing is left of it.
    pub fn begin(
        &self,
        what: What,
        reach: &Reach,
        stop: &dyn Fn() -> bool,
    ) -> Result<Begun, SnapshotError> {
        let lock = self.take(stop)?;
        self.settle_locked(stop)?;
        self.begin_locked(Arc::new(lock), what, reach, stop)
    }

    /// Keeps what is put aside, the way back as for a call. Also while a call runs that this one keeps:
    /// what goes in the middle of it is none of what it left.
    ///
    /// # Errors
    ///
    /// As [`Keeper::begin`].
    pub fn begin_aside(&self, call: &str, paths: Vec<PathBuf>) -> Result<Begun, SnapshotError> {
        let running = self.lock.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        let lock = running.map_or_else(|| self.take(&|| false).map(Arc::new), Ok)?;
        let id = next_id('a', &self.store.records(&self.session));
        let what = What::Aside { id, call: call.to_owned() };
        self.begin_locked(lock, what, &Reach::Paths(paths), &|| false)
    }

    /// Ends the records of calls that were killed: what they changed is what differs now.
    ///
    /// # Errors
    ///
    /// As [`Keeper::begin`].
    pub fn settle(&self) -> Result<(), SnapshotError> {
        if self.store.folders(&self.session).is_empty() {
            return Ok(());
        }
        let _lock = self.take(&|| false)?;
        self.settle_locked(&|| false)
    }

    /// Another process that is at it is over soon; so is one that is just being started, and has
    /// what is open here for a moment.
    fn take(&self, stop: &dyn Fn() -> bool) -> Result<Lock, SnapshotError> {
        for _ in 0..TRIES {
            match self.store.take(&self.session) {
                Err(SnapshotError::Busy(_)) if stop() => return Err(SnapshotError::Stopped),
                Err(SnapshotError::Busy(_)) => std::thread::sleep(PAUSE),
                taken => return taken,
            }
        }
        Err(SnapshotError::Busy(self.session.clone()))
    }

    fn begin_locked(
        &self,
        lock: Arc<Lock>,
        what: What,
        reach: &Reach,
        stop: &dyn Fn() -> bool,
    ) -> Result<Begun, SnapshotError> {
        *self.lock.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(&lock);
        let _shared = self.store.share()?;
        let (parts, now) = (self.parts(reach), self.store.objects.moment()?);
        let (before, new) = self.look(&parts, stop)?;
        let (number, folder) = self.store.next_folder(&self.session)?;
        let record = Record::open(number, what, parts.clone(), now);
        let n_new = size(&new);
        let begun = Begun { folder, record, parts, before, n_new, _lock: lock };
        let written = self.write_open(&begun);
        match written.and_then(|()| self.store.objects.sync(&new)) {
            Ok(()) => Ok(begun),
            Err(error) => {
                // The error is told; what is left is removed when the session goes on.
                let _ = fs::remove_dir_all(&begun.folder);
                Err(error)
            }
        }
    }

    fn write_open(&self, begun: &Begun) -> Result<(), SnapshotError> {
        for (n, (part, tree)) in begun.parts.iter().zip(&begun.before).enumerate() {
            let path = record::before(&begun.folder, n);
            match part.names {
                Some(_) => tree.save(self.store.temp()?, &path)?,
                None => self.link_tree(&part.root, tree, &path)?,
            }
        }
        begun.record.save(self.store.temp()?, &begun.folder)
    }

    /// Gives the file of a root's tree one more name.
    fn link_tree(&self, root: &Path, tree: &Arc<Tree>, path: &Path) -> Result<(), SnapshotError> {
        self.save_tree(root, tree)?;
        fs::hard_link(self.store.session_tree(&self.session, root), path).at(path)
    }

    /// Writes the tree of a root down: for this session, and for the next one that begins there.
    fn save_tree(&self, root: &Path, tree: &Arc<Tree>) -> Result<(), SnapshotError> {
        let path = self.store.session_tree(&self.session, root);
        let is_saved = self.seen().saved.get(root).is_some_and(|saved| saved == tree);
        if is_saved && path.exists() {
            return Ok(());
        }
        tree.save(self.store.temp()?, &path)?;
        self.store.share_tree(&path, root)?;
        self.seen().saved.insert(root.to_owned(), Arc::clone(tree));
        Ok(())
    }

    /// Keeps what the call left. Goes on also where the call was stopped.
    ///
    /// # Errors
    ///
    /// What the store cannot do; the record stays open then.
    pub fn end(&self, begun: Begun) -> Result<Ended, SnapshotError> {
        let Begun { folder, record, parts, before, n_new: n_before, _lock } = begun;
        let shared = self.store.share()?;
        let (after, new) = self.look(&parts, &|| false)?;
        for (part, tree) in parts.iter().zip(&after).filter(|(part, _)| part.names.is_none()) {
            self.save_tree(&part.root, tree)?;
        }
        let record = self.close(&folder, record, &parts, &before, &after)?;
        self.store.grew(n_before + size(&new))?;
        drop(shared);
        let freed = quota::hold(&self.store)?;
        Ok(Ended { record, freed })
    }

    /// Writes the end of a record; removes it where nothing changed.
    fn close(
        &self,
        folder: &Path,
        record: Record,
        parts: &[Part],
        before: &[Arc<Tree>],
        after: &[Arc<Tree>],
    ) -> Result<Option<Record>, SnapshotError> {
        let pairs = || parts.iter().zip(before.iter().zip(after));
        let changed = pairs().map(|(part, (before, after))| Changed {
            root: part.root.clone(),
            changes: before.differences(after),
        });
        let changed: Vec<_> = changed.filter(|it| !it.changes.is_empty()).collect();
        if changed.is_empty() {
            fs::remove_dir_all(folder).at(folder)?;
            return Ok(None);
        }
        let mut left_out: Vec<_> =
            pairs().flat_map(|(part, (one, two))| out(part, one, two)).collect();
        let n_left_out = left_out.len();
        left_out.truncate(NAMED);
        let now = self.store.objects.moment()?;
        let time = record.time.map(|(began, _)| (began, now));
        let stage = Stage::Closed { changed };
        let record = Record { time, stage, left_out, n_left_out, ..record };
        record.save(self.store.temp()?, folder)?;
        for part in 0..parts.len() {
            // It is not read any more; one that stays costs its room alone.
            let _ = fs::remove_file(record::before(folder, part));
        }
        Ok(Some(record))
    }

    fn settle_locked(&self, stop: &dyn Fn() -> bool) -> Result<(), SnapshotError> {
        for (_, folder) in self.store.folders(&self.session) {
            match Record::load(&folder) {
                // Killed before it was written, so the call did not begin.
                Ok(None) => fs::remove_dir_all(&folder).at(&folder)?,
                Ok(Some(record)) => self.settle_one(&folder, record, stop)?,
                // One that cannot be read costs that one: it is told by `Store::damaged`.
                Err(_) => {}
            }
        }
        Ok(())
    }

    fn settle_one(
        &self,
        folder: &Path,
        record: Record,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), SnapshotError> {
        let Stage::Open { parts } = record.stage.clone() else { return Ok(()) };
        let _shared = self.store.share()?;
        let before = (0..parts.len()).map(|n| Tree::load(&record::before(folder, n)).map(Arc::new));
        let Ok(before) = before.collect::<Result<Vec<_>, _>>() else {
            return record.lost(&parts).save(self.store.temp()?, folder);
        };
        let (after, new) = self.look(&parts, stop)?;
        self.close(folder, record, &parts, &before, &after)?;
        self.store.grew(size(&new))
    }

    /// What stands in these parts now, and which contents came into the store.
    fn look(
        &self,
        parts: &[Part],
        stop: &dyn Fn() -> bool,
    ) -> Result<(Vec<Arc<Tree>>, Vec<Put>), SnapshotError> {
        let generation = self.store.usage().generation;
        let is_doubtful = std::mem::replace(&mut self.seen().generation, generation) != generation;
        let tools = Tools {
            objects: &self.store.objects,
            limits: self.store.limits(),
            borders: &self.borders,
            stop,
            now: self.store.objects.moment()?,
            is_doubtful,
        };
        let (mut trees, mut all) = (Vec::new(), Vec::new());
        for part in parts {
            let old = self.known(&part.root);
            let walk = Walk::new(tools, &part.root, &old);
            let Walked { tree, new } = match &part.names {
                Some(names) => walk.parts(names)?,
                None => walk.whole()?,
            };
            let tree = Arc::new(tree);
            if part.names.is_none() {
                self.seen().trees.insert(part.root.clone(), Arc::clone(&tree));
            }
            trees.push(tree);
            all.extend(new);
        }
        Ok((trees, all))
    }

    /// The tree of a root as it was seen last, by this process or another.
    fn known(&self, root: &Path) -> Arc<Tree> {
        if let Some(tree) = self.seen().trees.get(root) {
            return Arc::clone(tree);
        }
        let own = Tree::load(&self.store.session_tree(&self.session, root)).map(Arc::new);
        let mut seen = self.seen();
        seen.saved.extend(own.iter().map(|own| (root.to_owned(), Arc::clone(own))));
        // One that cannot be read costs reading the files once more.
        let tree = own.or_else(|_| Tree::load(&self.store.tree(root)).map(Arc::new));
        let tree = tree.unwrap_or_default();
        seen.trees.insert(root.to_owned(), Arc::clone(&tree));
        tree
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The parts of the machine that are in reach.
    fn parts(&self, reach: &Reach) -> Vec<Part> {
        match reach {
            Reach::Whole => {
                self.roots.iter().map(|root| Part { root: root.clone(), names: None }).collect()
            }
            Reach::Paths(paths) => {
                let mut parts: BTreeMap<PathBuf, Vec<Name>> = BTreeMap::new();
                for path in paths {
                    let (root, name) = self.place(path);
                    parts.entry(root).or_default().extend(name);
                }
                let part = |(root, names)| Part { root, names: Some(names) };
                parts.into_iter().map(part).collect()
            }
        }
    }

    /// The innermost root that holds a path, or the root of the machine.
    fn place(&self, path: &Path) -> (PathBuf, Option<Name>) {
        let found = self.roots.iter().filter(|root| path.starts_with(root));
        let innermost = found.max_by_key(|root| root.as_os_str().len());
        let root = innermost.map_or_else(|| Path::new("/"), PathBuf::as_path);
        (root.to_owned(), Name::below(root, path))
    }
}

/// Bytes of these contents.
fn size(new: &[Put]) -> u64 {
    new.iter().map(|put| put.len).sum()
}

/// What either tree left out.
fn out(part: &Part, before: &Tree, after: &Tree) -> Vec<LeftOut> {
    let all: BTreeMap<_, _> = after.left_out.iter().chain(&before.left_out).collect();
    let left_out =
        |(name, why): (&Name, &Why)| LeftOut { path: name.path(&part.root), why: why.clone() };
    all.into_iter().map(left_out).collect()
}
