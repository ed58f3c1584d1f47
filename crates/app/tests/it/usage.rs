//! Wrong usage, pipes that close, colors.

use std::{io::Read as _, process::Stdio};

use expect_test::{Expect, expect};

use crate::support::Bench;

#[track_caller]
fn check(args: &str, expected: Expect) {
    expected.assert_eq(&Bench::new().run(args));
}

#[test]
fn a_stray_word_is_refused_with_the_nearest_verb() {
    check(
        "rnu",
        expect![[r#"
        --- stderr
        error: there is no verb `rnu`; did you mean `run`?
        exit 2
    "#]],
    );
    check(
        "completion-bash",
        expect![[r#"
        --- stderr
        error: there is no verb `completion-bash`; `tagline --help` lists the verbs
        exit 2
    "#]],
    );
    check(
        "sessions lst",
        expect![[r#"
        --- stderr
        error: there is no verb `lst`; did you mean `list`?
        exit 2
    "#]],
    );
}

#[test]
fn an_unknown_flag_is_refused() {
    check(
        "run --moed plan task",
        expect![[r#"
        --- stderr
        error: unexpected argument '--moed' found

          tip: a similar argument exists: '--mode'

        Usage: tagline run --mode <WORD> [TASK]

        For more information, try '--help'.
        exit 2
    "#]],
    );
}

#[test]
fn a_setting_that_does_not_fit_is_refused_by_its_flag() {
    check(
        "config show --max-passes many",
        expect![[r#"
        --- stderr
        error: --max-passes: expected a whole number from 1 to 10000, but found `many`
        exit 2
    "#]],
    );
    check(
        "config show --set mode=fast",
        expect![[r#"
        --- stderr
        error: --set mode=fast: expected key=value with a TOML value, but found `fast`, which is not one of plan, ask, edit, auto, full
        exit 2
    "#]],
    );
    check(
        "config show --set mod=ask",
        expect![[r#"
        --- stderr
        error: --set mod=ask: expected key=value with a TOML value, but found unknown key `mod`; did you mean `mode`?
        exit 2
    "#]],
    );
    check(
        "config show --set mode",
        expect![[r#"
        --- stderr
        error: --set mode: expected key=value with a TOML value, but found no `=`
        exit 2
    "#]],
    );
}

#[test]
fn a_folder_that_is_none_is_refused() {
    check(
        "-C nowhere config show",
        expect![[r#"
        --- stderr
        error: -C: expected a folder, but `[test]/work/nowhere` is none; make it first
        exit 2
    "#]],
    );
}

#[test]
fn a_variable_is_a_flag_and_an_empty_one_is_none() {
    let bench = Bench::new().var("TAGLINE_STRICT_CONFIG", "1").write("home/config.toml", "x = 1");
    expect![[r#"
        --- stderr
        error: [test]/home/config.toml:1: unknown key `x`
        exit 3
    "#]]
    .assert_eq(&bench.run("config show"));
    let bench = Bench::new().var("TAGLINE_STRICT_CONFIG", "").var("TAGLINE_MODE", "");
    assert!(bench.run("config show").ends_with("exit 0\n"));
    let bench = Bench::new().var("TAGLINE_STRICT_CONFIG", "perhaps");
    expect![[r#"
        --- stderr
        error: environment TAGLINE_STRICT_CONFIG: expected true or false, but found `perhaps`; mend or unset it
        exit 3
    "#]].assert_eq(&bench.run("config show"));
}

#[test]
fn a_reader_that_went_away_ends_it_quietly() {
    let bench = Bench::new();
    let mut command = bench.command("completion bash");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let status = child.wait().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((status.code(), said.as_str()), (Some(141), ""));
}

#[test]
fn nothing_is_colored_without_a_terminal_unless_it_is_asked_for() {
    let plain = Bench::new().run("--help");
    assert!(!plain.contains('\x1b'));
    let forced = Bench::new().var("FORCE_COLOR", "1").run("--help");
    assert!(forced.contains('\x1b'));
    let refused = Bench::new().var("FORCE_COLOR", "1").var("NO_COLOR", "1").run("--help");
    assert_eq!(refused, plain);
}

#[test]
fn without_a_home_it_says_what_to_set() {
    let bench = Bench::new();
    let output = bench.command("config show").env_remove("TAGLINE_HOME").output().unwrap();
    expect![[r#"
        error: environment: expected HOME or TAGLINE_HOME to name a folder, but neither is set; set TAGLINE_HOME to a folder for tagline's files
    "#]].assert_eq(&String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn what_the_system_says_is_told_in_words() {
    let bench = Bench::new();
    let mut shown = String::new();
    for args in [
        "run --model script/none task",
        "run --model cassette/none task",
        "run --model script/none -f . task",
        "config show --config .",
        "demo --dir /proc/self/none",
        "demo --dir /proc/version/none",
    ] {
        shown += &bench.run(args);
    }
    expect![[r#"
        --- stderr
        error: script `[test]/work/none`: no such file or directory; name a readable file
        exit 3
        --- stderr
        error: cassette `[test]/work/none`: no such file or directory; name another file
        exit 3
        --- stderr
        error: -f .: is a directory
        exit 2
        --- stderr
        error: [test]/work/.: cannot be read: is a directory; mend or remove it
        exit 3
        --- stderr
        error: /proc/self/none: no such file or directory
        exit 2
        --- stderr
        error: /proc/version/none: not a directory
        exit 2
    "#]]
    .assert_eq(&shown);
}
