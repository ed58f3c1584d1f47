//! The store: a folder of contents, of records by session, and of trees by root.
//!
//! ```text
//! objects/ab/cd…       a content, under its hash
//! trees/…              what stood below a root when it was last seen
//! sessions/ID/000001/  a call: record.json, and while it runs before-0, before-1, …
//! usage                how large the contents are, and how often some of them left
//! clock                written to, to hear what time it is there
//! lock                 held by all who keep, and alone by who removes
//! ```

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::{ffi::OsStrExt as _, fs::OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{FlockOperation, flock},
    io::Errno,
};
use tagline_workspace::ContentHash;

use crate::{
    Limits, Node, Record, SnapshotError,
    error::At as _,
    objects::{Objects, Temp, private_folder},
};

/// Keeps contents, and what calls did with them. Made when it is first needed; only its owner can
/// look into it.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    limits: Limits,
    pub(crate) objects: Objects,
}

/// A lock, until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// How large the contents are, and how often some of them left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) generation: u64,
    pub(crate) n_bytes: u64,
    /// How long the file is that says so.
    pub(crate) n_notes: u64,
}

impl Store {
    /// The store in this folder, which need not exist.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>, limits: Limits) -> Self {
        let dir = dir.into();
        Self { objects: Objects::below(&dir), dir, limits }
    }

    /// How much it keeps.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The sessions of which there is something, or was.
    #[must_use]
    pub fn sessions(&self) -> Vec<String> {
        let names = fs::read_dir(self.dir.join("sessions")).into_iter().flatten().flatten();
        let mut names: Vec<_> =
            names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort_unstable();
        names
    }

    /// What was done in a session, in order. What cannot be read is left out: see
    /// [`Store::damaged`].
    #[must_use]
    pub fn records(&self, session: &str) -> Vec<Record> {
        let folders = self.folders(session).into_iter();
        folders.filter_map(|(_, folder)| Record::load(&folder).ok().flatten()).collect()
    }

    /// What of a session cannot be read, and why.
    #[must_use]
    pub fn damaged(&self, session: &str) -> Vec<SnapshotError> {
        let folders = self.folders(session).into_iter();
        folders.filter_map(|(_, folder)| Record::load(&folder).err()).collect()
    }

    /// How many of the session's records left the store to keep it within its quota.
    #[must_use]
    pub fn n_left(&self, session: &str) -> u64 {
        let text = fs::read_to_string(self.session(session).join("left")).unwrap_or_default();
        text.trim().parse().unwrap_or(0)
    }

    /// The content of a file that is kept, if it has at most `limit` bytes.
    #[must_use]
    pub fn content(&self, node: &Node, limit: u64) -> Option<Vec<u8>> {
        bounded(self.objects.open(node.hash()?)?, limit)
    }

    /// Forgets a session. Its contents leave with the next ones that leave.
    ///
    /// # Errors
    ///
    /// What cannot be removed.
    pub fn forget(&self, session: &str) -> Result<(), SnapshotError> {
        let folder = self.session(session);
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.at(&folder),
        }
    }

    pub(crate) fn temp(&self) -> Result<Temp, SnapshotError> {
        Temp::create(self.objects.temporary())
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn session(&self, session: &str) -> PathBuf {
        self.dir.join("sessions").join(safe(session))
    }

    /// The folders of a session's records, in order.
    pub(crate) fn folders(&self, session: &str) -> Vec<(u64, PathBuf)> {
        let entries = fs::read_dir(self.session(session)).into_iter().flatten().flatten();
        let numbered =
            entries.filter_map(|it| Some((it.file_name().to_str()?.parse().ok()?, it.path())));
        let mut folders: Vec<(u64, PathBuf)> = numbered.collect();
        folders.sort_unstable();
        folders
    }

    /// A folder for the session's next record.
    pub(crate) fn next_folder(&self, session: &str) -> Result<(u64, PathBuf), SnapshotError> {
        let last = self.folders(session).last().map_or(0, |(number, _)| *number);
        let number = last + 1;
        let folder = self.session(session).join(format!("{number:06}"));
        private_folder(&folder)?;
        Ok((number, folder))
    }

    /// Where the tree of a root lies that was seen last, whoever saw it.
    pub(crate) fn tree(&self, root: &Path) -> PathBuf {
        self.trees().join(name_of(root))
    }

    /// Where the tree lies that this session saw last.
    pub(crate) fn session_tree(&self, session: &str, root: &Path) -> PathBuf {
        self.session(session).join(format!("tree-{}", name_of(root)))
    }

    /// The trees that sessions saw last.
    pub(crate) fn session_trees(&self, session: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.session(session)).into_iter().flatten().flatten();
        let is_tree = |it: &fs::DirEntry| it.file_name().as_bytes().starts_with(b"tree-");
        entries.filter(is_tree).map(|it| it.path()).collect()
    }

    /// Makes a session's tree the one that the next session begins with.
    pub(crate) fn share_tree(&self, path: &Path, root: &Path) -> Result<(), SnapshotError> {
        private_folder(&self.trees())?;
        let shared = self.tree(root);
        let temp = self.temp()?.path.clone();
        fs::hard_link(path, &temp).at(&shared)?;
        fs::rename(&temp, &shared).at(&shared)?;
        // Renaming one name of a file to another one of the same file does nothing.
        let _ = fs::remove_file(&temp);
        Ok(())
    }

    pub(crate) fn trees(&self) -> PathBuf {
        self.dir.join("trees")
    }

    /// Nothing leaves the store while this is held.
    pub(crate) fn share(&self) -> Result<Lock, SnapshotError> {
        self.lock(FlockOperation::LockShared)
    }

    /// Nobody keeps anything while this is held.
    pub(crate) fn close(&self) -> Result<Lock, SnapshotError> {
        self.lock(FlockOperation::LockExclusive)
    }

    fn lock(&self, how: FlockOperation) -> Result<Lock, SnapshotError> {
        let path = self.dir.join("lock");
        let file = open_lock(&path)?;
        flock(&file, how).at(&path)?;
        Ok(Lock { _file: file })
    }

    /// The session's own lock: one call at a time, one undo at a time.
    pub(crate) fn take(&self, session: &str) -> Result<Lock, SnapshotError> {
        let path = self.session(session).join("lock");
        let file = open_lock(&path)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => Err(SnapshotError::Busy(session.to_owned())),
            taken => {
                taken.at(&path)?;
                Ok(Lock { _file: file })
            }
        }
    }

    pub(crate) fn usage(&self) -> Usage {
        let text = fs::read_to_string(self.dir.join("usage")).unwrap_or_default();
        let mut lines = text.lines();
        let head = lines.next().and_then(|line| line.split_once(' '));
        let read = |text: &str| text.parse::<u64>().unwrap_or(0);
        let (generation, n_first) = head.map_or((0, 0), |(one, two)| (read(one), read(two)));
        let n_bytes = lines.map(read).fold(n_first, u64::saturating_add);
        Usage { generation, n_bytes, n_notes: text.len() as u64 }
    }

    /// The contents grew by so many bytes. Lines of several processes do not mix.
    pub(crate) fn grew(&self, n_new: u64) -> Result<(), SnapshotError> {
        let path = self.dir.join("usage");
        let mut options = OpenOptions::new();
        match options.write(true).create_new(true).mode(0o600).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made.and_then(|mut file| file.write_all(b"0 0\n")).at(&path)?,
        }
        if n_new == 0 {
            return Ok(());
        }
        let file = OpenOptions::new().append(true).open(&path);
        file.and_then(|mut file| file.write_all(format!("{n_new}\n").as_bytes())).at(&path)
    }
}

/// A name for the tree of a root.
fn name_of(root: &Path) -> String {
    ContentHash::of(root.as_os_str().as_bytes()).to_string()
}

/// All of a file, if it has at most `limit` bytes.
pub(crate) fn bounded(file: File, limit: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).ok()?;
    Some(bytes).filter(|bytes| bytes.len() as u64 <= limit)
}

fn open_lock(path: &Path) -> Result<File, SnapshotError> {
    if let Some(folder) = path.parent() {
        private_folder(folder)?;
    }
    OpenOptions::new().create(true).append(true).mode(0o600).open(path).at(path)
}

/// A name from outside, reduced to one safe component.
fn safe(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = name.chars().take(64).map(safe).collect();
    if name.is_empty() { "session".to_owned() } else { name }
}
