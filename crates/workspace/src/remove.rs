//! Deleting: into the undo store, by handle, never over a link.

use std::path::{Path, PathBuf};

use crate::{
    FileError, Kind, Problem, Workspace, locate::Spot, open::kind_of, relocate::unfollowed,
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
        self.check_holds_no_root(&path)?;
        if kind == Kind::Folder && depth == Depth::Empty {
            check_empty(&spot)?;
        }
        let data = self.data.as_ref().ok_or(Problem::NoTrash)?;
        let slot = Slot::make(data, call, &path)?;
        let kept = slot.take(&spot, kind)?;
        Ok(Deleted { path, kind, kept })
    }

    /// Refuses what is a root of the session or holds one.
    pub(crate) fn check_holds_no_root(&self, path: &Path) -> Result<(), Problem> {
        let held = self.roots.iter().find(|root| root.path.starts_with(path));
        match held {
            Some(root) => Err(Problem::HoldsRoot(root.label())),
            None if self.own.iter().any(|own| own.starts_with(path)) => Err(Problem::Own),
            None => Ok(()),
        }
    }
}

fn check_empty(spot: &Spot) -> Result<(), Problem> {
    let entries = spot.dir.read_dir(&spot.name);
    match entries.map_err(|error| Problem::from_io(&error, "its folder"))?.count() {
        0 => Ok(()),
        n => Err(Problem::NotEmpty(n)),
    }
}
