//! Opening: what is refused, in words, and who may read the file.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use expect_test::{Expect, expect};
use tagline_store::SqliteJournal;

use crate::support::Bench;

#[track_caller]
fn check(bench: &Bench, expected: Expect) {
    let error = SqliteJournal::open(&bench.path()).unwrap_err();
    expected.assert_eq(&bench.words(&error));
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn file_and_folder_are_for_their_owner_alone() {
    let bench = Bench::new();
    let journal = bench.open();
    bench.create(&journal, "a");
    assert_eq!(mode(bench.path().parent().unwrap()), 0o700);
    for name in ["journal.db", "journal.db-wal", "journal.db-shm"] {
        assert_eq!(mode(&bench.path().with_file_name(name)), 0o600, "{name}");
    }
}

#[test]
fn a_file_that_others_can_read_is_closed_to_them() {
    let bench = Bench::new();
    drop(bench.open());
    fs::set_permissions(bench.path(), fs::Permissions::from_mode(0o644)).unwrap();
    drop(bench.open());
    assert_eq!(mode(&bench.path()), 0o600);
}

#[test]
pub(crate) fn a_newer_format_is_refused_and_left_alone() {
    let bench = Bench::new();
    drop(bench.open());
    bench.sql("CREATE TABLE dreams (text TEXT); PRAGMA user_version = 7");
    check(
        &bench,
        expect![
            "the journal at `[folder]/data/journal.db`: expected format 4 or older, but found format 7; nothing was changed; use the newer tagline that wrote it"
        ],
    );
}

#[test]
fn a_database_of_something_else_is_refused_and_left_alone() {
    let bench = Bench::new();
    fs::create_dir(bench.folder.path().join("data")).unwrap();
    bench.sql("CREATE TABLE notes (text TEXT)");
    let before = fs::read(bench.path()).unwrap();
    check(
        &bench,
        expect![
            "the journal at `[folder]/data/journal.db`: expected a journal of tagline, but found another program's database; nothing was changed; name another file"
        ],
    );
    assert_eq!(fs::read(bench.path()).unwrap(), before);
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let bench = Bench::new();
    fs::create_dir(bench.folder.path().join("data")).unwrap();
    fs::write(bench.path(), "not a database, whatever its name is ".repeat(100)).unwrap();
    check(
        &bench,
        expect![
            "the journal at `[folder]/data/journal.db`: expected a SQLite database, but it is damaged (file is not a database); nothing was deleted; open it again so that what can be read is saved, or move it aside"
        ],
    );
    assert!(fs::read_to_string(bench.path()).unwrap().starts_with("not a database"));
}

#[test]
fn a_folder_that_is_a_file_is_named() {
    let bench = Bench::new();
    fs::write(bench.folder.path().join("data"), "").unwrap();
    check(&bench, expect!["the journal at `[folder]/data/journal.db`: file exists"]);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    // Nobody can make a folder here, root included.
    let error = SqliteJournal::open(Path::new("/proc/self/tagline/journal.db")).unwrap_err();
    expect!["the journal at `/proc/self/tagline/journal.db`: no such file or directory"]
        .assert_eq(&error.to_string());
}

#[test]
fn a_journal_whose_header_alone_says_another_format_is_mended_and_kept() {
    let bench = Bench::new();
    let journal = bench.open();
    bench.create(&journal, "a");
    bench.append(&journal, "a", "one two");
    drop(journal);
    bench.sql("PRAGMA user_version = 7");
    let journal = bench.open();
    let mended = journal.mended().unwrap().to_string();
    expect!["the journal was damaged: 2 records of 1 sessions were saved into a new one; the damaged file is kept as `[folder]/data/journal.db.damaged-1`"]
        .assert_eq(&mended.replace(bench.folder.path().to_str().unwrap(), "[folder]"));
    assert_eq!(bench.show(&journal, "a"), "1 one\n2 two\n");
    drop(journal);
    assert_eq!(bench.open().mended(), None);
}

#[test]
fn a_journal_that_is_open_elsewhere_is_not_mended() {
    let bench = Bench::new();
    let other = bench.open();
    bench.create(&other, "a");
    fs::write(bench.path().with_file_name("journal.db-damaged"), "").unwrap();
    assert_eq!(bench.open().mended(), None);
    drop(other);
    assert!(bench.open().mended().is_some());
}
