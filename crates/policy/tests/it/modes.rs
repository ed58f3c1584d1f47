//! Every mode, with every effect.

use expect_test::{Expect, expect};
use tagline_policy::{Claims, Effect, Mode, Request, Situation, Verdict, decide};

use crate::situation::{changing, command, reading, request, shown, situation};

const MODES: [Mode; 5] = [Mode::Plan, Mode::Ask, Mode::Edit, Mode::Auto, Mode::Full];

fn check(request: &Request, expected: Expect) {
    let line = |mode| format!("{mode:?}: {}\n", shown(&decide(request, &situation(mode))));
    expected.assert_eq(&MODES.map(line).concat());
}

#[test]
fn what_has_no_effect_passes() {
    check(
        &request(Effect::Pure, Claims::default()),
        expect![[r#"
        Plan: allow (reads only)
        Ask: allow (reads only)
        Edit: allow (reads only)
        Auto: allow (reads only)
        Full: allow (mode full)
    "#]],
    );
}

#[test]
fn reads_pass_inside() {
    check(
        &request(Effect::Read, reading("/home/u/work/a")),
        expect![[r#"
        Plan: allow (reads only)
        Ask: allow (reads only)
        Edit: allow (reads only)
        Auto: allow (reads only)
        Full: allow (mode full)
    "#]],
    );
}

#[test]
fn reads_ask_outside() {
    check(
        &request(Effect::Read, reading("/home/u/other")),
        expect![[r#"
        Plan: ask: `/home/u/other` is outside the workspace
        Ask: ask: `/home/u/other` is outside the workspace
        Edit: ask: `/home/u/other` is outside the workspace
        Auto: ask: `/home/u/other` is outside the workspace
        Full: allow (mode full)
    "#]],
    );
}

#[test]
fn changes_pass_where_the_mode_says_so() {
    check(
        &request(Effect::Write, changing("/home/u/work/a")),
        expect![[r#"
        Plan: deny (mode plan): in mode `plan` nothing is changed or run; describe what you would do
        Ask: ask: `tool` changes files [tool tool]
        Edit: allow (mode edit)
        Auto: allow (mode auto)
        Full: allow (mode full)
    "#]],
    );
}

#[test]
fn nothing_is_changed_outside() {
    check(
        &request(Effect::Write, changing("/home/u/other")),
        expect![[r#"
        Plan: deny (border: outside the workspace): path `/home/u/other`: expected a path in `/home/u/work`, where files may be changed, but it leads elsewhere; choose a path inside
        Ask: deny (border: outside the workspace): path `/home/u/other`: expected a path in `/home/u/work`, where files may be changed, but it leads elsewhere; choose a path inside
        Edit: deny (border: outside the workspace): path `/home/u/other`: expected a path in `/home/u/work`, where files may be changed, but it leads elsewhere; choose a path inside
        Auto: deny (border: outside the workspace): path `/home/u/other`: expected a path in `/home/u/work`, where files may be changed, but it leads elsewhere; choose a path inside
        Full: deny (border: outside the workspace): path `/home/u/other`: expected a path in `/home/u/work`, where files may be changed, but it leads elsewhere; choose a path inside
    "#]],
    );
}

#[test]
fn a_command_that_reads_passes_in_auto() {
    check(
        &command("ls src | head -3"),
        expect![[r#"
        Plan: deny (mode plan): in mode `plan` nothing is changed or run; describe what you would do
        Ask: ask: it runs a command [command ls] [command head]
        Edit: ask: it runs a command [command ls] [command head]
        Auto: allow (read-only command)
        Full: allow (mode full)
    "#]],
    );
}

#[test]
fn other_commands_ask() {
    check(
        &command("cargo test"),
        expect![[r#"
        Plan: deny (mode plan): in mode `plan` nothing is changed or run; describe what you would do
        Ask: ask: `cargo test` is not known to only read [command cargo test]
        Edit: ask: `cargo test` is not known to only read [command cargo test]
        Auto: ask: `cargo test` is not known to only read [command cargo test]
        Full: allow (mode full)
    "#]],
    );
}

#[test]
fn an_exec_tool_without_a_command_asks() {
    check(
        &request(Effect::Exec, Claims::default()),
        expect![[r#"
        Plan: deny (mode plan): in mode `plan` nothing is changed or run; describe what you would do
        Ask: ask: `tool` runs or steers a program [tool tool]
        Edit: ask: `tool` runs or steers a program [tool tool]
        Auto: ask: `tool` runs or steers a program [tool tool]
        Full: allow (mode full)
    "#]],
    );
}

#[test]
fn requests_and_controls_ask() {
    let claims = Claims { hosts: vec!["example.org".to_owned()], ..Claims::default() };
    check(
        &request(Effect::Fetch, claims),
        expect![[r#"
        Plan: deny (mode plan): in mode `plan` nothing is changed or run; describe what you would do
        Ask: ask: `tool` sends a request out [tool tool]
        Edit: ask: `tool` sends a request out [tool tool]
        Auto: ask: `tool` sends a request out [tool tool]
        Full: allow (mode full)
    "#]],
    );
    check(
        &request(Effect::Control, Claims::default()),
        expect![[r#"
        Plan: deny (mode plan): in mode `plan` nothing is changed or run; describe what you would do
        Ask: ask: `tool` changes more than files
        Edit: ask: `tool` changes more than files
        Auto: ask: `tool` changes more than files
        Full: allow (mode full)
    "#]],
    );
    check(
        &request(Effect::Desktop, Claims::default()),
        expect![[r#"
        Plan: deny (mode plan): in mode `plan` nothing is changed or run; describe what you would do
        Ask: ask: `tool` changes more than files
        Edit: ask: `tool` changes more than files
        Auto: ask: `tool` changes more than files
        Full: allow (mode full)
    "#]],
    );
}

#[test]
fn claims_make_an_effect_stricter_never_weaker() {
    check(
        &request(Effect::Pure, changing("/home/u/work/a")),
        expect![[r#"
        Plan: deny (mode plan): in mode `plan` nothing is changed or run; describe what you would do
        Ask: ask: `tool` changes files [tool tool]
        Edit: allow (mode edit)
        Auto: allow (mode auto)
        Full: allow (mode full)
    "#]],
    );
    let mut hidden = command("cargo test");
    hidden.effect = Effect::Read;
    check(
        &hidden,
        expect![[r#"
        Plan: deny (mode plan): in mode `plan` nothing is changed or run; describe what you would do
        Ask: ask: `cargo test` is not known to only read [command cargo test]
        Edit: ask: `cargo test` is not known to only read [command cargo test]
        Auto: ask: `cargo test` is not known to only read [command cargo test]
        Full: allow (mode full)
    "#]],
    );
}

#[test]
fn a_guessed_call_does_nothing_that_cannot_be_undone() {
    let recovered = |effect, claims| Request { is_recovered: true, ..request(effect, claims) };
    check(
        &recovered(Effect::Write, changing("/home/u/work/a")),
        expect![[r#"
        Plan: deny (mode plan): in mode `plan` nothing is changed or run; describe what you would do
        Ask: ask: `tool` changes files [tool tool]
        Edit: allow (mode edit)
        Auto: allow (mode auto)
        Full: allow (mode full)
    "#]],
    );
    check(
        &Request { is_recovered: true, ..command("ls") },
        expect![[r#"
        Plan: deny (mode plan): in mode `plan` nothing is changed or run; describe what you would do
        Ask: ask: the end of this call, or of one before it, had to be guessed
        Edit: ask: the end of this call, or of one before it, had to be guessed
        Auto: ask: the end of this call, or of one before it, had to be guessed
        Full: ask: the end of this call, or of one before it, had to be guessed
    "#]],
    );
    for effect in [Effect::Fetch, Effect::Control, Effect::Desktop] {
        let verdict = decide(&recovered(effect, Claims::default()), &situation(Mode::Full));
        assert!(matches!(verdict, Verdict::Ask { .. }), "{effect:?}: {}", shown(&verdict));
    }
}

#[test]
fn a_start_inside_an_open_section_asks_for_changes_too() {
    let claims = changing("/home/u/work/a");
    let call = Request { is_from_unclosed_cdata: true, ..request(Effect::Write, claims) };
    check(
        &call,
        expect![[r#"
            Plan: deny (mode plan): in mode `plan` nothing is changed or run; describe what you would do
            Ask: ask: the end of this call, or of one before it, had to be guessed
            Edit: ask: the end of this call, or of one before it, had to be guessed
            Auto: ask: the end of this call, or of one before it, had to be guessed
            Full: ask: the end of this call, or of one before it, had to be guessed
        "#]],
    );
    let read = request(Effect::Read, reading("/home/u/work/a"));
    check(
        &Request { is_from_unclosed_cdata: true, ..read },
        expect![[r#"
        Plan: allow (reads only)
        Ask: allow (reads only)
        Edit: allow (reads only)
        Auto: allow (reads only)
        Full: allow (mode full)
    "#]],
    );
}

#[test]
fn where_nobody_can_answer_asking_means_no() {
    let alone = Situation { is_attended: false, ..situation(Mode::Ask) };
    expect!["needs a human: this needs a yes from the user, and nobody is there to give it: `cargo test` is not known to only read; go on without it, or end with what is done and what is missing"].assert_eq(&shown(&decide(&command("cargo test"), &alone)));
    let alone = Situation { is_attended: false, ..situation(Mode::Full) };
    expect!["allow (mode full)"].assert_eq(&shown(&decide(&command("cargo test"), &alone)));
    let recovered = Request { is_recovered: true, ..command("cargo test") };
    expect!["needs a human: this needs a yes from the user, and nobody is there to give it: the end of this call, or of one before it, had to be guessed; go on without it, or end with what is done and what is missing"].assert_eq(&shown(&decide(&recovered, &alone)));
}
