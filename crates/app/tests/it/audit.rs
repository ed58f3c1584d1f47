//! `tagline audit`: whole after any session, and broken after any change from outside.

use std::fs;

use expect_test::{Expect, expect};
use rusqlite::Connection;
use serde_json::Value;

use crate::support::Bench;

/// A call that a rule lets run, one that nobody could be asked about, and an answer. Calls of one
/// reply stand in the journal in no order that is certain.
const SCRIPT: &str = "\
=== reply
<write_file path=\"a.txt\">one</write_file>
=== reply
<execute_command>touch b.txt</execute_command>
=== reply
Done.
";

fn bench() -> Bench {
    let bench = Bench::new().write("work/s.txt", SCRIPT);
    let ran = bench.run("run -q --mode edit --model script/s.txt go");
    assert!(ran.contains("exit"), "{ran}");
    bench
}

fn database(bench: &Bench) -> Connection {
    Connection::open(bench.path("home/data/journal.db")).unwrap()
}

/// Hashes and times, which differ from run to run, replaced by names.
fn steady(text: &str) -> String {
    let hash = regex::Regex::new(r"[0-9a-f]{64}").unwrap();
    let short = regex::Regex::new(r"\b[0-9a-f]{11,12}\b").unwrap();
    let time = regex::Regex::new(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d").unwrap();
    let text = hash.replace_all(text, "[hash]").into_owned();
    time.replace_all(&short.replace_all(&text, "[hash]"), "[when]").into_owned()
}

#[track_caller]
fn check(change: impl FnOnce(&Bench, &Connection), expected: Expect) {
    let bench = bench();
    change(&bench, &database(&bench));
    expected.assert_eq(&steady(&bench.run("audit verify")));
}

#[test]
fn what_happened_is_listed_and_whole() {
    let bench = bench();
    expect![[r#"
        --- stdout
             1  [when]  [id]     1  run.started        script/s.txt in mode edit
             2  [when]  [id]     8  tool.ready         write_file
             3  [when]  [id]    10  tool.running       [id]: mode edit, attempt 1
             4  [when]  [id]    11  tool.done          write_file, [time]
             5  [when]  [id]    12  audit              write_file [id]: done by mode edit
             6  [when]  [id]    18  tool.ready         execute_command
             7  [when]  [id]    20  tool.failed        denied
             8  [when]  [id]    21  audit              execute_command [id]: denied by nobody to ask
        exit 0
    "#]]
    .assert_eq(&steady(&bench.run("audit list")));
    let json = bench.run("audit verify --json");
    let report: Value = serde_json::from_str(json.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&report["is_whole"], &report["broken"]), (&true.into(), &serde_json::json!([])));
    assert!(json.ends_with("exit 0\n"), "{json}");
    assert_eq!(bench.run("audit list --session none"), "exit 0\n");
}

#[test]
fn without_a_journal_there_is_nothing_to_check() {
    let bench = Bench::new();
    expect![[r#"
        --- stderr
        no journal yet, so nothing was audited; begin with `tagline run`
        exit 0
    "#]]
    .assert_eq(&bench.run("audit verify"));
    assert!(!bench.path("home/data").exists());
}

#[test]
fn a_changed_record_is_named() {
    check(
        |_, db| {
            let sql = "UPDATE events SET json = replace(json, 'touch b.txt', 'touch c.txt')";
            db.execute(sql, []).unwrap();
        },
        expect![[r#"
            --- stdout
            broken: [test]/home/data/journal.db, entry 6, session [id], record 18: expected digest [hash] of `tool.ready`, but found digest [hash]
            broken: [test]/home/data/journal.db, entry 7, session [id], record 20: expected digest [hash] of `tool.failed`, but found digest [hash]
            audit of `default`: 8 entries, 1 session: 2 places are broken, from the first on
            exit 8
        "#]],
    );
}

#[test]
fn a_removed_record_is_named() {
    check(
        |_, db| {
            db.execute("DELETE FROM events WHERE json LIKE '%\"tool.running\"%'", []).unwrap();
        },
        expect![[r#"
            --- stdout
            broken: [test]/home/data/journal.db, entry 3, session [id], record 10: expected digest [hash] of `tool.running`, but found a record that cannot be read: it is missing
            audit of `default`: 8 entries, 1 session: 1 place is broken, from the first on
            exit 8
        "#]],
    );
}

#[test]
fn a_removed_entry_and_a_changed_one_are_named() {
    check(
        |_, db| {
            db.execute("DELETE FROM audit WHERE n = 3", []).unwrap();
            db.execute("UPDATE audit SET seq = seq + 1 WHERE n = 5", []).unwrap();
        },
        expect![[r#"
            --- stdout
            broken: [test]/home/data/journal.db, entry 3: expected entry 3, but found entry 4
            broken: [test]/home/data/journal.db, entry 5, session [id], record 13: expected hash [hash], but found hash [hash]
            broken: [test]/home/data/journal.db, entry 5, session [id], record 13: expected digest [hash] of `audit`, but found digest [hash]
            broken: [test]/home/data/journal.db, no entry, session [id], record 10: expected an entry for it, but found none
            broken: [test]/home/data/journal.db, no entry, session [id], record 12: expected an entry for it, but found none
            audit of `default`: 8 entries, 1 session: 5 places are broken, from the first on
            exit 8
        "#]],
    );
}

#[test]
fn a_tail_that_was_cut_off_is_noticed_also_after_the_chain_grew_again() {
    let cut = |_: &Bench, db: &Connection| {
        let sql = "SELECT seq FROM audit ORDER BY n DESC LIMIT 1 OFFSET 2";
        let seq: i64 = db.query_row(sql, [], |row| row.get(0)).unwrap();
        db.execute("DELETE FROM events WHERE seq > ?1", [seq]).unwrap();
        db.execute("DELETE FROM audit WHERE n > (SELECT max(n) - 2 FROM audit)", []).unwrap();
    };
    check(
        cut,
        expect![[r#"
        --- stdout
        broken: [test]/home/data/journal.db, entry 8: expected hash [hash], as was remembered apart from it, but found a chain that ends with entry 6
        audit of `default`: 6 entries, 1 session: 1 place is broken, from the first on
        exit 8
    "#]],
    );
    check(
        |bench, db| {
            cut(bench, db);
            bench.run("run -q --mode edit --model script/s.txt again");
        },
        expect![[r#"
            --- stdout
            broken: [test]/home/data/journal.db, no entry: expected the chain that was remembered before it was cut or replaced, but found another one; what was remembered is in `[test]/home/state/audit/default.lost-1.json`
            audit of `default`: 14 entries, 2 sessions: 1 place is broken, from the first on
            exit 8
        "#]],
    );
}

#[test]
fn a_session_that_is_gone_is_noticed_and_one_that_was_removed_is_not() {
    check(
        |_, db| {
            for table in ["open_runs", "leases", "letters", "events", "sessions"] {
                db.execute(&format!("DELETE FROM {table}"), []).unwrap();
            }
        },
        expect![[r#"
            --- stdout
            broken: [test]/home/data/journal.db, entry 1, session [id], record 1: expected a session that is there, or an entry that it was removed, but found neither
            audit of `default`: 8 entries, 0 sessions: 1 place is broken, from the first on
            exit 8
        "#]],
    );
    check(
        |bench, db| {
            let id: String = db.query_row("SELECT id FROM sessions", [], |row| row.get(0)).unwrap();
            let told = bench.run(&format!("sessions delete {id} --yes"));
            assert!(told.ends_with("exit 0\n"), "{told}");
        },
        expect![[r#"
            --- stdout
            audit of `default`: 9 entries, 0 sessions: whole
            exit 0
        "#]],
    );
}

#[test]
fn forks_and_imports_are_whole_and_a_new_chain_in_the_place_of_the_old_one_is_not() {
    let bench = bench();
    let find = |db: Connection| db.query_row("SELECT id FROM sessions", [], |row| row.get(0));
    let id: String = find(database(&bench)).unwrap();
    let told = bench.run(&format!("sessions fork {id}"));
    assert!(told.ends_with("exit 0\n"), "{told}");
    assert!(bench.run("audit verify").contains("whole"));
    let data = bench.path("home/data");
    fs::remove_dir_all(&data).unwrap();
    bench.run("run -q --mode edit --model script/s.txt go");
    expect![[r#"
        --- stdout
        broken: [test]/home/data/journal.db, no entry: expected the chain that was remembered before it was cut or replaced, but found another one; what was remembered is in `[test]/home/state/audit/default.lost-1.json`
        audit of `default`: 8 entries, 1 session: 1 place is broken, from the first on
        exit 8
    "#]].assert_eq(&steady(&bench.run("audit verify")));
}
