//! Damage costs the record it lies in, and unknown types are kept.

use std::fs;

use expect_test::expect;
use proptest::prelude::*;
use tagline_store::{Content, Journal as _, SqliteJournal};

use crate::support::Bench;

fn three(bench: &Bench) -> SqliteJournal {
    let journal = bench.open();
    bench.create(&journal, "a");
    bench.append(&journal, "a", "one two three");
    journal
}

#[test]
fn a_record_that_is_no_json_costs_itself() {
    let bench = Bench::new();
    let journal = three(&bench);
    bench.sql("UPDATE events SET json = substr(json, 1, 20) WHERE seq = 2");
    expect![[r#"
        1 one
        2 error: record 2 of session `a` is damaged: EOF while parsing a value at line 1 column 20
        3 three
    "#]]
    .assert_eq(&bench.show(&journal, "a"));
}

#[test]
fn a_record_of_another_place_costs_itself() {
    let bench = Bench::new();
    let journal = three(&bench);
    bench.sql("UPDATE events SET json = replace(json, '\"seq\":2', '\"seq\":9') WHERE seq = 2");
    expect![[r"
        1 one
        2 error: record 2 of session `a` is damaged: expected number 2, but its text says 9
        3 three
    "]]
    .assert_eq(&bench.show(&journal, "a"));
}

#[test]
fn an_unknown_type_is_left_out_of_frames_and_kept_in_records() {
    let bench = Bench::new();
    let journal = three(&bench);
    let json = r#"{"v":1,"seq":2,"ts":"2030-01-01T00:00:00Z","session":"a","type":"hologram.shown","depth":[1,2]}"#;
    bench.sql(&format!("UPDATE events SET json = '{json}' WHERE seq = 2"));
    expect![[r"
        1 one
        3 three
    "]]
    .assert_eq(&bench.show(&journal, "a"));
    let records = bench.runtime.block_on(journal.records("a", 1, 1)).unwrap();
    assert_eq!(records[0].json, json);
    assert_eq!(records[0].content, Content::Unknown("hologram.shown".to_owned()));
}

#[test]
fn a_page_is_full_though_records_in_it_are_unknown() {
    let bench = Bench::new();
    let journal = three(&bench);
    bench.sql("UPDATE events SET json = replace(json, 'message.user', 'new.kind') WHERE seq = 1");
    let page = bench.runtime.block_on(journal.read("a", 0, 2)).unwrap();
    assert_eq!(page.iter().map(|frame| frame.seq).collect::<Vec<_>>(), [2, 3]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Invariant 4, on the bytes of the file: opening and reading end, with frames or with words.
    #[test]
    fn a_damaged_file_never_brings_the_reader_down(
        at in 0.0..1.0_f64,
        n in 1..4096_usize,
        byte in any::<u8>(),
    ) {
        let bench = Bench::new();
        let journal = bench.open();
        for id in ["a", "b"] {
            bench.create(&journal, id);
            bench.append(&journal, id, &"word ".repeat(60));
        }
        drop(journal);
        let mut bytes = fs::read(bench.path()).unwrap();
        let start = (at * bytes.len() as f64) as usize;
        let end = (start + n).min(bytes.len());
        bytes[start..end].fill(byte);
        fs::write(bench.path(), &bytes).unwrap();
        let n_frames = SqliteJournal::open(&bench.path()).map(|journal| {
            let read = |id| bench.runtime.block_on(journal.read(id, 0, usize::MAX));
            read("a").map_or(0, |frames| frames.len()) + read("b").map_or(0, |frames| frames.len())
        });
        prop_assert!(n_frames.unwrap_or(0) <= 120);
        prop_assert!(bench.path().exists());
    }
}
