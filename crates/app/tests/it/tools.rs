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
            error: tools: expected names of tools and of toolsets, but found `xyzzyplugh`; see `tagline tools list` and `tagline tools sets`
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

/// The names of the tools that the prompt has, in order.
fn prompted(bench: &Bench, args: &str) -> String {
    let docs = bench.run(&format!("tools docs --form compact {args}"));
    docs.lines().filter_map(|line| line.strip_prefix("## ")).collect::<Vec<_>>().join(" ")
}

#[test]
fn sets_and_names_select_tools_and_a_hyphen_leaves_out() {
    let config =
        "[toolsets]\nreview = [\"minimal\", \"-write_file\", \"-execute_command\", \"search\"]\n";
    let bench = Bench::new().write("home/config.toml", config);
    let minimal = "attempt_completion read_file list_files write_file execute_command";
    assert_eq!(prompted(&bench, "--tools minimal"), minimal);
    assert_eq!(
        prompted(&bench, "--tools search,review"),
        "search attempt_completion read_file list_files"
    );
    assert_eq!(prompted(&bench, "--toolset two=read_file --tools two,say"), "read_file say");
    let fewer = prompted(&bench, "--tools minimal,-write_to_file --tools execute_command");
    assert_eq!(fewer, "attempt_completion read_file list_files execute_command");
    assert!(!prompted(&bench, "--tools=-say").starts_with("say "));
}

#[test]
fn a_word_that_selects_nothing_is_told_with_those_near_it() {
    let bench = Bench::new();
    check(
        &bench,
        "tools docs --tools minimla",
        "",
        expect![[r#"
        --- stderr
        error: tools: expected names of tools and of toolsets, but found `minimla`; did you mean `minimal`?
        exit 2
    "#]],
    );
    check(
        &bench,
        "tools docs --tools minimal,-raed_file",
        "",
        expect![[r#"
        --- stderr
        error: tools: expected names of tools and of toolsets, but found `raed_file`; did you mean `read_file` or `write_file`?
        exit 2
    "#]],
    );
}

#[test]
fn a_set_that_cannot_be_is_told_by_what_is_wrong_with_it() {
    let bench = Bench::new();
    check(
        &bench,
        "tools docs --toolset a=b,b=a --tools a",
        "",
        expect![[r#"
        --- stderr
        error: toolset `a`: expected tools and other sets, but found the set within itself; take it out of there
        exit 2
    "#]],
    );
    check(
        &bench,
        "tools docs --toolset review",
        "",
        expect![[r#"
        --- stderr
        error: toolset `review`: expected a name of letters, digits, `_` and `-`, then `=`, then names of tools, such as `review=read_file search`
        exit 2
    "#]],
    );
    check(
        &bench,
        "tools docs --toolset say=read_file",
        "",
        expect![[r#"
        --- stderr
        error: toolset `say`: expected a name of its own, but found that of a tool; rename the set
        exit 2
    "#]],
    );
    let bench = Bench::new().write("home/config.toml", "[toolsets]\nreview = \"read_file\"\n");
    check(
        &bench,
        "tools docs --tools review",
        "",
        expect![[r#"
        --- stderr
        error: [test]/home/config.toml:2: `toolsets.review`: expected a list of names, but found `"read_file"`; mend the line
        exit 3
    "#]],
    );
}

#[test]
fn a_tool_that_a_rule_denies_is_not_in_the_prompt() {
    let bench = Bench::new();
    let deny = ["--deny", "tool write_file", "--deny", "tool read_file path=*.key"];
    let docs = bench.command("tools docs --tools minimal").args(deny).output().unwrap();
    let docs = String::from_utf8(docs.stdout).unwrap();
    assert!(!docs.contains("## write_file") && docs.contains("## read_file"), "{docs}");
    let prompt = bench.command("prompt show --tools minimal").args(deny).output().unwrap();
    let prompt = String::from_utf8(prompt.stdout).unwrap();
    assert!(!prompt.contains("## write_file") && prompt.contains(&docs), "{prompt}");
}

#[test]
fn a_tool_is_shown_as_every_door_has_it() {
    let bench = Bench::new();
    let doors = [
        ("openai", "\"strict\": true"),
        ("openai-responses", "\"type\": \"function\""),
        ("anthropic", "\"input_schema\""),
        ("gemini", "\"OBJECT\""),
        ("json-schema", "draft/2020-12"),
        ("gbnf", "root ::= "),
        ("lark", "start: "),
        ("structural-tag", "\"triggered_tags\""),
        ("response-format", "\"json_schema\""),
    ];
    for (door, holds) in doors {
        let shown = bench.run(&format!("tools show read_file --as {door}"));
        assert!(shown.contains(holds) && shown.ends_with("exit 0\n"), "{door}: {shown}");
    }
    check(
        &bench,
        "tools show wait_until --as lark",
        "",
        expect![[r#"
        --- stdout
        start: (LINE "\n")* (call ("\n" (LINE "\n")* call)* | LINE)
        call: call_wait_until
        call_wait_until: "<wait_until" (" seconds=\"" /[1-9][0-9]{0,2}|[1-2][0-9]{3}|3[0-5][0-9]{2}|3600/ "\"")? (" run_id=\"" ATTRIBUTE "\"")? (" pattern=\"" ATTRIBUTE "\"")? (" exit=\"" /true|false/ "\"")? (" port=\"" /[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]/ "\"")? "/>"
        LINE: /[^<\`\~\{\[\x01- ][^<\`\~\{\[\x01-\x1F]*/
        ATTRIBUTE: /[^\"<\&\x01- \x7F-\u{A0}\u{1680}\u{180E}\u{2000}-\u{200F}\u{2028}-\u{202F}\u{205F}-\u{206F}\u{3000}\u{FEFF}][^\"<\&\x01-\x1F\x7F]*/
        exit 0
    "#]],
    );
}

#[test]
fn sets_are_listed_with_their_tools_and_tokens() {
    let bench = Bench::new();
    let sets = bench.run("tools sets --toolset mine=say");
    for set in ["minimal ", "code ", "web ", "mine ", "all "] {
        assert!(sets.lines().any(|line| line.starts_with(set)), "{sets}");
    }
    let json = bench.run("tools sets --json");
    assert!(
        json.contains(r#"{"name":"minimal","tools":["attempt_completion","read_file""#),
        "{json}"
    );
}
