//! From what the server says to what a user can do about it.

use std::error::Error as _;

use deadpool_postgres::PoolError;
use tokio_postgres::error::SqlState;

use crate::StoreError;

/// A failure before it is known which journal it is about.
#[derive(Debug)]
pub(super) enum Failure {
    Server(tokio_postgres::Error),
    Pool(PoolError),
    Store(StoreError),
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Server(error)
    }
}

impl From<PoolError> for Failure {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is the pool's own")]
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) => Self::Server(error),
            other => Self::Pool(other),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Failure {
    /// The failure as one of the journal at `at`.
    pub(super) fn at(self, at: &str) -> StoreError {
        match self {
            Self::Store(error) => error,
            Self::Pool(error) => {
                StoreError::Database { path: at.into(), message: error.to_string() }
            }
            Self::Server(error) => from_server(&error, at),
        }
    }

    /// Whether the server is not there now, and may be in a moment.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::Server(error) => error.code().is_none_or(|code| {
                [SqlState::CANNOT_CONNECT_NOW, SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN]
                    .contains(code)
            }),
            Self::Pool(_) | Self::Store(_) => false,
        }
    }
}

fn from_server(error: &tokio_postgres::Error, at: &str) -> StoreError {
    let Some(told) = error.as_db_error() else {
        let cause = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        return StoreError::Unreachable { at: at.to_owned(), message: cause };
    };
    let (path, message) = (at.into(), told.message().to_owned());
    match told.code() {
        code if *code == SqlState::DISK_FULL => StoreError::Full { path },
        code if ["08", "28", "3D", "57"].iter().any(|class| code.code().starts_with(class)) => {
            StoreError::Unreachable { at: at.to_owned(), message }
        }
        _ => StoreError::Database { path, message },
    }
}
