//! `--fork` and `--ephemeral`: sessions that begin with another, and sessions that leave nothing.

use std::{fs, path::Path};

use expect_test::expect;

use crate::{
    provider::{Provider, Wire},
    support::Bench,
};

/// A bench with one session, which counts to one; its id.
fn bench() -> (Bench, String) {
    let bench = Bench::new()
        .write("work/one.txt", "=== reply\nOne.\n")
        .write("work/two.txt", "=== reply\n=== expect contains two\nTwo.\n");
    bench.run("run -q --model script/one.txt count");
    let id = ids(&bench).pop().unwrap();
    (bench, id)
}

/// The sessions, newest first.
fn ids(bench: &Bench) -> Vec<String> {
    let output = bench.command("sessions list").output().unwrap();
    let list = String::from_utf8(output.stdout).unwrap();
    list.lines().map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

fn replay(bench: &Bench, id: &str) -> String {
    bench.run(&format!("replay {id}"))
}

/// Every file below a folder, without those that SQLite keeps beside its own.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(files(&path));
        } else if !path.to_string_lossy().contains("journal.db-") {
            found.push(path.display().to_string());
        }
    }
    found.sort();
    found
}

#[test]
fn a_fork_begins_with_the_history_and_leaves_its_source_alone() {
    let (bench, source) = bench();
    let before = replay(&bench, &source);
    expect![[r#"
        --- stdout
        Two.
        --- stderr
        session [id] begins with the history of [id]
        tagline 0.1.0  script/two.txt  mode ask  session [id]
          you       two
          say       Two.
        done  1 pass [time]
        exit 0
    "#]]
    .assert_eq(&bench.run(&format!("run --model script/two.txt --fork {} two", &source[..5])));
    assert_eq!(replay(&bench, &source), before);
    let [fork, old] = ids(&bench).try_into().unwrap();
    assert_eq!(old, source);
    expect![[r#"
        --- stdout
        tagline 0.1.0  script/one.txt  mode ask  session [id]
          you       count
          say       One.
        One.
        done  1 pass [time]
          note      up to here a copy of session [id], 1 turn; its changes are
                    undone there
        tagline 0.1.0  script/two.txt  mode ask  session [id]
          you       two
          say       Two.
        Two.
        done  1 pass [time]
        exit 0
    "#]]
    .assert_eq(&replay(&bench, &fork));
}

#[test]
fn a_copy_may_end_at_a_turn() {
    let (bench, source) = bench();
    bench.run(&format!("run -q --model script/two.txt -r {source} two"));
    for (place, title, turns) in [
        ("--at 1", "Branch after turn 1: count", 1),
        ("--at t2", "Branch after turn 2: count", 2),
        ("--before t2", "Branch after turn 1: count", 1),
        ("--before 1", "Branch from the start: count", 0),
        ("", "count", 2),
    ] {
        let shown = bench.run(&format!("-q sessions fork {source} --json {place}"));
        assert!(shown.contains(&format!("\"title\":\"{title}\"")), "{place}: {shown}");
        let copy = ids(&bench).into_iter().next().unwrap();
        assert_eq!(replay(&bench, &copy).matches("done  1 pass").count(), turns, "{place}");
    }
    expect![[r#"
        --- stderr
        error: session `[id]`: expected one of its turns, `t1` to `t2`, but found `t3`
        exit 2
    "#]]
    .assert_eq(&bench.run(&format!("sessions fork {source} --at 3")));
}

#[test]
fn the_model_reads_the_history_of_a_fork() {
    let (bench, source) = bench();
    let provider = Provider::start(Wire::OpenAi, &["Two."]);
    let bench = provider.known_to(bench, "canary-0123456789");
    bench.run(&format!("run -q --model openai/m --fork {source} two"));
    let body = provider.body();
    let said = |n: usize| body.pointer(&format!("/messages/{n}/content")).unwrap();
    assert_eq!([said(1), said(2), said(3)], ["count", "One.", "two"]);
}

#[test]
fn what_cannot_be_forked_is_named() {
    let (bench, id) = bench();
    expect![[r#"
        --- stderr
        error: there is no session `xyz`; list them with `tagline sessions list`
        exit 2
    "#]]
    .assert_eq(&bench.run("run --model script/two.txt --fork xyz two"));
    let both = bench.run(&format!("run --model script/two.txt -c --fork {id} two"));
    assert!(both.contains("cannot be used with") && both.ends_with("exit 2\n"), "{both}");
    let none = Bench::new().run("run --model script/two.txt --fork xyz two");
    expect![[r#"
        --- stderr
        error: there is no session to go on with; begin one with `tagline run "what to do"`
        exit 2
    "#]]
    .assert_eq(&none);
}

#[test]
fn an_ephemeral_session_leaves_nothing() {
    let script = "=== reply\n<execute_command>echo hi</execute_command>\n\
                  === reply\n=== expect contains hi\nDone.\n";
    let bench = Bench::new().write("work/m.txt", script).var("PATH", "/usr/bin:/bin");
    let shown = bench.run("run --model script/m.txt --mode full --ephemeral task");
    assert!(shown.contains("Done.") && !shown.contains("go on with:"), "{shown}");
    assert!(shown.contains("of this session nothing is kept"), "{shown}");
    assert_eq!(files(&bench.path("home")), [""; 0]);
    assert!(bench.run("sessions list").contains("no sessions yet"));
    // The same with a turn that fails.
    let shown = bench.run("run --model script/m.txt --max-passes 1 --ephemeral task");
    assert!(!shown.contains("go on with:") && shown.ends_with("exit 9\n"), "{shown}");
    assert_eq!(files(&bench.path("home")), [""; 0]);
    bench.run("run --model script/m.txt --mode full task");
    assert!(files(&bench.path("home")).iter().any(|file| file.contains("/runs/")));
}

#[test]
fn a_session_that_goes_on_without_being_kept_stays_as_it_was() {
    let (bench, source) = bench();
    let (before, files_before) = (replay(&bench, &source), files(&bench.path("home")));
    for way in ["-c".to_owned(), format!("-r {source}"), format!("--fork {source}")] {
        let shown = bench.run(&format!("run --model script/two.txt {way} --ephemeral two"));
        assert!(shown.starts_with("--- stdout\nTwo.\n"), "{shown}");
        assert!(shown.contains("goes on in a copy of [id], of which nothing is kept"), "{shown}");
    }
    assert_eq!(replay(&bench, &source), before);
    assert_eq!(ids(&bench), [source]);
    assert_eq!(files(&bench.path("home")), files_before);
}
