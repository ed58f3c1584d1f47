//! Room on the disk for what closes a turn that has begun.
//!
//! A file of zeros beside the journal takes the room while there is some. Where the disk is full it is
//! given up for closing records alone: nothing else is written until there is room for it again.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use super::migrate::beside;

/// How much is set aside, in bytes.
const SIZE: usize = 1 << 20;

/// The room that is set aside for one journal.
#[derive(Debug)]
pub(super) struct Reserve {
    path: PathBuf,
    is_there: AtomicBool,
}

impl Reserve {
    /// That of the journal at `journal`, which is made if there is room.
    pub(super) fn new(journal: &Path) -> Self {
        let reserve = Self { path: beside(journal, "-reserve"), is_there: AtomicBool::new(false) };
        reserve.make();
        reserve
    }

    pub(super) fn is_there(&self) -> bool {
        self.is_there.load(Ordering::Acquire)
    }

    /// Sets the room aside, unless there is none. Whether it is there now.
    pub(super) fn make(&self) -> bool {
        let is_there = fs::metadata(&self.path).is_ok_and(|file| file.len() == SIZE as u64)
            || self.write().is_ok();
        if !is_there {
            // Half of it would take the room from others and be of no use.
            let _ = fs::remove_file(&self.path);
        }
        self.is_there.store(is_there, Ordering::Release);
        is_there
    }

    fn write(&self) -> io::Result<()> {
        let mut options = OpenOptions::new();
        let mut file =
            options.write(true).create(true).truncate(true).mode(0o600).open(&self.path)?;
        file.write_all(&vec![0; SIZE])?;
        file.sync_all()
    }

    /// Gives the room up. Whether there was any.
    pub(super) fn spend(&self) -> bool {
        self.is_there.store(false, Ordering::Release);
        fs::remove_file(&self.path).is_ok()
    }
}
