//! Who has the journal open: many at once, or one alone who puts another file into its place.
//!
//! The lock is on a file of its own: SQLite's own locks would go with the first file that is closed.

use std::{
    fs::{File, OpenOptions, TryLockError},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use crate::sqlite::{failure::Failure, migrate::beside};

/// Held for as long as the journal is open.
pub(in crate::sqlite) fn shared(path: &Path) -> Result<File, Failure> {
    let file = file(path)?;
    file.lock_shared()?;
    Ok(file)
}

/// `None` where somebody has the journal open.
pub(in crate::sqlite) fn alone(path: &Path) -> Result<Option<File>, Failure> {
    let file = file(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

fn file(path: &Path) -> Result<File, Failure> {
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false).mode(0o600);
    Ok(options.open(beside(path, "-lock"))?)
}
