//! Reading: only regular files, by handle, bounded.

use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use cap_std::fs::{FileTypeExt as _, Metadata, MetadataExt as _};
use rustix::fs::{Mode, OFlags};

use crate::{
    ContentHash, FileError, Problem, Workspace,
    locate::{Place, Spot},
};

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file of this many bytes.
    File(u64),
    /// A folder.
    Folder,
    /// A pipe, device or socket.
    Special(&'static str),
}

/// What a walk found, as it stands there now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is; a link is [`Kind::Special`].
    pub kind: Kind,
    /// What a link says that it leads to, as it is written there.
    pub target: Option<PathBuf>,
}

/// A regular file, open for reading.
#[derive(Debug)]
pub struct Opened {
    /// Its handle.
    pub file: File,
    /// Its size in bytes when it was opened.
    pub len: u64,
    /// Its permissions, the lowest nine bits of its mode.
    pub mode: u32,
    /// Absolute, links resolved; for display and for remembering, not for opening.
    pub path: PathBuf,
}

/// A file's whole content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// All of it.
    pub bytes: Vec<u8>,
    /// Its fingerprint.
    pub hash: ContentHash,
    /// Its permissions, the lowest nine bits of its mode.
    pub mode: u32,
    /// Absolute, links resolved.
    pub path: PathBuf,
}

impl Workspace {
    /// Opens a regular file. Returns at once for pipes and devices.
    ///
    /// # Errors
    ///
    /// What is wrong with the path, or [`Problem::NotAFile`].
    pub fn open(&self, asked: &str) -> Result<Opened, FileError> {
        let opened = self.place(asked).and_then(open_place);
        opened.map_err(|problem| problem.at(asked))
    }

    /// Opens a file that a walk over [`Workspace::folder`] found, without following a link there.
    ///
    /// # Errors
    ///
    /// As [`Workspace::open`]; the path in the error is shown as a model writes it.
    pub fn open_found(&self, path: &Path) -> Result<Opened, FileError> {
        let opened = self.place_of(path).and_then(open_place);
        opened.map_err(|problem| problem.at(&self.show(path)))
    }

    /// Looks at what a walk over [`Workspace::folder`] found, by handle, without following a link
    /// there. A walk reads names by their paths, which may lead elsewhere by then: what is to be
    /// shown of them goes through here.
    ///
    /// # Errors
    ///
    /// As [`Workspace::open`]; [`Problem::Missing`] where such a name was never inside the root.
    pub fn look(&self, path: &Path) -> Result<Found, FileError> {
        let found = self.place_of(path).and_then(|place| {
            let spot = place.spot()?;
            let problem = |error: io::Error| place.problem(&error);
            let meta = spot.dir.symlink_metadata(&spot.name).map_err(problem)?;
            let target = meta.is_symlink().then(|| spot.dir.read_link_contents(&spot.name));
            let target = target.transpose().map_err(problem)?;
            Ok(Found { kind: kind_of(&meta), target })
        });
        found.map_err(|problem| problem.at(&self.show(path)))
    }

    /// Reads a whole file of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// As [`Workspace::open`], or [`Problem::TooLarge`].
    pub fn read(&self, asked: &str, limit: u64) -> Result<Contents, FileError> {
        let opened = self.open(asked)?;
        opened.read(limit).map_err(|problem| problem.at(asked))
    }

    /// What a path names, links followed.
    ///
    /// # Errors
    ///
    /// What is wrong with the path, or [`Problem::Missing`].
    pub fn kind(&self, asked: &str) -> Result<Kind, FileError> {
        let kind = self.place(asked).and_then(|place| {
            let meta = place.beneath(|dir, rest| dir.metadata(rest));
            meta.map(|meta| kind_of(&meta)).map_err(|error| place.problem(&error))
        });
        kind.map_err(|problem| problem.at(asked))
    }
}

impl Opened {
    /// Reads all of it, if it has at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// [`Problem::TooLarge`], also where it grew meanwhile, or what the system reports.
    pub fn read(self, limit: u64) -> Result<Contents, Problem> {
        let too_large = |found| Problem::TooLarge { limit, found };
        if self.len > limit {
            return Err(too_large(self.len));
        }
        let mut bytes = Vec::new();
        let n = self.file.take(limit.saturating_add(1)).read_to_end(&mut bytes);
        let n = n.map_err(|error| Problem::reported(&error))? as u64;
        if n > limit {
            return Err(too_large(n));
        }
        Ok(Contents { hash: ContentHash::of(&bytes), bytes, mode: self.mode, path: self.path })
    }
}

/// What a file's metadata says it is.
pub(crate) fn kind_of(meta: &Metadata) -> Kind {
    let kind = meta.file_type();
    if kind.is_dir() {
        return Kind::Folder;
    }
    if kind.is_file() {
        return Kind::File(meta.len());
    }
    Kind::Special(match () {
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () if kind.is_symlink() => "a link",
        () => "a device",
    })
}

/// A regular file's size, or why it is none.
pub(crate) fn regular(kind: Kind) -> Result<u64, Problem> {
    match kind {
        Kind::File(len) => Ok(len),
        Kind::Folder => Err(Problem::NotAFile("a folder")),
        Kind::Special(what) => Err(Problem::NotAFile(what)),
    }
}

fn open_place(place: Place<'_>) -> Result<Opened, Problem> {
    let meta = place.beneath(|dir, rest| dir.metadata(rest));
    regular(kind_of(&meta.map_err(|error| place.problem(&error))?))?;
    if place.is_folder {
        return Err(Problem::NotAFolder);
    }
    let (place, spot) = place.followed(Place::spot)?;
    let problem = |error: io::Error| place.problem(&error);
    let file = open_entry(&spot).map_err(problem)?;
    // The name may have been given to something else between the look and the opening.
    let meta = Metadata::from_file(&file).map_err(problem)?;
    let len = regular(kind_of(&meta))?;
    let path = place.resolve().map_err(problem)?;
    Ok(Opened { file, len, mode: meta.mode() & 0o777, path })
}

/// How a file is opened for reading: not over a link, and without waiting.
const ENTRY: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// Opens what a name stands for, for reading: not over a link, and without waiting for the other
/// end of a pipe.
pub(crate) fn open_entry(spot: &Spot) -> io::Result<File> {
    Ok(rustix::fs::openat(&spot.dir, &spot.name, ENTRY, Mode::empty())?.into())
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use cap_std::fs::Dir;

    use super::*;

    #[test]
    fn an_entry_is_opened_at_once_and_not_over_a_link() {
        let top = tempfile::tempdir().unwrap();
        fs::write(top.path().join("file"), "x").unwrap();
        symlink("file", top.path().join("link")).unwrap();
        let fifo = rustix::fs::FileType::Fifo;
        let pipe = top.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, fifo, Mode::RWXU, 0).unwrap();
        let dir = Dir::open_ambient_dir(top.path(), cap_std::ambient_authority()).unwrap();
        let open = |name: &str| {
            open_entry(&Spot { dir: dir.try_clone().unwrap(), name: name.into() })
                .map_err(|error| error.raw_os_error())
        };
        assert!(open("file").is_ok() && open("pipe").is_ok());
        assert_eq!(open("link").unwrap_err(), Some(rustix::io::Errno::LOOP.raw_os_error()));
    }
}
