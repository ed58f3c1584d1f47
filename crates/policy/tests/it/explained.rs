//! The way to a verdict, as people read it.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use tagline_policy::{FactKind, Mode, Rule, Situation, decide, explain};

use crate::situation::{command, shown, situation};

/// A command in mode `ask`, where `cargo test` is allowed.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let rules = vec![Rule::allow("command cargo test".parse().unwrap()).unwrap()];
    let situation = Situation { rules, ..situation(Mode::Ask) };
    let request = command(text);
    let explained = explain(&request, &situation);
    assert_eq!(explained.verdict, decide(&request, &situation));
    let mut out: String = explained.passed.iter().map(|step| format!("passed: {step}\n")).collect();
    writeln!(out, "decided: {}: {}", explained.decided, shown(&explained.verdict)).unwrap();
    for part in &explained.parts {
        writeln!(out, "part `{}`: {}", part.words.join(" "), part.needs).unwrap();
    }
    if let Some(why) = &explained.not_understood {
        writeln!(out, "not understood: {why}").unwrap();
    }
    expected.assert_eq(&out);
}

#[test]
fn each_part_of_a_command_is_told_with_what_it_needs() {
    check(
        "ls && cargo test; make x",
        expect![[r#"
        passed: the floor
        passed: deny rules
        passed: the border of the workspace
        passed: mode `plan`
        passed: calls whose end was guessed
        passed: ask rules
        passed: mode `full`
        passed: paths that ask
        passed: untrusted content
        decided: effect, mode, sandbox and allow rules: ask: `make x` is not known to only read [command make x]
        part `ls`: only reads
        part `cargo test`: rule: allow command cargo test
        part `make x`: asks: `make x` is not known to only read
    "#]],
    );
}

#[test]
fn what_is_not_understood_is_told() {
    check(
        "ls $X",
        expect![[r#"
        passed: the floor
        passed: deny rules
        passed: the border of the workspace
        passed: mode `plan`
        passed: calls whose end was guessed
        passed: ask rules
        passed: mode `full`
        passed: paths that ask
        passed: untrusted content
        decided: effect, mode, sandbox and allow rules: ask: the command is not understood: it holds `$` outside quotes
        not understood: it holds `$` outside quotes
    "#]],
    );
}

#[test]
fn the_step_that_decides_comes_behind_those_that_pass() {
    check(
        "rm -rf /",
        expect![[r#"
        decided: the floor: deny (floor: removes the root folder): this removes the root folder, which is refused in every mode; do not try it another way
        part `rm -rf /`: asks: `rm -rf /` is not known to only read
    "#]],
    );
}

#[test]
fn what_a_yes_is_bound_to_is_named() {
    let names = FactKind::ALL.map(FactKind::as_str).join(" ");
    assert_eq!(names, "program folder environment input confinement");
}
