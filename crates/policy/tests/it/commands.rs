//! Commands: refused, asked, and run without a question.

use expect_test::{Expect, expect};
use tagline_policy::{Mode, Situation, Verdict, decide};

use crate::situation::{command, judge, lines, shown, situation};

const MODES: [Mode; 5] = [Mode::Plan, Mode::Ask, Mode::Edit, Mode::Auto, Mode::Full];

fn is_floor(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Deny { rule, .. } if rule.starts_with("floor: "))
}

#[test]
fn the_floor_holds_in_every_mode() {
    let cases = lines(include_str!("cases/floor.txt"));
    assert!(cases.len() >= 100, "{}", cases.len());
    let passing: Vec<_> = cases
        .iter()
        .flat_map(|case| MODES.map(|mode| (case, mode)))
        .filter(|(case, mode)| !is_floor(&judge(case, *mode, Vec::new())))
        .map(|(case, mode)| format!("{mode:?}: {case}"))
        .collect();
    assert!(passing.is_empty(), "passes the floor:\n{}", passing.join("\n"));
}

#[test]
fn breaks_of_lines_hide_nothing_from_the_floor() {
    for text in ["rm -rf $(echo /usr\n/x)", "rm -rf \"/us\\\nr\"", "rm -rf \\\n/", "ls\nrm -rf /"] {
        assert!(is_floor(&judge(text, Mode::Full, Vec::new())), "{text}");
    }
}

/// Workspaces that nobody named lie below our own data, in its `home` folder.
#[test]
fn a_pattern_is_no_crime_in_a_workspace_below_our_own_data() {
    let below = "/home/u/.local/share/tagline/home/workspaces/page";
    let there = Situation { roots: vec![below.into()], ..situation(Mode::Full) };
    let mut request = command("grep -oE '(href|src)=\"[^\"]+\"' *.html");
    request.claims.cwd = Some(below.into());
    assert!(!is_floor(&decide(&request, &there)), "{:?}", decide(&request, &there));
    let mut request = command("cat /home/u/.local/share/tag*/token");
    request.claims.cwd = Some(below.into());
    assert!(is_floor(&decide(&request, &there)));
}

#[test]
fn the_floor_holds_where_the_home_folder_is_not_known() {
    let homeless = Situation { home: None, ..situation(Mode::Full) };
    for case in ["rm -rf ~", "rm -rf ~/", "rm -rf $HOME", "rm -rf \"$HOME\"/*", "rm -rf /"] {
        assert!(is_floor(&decide(&command(case), &homeless)), "{case}");
    }
}

#[test]
fn ordinary_commands_are_never_refused_in_mode_full() {
    let cases = lines(include_str!("cases/ordinary.txt"));
    assert!(cases.len() >= 200, "{}", cases.len());
    let refused: Vec<_> = cases
        .iter()
        .map(|case| (case, judge(case, Mode::Full, Vec::new())))
        .filter(|(_, verdict)| !matches!(verdict, Verdict::Allow { .. }))
        .map(|(case, verdict)| format!("{case}\n    {}", shown(&verdict)))
        .collect();
    assert!(refused.is_empty(), "refused:\n{}", refused.join("\n"));
}

#[test]
fn commands_that_only_read_run_without_a_question_in_mode_auto() {
    let text = include_str!("cases/ordinary.txt");
    let (reading, other) = text.split_once("--------\n").unwrap();
    let asked: Vec<_> = lines(reading)
        .into_iter()
        .map(|case| (judge(&case, Mode::Auto, Vec::new()), case))
        .filter(|(verdict, _)| !matches!(verdict, Verdict::Allow { .. }))
        .map(|(verdict, case)| format!("{case}\n    {}", shown(&verdict)))
        .collect();
    assert!(asked.is_empty(), "asked:\n{}", asked.join("\n"));
    for case in lines(other) {
        let verdict = judge(&case, Mode::Auto, Vec::new());
        assert!(matches!(verdict, Verdict::Ask { .. }), "{case}: {}", shown(&verdict));
    }
}

#[test]
fn what_is_not_understood_or_does_more_asks_in_mode_auto() {
    let running: Vec<_> = lines(include_str!("cases/asking.txt"))
        .into_iter()
        .filter(|case| matches!(judge(case, Mode::Auto, Vec::new()), Verdict::Allow { .. }))
        .collect();
    assert!(running.is_empty(), "runs:\n{}", running.join("\n"));
}

/// Each command, and what becomes of it.
fn check(mode: Mode, texts: &[&str], expected: Expect) {
    let line =
        |text: &&str| format!("{}\n    {}\n", short(text), shown(&judge(text, mode, Vec::new())));
    expected.assert_eq(&texts.iter().map(line).collect::<String>());
}

fn short(text: &str) -> String {
    text.escape_debug().take(59).collect()
}

#[test]
fn reasons_name_the_part_and_scopes_are_narrow() {
    let texts = [
        "cargo test --workspace",
        "ls && npm run build | tail -5",
        "python3 -c 'print(1)'",
        "git status && rm a.txt",
        "bash -c 'cargo test'",
        "find . -delete",
        "sort -o x y",
        "cat .env",
        "cat /etc/passwd",
        "cat ../x",
        "cat a/../x",
        "export A",
        "unset A",
    ];
    check(
        Mode::Auto,
        &texts,
        expect![[r#"
            cargo test --workspace
                ask: `cargo test --workspace` is not known to only read [command cargo test]
            ls && npm run build | tail -5
                ask: `npm run build` is not known to only read [command npm run build]
            python3 -c \'print(1)\'
                ask: `python3 -c print(1)` is not known to only read
            git status && rm a.txt
                ask: `git status` is not known to only read [command git status] [command rm]
            bash -c \'cargo test\'
                ask: `bash -c cargo test` is not known to only read
            find . -delete
                ask: `-delete` in `find . -delete` is not known to only read
            sort -o x y
                ask: `-o` in `sort -o x y` is not known to only read [command sort]
            cat .env
                ask: `.env` may hold keys or passwords
            cat /etc/passwd
                ask: `/etc/passwd` is outside the workspace
            cat ../x
                ask: `../x` is outside the workspace
            cat a/../x
                ask: where `a/../x` leads depends on links
            export A
                ask: `export A` is not known to only read [command export]
            unset A
                ask: `unset A` is not known to only read [command unset]
        "#]],
    );
}

/// Commands that ask, each with another narrowest prefix.
const OFFERED: [&str; 15] = [
    "gh pr view 1",
    "gh 'pr view'",
    "gh 1",
    "git log main",
    "git stash list",
    "python3 a.py",
    "python3 -m pytest",
    "python3 -x pytest",
    "perl -m a",
    "mytool -m x",
    "java -jar a.jar",
    "npx cowsay",
    "npx python",
    "uv run python",
    "uv run a.py",
];

#[test]
fn what_is_offered_is_the_program_and_the_words_that_say_what_runs() {
    check(
        Mode::Ask,
        &OFFERED,
        expect![[r#"
            gh pr view 1
                ask: `gh pr view 1` is not known to only read [command gh pr]
            gh \'pr view\'
                ask: `gh pr view` is not known to only read [command gh]
            gh 1
                ask: `gh 1` is not known to only read [command gh]
            git log main
                ask: `git log main` is not known to only read [command git log]
            git stash list
                ask: `git stash list` is not known to only read [command git stash list]
            python3 a.py
                ask: `python3 a.py` is not known to only read [command python3 a.py]
            python3 -m pytest
                ask: `python3 -m pytest` is not known to only read [command python3 -m pytest]
            python3 -x pytest
                ask: `python3 -x pytest` is not known to only read
            perl -m a
                ask: `perl -m a` is not known to only read
            mytool -m x
                ask: `mytool -m x` is not known to only read [command mytool]
            java -jar a.jar
                ask: `java -jar a.jar` is not known to only read [command java -jar a.jar]
            npx cowsay
                ask: `npx cowsay` is not known to only read [command npx cowsay]
            npx python
                ask: `npx python` is not known to only read
            uv run python
                ask: `uv run python` is not known to only read
            uv run a.py
                ask: `uv run a.py` is not known to only read [command uv run a.py]
        "#]],
    );
}

#[test]
fn commands_that_only_read_ask_below_mode_auto() {
    check(
        Mode::Ask,
        &["ls", "ls | head"],
        expect![[r#"
        ls
            ask: it runs a command [command ls]
        ls | head
            ask: it runs a command [command ls] [command head]
    "#]],
    );
    check(
        Mode::Plan,
        &["ls"],
        expect![[r#"
        ls
            deny (mode plan): in mode `plan` nothing is changed or run; describe what you would do
    "#]],
    );
}

#[test]
fn each_way_not_to_be_understood_has_its_sentence() {
    let long = "ls ".repeat(30_000);
    let texts =
        ["", "ls &&", "ls\rrm x", "ls $X", "ls 'x", "ls > x", "ls &", "ls ;; ls", "A=1 ls", &long];
    check(
        Mode::Auto,
        &texts,
        expect![[r#"

            ask: the command is not understood: it is empty
        ls &&
            ask: the command is not understood: it is empty
        ls\rrm x
            ask: the command is not understood: it holds the hidden character U+000D
        ls $X
            ask: the command is not understood: it holds `$` outside quotes
        ls \'x
            ask: the command is not understood: a quote has no end
        ls > x
            ask: the command is not understood: it reads or writes a file by redirection
        ls &
            ask: the command is not understood: `&` stands in a place that is not understood
        ls ;; ls
            ask: the command is not understood: `;` stands in a place that is not understood
        A=1 ls
            ask: the command is not understood: `A=1` is no plain program name
        ls ls ls ls ls ls ls ls ls ls ls ls ls ls ls ls ls ls ls ls
            ask: the command is not understood: it is longer than 8192 bytes
    "#]],
    );
}

#[test]
fn what_is_not_understood_says_what_it_is_also_behind_what_is() {
    let texts = [
        "; ls",
        "ls; >/dev/null",
        "A=1; ls",
        "1A=x ls",
        "ls >&5",
        "ls 2>&1x",
        "ls {a,b}",
        "ls \"$X\"",
    ];
    check(
        Mode::Auto,
        &texts,
        expect![[r#"
            ; ls
                ask: the command is not understood: it is empty
            ls; >/dev/null
                ask: the command is not understood: it reads or writes a file by redirection
            A=1; ls
                ask: the command is not understood: `A=1` is no plain program name
            1A=x ls
                ask: the command is not understood: `1A=x` is no plain program name
            ls >&5
                ask: the command is not understood: it reads or writes a file by redirection
            ls 2>&1x
                ask: the command is not understood: it reads or writes a file by redirection
            ls {a,b}
                ask: the command is not understood: it holds `{` outside quotes
            ls \"$X\"
                ask: the command is not understood: it holds `$` outside quotes
        "#]],
    );
}

#[test]
fn floors_are_refused_in_words() {
    let (deep, long) = ("sudo ".repeat(40) + "ls", "#".repeat(1024 * 1024 + 1));
    let texts = [
        "rm -rf /",
        "rm -rf ~",
        "rm -rf .",
        "rm -rf ..",
        "rm -rf /home",
        "rm -rf /usr",
        "mkfs.ext4 /dev/sda",
        "cat x > /dev/sda",
        "sudo reboot",
        "cat ~/.local/share/tagline/token",
        &deep,
        &long,
    ];
    check(
        Mode::Full,
        &texts,
        expect![[r#"
            rm -rf /
                deny (floor: removes the root folder): this removes the root folder, which is refused in every mode; do not try it another way
            rm -rf ~
                deny (floor: removes the home folder): this removes the home folder, which is refused in every mode; do not try it another way
            rm -rf .
                deny (floor: removes the workspace itself): this removes the workspace itself, which is refused in every mode; do not try it another way
            rm -rf ..
                deny (floor: removes the home folder): this removes the home folder, which is refused in every mode; do not try it another way
            rm -rf /home
                deny (floor: removes a folder that holds the workspace): this removes a folder that holds the workspace, which is refused in every mode; do not try it another way
            rm -rf /usr
                deny (floor: removes a folder of the system): this removes a folder of the system, which is refused in every mode; do not try it another way
            mkfs.ext4 /dev/sda
                deny (floor: formats a device): this formats a device, which is refused in every mode; do not try it another way
            cat x > /dev/sda
                deny (floor: overwrites a device): this overwrites a device, which is refused in every mode; do not try it another way
            sudo reboot
                deny (floor: switches the machine off): this switches the machine off, which is refused in every mode; do not try it another way
            cat ~/.local/share/tagline/token
                deny (floor: touches the data of tagline itself): this touches the data of tagline itself, which is refused in every mode; do not try it another way
            sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo
                deny (floor: is too long or too deep to be checked): this is too long or too deep to be checked, which is refused in every mode; do not try it another way
            ###########################################################
                deny (floor: is too long or too deep to be checked): this is too long or too deep to be checked, which is refused in every mode; do not try it another way
        "#]],
    );
}
