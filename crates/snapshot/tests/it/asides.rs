//! What is put aside has its own way back.

use std::fs;

use expect_test::expect;
use tagline_snapshot::{Keeper, Which};

use crate::fixture::Fixture;

/// Puts a thing of the workspace aside, and gives the id by which it comes back.
fn aside(fixture: &Fixture, keeper: &Keeper, name: &str) -> Which {
    let begun = keeper.begin_aside("t1.1", vec![fixture.ws(name)]).unwrap();
    fs::rename(fixture.ws(name), fixture.out("aside")).unwrap();
    let record = keeper.end(begun).unwrap().record.unwrap();
    assert_eq!(record.what.turn_put_aside(), Some(1));
    // As it is written down.
    let written = serde_json::to_value(&record.what).unwrap();
    let id = record.what.id();
    assert_eq!(written, serde_json::json!({ "aside": { "id": id, "call": "t1.1" } }));
    Which::Call(record.what.id().to_owned())
}

#[test]
fn what_goes_in_the_middle_of_a_call_is_none_of_what_the_call_left() {
    let mut fixture = Fixture::new();
    let begun = fixture.keeper.begin(fixture.next(1), &tagline_snapshot::Reach::Whole, &|| false);
    fixture.write("a.txt", "a");
    fixture.write(".vscode/tasks.json", "{}");
    fixture.chmod(".vscode", 0o750);
    let with_it = fixture.picture();
    let which = aside(&fixture, &fixture.keeper, ".vscode");
    let left = fixture.keeper.end(begun.unwrap()).unwrap().record.unwrap();
    let names: Vec<_> = left.changes().map(|(_, name, ..)| name.to_string()).collect();
    assert_eq!(names, ["a.txt"]);
    let without = fixture.picture();
    expect![[r#"
        .vscode: ready
        .vscode/tasks.json: ready
    "#]]
    .assert_eq(&fixture.steps(&which));
    // Back, away again by the undo of that, and back once more.
    let again = fixture.undone(&which);
    assert_eq!(fixture.picture(), with_it);
    fixture.undone(&again);
    assert_eq!(fixture.picture(), without);
    fixture.reopen();
    fixture.command(2, |it| it.write("b.txt", "b"));
    // Without the turn, or the session, it would not be there.
    expect![[r#"
        a.txt: ready
    "#]]
    .assert_eq(&fixture.steps(&Which::Turn(1)));
    expect![[r#"
        a.txt: ready
        b.txt: ready
    "#]]
    .assert_eq(&fixture.steps(&Which::Session));
}

#[test]
fn what_goes_after_a_call_is_known_to_be_gone() {
    let mut fixture = Fixture::new();
    fixture.command(1, |it| it.write(".envrc", "1"));
    let first = aside(&fixture, &fixture.keeper, ".envrc");
    fixture.write(".envrc", "2");
    let second = aside(&fixture, &fixture.keeper, ".envrc");
    assert_eq!((first.clone(), second), (Which::Call("a1".into()), Which::Call("a2".into())));
    expect![[r#"
        .envrc: there
    "#]]
    .assert_eq(&fixture.steps(&Which::Turn(1)));
    fixture.undone(&first);
    assert_eq!(fixture.read(".envrc"), "1");
}

#[test]
fn one_that_was_killed_ends_with_the_next_call() {
    let mut fixture = Fixture::new();
    fixture.write(".envrc", "1");
    let begun = fixture.keeper.begin_aside("t1.1", vec![fixture.ws(".envrc")]).unwrap();
    fs::remove_file(fixture.ws(".envrc")).unwrap();
    drop(begun);
    fixture.command(1, |_| ());
    fixture.undone(&Which::Call("a1".to_owned()));
    assert_eq!(fixture.read(".envrc"), "1");
}
