//! The pages of a database file, as they lie there or in its write-ahead log.
//!
//! Nothing here asks SQLite, and nothing here trusts a number that the file says.

use std::{fs::File, io, os::unix::fs::FileExt as _, path::Path};

use super::log::Log;
use crate::sqlite::migrate::beside;

/// What SQLite takes where nothing else is asked for.
const PAGE: usize = 4096;

/// Where pages are read from.
#[derive(Debug)]
pub(super) struct Pages {
    file: File,
    n_pages: u32,
    log: Log,
}

impl Pages {
    pub(super) const SIZE: usize = PAGE;

    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let n = file.metadata()?.len().div_ceil(PAGE as u64);
        let log = Log::read(&beside(path, "-wal"))?;
        Ok(Self { file, n_pages: u32::try_from(n).unwrap_or(u32::MAX), log })
    }

    /// Every page that may hold something.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> {
        1..=self.log.last_page().max(self.n_pages)
    }

    /// The newest copy of a page.
    pub(super) fn read(&self, number: u32) -> Option<Vec<u8>> {
        self.copies(number).pop()
    }

    /// The copies of a page that may hold something, the newest last: one, where nothing is
    /// damaged. Of one that the file ends in, the rest is zeros.
    pub(super) fn copies(&self, number: u32) -> Vec<Vec<u8>> {
        let mut copies: Vec<_> = self.log.copies(number).collect();
        if self.log.is_sure_of(number) {
            return copies;
        }
        let at = u64::from(number.saturating_sub(1)) * PAGE as u64;
        copies.splice(0..0, read_at(&self.file, at));
        copies
    }
}

fn read_at(file: &File, at: u64) -> Option<Vec<u8>> {
    let mut page = vec![0; PAGE];
    let mut n = 0;
    while let Some(rest) = page.get_mut(n..).filter(|rest| !rest.is_empty()) {
        match file.read_at(rest, at + n as u64) {
            Ok(0) => break,
            Ok(more) => n += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    (n > 0).then_some(page)
}

/// Four bytes, the greatest first.
pub(super) fn number(bytes: &[u8], at: usize) -> u32 {
    let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
    u32::from_be_bytes(four.unwrap_or_default())
}
