//! A damaged journal: what can be read of it goes into a new one, and it stays beside that.
//!
//! SQLite gives up at the first page that makes no sense, and with it all that lies behind it in the
//! tree. The rows themselves are on pages that do not need each other, so here they are read page by
//! page. What is on a damaged page is lost, and only that.

mod cells;
mod found;
mod log;
mod pages;

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use self::{found::Found, log::Log, pages::Pages};
use super::{
    failure::Failure,
    migrate::beside,
    open::{self, lock},
};

/// What a damaged journal left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// The damaged file.
    pub kept: PathBuf,
    /// How many sessions were found in it.
    pub sessions: usize,
    /// How many records.
    pub records: usize,
}

impl fmt::Display for Mended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kept, sessions, records } = self;
        write!(
            f,
            "the journal was damaged: {records} records of {sessions} sessions were saved into a new \
             one; the damaged file is kept as `{}`",
            kept.display()
        )
    }
}

/// Says that the journal is damaged, so that it is mended when it is opened next.
pub(super) fn remember(path: &Path) {
    // Without it the damage is met again, and said again.
    let _ = fs::write(note(path), "");
}

/// Whether damage is known before SQLite looks: it was met when the journal was open the last time,
/// or lies in the log, of which SQLite would forget the rest.
pub(super) fn is_wanted(path: &Path) -> Result<bool, Failure> {
    Ok(note(path).exists() || Log::read(&beside(path, "-wal"))?.is_broken)
}

fn note(path: &Path) -> PathBuf {
    beside(path, "-damaged")
}

/// Puts a new journal into the place of a damaged one. `None` where another process has it open, or
/// where nothing says that it ever was a journal.
pub(super) fn run(path: &Path) -> Result<Option<Mended>, Failure> {
    let Some(_alone) = lock::alone(path)? else { return Ok(None) };
    let found = Found::read(&Pages::open(path)?);
    if !found.is_ours {
        return Ok(None);
    }
    let part = beside(path, ".mended");
    remove(&part)?;
    let (sessions, records) = found.write(open::fresh(&part)?)?;
    let kept = set_aside(path)?;
    fs::rename(&part, path)?;
    remove_one(&note(path))?;
    Ok(Some(Mended { kept, sessions, records }))
}

/// Gives the damaged file and its log another name.
fn set_aside(path: &Path) -> Result<PathBuf, Failure> {
    let names = (1..).map(|n| beside(path, &format!(".damaged-{n}")));
    let kept = names.into_iter().find(|name| !name.exists());
    let kept = kept.unwrap_or_else(|| beside(path, ".damaged"));
    // The log goes first: it must never lie beside a file that it does not belong to.
    let log = beside(path, "-wal");
    if log.exists() {
        fs::rename(&log, beside(&kept, "-wal"))?;
    }
    remove_one(&beside(path, "-shm"))?;
    fs::hard_link(path, &kept)?;
    Ok(kept)
}

fn remove(path: &Path) -> Result<(), Failure> {
    ["", "-wal", "-shm", "-journal"].iter().try_for_each(|end| remove_one(&beside(path, end)))
}

fn remove_one(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}
