//! `tagline undo` and `tagline diff`, and what a run keeps for them.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::Stdio,
    thread,
    time::Duration,
};

use expect_test::{Expect, expect};

use crate::support::Bench;

/// A bench whose model did this in a session of one turn for each script.
fn bench(scripts: &[&str]) -> Bench {
    let bench = Bench::new().write("work/a.txt", "one\ntwo\n").write("work/src/b.txt", "b\n");
    scripts.iter().fold(bench, |bench, script| play(bench, script))
}

/// One more turn, in a session that is begun or gone on with.
fn play(bench: Bench, script: &str) -> Bench {
    let goes_on = if bench.path("script.txt").exists() { "-c" } else { "" };
    let bench = bench.write("script.txt", script);
    let output = bench
        .command(&format!("run -q --model script/../script.txt --mode full {goes_on} task"))
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words}");
    bench
}

const EDITS: &str = "=== reply\n<read_file path=\"a.txt\"/>\n\
    === reply\n<write_file path=\"a.txt\">one\n2\n</write_file><write_file path=\"new/c.txt\">c\n</write_file>\n\
    === reply\nDone.\n";

fn command(line: &str) -> String {
    format!("=== reply\n<execute_command>{line}</execute_command>\n=== reply\nDone.\n")
}

#[track_caller]
fn check(bench: &Bench, args: &str, expected: Expect) {
    expected.assert_eq(&bench.run(args));
}

/// Everything below the working folder, and its own permissions.
fn picture(bench: &Bench) -> BTreeMap<PathBuf, (u32, String)> {
    let (root, mut picture) = (bench.path("work"), BTreeMap::new());
    let mut left = vec![root];
    while let Some(path) = left.pop() {
        let Ok(meta) = fs::symlink_metadata(&path) else { continue };
        let what = if meta.is_dir() {
            left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            "folder".to_owned()
        } else if meta.is_symlink() {
            format!("link to {}", fs::read_link(&path).unwrap().display())
        } else {
            format!("{:?}", fs::read(&path).unwrap())
        };
        let mode = if meta.is_symlink() { 0 } else { meta.permissions().mode() };
        picture.insert(path, (mode, what));
    }
    picture
}

#[test]
fn what_a_turn_changed_is_shown() {
    let bench = bench(&[EDITS]);
    check(
        &bench,
        "diff",
        expect![[r#"
        --- stdout
        t1.2   write_file       a.txt
        t1.3   write_file       new/c.txt
          change   a.txt
          create   new  folder
          create   new/c.txt
        --- a/a.txt
        +++ b/a.txt
        @@ -1,2 +1,2 @@
         one
        -two
        +2
        \ No newline at end of file
        --- /dev/null
        +++ b/new/c.txt
        @@ -0,0 +1 @@
        +c
        \ No newline at end of file
        exit 0
    "#]],
    );
}

#[test]
fn a_dry_run_only_shows() {
    let bench = bench(&[EDITS]);
    let after = picture(&bench);
    check(
        &bench,
        "undo --dry-run",
        expect![[r#"
        --- stdout
        t1.2   write_file       a.txt
        t1.3   write_file       new/c.txt
          change   a.txt
          remove   new  folder
          remove   new/c.txt
        --- a/a.txt
        +++ b/a.txt
        @@ -1,2 +1,2 @@
         one
        -2
        \ No newline at end of file
        +two
        --- a/new/c.txt
        +++ /dev/null
        @@ -1 +0,0 @@
        -c
        \ No newline at end of file
        exit 0
    "#]],
    );
    assert_eq!(picture(&bench), after);
}

#[test]
fn a_turn_is_undone() {
    let before = picture(&bench(&[]));
    let bench = bench(&[EDITS]);
    check(
        &bench,
        "undo --yes",
        expect![[r#"
        --- stdout
        t1.2   write_file       a.txt
        t1.3   write_file       new/c.txt
          change   a.txt
          remove   new  folder
          remove   new/c.txt
        --- a/a.txt
        +++ b/a.txt
        @@ -1,2 +1,2 @@
         one
        -2
        \ No newline at end of file
        +two
        --- a/new/c.txt
        +++ /dev/null
        @@ -1 +0,0 @@
        -c
        \ No newline at end of file
        3 paths brought back
        --- stderr
        take it back with: tagline undo [id] --call u1
        exit 0
    "#]],
    );
    assert_eq!(names(&picture(&bench)), names(&before));
    check(
        &bench,
        "undo --yes",
        expect![[r#"
        --- stderr
        error: everything that the session changed is undone; what is kept: t1.2, t1.3, u1
        exit 2
    "#]],
    );
}

#[test]
fn an_undo_is_undone() {
    let bench = bench(&[EDITS]);
    let after = picture(&bench);
    bench.run("undo --yes");
    check(
        &bench,
        "undo --call u1 --yes",
        expect![[r#"
        --- stdout
        u1     undo
          change   a.txt
          create   new  folder
          create   new/c.txt
        --- a/a.txt
        +++ b/a.txt
        @@ -1,2 +1,2 @@
         one
        -two
        +2
        \ No newline at end of file
        --- /dev/null
        +++ b/new/c.txt
        @@ -0,0 +1 @@
        +c
        \ No newline at end of file
        3 paths brought back
        --- stderr
        take it back with: tagline undo [id] --call u2
        exit 0
    "#]],
    );
    assert_eq!(picture(&bench), after);
}

/// Of another bench, so without its folder.
fn names(picture: &BTreeMap<PathBuf, (u32, String)>) -> Vec<(String, (u32, String))> {
    let below = |path: &Path| {
        let parts = path.components().skip_while(|part| part.as_os_str() != "work");
        parts.collect::<PathBuf>().display().to_string()
    };
    picture.iter().map(|(path, what)| (below(path), what.clone())).collect()
}

#[test]
fn nobody_there_means_no() {
    let bench = bench(&[EDITS]);
    let after = picture(&bench);
    check(
        &bench,
        "undo -q --turn 1",
        expect![[r#"
            --- stdout
            t1.2   write_file       a.txt
            t1.3   write_file       new/c.txt
              change   a.txt
              remove   new  folder
              remove   new/c.txt
            --- a/a.txt
            +++ b/a.txt
            @@ -1,2 +1,2 @@
             one
            -2
            \ No newline at end of file
            +two
            --- a/new/c.txt
            +++ /dev/null
            @@ -1 +0,0 @@
            -c
            \ No newline at end of file
            --- stderr
            error: undo: nobody is there to confirm that 3 paths are brought back; add `--yes`
            exit 9
        "#]],
    );
    assert_eq!(picture(&bench), after);
}

#[test]
fn what_was_changed_since_is_named_and_stays() {
    let bench = bench(&[EDITS]).write("work/a.txt", "mine\n");
    check(
        &bench,
        "undo --yes",
        expect![[r#"
            --- stdout
            t1.2   write_file       a.txt
            t1.3   write_file       new/c.txt
              remove   new  folder
              remove   new/c.txt
            --- a/new/c.txt
            +++ /dev/null
            @@ -1 +0,0 @@
            -c
            \ No newline at end of file
            2 paths brought back
            --- stderr
            left as it is: a.txt: changed since, by you or another program; `--force` overwrites it
            take it back with: tagline undo [id] --call u1
            exit 8
        "#]],
    );
    assert_eq!(fs::read_to_string(bench.path("work/a.txt")).unwrap(), "mine\n");
    check(
        &bench,
        "undo --force --yes",
        expect![[r#"
            --- stdout
            t1.2   write_file       a.txt
            t1.3   write_file       new/c.txt
            u1     undo
              change   a.txt
            --- a/a.txt
            +++ b/a.txt
            @@ -1 +1,2 @@
            -mine
            +one
            +two
            1 path brought back
            --- stderr
            take it back with: tagline undo [id] --call u2
            exit 0
        "#]],
    );
    assert_eq!(fs::read_to_string(bench.path("work/a.txt")).unwrap(), "one\ntwo\n");
}

#[test]
fn everything_that_a_command_removed_is_back() {
    let bench = bench(&[]).write("work/.hidden/x", "x").write("work/run.sh", "exit 0\n");
    symlink("a.txt", bench.path("work/link")).unwrap();
    symlink("/nowhere", bench.path("work/dangling")).unwrap();
    fs::create_dir(bench.path("work/empty")).unwrap();
    let executable = fs::Permissions::from_mode(0o750);
    fs::set_permissions(bench.path("work/run.sh"), executable).unwrap();
    let before = picture(&bench);
    let bench = play(bench, &command("rm -rf * .hidden"));
    assert_eq!(picture(&bench).len(), 1, "only the folder itself is left");
    let shown = bench.run("undo --yes");
    assert!(shown.ends_with("exit 0\n"), "{shown}");
    assert_eq!(picture(&bench), before);
    let shown = bench.run("undo --call u1 --yes");
    assert!(shown.ends_with("exit 0\n"), "{shown}");
    assert_eq!(picture(&bench).len(), 1);
}

/// Two turns of one session, the second of which changes what the first one did.
fn two_turns() -> Bench {
    bench(&[&command("echo 1 > a.txt"), &command("echo 2 > a.txt; rm src/b.txt")])
}

#[test]
fn an_earlier_turn_is_left_where_a_later_one_came_after_it() {
    let bench = two_turns();
    check(
        &bench,
        "diff --turn 1",
        expect![[r#"
        --- stdout
        t1.1   execute_command  echo 1 > a.txt
          change   a.txt
        --- a/a.txt
        +++ b/a.txt
        @@ -1,2 +1 @@
        -one
        -two
        +1
        --- stderr
        not covered: what commands changed outside of the session's folders
        exit 0
    "#]],
    );
    check(
        &bench,
        "undo --turn 1 --dry-run",
        expect![[r#"
        --- stdout
        t1.1   execute_command  echo 1 > a.txt
        --- stderr
        not covered: what commands changed outside of the session's folders
        left as it is: a.txt: changed since by t2.1; undo that first, or add `--force`
        nothing is to be brought back
        exit 8
    "#]],
    );
}

#[test]
fn a_session_is_undone_and_its_turns_one_by_one() {
    let bench = two_turns();
    check(
        &bench,
        "undo --session --yes",
        expect![[r#"
        --- stdout
        t1.1   execute_command  echo 1 > a.txt
        t2.1   execute_command  echo 2 > a.txt; rm src/b.txt
          change   a.txt
          create   src/b.txt
        --- a/a.txt
        +++ b/a.txt
        @@ -1 +1,2 @@
        -2
        +one
        +two
        --- /dev/null
        +++ b/src/b.txt
        @@ -0,0 +1 @@
        +b
        2 paths brought back
        --- stderr
        not covered: what commands changed outside of the session's folders
        take it back with: tagline undo [id] --call u1
        exit 0
    "#]],
    );
    bench.run("undo --call u1 --yes");
    check(
        &bench,
        "undo --turn 2 --yes -q",
        expect![[r#"
        --- stdout
        2 paths brought back
        --- stderr
        not covered: what commands changed outside of the session's folders
        exit 0
    "#]],
    );
    assert_eq!(fs::read_to_string(bench.path("work/a.txt")).unwrap(), "1\n");
    bench.run("undo --yes");
    assert_eq!(fs::read_to_string(bench.path("work/a.txt")).unwrap(), "one\ntwo\n");
}

#[test]
fn a_run_that_was_killed_in_a_command_is_undone() {
    let bench = bench(&[]);
    let before = picture(&bench);
    let script = command("rm -rf src a.txt; touch gone; sleep 3");
    let bench = bench.write("script.txt", &script);
    let mut run = bench.command("run -q --model script/../script.txt --mode full task");
    let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !bench.path("work/gone").exists() {
        assert_eq!(run.try_wait().unwrap(), None, "it ended before its command");
        thread::sleep(Duration::from_millis(5));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(!bench.path("work/a.txt").exists());
    check(
        &bench,
        "undo --yes",
        expect![[r#"
            --- stdout
            t1.1   execute_command  rm -rf src a.txt; touch gone; sleep 3
              create   a.txt
              remove   gone
              create   src  folder
              create   src/b.txt
            --- /dev/null
            +++ b/a.txt
            @@ -0,0 +1,2 @@
            +one
            +two
            --- /dev/null
            +++ b/src/b.txt
            @@ -0,0 +1 @@
            +b
            4 paths brought back
            --- stderr
            not covered: what commands changed outside of the session's folders
            take it back with: tagline undo [id] --call u1
            exit 0
        "#]],
    );
    assert_eq!(picture(&bench), before);
}

#[test]
fn an_undo_that_is_killed_is_done_again() {
    let bench = bench(&[]);
    for n in 0..300 {
        let folder = bench.path(&format!("work/many/{}", n % 7));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(n.to_string()), "many\n".repeat(n)).unwrap();
    }
    let before = picture(&bench);
    let bench = play(bench, &command("rm -rf many; echo new > a.txt"));
    for n in 0..8 {
        let mut command = bench.command("undo --turn 1 --yes -q");
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // At whatever it is then, or when it is over.
        thread::sleep(Duration::from_millis(8 * n));
        let _ = child.kill();
        child.wait().unwrap();
    }
    bench.run("undo --turn 1 --yes -q");
    assert_eq!(picture(&bench), before);
}

#[test]
fn what_is_not_covered_is_said() {
    let bench = bench(&[]).write("work/.gitignore", "target\n").write("work/target/x", "x");
    let bench = play(bench, &command("rm -rf target a.txt"));
    check(
        &bench,
        "undo --yes",
        expect![[r#"
            --- stdout
            t1.1   execute_command  rm -rf target a.txt
              create   a.txt
            --- /dev/null
            +++ b/a.txt
            @@ -0,0 +1,2 @@
            +one
            +two
            1 path brought back
            --- stderr
            not covered: target (made anew by a build, and ignored by git)
            not covered: what commands changed outside of the session's folders
            take it back with: tagline undo [id] --call u1
            exit 0
        "#]],
    );
    assert!(!bench.path("work/target").exists());
}

#[test]
fn what_there_is_not_is_said() {
    check(
        &Bench::new(),
        "undo",
        expect![[r#"
        --- stderr
        error: no session changed anything in `[test]/work`; name one: `tagline sessions list` lists them
        exit 2
    "#]],
    );
    check(
        &Bench::new(),
        "diff 7f",
        expect![[r#"
        --- stderr
        error: there is no session `7f`; list them with `tagline sessions list`
        exit 2
    "#]],
    );
    let bench = bench(&["=== reply\nNothing to do.\n"]);
    check(
        &bench,
        "undo",
        expect![[r#"
        --- stderr
        error: no session changed anything in `[test]/work`; name one: `tagline sessions list` lists them
        exit 2
    "#]],
    );
    let bench = play(bench, EDITS);
    check(
        &bench,
        "undo --turn 1",
        expect![[r#"
        --- stderr
        error: turn 1 changed nothing that is kept; what is kept: t2.2, t2.3
        exit 2
    "#]],
    );
    check(
        &bench,
        "undo --call t9.1",
        expect![[r#"
        --- stderr
        error: call `t9.1` changed nothing that is kept; what is kept: t2.2, t2.3
        exit 2
    "#]],
    );
}

#[test]
fn an_ephemeral_session_keeps_nothing_to_undo() {
    let bench = Bench::new().write("script.txt", &command("touch x"));
    bench.run("run -q --ephemeral --model script/../script.txt --mode full task");
    assert!(bench.path("work/x").exists());
    assert!(!bench.path("home/data/undo").exists());
}
