//! `tools` and `prompt`: listed, shown, called by hand under the policy.

use std::{fs, io::Write as _, process::Stdio};

use expect_test::{Expect, expect};

use crate::support::Bench;

/// Calls with a body on standard input.
#[track_caller]
fn check(bench: &Bench, args: &str, body: &str, expected: Expect) {
    let mut command = bench.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(body.as_bytes()).unwrap();
    let shown = bench.show(&child.wait_with_output().unwrap());
    // How long it took changes from run to run.
    let lines = shown.lines().map(|line| match line.rsplit_once(" ms") {
        Some((rest, "")) => rest.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end(),
        Some(_) | None => line,
    });
    expected.assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
}

#[test]
fn a_tool_is_called_by_hand_with_its_body_on_standard_input() {
    let bench = Bench::new();
    check(
        &bench,
        "tools call --mode edit write_file --path a.txt",
        "hello\n",
        expect![[r#"
            --- stdout
            wrote `a.txt`: new, 1 line, 6 bytes
            --- stderr
              write     a.txt                                        +1 -0 [time]
            exit 0
        "#]],
    );
    assert_eq!(fs::read_to_string(bench.path("work/a.txt")).unwrap(), "hello\n");
}

#[test]
fn without_anybody_to_ask_a_question_means_no() {
    let bench = Bench::new();
    check(
        &bench,
        "tools call write_file --path a.txt",
        "hello\n",
        expect![[r#"
            --- stderr
              write     a.txt                                        refused
                        this needs a yes from the user, and nobody is there to give it:
                        `write_file` changes files; go on without it, or end with what is
                        done and what is missing
            exit 9
        "#]],
    );
    assert!(!bench.path("work/a.txt").exists());
}

#[test]
fn a_rule_refuses_in_every_mode() {
    let bench = Bench::new().write("home/config.toml", "[rules]\ndeny = [\"tool write_file\"]\n");
    check(
        &bench,
        "tools call --mode full write_file --path a.txt",
        "x",
        expect![[r#"
            --- stderr
              write     a.txt                                        refused
                        a rule of the user refuses `tool write_file`; go on another way
            exit 5
        "#]],
    );
    let bench = Bench::new().write("home/config.toml", "[rules]\nallow = [\"writing\"]\n");
    check(
        &bench,
        "tools call --mode full write_file --path a.txt",
        "x",
        expect![[r#"
            --- stderr
            error: rules.allow: scope `writing`: expected `command`, then words, or `tool`, then a name, or `host`, then a name, or `folder`, then a path
            exit 3
        "#]],
    );
}

#[test]
fn arguments_that_do_not_fit_are_refused_in_words() {
    let bench = Bench::new();
    check(
        &bench,
        "tools call read_file",
        "",
        expect![[r#"
        --- stderr
        error: `path` of `read_file`: expected text, but it is missing; write the attribute `path="…"`
        exit 2
    "#]],
    );
    check(
        &bench,
        "tools call read_file a.txt",
        "",
        expect![[r#"
        --- stderr
        error: expected `--name value`, but found `a.txt`; put the body on standard input
        exit 2
    "#]],
    );
    check(
        &bench,
        "tools call raed_file --path a.txt",
        "",
        expect![[r#"
        --- stderr
        error: tool `raed_file`: expected the name of a tool, such as `read_file` or `write_file`; list them with `tagline tools list`
        exit 2
    "#]],
    );
    check(
        &bench,
        "tools list --tools xyzzyplugh",
        "",
        expect![[r#"
            --- stderr
            error: tool `xyzzyplugh`: expected the name of a tool; list them with `tagline tools list`
            exit 2
        "#]],
    );
}

#[test]
fn every_tool_is_listed_and_can_be_shown() {
    let bench = Bench::new();
    let list = bench.run("tools list --json");
    let names: Vec<String> = list
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .map(|row| row["name"].as_str().unwrap().to_owned())
        .collect();
    assert!(names.iter().any(|name| name == "read_file"), "{list}");
    for name in names {
        let page = bench.run(&format!("tools show {name}"));
        assert!(page.contains("arguments\n") && page.ends_with("exit 0\n"), "{page}");
    }
}

#[test]
fn the_prompt_is_made_of_the_chosen_tools_and_the_folder() {
    let bench = Bench::new();
    let prompt = bench.run("prompt show --tools read_file");
    assert!(prompt.contains("## read_file") && !prompt.contains("## write_file"), "{prompt}");
    assert!(prompt.contains("folder: [test]/work\n"), "{prompt}");
    let guided = bench.run("prompt show --tools read_file --loop guided --detail compact");
    assert!(guided.len() < prompt.len());
}

#[test]
fn rules_of_a_project_are_told_to_the_model_once_they_are_trusted() {
    let bench = Bench::new().write("work/AGENTS.md", "Use tabs.\n");
    let before = bench.run("prompt show");
    assert!(before.contains("AGENTS.md: not used") && !before.contains("Use tabs."), "{before}");
    assert!(bench.run("config trust").contains("Use tabs."));
    assert!(bench.run("prompt show").contains("Use tabs."));
}

#[test]
fn rules_of_the_user_are_told_to_the_model() {
    let bench = Bench::new().write("home/AGENTS.md", "Be brief.\n");
    assert!(bench.run("prompt show -q").contains("Be brief."));
}

#[test]
fn the_built_in_tools_have_nothing_to_complain_about() {
    let shown = Bench::new().run("tools lint");
    assert!(shown.contains(" 0 problems") && shown.ends_with("exit 0\n"), "{shown}");
}
