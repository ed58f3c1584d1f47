//! Reading: only regular files, by handle, bounded.

use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use cap_std::fs::{Dir, FileTypeExt as _, Metadata, OpenOptions, OpenOptionsExt as _};
use rustix::fs::OFlags;

use crate::{ContentHash, FileError, Problem, Workspace, locate::Place};

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

/// A regular file, open for reading.
#[derive(Debug)]
pub struct Opened {
    /// Its handle.
    pub file: File,
    /// Its size in bytes when it was opened.
    pub len: u64,
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
        let opened = self.place(asked).and_then(|place| open_place(&place));
        opened.map_err(|problem| problem.at(asked))
    }

    /// Opens a file that a walk over [`Workspace::folder`] found, without following a link there.
    ///
    /// # Errors
    ///
    /// As [`Workspace::open`]; the path in the error is shown as a model writes it.
    pub fn open_found(&self, path: &Path) -> Result<Opened, FileError> {
        let opened = self.place_of(path).and_then(|place| open_place(&place));
        opened.map_err(|problem| problem.at(&self.show(path)))
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
        Ok(Contents { hash: ContentHash::of(&bytes), bytes, path: self.path })
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

fn open_place(place: &Place<'_>) -> Result<Opened, Problem> {
    let problem = |error: io::Error| place.problem(&error);
    let meta = place.beneath(|dir, rest| dir.metadata(rest)).map_err(problem)?;
    regular(kind_of(&meta))?;
    if place.is_folder {
        return Err(Problem::NotAFolder);
    }
    let file = place.beneath(open_waitless).map_err(problem)?;
    // The name may have been given to something else between the look and the opening.
    let len = regular(kind_of(&file.metadata().map_err(problem)?))?;
    let path = place.resolve().map_err(problem)?;
    Ok(Opened { file: file.into_std(), len, path })
}

/// Opens for reading without waiting for the other end of a pipe.
fn open_waitless(dir: &Dir, rest: &Path) -> io::Result<cap_std::fs::File> {
    let mut options = OpenOptions::new();
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    options.read(true).custom_flags(flags.cast_signed());
    dir.open_with(rest, &options)
}
