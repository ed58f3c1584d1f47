//! Looks at a tree and keeps what it finds; what did not change is not read again.

use std::{
    collections::BTreeSet,
    io,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
};

use rustix::fs::{FileType, Stat, fstat, readlinkat};

use crate::{
    Limits, Name, Node, SnapshotError, Why,
    cover::Ignored,
    error::words,
    handle,
    node::{Mode, what},
    objects::{Objects, Put, PutError},
    stamp::{Moment, Stamp},
    tree::{Entry, Tree},
};

/// What a walk works with.
#[derive(Clone, Copy)]
pub(crate) struct Tools<'a> {
    pub(crate) objects: &'a Objects,
    pub(crate) limits: &'a Limits,
    /// Folders that are not entered, and why; the other roots, which are looked at by themselves,
    /// have no reason.
    pub(crate) borders: &'a [(PathBuf, Option<Why>)],
    /// Whether to end.
    pub(crate) stop: &'a dyn Fn() -> bool,
    /// When the walk began.
    pub(crate) now: Moment,
    /// Contents that were kept may be gone: look.
    pub(crate) is_doubtful: bool,
}

/// A walk through one root.
pub(crate) struct Walk<'a> {
    tools: Tools<'a>,
    root: &'a Path,
    /// The tree as it was seen before.
    old: &'a Tree,
    ignored: Ignored,
    tree: Tree,
    n_bytes: u64,
    new: Vec<Put>,
}

/// A tree, and the contents that came into the store for it.
pub(crate) struct Walked {
    pub(crate) tree: Tree,
    pub(crate) new: Vec<Put>,
}

/// A folder on the way.
struct Here<'a> {
    dir: &'a OwnedFd,
    name: &'a Name,
    device: u64,
    depth: usize,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(tools: Tools<'a>, root: &'a Path, old: &'a Tree) -> Self {
        let (ignored, tree) = (Ignored::below(root), Tree::default());
        Self { tools, root, old, ignored, tree, n_bytes: 0, new: Vec::new() }
    }

    /// Everything below the root.
    pub(crate) fn whole(mut self) -> Result<Walked, SnapshotError> {
        match handle::root(self.root) {
            Ok(dir) => self.begin(&dir)?,
            // A root that is gone: nothing stands below it.
            Err(error) if handle::is_no_way(&error) => {}
            Err(error) => self.leave_out(&Name::ROOT, Why::Unreadable(words(&error))),
        }
        Ok(Walked { tree: self.tree, new: self.new })
    }

    fn begin(&mut self, dir: &OwnedFd) -> Result<(), SnapshotError> {
        match fstat(dir) {
            Ok(stat) => {
                self.note(&Name::ROOT, Node::Folder { mode: Mode::of(&stat) }, None);
                self.inside(&Here { dir, name: &Name::ROOT, device: stat.st_dev, depth: 0 })
            }
            Err(error) => {
                self.leave_out(&Name::ROOT, Why::Unreadable(words(&error.into())));
                Ok(())
            }
        }
    }

    /// These alone, with everything below them, and the folders on the way to them.
    pub(crate) fn parts(mut self, names: &[Name]) -> Result<Walked, SnapshotError> {
        let names: BTreeSet<_> = names.iter().collect();
        for name in &names {
            // What holds it brings it along.
            if !name.above().any(|above| names.contains(&above)) {
                self.part(name)?;
            }
        }
        Ok(Walked { tree: self.tree, new: self.new })
    }

    fn part(&mut self, name: &Name) -> Result<(), SnapshotError> {
        if name.is_root() {
            return match handle::root(self.root) {
                Ok(dir) => self.begin(&dir),
                Err(_) => Ok(()),
            };
        }
        let Ok(mut dir) = handle::root(self.root) else { return Ok(()) };
        let mut above: Vec<_> = name.above().filter(|name| !name.is_root()).collect();
        while let Some(folder) = above.pop() {
            // What is no folder holds nothing of that name.
            let Ok(inner) = handle::folder(&dir, folder.last()) else { return Ok(()) };
            dir = inner;
            if let Ok(stat) = fstat(&dir) {
                self.note(&folder, Node::Folder { mode: Mode::of(&stat) }, None);
            }
        }
        let parent = name.parent().unwrap_or_default();
        let device = fstat(&dir).map(|stat| stat.st_dev).unwrap_or_default();
        let depth = name.parts().count() - 1;
        self.one(&Here { dir: &dir, name: &parent, device, depth }, name)
    }

    fn inside(&mut self, here: &Here<'_>) -> Result<(), SnapshotError> {
        let names = match handle::names(here.dir) {
            Ok(names) => names,
            Err(error) => {
                self.leave_out(here.name, Why::Unreadable(words(&error)));
                return Ok(());
            }
        };
        names.iter().try_for_each(|part| self.one(here, &here.name.join(part)))
    }

    fn one(&mut self, here: &Here<'_>, name: &Name) -> Result<(), SnapshotError> {
        if (self.tools.stop)() {
            return Err(SnapshotError::Stopped);
        }
        let stat = match handle::stat(here.dir, name.last()) {
            Ok(Some(stat)) => stat,
            Ok(None) => return Ok(()),
            Err(error) => {
                self.leave_out(name, Why::Unreadable(words(&error)));
                return Ok(());
            }
        };
        let limit = self.tools.limits.entries;
        if self.tree.entries.len() >= limit {
            self.leave_out(name, Why::TooMany(limit));
            return Ok(());
        }
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => self.folder(here, name, &stat),
            FileType::RegularFile => self.file(here, name, &stat),
            FileType::Symlink => {
                self.link(here, name);
                Ok(())
            }
            kind @ (FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown) => {
                self.leave_out(name, Why::Special(what(kind).to_owned()));
                Ok(())
            }
        }
    }

    fn folder(&mut self, here: &Here<'_>, name: &Name, stat: &Stat) -> Result<(), SnapshotError> {
        let path = name.path(self.root);
        if let Some((_, why)) = self.tools.borders.iter().find(|(border, _)| *border == path) {
            // A root of its own stays where it is, and is looked at by itself.
            if let Some(why) = why.clone() {
                self.leave_out(name, why);
            }
            return Ok(());
        }
        let depth = here.depth + 1;
        let why = if stat.st_dev != here.device {
            Some(Why::Mounted)
        } else if depth > self.tools.limits.depth {
            Some(Why::TooDeep(self.tools.limits.depth))
        } else if self.ignored.is_made_anew(&path) {
            Some(Why::MadeAnew)
        } else {
            None
        };
        if let Some(why) = why {
            self.leave_out(name, why);
            return Ok(());
        }
        match handle::folder(here.dir, name.last()) {
            Ok(dir) => {
                self.note(name, Node::Folder { mode: Mode::of(stat) }, None);
                self.inside(&Here { dir: &dir, name, device: here.device, depth })
            }
            Err(error) => {
                self.leave_out(name, Why::Unreadable(words(&error)));
                Ok(())
            }
        }
    }

    fn link(&mut self, here: &Here<'_>, name: &Name) {
        match readlinkat(here.dir, name.last(), Vec::new()) {
            Ok(to) => self.note(name, Node::Link { to: Name::of(to.into_bytes()) }, None),
            Err(error) => self.leave_out(name, Why::Unreadable(words(&error.into()))),
        }
    }

    fn file(&mut self, here: &Here<'_>, name: &Name, stat: &Stat) -> Result<(), SnapshotError> {
        let len = u64::try_from(stat.st_size).unwrap_or_default();
        let limits = self.tools.limits;
        if len > limits.file {
            self.leave_out(name, Why::TooLarge(limits.file));
            return Ok(());
        }
        if self.n_bytes.saturating_add(len) > limits.tree {
            self.leave_out(name, Why::TooMuch(limits.tree));
            return Ok(());
        }
        self.n_bytes += len;
        if let Some(entry) = self.known(name, stat) {
            self.tree.entries.insert(name.clone(), entry);
            return Ok(());
        }
        self.read(here, name)
    }

    /// What is known of the file, if it is as it was.
    fn known(&self, name: &Name, stat: &Stat) -> Option<Entry> {
        let entry = self.old.entries.get(name)?;
        if entry.stamp? != Stamp::of(stat) {
            return None;
        }
        match &entry.node {
            Node::File { len, hash, .. } => {
                if self.tools.is_doubtful && !self.tools.objects.has(*hash) {
                    return None;
                }
                let node = Node::File { mode: Mode::of(stat), len: *len, hash: *hash };
                Some(Entry { node, stamp: entry.stamp })
            }
            Node::Absent | Node::Link { .. } | Node::Folder { .. } | Node::Other { .. } => None,
        }
    }

    fn read(&mut self, here: &Here<'_>, name: &Name) -> Result<(), SnapshotError> {
        let read = read(here.dir, name.last(), self.tools.objects);
        match read {
            Ok(Some(read)) => {
                self.new.extend(Some(read.put).filter(|put| put.is_new));
                let stamp = read.stamp.filter(|stamp| stamp.is_settled(self.tools.now));
                self.note(name, read.node, stamp);
            }
            // It went away, or became something else, while it was looked at.
            Ok(None) => self.leave_out(name, Why::Unreadable("it changes".to_owned())),
            Err(PutError::Source(error)) if error.kind() == io::ErrorKind::NotFound => {}
            Err(PutError::Source(error)) => {
                self.leave_out(name, Why::Unreadable(words(&error)));
            }
            Err(PutError::Store(error)) => return Err(error),
        }
        Ok(())
    }

    fn note(&mut self, name: &Name, node: Node, stamp: Option<Stamp>) {
        self.tree.entries.insert(name.clone(), Entry { node, stamp });
    }

    fn leave_out(&mut self, name: &Name, why: Why) {
        self.tree.left_out.insert(name.clone(), why);
    }
}

/// A file that was read and kept.
struct Read {
    node: Node,
    /// `None` where it changed meanwhile.
    stamp: Option<Stamp>,
    put: Put,
}

fn read(dir: &OwnedFd, part: &[u8], objects: &Objects) -> Result<Option<Read>, PutError> {
    let mut file = handle::file(dir, part).map_err(PutError::Source)?;
    let stat = fstat(&file).map_err(|error| PutError::Source(error.into()))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Ok(None);
    }
    let put = objects.put(&mut file, u64::try_from(stat.st_size).unwrap_or_default())?;
    let then = fstat(&file).map_err(|error| PutError::Source(error.into()))?;
    let stamp = Some(Stamp::of(&then)).filter(|stamp| *stamp == Stamp::of(&stat));
    let node = Node::File { mode: Mode::of(&then), len: put.len, hash: put.hash };
    Ok(Some(Read { node, stamp, put }))
}
