//! The steps of an atomic write, with a hook between them.

use std::{
    fmt,
    fs::File,
    io::{self, Write as _},
};

/// One step of an atomic write, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Makes the temporary file.
    Create,
    /// Writes the next piece into it; several times.
    Write,
    /// Gives it the old file's mode.
    SetMode,
    /// Has the system put it on the disk.
    Sync,
    /// Makes sure that the old file is still the expected one.
    Compare,
    /// Puts it in the old file's place.
    Rename,
    /// Has the system put the folder on the disk.
    SyncFolder,
}

/// Runs the steps of a write. Tests use it to make any step fail.
pub trait Steps: fmt::Debug + Send + Sync {
    /// Comes before a step; an error takes the step's place.
    ///
    /// # Errors
    ///
    /// What the step is to fail with.
    fn before(&self, _step: Step) -> io::Result<()> {
        Ok(())
    }

    /// Writes some of the bytes and says how many.
    ///
    /// # Errors
    ///
    /// What the system reports.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }
}

/// The steps as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFaults;

impl Steps for NoFaults {}
