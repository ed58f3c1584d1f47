//! A [`Plan`] as steps of mounting.

use std::{
    collections::BTreeSet,
    ffi::{CStr, CString, OsStr},
    io,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use crate::Plan;

/// Folders where a desktop and its services keep their sockets.
const RUN: &str = "/run";
/// What of it names are looked up with: without it there is no `/etc/resolv.conf` on many systems.
const RUN_KEPT: [&str; 3] =
    ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"];
const SHARED_MEMORY: &str = "/dev/shm";
const TEMPORARY: [&str; 2] = ["/tmp", "/var/tmp"];

/// One step after everything was made read-only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A copy of the tree, taken before, stands at that place.
    Tree { from: CString, to: CString, is_read_only: bool },
    /// An empty folder stands there.
    Empty { at: CString, options: &'static CStr },
    /// There is a folder to stand at; it may be there already.
    Folder(CString),
    /// The mount that stands there may not be changed any more.
    Seal(CString),
}

impl Plan {
    /// The steps, in order.
    pub(super) fn steps(&self) -> io::Result<Vec<Step>> {
        let mut steps = Steps::default();
        if let Some(temp) = &self.temp {
            for folder in TEMPORARY.map(Path::new).into_iter().filter(|it| is_real_folder(it)) {
                steps.tree(temp, folder, false)?;
            }
        }
        if is_real_folder(Path::new(RUN)) {
            steps.empty(Path::new(RUN), c"mode=0755,size=64k")?;
            steps.seals.push(RUN.into());
            for kept in RUN_KEPT.map(Path::new).into_iter().filter(|it| it.is_dir()) {
                steps.tree(kept, kept, true)?;
            }
        }
        if is_real_folder(Path::new(SHARED_MEMORY)) {
            steps.empty(Path::new(SHARED_MEMORY), c"mode=1777")?;
        }
        self.folders(&mut steps)?;
        for path in self.protected_places() {
            steps.tree(&path, &path, true)?;
        }
        for path in std::mem::take(&mut steps.seals) {
            steps.list.push(Step::Seal(c_string(&path)?));
        }
        Ok(steps.list)
    }

    /// What may be changed and what is hidden, outer ones first: either may lie in the other.
    fn folders(&self, steps: &mut Steps) -> io::Result<()> {
        let writable = self.writable.iter().cloned().chain(self.held()).map(|path| (path, false));
        let hidden = self.hidden.iter().cloned().map(|path| (path, true));
        let all: BTreeSet<_> = writable
            .chain(hidden)
            .filter(|(path, _)| is_real_folder(path))
            .map(|(path, is_hidden)| (path.components().count(), is_hidden, path))
            .collect();
        for (_, is_hidden, path) in all {
            if !is_hidden {
                steps.tree(&path, &path, false)?;
            } else if steps.is_visible(&path) {
                steps.empty(&path, c"mode=0700,size=64k")?;
                steps.seals.push(path);
            }
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Steps {
    list: Vec<Step>,
    /// Where something stands that hides what was there, or shows it again, in order.
    covers: Vec<(PathBuf, bool)>,
    seals: Vec<PathBuf>,
}

impl Steps {
    fn tree(&mut self, from: &Path, to: &Path, is_read_only: bool) -> io::Result<()> {
        self.folders_to(to)?;
        let (from_c, to_c) = (c_string(from)?, c_string(to)?);
        self.list.push(Step::Tree { from: from_c, to: to_c, is_read_only });
        self.covers.push((to.to_owned(), from != to));
        Ok(())
    }

    fn empty(&mut self, at: &Path, options: &'static CStr) -> io::Result<()> {
        self.folders_to(at)?;
        self.list.push(Step::Empty { at: c_string(at)?, options });
        self.covers.push((at.to_owned(), true));
        Ok(())
    }

    /// What was mounted last above a path says whether what it names is still there.
    fn cover(&self, path: &Path) -> Option<&(PathBuf, bool)> {
        self.covers.iter().rev().find(|(cover, _)| path.starts_with(cover))
    }

    fn is_visible(&self, path: &Path) -> bool {
        self.cover(path).is_none_or(|(_, is_hiding)| !is_hiding)
    }

    /// Makes the folders below a cover that lead to a path. A file is not made: the kernel will say
    /// that there is none.
    fn folders_to(&mut self, path: &Path) -> io::Result<()> {
        let Some((cover, true)) = self.cover(path).cloned() else { return Ok(()) };
        let Ok(rest) = path.strip_prefix(&cover) else { return Ok(()) };
        let mut at = cover.clone();
        for name in rest {
            at.push(name);
            self.list.push(Step::Folder(c_string(&at)?));
        }
        Ok(())
    }
}

/// A link at one of these places leads to another of them, or nobody knows where.
fn is_real_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

pub(super) fn c_string(path: impl AsRef<OsStr>) -> io::Result<CString> {
    Ok(CString::new(path.as_ref().as_bytes())?)
}
