//! Brings things back, each whole or not at all.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, Write as _},
    os::fd::{AsFd, OwnedFd},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{
        AtFlags, Gid, Mode as Bits, OFlags, Uid, fchmod, fchown, fstat, mkdirat, openat, renameat,
        symlinkat, syncfs, unlinkat,
    },
    io::Errno,
};
use tagline_workspace::ContentHash;

use crate::{
    Ended, Keeper, Mode, Name, Node, Plan, Reach, SnapshotError, Step, Store, What, error::words,
    handle, look, record::Record,
};

/// What was brought back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// How to bring it back again; none where nothing changed.
    pub record: Option<Record>,
    /// What could not be done.
    pub failures: Vec<Failure>,
}

/// Something that could not be brought back, and is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its absolute path.
    pub path: PathBuf,
    /// Why.
    pub why: String,
}

impl Plan {
    /// Does it, as one more record of the session. What was changed since is overwritten with
    /// `force` alone. Killed half-way, it can be done again.
    ///
    /// # Errors
    ///
    /// What the store cannot do: before anything was changed, or so that the record stays open.
    pub fn carry_out(&self, keeper: &Keeper, force: bool) -> Result<Carried, SnapshotError> {
        let steps = self.to_do(force);
        if steps.is_empty() {
            return Ok(Carried::default());
        }
        let paths = steps.iter().map(|step| step.path()).collect();
        let id = next_id('u', &keeper.store.records(keeper.session()));
        let what = What::Undo { id, of: self.of.clone() };
        let begun = keeper.begin(what, &Reach::Paths(paths), &|| false)?;
        let mut work = Work::new(&keeper.store, steps);
        work.all();
        let failures = work.failures;
        let Ended { record, freed: _ } = keeper.end(begun)?;
        Ok(Carried { record, failures })
    }
}

/// The next id that begins with this letter.
pub(crate) fn next_id(letter: char, records: &[Record]) -> String {
    let number = |record: &Record| record.what.id().strip_prefix(letter)?.parse::<u64>().ok();
    let last = records.iter().filter_map(number).max().unwrap_or(0);
    format!("{letter}{}", last + 1)
}

/// Steps on their way.
struct Work<'a> {
    store: &'a Store,
    steps: Vec<&'a Step>,
    /// Folders that had to be opened for us, and how they were.
    opened: BTreeMap<(PathBuf, Name), Mode>,
    failures: Vec<Failure>,
}

impl<'a> Work<'a> {
    fn new(store: &'a Store, steps: Vec<&'a Step>) -> Self {
        Self { store, steps, opened: BTreeMap::new(), failures: Vec::new() }
    }

    /// Removes from the inside out, makes from the outside in, and gives folders their permissions
    /// last, so that none is in the way.
    fn all(&mut self) {
        for step in self.steps.clone() {
            self.open_holder(step);
        }
        for step in self.steps.clone().into_iter().rev().filter(|step| is_in_the_way(step)) {
            let removed = remove(step);
            self.note(step, removed);
        }
        for step in self.steps.clone() {
            let made = self.make(step);
            self.note(step, made);
        }
        for step in self.steps.clone().into_iter().rev() {
            if let Node::Folder { mode } = step.target {
                let key = (step.root.clone(), step.name.clone());
                self.opened.remove(&key);
                let set = set_folder_mode(&step.root, &step.name, mode);
                self.note(step, set);
            }
        }
        for ((root, name), mode) in std::mem::take(&mut self.opened) {
            // It is gone, or another one is in its place: both have permissions of their own.
            let _ = set_folder_mode(&root, &name, mode);
        }
        self.sync();
    }

    fn note(&mut self, step: &Step, done: io::Result<()>) {
        let path = step.path();
        let is_known = self.failures.iter().any(|failure| failure.path == path);
        if let Err(error) = done
            && !is_known
        {
            self.failures.push(Failure { path, why: words(&error) });
        }
    }

    /// A folder that may not be written to is opened for as long as this takes.
    fn open_holder(&mut self, step: &Step) {
        let Some(parent) = step.name.parent() else { return };
        let key = (step.root.clone(), parent);
        if self.opened.contains_key(&key) {
            return;
        }
        let Ok(dir) = handle::walk(&key.0, &key.1) else { return };
        let Ok(stat) = fstat(&dir) else { return };
        let mode = Mode::of(&stat);
        if mode.bits & 0o300 != 0o300 && fchmod(&dir, bits(mode.bits | 0o700)).is_ok() {
            self.opened.insert(key, mode);
        }
    }

    fn make(&self, step: &Step) -> io::Result<()> {
        match &step.target {
            Node::Absent | Node::Other { .. } => Ok(()),
            Node::Folder { .. } if step.now.is_folder() => Ok(()),
            Node::Folder { .. } => make_folder(step),
            Node::Link { to } => {
                self.in_place(step, |dir, temp| Ok(symlinkat(to.as_bytes(), dir, temp)?))
            }
            Node::File { mode, hash, .. } => {
                self.in_place(step, |dir, temp| self.fill(dir, temp, *mode, *hash))
            }
        }
    }

    /// Makes something under a name of its own, then gives it the name of the step.
    fn in_place(
        &self,
        step: &Step,
        make: impl FnOnce(&OwnedFd, &str) -> io::Result<()>,
    ) -> io::Result<()> {
        let dir = holder(step)?;
        let temp = temporary(&step.name);
        // One that was left by an undo that was killed.
        let _ = unlinkat(&dir, &temp, AtFlags::empty());
        let made = make(&dir, &temp)
            .and_then(|()| still_there(step))
            .and_then(|()| Ok(renameat(&dir, &temp, &dir, step.name.last())?));
        if made.is_err() {
            let _ = unlinkat(&dir, &temp, AtFlags::empty());
        }
        made
    }

    fn fill(&self, dir: &OwnedFd, temp: &str, mode: Mode, hash: ContentHash) -> io::Result<()> {
        let gone = || io::Error::other("its content is not in the undo store any more");
        let mut from = self.store.objects.open(hash).ok_or_else(gone)?;
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(openat(dir, temp, flags, bits(0o600))?);
        let (found, _) = look::hash(&mut from, |piece| file.write_all(piece))?;
        if found != hash {
            return Err(io::Error::other("its content in the undo store is damaged"));
        }
        set_mode(&file, mode)
    }

    /// What was brought back is on the disk before the record of it ends.
    fn sync(&self) {
        let roots: BTreeSet<&Path> = self.steps.iter().map(|step| step.root.as_path()).collect();
        for root in roots {
            // Where that fails, a power cut can undo the undo, which can be done again.
            let _ = handle::root(root).map(|dir| syncfs(&dir));
        }
    }
}

/// Whether what stands there has to go before its place can be taken.
const fn is_in_the_way(step: &Step) -> bool {
    match (&step.now, &step.target) {
        (Node::Absent, _) => false,
        (_, Node::Absent) => true,
        (Node::Folder { .. }, Node::Folder { .. }) => false,
        (Node::Folder { .. }, _) | (_, Node::Folder { .. }) => true,
        (_, Node::File { .. } | Node::Link { .. } | Node::Other { .. }) => false,
    }
}

fn remove(step: &Step) -> io::Result<()> {
    still_there(step)?;
    if step.name.is_root() {
        return fs::remove_dir(&step.root);
    }
    let flags = if step.now.is_folder() { AtFlags::REMOVEDIR } else { AtFlags::empty() };
    match unlinkat(holder(step)?, step.name.last(), flags) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Nobody touched it since it was looked at.
fn still_there(step: &Step) -> io::Result<()> {
    if is_in_the_way(step) && !matches!(step.target, Node::Absent) {
        // It was removed just now, or could not be.
        return Ok(());
    }
    let now = look::look(&step.root, &step.name);
    // A folder may have been opened for us.
    if now == step.now || (now.is_folder() && step.now.is_folder()) {
        return Ok(());
    }
    Err(io::Error::other("it changed meanwhile; undo again"))
}

fn make_folder(step: &Step) -> io::Result<()> {
    if step.name.is_root() {
        return fs::create_dir_all(&step.root);
    }
    match mkdirat(holder(step)?, step.name.last(), bits(0o700)) {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn holder(step: &Step) -> io::Result<OwnedFd> {
    let missing = || io::Error::other("the folder that held it is not there");
    handle::holder(&step.root, &step.name)?.ok_or_else(missing)
}

fn set_folder_mode(root: &Path, name: &Name, mode: Mode) -> io::Result<()> {
    set_mode(handle::walk(root, name)?, mode)
}

/// Owner first: giving a file away takes some of its permissions.
fn set_mode(file: impl AsFd, mode: Mode) -> io::Result<()> {
    let stat = fstat(file.as_fd())?;
    if (stat.st_uid, stat.st_gid) != (mode.uid, mode.gid) {
        let (uid, gid) = (Uid::from_raw(mode.uid), Gid::from_raw(mode.gid));
        // Only the superuser may give a file away; without that it is ours.
        let _ = fchown(file.as_fd(), Some(uid), Some(gid));
    }
    Ok(fchmod(file, bits(mode.bits))?)
}

const fn bits(mode: u32) -> Bits {
    Bits::from_bits_truncate(mode)
}

/// The same for the same name, so that one that is left is found again.
fn temporary(name: &Name) -> String {
    let digits = ContentHash::of(name.as_bytes()).to_string();
    format!(".tagline-{}.tmp", digits.get(..16).unwrap_or(&digits))
}
