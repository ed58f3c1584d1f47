//! What a command of a model should not have made does not stay, and the user can have it.

use std::fs;

use expect_test::expect;

use crate::support::Bench;

/// The text of a model that was talked into it: the names are made where no judge of commands reads them.
const SCRIPT: &str = "=== reply\n<write_file path=\"make.sh\">echo 'touch /tmp/pwned' > .envrc\n\
    mkdir v .git .git/hooks && echo '{}' > v/tasks.json && mv v .vscode\n\
    ln -s /etc .cursor\necho 'touch /tmp/pwned' > .git/hooks/pre-commit\necho made\n</write_file>\n\
    === reply\n<execute_command>sh make.sh</execute_command>\n\
    === reply\nDone.\n";

/// A run of the script, and its events.
fn run(bench: &Bench, mode: &str) -> String {
    let args = format!("run -q --model script/../script.txt --mode {mode} --jsonl task");
    let output = bench.command(&args).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Whether commands are confined here, so that mode `auto` asks nobody.
fn is_confined(bench: &Bench) -> bool {
    bench.run("rules explain --mode auto -e ls").contains("sandbox proven")
}

/// A bench on which the script was run, in mode `auto` where that asks nobody.
fn bench() -> Bench {
    // Where the command takes longer than a second, it is looked at in the midst of it.
    (0..10).find_map(|_| bench_of_one_look()).unwrap()
}

/// The same, unless it was put aside in parts.
fn bench_of_one_look() -> Option<Bench> {
    let bench = Bench::new().write("script.txt", SCRIPT);
    let mode = if is_confined(&bench) { "auto" } else { "full" };
    let events = run(&bench, mode);
    for name in [".envrc", ".vscode", ".cursor", ".git/hooks"] {
        assert!(events.contains(&format!("`{name}` was put aside")), "{mode}: {events}");
        assert!(fs::symlink_metadata(bench.path("work").join(name)).is_err(), "{name}");
    }
    assert!(bench.path("work/.git").is_dir());
    (!events.contains("--call a2")).then_some(bench)
}

#[test]
fn what_a_command_should_not_have_made_is_told_and_shown() {
    let bench = bench();
    expect![[r#"
        --- stdout
        t1.1   write_file       make.sh
        t1.2   execute_command  sh make.sh
          create   .git  folder
          create   make.sh
        --- /dev/null
        +++ b/make.sh
        @@ -0,0 +1,5 @@
        +echo 'touch /tmp/pwned' > .envrc
        +mkdir v .git .git/hooks && echo '{}' > v/tasks.json && mv v .vscode
        +ln -s /etc .cursor
        +echo 'touch /tmp/pwned' > .git/hooks/pre-commit
        +echo made
        \ No newline at end of file
        --- stderr
        not covered: what commands changed outside of the session's folders
        put aside: .cursor, .envrc, .git/hooks, .vscode; bring it back with: tagline undo [id] --call a1
        exit 0
    "#]].assert_eq(&bench.run("diff"));
}

#[test]
fn it_is_brought_back_and_goes_again() {
    let bench = bench();
    expect![[r#"
        --- stdout
        a1     put aside        made by t1.2
          create   .cursor  link to /etc
          create   .envrc
          create   .git/hooks  folder
          create   .git/hooks/pre-commit
          create   .vscode  folder
          create   .vscode/tasks.json
        --- /dev/null
        +++ b/.envrc
        @@ -0,0 +1 @@
        +touch /tmp/pwned
        --- /dev/null
        +++ b/.git/hooks/pre-commit
        @@ -0,0 +1 @@
        +touch /tmp/pwned
        --- /dev/null
        +++ b/.vscode/tasks.json
        @@ -0,0 +1 @@
        +{}
        6 paths brought back
        --- stderr
        take it back with: tagline undo [id] --call u1
        exit 0
    "#]]
    .assert_eq(&bench.run("undo --call a1 --yes"));
    let read = |name: &str| fs::read_to_string(bench.path("work").join(name)).unwrap();
    assert_eq!(read(".envrc"), "touch /tmp/pwned\n");
    assert_eq!(read(".vscode/tasks.json"), "{}\n");
    assert_eq!(read(".git/hooks/pre-commit"), "touch /tmp/pwned\n");
    assert_eq!(fs::read_link(bench.path("work/.cursor")).unwrap().to_str(), Some("/etc"));
    // Undoing the turn takes the rest of what it made.
    bench.run("undo --call u1 --yes");
    bench.run("undo --turn 1 --yes");
    assert_eq!(fs::read_dir(bench.path("work")).unwrap().count(), 0);
}

#[test]
fn nothing_of_it_is_lost_where_nothing_is_kept_to_be_undone() {
    let bench = Bench::new().write("script.txt", SCRIPT);
    let args = "run -q --ephemeral --model script/../script.txt --mode full --jsonl task";
    let output = bench.command(args).output().unwrap();
    let events = String::from_utf8(output.stdout).unwrap();
    assert!(events.contains("it is kept as"), "{events}");
    assert!(!bench.path("work/.envrc").exists());
}
