//! Moving files and folders.

use std::{ffi::OsString, io, path::PathBuf};

use rustix::io::Errno;

use crate::{
    Before, FileError, Kind, Problem, Workspace, locate::Place, open::kind_of, write::rename_new,
};

impl Workspace {
    /// Moves a file or folder to a new name; never replaces anything, never follows a link of the
    /// old name. Makes missing folders. Gives both absolute paths.
    ///
    /// # Errors
    ///
    /// What is wrong with either path, or [`Problem::Exists`] at the new one.
    pub fn relocate(&self, from: &str, to: &str) -> Result<(PathBuf, PathBuf), FileError> {
        let old = self.place(from).map_err(|problem| problem.at(from))?;
        let new = self.place(to).map_err(|problem| problem.at(to))?;
        let source = old.spot().map_err(|problem| problem.at(from))?;
        let meta = source.dir.symlink_metadata(&source.name);
        let kind = kind_of(&meta.map_err(|error| old.problem(&error).at(from))?);
        let old_path = unfollowed(&old).map_err(|problem| problem.at(from))?;
        self.check_holds_no_root(&old_path, &source).map_err(|problem| problem.at(from))?;
        let target = new.spot_made().map_err(|problem| problem.at(to))?;
        let renamed = rename_new(&source.dir, &source.name, &target.dir, &target.name);
        match renamed {
            Ok(()) => {}
            Err(error) if error.raw_os_error() == Some(Errno::XDEV.raw_os_error()) => {
                self.copy_over(from, to, kind)?;
            }
            Err(error) if error.raw_os_error() == Some(Errno::INVAL.raw_os_error()) => {
                return Err(Problem::IntoItself.at(to));
            }
            Err(error) => return Err(new.problem(&error).at(to)),
        }
        let new_path = unfollowed(&new).map_err(|problem| problem.at(to))?;
        Ok((old_path, new_path))
    }

    /// Moves a regular file to another file system: the copy is complete before the old one goes.
    fn copy_over(&self, from: &str, to: &str, kind: Kind) -> Result<(), FileError> {
        match kind {
            Kind::File(_) => {}
            Kind::Folder => return Err(Problem::CrossesDevices.at(from)),
            Kind::Special(what) => return Err(Problem::NotAFile(what).at(from)),
        }
        let mut opened = self.open(from)?;
        let mode = opened.mode;
        self.write_from(to, &mut opened.file, Before::Absent, Some(mode))?;
        let place = self.place(from).map_err(|problem| problem.at(from))?;
        let spot = place.spot().map_err(|problem| problem.at(from))?;
        let removed: io::Result<()> = spot.dir.remove_file(&spot.name);
        removed.map_err(|error| place.problem(&error).at(from))
    }
}

/// The absolute path with links resolved but for the last name.
pub(crate) fn unfollowed(place: &Place<'_>) -> Result<PathBuf, Problem> {
    let name: OsString = place.rest.file_name().unwrap_or_default().to_owned();
    let rest = place.rest.parent().map(PathBuf::from).unwrap_or_default();
    let parent = Place { root: place.root, rest, is_folder: true };
    Ok(parent.resolve().map_err(|error| place.problem(&error))?.join(name))
}
