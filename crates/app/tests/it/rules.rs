//! `rules`: listed with where each was set, tried on calls, explained step by step.

use std::fs;

use expect_test::{Expect, expect};

use crate::support::Bench;

const SETTINGS: &str = "mode = \"edit\"\n\n[rules]\nallow = [\"command cargo test\", \"tool write_file path=docs/**\"]\n\
    ask = [\"host *.example.org\"]\ndeny = [\"command git push\", \"folder secrets\"]\n";

fn bench() -> Bench {
    Bench::new().write("home/config.toml", SETTINGS)
}

/// Each command line with its output; `·` stands for a blank in an argument.
#[track_caller]
fn check(bench: &Bench, lines: &[&str], expected: Expect) {
    let mut shown = String::new();
    for line in lines {
        let args = line.split(' ').map(|it| it.replace('·', " "));
        // What this machine can do is not what is shown here.
        let mut command = bench.command("rules");
        let output = command.args(args).env("TAGLINE_SANDBOX", "off").output().unwrap();
        shown += &format!("$ rules {line}\n{}", bench.show(&output));
    }
    expected.assert_eq(&shown);
}

#[test]
fn rules_are_listed_with_where_each_was_set() {
    let bench = bench().var("TAGLINE_DENY", "tool delete_file");
    check(
        &bench,
        &["list", "list --mode ask --allow command·ls --json"],
        expect![[r#"
            $ rules list
            --- stdout
            mode     edit                                      # user [test]/home/config.toml:1
            sandbox  not proven
            deny     command git push                          # user [test]/home/config.toml:6
            deny     folder secrets                            # user [test]/home/config.toml:6
            deny     tool delete_file                          # environment TAGLINE_DENY
            ask      host *.example.org                        # user [test]/home/config.toml:5
            allow    command cargo test                        # user [test]/home/config.toml:4
            allow    tool write_file path=docs/**              # user [test]/home/config.toml:4
            exit 0
            $ rules list --mode ask --allow command·ls --json
            --- stdout
            {"mode":"ask","mode_origin":"flag --mode","sandbox":"not proven","rules":[{"answer":"allow","scope":"command ls","origin":"flag --allow","also_when_tainted":false},{"answer":"ask","scope":"host *.example.org","origin":"user [test]/home/config.toml:5","also_when_tainted":false},{"answer":"deny","scope":"command git push","origin":"user [test]/home/config.toml:6","also_when_tainted":false},{"answer":"deny","scope":"folder secrets","origin":"user [test]/home/config.toml:6","also_when_tainted":false},{"answer":"deny","scope":"tool delete_file","origin":"environment TAGLINE_DENY","also_when_tainted":false}],"grants":[]}
            exit 0
        "#]],
    );
    check(
        &Bench::new(),
        &["list"],
        expect![[r#"
        $ rules list
        --- stdout
        mode     ask                                       # built-in
        sandbox  not proven
        no rules; set some with `rules.allow`, `rules.ask` and `rules.deny`
        exit 0
    "#]],
    );
}

#[test]
fn a_call_is_tried_in_a_line_and_an_exit_code() {
    check(
        &bench(),
        &[
            "test -e cargo·test·|·tail·-5",
            "test -e cargo·publish",
            "test -e git·-C·sub·push",
            "test -e cat·secrets/a",
            "test -e rm·-rf·/",
            "test --mode ask write_file --path docs/a.md --content x",
            "test --mode ask write_file --path src/a.rs --content x",
            "test --unattended -e cargo·publish",
            "test --mode auto -e cargo·build",
            "test --mode auto --sandboxed -e cargo·build",
            "test --mode auto --sandboxed -e cargo·build·>·../out",
            "test --mode auto --sandboxed --after a·web·page -e cargo·build",
            "test --after a·web·page -e cargo·test",
        ],
        expect![[r#"
            $ rules test -e cargo·test·|·tail·-5
            --- stdout
            allowed: rule: allow command cargo test # user [test]/home/config.toml:4
            exit 0
            $ rules test -e cargo·publish
            --- stdout
            asks: `cargo publish` is not known to only read; `rules.allow` with `command cargo publish` would answer it
            exit 9
            $ rules test -e git·-C·sub·push
            --- stdout
            refused (rule: deny command git push # user [test]/home/config.toml:6): a rule of the user refuses `command git push`; go on another way
            exit 5
            $ rules test -e cat·secrets/a
            --- stdout
            refused (rule: deny folder secrets # user [test]/home/config.toml:6): a rule of the user refuses `folder secrets`; go on another way
            exit 5
            $ rules test -e rm·-rf·/
            --- stdout
            refused (floor: removes the root folder): this removes the root folder, which is refused in every mode; do not try it another way
            exit 5
            $ rules test --mode ask write_file --path docs/a.md --content x
            --- stdout
            allowed: rule: allow tool write_file path=docs/** # user [test]/home/config.toml:4
            exit 0
            $ rules test --mode ask write_file --path src/a.rs --content x
            --- stdout
            asks: `write_file` changes files; `rules.allow` with `tool write_file` would answer it
            exit 9
            $ rules test --unattended -e cargo·publish
            --- stdout
            refused (nobody to ask): this needs a yes from the user, and nobody is there to give it: `cargo publish` is not known to only read; go on without it, or end with what is done and what is missing
            exit 9
            $ rules test --mode auto -e cargo·build
            --- stdout
            asks: `cargo build` is not known to only read; `rules.allow` with `command cargo build` would answer it
            exit 9
            $ rules test --mode auto --sandboxed -e cargo·build
            --- stdout
            allowed: mode auto in the sandbox
            exit 0
            $ rules test --mode auto --sandboxed -e cargo·build·>·../out
            --- stdout
            asks: `../out` is outside the workspace
            exit 9
            $ rules test --mode auto --sandboxed --after a·web·page -e cargo·build
            --- stdout
            asks: this turn has read a web page, which may have asked for this
            exit 9
            $ rules test --after a·web·page -e cargo·test
            --- stdout
            asks: this turn has read a web page, which may have asked for this
            exit 9
        "#]],
    );
}

#[test]
fn a_verdict_is_explained_step_by_step() {
    check(
        &bench(),
        &["explain -e cargo·test·&&·touch·x"],
        expect![[r#"
            $ rules explain -e cargo·test·&&·touch·x
            --- stdout
            execute_command
            command: cargo test && touch x
            mode edit, somebody can answer, sandbox not proven

              the floor                                nothing to say
              deny rules                               nothing to say
              the border of the workspace              nothing to say
              mode `plan`                              nothing to say
              calls whose end was guessed              nothing to say
              ask rules                                nothing to say
              mode `full`                              nothing to say
              paths that ask                           nothing to say
              untrusted content                        nothing to say
              effect, mode, sandbox and allow rules    decides

              part `cargo test`: rule: allow command cargo test # user [test]/home/config.toml:4
              part `touch x`: asks: `touch x` is not known to only read

            asks: `touch x` is not known to only read; `rules.allow` with `command touch` would answer it
            exit 0
        "#]],
    );
}

#[test]
fn a_verdict_names_the_step_that_decides() {
    check(
        &bench(),
        &["explain -e ls·$(touch·x)", "explain read_file --path ../a.txt"],
        expect![[r#"
            $ rules explain -e ls·$(touch·x)
            --- stdout
            execute_command
            command: ls $(touch x)
            mode edit, somebody can answer, sandbox not proven

              the floor                                nothing to say
              deny rules                               nothing to say
              the border of the workspace              nothing to say
              mode `plan`                              nothing to say
              calls whose end was guessed              nothing to say
              ask rules                                nothing to say
              mode `full`                              nothing to say
              paths that ask                           nothing to say
              untrusted content                        nothing to say
              effect, mode, sandbox and allow rules    decides

              the command is not understood: it holds `$` outside quotes

            asks: the command is not understood: it holds `$` outside quotes
            exit 0
            $ rules explain read_file --path ../a.txt
            --- stdout
            read_file
            path: ../a.txt
            mode edit, somebody can answer, sandbox not proven

              the floor                                nothing to say
              deny rules                               nothing to say
              the border of the workspace              nothing to say
              mode `plan`                              nothing to say
              calls whose end was guessed              nothing to say
              ask rules                                nothing to say
              mode `full`                              nothing to say
              paths that ask                           decides

            asks: `../a.txt` is outside the workspace
            exit 0
        "#]],
    );
}

#[test]
fn what_is_no_rule_or_no_call_is_refused_in_words() {
    let bench = Bench::new().write("home/config.toml", "[rules]\nallow = [\"command python3\"]\n");
    check(
        &bench,
        &["list", "test -e ls", "test", "test reed_file --path a", "test read_file"],
        expect![[r#"
            $ rules list
            --- stderr
            error: rules.allow: scope `command python3`: `python3` is a language and runs whatever it is given; allow a script or a module, such as `command python3 check.py` or `command python3 -m pytest`
            exit 3
            $ rules test -e ls
            --- stderr
            error: rules.allow: scope `command python3`: `python3` is a language and runs whatever it is given; allow a script or a module, such as `command python3 check.py` or `command python3 -m pytest`
            exit 3
            $ rules test
            --- stderr
            error: the following required arguments were not provided:
              <TOOL>

            Usage: tagline rules test <TOOL> [--NAME VALUE]...

            For more information, try '--help'.
            exit 2
            $ rules test reed_file --path a
            --- stderr
            error: tool `reed_file`: expected the name of a tool, such as `read_file` or `write_file` or `delete_file`; list them with `tagline tools list`
            exit 2
            $ rules test read_file
            --- stderr
            error: `path` of `read_file`: expected text, but it is missing; write the attribute `path="…"`
            exit 2
        "#]],
    );
}

#[test]
fn what_layers_forbid_adds_up_and_a_project_that_nobody_trusts_may_forbid() {
    let project =
        "mode = \"full\"\n[rules]\nallow = [\"command rm\"]\ndeny = [\"command touch\"]\n";
    let bench = bench().write("work/.tagline/config.toml", project);
    let lines = ["list --deny command·ls", "test --mode full -e touch·x", "test -e git·push"];
    check(
        &bench,
        &lines,
        expect![[r#"
        $ rules list --deny command·ls
        --- stdout
        mode     edit                                      # user [test]/home/config.toml:1
        sandbox  not proven
        deny     command git push                          # user [test]/home/config.toml:6
        deny     folder secrets                            # user [test]/home/config.toml:6
        deny     command touch                             # project [test]/work/.tagline/config.toml:4
        deny     command ls                                # flag --deny
        ask      host *.example.org                        # user [test]/home/config.toml:5
        allow    command cargo test                        # user [test]/home/config.toml:4
        allow    tool write_file path=docs/**              # user [test]/home/config.toml:4
        --- stderr
        warning: [test]/work/.tagline/config.toml: used only where it forbids, because its content is not trusted; read it, then trust it with `tagline config trust`
        exit 0
        $ rules test --mode full -e touch·x
        --- stdout
        refused (rule: deny command touch # project [test]/work/.tagline/config.toml:4): a rule of the user refuses `command touch`; go on another way
        --- stderr
        warning: [test]/work/.tagline/config.toml: used only where it forbids, because its content is not trusted; read it, then trust it with `tagline config trust`
        exit 5
        $ rules test -e git·push
        --- stdout
        refused (rule: deny command git push # user [test]/home/config.toml:6): a rule of the user refuses `command git push`; go on another way
        --- stderr
        warning: [test]/work/.tagline/config.toml: used only where it forbids, because its content is not trusted; read it, then trust it with `tagline config trust`
        exit 5
    "#]],
    );
}

#[test]
fn settings_that_lost_their_end_never_give_more_rights() {
    let bench = bench();
    let path = bench.path("home/config.toml");
    let whole = bench.run("rules list");
    assert!(whole.contains("exit 0"), "{whole}");
    for cut in 0..SETTINGS.len() {
        fs::write(&path, &SETTINGS[..cut]).unwrap();
        let shown = bench.run("rules list");
        // Only blanks at the end are no loss.
        let is_whole = SETTINGS[cut..].trim().is_empty();
        assert_eq!(shown.contains("exit 0"), is_whole, "{cut}: {shown}");
        assert!(is_whole || shown.contains("exit 3"), "{cut}: {shown}");
        assert_eq!(fs::read_to_string(&path).unwrap(), SETTINGS[..cut]);
        if is_whole {
            fs::write(&path, SETTINGS).unwrap();
            bench.run("rules list");
        }
    }
    fs::write(&path, &SETTINGS[..15]).unwrap();
    expect![[r#"
        --- stderr
        error: [test]/home/config.toml: ends after 15 bytes, where 161 were read before, and lacks rules.ask, rules.deny; nothing was started, because it may be cut; mend it, or take it as it is now with `tagline config accept`
        exit 3
    "#]].assert_eq(&bench.run("rules list"));
    expect![[r#"
        --- stderr
        [test]/home/config.toml: taken as it is now, 15 bytes
        exit 0
    "#]]
    .assert_eq(&bench.run("config accept"));
    let shown = bench.run("rules list");
    // Whether commands are confined is a matter of the machine.
    let shown = shown.split_inclusive('\n').filter(|line| !line.starts_with("sandbox "));
    expect![[r#"
        --- stdout
        mode     edit                                      # user [test]/home/config.toml:1
        no rules; set some with `rules.allow`, `rules.ask` and `rules.deny`
        exit 0
    "#]]
    .assert_eq(&shown.collect::<String>());
}
