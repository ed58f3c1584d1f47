//! What is kept, and what is not.

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    thread,
};

use expect_test::expect;
use rustix::{
    fs::{CWD, Mode, mkfifoat},
    thread::{Gid, Uid, set_thread_res_gid, set_thread_res_uid},
};
use tagline_snapshot::{Limits, Reach, SnapshotError, Which};

use crate::fixture::Fixture;

#[test]
fn a_call_that_changes_nothing_leaves_no_record() {
    let mut fixture = Fixture::new();
    fixture.write("a", "a");
    assert_eq!(fixture.command(1, |_| {}), None);
    assert_eq!(fixture.tool(1, &["a"], |it| it.write("b", "b")), None, "`b` was not in reach");
    assert_eq!(fixture.records(), []);
}

#[test]
fn the_store_is_for_its_owner_alone() {
    let mut fixture = Fixture::new();
    fixture.write("a", "a");
    fixture.command(1, |it| it.write("a", "b"));
    let mut folders = vec![fixture.top.path().join("store")];
    let mut n_files = 0;
    while let Some(folder) = folders.pop() {
        assert_eq!(folder.metadata().unwrap().mode() & 0o777, 0o700, "{}", folder.display());
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                n_files += 1;
                assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o600, "{}", path.display());
            }
        }
    }
    assert!(n_files > 4, "{n_files}");
}

#[test]
fn equal_contents_are_kept_once() {
    let mut fixture = Fixture::new();
    for n in 0..10 {
        fixture.write(&format!("{n}"), "0123456789");
    }
    fixture.command(1, |it| it.write("copy", "0123456789"));
    assert_eq!(fixture.n_kept(), 10);
}

#[test]
fn what_a_build_makes_anew_is_left_out_only_where_git_ignores_it() {
    let mut fixture = Fixture::new();
    fixture.write(".gitignore", "target/\n");
    fixture.write("sub/.gitignore", "*\n!node_modules\n!target\n");
    for name in ["target/a", "node_modules/a", "sub/target/a", "sub/node_modules/a"] {
        fixture.write(name, "old");
    }
    fixture.command(1, |it| {
        for name in ["target/a", "node_modules/a", "sub/target/a", "sub/node_modules/a"] {
            it.write(name, "new");
        }
    });
    assert_eq!(fixture.left_out(), ["target: made anew by a build, and ignored by git"]);
    fixture.undone(&Which::Last);
    assert_eq!(fixture.read("target/a"), "new");
    for name in ["node_modules/a", "sub/target/a", "sub/node_modules/a"] {
        assert_eq!(fixture.read(name), "old", "{name}");
    }
}

#[test]
fn a_folder_that_comes_to_be_ignored_or_ceases_to_be_is_not_touched() {
    let mut fixture = Fixture::new();
    fixture.write("target/a", "a");
    fixture.command(1, |it| it.write(".gitignore", "target/\n"));
    fixture.command(2, |it| fs::remove_file(it.ws(".gitignore")).unwrap());
    fixture.undone(&Which::Turn(2));
    fixture.undone(&Which::Turn(1));
    assert!(!fixture.ws(".gitignore").exists());
    assert_eq!(fixture.read("target/a"), "a");
}

#[test]
fn what_is_special_or_too_large_is_named() {
    let limits = Limits { file: 100, tree: 150, entries: 6, depth: 2, ..Limits::default() };
    let mut fixture = Fixture::with(limits);
    mkfifoat(CWD, fixture.ws("0-pipe"), Mode::from_bits_truncate(0o600)).unwrap();
    fixture.write("1-large", "x".repeat(101));
    fixture.write("2/deep/deeper/a", "a");
    fixture.write("3-half", "x".repeat(90));
    fixture.write("4-half", "x".repeat(90));
    fixture.write("5-none", "");
    fixture.write("6-none", "");
    fixture.write("7-many", "");
    fixture.write("own/a", "a");
    fixture.command(1, |it| it.write("3-half", "y"));
    expect![[r#"
        0-pipe: a pipe
        1-large: a file of more than 100 bytes
        2/deep/deeper: more than 2 folders deep
        4-half: beyond the first 150 bytes
        6-none: beyond the first 6 files and folders
        7-many: beyond the first 6 files and folders
        own: beyond the first 6 files and folders
    "#]]
    .assert_eq(&fixture.left_out().iter().map(|it| format!("{it}\n")).collect::<String>());
    fixture.undone(&Which::Last);
    assert_eq!(fixture.read("3-half"), "x".repeat(90));
}

#[test]
fn our_own_data_is_left_out() {
    let mut fixture = Fixture::new();
    fixture.write("own/a", "a");
    fixture.command(1, |it| {
        it.write("own/a", "b");
        it.write("c", "c");
    });
    assert_eq!(fixture.left_out(), ["own: the runtime's own data"]);
    fixture.undone(&Which::Last);
    assert_eq!(fixture.read("own/a"), "b");
}

/// As a user who may not read everything, whoever runs the test.
#[test]
fn what_cannot_be_read_is_named() {
    let mut fixture = Fixture::new();
    fixture.write("secret", "secret");
    fixture.write("closed/a", "a");
    fixture.write("open", "old");
    fixture.chmod("secret", 0);
    fixture.chmod("closed", 0);
    for path in [fixture.top.path().to_owned(), fixture.ws(""), fixture.ws("open")] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    }
    let left_out = thread::spawn(move || {
        if rustix::process::geteuid().is_root() {
            let nobody = 65_534;
            let gid = Some(Gid::from_raw(nobody));
            set_thread_res_gid(gid, gid, gid).unwrap();
            let uid = Some(Uid::from_raw(nobody));
            set_thread_res_uid(uid, uid, uid).unwrap();
        }
        fixture.command(1, |it| fs::write(it.ws("open"), "new").unwrap());
        let left_out = fixture.left_out();
        fixture.undone(&Which::Last);
        assert_eq!(fixture.read("open"), "old");
        // Whoever is to remove the folders may look into them again.
        (left_out, fixture)
    });
    let (left_out, fixture) = left_out.join().unwrap();
    fixture.chmod("closed", 0o700);
    assert_eq!(
        left_out,
        ["closed: cannot be read: permission denied", "secret: cannot be read: permission denied"]
    );
}

#[test]
fn a_change_that_keeps_size_and_time_is_seen() {
    let mut fixture = Fixture::new();
    fixture.write("a", "old");
    fixture.command(1, |_| {});
    // At once, so that its times may be the same.
    fixture.command(1, |it| it.write("a", "new"));
    fixture.undone(&Which::Last);
    assert_eq!(fixture.read("a"), "old");
    let modified = fixture.ws("a").metadata().unwrap().modified().unwrap();
    fixture.command(2, |it| {
        it.write("a", "set");
        let file = fs::File::options().write(true).open(it.ws("a")).unwrap();
        file.set_modified(modified).unwrap();
    });
    fixture.undone(&Which::Last);
    assert_eq!(fixture.read("a"), "old");
}

#[test]
fn a_walk_that_is_stopped_leaves_nothing() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    let stopped = fixture.keeper.begin(fixture.next(1), &Reach::Whole, &|| true);
    assert_eq!(stopped.map(|_| ()), Err(SnapshotError::Stopped));
    assert_eq!(fixture.records(), []);
}

#[test]
fn one_call_at_a_time() {
    let fixture = Fixture::new();
    let _begun = fixture.keeper.begin(fixture.next(1), &Reach::Whole, &|| false).unwrap();
    let other = fixture.keeper.begin(fixture.next(1), &Reach::Whole, &|| false);
    assert_eq!(other.map(|_| ()), Err(SnapshotError::Busy("s1".to_owned())));
}

#[test]
fn nothing_is_read_over_a_link() {
    let mut fixture = Fixture::new();
    fs::write(fixture.out("kept"), "outside").unwrap();
    fixture.write("a", "a");
    let out = fixture.out("");
    fixture.command(1, |it| it.link(out.to_str().unwrap(), "out"));
    assert_eq!(fixture.n_kept(), 1);
    fixture.undone(&Which::Last);
    assert!(!fixture.ws("out").exists());
    assert_eq!(fs::read_to_string(fixture.out("kept")).unwrap(), "outside");
}
