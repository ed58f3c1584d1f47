//! What stands where protected names are missing, so that a command cannot make them.
//!
//! A name can only be held by something that is there. So an empty folder stands in for it, or an empty
//! file where a folder would be in the way of others, for as long as commands run, and is removed
//! behind them if it still is empty: what the user made of it meanwhile stays. An empty folder is nothing
//! to git, and to most that look at a project. None is put into an empty folder: there is nothing yet
//! that would obey it, and programs that begin a project want to find it so.
//!
//! Whoever is killed leaves what stood in; the next one that opens the same book removes it.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    io::{self, Write as _},
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rustix::fs::{FlockOperation, flock};

/// How the names of books end.
const BOOK: &str = "stand-ins";
/// Links that are followed from a name to where it leads.
const LINKS: usize = 8;

/// A protected name that may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Where it is: absolute, and real but for the last part.
    pub path: PathBuf,
    /// What is to stand in for it.
    pub kind: Kind,
}

/// What stands in for a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An empty folder.
    Folder,
    /// An empty file.
    File,
}

/// What stands in now, for this process, and where that is written down.
#[derive(Debug)]
pub struct StandIns {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    book: fs::File,
    path: PathBuf,
    standing: Mutex<BTreeMap<PathBuf, Standing>>,
}

#[derive(Clone, Copy, Debug)]
struct Standing {
    kind: Kind,
    /// Commands that need it.
    n: usize,
}

/// While it is held, the names have something that stands in.
#[derive(Debug)]
pub struct Held {
    names: Vec<PathBuf>,
    inner: Arc<Inner>,
}

impl StandIns {
    /// Begins a book in this folder, and removes what those left who are gone.
    ///
    /// # Errors
    ///
    /// Where none can be written there.
    pub fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        for entry in fs::read_dir(folder)?.flatten() {
            if entry.path().extension() == Some(OsStr::new(BOOK)) {
                // Another one may have been faster.
                let _ = clean_up(&entry.path());
            }
        }
        let path = folder.join(format!("{}.{BOOK}", std::process::id()));
        let book = fs::File::options().create(true).append(true).open(&path)?;
        flock(&book, FlockOperation::NonBlockingLockExclusive)?;
        Ok(Self { inner: Arc::new(Inner { book, path, standing: Mutex::default() }) })
    }

    /// Puts something where names are missing.
    ///
    /// # Errors
    ///
    /// Where that fails although a command could make the name.
    pub fn put(&self, names: &[Name]) -> io::Result<Held> {
        let mut held = Held { names: Vec::new(), inner: Arc::clone(&self.inner) };
        let mut standing = self.inner.lock();
        let empty: BTreeSet<_> =
            names.iter().filter_map(|it| it.path.parent()).filter(|it| is_empty(it)).collect();
        for Name { path, kind } in names {
            let path = place(path.clone());
            if path.parent().is_none_or(|folder| empty.contains(folder)) {
                continue;
            }
            if let Some(known) = standing.get_mut(&path) {
                known.n += 1;
            } else if self.inner.make(&path, *kind)? {
                standing.insert(path.clone(), Standing { kind: *kind, n: 1 });
            } else {
                continue;
            }
            held.names.push(path);
        }
        drop(standing);
        Ok(held)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut standing = self.inner.lock();
        for path in &self.names {
            let Some(it) = standing.get_mut(path) else { continue };
            it.n -= 1;
            if it.n == 0 {
                remove(path, it.kind);
                standing.remove(path);
            }
        }
        if standing.is_empty() {
            // Else it only grows.
            let _ = self.inner.book.set_len(0);
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

impl Inner {
    /// Puts something there, if nothing is. A place where this process may write nothing is closed to
    /// a command too, and so is one that is not there.
    fn make(&self, path: &Path, kind: Kind) -> io::Result<bool> {
        if path.symlink_metadata().is_ok() {
            return Ok(false);
        }
        // Written down before it is there: what is not there is no harm to who cleans up.
        let mark = match kind {
            Kind::Folder => b"d",
            Kind::File => b"f",
        };
        (&self.book).write_all(&[mark, path.as_os_str().as_bytes(), b"\0"].concat())?;
        let made = match kind {
            Kind::Folder => fs::create_dir(path),
            Kind::File => fs::File::create_new(path).map(drop),
        };
        match made.map_err(|error| (error.kind(), error)) {
            Ok(()) => Ok(true),
            Err((
                io::ErrorKind::AlreadyExists
                | io::ErrorKind::NotFound
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::PermissionDenied
                | io::ErrorKind::ReadOnlyFilesystem,
                _,
            )) => Ok(false),
            Err((_, error)) => Err(error),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Standing>> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a name leads: a link to nowhere would be made real at its other end.
fn place(mut path: PathBuf) -> PathBuf {
    for _ in 0..LINKS {
        let Ok(target) = fs::read_link(&path) else { return path };
        path = path.parent().unwrap_or(Path::new("/")).join(target);
    }
    path
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// Removes what is as it was made.
fn remove(path: &Path, kind: Kind) {
    // What cannot be removed is not ours any more, or not there.
    let _ = match kind {
        Kind::Folder => fs::remove_dir(path),
        Kind::File if path.symlink_metadata().is_ok_and(|it| it.is_file() && it.len() == 0) => {
            fs::remove_file(path)
        }
        Kind::File => Ok(()),
    };
}

/// Removes what stood in for a process that is gone.
fn clean_up(path: &Path) -> io::Result<()> {
    let book = fs::File::options().read(true).write(true).open(path)?;
    flock(&book, FlockOperation::NonBlockingLockExclusive)?;
    for line in fs::read(path)?.split(|byte| *byte == 0) {
        let (kind, name) = match line.split_first() {
            Some((b'd', name)) => (Kind::Folder, name),
            Some((b'f', name)) => (Kind::File, name),
            Some(_) | None => continue,
        };
        remove(Path::new(OsStr::from_bytes(name)), kind);
    }
    fs::remove_file(path)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    struct Bed {
        folder: TempDir,
        book: TempDir,
    }

    impl Bed {
        fn new() -> Self {
            let bed = Self { folder: TempDir::new().unwrap(), book: TempDir::new().unwrap() };
            fs::write(bed.path("there"), "x").unwrap();
            bed
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn names(&self) -> [Name; 2] {
            [
                Name { path: self.path("a"), kind: Kind::Folder },
                Name { path: self.path("b"), kind: Kind::File },
            ]
        }

        fn list(&self) -> Vec<String> {
            let entries = fs::read_dir(self.folder.path()).unwrap();
            let mut list: Vec<_> =
                entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
            list.sort();
            list
        }
    }

    #[test]
    fn names_stand_as_long_as_one_needs_them() {
        let bed = Bed::new();
        let all = StandIns::open(bed.book.path()).unwrap();
        let first = all.put(&bed.names()).unwrap();
        let second = all.put(&bed.names()).unwrap();
        drop(first);
        assert_eq!(bed.list(), ["a", "b", "there"]);
        drop(second);
        assert_eq!(bed.list(), ["there"]);
        drop(all);
        assert_eq!(fs::read_dir(bed.book.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_the_user_made_of_it_stays() {
        let bed = Bed::new();
        let all = StandIns::open(bed.book.path()).unwrap();
        let held = all.put(&bed.names()).unwrap();
        fs::write(bed.path("a/file"), "x").unwrap();
        fs::write(bed.path("b"), "x").unwrap();
        drop(held);
        assert_eq!(bed.list(), ["a", "b", "there"]);
    }

    #[test]
    fn what_is_there_and_an_empty_folder_are_left_alone() {
        let bed = Bed::new();
        let all = StandIns::open(bed.book.path()).unwrap();
        fs::create_dir(bed.path("a")).unwrap();
        std::os::unix::fs::symlink("c", bed.path("b")).unwrap();
        let held = all.put(&bed.names()).unwrap();
        assert_eq!(bed.list(), ["a", "b", "c", "there"]);
        let inner = Name { path: bed.path("a/inner"), kind: Kind::Folder };
        let second = all.put(&[inner]).unwrap();
        assert_eq!(fs::read_dir(bed.path("a")).unwrap().count(), 0);
        drop((held, second));
        assert_eq!(bed.list(), ["a", "b", "there"]);
    }

    #[test]
    fn what_a_killed_process_left_is_removed_by_the_next_one() {
        let bed = Bed::new();
        let book = bed.book.path().join("1.stand-ins");
        let all = StandIns::open(bed.book.path()).unwrap();
        std::mem::forget(all.put(&bed.names()).unwrap());
        // As if the process had gone: its book is there, and nobody holds it.
        fs::rename(bed.book.path().join(format!("{}.stand-ins", std::process::id())), &book)
            .unwrap();
        drop(StandIns::open(bed.book.path()).unwrap());
        assert_eq!(bed.list(), ["a", "b", "there"], "the book is held");
        drop(all);
        let book = bed.book.path().join("2.stand-ins");
        fs::write(&book, format!("d{}\0f{}\0", bed.path("a").display(), bed.path("b").display()))
            .unwrap();
        drop(StandIns::open(bed.book.path()).unwrap());
        assert_eq!(bed.list(), ["there"]);
        assert!(!book.exists());
    }
}
