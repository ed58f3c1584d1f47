//! The undo store: where deleted files are kept.

use std::{
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
};

use cap_std::{
    ambient_authority,
    fs::{Dir, DirBuilder, DirBuilderExt as _, Metadata, MetadataExt as _},
};
use rustix::io::Errno;

use crate::{Kind, Problem, locate::Spot, open::kind_of, show_name, write::rename_new};

/// Most that is copied from another file system for one deletion, in bytes.
const MAX_COPY: u64 = 1 << 30;
/// Deepest tree that is copied; deeper ones are refused.
const MAX_DEPTH: usize = 100;
/// The name of the deleted thing inside its slot.
const CONTENT: &str = "content";

/// One deletion's place in the store.
pub(crate) struct Slot {
    store: Dir,
    name: String,
    dir: Dir,
    path: PathBuf,
}

impl Slot {
    /// Makes it, under the name of the call reduced to one safe name.
    pub(crate) fn make(data: &Path, call: &str, origin: &Path) -> Result<Self, Problem> {
        Self::open(data, call, origin).map_err(|error| Problem::from_io(&error, "the undo store"))
    }

    fn open(data: &Path, call: &str, origin: &Path) -> io::Result<Self> {
        let data_dir = Dir::open_ambient_dir(data, ambient_authority())?;
        let mut private = DirBuilder::new();
        private.mode(0o700);
        match data_dir.create_dir_with("trash", &private) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Ok(()) | Err(_) => {}
        }
        let store = data_dir.open_dir("trash")?;
        let name = free_name(&store, &safe_name(call), &private)?;
        let dir = store.open_dir(&name)?;
        dir.write("origin", format!("{}\n", show_name(origin.as_os_str())))?;
        Ok(Self { path: data.join("trash").join(&name), store, name, dir })
    }

    /// Moves the thing in; copies where the store lies on another file system. On an error the
    /// thing stays where it was, and the slot goes.
    pub(crate) fn take(self, spot: &Spot, kind: Kind) -> Result<PathBuf, Problem> {
        let taken = self.inner_take(spot, kind);
        if taken.is_err() {
            let _ = self.store.remove_dir_all(&self.name);
        }
        taken.map(|()| self.path.join(CONTENT))
    }

    fn inner_take(&self, spot: &Spot, kind: Kind) -> Result<(), Problem> {
        match rename_new(&spot.dir, &spot.name, &self.dir, OsStr::new(CONTENT)) {
            Ok(()) => Ok(()),
            Err(error) if error.raw_os_error() == Some(Errno::XDEV.raw_os_error()) => {
                self.copy(spot)?;
                let removed = match kind {
                    Kind::Folder => spot.dir.remove_dir_all(&spot.name),
                    Kind::File(_) | Kind::Special(_) => spot.dir.remove_file(&spot.name),
                };
                removed.map_err(|error| Problem::from_io(&error, "its folder"))
            }
            Err(error) if error.raw_os_error() == Some(Errno::BUSY.raw_os_error()) => {
                Err(Problem::Mounted(show_name(&spot.name)))
            }
            Err(error) => Err(Problem::from_io(&error, "its folder")),
        }
    }

    fn copy(&self, spot: &Spot) -> Result<(), Problem> {
        let problem = |error: io::Error| Problem::from_io(&error, "its folder");
        let device = spot.dir.dir_metadata().map_err(problem)?.dev();
        let mut copy = Copy { device, n_bytes: 0 };
        copy.one(&spot.dir, &spot.name, &self.dir, OsStr::new(CONTENT), 0)
    }
}

fn free_name(store: &Dir, name: &str, private: &DirBuilder) -> io::Result<String> {
    for n in 1..10_000 {
        let candidate = if n == 1 { name.to_owned() } else { format!("{name}-{n}") };
        match store.create_dir_with(&candidate, private) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            done => return done.map(|()| candidate),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A name from outside, reduced to one safe component.
fn safe_name(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = name.chars().take(64).map(safe).collect();
    if name.is_empty() { "call".to_owned() } else { name }
}

/// A copy of a tree by handles, within one file system.
struct Copy {
    device: u64,
    n_bytes: u64,
}

impl Copy {
    fn one(
        &mut self,
        from: &Dir,
        name: &OsStr,
        to: &Dir,
        new: &OsStr,
        depth: usize,
    ) -> Result<(), Problem> {
        let problem = |error: io::Error| Problem::from_io(&error, "its folder");
        let meta = from.symlink_metadata(name).map_err(problem)?;
        if meta.dev() != self.device {
            return Err(Problem::Mounted(show_name(name)));
        }
        if meta.is_symlink() {
            let target = from.read_link_contents(name).map_err(problem)?;
            return to.symlink_contents(target, new).map_err(problem);
        }
        match kind_of(&meta) {
            Kind::Folder if depth >= MAX_DEPTH => Err(Problem::TooMuchForTrash(MAX_COPY)),
            Kind::Folder => self.folder(from, name, to, new, depth),
            Kind::File(len) => self.file(from, name, to, new, len),
            Kind::Special(_) => Ok(()),
        }
    }

    fn folder(
        &mut self,
        from: &Dir,
        name: &OsStr,
        to: &Dir,
        new: &OsStr,
        depth: usize,
    ) -> Result<(), Problem> {
        let problem = |error: io::Error| Problem::from_io(&error, "its folder");
        let source = from.open_dir(name).map_err(problem)?;
        check_same(&source.dir_metadata().map_err(problem)?, self.device, name)?;
        to.create_dir(new).map_err(problem)?;
        let target = to.open_dir(new).map_err(problem)?;
        for entry in source.entries().map_err(problem)? {
            let name = entry.map_err(problem)?.file_name();
            self.one(&source, &name, &target, &name, depth + 1)?;
        }
        Ok(())
    }

    fn file(
        &mut self,
        from: &Dir,
        name: &OsStr,
        to: &Dir,
        new: &OsStr,
        len: u64,
    ) -> Result<(), Problem> {
        self.n_bytes = self.n_bytes.saturating_add(len);
        if self.n_bytes > MAX_COPY {
            return Err(Problem::TooMuchForTrash(MAX_COPY));
        }
        let copied = from.copy(name, to, new);
        copied.map(|_| ()).map_err(|error| Problem::from_io(&error, "its folder"))
    }
}

fn check_same(meta: &Metadata, device: u64, name: &OsStr) -> Result<(), Problem> {
    if meta.dev() == device { Ok(()) } else { Err(Problem::Mounted(show_name(name))) }
}
