//! `tagline chat`, typed on standard input.

use std::fs;

use expect_test::expect;

use crate::support::Bench;

/// What it shows while these lines are typed.
fn chat(bench: &Bench, flags: &str, typed: &str) -> String {
    fs::write(bench.path("typed"), typed).unwrap();
    let typed = fs::File::open(bench.path("typed")).unwrap();
    bench.show(&bench.command(&format!("chat {flags}")).stdin(typed).output().unwrap())
}

#[test]
fn a_chat_that_goes_on_shows_what_was_said_last() {
    let bench = Bench::new()
        .write("work/one.txt", "=== reply\nOne.\n=== reply\nTwo.\n")
        .write("work/three.txt", "=== reply\nThree.\n");
    chat(&bench, "--model script/one.txt", "count\nand on\n");
    expect![[r#"
        --- stdout
        Three.
        --- stderr
          you       count
          say       One.
          you       and on
          say       Two.
        session [id]; /help lists commands, Ctrl-D ends
        tagline 0.1.0  script/three.txt  mode ask  session [id]
          say       Three.
        done  1 pass [time]
        exit 0
    "#]]
    .assert_eq(&chat(&bench, "--model script/three.txt -c", "once more\n"));
    expect![[r#"
        --- stdout
        Three.
        exit 0
    "#]]
    .assert_eq(&chat(&bench, "--model script/three.txt -c -q", "again\n"));
}

#[test]
fn a_new_chat_has_no_past() {
    let bench = Bench::new().write("work/one.txt", "=== reply\nOne.\n");
    expect![[r#"
        --- stderr
        session [id]; /help lists commands, Ctrl-D ends
        exit 0
    "#]]
    .assert_eq(&chat(&bench, "--model script/one.txt", ""));
}

#[test]
fn the_home_folder_as_workspace_is_warned_of() {
    let bench = Bench::new().write("work/one.txt", "=== reply\nOne.\n=== repeat forever\n");
    let home = |folder: &str| {
        let mut command = bench.command("run --model script/one.txt task");
        command.env("HOME", bench.path(folder));
        bench.show(&command.output().unwrap())
    };
    let at_home = home("work");
    expect![[r#"
        --- stdout
        One.
        --- stderr
        warning: the workspace `[test]/work` is your home folder, so everything in it can be read; work in a project's folder, or name one with `-C DIR`
        tagline 0.1.0  script/one.txt  mode ask  session [id]
          you       task
          say       One.
        done  1 pass [time]
        exit 0
    "#]].assert_eq(&at_home);
    fs::create_dir_all(bench.path("work/me")).unwrap();
    assert!(home("work/me").contains("`[test]/work` holds your home folder"));
    assert!(!home("home").contains("warning"));
}
