//! What the user says beforehand.

use expect_test::{Expect, expect, expect_file};
use tagline_policy::{BadScope, Effect, Mode, Rule, Scope, Situation, decide};

use crate::situation::{changing, judge, request, shown, situation};

fn allow(scope: &str) -> Rule {
    Rule::allow(scope.parse().unwrap()).unwrap()
}

fn deny(scope: &str) -> Rule {
    Rule::deny(scope.parse().unwrap())
}

/// Each command under a rule, in mode `ask`.
fn check(cases: &[(Rule, &str)], expected: Expect) {
    let line = |(rule, text): &(Rule, &str)| {
        let verdict = shown(&judge(text, Mode::Ask, vec![rule.clone()]));
        format!("{text}\n    {verdict}\n")
    };
    expected.assert_eq(&cases.iter().map(line).collect::<String>());
}

#[test]
fn an_allowed_prefix_lets_whole_words_pass() {
    let test = allow("command cargo test");
    let texts = [
        "cargo test",
        "cargo test --workspace | tail -5",
        "cargo tests",
        "timeout 60 cargo test",
        "sudo cargo test",
        "cargo test && cargo publish",
        "cargo test > out.txt",
        "cargo test $(touch x)",
    ];
    check(
        &texts.map(|text| (test.clone(), text)),
        expect![[r#"
        cargo test
            allow (rule: allow command cargo test)
        cargo test --workspace | tail -5
            allow (rule: allow command cargo test)
        cargo tests
            ask: `cargo tests` is not known to only read [command cargo tests]
        timeout 60 cargo test
            allow (rule: allow command cargo test)
        sudo cargo test
            ask: `sudo cargo test` is not known to only read
        cargo test && cargo publish
            ask: `cargo publish` is not known to only read [command cargo publish]
        cargo test > out.txt
            ask: the command is not understood: it reads or writes a file by redirection
        cargo test $(touch x)
            ask: the command is not understood: it holds `$` outside quotes
    "#]],
    );
}

#[test]
fn a_prefix_covers_no_other_program_and_no_secret() {
    let cases = [
        (allow("command git log"), "git logout"),
        (allow("command ls"), "./ls"),
        (allow("command cat"), "cat .env"),
        (allow("command cp"), "cp .env copy"),
        (allow("command rm"), "rm -rf /"),
    ];
    check(
        &cases,
        expect![[r#"
        git logout
            ask: `git logout` is not known to only read [command git logout]
        ./ls
            ask: `./ls` is not known to only read [command ./ls]
        cat .env
            ask: `.env` may hold keys or passwords
        cp .env copy
            ask: `.env` may hold keys or passwords
        rm -rf /
            deny (floor: removes the root folder): this removes the root folder, which is refused in every mode; do not try it another way
    "#]],
    );
}

#[test]
fn a_denied_prefix_is_found_anywhere() {
    let texts = [
        "touch x",
        "/usr/bin/touch x",
        "env touch x",
        "timeout 5 touch x",
        "nice touch x",
        "setsid touch x",
        "xargs touch x < f",
        "sudo touch x",
        "bash -c 'touch x'",
        "ls; touch x",
        "if true; then touch x; fi",
        "echo \"$(touch x)\"",
        "printf x | touch x",
        "t\\ouch x",
        "find . -exec touch {} +",
        "eval 'touch x'",
        "(touch x)",
        "f() { touch x; }",
    ];
    for text in texts {
        let verdict = shown(&judge(text, Mode::Full, vec![deny("command touch")]));
        assert!(verdict.starts_with("deny (rule: deny command touch)"), "{text}: {verdict}");
    }
    let long = "true;".repeat(60) + "touch x";
    let verdict = shown(&judge(&long, Mode::Full, vec![deny("command touch")]));
    assert!(verdict.starts_with("deny (rule"), "{verdict}");
    check(
        &[(deny("command touch"), "echo touch")],
        expect![[r#"
        echo touch
            ask: it runs a command [command echo]
    "#]],
    );
}

#[test]
fn a_tool_rule_covers_the_tool() {
    let verdict = |rule: Rule, mode| {
        let situation = Situation { rules: vec![rule], ..situation(mode) };
        shown(&decide(&request(Effect::Write, changing("/home/u/work/a")), &situation))
    };
    expect!["allow (rule: allow tool tool)"].assert_eq(&verdict(allow("tool tool"), Mode::Ask));
    expect![
        "deny (mode plan): in mode `plan` nothing is changed or run; describe what you would do"
    ]
    .assert_eq(&verdict(allow("tool tool"), Mode::Plan));
    expect![
        "deny (rule: deny tool tool): a rule of the user refuses `tool tool`; go on another way"
    ]
    .assert_eq(&verdict(deny("tool tool"), Mode::Full));
    expect!["ask: a rule has `tool tool` ask"]
        .assert_eq(&verdict(Rule::ask("tool tool".parse().unwrap()), Mode::Full));
    expect!["ask: `tool` changes files [tool tool]"]
        .assert_eq(&verdict(allow("tool other"), Mode::Ask));
    // A command is judged by its parts, whatever the tool may do.
    check(
        &[(allow("tool tool"), "cargo publish")],
        expect![[r#"
        cargo publish
            ask: `cargo publish` is not known to only read [command cargo publish]
    "#]],
    );
}

/// Programs that no rule may allow as they are.
const OPEN: &str = "bash sh zsh dash fish ksh csh ash pwsh eval exec source env xargs find fd sudo doas su \
    nohup setsid nice timeout time command builtin busybox chroot ssh watch script screen tmux \
    parallel strace flock gdb less man vim python python3 python3.12 python2 pypy node nodejs deno bun ruby \
    perl php lua awk gawk sed git hg npm npx pnpm yarn pip pip3 pipx uv uvx poetry bundle cargo go make cmake \
    just gradle mvn docker podman kubectl java dotnet Rscript julia osascript psql sqlite3 jq tsx bunx";

#[test]
fn no_rule_allows_a_whole_language() {
    let programs: Vec<_> = OPEN.split_ascii_whitespace().collect();
    assert!(programs.len() >= 60, "{}", programs.len());
    let mut table = String::new();
    for program in programs {
        for words in [program.to_owned(), format!("/usr/bin/{program}"), format!("{program} -c")] {
            let scope = Scope::Command(words.split(' ').map(str::to_owned).collect());
            assert!(Rule::allow(scope).is_err(), "{words}");
        }
        let error = Rule::allow(format!("command {program}").parse().unwrap()).unwrap_err();
        table += &format!("{error}\n");
        offers(&error).iter().for_each(|offer| drop(allow(offer)));
    }
    expect_file!["cases/refused-rules.txt"].assert_eq(&table);
}

/// The scopes that the message offers instead.
fn offers(error: &BadScope) -> Vec<String> {
    let text = error.to_string();
    let behind = text.split("; allow ").nth(1).unwrap().to_owned();
    let quoted = behind.split('`').skip(1).step_by(2);
    quoted.filter(|it| it.starts_with("command ")).map(str::to_owned).collect()
}

#[test]
fn a_word_that_runs_anything_is_refused_and_one_that_says_what_is_not() {
    let refused = "git config·git -C sub·git -c a=b·git bisect run·npm exec·npm run·npx -y eslint·npx bash·uv run·\
        uv run python·uvx sh·bundle exec ruby·docker run alpine·docker exec web sh·kubectl exec pod·\
        python3 -m·python3 -·node --eval·cargo +nightly·make -f x·deno eval 1·bun x·yarn dlx·poetry run bash";
    for words in refused.split('·') {
        assert!(Rule::allow(format!("command {words}").parse().unwrap()).is_err(), "{words}");
    }
    let allowed = "git status·git log·cargo test·npm test·npm run build·npx eslint·uv run pytest·uvx ruff·\
        bundle exec rspec·docker compose up·python3 check.py·python3 -m pytest·bash build.sh·make test·\
        go test ./...·java -jar x.jar·ls·touch·gcc·./gradlew test";
    for words in allowed.split('·') {
        allow(&format!("command {words}"));
    }
}

fn refused(scope: &str, expected: Expect) {
    let error: BadScope = match scope.parse::<Scope>() {
        Err(error) => error,
        Ok(scope) => Rule::allow(scope).unwrap_err(),
    };
    expected.assert_eq(&error.to_string());
}

#[test]
fn a_refused_rule_says_why_and_what_instead() {
    refused(
        "command bash",
        expect![
            "scope `command bash`: `bash` is a shell and runs whatever it is given; allow a script of the project, such as `command bash check.sh`"
        ],
    );
    refused(
        "command git -c",
        expect![
            "scope `command git -c`: `git` runs programs that its options and its configuration name; allow one of its words, such as `command git status`"
        ],
    );
    refused(
        "command",
        expect![
            "scope `command`: expected `command`, then words, or `tool`, then a name, or `host`, then a name, or `folder`, then a path"
        ],
    );
    refused(
        "everything",
        expect![
            "scope `everything`: expected `command`, then words, or `tool`, then a name, or `host`, then a name, or `folder`, then a path"
        ],
    );
    refused(
        "tool a b",
        expect!["scope `tool a b`: `b`: expected a name, `=` and a pattern such as `docs/**`"],
    );
    refused(
        "command",
        expect![
            "scope `command`: expected `command`, then words, or `tool`, then a name, or `host`, then a name, or `folder`, then a path"
        ],
    );
    refused(
        "tool write_file docs/**",
        expect![
            "scope `tool write_file docs/**`: `docs/**`: expected a name, `=` and a pattern such as `docs/**`"
        ],
    );
    refused(
        "tool write_file path=",
        expect![
            "scope `tool write_file path=`: `path=`: expected a name, `=` and a pattern such as `docs/**`"
        ],
    );
    refused(
        "tool write_file path={a",
        expect![
            "scope `tool write_file path={a`: `path={a`: expected a name, `=` and a pattern such as `docs/**`"
        ],
    );
    refused(
        "host https://example.org",
        expect![
            "scope `host https://example.org`: expected a host such as `example.org`, or `*.example.org` for all below it, without scheme, port and path; write other letters than ASCII as `xn--…`"
        ],
    );
    refused(
        "host *.org",
        expect!["scope `host *.org`: this would allow nearly everything; name a part of it"],
    );
    refused(
        "folder ../x",
        expect![
            "scope `folder ../x`: expected a folder without `..`, such as `docs`, `~/notes` or `/srv/data`"
        ],
    );
    refused(
        "folder ~root",
        expect![
            "scope `folder ~root`: expected a folder without `..`, such as `docs`, `~/notes` or `/srv/data`"
        ],
    );
    refused(
        "folder /",
        expect!["scope `folder /`: this would allow nearly everything; name a part of it"],
    );
    refused(
        "folder ~",
        expect!["scope `folder ~`: this would allow nearly everything; name a part of it"],
    );
}
