//! What stands under a name now, read but not kept.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use rustix::fs::{FileType, fstat, readlinkat};
use tagline_workspace::{ContentHash, Hasher};

use crate::{
    Name, Node, handle,
    node::{Mode, what},
};

/// How much is read at once.
const PIECE: usize = 128 * 1024;

/// What stands there. What cannot be told is [`Node::Other`], with what is in the way.
pub(crate) fn look(root: &Path, name: &Name) -> Node {
    try_look(root, name).unwrap_or_else(|error| {
        let said = crate::error::words(&error);
        Node::Other { what: format!("something that cannot be read ({said})") }
    })
}

fn try_look(root: &Path, name: &Name) -> io::Result<Node> {
    if name.is_root() {
        return look_at_root(root);
    }
    let Some(holder) = handle::holder(root, name)? else { return Ok(Node::Absent) };
    let Some(stat) = handle::stat(&holder, name.last())? else { return Ok(Node::Absent) };
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => Ok(Node::Folder { mode: Mode::of(&stat) }),
        FileType::RegularFile => file(handle::file(&holder, name.last())?),
        FileType::Symlink => {
            let to = readlinkat(&holder, name.last(), Vec::new())?;
            Ok(Node::Link { to: Name::of(to.into_bytes()) })
        }
        kind @ (FileType::Fifo
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown) => Ok(Node::Other { what: what(kind).to_owned() }),
    }
}

fn look_at_root(root: &Path) -> io::Result<Node> {
    match handle::root(root) {
        Ok(dir) => Ok(Node::Folder { mode: Mode::of(&fstat(&dir)?) }),
        Err(error) if handle::is_no_way(&error) => Ok(Node::Absent),
        Err(error) => Err(error),
    }
}

fn file(mut file: File) -> io::Result<Node> {
    let stat = fstat(&file)?;
    let kind = FileType::from_raw_mode(stat.st_mode);
    if kind != FileType::RegularFile {
        return Ok(Node::Other { what: what(kind).to_owned() });
    }
    let (hash, len) = hash(&mut file, |_| Ok(()))?;
    Ok(Node::File { mode: Mode::of(&stat), len, hash })
}

/// The hash and the length of what is left of a file; each piece is handed on.
pub(crate) fn hash(
    file: &mut File,
    mut take: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<(ContentHash, u64)> {
    let (mut hasher, mut len, mut piece) = (Hasher::default(), 0, vec![0; PIECE]);
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok((hasher.finish(), len)),
            Ok(n) => {
                let bytes = piece.get(..n).unwrap_or_default();
                hasher.update(bytes);
                take(bytes)?;
                len += bytes.len() as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
