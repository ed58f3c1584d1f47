//! Why a file could not be touched: facts in variants, words in one place.

use std::io;

/// How much of a path messages show, in characters.
const SHOWN: usize = 200;

/// Why a path could not be used, with the path as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{path}`: {problem}")]
pub struct FileError {
    /// As it was asked for, at most 200 characters of it.
    pub path: String,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a path or what it names. Matched without a wildcard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// No path at all.
    #[error("expected a path, but it is empty; name a file or folder")]
    Empty,
    /// A control character, NUL included.
    #[error(
        "expected a path without control characters, but found U+{0:04X}; write the path without it"
    )]
    Control(u32),
    /// A backslash that is not one of our escapes.
    #[error("expected `/` between folders, but found a backslash; write `{0}`")]
    Backslash(String),
    /// A name that another system takes for a different file.
    #[error("the name `{0}` means another file or a device on some systems; use a plain name")]
    Alias(String),
    /// An address, not a path.
    #[error("expected a path, but found an address; name a file in {0}")]
    Address(String),
    /// A path or name over the system's limit, in bytes.
    #[error("expected at most {limit} bytes, but found {found}; use a shorter path")]
    TooLong {
        /// The bound.
        limit: usize,
        /// The length.
        found: usize,
    },
    /// A root that is not there in this session.
    #[error("there is no `{scheme}` folder here; use a path in {roots}")]
    NoSuchRoot {
        /// Such as `home:/`.
        scheme: String,
        /// What is there instead.
        roots: String,
    },
    /// It leads out of its root by `..`, or is absolute and in no root.
    #[error("leads out of {root}; use a path in {roots}")]
    Outside {
        /// The root, such as `the workspace`.
        root: String,
        /// All roots.
        roots: String,
    },
    /// A link on the way leads out of the root.
    #[error("a link on the way leads out of {0}; name the real file, if it may be used")]
    LinkLeaves(String),
    /// It is part of the runtime's own data.
    #[error("belongs to the runtime's own data, which no tool may touch")]
    Own,
    /// Nothing is there.
    #[error("there is no such file or folder in {0}")]
    Missing(String),
    /// Something on the way is not a folder.
    #[error("a part of the path is a file, not a folder")]
    NotAFolder,
    /// Something else than a regular file.
    #[error("expected a regular file, but found {0}")]
    NotAFile(&'static str),
    /// Over the bound of a read, in bytes.
    #[error("expected at most {limit} bytes, but the file has {found}; read a part of it")]
    TooLarge {
        /// The bound.
        limit: u64,
        /// The size.
        found: u64,
    },
    /// Something is there already.
    #[error("is there already; choose another name, or delete it first")]
    Exists,
    /// The file's content is not the expected one any more.
    #[error("changed while it was being written; nothing was written, read it again")]
    Changed,
    /// A file without any write permission.
    #[error("is read-only; change its mode first, if it may be changed")]
    ReadOnly,
    /// A folder with content, to be deleted alone.
    #[error("expected an empty folder, but it holds {0} entries; delete it recursively")]
    NotEmpty(usize),
    /// A root, or a folder that holds one.
    #[error("is or holds {0}, which stays where it is; name something inside it")]
    HoldsRoot(String),
    /// Another file system is mounted there or below.
    #[error("another file system is mounted at `{0}`; unmount it first")]
    Mounted(String),
    /// Deleting needs an undo store.
    #[error("there is no undo store in this session, so nothing can be deleted")]
    NoTrash,
    /// Over what is copied into the undo store, in bytes.
    #[error("holds more than {0} bytes on another file system than the undo store; delete parts")]
    TooMuchForTrash(u64),
    /// A folder cannot move to another file system.
    #[error("a folder cannot be moved to another file system; move its files one by one")]
    CrossesDevices,
    /// A folder into itself.
    #[error("a folder cannot be moved into itself")]
    IntoItself,
    /// No room.
    #[error("the disk is full; the old content is untouched, free some space first")]
    DiskFull,
    /// The system refuses.
    #[error("the system does not permit it")]
    NoPermission,
    /// Links that lead in a circle.
    #[error("its links lead in a circle")]
    LinkLoop,
    /// Anything else that the system reports.
    #[error("the system reports: {0}")]
    Io(String),
}

impl Problem {
    /// With the path as it was asked for.
    pub(crate) fn at(self, path: &str) -> FileError {
        let mut shown: String = path.chars().take(SHOWN).flat_map(visible).collect();
        if path.chars().nth(SHOWN).is_some() {
            shown.push('…');
        }
        FileError { path: shown, problem: self }
    }

    /// What the system says, without its number.
    pub(crate) fn reported(error: &io::Error) -> Self {
        let said = error.to_string();
        Self::Io(said.split(" (os error ").next().unwrap_or_default().to_owned())
    }

    /// What the system's error means for a path in `root`.
    pub(crate) fn from_io(error: &io::Error, root: &str) -> Self {
        if is_escape(error) {
            return Self::LinkLeaves(root.to_owned());
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "the system's kinds are open-ended")]
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing(root.to_owned()),
            io::ErrorKind::NotADirectory => Self::NotAFolder,
            io::ErrorKind::IsADirectory => Self::NotAFile("a folder"),
            io::ErrorKind::AlreadyExists => Self::Exists,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                Self::NoPermission
            }
            _ if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
                Self::LinkLoop
            }
            _ => Self::reported(error),
        }
    }
}

/// Control characters as escapes, everything else as it is.
fn visible(c: char) -> impl Iterator<Item = char> {
    let escaped = c.is_control().then(|| c.escape_default());
    let plain = if c.is_control() { None } else { Some(c) };
    escaped.into_iter().flatten().chain(plain)
}

/// Whether the handle's library refused a path that leaves its folder. It reports that as a lack
/// of permission without a number of the system.
pub(crate) fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}
