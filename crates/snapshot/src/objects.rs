//! Contents under their own hash: each is kept once, whoever had it.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use rustix::fs::syncfs;
use tagline_workspace::{ContentHash, Hasher};

use crate::{SnapshotError, error::At as _, stamp::Moment};

/// Files up to this size are read as a whole before they are written, in bytes: most are there
/// already.
const SMALL: u64 = 1 << 20;
/// Most contents that are written out one by one.
const FEW: usize = 32;
/// How much is handed to the system at once.
const PIECE: usize = 128 * 1024;

/// Why a content could not be kept.
pub(crate) enum PutError {
    /// It cannot be read.
    Source(io::Error),
    /// It cannot be written.
    Store(SnapshotError),
}

impl From<SnapshotError> for PutError {
    fn from(error: SnapshotError) -> Self {
        Self::Store(error)
    }
}

/// A content that is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Put {
    pub(crate) hash: ContentHash,
    pub(crate) len: u64,
    /// It was not in the store before.
    pub(crate) is_new: bool,
}

/// The contents of a store.
#[derive(Debug)]
pub(crate) struct Objects {
    dir: PathBuf,
    temp: PathBuf,
    clock: PathBuf,
}

/// Tells apart the temporary files of one process.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl Objects {
    pub(crate) fn below(store: &Path) -> Self {
        Self {
            dir: store.join("objects"),
            temp: store.join("temporary"),
            clock: store.join("clock"),
        }
    }

    /// The folder of what is being written.
    pub(crate) fn temporary(&self) -> &Path {
        &self.temp
    }

    /// Where this content lies.
    pub(crate) fn path(&self, hash: ContentHash) -> PathBuf {
        let digits = hash.to_string();
        let (first, rest) = digits.split_at_checked(2).unwrap_or(("", &digits));
        self.dir.join(first).join(rest)
    }

    /// Whether this content is kept.
    pub(crate) fn has(&self, hash: ContentHash) -> bool {
        self.path(hash).symlink_metadata().is_ok()
    }

    /// The content, if it is kept. Who reads it makes sure that it is whole.
    pub(crate) fn open(&self, hash: ContentHash) -> Option<File> {
        File::open(self.path(hash)).ok()
    }

    /// Keeps what is left of a file, of about `len` bytes.
    pub(crate) fn put(&self, file: &mut File, len: u64) -> Result<Put, PutError> {
        if len >= SMALL {
            return self.put_rest(&[], file);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or_default() + 1);
        (&*file).take(SMALL).read_to_end(&mut bytes).map_err(PutError::Source)?;
        if bytes.len() as u64 == SMALL {
            // It grew meanwhile.
            return self.put_rest(&bytes, file);
        }
        let (hash, len) = (ContentHash::of(&bytes), bytes.len() as u64);
        if self.has(hash) {
            return Ok(Put { hash, len, is_new: false });
        }
        let mut temp = Temp::create(&self.temp)?;
        temp.file.write_all(&bytes).at(&temp.path)?;
        self.name(temp, hash, len)
    }

    /// Keeps what was read of a file already, and the rest of it.
    fn put_rest(&self, begun: &[u8], file: &mut File) -> Result<Put, PutError> {
        let mut temp = Temp::create(&self.temp)?;
        let (mut hasher, mut len) = (Hasher::default(), 0);
        let mut take = |bytes: &[u8]| {
            hasher.update(bytes);
            len += bytes.len() as u64;
            temp.file.write_all(bytes).at(&temp.path)
        };
        take(begun)?;
        let mut piece = vec![0; PIECE];
        loop {
            match file.read(&mut piece) {
                Ok(0) => break,
                Ok(n) => take(piece.get(..n).unwrap_or_default())?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(PutError::Source(error)),
            }
        }
        let hash = hasher.finish();
        if self.has(hash) {
            return Ok(Put { hash, len, is_new: false });
        }
        self.name(temp, hash, len)
    }

    /// Gives a content its place. Its folder is there but for the first time, so it is not looked for
    /// each time.
    fn name(&self, temp: Temp, hash: ContentHash, len: u64) -> Result<Put, PutError> {
        let path = self.path(hash);
        temp.put_below(&path)?;
        Ok(Put { hash, len, is_new: true })
    }

    /// Contents that came in are on the disk when this returns. Few are written out one by one:
    /// writing out a whole file system waits for what everybody else has written to it.
    pub(crate) fn sync(&self, new: &[Put]) -> Result<(), SnapshotError> {
        if new.len() > FEW {
            let dir = File::open(&self.dir).at(&self.dir)?;
            return syncfs(&dir).at(&self.dir);
        }
        for put in new {
            let path = self.path(put.hash);
            File::open(&path).and_then(|file| file.sync_all()).at(&path)?;
            if let Some(folder) = path.parent() {
                File::open(folder).and_then(|folder| folder.sync_all()).at(folder)?;
            }
        }
        Ok(())
    }

    /// What time the file system says it is. One file serves all: a time that somebody else's
    /// question made a moment later is one that has come too.
    pub(crate) fn moment(&self) -> Result<Moment, SnapshotError> {
        let path = &self.clock;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600);
        let mut file = in_private_folder(path, |path| options.open(path)).at(path)?;
        file.write_all(b".").at(path)?;
        let meta = file.metadata().at(path)?;
        Ok(Moment::new(meta.ctime(), meta.ctime_nsec()))
    }
}

/// Makes a file; its folder too, where there is none.
fn in_private_folder(path: &Path, make: impl Fn(&Path) -> io::Result<File>) -> io::Result<File> {
    match (make(path), path.parent()) {
        (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
            private(folder)?;
            make(path)
        }
        (made, _) => made,
    }
}

fn private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Makes a folder that only we can look into.
pub(crate) fn private_folder(path: &Path) -> Result<(), SnapshotError> {
    private(path).at(path)
}

/// A file on its way into the store, gone unless it is put.
pub(crate) struct Temp {
    pub(crate) path: PathBuf,
    pub(crate) file: File,
    is_put: bool,
}

impl Temp {
    /// In this folder, which is made.
    pub(crate) fn create(folder: &Path) -> Result<Self, SnapshotError> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        loop {
            let n = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{}-{n}", std::process::id()));
            match in_private_folder(&path, |path| options.open(path)) {
                // Left by a process of this number that was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                opened => return Ok(Self { file: opened.at(&path)?, path, is_put: false }),
            }
        }
    }

    /// Gives it its name, in the place of what has it.
    pub(crate) fn put(mut self, path: &Path) -> Result<(), SnapshotError> {
        fs::rename(&self.path, path).at(path)?;
        self.is_put = true;
        Ok(())
    }

    /// The same in a folder that is made where there is none.
    fn put_below(mut self, path: &Path) -> Result<(), SnapshotError> {
        let named = match (fs::rename(&self.path, path), path.parent()) {
            (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
                private_folder(folder)?;
                fs::rename(&self.path, path)
            }
            (named, _) => named,
        };
        named.at(path)?;
        self.is_put = true;
        Ok(())
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        if !self.is_put {
            let _ = fs::remove_file(&self.path);
        }
    }
}
