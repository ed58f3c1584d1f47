//! Rules between tools.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use sha2::{Digest as _, Sha256};

/// The SHA-256 of a file's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of these bytes. Costs one pass over them.
    #[must_use]
    pub fn of(content: &[u8]) -> Self {
        Self(Sha256::digest(content).into())
    }
}

/// Why an edit must not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stale {
    /// Its file's content was not read in this session.
    #[error("not read in this session: read it with `read_file`, then edit")]
    Unread,
    /// Its file changed after it was read.
    #[error("changed since read: read it again with `read_file`, then edit")]
    Changed,
}

/// What the model has seen of which files: an edit needs its file's content read in this session
/// and unchanged since.
///
/// A capability; one per session. Paths are compared as they are: give resolved, absolute ones.
#[derive(Debug, Default)]
pub struct ReadLedger {
    seen: Mutex<HashMap<PathBuf, ContentHash>>,
}

impl ReadLedger {
    /// Notes that the model saw, or itself wrote, this content of the file.
    pub fn note_read(&self, path: &Path, content: ContentHash) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.insert(path.to_owned(), content);
    }

    /// Forgets a file: it was deleted or moved away.
    pub fn forget(&self, path: &Path) {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    }

    /// Whether a file that now has this content may be edited.
    ///
    /// # Errors
    ///
    /// [`Stale`] where the model does not know this content.
    pub fn check(&self, path: &Path, content: ContentHash) -> Result<(), Stale> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match seen.get(path) {
            None => Err(Stale::Unread),
            Some(known) if *known == content => Ok(()),
            Some(_) => Err(Stale::Changed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "/w/a.txt";

    #[test]
    fn an_edit_needs_its_content_read_and_unchanged() {
        let ledger = ReadLedger::default();
        let (old, new) = (ContentHash::of(b"old"), ContentHash::of(b"new"));
        assert_eq!(ledger.check(PATH.as_ref(), old), Err(Stale::Unread));
        ledger.note_read(PATH.as_ref(), old);
        assert_eq!(ledger.check(PATH.as_ref(), old), Ok(()));
        assert_eq!(ledger.check(PATH.as_ref(), new), Err(Stale::Changed));
        ledger.note_read(PATH.as_ref(), new);
        assert_eq!(ledger.check(PATH.as_ref(), new), Ok(()));
        ledger.forget(PATH.as_ref());
        assert_eq!(ledger.check(PATH.as_ref(), new), Err(Stale::Unread));
    }
}
