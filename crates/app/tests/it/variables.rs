//! A flag and the variables of the flags that it excludes.

use expect_test::{Expect, expect};

use crate::support::Bench;

/// Two sessions, the second newer; their ids, oldest first.
fn bench() -> (Bench, String, String) {
    let bench = Bench::new()
        .write("work/one.txt", "=== reply\nOne.\n")
        .write("work/two.txt", "=== reply\nTwo.\n")
        .write("work/which.txt", "=== reply\n=== expect contains again\nIt goes on.\n");
    let run = |script: &str| {
        let args = format!("run --json --model script/{script} count");
        let output = bench.command(&args).output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        report.get("session").and_then(|id| id.as_str()).unwrap().to_owned()
    };
    let (one, two) = (run("one.txt"), run("two.txt"));
    (bench, one, two)
}

/// Which of the two sessions goes on under this command line.
#[track_caller]
fn check(flags: &str, var: &str, expected: Expect) {
    let (bench, one, two) = bench();
    let flags = flags.replace("ONE", &one).replace("TWO", &two);
    let bench = bench.var(var, &one);
    let args = format!("run --json --model script/which.txt {flags} again");
    let output = bench.command(&args).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let session = report.get("session").and_then(|id| id.as_str()).unwrap();
    let name = if session == one {
        "the older"
    } else if session == two {
        "the newer"
    } else {
        "a new one"
    };
    expected.assert_eq(name);
}

#[test]
fn a_flag_wins_over_the_variables_of_the_flags_that_it_excludes() {
    check("", "TAGLINE_RESUME", expect!["the older"]);
    check("-c", "TAGLINE_RESUME", expect!["the newer"]);
    check("-r TWO", "TAGLINE_FORK", expect!["the newer"]);
    check("--fork TWO", "TAGLINE_RESUME", expect!["a new one"]);
    check("-c", "TAGLINE_FORK", expect!["the newer"]);
}

#[test]
fn a_form_that_was_asked_for_wins_over_the_variable_of_another() {
    let bench = Bench::new().write("work/one.txt", "=== reply\nOne.\n").var("TAGLINE_JSON", "1");
    let shown = bench.run("run -q --output text --model script/one.txt count");
    assert_eq!(shown, "--- stdout\nOne.\nexit 0\n");
}

#[test]
fn two_variables_that_exclude_each_other_are_refused() {
    let bench = Bench::new().var("TAGLINE_RESUME", "7f").var("TAGLINE_CONTINUE", "true");
    expect![[r#"
        --- stderr
        error: environment TAGLINE_CONTINUE: expected one of the two, but found TAGLINE_RESUME set as well; unset one
        exit 3
    "#]].assert_eq(&bench.run("run --model script/one.txt again"));
    assert!(bench.run("sessions list").contains("exit 0"), "verbs without the flags do not care");
    let bench = Bench::new().var("TAGLINE_RESUME", "7f").var("TAGLINE_CONTINUE", "false");
    assert!(bench.run("run --model script/one.txt again").contains("no session"));
}
