//! The way back, and the way back from it.

use std::{fs, os::unix::fs::PermissionsExt as _};

use expect_test::{Expect, expect};
use tagline_snapshot::{By, Reach, State, Which};

use crate::fixture::Fixture;

/// A workspace with one of everything.
fn fixture() -> Fixture {
    let fixture = Fixture::new();
    fixture.write("a.txt", "a\n");
    fixture.write("b/c.sh", "echo c\n");
    fixture.write("b/d/e", vec![0, 159, 146, 150]);
    fixture.chmod("b/c.sh", 0o755);
    fs::create_dir_all(fixture.ws("empty/inner")).unwrap();
    fixture.chmod("empty", 0o711);
    fixture.link("b/c.sh", "link");
    fixture.link("nowhere", "dangling");
    fixture
}

/// After the work, undo is what was before; undone itself, it is what was after.
#[track_caller]
fn check(work: impl Fn(&Fixture)) {
    let mut fixture = fixture();
    let before = fixture.picture();
    fixture.command(1, &work);
    let after = fixture.picture();
    assert_ne!(before, after);
    let redo = fixture.undone(&Which::Last);
    assert_eq!(fixture.picture(), before);
    let again = fixture.undone(&redo);
    assert_eq!(fixture.picture(), after);
    fixture.undone(&again);
    assert_eq!(fixture.picture(), before);
}

#[test]
fn everything_that_was_removed_is_back() {
    check(|it| {
        for entry in fs::read_dir(it.ws("")).unwrap() {
            let path = entry.unwrap().path();
            let is_folder = path.symlink_metadata().unwrap().is_dir();
            if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
        }
    });
}

#[test]
fn the_workspace_itself_is_back() {
    check(|it| fs::remove_dir_all(it.ws("")).unwrap());
}

#[test]
fn everything_that_was_made_is_gone() {
    check(|it| {
        it.write("new/deep/x", "x");
        it.link("deep/x", "new/link");
        fs::create_dir(it.ws("new/none")).unwrap();
    });
}

#[test]
fn one_kind_of_thing_takes_the_place_of_another() {
    check(|it| {
        fs::remove_dir_all(it.ws("b")).unwrap();
        it.write("b", "a file now");
        fs::remove_file(it.ws("a.txt")).unwrap();
        it.write("a.txt/now/a/folder", "");
        fs::remove_file(it.ws("link")).unwrap();
        it.write("link", "a file now");
        fs::remove_file(it.ws("dangling")).unwrap();
        it.link("elsewhere", "dangling");
        fs::remove_dir_all(it.ws("empty")).unwrap();
        it.link("b", "empty");
    });
}

#[test]
fn permissions_are_back() {
    check(|it| {
        it.chmod("a.txt", 0o4700);
        it.chmod("b/c.sh", 0o644);
        it.chmod("empty", 0o1777);
        it.chmod("", 0o700);
    });
}

#[test]
fn a_folder_that_may_not_be_written_to_is_no_obstacle() {
    let mut fixture = fixture();
    fixture.chmod("b/d", 0o555);
    let before = fixture.picture();
    fixture.command(1, |it| {
        it.chmod("b/d", 0o755);
        fs::remove_file(it.ws("b/d/e")).unwrap();
        it.chmod("b/d", 0o555);
    });
    let redo = fixture.undone(&Which::Last);
    assert_eq!(fixture.picture(), before);
    fixture.undone(&redo);
    assert!(!fixture.ws("b/d/e").exists());
    fixture.chmod("b/d", 0o755);
}

#[test]
fn names_may_be_any_bytes() {
    use std::os::unix::ffi::OsStrExt as _;
    check(|it| {
        for name in [&b"\xff\xfe"[..], b"%41", b"a\nb", b" "] {
            fs::write(it.ws("").join(std::ffi::OsStr::from_bytes(name)), name).unwrap();
        }
    });
}

#[test]
fn a_tool_is_undone_with_the_folders_that_it_made() {
    let mut fixture = fixture();
    let before = fixture.picture();
    fixture.tool(1, &["x/y/z"], |it| it.write("x/y/z", "z"));
    fixture.tool(1, &["b"], |it| fs::remove_dir_all(it.ws("b")).unwrap());
    fixture.tool(1, &["a.txt", "x/a"], |it| fs::rename(it.ws("a.txt"), it.ws("x/a")).unwrap());
    let redo = fixture.undone(&Which::Turn(1));
    assert_eq!(fixture.picture(), before);
    fixture.undone(&redo);
    assert_eq!(fixture.read("x/a"), "a\n");
}

#[test]
fn a_tool_may_reach_beyond_the_roots() {
    let mut fixture = fixture();
    let path = fixture.out("new/x");
    let reach = Reach::Paths(vec![path.clone()]);
    fixture.call(1, &reach, |_| {
        fs::create_dir(path.parent().unwrap()).unwrap();
        fs::write(&path, "x").unwrap();
    });
    let redo = fixture.undone(&Which::Last);
    assert!(!fixture.out("new").exists());
    fixture.undone(&redo);
    assert_eq!(fs::read_to_string(path).unwrap(), "x");
}

#[test]
fn turn_by_turn_and_back_again() {
    let mut fixture = fixture();
    let mut pictures = vec![fixture.picture()];
    for turn in 1..=3 {
        fixture.tool(turn, &["a.txt"], |it| it.write("a.txt", format!("{turn}\n")));
        fixture.command(turn, |it| it.write(&format!("{turn}"), ""));
        pictures.push(fixture.picture());
    }
    let mut redos = Vec::new();
    for turn in (0..3).rev() {
        redos.push(fixture.undone(&Which::Last));
        assert_eq!(fixture.picture(), pictures[turn]);
    }
    for picture in &pictures[1..] {
        fixture.undone(&redos.pop().unwrap());
        assert_eq!(&fixture.picture(), picture);
    }
    let redo = fixture.undone(&Which::Session);
    assert_eq!(fixture.picture(), pictures[0]);
    fixture.undone(&redo);
    assert_eq!(fixture.picture(), pictures[3]);
}

#[test]
fn a_call_is_undone_by_itself_where_nothing_came_after() {
    let mut fixture = fixture();
    fixture.tool(1, &["a.txt"], |it| it.write("a.txt", "1\n"));
    fixture.tool(1, &["x"], |it| it.write("x", "x"));
    fixture.tool(2, &["a.txt"], |it| it.write("a.txt", "2\n"));
    expect![[r#"
        a.txt: changed by Record("t2.3")
    "#]]
    .assert_eq(&fixture.steps(&Which::Call("t1.1".to_owned())));
    fixture.undone(&Which::Call("t1.2".to_owned()));
    assert!(!fixture.ws("x").exists());
    assert_eq!(fixture.read("a.txt"), "2\n");
}

/// After the user's own hand, the plan is this; what the hand did stays without `force`.
#[track_caller]
fn check_hand(hand: impl Fn(&Fixture), expected: Expect) {
    let mut fixture = fixture();
    let before = fixture.picture();
    fixture.command(1, |it| {
        it.write("a.txt", "call\n");
        it.write("new/x", "x");
        it.chmod("b/c.sh", 0o600);
        fs::remove_file(it.ws("link")).unwrap();
    });
    hand(&fixture);
    let after = fixture.picture();
    expected.assert_eq(&fixture.steps(&Which::Last));
    let plan = fixture.plan(&Which::Last);
    let kept: Vec<_> =
        plan.steps.iter().filter(|step| matches!(step.state, State::Changed(By::Hand))).collect();
    let carried = fixture.undo(&Which::Last, false);
    for step in kept {
        let name = step.path().strip_prefix(fixture.ws("")).unwrap().to_owned();
        assert_eq!(fixture.picture().get(&name), after.get(&name), "{}", name.display());
    }
    let redo = Which::Call(carried.record.unwrap().what.id().to_owned());
    fixture.undone(&redo);
    assert_eq!(fixture.picture(), after);
    fixture.undo(&Which::Last, true);
    let is_other = |name: &&std::path::PathBuf| !name.starts_with("new");
    let others = |picture: &crate::fixture::Picture| {
        picture
            .iter()
            .filter(|(name, _)| is_other(name))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(others(&fixture.picture()), others(&before));
}

#[test]
fn what_the_user_changed_since_stays() {
    check_hand(
        |it| it.write("a.txt", "mine\n"),
        expect![[r#"
            a.txt: changed by Hand
            b/c.sh: ready
            link: ready
            new: ready
            new/x: ready
        "#]],
    );
}

#[test]
fn what_the_user_made_since_stays() {
    check_hand(
        |it| {
            it.write("new/mine", "mine");
            it.link("a.txt", "link");
        },
        expect![[r#"
            a.txt: ready
            b/c.sh: ready
            link: changed by Hand
            new: holds 1
            new/x: ready
        "#]],
    );
}

#[test]
fn what_the_user_did_himself_is_done() {
    check_hand(
        |it| {
            fs::remove_file(it.ws("a.txt")).unwrap();
            it.chmod("b/c.sh", 0o755);
        },
        expect![[r#"
            a.txt: changed by Hand
            b/c.sh: there
            link: ready
            new: ready
            new/x: ready
        "#]],
    );
}

#[test]
fn what_the_user_changed_between_two_calls_stays() {
    let mut fixture = fixture();
    fixture.tool(1, &["a.txt"], |it| it.write("a.txt", "1\n"));
    fixture.write("a.txt", "mine\n");
    fixture.tool(1, &["a.txt"], |it| it.write("a.txt", "2\n"));
    assert_eq!(fixture.steps(&Which::Turn(1)), "a.txt: changed by Hand\n");
    fixture.undone(&Which::Call("t1.2".to_owned()));
    assert_eq!(fixture.read("a.txt"), "mine\n");
}

#[test]
fn a_call_that_was_killed_is_undone() {
    let mut fixture = fixture();
    let before = fixture.picture();
    let begun = fixture.keeper.begin(fixture.next(1), &Reach::Whole, &|| false).unwrap();
    fs::remove_dir_all(fixture.ws("b")).unwrap();
    drop(begun);
    fixture.reopen();
    fixture.undone(&Which::Last);
    assert_eq!(fixture.picture(), before);
}

#[test]
fn a_call_that_was_killed_before_it_did_anything_leaves_nothing() {
    let mut fixture = fixture();
    for reach in [Reach::Whole, Reach::Paths(vec![fixture.ws("a.txt")])] {
        drop(fixture.keeper.begin(fixture.next(1), &reach, &|| false).unwrap());
        fixture.reopen();
        fixture.keeper.settle().unwrap();
        assert_eq!(fixture.records(), []);
    }
}

#[test]
fn an_undo_that_was_killed_can_be_done_again() {
    let mut fixture = fixture();
    let before = fixture.picture();
    fixture.command(1, |it| {
        fs::remove_dir_all(it.ws("b")).unwrap();
        it.write("a.txt", "1\n");
        it.write("new", "");
    });
    let after = fixture.picture();
    // What an undo does first, and then it ends.
    let what = tagline_snapshot::What::Undo { id: "u1".to_owned(), of: vec![1] };
    let paths = fixture.plan(&Which::Last).steps.iter().map(|step| step.path()).collect();
    let begun = fixture.keeper.begin(what, &Reach::Paths(paths), &|| false).unwrap();
    fs::create_dir(fixture.ws("b")).unwrap();
    fs::set_permissions(fixture.ws("b"), fs::Permissions::from_mode(0o700)).unwrap();
    fixture.write("a.txt", "a\n");
    drop(begun);
    fixture.reopen();
    fixture.keeper.settle().unwrap();
    let redo = fixture.undone(&Which::Turn(1));
    assert_eq!(fixture.picture(), before);
    fixture.undone(&redo);
    fixture.undone(&Which::Call("u1".to_owned()));
    assert_eq!(fixture.picture(), after);
}

#[test]
fn what_another_session_changed_meanwhile_stays() {
    let fixture = fixture();
    let other =
        tagline_snapshot::Keeper::new(fixture.store.clone(), "s2", vec![fixture.ws("")], &[]);
    let begun = fixture.keeper.begin(fixture.next(1), &Reach::Whole, &|| false).unwrap();
    let reach = Reach::Paths(vec![fixture.ws("theirs")]);
    let others = other.begin(fixture.next(1), &reach, &|| false).unwrap();
    fixture.write("theirs", "theirs");
    other.end(others).unwrap();
    fixture.write("ours", "ours");
    fixture.keeper.end(begun).unwrap();
    let after = |plan: tagline_snapshot::Plan| {
        let names = plan.to_do(false).into_iter().map(|step| step.name.to_string());
        names.collect::<Vec<_>>()
    };
    let records = fixture.records();
    let chosen: Vec<_> = records.iter().collect();
    let plan = fixture.plan(&Which::Session);
    assert_eq!(after(plan.clone()), ["ours", "theirs"]);
    assert_eq!(after(plan.beside(&fixture.store, "s1", &chosen)), ["ours"]);
    let records = fixture.store.records("s2");
    let chosen: Vec<_> = records.iter().collect();
    let plan = tagline_snapshot::Plan::make(&fixture.store, &records, &chosen);
    assert_eq!(after(plan.beside(&fixture.store, "s2", &chosen)), ["theirs"]);
}

#[test]
fn a_damaged_content_is_not_brought_back() {
    let mut fixture = fixture();
    fixture.command(1, |it| fs::remove_file(it.ws("a.txt")).unwrap());
    let digits = tagline_workspace::ContentHash::of(b"a\n").to_string();
    let object = fixture.top.path().join("store/objects").join(&digits[..2]).join(&digits[2..]);
    fs::write(&object, "b\n").unwrap();
    let carried = fixture.plan(&Which::Last).carry_out(&fixture.keeper, false).unwrap();
    assert_eq!(carried.failures[0].why, "its content in the undo store is damaged");
    assert!(!fixture.ws("a.txt").exists());
    fs::remove_file(object).unwrap();
    assert_eq!(fixture.steps(&Which::Last), "a.txt: lost\n");
}

#[test]
fn a_damaged_record_costs_that_record() {
    let mut fixture = fixture();
    fixture.command(1, |it| it.write("x", "x"));
    fixture.command(2, |it| it.write("y", "y"));
    let record = fixture.top.path().join("store/sessions/s1/000001/record.json");
    fs::write(&record, "{").unwrap();
    let damaged = fixture.store.damaged("s1");
    assert_eq!(damaged.len(), 1);
    expect!["the undo store, `[store]/sessions/s1/000001/record.json`: expected a record of this version, but EOF while parsing an object at line 1 column 1"]
        .assert_eq(&damaged[0].to_string().replace(&fixture.top.path().join("store").display().to_string(), "[store]"));
    fixture.command(3, |it| it.write("z", "z"));
    fixture.undone(&Which::Session);
    assert!(fixture.ws("x").exists() && !fixture.ws("y").exists() && !fixture.ws("z").exists());
}

#[test]
fn a_call_that_was_killed_and_of_which_nothing_is_known_is_told() {
    let mut fixture = fixture();
    let begun = fixture.keeper.begin(fixture.next(1), &Reach::Whole, &|| false).unwrap();
    fixture.write("a.txt", "1");
    drop(begun);
    fs::write(fixture.top.path().join("store/sessions/s1/000001/before-0"), "{").unwrap();
    fixture.reopen();
    fixture.command(1, |it| it.write("x", "x"));
    let plan = fixture.plan(&Which::Session);
    assert_eq!(plan.left_out.len(), 1);
    expect!["cannot be read: what stood there before is damaged in the undo store"]
        .assert_eq(&plan.left_out[0].why.to_string());
    fixture.undone(&Which::Session);
    assert_eq!(fixture.read("a.txt"), "1");
    assert!(!fixture.ws("x").exists());
}

#[test]
fn what_there_is_not_is_said() {
    let mut fixture = fixture();
    let say = |fixture: &Fixture, which: &Which| {
        let records = fixture.records();
        tagline_snapshot::select(&fixture.store, &records, which).unwrap_err().to_string()
    };
    assert_eq!(say(&fixture, &Which::Last), "the session changed nothing that is kept");
    fixture.command(1, |it| it.write("x", "x"));
    expect!["call `t9.9` changed nothing that is kept; what is kept: t1.1"]
        .assert_eq(&say(&fixture, &Which::Call("t9.9".to_owned())));
    expect!["turn 2 changed nothing that is kept; what is kept: t1.1"]
        .assert_eq(&say(&fixture, &Which::Turn(2)));
    fixture.undone(&Which::Last);
    expect!["everything that the session changed is undone; what is kept: t1.1, u1"]
        .assert_eq(&say(&fixture, &Which::Last));
}
