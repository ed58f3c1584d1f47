//! Why nothing could be kept or brought back: facts in variants, words in one place.

use std::{io, path::Path};

use tagline_workspace::show_name;

/// Why the store could not do its work. What cannot be read of a *tree* is no error: it is not
/// kept, and that is said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// The system refuses something in the store.
    #[error("the undo store, `{place}`: {said}")]
    Store {
        /// Where.
        place: String,
        /// What the system says.
        said: String,
    },
    /// What is written there cannot be read.
    #[error("the undo store, `{place}`: expected a record of this version, but {said}")]
    Damaged {
        /// Where.
        place: String,
        /// What is wrong.
        said: String,
    },
    /// It was told to end.
    #[error("it was stopped")]
    Stopped,
    /// Another process keeps or brings back something of this session.
    #[error("session {0} is at work in another process; wait for its call to end, or stop it")]
    Busy(String),
}

impl SnapshotError {
    pub(crate) fn store(place: &Path, error: &io::Error) -> Self {
        Self::Store { place: show_name(place.as_os_str()), said: words(error) }
    }

    pub(crate) fn damaged(place: &Path, said: impl ToString) -> Self {
        Self::Damaged { place: show_name(place.as_os_str()), said: said.to_string() }
    }
}

/// What the system says, without its number.
pub(crate) fn words(error: &io::Error) -> String {
    let said = error.to_string();
    said.split(" (os error ").next().unwrap_or_default().to_lowercase()
}

/// The place of an error in the store.
pub(crate) trait At<T> {
    fn at(self, place: &Path) -> Result<T, SnapshotError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, place: &Path) -> Result<T, SnapshotError> {
        self.map_err(|error| SnapshotError::store(place, &error))
    }
}

impl<T> At<T> for rustix::io::Result<T> {
    fn at(self, place: &Path) -> Result<T, SnapshotError> {
        self.map_err(|error| SnapshotError::store(place, &error.into()))
    }
}
