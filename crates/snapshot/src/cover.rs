//! What is not kept, and why: bounded, and never in silence.

use std::{
    collections::HashMap,
    fmt,
    fs::OpenOptions,
    io::Read as _,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

/// Folders that hold what a build or a tool makes anew. They are left out where git ignores them,
/// and only there.
const MADE_ANEW: [&str; 15] = [
    "target",
    "node_modules",
    "__pycache__",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".gradle",
    ".next",
    ".nuxt",
    ".parcel-cache",
    ".turbo",
];

/// Longest `.gitignore` that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// Why something is not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// A folder that a build makes anew, which git ignores.
    MadeAnew,
    /// A file over the bound of one file, in bytes.
    TooLarge(u64),
    /// The tree holds more files and folders than are kept.
    TooMany(usize),
    /// The tree holds more bytes than are kept.
    TooMuch(u64),
    /// Folders within folders, over the bound.
    TooDeep(usize),
    /// Another file system.
    Mounted,
    /// The runtime's own data.
    Own,
    /// A pipe, socket or device, with its article.
    Special(String),
    /// The system does not let us read it; what it says.
    Unreadable(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MadeAnew => f.write_str("made anew by a build, and ignored by git"),
            Self::TooLarge(limit) => write!(f, "a file of more than {limit} bytes"),
            Self::TooMany(limit) => write!(f, "beyond the first {limit} files and folders"),
            Self::TooMuch(limit) => write!(f, "beyond the first {limit} bytes"),
            Self::TooDeep(limit) => write!(f, "more than {limit} folders deep"),
            Self::Mounted => f.write_str("another file system"),
            Self::Own => f.write_str("the runtime's own data"),
            Self::Special(what) => f.write_str(what),
            Self::Unreadable(said) => write!(f, "cannot be read: {said}"),
        }
    }
}

/// How much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole store; beyond, the oldest snapshots leave.
    pub quota: u64,
    /// Bytes of one tree.
    pub tree: u64,
    /// Bytes of one file.
    pub file: u64,
    /// Files and folders of one tree.
    pub entries: usize,
    /// Folders within folders.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let gib = 1 << 30;
        Self { quota: 4 * gib, tree: 2 * gib, file: gib, entries: 200_000, depth: 200 }
    }
}

/// What git ignores below a root, as far as it is asked.
#[derive(Debug)]
pub(crate) struct Ignored {
    /// The folder of the repository, or the root.
    top: PathBuf,
    rules: HashMap<PathBuf, Gitignore>,
}

impl Ignored {
    pub(crate) fn below(root: &Path) -> Self {
        let is_repository = |folder: &&Path| folder.join(".git").symlink_metadata().is_ok();
        let top = root.ancestors().find(is_repository).unwrap_or(root).to_owned();
        Self { top, rules: HashMap::new() }
    }

    /// Whether this folder is one that is made anew and that git ignores.
    pub(crate) fn is_made_anew(&mut self, folder: &Path) -> bool {
        let name = folder.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| MADE_ANEW.contains(&name)) && self.is_ignored(folder)
    }

    /// The nearest file that says something of the folder, or of one above it, counts.
    fn is_ignored(&mut self, folder: &Path) -> bool {
        let above: Vec<_> = folder.ancestors().skip(1).map(Path::to_owned).collect();
        for holder in above.into_iter().take_while(|holder| holder.starts_with(&self.top)) {
            let is_top = holder == self.top;
            let rules = self.rules.entry(holder).or_insert_with_key(|at| rules(at, is_top));
            let said = rules.matched_path_or_any_parents(folder, true);
            if !said.is_none() {
                return said.is_ignore();
            }
        }
        false
    }
}

/// What is said in a folder: in its `.gitignore`, and at the top in the repository's own file.
fn rules(folder: &Path, is_top: bool) -> Gitignore {
    let mut builder = GitignoreBuilder::new(folder);
    let own = is_top.then(|| folder.join(".git/info/exclude"));
    for file in own.into_iter().chain([folder.join(".gitignore")]) {
        for line in text(&file).unwrap_or_default().lines() {
            // A line that is no pattern ignores nothing, as with git.
            let _ = builder.add_line(None, line);
        }
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// The text of a regular file; never waits for a pipe, never follows a link.
fn text(file: &Path) -> Option<String> {
    let flags = (OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(file).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
