//! From what SQLite and the file system say to what a user can do about it.

use std::{io, path::Path};

use rusqlite::ErrorCode;

use tagline_protocol::system_words;

use crate::StoreError;

/// A failure before it is known which file it is about.
#[derive(Debug)]
pub(crate) enum Failure {
    Sql(rusqlite::Error),
    Io(io::Error),
    Store(StoreError),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Failure {
    /// The failure as one of the journal at `path`.
    pub(crate) fn at(self, path: &Path) -> StoreError {
        match self {
            Self::Store(error) => error,
            Self::Io(error) => from_io(&error, path),
            Self::Sql(error) => from_sql(&error, path),
        }
    }

    /// Whether it says that a part of the file cannot be read.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Self::Sql(error) => {
                matches!(
                    error.sqlite_error_code(),
                    Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
                ) || matches!(
                    error,
                    rusqlite::Error::FromSqlConversionFailure(..)
                        | rusqlite::Error::InvalidColumnType(..)
                        | rusqlite::Error::Utf8Error(..)
                )
            }
            Self::Store(error) => matches!(error, StoreError::Corrupt { .. }),
            Self::Io(_) => false,
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the standard library's list is open")]
fn from_io(error: &io::Error, path: &Path) -> StoreError {
    let path = path.to_owned();
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full { path },
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            StoreError::ReadOnly { path }
        }
        _ => StoreError::Database { path, message: system_words(error) },
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "SQLite's list is open")]
fn from_sql(error: &rusqlite::Error, path: &Path) -> StoreError {
    let message = error.to_string();
    let path = path.to_owned();
    let Some(code) = error.sqlite_error_code() else {
        return StoreError::Database { path, message };
    };
    match code {
        ErrorCode::DiskFull => StoreError::Full { path },
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen => {
            StoreError::ReadOnly { path }
        }
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
            StoreError::Corrupt { path, message }
        }
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            let message = "another process kept it locked for over 5 s; try again".to_owned();
            StoreError::Database { path, message }
        }
        _ => StoreError::Database { path, message },
    }
}
