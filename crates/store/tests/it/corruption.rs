//! Damage of the file itself stays where it is: the journal opens, and only records on damaged
//! pages are missed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use tagline_store::{Durability, Journal as _, SessionInfo, SqliteJournal};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

use crate::support::{message, session};

const PAGE: usize = 4096;
const SESSIONS: usize = 12;
/// How many damages are tried; more by `cargo xtask damage --runs N`.
const ROUNDS: u64 = 120;
/// How many instead, where it is set.
const MORE: &str = "TAGLINE_TEST_DAMAGES";

/// A journal as it lies on the disk, and where each record is in it.
struct Template {
    db: Vec<u8>,
    log: Vec<u8>,
    /// By session and number: the record's text, and the pages of either file that hold it.
    records: BTreeMap<(usize, u64), (String, Places)>,
}

/// Where a record lies: every copy of it.
struct Places {
    db: BTreeSet<usize>,
    log: BTreeSet<usize>,
}

/// A source of numbers that gives the same ones for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % below.max(1)
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().build().unwrap()
}

fn id(n: usize) -> String {
    format!("session-{n:02}")
}

fn wal(path: &Path) -> PathBuf {
    path.with_file_name("j.db-wal")
}

/// Appends to the sessions in turn, small records and some of several pages.
fn fill(runtime: &Runtime, journal: &SqliteJournal, rounds: std::ops::Range<usize>) {
    for round in rounds {
        for n in 0..SESSIONS {
            let size = if (round + n).is_multiple_of(23) { 9_000 } else { 40 + 30 * (round % 7) };
            let text = format!("mark-{n:02}-{round:04} {}", "x".repeat(size));
            let id = id(n);
            let append = journal.append(&id, vec![message(&text)], Durability::Streamed);
            runtime.block_on(append).unwrap();
        }
    }
}

/// A journal whose newest part is in the log, as after a power cut.
fn template() -> Template {
    let (folder, runtime) = (tempfile::tempdir().unwrap(), runtime());
    let path = folder.path().join("j.db");
    let journal = SqliteJournal::open(&path).unwrap();
    for n in 0..SESSIONS {
        let profile = format!("profile-{}", n % 3);
        let info = SessionInfo { profile, ..session(&id(n)) };
        runtime.block_on(journal.create(info)).unwrap();
    }
    fill(&runtime, &journal, 0..30);
    drop(journal);
    let journal = SqliteJournal::open(&path).unwrap();
    fill(&runtime, &journal, 30..40);
    let (db, log) = (fs::read(&path).unwrap(), fs::read(wal(&path)).unwrap());
    let marks = [marks(&db), marks(&log)];
    let mut records = BTreeMap::new();
    for n in 0..SESSIONS {
        let all = runtime.block_on(journal.records(&id(n), 0, usize::MAX)).unwrap();
        for record in all {
            let places = places((&db, &log), &marks, n, record.seq);
            records.insert((n, record.seq), (record.json, places));
        }
    }
    Template { db, log, records }
}

/// Where in these bytes each record begins.
fn marks(bytes: &[u8]) -> BTreeMap<String, Vec<usize>> {
    let mut marks: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, _) in bytes.windows(5).enumerate().filter(|(_, five)| *five == b"mark-") {
        let mark = String::from_utf8_lossy(&bytes[at..(at + 12).min(bytes.len())]).into_owned();
        marks.entry(mark).or_default().push(at);
    }
    marks
}

/// The pages on which the record begins, and those its end may be on.
fn places(
    template: (&[u8], &[u8]),
    marks: &[BTreeMap<String, Vec<usize>>; 2],
    n: usize,
    seq: u64,
) -> Places {
    let round = seq as usize - 1;
    let mark = format!("mark-{n:02}-{round:04}");
    // Where the rest of a long one lies is not known: anywhere.
    if (round + n).is_multiple_of(23) {
        return Places {
            db: (0..=template.0.len() / PAGE).collect(),
            log: (0..=template.1.len() / PAGE).collect(),
        };
    }
    let at = |which: usize| marks[which].get(&mark).into_iter().flatten();
    Places {
        db: at(0).map(|at| at / PAGE).collect(),
        log: at(1).map(|at| (at - 32) / (PAGE + 24)).collect(),
    }
}

/// What was done to the files.
struct Damage {
    told: String,
    db: BTreeSet<usize>,
    log: BTreeSet<usize>,
}

fn damage(dice: &mut Dice, db: &mut Vec<u8>, log: &mut Vec<u8>) -> Damage {
    let in_log = dice.roll(3) == 0;
    let bytes = if in_log { log } else { db };
    let n = (1 + dice.roll(4096)).min(bytes.len());
    let at = dice.roll(bytes.len() - n + 1);
    let from = dice.roll(bytes.len() - n + 1);
    let (kind, at) = match dice.roll(5) {
        0 => {
            let end = bytes.len() - n;
            bytes.truncate(end);
            ("cut", end)
        }
        1 => {
            bytes[at..at + n].fill(0);
            ("zeroed", at)
        }
        2 => {
            let bit = 1 << dice.roll(8);
            bytes[at] ^= bit;
            ("flipped a bit", at)
        }
        3 => {
            bytes.copy_within(from..from + n, at);
            ("copied over", at)
        }
        _ => {
            bytes[at..at + n].iter_mut().for_each(|byte| *byte = dice.roll(256) as u8);
            ("scribbled over", at)
        }
    };
    let told = format!("{kind} {n} bytes at {at} of the {}", if in_log { "log" } else { "file" });
    let (mut in_db, mut in_log_too) = (BTreeSet::new(), BTreeSet::new());
    if in_log {
        in_log_too.extend(at.saturating_sub(32) / (PAGE + 24)..=(at + n) / (PAGE + 24));
    } else {
        in_db.extend(at / PAGE..=(at + n - 1) / PAGE);
    }
    Damage { told, db: in_db, log: in_log_too }
}

/// Whether every copy of a record that counts lies on pages that were not touched.
fn is_safe(places: &Places, damage: &Damage) -> bool {
    places.db.is_disjoint(&damage.db) && places.log.is_disjoint(&damage.log)
}

fn check(template: &Template, runtime: &Runtime, seed: u64) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let (mut db, mut log) = (template.db.clone(), template.log.clone());
    let damage = damage(&mut Dice(seed), &mut db, &mut log);
    fs::write(&path, &db).unwrap();
    fs::write(wal(&path), &log).unwrap();
    let told = format!("seed {seed}: {}", damage.told);
    let journal = open(&path, &told);
    let mut was_mended = journal.mended().is_some();
    // Damage that only shows when it is met is mended when the journal is opened again.
    let journal = if is_whole(runtime, &journal) {
        journal
    } else {
        drop(journal);
        let journal = open(&path, &told);
        was_mended |= journal.mended().is_some();
        journal
    };
    compare(template, runtime, &journal, &damage, &told);
    append_everywhere(runtime, journal, &path, &told);
    assert!(!was_mended || kept(folder), "{told}: the damaged file is not kept");
    was_mended
}

fn open(path: &Path, told: &str) -> SqliteJournal {
    SqliteJournal::open(path).unwrap_or_else(|error| panic!("{told}: {error}"))
}

fn kept(folder: TempDir) -> bool {
    folder.path().join("j.db.damaged-1").exists()
}

fn is_whole(runtime: &Runtime, journal: &SqliteJournal) -> bool {
    (0..SESSIONS).all(|n| {
        let read = runtime.block_on(journal.records(&id(n), 0, usize::MAX));
        read.is_ok_and(|all| all.iter().all(|it| !it.json.is_empty()))
    })
}

/// Every record that lies on untouched pages is there, as it was.
fn compare(
    template: &Template,
    runtime: &Runtime,
    journal: &SqliteJournal,
    damage: &Damage,
    told: &str,
) {
    for n in 0..SESSIONS {
        let found = runtime.block_on(journal.records(&id(n), 0, usize::MAX)).unwrap_or_default();
        let found: BTreeMap<u64, String> =
            found.into_iter().map(|record| (record.seq, record.json)).collect();
        let own = template.records.range((n, 0)..(n + 1, 0));
        for ((_, seq), (json, places)) in own {
            if is_safe(places, damage) {
                assert_eq!(found.get(seq), Some(json), "{told}: record {seq} of session {n}");
            }
        }
    }
}

/// Every session goes on, at the latest when the journal was opened again.
fn append_everywhere(runtime: &Runtime, journal: SqliteJournal, path: &Path, told: &str) {
    let ids: Vec<_> =
        runtime.block_on(journal.sessions()).unwrap().into_iter().map(|info| info.id).collect();
    let try_all = |journal: &SqliteJournal| {
        ids.iter().try_for_each(|id| {
            let append = journal.append(id, vec![message("on")], Durability::Streamed);
            runtime.block_on(append).map(|_| ())
        })
    };
    let first = try_all(&journal);
    drop(journal);
    if first.is_err() {
        let again = open(path, told);
        try_all(&again).unwrap_or_else(|error| panic!("{told}: {error}"));
    }
}

#[expect(clippy::disallowed_methods, reason = "a chore says how often")]
fn rounds() -> u64 {
    std::env::var(MORE).ok().and_then(|n| n.parse().ok()).unwrap_or(ROUNDS)
}

#[test]
fn a_damaged_file_costs_the_records_on_the_damaged_pages_alone() {
    let rounds = rounds();
    let n_mended = damaged(rounds);
    println!("{rounds} damages, {n_mended} of them mended, 0 starts failed, 0 others harmed");
}

/// Damages a journal so many times, each time anew; how often it was mended.
pub(crate) fn damaged(rounds: u64) -> usize {
    let template = template();
    let half = |first: u64| {
        let (template, runtime) = (&template, runtime());
        let seeds = (first..rounds).step_by(2);
        seeds.filter(|seed| check(template, &runtime, *seed)).count()
    };
    let n_mended = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        half(0) + other.join().unwrap()
    });
    assert!(n_mended > 0, "no damage was worth mending");
    n_mended
}
