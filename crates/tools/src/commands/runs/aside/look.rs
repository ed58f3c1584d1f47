//! Which protected names there are, and which of them are harmless: by handles, over no link.

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    fs::File,
    io::Read as _,
    os::{
        fd::{AsFd, AsRawFd as _, OwnedFd},
        unix::ffi::OsStrExt as _,
    },
    path::{Path, PathBuf},
    sync::Arc,
};

use rustix::{
    fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, openat, statat},
    io::Errno,
};
use tagline_policy::protected::{AT_HOME, IN_A_ROOT, IN_GIT, folded};
use tagline_workspace::show_name;

use super::git;

/// Opens a folder; a link is none.
const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// Opens a file without waiting for the other end of a pipe; a link is none.
const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Where protected names can stand.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// Folders that may be changed.
    pub(super) roots: Vec<PathBuf>,
    /// Where git keeps repositories of these folders, elsewhere than in `.git` of one of them.
    pub(super) repositories: Vec<PathBuf>,
}

/// A protected name that is there.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    folder: Arc<OwnedFd>,
    name: OsString,
    pub(super) path: PathBuf,
    kind: Kind,
}

/// What makes a name harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Nothing: it is obeyed as it stands.
    Obeyed,
    /// Hooks are, but not the samples of git.
    Hooks,
    /// Plain settings are.
    Config,
}

impl Places {
    /// Every protected name that is there, in any letter case.
    pub(super) fn entries(&self) -> Vec<Entry> {
        let mut found = Vec::new();
        for root in &self.roots {
            if let Some(folder) = open(CWD, root.as_os_str()) {
                in_root(&Arc::new(folder), root, &mut found);
            }
        }
        for git in &self.repositories {
            if let Some(folder) = open(CWD, git.as_os_str()) {
                in_git(&Arc::new(folder), git, &mut found);
            }
        }
        found
    }

    /// Their paths.
    pub(super) fn taken(&self) -> BTreeSet<PathBuf> {
        self.entries().into_iter().map(|entry| entry.path).collect()
    }

    /// The path as people know it: below the folder that may be changed.
    pub(super) fn shown(&self, path: &Path) -> String {
        let below = self.roots.iter().find_map(|root| path.strip_prefix(root).ok());
        show_name(below.unwrap_or(path).as_os_str())
    }
}

impl Entry {
    /// Why it cannot stay; `None` where it is harmless.
    pub(super) fn fault(&self) -> Option<String> {
        match self.kind {
            Kind::Obeyed => Some("programs of the user obey it without asking".to_owned()),
            Kind::Hooks => self.fault_of_hooks(),
            Kind::Config => self.fault_of_config(),
        }
    }

    fn fault_of_hooks(&self) -> Option<String> {
        let Some(hooks) = open(&*self.folder, &self.name) else {
            return Some(
                "it is no folder of its own, so it leads git to hooks elsewhere".to_owned(),
            );
        };
        let is_sample = |name: &OsString| {
            name.as_bytes().ends_with(b".sample") && is_a(&hooks, name, FileType::RegularFile)
        };
        let hook = names(&hooks).into_iter().find(|name| !is_sample(name))?;
        Some(format!("it holds `{}`, which git would run", show_name(&hook)))
    }

    fn fault_of_config(&self) -> Option<String> {
        match self.text() {
            Some(text) => {
                let line = git::plain(&text).err()?;
                Some(format!(
                    "it says {line}, which is none of the settings that make git run nothing"
                ))
            }
            None => Some("it is no short text, so what it makes git do is not known".to_owned()),
        }
    }

    fn text(&self) -> Option<String> {
        let file = File::from(openat(&*self.folder, &self.name, FILE, Mode::empty()).ok()?);
        let mut bytes = Vec::new();
        let limit = git::LONGEST as u64;
        let is_file = file.metadata().is_ok_and(|meta| meta.is_file());
        let n = file.take(limit + 1).read_to_end(&mut bytes).ok()?;
        (is_file && n <= git::LONGEST).then(|| String::from_utf8(bytes).ok()).flatten()
    }

    /// Moves it away, and says where it is now.
    pub(super) fn put_aside(&self, data: Option<&Path>, call: &str) -> Result<PathBuf, String> {
        tagline_workspace::put_aside(data, call, self.folder.as_fd(), &self.name, &self.path)
            .map_err(|problem| problem.to_string())
    }
}

fn in_root(folder: &Arc<OwnedFd>, path: &Path, found: &mut Vec<Entry>) {
    let add = |name: OsString, kind| {
        let path = path.join(&name);
        Entry { folder: Arc::clone(folder), name, path, kind }
    };
    // Such a folder may hold thousands of names, and all that are protected begin with a dot.
    for name in names(folder).into_iter().filter(|name| name.as_bytes().starts_with(b".")) {
        let known = folded(&name.to_string_lossy());
        let below: Vec<_> = AT_HOME.iter().filter_map(|it| it.strip_prefix(&known)).collect();
        if IN_A_ROOT.contains(&known.as_str()) || below.contains(&"") {
            found.push(add(name, Kind::Obeyed));
        } else if known == ".git" || below.iter().any(|rest| rest.starts_with('/')) {
            match open(&**folder, &name) {
                Some(inner) if known == ".git" => {
                    in_git(&Arc::new(inner), &path.join(&name), found)
                }
                Some(inner) => in_folder(&Arc::new(inner), &path.join(&name), &below, found),
                // A link, or a file that leads git elsewhere. A file `.config` is anything.
                None if known == ".git" || is_a(folder, &name, FileType::Symlink) => {
                    found.push(add(name, Kind::Obeyed));
                }
                None => {}
            }
        }
    }
}

/// A folder in which only some names are protected.
fn in_folder(folder: &Arc<OwnedFd>, path: &Path, below: &[&str], found: &mut Vec<Entry>) {
    for name in names(folder) {
        let known = format!("/{}", folded(&name.to_string_lossy()));
        if below.contains(&known.as_str()) {
            let path = path.join(&name);
            found.push(Entry { folder: Arc::clone(folder), name, path, kind: Kind::Obeyed });
        }
    }
}

fn in_git(folder: &Arc<OwnedFd>, path: &Path, found: &mut Vec<Entry>) {
    for name in names(folder) {
        let known = folded(&name.to_string_lossy());
        if !IN_GIT.contains(&known.as_str()) {
            continue;
        }
        let kind = match known.as_str() {
            "hooks" => Kind::Hooks,
            "config" | "config.worktree" => Kind::Config,
            _ => Kind::Obeyed,
        };
        let path = path.join(&name);
        found.push(Entry { folder: Arc::clone(folder), name, path, kind });
    }
}

/// Opens a folder of ours. One that a command closed is opened up: what cannot be looked at would be
/// left as it is.
fn open(within: impl AsFd, name: &OsStr) -> Option<OwnedFd> {
    match openat(&within, name, FOLDER, Mode::empty()) {
        Err(Errno::ACCESS) => {
            open_up(&within, name)?;
            openat(within, name, FOLDER, Mode::empty()).ok()
        }
        opened => opened.ok(),
    }
}

#[cfg(target_os = "linux")]
fn open_up(within: impl AsFd, name: &OsStr) -> Option<()> {
    let look = FOLDER.union(OFlags::PATH);
    let folder = openat(within, name, look, Mode::empty()).ok()?;
    let mode = Mode::from_bits_truncate(rustix::fs::fstat(&folder).ok()?.st_mode & 0o7777);
    let path = format!("/proc/self/fd/{}", folder.as_raw_fd());
    rustix::fs::chmod(path, mode | Mode::RWXU).ok()
}

#[cfg(not(target_os = "linux"))]
fn open_up(_within: impl AsFd, _name: &OsStr) -> Option<()> {
    None
}

/// The names in a folder, as far as they can be read.
fn names(folder: impl AsFd) -> Vec<OsString> {
    let entries = Dir::read_from(folder).into_iter().flatten().flatten();
    let name =
        |entry: rustix::fs::DirEntry| OsStr::from_bytes(entry.file_name().to_bytes()).to_owned();
    entries.map(name).filter(|name| name != "." && name != "..").collect()
}

fn is_a(folder: impl AsFd, name: &OsStr, kind: FileType) -> bool {
    let stat: Result<Stat, _> = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
    stat.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == kind)
}
