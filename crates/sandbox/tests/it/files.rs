//! What a confined command can change and see.

use std::fs;

use expect_test::{Expect, expect};

use crate::bed::Bed;

#[track_caller]
fn check(script: &str, expected: Expect) {
    let Some(bed) = Bed::new() else { return };
    expected.assert_eq(&bed.text(script));
}

#[test]
fn only_the_workspace_can_be_changed() {
    let Some(bed) = Bed::new() else { return };
    let said = bed.text("echo x > file; echo x > $WS/second; echo x > $OTHER/third; rm $OTHER/file; cat $OTHER/file; ls");
    expect![[r#"
        bash: line 2: other/third: Read-only file system
        rm: cannot remove 'other/file': Read-only file system
        there
        file
        second
    "#]]
    .assert_eq(&said);
    assert!(bed.path("ws/file").exists() && !bed.path("other/third").exists());
}

#[test]
fn our_own_folders_are_empty() {
    check(
        "ls -A $OWN; cat $OWN/key; echo x > $OWN/key",
        expect![[r#"
        cat: own/key: No such file or directory
        bash: line 2: own/key: Read-only file system
    "#]],
    );
}

#[test]
fn temporary_files_are_its_own() {
    let Some(mut bed) = Bed::new() else { return };
    bed.plan.temp = Some(bed.path("tmp"));
    expect![[r#"
        x
        here
    "#]]
    .assert_eq(&bed.text("echo x > /tmp/confined; cat /var/tmp/confined; echo y > here; ls"));
    assert!(bed.path("tmp/confined").exists());
}

#[test]
fn protected_names_can_be_read() {
    let Some(mut bed) = Bed::new() else { return };
    fs::create_dir_all(bed.path("ws/.git/hooks")).unwrap();
    fs::write(bed.path("ws/.git/config"), "[core]\n").unwrap();
    bed.plan.protected =
        ["hooks", "config", "missing"].map(|it| bed.path("ws/.git").join(it)).into();
    let script = "cat .git/config; echo x > .git/config; rm .git/config; mv .git .other; \
        echo x > .git/hooks/pre-commit; ln -s .git/hooks way; echo x > way/pre-commit; echo x > .git/index; ls .git";
    expect![[r#"
        [core]
        bash: line 2: .git/config: Read-only file system
        rm: cannot remove '.git/config': Device or resource busy
        mv: cannot move '.git' to '.other': Device or resource busy
        bash: line 2: .git/hooks/pre-commit: Read-only file system
        bash: line 2: way/pre-commit: Read-only file system
        config
        hooks
        index
    "#]]
    .assert_eq(&bed.text(script));
}

#[test]
fn what_is_hidden_cannot_be_moved_into_sight() {
    let Some(mut bed) = Bed::new() else { return };
    fs::create_dir_all(bed.path("ws/a/b/own")).unwrap();
    fs::write(bed.path("ws/a/b/own/key"), "canary").unwrap();
    bed.plan.hidden.push(bed.path("ws/a/b/own"));
    expect![[r#"
        mv: cannot move 'a' to 'z': Device or resource busy
        mv: cannot remove 'a/b/own': Device or resource busy
        rm: cannot remove 'a/b/own': Device or resource busy
        cat: a/b/own/key: No such file or directory
    "#]]
    .assert_eq(&bed.text("mv a z; mv a/b z; rm -rf a/b/own; echo x > a/b/new; cat a/b/own/key"));
    assert!(bed.path("ws/a/b/own/key").exists());
}

#[test]
fn a_link_makes_nothing_else_writable() {
    let Some(mut bed) = Bed::new() else { return };
    // What a command before this one could have made of a folder that was planned.
    std::os::unix::fs::symlink(bed.path("other"), bed.path("ws/cache")).unwrap();
    bed.plan.writable.push(bed.path("ws/cache"));
    bed.plan.fixed.push(bed.path("ws/cache"));
    bed.plan.protected.push(bed.path("ws/cache/file"));
    expect![[r#"
        bash: line 2: cache/new: Read-only file system
        bash: line 2: other/new: Read-only file system
        there
    "#]]
    .assert_eq(&bed.text("echo x > cache/new; echo x > $OTHER/new; cat cache/file"));
}

#[test]
fn a_workspace_in_a_hidden_folder_is_there() {
    let Some(mut bed) = Bed::new() else { return };
    fs::create_dir_all(bed.path("own/files/deep")).unwrap();
    bed.plan.writable.push(bed.path("own/files/deep"));
    expect![[r#"
        files
        new
        bash: line 2: own/new: Read-only file system
    "#]]
    .assert_eq(
        &bed.text(
            "ls -A $OWN; echo x > $OWN/files/deep/new; ls $OWN/files/deep; echo x > $OWN/new",
        ),
    );
    assert!(bed.path("own/files/deep/new").exists());
}

#[test]
fn devices_and_shared_memory_work() {
    check(
        "echo x > /dev/null; head -c 2 /dev/zero | wc -c; echo x > /dev/shm/y; cat /dev/shm/y",
        expect![[r#"
            2
            x
        "#]],
    );
}
