//! A session that begins with a copy of another.

use expect_test::expect;
use tagline_store::{Content, Journal as _, StoreError};

use crate::support::{Bench, session};

#[test]
fn a_fork_holds_what_its_source_held_and_each_goes_on_alone() {
    let bench = Bench::new();
    let journal = bench.open();
    bench.create(&journal, "a");
    bench.append(&journal, "a", "one two");
    bench.runtime.block_on(journal.fork("a", session("b"), None)).unwrap();
    assert_eq!(bench.append(&journal, "a", "three"), [3]);
    assert_eq!(bench.append(&journal, "b", "other more"), [3, 4]);
    assert_eq!(bench.show(&journal, "a"), "1 one\n2 two\n3 three\n");
    assert_eq!(bench.show(&journal, "b"), "1 one\n2 two\n3 other\n4 more\n");
    let frames = bench.runtime.block_on(journal.read("b", 0, 9)).unwrap();
    assert!(frames.iter().all(|frame| frame.session == "b"));
}

#[test]
fn a_fork_keeps_damage_and_unknown_types_as_they_are() {
    let bench = Bench::new();
    let journal = bench.open();
    bench.create(&journal, "a");
    bench.append(&journal, "a", "one two three");
    bench.sql("UPDATE events SET json = substr(json, 1, 20) WHERE seq = 2");
    let json = r#"{"v":1,"seq":3,"ts":"2030-01-01T00:00:00Z","session":"a","type":"hologram.shown","depth":[1,2.50],"tune":"\u00fc ü"}"#;
    bench.sql(&format!("UPDATE events SET json = '{json}' WHERE seq = 3"));
    bench.runtime.block_on(journal.fork("a", session("b"), None)).unwrap();
    expect![[r#"
        1 one
        2 error: record 2 of session `b` is damaged: EOF while parsing a value at line 1 column 20
    "#]]
    .assert_eq(&bench.show(&journal, "b"));
    let records = bench.runtime.block_on(journal.records("b", 2, 9)).unwrap();
    let [unknown] = records.as_slice() else { panic!("{records:?}") };
    assert_eq!(unknown.content, Content::Unknown("hologram.shown".to_owned()));
    assert_eq!(unknown.json, json.replace(r#""session":"a""#, r#""session":"b""#));
}

#[test]
fn a_fork_that_cannot_be_made_leaves_nothing() {
    let bench = Bench::new();
    let journal = bench.open();
    bench.create(&journal, "a");
    let fork = |source: &str, id| bench.runtime.block_on(journal.fork(source, session(id), None));
    assert_eq!(fork("x", "b"), Err(StoreError::NoSession("x".to_owned())));
    assert_eq!(fork("a", "a"), Err(StoreError::Exists("a".to_owned())));
    let ids = bench.runtime.block_on(journal.sessions()).unwrap();
    assert_eq!(ids.iter().map(|info| info.id.as_str()).collect::<Vec<_>>(), ["a"]);
}
