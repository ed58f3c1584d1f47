//! Keeps the store within its quota: the oldest leave first.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    time::SystemTime,
};

use tagline_workspace::ContentHash;

use crate::{
    Record, SnapshotError, Store,
    error::At as _,
    record::{self, Stage},
    store::Usage,
    tree::Tree,
};

/// What left the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freed {
    /// Records of calls.
    pub n_records: u64,
    /// Bytes of contents.
    pub n_bytes: u64,
}

/// How long the notes on the store's size may be, in bytes, before they are summed up.
const LONGEST_NOTES: u64 = 64 * 1024;

/// Something that can leave.
struct Leaver {
    written: SystemTime,
    place: PathBuf,
    /// The session of a record; a tree belongs to none.
    session: Option<String>,
    hashes: Vec<ContentHash>,
}

/// Makes room where the store outgrew its quota. Nothing leaves of calls that run.
pub(crate) fn hold(store: &Store) -> Result<Option<Freed>, SnapshotError> {
    let usage = store.usage();
    let is_over = usage.n_bytes > store.limits().quota;
    if !is_over && usage.n_notes <= LONGEST_NOTES {
        return Ok(None);
    }
    let _closed = store.close()?;
    // Somebody else may have done it while we waited.
    let usage = store.usage();
    let freed = Collection::of(store).collect(usage)?;
    Ok(Some(freed).filter(|freed| *freed != Freed::default()))
}

/// Everything there is, and who needs it.
struct Collection<'a> {
    store: &'a Store,
    sizes: HashMap<ContentHash, u64>,
    needed: HashMap<ContentHash, u64>,
    leavers: Vec<Leaver>,
    n_bytes: u64,
}

impl<'a> Collection<'a> {
    fn of(store: &'a Store) -> Self {
        let sizes = sizes(store);
        let (needed, leavers) = (HashMap::new(), Vec::new());
        let mut all = Self { store, sizes, needed, leavers, n_bytes: 0 };
        for session in store.sessions() {
            for (_, folder) in store.folders(&session) {
                all.add_record(&session, folder);
            }
            store.session_trees(&session).into_iter().for_each(|tree| all.add_tree(tree));
        }
        for entry in fs::read_dir(store.trees()).into_iter().flatten().flatten() {
            all.add_tree(entry.path());
        }
        all.leavers.sort_by_key(|leaver| leaver.written);
        all
    }

    fn add_record(&mut self, session: &str, folder: PathBuf) {
        // One that cannot be read needs nothing, and leaves as the others do.
        let record = Record::load(&folder).ok().flatten();
        match record.as_ref().map(|record| &record.stage) {
            Some(Stage::Open { parts }) => {
                for n in 0..parts.len() {
                    // One that cannot be read can bring nothing back.
                    let tree = Tree::load(&record::before(&folder, n)).unwrap_or_default();
                    tree.hashes().for_each(|hash| self.need(hash));
                }
            }
            Some(Stage::Closed { .. }) | None => {
                let written = record::written(&folder);
                let hashes = record.iter().flat_map(Record::hashes).collect();
                let session = Some(session.to_owned());
                self.add(Leaver { written, place: folder, session, hashes });
            }
        }
    }

    fn add_tree(&mut self, place: PathBuf) {
        // One that cannot be read needs nothing.
        let hashes = Tree::load(&place).unwrap_or_default().hashes().collect();
        let modified = place.metadata().and_then(|meta| meta.modified());
        let written = modified.unwrap_or(SystemTime::UNIX_EPOCH);
        self.add(Leaver { written, place, session: None, hashes });
    }

    fn add(&mut self, leaver: Leaver) {
        leaver.hashes.iter().for_each(|hash| self.need(*hash));
        self.leavers.push(leaver);
    }

    fn need(&mut self, hash: ContentHash) {
        let n = self.needed.entry(hash).or_default();
        if *n == 0 {
            self.n_bytes += self.sizes.get(&hash).copied().unwrap_or(0);
        }
        *n += 1;
    }

    fn need_no_more(&mut self, hash: ContentHash) {
        let Some(n) = self.needed.get_mut(&hash) else { return };
        *n -= 1;
        if *n == 0 {
            self.needed.remove(&hash);
            self.n_bytes -= self.sizes.get(&hash).copied().unwrap_or(0);
        }
    }

    /// Lets the oldest leave until three quarters of the quota hold the rest, then removes what
    /// nobody needs.
    fn collect(mut self, usage: Usage) -> Result<Freed, SnapshotError> {
        let quota = self.store.limits().quota;
        let goal = if self.n_bytes > quota { quota / 4 * 3 } else { quota };
        let mut left: BTreeMap<String, u64> = BTreeMap::new();
        for leaver in std::mem::take(&mut self.leavers) {
            if self.n_bytes <= goal {
                break;
            }
            remove(&leaver.place)?;
            leaver.hashes.iter().for_each(|hash| self.need_no_more(*hash));
            if let Some(session) = leaver.session {
                *left.entry(session).or_default() += 1;
            }
        }
        for (session, n) in &left {
            self.note_left(session, *n)?;
        }
        let n_bytes = self.sweep()?;
        let generation = usage.generation + u64::from(n_bytes > 0);
        self.write_usage(generation)?;
        Ok(Freed { n_records: left.values().sum(), n_bytes })
    }

    fn note_left(&self, session: &str, n: u64) -> Result<(), SnapshotError> {
        let n = self.store.n_left(session) + n;
        let path = self.store.session(session).join("left");
        let mut temp = self.store.temp()?;
        writeln!(temp.file, "{n}").at(&path)?;
        temp.put(&path)
    }

    /// Removes every content that nobody needs, and what a killed process was writing.
    fn sweep(&self) -> Result<u64, SnapshotError> {
        let mut n_bytes = 0;
        for (hash, size) in self.sizes.iter().filter(|(hash, _)| !self.needed.contains_key(*hash)) {
            let path = self.store.objects.path(*hash);
            fs::remove_file(&path).at(&path)?;
            n_bytes += size;
        }
        for entry in fs::read_dir(self.store.objects.temporary()).into_iter().flatten().flatten() {
            remove(&entry.path())?;
        }
        Ok(n_bytes)
    }

    fn write_usage(&self, generation: u64) -> Result<(), SnapshotError> {
        let path = self.store.dir().join("usage");
        let mut temp = self.store.temp()?;
        writeln!(temp.file, "{generation} {}", self.n_bytes).at(&path)?;
        temp.put(&path)
    }
}

fn sizes(store: &Store) -> HashMap<ContentHash, u64> {
    let folders = fs::read_dir(store.dir().join("objects")).into_iter().flatten().flatten();
    let objects = folders.flat_map(|folder| {
        let first = folder.file_name().into_string().unwrap_or_default();
        let entries = fs::read_dir(folder.path()).into_iter().flatten().flatten();
        entries.filter_map(move |entry| {
            let digits = format!("{first}{}", entry.file_name().to_str()?);
            Some((ContentHash::parse(&digits)?, entry.metadata().ok()?.len()))
        })
    });
    objects.collect()
}

fn remove(place: &Path) -> Result<(), SnapshotError> {
    let is_folder = place.symlink_metadata().is_ok_and(|meta| meta.is_dir());
    let removed = if is_folder { fs::remove_dir_all(place) } else { fs::remove_file(place) };
    removed.at(place)
}
