//! The journal at its usual place.

use tagline_store::{SqliteJournal, StoreError};

use crate::{app::App, exit::Exit, output::fail};

/// Opens the journal, or makes it.
pub(crate) fn open(app: &App) -> Result<SqliteJournal, Exit> {
    SqliteJournal::open(&app.paths()?.journal()).map_err(|error| refuse(&error))
}

/// Opens the journal if there is one; looking never makes one.
pub(crate) fn open_existing(app: &App) -> Result<Option<SqliteJournal>, Exit> {
    if app.paths()?.journal().exists() { open(app).map(Some) } else { Ok(None) }
}

/// Says what is wrong with the journal, and how the program ends by it.
pub(crate) fn refuse(error: &StoreError) -> Exit {
    let exit = match error {
        StoreError::NoSession(_) | StoreError::Ambiguous { .. } | StoreError::Exists(_) => {
            Exit::Usage
        }
        StoreError::Busy { .. } | StoreError::BadTime { .. } | StoreError::Damaged { .. } => {
            Exit::Failed
        }
        StoreError::Full { .. }
        | StoreError::ReadOnly { .. }
        | StoreError::Corrupt { .. }
        | StoreError::Foreign { .. }
        | StoreError::TooNew { .. }
        | StoreError::OldSqlite { .. }
        | StoreError::Database { .. }
        | StoreError::Closed { .. } => Exit::Setup,
    };
    fail(exit, error)
}
