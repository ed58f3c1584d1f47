//! Where the end of a chain is remembered, apart from the chain: who cuts the one does not cut the
//! other.

use std::{
    collections::HashMap,
    fs::{self, DirBuilder, File},
    io::Read as _,
    os::unix::fs::{DirBuilderExt as _, FileExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};

use super::Tail;

/// The end of a chain, as it was seen last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Anchor {
    pub(crate) v: u32,
    pub(crate) profile: String,
    pub(crate) n: u64,
    pub(crate) hash: String,
}

/// Bytes of a file: it is written over in one piece, so that it is old or new.
const SIZE: usize = 512;
const VERSION: u32 = 1;

/// A folder with a file for each profile, which remembers the newest entry of its chain. Clones
/// share what they know.
#[derive(Clone, Debug)]
pub struct Anchors {
    folder: PathBuf,
    /// The files of the profiles that this process has written for.
    open: Arc<Mutex<HashMap<String, Option<File>>>>,
}

impl Anchors {
    /// Those in this folder, which is made with the first of them, for its owner alone.
    #[must_use]
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), open: Arc::default() }
    }

    fn path(&self, profile: &str) -> PathBuf {
        let name: String = profile.bytes().map(plain).collect();
        self.folder.join(format!("{name}.json"))
    }

    /// What is remembered of a profile's chain. One that cannot be read counts as another chain's.
    pub(crate) fn read(&self, profile: &str) -> Option<Anchor> {
        let mut text = String::new();
        let file = File::open(self.path(profile)).ok()?;
        let unread = Anchor { v: VERSION, profile: String::new(), n: 0, hash: String::new() };
        if file.take(SIZE as u64).read_to_string(&mut text).is_err() {
            return Some(unread);
        }
        Some(serde_json::from_str(&text).unwrap_or(unread))
    }

    /// What must stand in the chain before this process adds to it for the first time.
    pub(crate) fn to_check(&self, profile: &str) -> Option<Anchor> {
        if self.open().contains_key(profile) { None } else { self.read(profile) }
    }

    /// The chain does not hold what was remembered: that is put aside, for [`super::verify()`].
    pub(crate) fn set_aside(&self, profile: &str) {
        let path = self.path(profile);
        let names = (1..1_000).map(|n| path.with_extension(format!("lost-{n}.json")));
        if let Some(name) = names.into_iter().find(|name| !name.exists()) {
            // Where it cannot be moved, it is written over: nothing is begun by it.
            let _ = fs::rename(&path, name);
        }
    }

    /// Anchors that were put aside.
    pub(crate) fn lost(&self, profile: &str) -> Vec<PathBuf> {
        let path = self.path(profile);
        let names = (1..1_000).map(|n| path.with_extension(format!("lost-{n}.json")));
        names.take_while(|name| name.exists()).collect()
    }

    /// Remembers the end of a chain, once that is safe. What cannot be written leaves an older end,
    /// which says less and nothing wrong.
    pub(crate) fn note(&self, profile: &str, tail: &Tail) {
        let mut open = self.open();
        let file = open.entry(profile.to_owned()).or_insert_with(|| self.file(profile));
        let Some(file) = file else { return };
        let Tail { n, hash } = tail.clone();
        let anchor = Anchor { v: VERSION, profile: profile.to_owned(), n, hash };
        let mut text = serde_json::to_string(&anchor).unwrap_or_default();
        if text.len() < SIZE {
            text += &" ".repeat(SIZE - 1 - text.len());
            text.push('\n');
            let _ = file.write_all_at(text.as_bytes(), 0);
        }
    }

    fn file(&self, profile: &str) -> Option<File> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder).ok()?;
        let mut options = File::options();
        options.write(true).create(true).truncate(false).mode(0o600).open(self.path(profile)).ok()
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Option<File>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Names of profiles are letters, digits, `-` and `_`; anything else becomes a point.
const fn plain(byte: u8) -> char {
    if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') { byte as char } else { '.' }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn an_end_is_remembered_and_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let anchors = Anchors::at(&folder.path().join("audit"));
        assert_eq!(anchors.to_check("work"), None);
        for n in [10, 9] {
            anchors.note("work", &Tail { n, hash: "ab".repeat(32) });
        }
        let text = fs::read_to_string(folder.path().join("audit/work.json")).unwrap();
        assert_eq!(text.len(), SIZE);
        expect![[r#"{"v":1,"profile":"work","n":9,"hash":"abababababababababababababababababababababababababababababababab"}"#]].assert_eq(text.trim_end());
        assert_eq!(anchors.to_check("work"), None, "it is this process's own");
        let again = Anchors::at(&folder.path().join("audit"));
        assert_eq!(again.to_check("work").unwrap().n, 9);
        again.set_aside("work");
        assert_eq!((again.to_check("work"), again.lost("work").len()), (None, 1));
    }

    #[test]
    fn an_end_that_cannot_be_read_is_no_chains() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("work.json"), "").unwrap();
        assert_eq!(Anchors::at(folder.path()).read("work").unwrap().n, 0);
    }
}
