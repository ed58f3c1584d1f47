//! Folders: making them, and where a walk may start.

use std::path::PathBuf;

use crate::{FileError, Kind, Problem, Workspace, open::kind_of};

impl Workspace {
    /// The absolute path of a folder inside its root, links resolved, as the start of a walk. A
    /// walk must not follow links, and opens what it finds with [`Workspace::open_found`].
    ///
    /// # Errors
    ///
    /// What is wrong with the path, or [`Problem::NotAFolder`].
    pub fn folder(&self, asked: &str) -> Result<PathBuf, FileError> {
        self.inner_folder(asked).map_err(|problem| problem.at(asked))
    }

    fn inner_folder(&self, asked: &str) -> Result<PathBuf, Problem> {
        let place = self.place(asked)?;
        let meta = place.beneath(|dir, rest| dir.metadata(rest));
        match kind_of(&meta.map_err(|error| place.problem(&error))?) {
            Kind::Folder => {}
            Kind::File(_) | Kind::Special(_) => return Err(Problem::NotAFolder),
        }
        let path = place.resolve().map_err(|error| place.problem(&error))?;
        if !path.starts_with(&place.root.path) {
            return Err(Problem::LinkLeaves(place.root.label()));
        }
        Ok(path)
    }

    /// Makes a folder and the ones above it. Says whether it is new.
    ///
    /// # Errors
    ///
    /// What is wrong with the path, or a file in the way.
    pub fn create_folder(&self, asked: &str) -> Result<Made, FileError> {
        let made = self.place(asked).and_then(|place| {
            if place.beneath(|dir, rest| dir.open_dir(rest)).is_ok() {
                return Ok(Made::Already);
            }
            place.made()?;
            Ok(Made::New)
        });
        made.map_err(|problem| problem.at(asked))
    }
}

/// Whether something was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// It is new.
    New,
    /// It was there.
    Already,
}
