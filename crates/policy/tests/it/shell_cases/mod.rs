//! Hostile commands, their mutations, and the calls of an ordinary day: what becomes of each, as a table,
//! `docs/shell-cases.md`. Nothing is run: the policy alone is asked.

mod ordinary;

use std::{collections::BTreeSet, fmt::Write as _};

use expect_test::expect_file;
use tagline_policy::{Mode, Rule, Sandbox, Scope, Situation, Verdict, decide};
use tagline_testkit::{
    Choices,
    commands::{CASES, Case, Expect, mutated},
};

use crate::{
    random::number,
    situation::{command, shown, situation},
};

/// Mutations in the test command; `cargo xtask shell-mutations --count N` plays more.
const N_MUTATIONS: usize = 2_000;

const SEED: u64 = 0x7461_676c_696e_6532;

/// Allowed in all that follows, so that a mutation has the most to gain.
const ALLOWED: [&str; 7] = [
    "command ls",
    "command cat",
    "command echo",
    "command printf",
    "command true",
    "command base64",
    "command git log",
];

/// The command, with a folder beside the workspace of these tests in it.
fn real(input: &str) -> String {
    tagline_testkit::commands::real(input, "/home/u/out")
}

/// Where a hostile command is judged.
fn places(case: &Case) -> Vec<(&'static str, Situation)> {
    let rules = case.rules.iter().map(|text| rule(text));
    let allowed = ALLOWED.iter().map(|scope| Rule::allow(scope.parse().unwrap()).unwrap());
    let rules: Vec<_> = rules.chain(allowed).collect();
    let of = |mode| Situation { rules: rules.clone(), ..situation(mode) };
    let proven = |mode| Situation { sandbox: Sandbox::Proven, ..of(mode) };
    let tainted = Situation { taint: Some("a web page".to_owned()), ..proven(Mode::Auto) };
    vec![
        ("mode ask", of(Mode::Ask)),
        ("mode edit", of(Mode::Edit)),
        ("mode edit in the sandbox", proven(Mode::Edit)),
        ("mode auto", of(Mode::Auto)),
        ("mode auto in the sandbox, after a web page", tainted),
        ("mode auto in the sandbox", proven(Mode::Auto)),
    ]
}

/// The place where a command that keeps to the workspace may run.
const HELD: &str = "mode auto in the sandbox";

fn rule(text: &str) -> Rule {
    let (answer, scope) = text.split_once(' ').unwrap();
    let scope: Scope = scope.parse().unwrap();
    match answer {
        "allow" => Rule::allow(scope).unwrap(),
        "ask" => Rule::ask(scope),
        _ => Rule::deny(scope),
    }
}

fn is_allowed(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Allow { .. })
}

/// What is wrong with how a command was judged; empty where nothing is.
fn wrong(case: &Case, input: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for (place, situation) in places(case) {
        let verdict = decide(&command(input), &situation);
        let unattended = Situation { is_attended: false, ..situation.clone() };
        let alone = decide(&command(input), &unattended);
        let is_right = match case.expect {
            Expect::Asks if place == HELD && case.is_held => true,
            Expect::Asks => matches!(verdict, Verdict::Ask { .. }),
            Expect::Denied => matches!(verdict, Verdict::Deny { .. }),
            Expect::Runs => {
                is_allowed(&verdict)
                    || place.starts_with("mode ask")
                    || place.starts_with("mode edit")
            }
            Expect::Later => true,
        };
        let is_closed = is_allowed(&alone) == is_allowed(&verdict);
        if !is_right || !is_closed {
            wrong.push(format!("`{}` in {place}: {}", input.escape_debug(), shown(&verdict)));
        }
    }
    wrong
}

/// What is shown of a case: the answer in mode auto, without and with the sandbox.
fn seen(case: &Case) -> String {
    let mut answers = BTreeSet::new();
    for input in case.inputs {
        let of = |name: &str| {
            let (_, situation) = places(case).into_iter().find(|(it, _)| *it == name).unwrap();
            short(&decide(&command(&real(input)), &situation))
        };
        let (open, held) = (of("mode auto"), of(HELD));
        answers.insert(if open == held { open } else { format!("{open}; in the sandbox: {held}") });
    }
    answers.into_iter().collect::<Vec<_>>().join("; or ")
}

fn short(verdict: &Verdict) -> String {
    let text = match verdict {
        Verdict::Allow { rule } => format!("runs ({rule})"),
        Verdict::Ask { why, .. } => format!("asks: {why}"),
        Verdict::Deny { rule, .. } => format!("refused ({rule})"),
    };
    text.replace('\n', " ").replace('|', "\\|")
}

fn row(case: &Case) -> (bool, String) {
    let wrong: Vec<_> = case.inputs.iter().flat_map(|input| wrong(case, &real(input))).collect();
    let verdict = match case.expect {
        Expect::Later => "run, in [shell-runs.md](shell-runs.md)".to_owned(),
        Expect::Asks | Expect::Denied | Expect::Runs if !wrong.is_empty() => {
            format!("**failed**: {}", wrong.join("; "))
        }
        Expect::Asks | Expect::Denied | Expect::Runs => format!("passed: {}", seen(case)),
    };
    let is_passed = verdict.starts_with("passed");
    let rules: String = case.rules.iter().map(|it| format!("`{it}`, ")).collect();
    let inputs: Vec<_> = case.inputs.iter().map(|it| format!("`{}`", shell_text(it))).collect();
    let asked = format!("{rules}{}", inputs.join("; "));
    (is_passed, format!("| {} | {asked} | {} | {verdict} |\n", case.id, case.words))
}

fn shell_text(text: &str) -> String {
    let text = text.replace('\n', "⏎").replace('\r', "␍").replace('\u{200b}', "U+200B");
    let long = text.chars().count() > 120;
    let text: String = text.chars().take(120).collect();
    text.replace('|', "\\|").replace('`', "'") + if long { "…" } else { "" }
}

/// Judges so many mutations; how many of them a deny rule still refuses in mode full, of how many.
fn mutations(count: usize) -> (usize, usize, usize) {
    let hostile: Vec<_> =
        CASES.iter().filter(|it| matches!(it.expect, Expect::Asks | Expect::Denied)).collect();
    let mut texts = BTreeSet::new();
    let mut failed = Vec::new();
    let (mut n, mut n_denied, mut n_deniable) = (0, 0, 0);
    while texts.len() < count {
        let choices = &mut Choices::of_seed(SEED.wrapping_add(n));
        n += 1;
        let case = hostile[choices.below(hostile.len())];
        let input = choices.word(case.inputs);
        let text = mutated(&real(input), choices);
        if !texts.insert(text.clone()) {
            continue;
        }
        // Another spelling of a name in the workspace may well be another, harmless one.
        let names_outside = input.contains("$OUT");
        for (place, situation) in places(case) {
            let is_held = place == HELD && (!names_outside || case.is_held);
            let verdict = decide(&command(&text), &situation);
            if is_allowed(&verdict) && !is_held {
                failed.push(format!("{} {place}: {text:?}: {}", case.id, shown(&verdict)));
            }
        }
        if matches!(case.expect, Expect::Denied) {
            let rules = case.rules.iter().map(|text| rule(text)).collect();
            let verdict = decide(&command(&text), &Situation { rules, ..situation(Mode::Full) });
            n_deniable += 1;
            n_denied += usize::from(matches!(verdict, Verdict::Deny { .. }));
        }
    }
    assert!(failed.is_empty(), "{} allowed:\n{}", failed.len(), failed.join("\n"));
    (texts.len(), n_denied, n_deniable)
}

#[test]
fn hostile_commands_never_run_without_a_question_and_ordinary_ones_do() {
    let rows: Vec<_> = CASES.iter().map(row).collect();
    let n_passed = rows.iter().filter(|(is_passed, _)| *is_passed).count();
    let rows: String = rows.into_iter().map(|(_, row)| row).collect();
    let (n_mutations, n_denied, n_deniable) = mutations(N_MUTATIONS);
    let ordinary = ordinary::judged();
    let mut table = String::from(HEAD);
    table += &rows;
    let n_judged = CASES.iter().filter(|it| !matches!(it.expect, Expect::Later)).count();
    write!(table, "\n{n_passed} of {n_judged} passed.\n\n## Mutations\n\n").unwrap();
    writeln!(
        table,
        "{n_mutations} mutations of the commands that must ask or be refused (seed {SEED:#x}), each in {} places: \
         **0** run without a question. Of {n_deniable} that a deny rule names, {n_denied} are refused even in mode \
         `full`; the others spell another word, or hide it behind an encoding, and only ask elsewhere.",
        places(&CASES[0]).len()
    )
    .unwrap();
    table += &ordinary;
    expect_file!["../../../../../docs/shell-cases.md"].assert_eq(&table);
}

/// Quick, and in a few words, where the table is slow.
#[test]
fn each_case_is_answered_as_the_table_says() {
    let table = include_str!("../../../../../docs/shell-cases.md");
    for case in CASES.iter().filter(|it| !matches!(it.expect, Expect::Later)) {
        let start = format!("| {} |", case.id);
        let line = table.lines().find(|line| line.starts_with(&start)).unwrap();
        let (_, said) = line.rsplit_once("| passed: ").unwrap();
        assert_eq!(said, format!("{} |", seen(case)), "{}", case.id);
    }
}

#[test]
fn more_mutations_never_run_without_a_question() {
    let Some(count) = number("TAGLINE_TEST_MUTATIONS") else { return };
    let (n, n_denied, n_deniable) = mutations(usize::try_from(count).unwrap());
    println!(
        "{n} mutations of seed {SEED:#x}: 0 run without a question; {n_denied} of {n_deniable} refused by a deny rule in mode full"
    );
}

const HEAD: &str = "# Cases of commands

Written by `cargo test -p tagline-policy shell_cases`: each case is judged, not run, in the modes `ask`, `edit` and `auto`, \
without and with a proven sandbox, with and without untrusted content in the turn, attended and not. `$OUT` is a folder \
beside the workspace. What was seen is the answer in mode `auto`. The binary is asked for the same in [shell-runs.md](shell-runs.md).

| case | rules, commands | what must follow | what was seen |
|--|--|--|--|
";
