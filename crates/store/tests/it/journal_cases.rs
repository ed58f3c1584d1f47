//! What must hold for the journal and its folder: one fixture for each case, and a table of how each
//! went, `docs/journal-cases.md`.

use std::{fs, panic::catch_unwind, path::Path};

use expect_test::expect_file;

use crate::{corruption, cuts, formats, opening, support::Bench};

/// A case in words, and what plays it: says what was seen, and panics where that is not as it should
/// be.
struct Case {
    id: &'static str,
    input: &'static str,
    expected: &'static str,
    fixture: fn() -> String,
}

const CASES: [Case; 7] = [
    Case {
        id: "RES-01",
        input: "a server is killed at any moment of a session, over and over, and started again each time",
        expected: "nothing that was shown or acknowledged is missing or comes twice; no effect comes twice",
        fixture: || {
            let name = "a_killed_server_loses_nothing_it_showed_and_doubles_nothing";
            test("../app/tests/it/kills/mod.rs", name)
                + "; as often as is asked by `cargo xtask kill-oracle --kills N`"
        },
    },
    Case {
        id: "RES-05",
        input: "1 to 4096 bytes of the file or its log are cut off, zeroed or overwritten anywhere",
        expected: "it opens; records elsewhere are there, every session goes on, nothing is deleted",
        fixture: damage,
    },
    Case {
        id: "RES-06",
        input: "the log is cut anywhere behind what was acknowledged",
        expected: "every acknowledged record is there at every cut",
        fixture: cut,
    },
    Case {
        id: "RES-07",
        input: "the SQLite that is linked is asked for its version",
        expected: "3.51.3 or newer; an older one is refused",
        fixture: version,
    },
    Case {
        id: "RES-08",
        input: "the disk is full in the middle of a turn",
        expected: "no call runs whose start cannot be kept; what closes the turn is kept; it goes on once there is room",
        fixture: || {
            let name = "a_full_disk_keeps_what_it_has_takes_what_closes_a_turn_and_goes_on_once_there_is_room";
            let turn =
                "a_call_whose_start_cannot_be_kept_does_not_run_and_the_session_goes_on_later";
            test("tests/it/disk.rs", name)
                + ", on a disk that is full by `cargo xtask full-disk`; the turn's part is "
                + &test("../session/tests/it/turns.rs", turn)
        },
    },
    Case {
        id: "RES-10",
        input: "a second server for the same folder; then a stale lock that names a process of something else",
        expected: "the second one is refused with a clear message; the stale lock is taken over",
        fixture: || {
            test("../app/tests/it/serve.rs", "a_folder_is_served_once_and_free_again_after_a_kill")
        },
    },
    Case {
        id: "RES-11",
        input: "a journal of an older format is opened, also with kills in the middle; one of a newer format is opened",
        expected: "a copy is made before; a kill leaves the old one or the new one; the newer one is refused and left alone",
        fixture: change_of_format,
    },
];

/// A case that has a test of its own, because it takes long or needs the whole program.
fn test(file: &str, name: &str) -> String {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    assert!(text.contains(&format!("fn {name}()")), "there is no such test");
    format!("held by the test `{name}`")
}

fn damage() -> String {
    let n = 24;
    corruption::damaged(n);
    format!(
        "{n} damages: 0 starts failed, 0 records elsewhere missing, every session goes on, the damaged file is kept"
    )
}

fn cut() -> String {
    let step = 1999;
    cuts::check(step);
    format!(
        "cut at every {step}th byte and around the end of each append: nothing lost, nothing half; at every byte by `cargo xtask log-cuts --step 1`"
    )
}

fn version() -> String {
    assert!(rusqlite::version_number() >= 3_051_003, "{}", rusqlite::version());
    let bench = Bench::new();
    bench.create(&bench.open(), "a");
    let refused = test("src/sqlite/open/mod.rs", "an_old_sqlite_is_refused");
    format!("3.51.3 or newer is linked; that an older one is refused is {refused}")
}

fn change_of_format() -> String {
    let n = 6;
    formats::a_copy_of_the_older_journal_stays_beside_it_for_its_owner_alone();
    formats::killed(n);
    opening::a_newer_format_is_refused_and_left_alone();
    format!(
        "a copy for its owner alone; {n} kills: each left the old journal or the new one, which opens whole; `expected format 4 or older, but found format 7; nothing was changed`"
    )
}

fn row(case: &Case) -> String {
    let found = match catch_unwind(case.fixture) {
        Ok(seen) => format!("passed: {seen}"),
        Err(_) => "**failed**".to_owned(),
    };
    format!("| {} | {} | {} | {found} |\n", case.id, case.input, case.expected)
}

const HEAD: &str = "\
# Cases of the journal

Written by `cargo test -p tagline-store journal_cases`: each case is played against journals in files, or names the test that
holds it because it takes long or needs the whole program.

| case | what happens | what must follow | what was seen |
|--|--|--|--|
";

#[test]
fn every_case_of_the_journal_goes_as_it_should() {
    let rows: Vec<String> = CASES.iter().map(row).collect();
    let n_passed = rows.iter().filter(|row| !row.contains("**failed**")).count();
    let table = format!("{HEAD}{}\n{n_passed} of {} passed.\n", rows.concat(), rows.len());
    expect_file!["../../../../docs/journal-cases.md"].assert_eq(&table);
    assert_eq!(n_passed, rows.len());
}
