//! Which programs a command is said to start.

use std::path::Path;

use expect_test::{Expect, expect};
use tagline_policy::programs;

/// Each command, the programs that it starts, and whether these are all.
#[track_caller]
fn check(texts: &[&str], expected: Expect) {
    let line = |text: &&str| {
        let found = programs(text, Path::new("/w"));
        let names = if found.names.is_empty() { "nothing" } else { &*found.names.join(" ") };
        let end = if found.is_certain { "" } else { ", or others" };
        format!("{text}\n    {names}{end}\n")
    };
    expected.assert_eq(&texts.iter().map(line).collect::<String>());
}

/// Commands whose programs are known.
const ORDINARY: &[&str] = &[
    "ls && cat f | ls",
    "cd a; echo x && pwd",
    "nohup ls",
    "nohup echo x",
    "nohup nohup ''",
    "command ls",
    "command echo x",
    "command command builtin echo x",
    "env command ls",
    "exec echo x",
    "nohup time ls",
    "xargs",
    "xargs -n 1; xargs",
    "xargs ls",
    "env echo a; xargs",
];

#[test]
fn programs_are_named_once_and_what_the_shell_does_itself_is_none() {
    check(
        ORDINARY,
        expect![[r#"
            ls && cat f | ls
                ls cat
            cd a; echo x && pwd
                nothing
            nohup ls
                nohup ls
            nohup echo x
                nohup echo
            nohup nohup ''
                nohup
            command ls
                ls
            command echo x
                nothing
            command command builtin echo x
                nothing
            env command ls
                env command ls
            exec echo x
                echo
            nohup time ls
                nohup time ls
            xargs
                xargs echo
            xargs -n 1; xargs
                xargs echo
            xargs ls
                xargs ls
            env echo a; xargs
                env echo xargs
        "#]],
    );
}

#[test]
fn what_is_known_only_when_it_runs_is_said_so() {
    check(
        &[
            "A=1 ls",
            "ls; $X a",
            "find . -exec a=b {} +",
            "bash -c 'ls; cat f'",
            "bash -c 'A=1 ls'",
            "bash -c 'ls )'",
            "ls *",
            "ls $(cat f)",
            "{ ls; }",
        ],
        expect![[r#"
            A=1 ls
                ls, or others
            ls; $X a
                ls, or others
            find . -exec a=b {} +
                find, or others
            bash -c 'ls; cat f'
                bash ls cat
            bash -c 'A=1 ls'
                bash ls, or others
            bash -c 'ls )'
                bash, or others
            ls *
                ls, or others
            ls $(cat f)
                ls cat, or others
            { ls; }
                ls, or others
        "#]],
    );
}

#[test]
fn programs_are_followed_to_a_depth() {
    let nested = |program: &str, n: usize| program.repeat(n) + "ls";
    let texts = [nested("nohup ", 8), nested("nohup ", 9), nested("eval ", 8), nested("eval ", 9)];
    check(
        &texts.each_ref().map(String::as_str),
        expect![[r#"
        nohup nohup nohup nohup nohup nohup nohup nohup ls
            nohup ls
        nohup nohup nohup nohup nohup nohup nohup nohup nohup ls
            nohup, or others
        eval eval eval eval eval eval eval eval ls
            ls
        eval eval eval eval eval eval eval eval eval ls
            nothing, or others
    "#]],
    );
}
