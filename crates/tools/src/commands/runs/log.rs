//! The log file of a run: all of its text, up to a quota, readable by cursor.
//!
//! A cursor is a byte offset in the file. The file holds whole characters only and is never
//! rewritten, so reads that follow each other's `next` give its exact bytes, once each.

use std::{
    fs::{File, OpenOptions},
    io,
    os::unix::fs::{FileExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use rustix::fs::OFlags;

/// The log of one run.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The file, until nothing is written any more: many logs are kept, few files may be open.
    file: Option<Arc<File>>,
    /// Bytes written.
    len: u64,
    /// Bytes that may still be written.
    room: u64,
    /// Bytes that came after the quota was reached, or could not be written.
    n_dropped: u64,
}

/// A piece of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The text from the cursor on.
    pub(crate) text: String,
    /// The cursor that reads on.
    pub(crate) next: u64,
    /// Bytes in the log.
    pub(crate) len: u64,
    /// Bytes that are not in the log, because it was full.
    pub(crate) n_dropped: u64,
}

impl Log {
    /// Makes an empty log that only the user may read.
    ///
    /// # Errors
    ///
    /// Where the file exists or cannot be made.
    pub(crate) fn create(path: PathBuf, quota: u64) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create_new(true).mode(0o600).open(&path)?;
        let file = Some(Arc::new(file));
        let state = Mutex::new(State { file, len: 0, room: quota, n_dropped: 0 });
        Ok(Self { path, state })
    }

    /// Says that nothing more will be written. It can still be read.
    pub(crate) fn close(&self) {
        self.lock().file = None;
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes in it.
    pub(crate) fn len(&self) -> u64 {
        self.lock().len
    }

    /// Appends what the quota allows. A disk that is full counts as a quota that is reached:
    /// the command goes on either way. Written in place: a page cache takes 64 KiB in less time
    /// than handing it to another thread costs.
    pub(crate) fn append(&self, text: &str) {
        let mut state = self.lock();
        let room = usize::try_from(state.room).unwrap_or(usize::MAX);
        let kept = text.get(..text.floor_char_boundary(room)).unwrap_or_default();
        let Some(file) = &state.file else { return };
        let kept = match io::Write::write_all(&mut file.as_ref(), kept.as_bytes()) {
            Ok(()) => kept.len() as u64,
            Err(_) => undo_write(file, state.len),
        };
        state.len += kept;
        state.room -= kept;
        if kept < text.len() as u64 {
            state.room = 0;
            state.n_dropped += text.len() as u64 - kept;
        }
    }

    /// Reads at most `limit` bytes from `cursor`, but at least one character where there is one;
    /// nothing where the cursor is at the end or behind it.
    ///
    /// A cursor inside a character reads from the next one; no cursor that was handed out is.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read.
    pub(crate) fn read(&self, cursor: u64, limit: usize) -> io::Result<Piece> {
        let (file, len, n_dropped) = {
            let state = self.lock();
            (state.file.clone(), state.len, state.n_dropped)
        };
        let cursor = cursor.min(len);
        let n_left = usize::try_from(len - cursor).unwrap_or(usize::MAX);
        // Room for the rest of a character before the cursor, and for one at the limit.
        let mut bytes = vec![0; n_left.min(limit.saturating_add(6))];
        let file = file.map_or_else(|| reopened(&self.path), Ok)?;
        file.read_exact_at(&mut bytes, cursor)?;
        let n_skipped = bytes.iter().take_while(|&&byte| is_continuation(byte)).count();
        let text = whole_chars(bytes.get(n_skipped..).unwrap_or_default(), limit);
        let next = cursor + (n_skipped + text.len()) as u64;
        Ok(Piece { text: text.to_owned(), next, len, n_dropped })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes the half of a failed write.
fn undo_write(file: &File, len: u64) -> u64 {
    // What cannot be removed lies behind `len`, where no cursor reaches.
    let _ = file.set_len(len);
    0
}

/// The file of a closed log; never what a link in its place leads to.
fn reopened(path: &Path) -> io::Result<Arc<File>> {
    let flags = OFlags::NOFOLLOW.bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path).map(Arc::new)
}

const fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// The whole characters at the start, `limit` bytes at most, but at least one.
fn whole_chars(bytes: &[u8], limit: usize) -> &str {
    let text = match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => bytes
            .get(..error.valid_up_to())
            .and_then(|bytes| str::from_utf8(bytes).ok())
            .unwrap_or_default(),
    };
    let first = text.chars().next().map_or(0, char::len_utf8);
    text.get(..text.floor_char_boundary(limit).max(first)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};
    use tempfile::TempDir;

    use super::*;

    fn log(quota: u64) -> (TempDir, Log) {
        let folder = TempDir::new().unwrap();
        let log = Log::create(folder.path().join("r1.log"), quota).unwrap();
        (folder, log)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn reads_from_cursor_to_cursor_repeat_and_skip_no_byte(
            pieces in vec("[a-z\n]{0,20}|é→😀", 1..20), limits in vec(1_usize..40, 1..20),
        ) {
            let (_folder, log) = log(u64::MAX);
            let (mut read, mut cursor, mut limits) = (String::new(), 0, limits.iter().cycle());
            for piece in &pieces {
                log.append(piece);
                let piece = log.read(cursor, *limits.next().unwrap()).unwrap();
                read.push_str(&piece.text);
                cursor = piece.next;
            }
            while cursor < log.len() {
                let piece = log.read(cursor, *limits.next().unwrap()).unwrap();
                prop_assert!(cursor < piece.next);
                read.push_str(&piece.text);
                cursor = piece.next;
            }
            prop_assert_eq!(read, pieces.concat());
        }
    }

    #[test]
    fn a_full_log_keeps_whole_characters_and_counts_the_rest() {
        let (_folder, log) = log(4);
        log.append("abcé");
        log.append("x");
        let piece = log.read(0, 100).unwrap();
        assert_eq!(piece, Piece { text: "abc".to_owned(), next: 3, len: 3, n_dropped: 3 });
    }

    #[test]
    fn a_cursor_inside_a_character_reads_from_the_next_one() {
        let (_folder, log) = log(100);
        log.append("é→x");
        assert_eq!(log.read(1, 100).unwrap().text, "→x");
        assert_eq!(log.read(99, 100).unwrap().next, 6);
    }

    #[test]
    fn a_closed_log_is_read_but_not_through_a_link() {
        let (folder, log) = log(100);
        log.append("abc");
        log.close();
        log.append("late");
        assert_eq!(log.read(1, 100).unwrap().text, "bc");
        let other = folder.path().join("other");
        std::fs::rename(log.path(), &other).unwrap();
        std::os::unix::fs::symlink(&other, log.path()).unwrap();
        assert!(log.read(0, 100).is_err());
    }

    #[test]
    fn only_the_user_may_read_the_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_folder, log) = log(100);
        assert_eq!(log.path().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}
