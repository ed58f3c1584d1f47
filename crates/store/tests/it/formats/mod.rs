//! Journals of older formats: brought to the newest one, all or nothing, behind a copy.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    time::Duration,
};

use expect_test::expect;
use tagline_store::{Content, Journal as _, SqliteJournal};

use crate::support::Bench;

/// Each format that was ever released, from the first.
const RELEASED: [&str; 1] = [include_str!("1.sql")];
/// Where the child finds the journal; the test below starts it with this set.
const PATH: &str = "TAGLINE_STORE_FORMAT_TEST";

fn old(format: usize) -> Bench {
    let bench = Bench::new();
    fs::create_dir(bench.path().parent().unwrap()).unwrap();
    bench.sql(RELEASED[format - 1]);
    bench
}

fn copy(bench: &Bench, format: usize) -> PathBuf {
    bench.path().with_file_name(format!("journal.db.format-{format}"))
}

/// Everything that the older journals hold is there.
fn check(bench: &Bench, journal: &SqliteJournal) {
    let told: Vec<_> = bench
        .runtime
        .block_on(journal.sessions())
        .unwrap()
        .into_iter()
        .map(|info| format!("{} {} `{}` {}", info.id, info.profile, info.title, info.last_seq))
        .collect();
    expect![[r#"
        [
            "asked work `make a site` 3",
            "given default `Given` 3000",
        ]
    "#]]
    .assert_debug_eq(&told);
    let frames = bench.runtime.block_on(journal.read("given", 0, usize::MAX)).unwrap();
    assert_eq!(frames.len(), 3000);
    let records = bench.runtime.block_on(journal.records("asked", 2, 9)).unwrap();
    assert_eq!(records[0].content, Content::Unknown("hologram.shown".to_owned()));
    assert!(records[0].json.contains("[1,2.50]"));
    let open = bench.runtime.block_on(journal.open_runs()).unwrap();
    assert_eq!(open.iter().map(|open| open.run.as_str()).collect::<Vec<_>>(), ["r1"]);
}

#[test]
fn a_journal_of_each_older_format_is_brought_to_the_newest() {
    for format in 1..=RELEASED.len() {
        let bench = old(format);
        check(&bench, &bench.open());
        assert_eq!(bench.append(&bench.open(), "given", "new"), [3001]);
        drop(bench.runtime.block_on(bench.open().acquire("given")).unwrap());
    }
}

#[test]
pub(crate) fn a_copy_of_the_older_journal_stays_beside_it_for_its_owner_alone() {
    let bench = old(1);
    drop(bench.open());
    let copy = copy(&bench, 1);
    assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
    let db = rusqlite::Connection::open(&copy).unwrap();
    let count = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM events"), 3003);
    assert_eq!(count("PRAGMA user_version"), 1);
}

#[expect(clippy::disallowed_methods, reason = "the victim is a process of its own")]
fn start(path: &Path) -> Child {
    std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "formats::an_older_journal_opens"])
        .env(PATH, path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Run by the test below it opens the journal it is given, until it is killed.
#[test]
#[expect(clippy::disallowed_methods, reason = "a child learns from it what to do")]
fn an_older_journal_opens() {
    if let Some(path) = std::env::var_os(PATH) {
        SqliteJournal::open(Path::new(&path)).unwrap();
        return;
    }
    let bench = old(1);
    check(&bench, &bench.open());
}

#[test]
fn a_kill_at_any_moment_of_the_change_leaves_the_old_journal_or_the_new_one() {
    let n_old = killed(20);
    println!("of 20 kills {n_old} came before the change was made");
}

/// Kills so many processes, each a little later in the change; how often it was not made.
pub(crate) fn killed(rounds: u64) -> u32 {
    let mut n_old = 0;
    for round in 0..rounds {
        let bench = old(1);
        let mut child = start(&bench.path());
        std::thread::sleep(Duration::from_millis(5 + 20 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let db = rusqlite::Connection::open(bench.path()).unwrap();
        let format: i64 = db.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
        drop(db);
        n_old += u32::from(format == 1);
        let journal = bench.open();
        assert_eq!(journal.mended(), None, "round {round}");
        check(&bench, &journal);
        assert!(format != 1 || copy(&bench, 1).exists(), "round {round}");
    }
    n_old
}
