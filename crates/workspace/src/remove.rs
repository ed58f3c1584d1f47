//! Deleting: into the undo store, by handle, never over a link.

use std::{
    ffi::OsString,
    io,
    os::unix::ffi::OsStringExt as _,
    path::{Path, PathBuf},
};

use crate::{
    FileError, Kind, Problem, Workspace,
    identity::{Id, lineage, lineage_at},
    locate::Spot,
    open::kind_of,
    relocate::unfollowed,
    show_name,
    trash::Slot,
};

/// How much of a folder may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Only an empty folder.
    Empty,
    /// With everything in it.
    Whole,
}

/// A deletion that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deleted {
    /// Absolute, links resolved but for the last name.
    pub path: PathBuf,
    /// What it was.
    pub kind: Kind,
    /// Where its content is kept.
    pub kept: PathBuf,
}

impl Workspace {
    /// Moves a file, link or folder into the undo store, as `trash/<call>/content` beside
    /// `trash/<call>/origin`, which holds its absolute path. A link goes itself, not what it
    /// leads to (W4).
    ///
    /// # Errors
    ///
    /// What is wrong with the path, [`Problem::NotEmpty`], [`Problem::HoldsRoot`],
    /// [`Problem::Mounted`], or [`Problem::NoTrash`] where the session has no data folder.
    pub fn delete(&self, asked: &str, depth: Depth, call: &str) -> Result<Deleted, FileError> {
        self.inner_delete(asked, depth, call).map_err(|problem| problem.at(asked))
    }

    fn inner_delete(&self, asked: &str, depth: Depth, call: &str) -> Result<Deleted, Problem> {
        let place = self.place(asked)?;
        let spot = place.spot()?;
        let problem = |error| place.problem(&error);
        let kind = kind_of(&spot.dir.symlink_metadata(&spot.name).map_err(problem)?);
        let path = unfollowed(&place)?;
        self.check_holds_no_root(&path, &spot)?;
        if kind == Kind::Folder {
            check_mounts(&path)?;
            if depth == Depth::Empty {
                check_empty(&spot)?;
            }
        }
        let data = self.data.as_ref().ok_or(Problem::NoTrash)?;
        let slot = Slot::make(data, call, &path)?;
        let kept = slot.take(&spot, kind)?;
        Ok(Deleted { path, kind, kept })
    }

    /// Refuses what is a root of the session or holds one: by its path, and by what the name stands
    /// for in the opened folder, since the path may lead elsewhere by then.
    pub(crate) fn check_holds_no_root(&self, path: &Path, spot: &Spot) -> Result<(), Problem> {
        let id = Id::in_folder(&spot.dir, &spot.name);
        let is_above = |other: &Path, above: io::Result<Vec<Id>>| {
            other.starts_with(path) || id.is_some_and(|id| above.is_ok_and(|it| it.contains(&id)))
        };
        let held = self.roots.iter().find(|root| is_above(&root.path, lineage(&root.dir)));
        match held {
            Some(root) => Err(Problem::HoldsRoot(root.label())),
            None if self.own.iter().any(|own| is_above(own, lineage_at(own))) => Err(Problem::Own),
            None => Ok(()),
        }
    }
}

/// Refuses a folder in which another file system is mounted: it would go along unseen.
fn check_mounts(path: &Path) -> Result<(), Problem> {
    // Where there is no such table, the system itself refuses the mount point.
    let table = std::fs::read("/proc/self/mountinfo").unwrap_or_default();
    match mounts(&table).find(|mount| mount.starts_with(path)) {
        Some(mount) => Err(Problem::Mounted(show_name(mount.as_os_str()))),
        None => Ok(()),
    }
}

/// The folders at which file systems are mounted, of the system's table: the fifth field, in which
/// blanks and the like are octal escapes.
fn mounts(table: &[u8]) -> impl Iterator<Item = PathBuf> {
    let fifth = |line: &[u8]| line.split(|byte| *byte == b' ').nth(4).map(unescape);
    let found: Vec<_> = table.split(|byte| *byte == b'\n').filter_map(fifth).collect();
    found.into_iter()
}

fn unescape(field: &[u8]) -> PathBuf {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, after)) = rest.split_first() {
        let escaped = (*first == b'\\').then(|| octal(after)).flatten();
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { after.get(3..).unwrap_or_default() } else { after };
    }
    OsString::from_vec(bytes).into()
}

fn octal(text: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(text.get(..3)?).ok()?;
    u8::from_str_radix(digits, 8).ok()
}

fn check_empty(spot: &Spot) -> Result<(), Problem> {
    let entries = spot.dir.read_dir(&spot.name);
    match entries.map_err(|error| Problem::from_io(&error, "its folder"))?.count() {
        0 => Ok(()),
        n => Err(Problem::NotEmpty(n)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_points_are_read_with_their_escapes() {
        let table = b"26 1 0:23 / /proc rw,nosuid - proc proc rw\n\
            31 1 0:5 / /mnt/a\\040b\\134c rw shared:9 - tmpfs tmpfs rw\n\n31 short line\n";
        let found: Vec<_> = mounts(table).collect();
        assert_eq!(found, [PathBuf::from("/proc"), PathBuf::from("/mnt/a b\\c")]);
    }
}
