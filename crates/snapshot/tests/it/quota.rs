//! The store keeps to its quota, and says what left.

use std::fs;

use tagline_snapshot::{Limits, Which};

use crate::fixture::Fixture;

fn fixture() -> Fixture {
    Fixture::with(Limits { quota: 100_000, ..Limits::default() })
}

/// A text of 10,000 bytes that is no other's.
fn text(n: u32) -> String {
    format!("{n:10}").repeat(1_000)
}

#[test]
fn the_oldest_leave_first() {
    let mut fixture = fixture();
    for n in 1..=30 {
        fixture.command(n, |it| it.write("a", text(n)));
    }
    assert!(fixture.n_kept() <= 100_000, "{}", fixture.n_kept());
    let records = fixture.records();
    let ids: Vec<_> = records.iter().map(|record| record.what.id().to_owned()).collect();
    let n_left = 30 - ids.len();
    assert_eq!(fixture.store.n_left("s1"), n_left as u64);
    let newest: Vec<_> = (n_left + 1..=30).map(|n| format!("t{n}.{n}")).collect();
    assert_eq!(ids, newest);
    assert!(ids.len() >= 5, "{ids:?}");
    // What stayed can be brought back, all of it.
    fixture.undone(&Which::Session);
    assert_eq!(fixture.read("a"), text(u32::try_from(n_left).unwrap()));
}

#[test]
fn what_was_kept_for_a_tree_that_is_seen_again_is_kept_again() {
    let mut fixture = fixture();
    fixture.write("old", text(0));
    fixture.command(1, |_| {});
    for n in 1..=30 {
        fixture.tool(1, &["a"], |it| it.write("a", text(n)));
    }
    fixture.command(2, |it| fs::remove_file(it.ws("old")).unwrap());
    fixture.undone(&Which::Turn(2));
    assert_eq!(fixture.read("old"), text(0));
}

#[test]
fn nothing_leaves_of_a_call_that_runs() {
    let mut fixture = fixture();
    fixture.write("old", text(0));
    let reach = tagline_snapshot::Reach::Whole;
    let begun = fixture.keeper.begin(fixture.next(1), &reach, &|| false).unwrap();
    fs::remove_file(fixture.ws("old")).unwrap();
    let root = vec![fixture.ws("")];
    let other = tagline_snapshot::Keeper::new(fixture.store.clone(), "s2", root, &[]);
    for n in 1..=30 {
        let begun = other.begin(fixture.next(1), &reach, &|| false).unwrap();
        fixture.write("a", text(n));
        other.end(begun).unwrap();
    }
    assert!(fixture.store.n_left("s2") > 0);
    fixture.keeper.end(begun).unwrap();
    fixture.reopen();
    fixture.undo(&Which::Session, true);
    assert_eq!(fixture.read("old"), text(0));
}

#[test]
fn a_session_that_is_forgotten_leaves_its_room() {
    let mut fixture = fixture();
    fixture.command(1, |it| it.write("a", text(1)));
    assert_eq!(fixture.store.sessions(), ["s1"]);
    fixture.store.forget("s1").unwrap();
    assert_eq!(fixture.store.sessions(), Vec::<String>::new());
    fixture.store.forget("s1").unwrap();
    assert_eq!(fixture.records(), []);
}
