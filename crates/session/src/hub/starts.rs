//! Whether the process keeps crashing at its start.

use std::{fs, io, path::PathBuf};

use jiff::{SignedDuration, Timestamp};

/// How a hub begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// What waits goes on by itself.
    #[default]
    Usual,
    /// Nothing begins by itself: what did may be what crashes.
    Safe,
}

/// So many starts within [`WINDOW`] that none ended in order are a loop.
const LOOP: usize = 3;
const WINDOW: SignedDuration = SignedDuration::from_secs(60);

/// Remembers starts that did not end in order, in a small file.
#[derive(Clone, Debug)]
pub struct Starts {
    path: PathBuf,
}

impl Starts {
    /// Remembers in this file; its folder must be there.
    #[must_use]
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// A start, at this time.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written.
    pub fn begin(&self, now: Timestamp) -> io::Result<Start> {
        let before = fs::read_to_string(&self.path).unwrap_or_default();
        let is_recent = |start: &Timestamp| *start <= now && now.duration_since(*start) < WINDOW;
        let starts = before.lines().filter_map(|line| line.parse().ok()).filter(is_recent);
        let starts: Vec<Timestamp> = starts.chain([now]).collect();
        let lines: String = starts.iter().map(|start| format!("{start}\n")).collect();
        let new = self.path.with_extension("new");
        fs::write(&new, lines)?;
        fs::rename(&new, &self.path)?;
        Ok(if starts.len() < LOOP { Start::Usual } else { Start::Safe })
    }

    /// The process ends in order, so its start does not count.
    ///
    /// # Errors
    ///
    /// Where the file cannot be removed.
    pub fn end(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}
