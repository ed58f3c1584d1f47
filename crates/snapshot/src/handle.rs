//! The way to a thing below a root, part by part, over no link.

use std::{
    fs::File,
    io,
    os::fd::{AsFd, OwnedFd},
    path::Path,
};

use rustix::{
    fs::{AtFlags, CWD, Dir, Mode, OFlags, Stat, openat, statat},
    io::Errno,
};

use crate::Name;

const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// Neither waits for the other end of a pipe nor makes a terminal ours.
const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Opens a root. Its own path may lead over links: it is resolved when it is given to us.
pub(crate) fn root(path: &Path) -> io::Result<OwnedFd> {
    Ok(openat(CWD, path, FOLDER.difference(OFlags::NOFOLLOW), Mode::empty())?)
}

/// Opens a folder in a folder; a link is none.
pub(crate) fn folder(within: impl AsFd, part: &[u8]) -> io::Result<OwnedFd> {
    Ok(openat(within, part, FOLDER, Mode::empty())?)
}

/// Opens a file in a folder; a link is none. What it is has to be looked at then.
pub(crate) fn file(within: impl AsFd, part: &[u8]) -> io::Result<File> {
    Ok(File::from(openat(within, part, FILE, Mode::empty())?))
}

/// What stands in a folder under a name; `None` where nothing does.
pub(crate) fn stat(within: impl AsFd, part: &[u8]) -> io::Result<Option<Stat>> {
    match statat(within, part, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The folder of this name below a root.
pub(crate) fn walk(root: &Path, name: &Name) -> io::Result<OwnedFd> {
    name.parts().try_fold(self::root(root)?, folder)
}

/// The folder that holds a thing, and the thing's own name in it; `None` where there is no such
/// folder: something on the way is missing, a file or a link.
pub(crate) fn holder(root: &Path, name: &Name) -> io::Result<Option<OwnedFd>> {
    let Some(parent) = name.parent() else { return Ok(None) };
    match walk(root, &parent) {
        Ok(folder) => Ok(Some(folder)),
        Err(error) if is_no_way(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether an error says that there is no such folder.
pub(crate) fn is_no_way(error: &io::Error) -> bool {
    let no_way = [Errno::NOENT, Errno::NOTDIR, Errno::LOOP].map(Errno::raw_os_error);
    error.raw_os_error().is_some_and(|code| no_way.contains(&code))
}

/// The names in a folder, in order.
pub(crate) fn names(folder: impl AsFd) -> io::Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if !matches!(name, b"." | b"..") {
            names.push(name.to_vec());
        }
    }
    names.sort_unstable();
    Ok(names)
}
