//! Which folder a handle is, whatever the names on the way to it are now.
//!
//! A path that was looked at may lead elsewhere when it is opened. Where a root holds folders that
//! no tool may touch, the handle itself is asked, up to the root.

use std::{
    ffi::OsStr,
    fs::File,
    io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::fs::MetadataExt as _,
    },
    path::{Path, PathBuf},
};

use rustix::fs::{CWD, Mode, OFlags};

use crate::Problem;

/// Deepest folder that is asked; deeper ones are refused.
const MAX_DEPTH: usize = 4096;
/// Flags that open a folder, where the system can without the right to read it.
#[cfg(target_os = "linux")]
const LOOK: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// Flags that open a folder.
#[cfg(not(target_os = "linux"))]
const LOOK: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// A folder or file of this machine, whatever it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Id {
    device: u64,
    inode: u64,
}

impl Id {
    pub(crate) fn of(handle: impl AsFd) -> io::Result<Self> {
        let meta = File::from(handle.as_fd().try_clone_to_owned()?).metadata()?;
        Ok(Self { device: meta.dev(), inode: meta.ino() })
    }

    /// Of a folder by its path, if it is there.
    fn at(path: &Path) -> Option<Self> {
        let handle = rustix::fs::openat(CWD, path, LOOK, Mode::empty()).ok()?;
        Self::of(handle).ok()
    }

    /// Of a folder by its name in another one, if it is there and no link.
    pub(crate) fn in_folder(folder: impl AsFd, name: &OsStr) -> Option<Self> {
        let flags = LOOK | OFlags::NOFOLLOW;
        let handle = rustix::fs::openat(folder, name, flags, Mode::empty()).ok()?;
        Self::of(handle).ok()
    }
}

/// The folders of a root that no tool may touch, and those inside of them that it may.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bans {
    own: Vec<PathBuf>,
    lifted: Vec<PathBuf>,
    has_processes: bool,
}

impl Bans {
    /// What holds below a root: `own` and `roots` are all of the session, absolute.
    pub(crate) fn below(root: &Path, own: &[PathBuf], roots: &[PathBuf]) -> Self {
        let inside = |paths: &[PathBuf]| -> Vec<PathBuf> {
            paths.iter().filter(|path| path.starts_with(root)).cloned().collect()
        };
        let has_processes = root.starts_with("/proc") || Path::new("/proc").starts_with(root);
        Self { own: inside(own), lifted: inside(roots), has_processes }
    }

    /// Refuses a folder that is, or lies in, one that no tool may touch. Costs nothing where the
    /// root holds none.
    pub(crate) fn check(&self, folder: impl AsFd) -> Result<(), Problem> {
        if self.has_processes && is_of_this_process(folder.as_fd()) {
            return Err(Problem::Own);
        }
        if self.own.is_empty() {
            return Ok(());
        }
        let ids = |paths: &[PathBuf]| paths.iter().filter_map(|path| Id::at(path)).collect();
        let (own, lifted): (Vec<Id>, Vec<Id>) = (ids(&self.own), ids(&self.lifted));
        let above = lineage(folder).map_err(|error| Problem::reported(&error))?;
        // The innermost one decides.
        let decides = above.iter().find(|id| own.contains(id) || lifted.contains(id));
        match decides {
            Some(id) if !lifted.contains(id) => Err(Problem::Own),
            Some(_) | None => Ok(()),
        }
    }
}

/// As [`lineage`], of a folder by its path.
pub(crate) fn lineage_at(path: &Path) -> io::Result<Vec<Id>> {
    lineage(rustix::fs::openat(CWD, path, LOOK, Mode::empty())?)
}

/// A folder and those above it, innermost first.
pub(crate) fn lineage(folder: impl AsFd) -> io::Result<Vec<Id>> {
    let mut ids = vec![Id::of(&folder)?];
    let mut current: OwnedFd = folder.as_fd().try_clone_to_owned()?;
    for _ in 0..MAX_DEPTH {
        current = rustix::fs::openat(&current, "..", LOOK, Mode::empty())?;
        let id = Id::of(&current)?;
        if ids.last() == Some(&id) {
            return Ok(ids);
        }
        ids.push(id);
    }
    Err(io::Error::other("the folder lies too deep"))
}

/// Whether it is a folder of the process tables that tells of this very process: its environment
/// and memory hold keys. Where that cannot be told, it counts as one.
#[cfg(target_os = "linux")]
fn is_of_this_process(folder: impl AsFd) -> bool {
    use std::os::fd::AsRawFd as _;

    let folder = folder.as_fd();
    match rustix::fs::fstatfs(folder) {
        Err(_) => return true,
        Ok(system) if system.f_type != rustix::fs::PROC_SUPER_MAGIC => return false,
        Ok(_) => {}
    }
    let Ok(path) = std::fs::read_link(format!("/proc/self/fd/{}", folder.as_raw_fd())) else {
        return true;
    };
    let number = path.components().nth(2).and_then(|name| name.as_os_str().to_str());
    let Some(number) = number.and_then(|name| name.parse::<u32>().ok()) else { return false };
    // Each thread of a process has a folder of its own there, which no listing shows.
    let status = std::fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
    let group = status.lines().find_map(|line| line.strip_prefix("Tgid:"));
    group.is_none_or(|group| group.trim() == std::process::id().to_string())
}

/// There are no process tables among the files.
#[cfg(not(target_os = "linux"))]
fn is_of_this_process(_: impl AsFd) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// What is said of a folder below a root, whatever it was called on the way.
    fn check(bans: &Bans, folder: &Path) -> Result<(), Problem> {
        bans.check(File::open(folder).unwrap())
    }

    #[test]
    fn a_handle_tells_what_no_name_does() {
        let top = tempfile::tempdir().unwrap();
        let root = top.path().canonicalize().unwrap();
        let (own, home) = (root.join("data"), root.join("data/home"));
        fs::create_dir_all(home.join("files")).unwrap();
        fs::create_dir_all(own.join("keys/deep")).unwrap();
        fs::create_dir(root.join("other")).unwrap();
        let roots = [root.clone(), home];
        let bans = Bans::below(&root, std::slice::from_ref(&own), &roots);
        for path in ["", "other", "data/home", "data/home/files"] {
            assert_eq!(check(&bans, &root.join(path)), Ok(()), "{path}");
        }
        for path in ["data", "data/keys", "data/keys/deep"] {
            assert_eq!(check(&bans, &root.join(path)), Err(Problem::Own), "{path}");
        }
        // The handle stays what it is when its folder gets another name.
        let handle = File::open(own.join("keys")).unwrap();
        std::os::unix::fs::symlink("data/keys", root.join("link")).unwrap();
        assert_eq!(check(&bans, &root.join("link")), Err(Problem::Own));
        fs::rename(own.join("keys"), root.join("free")).unwrap();
        assert_eq!(bans.check(&handle), Ok(()));
        assert_eq!(Id::in_folder(File::open(&root).unwrap(), "link".as_ref()), None);
    }

    #[test]
    fn a_folder_that_is_made_later_counts() {
        let top = tempfile::tempdir().unwrap();
        let root = top.path().canonicalize().unwrap();
        let own = root.join("config");
        let bans = Bans::below(&root, std::slice::from_ref(&own), std::slice::from_ref(&root));
        fs::create_dir(&own).unwrap();
        assert_eq!(check(&bans, &own), Err(Problem::Own));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn our_own_process_tables_are_ours_by_every_name() {
        let bans = Bans::below(Path::new("/"), &[], &[]);
        let thread = rustix::thread::gettid().as_raw_nonzero();
        let own = std::process::id();
        for path in ["/proc/self", "/proc/thread-self", "/proc/self/task", "/proc/self/net"] {
            assert_eq!(check(&bans, Path::new(path)), Err(Problem::Own), "{path}");
        }
        for number in [own, thread.get().unsigned_abs()] {
            let path = PathBuf::from(format!("/proc/{number}/task"));
            assert_eq!(check(&bans, &path), Err(Problem::Own), "{}", path.display());
        }
        for path in ["/proc", "/proc/1", "/proc/sys", "/etc"] {
            assert_eq!(check(&bans, Path::new(path)), Ok(()), "{path}");
        }
    }
}
