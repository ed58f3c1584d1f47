//! Atomic writes: a temporary file in the same folder takes the old one's place.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io::{self, Read},
    path::PathBuf,
};

use cap_std::fs::{
    Dir, Metadata, MetadataExt as _, OpenOptions, OpenOptionsExt as _, Permissions,
    PermissionsExt as _,
};
use rustix::fs::{AtFlags, Gid, RenameFlags, Uid};

use crate::{
    ContentHash, FileError, Hasher, Problem, Step, Steps, Workspace,
    locate::{Place, Spot},
    open::{kind_of, open_entry, regular},
};

/// How much is handed to the system at once.
const PIECE: usize = 64 * 1024;
/// The mode of a new file, which the system's mask narrows.
const USUAL: u32 = 0o666;
/// The mode of a file that gets another one before it is seen.
const PRIVATE: u32 = 0o600;

/// What must hold of the old file when the new one takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// Nothing.
    Anything,
    /// There is no file.
    Absent,
    /// Its content is this.
    Is(ContentHash),
}

/// A write that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Absolute, links resolved.
    pub path: PathBuf,
    /// Bytes written.
    pub len: u64,
    /// Fingerprint of the new content.
    pub hash: ContentHash,
    /// There was no file before.
    pub is_new: bool,
    /// The system confirmed that it is on the disk, its name included.
    pub is_durable: bool,
}

impl Workspace {
    /// Writes a whole file, atomically (W2). Makes missing folders, keeps the old file's mode,
    /// follows links that stay inside the root. A file with further hard links gets an inode of
    /// its own, so the other names keep the old content.
    ///
    /// # Errors
    ///
    /// What is wrong with the path, [`Problem::Exists`] or [`Problem::Changed`] where `before` does
    /// not hold, [`Problem::DiskFull`] and whatever else the system reports. The old content
    /// stays then.
    pub fn write(&self, asked: &str, bytes: &[u8], before: Before) -> Result<Written, FileError> {
        self.write_from(asked, &mut io::Cursor::new(bytes), before, None)
    }

    /// As [`Workspace::write`], with these permissions, the lowest nine bits of a mode, instead of
    /// the old file's or the usual ones.
    ///
    /// # Errors
    ///
    /// As [`Workspace::write`].
    pub fn write_with_mode(
        &self,
        asked: &str,
        bytes: &[u8],
        before: Before,
        mode: u32,
    ) -> Result<Written, FileError> {
        self.write_from(asked, &mut io::Cursor::new(bytes), before, Some(mode))
    }

    /// With the content read from somewhere; memory stays bounded.
    pub(crate) fn write_from(
        &self,
        asked: &str,
        source: &mut dyn Read,
        before: Before,
        mode: Option<u32>,
    ) -> Result<Written, FileError> {
        let written = self.place(asked).and_then(|place| {
            if place.is_folder {
                return Err(Problem::NotAFile("a folder"));
            }
            let (place, spot) = place.followed(Place::spot_made)?;
            let path = place.resolve().map_err(|error| place.problem(&error))?;
            let job = Job { place: &place, spot: &spot, steps: &*self.steps, before, mode };
            job.run(source, path)
        });
        written.map_err(|problem| problem.at(asked))
    }
}

/// One write.
struct Job<'a> {
    place: &'a Place<'a>,
    spot: &'a Spot,
    steps: &'a dyn Steps,
    before: Before,
    /// Wanted permissions, if not the old ones or the usual ones.
    mode: Option<u32>,
}

impl Job<'_> {
    fn run(&self, source: &mut dyn Read, path: PathBuf) -> Result<Written, Problem> {
        let old = self.old()?;
        self.before(Step::Create)?;
        let mode = self.mode.or(old.as_ref().map(|old| old.mode() & 0o777));
        // What only its owner may read in the end, no other may read meanwhile.
        let first = if mode.is_some() { PRIVATE } else { USUAL };
        let mut temp = Temp::create(&self.spot.dir, first).map_err(|error| self.problem(error))?;
        let (len, hash) = self.fill(&mut temp.file, source)?;
        if let Some(mode) = mode {
            self.before(Step::SetMode)?;
            let set = set_mode(&temp.file, mode, old.as_ref());
            set.map_err(|error| self.problem(error))?;
        }
        self.before(Step::Sync)?;
        temp.file.sync_all().map_err(|error| self.problem(error))?;
        self.compare(old.is_some())?;
        self.before(Step::Rename)?;
        self.put(temp)?;
        let is_durable = self.steps.before(Step::SyncFolder).and_then(|()| sync(&self.spot.dir));
        let is_new = old.is_none();
        Ok(Written { path, len, hash, is_new, is_durable: is_durable.is_ok() })
    }

    fn problem(&self, error: io::Error) -> Problem {
        self.place.problem(&error)
    }

    fn before(&self, step: Step) -> Result<(), Problem> {
        self.steps.before(step).map_err(|error| self.problem(error))
    }

    /// The file that stands there now.
    fn old(&self) -> Result<Option<Metadata>, Problem> {
        let old = match self.spot.dir.symlink_metadata(&self.spot.name) {
            Ok(old) => old,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.problem(error)),
        };
        regular(kind_of(&old))?;
        if old.mode() & 0o222 == 0 {
            return Err(Problem::ReadOnly);
        }
        Ok(Some(old))
    }

    fn fill(&self, file: &mut File, source: &mut dyn Read) -> Result<(u64, ContentHash), Problem> {
        let (mut hasher, mut len, mut piece) = (Hasher::default(), 0, vec![0; PIECE]);
        loop {
            let n = match source.read(&mut piece) {
                Ok(0) => return Ok((len, hasher.finish())),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                done => done.map_err(|error| self.problem(error))?,
            };
            let bytes = piece.get(..n).unwrap_or_default();
            self.write_all(file, bytes)?;
            hasher.update(bytes);
            len += bytes.len() as u64;
        }
    }

    fn write_all(&self, file: &mut File, mut bytes: &[u8]) -> Result<(), Problem> {
        while !bytes.is_empty() {
            self.before(Step::Write)?;
            let n = match self.steps.write(file, bytes) {
                Ok(0) => return Err(Problem::DiskFull),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                done => done.map_err(|error| self.problem(error))?,
            };
            bytes = bytes.get(n..).unwrap_or_default();
        }
        Ok(())
    }

    /// Makes sure that the old file is still what the caller thinks.
    fn compare(&self, is_there: bool) -> Result<(), Problem> {
        self.before(Step::Compare)?;
        match self.before {
            Before::Anything => Ok(()),
            Before::Absent if is_there => Err(Problem::Exists),
            Before::Absent => Ok(()),
            Before::Is(_) if !is_there => Err(Problem::Changed),
            Before::Is(expected) => {
                let file = open_entry(self.spot).map_err(|error| self.problem(error))?;
                regular(kind_of(&Metadata::from_file(&file).map_err(|e| self.problem(e))?))?;
                match hash_of(&mut &file).map_err(|error| self.problem(error))? {
                    found if found == expected => Ok(()),
                    _ => Err(Problem::Changed),
                }
            }
        }
    }

    /// Gives the temporary file the name.
    fn put(&self, mut temp: Temp<'_>) -> Result<(), Problem> {
        let (dir, name) = (&self.spot.dir, &self.spot.name);
        let renamed = match self.before {
            Before::Absent => rename_new(dir, &temp.name, dir, name),
            Before::Anything | Before::Is(_) => dir.rename(&temp.name, dir, name),
        };
        renamed.map_err(|error| self.problem(error))?;
        temp.is_done = true;
        Ok(())
    }
}

/// Renames where nothing stands yet; never replaces.
pub(crate) fn rename_new(from: &Dir, old: &OsStr, to: &Dir, new: &OsStr) -> io::Result<()> {
    match rustix::fs::renameat_with(from, old, to, new, RenameFlags::NOREPLACE) {
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
            // This file system cannot say "only if new" in one step.
            if to.symlink_metadata(new).is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            from.rename(old, to, new)
        }
        done => Ok(done?),
    }
}

fn hash_of(file: &mut &File) -> io::Result<ContentHash> {
    let (mut hasher, mut piece) = (Hasher::default(), vec![0; PIECE]);
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hasher.finish()),
            n => hasher.update(piece.get(..n).unwrap_or_default()),
        }
    }
}

/// Gives the new file its permissions and, where the system lets us, the old one's owner.
fn set_mode(file: &File, mode: u32, old: Option<&Metadata>) -> io::Result<()> {
    let new = rustix::fs::fstat(file)?;
    if let Some(old) = old.filter(|old| (new.st_uid, new.st_gid) != (old.uid(), old.gid())) {
        let (uid, gid) = (Uid::from_raw(old.uid()), Gid::from_raw(old.gid()));
        // Only the superuser may give a file away; without that it becomes the writer's.
        let _ = rustix::fs::fchown(file, Some(uid), Some(gid));
    }
    let mode = Permissions::from_mode(mode & 0o777).mode();
    Ok(rustix::fs::fchmod(file, rustix::fs::Mode::from_raw_mode(mode))?)
}

/// The folder's own handle may serve for looking up names only, so it is opened once more.
fn sync(dir: &Dir) -> io::Result<()> {
    dir.open(".")?.sync_all()
}

/// A temporary file that goes away unless it is done.
struct Temp<'a> {
    dir: &'a Dir,
    name: OsString,
    file: File,
    is_done: bool,
}

impl<'a> Temp<'a> {
    fn create(dir: &'a Dir, mode: u32) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(mode);
        loop {
            // The map's keys come from the system's randomness; create_new makes it exclusive.
            let random = RandomState::new().build_hasher().finish();
            let name = OsString::from(format!(".tagline-{random:016x}.tmp"));
            match dir.open_with(&name, &options) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(file) => {
                    return Ok(Self { dir, name, file: file.into_std(), is_done: false });
                }
            }
        }
    }
}

impl Drop for Temp<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            let _ = rustix::fs::unlinkat(self.dir, &self.name, AtFlags::empty());
        }
    }
}
