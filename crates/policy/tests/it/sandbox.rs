//! What a proven sandbox runs without a question in mode auto, and what it does not.

use expect_test::{Expect, expect};
use tagline_policy::{Mode, Rule, Sandbox, Situation, Verdict, decide};

use crate::situation::{command, shown, situation};

/// Each command in a proven sandbox in mode auto, and what becomes of it.
#[track_caller]
fn judged(texts: &[&str], expected: Expect) {
    let proven = Situation { sandbox: Sandbox::Proven, ..situation(Mode::Auto) };
    let line = |text: &&str| format!("{text}\n    {}\n", shown(&decide(&command(text), &proven)));
    expected.assert_eq(&texts.iter().map(line).collect::<String>());
}

#[track_caller]
fn check(texts: &[&str], is_run: bool) {
    for text in texts {
        let proven = Situation { sandbox: Sandbox::Proven, ..situation(Mode::Auto) };
        let verdict = decide(&command(text), &proven);
        let allowed = matches!(verdict, Verdict::Allow { .. });
        assert_eq!(allowed, is_run, "{text}: {}", shown(&verdict));
    }
}

#[test]
fn addresses_of_this_machine_are_told_from_others() {
    check(
        &[
            "curl http://localhost:3000/a?b=c",
            "curl 127.0.0.1:80",
            "curl http://[::1]:8080",
            "wget localhost",
        ],
        true,
    );
    check(
        &[
            "curl http://localhost@evil.net",
            "curl http://localhost:80@evil.net/",
            "curl 'http://localhost\\@evil.net'",
            "curl http://localhost%2eevil.net",
            "curl http://localhost.evil.net",
            "curl http://127.0.0.1.nip.io",
            "curl http://127.1",
            "curl http://0x7f000001",
            "curl http://[::1]evil.net",
            "curl ftp://localhost",
            "curl -x evil.net:80 http://localhost",
            "curl",
            "curl --unix-socket s http://localhost",
        ],
        false,
    );
}

#[test]
fn scripts_that_cannot_be_read_ask() {
    check(&["bash -c 'ls src'", "bash -c 'cargo build && cargo test'"], true);
    check(
        &[
            "bash -c 'ls )'",
            "bash -c 'for x in'",
            "bash -c 'rm $X'",
            "sh",
            "ls | sh",
            "python3",
            "bash -c",
        ],
        false,
    );
}

#[test]
fn what_steers_other_programs_asks() {
    check(&["A=1 cargo test", "NODE_ENV=test npm test", "env RUST_LOG=debug cargo run"], true);
    check(
        &[
            "PATH=. ls x y",
            "LD_PRELOAD=./x.so cargo test",
            "env GIT_SSH_COMMAND=./x git status",
            "PYTHONPATH=x python3 a.py",
            "A=/etc/passwd cargo test",
            "git -c alias.x=y status",
            "tar --checkpoint-a=1 -cf a b",
            "sudo ls x",
            "docker ps",
            "cd && ls",
            "cat < /etc/passwd",
            "cp .env a",
            "cp a .git/config",
        ],
        false,
    );
}

#[test]
fn a_question_of_the_sandbox_offers_each_program_once_or_nothing() {
    judged(
        &[
            "cp a /etc/b",
            "cp * /etc/b",
            "cargo test /etc; cargo test /etc; touch a",
            "cargo test /etc; python3 -c x",
            "1A=x touch a",
        ],
        expect![[r#"
            cp a /etc/b
                ask: `/etc/b` is outside the workspace [command cp]
            cp * /etc/b
                ask: `/etc/b` is outside the workspace
            cargo test /etc; cargo test /etc; touch a
                ask: `/etc` is outside the workspace [command cargo test] [command touch]
            cargo test /etc; python3 -c x
                ask: `/etc` is outside the workspace
            1A=x touch a
                ask: the command is not understood: `1A=x` is no plain program name
        "#]],
    );
}

/// A command that wants these hosts, in a proven sandbox in mode auto, under a rule for one of them.
#[track_caller]
fn reaching(cases: &[(&str, &[&str])], expected: Expect) {
    let rules = vec![Rule::allow("host example.org".parse().unwrap()).unwrap()];
    let proven = Situation { sandbox: Sandbox::Proven, rules, ..situation(Mode::Auto) };
    let line = |(text, hosts): &(&str, &[&str])| {
        let mut call = command(text);
        call.claims.hosts = hosts.iter().map(|it| (*it).to_owned()).collect();
        format!("{text} {hosts:?}\n    {}\n", shown(&decide(&call, &proven)))
    };
    expected.assert_eq(&cases.iter().map(line).collect::<String>());
}

#[test]
fn a_command_that_wants_the_network_is_not_held_by_a_sandbox() {
    reaching(
        &[
            ("ls", &["example.org"]),
            ("ls", &["example.net"]),
            ("ls", &["example.org", "example.net"]),
            ("ls", &["*"]),
            ("touch a", &[]),
            ("touch a", &["*"]),
            ("touch a", &["example.org"]),
        ],
        expect![[r#"
            ls ["example.org"]
                allow (read-only command)
            ls ["example.net"]
                ask: the command wants to reach `example.net`
            ls ["example.org", "example.net"]
                ask: the command wants to reach `example.net`
            ls ["*"]
                allow (read-only command)
            touch a []
                allow (mode auto in the sandbox)
            touch a ["*"]
                ask: `touch a` is not known to only read [command touch]
            touch a ["example.org"]
                ask: `touch a` is not known to only read [command touch]
        "#]],
    );
}

#[test]
fn places_in_code_are_found_where_the_program_reads_code() {
    check(
        &[
            "git commit -m 'see /etc/hosts'",
            "awk '{print > \"out/x\"}' a",
            "sqlite3 a.db 'select 1'",
            "sed -n '/a/p' b",
            "sed -i '/a/d' b",
            "awk '/foo/ {print}' a",
            "make PYTHON.x=1",
            "mytool w/etc/x",
        ],
        true,
    );
    check(
        &[
            "awk '{print > \"/etc/x\"}' a",
            "python3.12 -c 'x = \"/etc/x\"'",
            "sqlite3 a.db 'attach \"/etc/x\" as b'",
            "python3 -c 'x(\"/etc/ssl/\")'",
            "python3 -c 'x(\"../\")'",
            "mytool 'f(\"/etc/x\")'",
            "python3 -c 'x(\"..\")'",
        ],
        false,
    );
}

#[test]
fn code_that_hides_or_writes_elsewhere_asks_in_words() {
    let (long, short) = ("a".repeat(64), "a".repeat(63));
    let texts = [
        "sed '1,5w/etc/x' a".to_owned(),
        "sed 'r/etc/x' a".to_owned(),
        "sed 'w out' a".to_owned(),
        "python3 -c 'import os; os.system(1)'".to_owned(),
        "python3 -c 'print(\"\\x41\")'".to_owned(),
        "python3 -c 'os.sys\\tem(1)'".to_owned(),
        "python3 -c 'print(1)'".to_owned(),
        format!("python3 -c 'x({long})'"),
        format!("python3 -c 'x({short})'"),
    ];
    judged(
        &texts.each_ref().map(String::as_str),
        expect![[r#"
        sed '1,5w/etc/x' a
            ask: `/etc/x` is outside the workspace
        sed 'r/etc/x' a
            ask: `/etc/x` is outside the workspace [command sed r/etc/x]
        sed 'w out' a
            allow (mode auto in the sandbox)
        python3 -c 'import os; os.system(1)'
            ask: the code for `python3` starts other programs, or hides what it does
        python3 -c 'print("\x41")'
            ask: the code for `python3` starts other programs, or hides what it does
        python3 -c 'os.sys\tem(1)'
            ask: the code for `python3` starts other programs, or hides what it does
        python3 -c 'print(1)'
            allow (mode auto in the sandbox)
        python3 -c 'x(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)'
            ask: the code for `python3` starts other programs, or hides what it does
        python3 -c 'x(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)'
            allow (mode auto in the sandbox)
    "#]],
    );
}

#[test]
fn programs_that_are_run_by_options_or_lie_elsewhere_ask() {
    check(
        &[
            "mytool --ext x",
            "tar --checkpoint=1 -cf a b",
            "tar --create --file a.tar b",
            "git checkout -- a",
            "mytool --a/etc/b",
            "mytool --a/../../x",
            "echo a >> b",
            "echo a >| b",
            "echo /etc/passwd; touch a",
            "python3 a.py",
        ],
        true,
    );
    check(
        &[
            "../run.sh",
            "a/../../run.sh",
            "python3 'a b.py'",
            "python3 /dev/stdin",
            "find . -exec python3 {} +",
            "tar --rs=./x -tf host:a",
            "tar --rm=./x -tf host:a",
            "tar --us=./x -tf a",
            "rsync --rs=./x a b",
            "mytool a.b://etc/x",
            "mytool ://etc/x",
            "mytool '~/x'",
            "mytool '~'",
            "A=1; touch a",
            "1A=x touch a",
        ],
        false,
    );
}

/// Commands that want the network, or that only look so.
const REACHING: &[&str] = &[
    "npm install x",
    "npm test",
    "yarn",
    "yarn build",
    "ssh x",
    "rsync a host:b",
    "rsync a b",
    "curl localhost localhost:3000",
];

/// Of git, what reaches out or changes what it obeys.
const GIT: &[&str] = &[
    "git push",
    "git",
    "git --version",
    "git remote -v",
    "git remote get-url origin",
    "git remote add x y",
    "git config --get user.name",
    "git config a.b c",
    "git submodule status",
    "git submodule update",
    "git branch x",
    "git branch -u origin/x",
    "git branch --set-upstream-to=origin/x",
    "git rebase main",
    "git rebase -x make main",
];

#[test]
fn what_wants_the_network_asks_in_words() {
    judged(
        REACHING,
        expect![[r#"
        npm install x
            ask: `npm install` wants the network, which the sandbox does not give [command npm install]
        npm test
            allow (mode auto in the sandbox)
        yarn
            ask: `yarn` wants the network, which the sandbox does not give
        yarn build
            allow (mode auto in the sandbox)
        ssh x
            ask: `ssh` wants the network, which the sandbox does not give
        rsync a host:b
            ask: `rsync` wants the network, which the sandbox does not give [command rsync]
        rsync a b
            allow (mode auto in the sandbox)
        curl localhost localhost:3000
            allow (mode auto in the sandbox)
    "#]],
    );
}

#[test]
fn of_git_only_what_stays_here_runs() {
    judged(
        GIT,
        expect![[r#"
        git push
            ask: `git push` may want the network, or change what git obeys [command git push]
        git
            allow (mode auto in the sandbox)
        git --version
            allow (mode auto in the sandbox)
        git remote -v
            allow (mode auto in the sandbox)
        git remote get-url origin
            allow (mode auto in the sandbox)
        git remote add x y
            ask: `git remote add` may want the network, or change what git obeys [command git remote]
        git config --get user.name
            allow (mode auto in the sandbox)
        git config a.b c
            ask: `git config a.b` may want the network, or change what git obeys
        git submodule status
            allow (mode auto in the sandbox)
        git submodule update
            ask: `git submodule update` may want the network, or change what git obeys
        git branch x
            allow (mode auto in the sandbox)
        git branch -u origin/x
            ask: `git branch -u` may want the network, or change what git obeys [command git branch]
        git branch --set-upstream-to=origin/x
            ask: `git branch --set-upstream-to=origin/x` may want the network, or change what git obeys [command git branch]
        git rebase main
            allow (mode auto in the sandbox)
        git rebase -x make main
            ask: `git rebase -x` may want the network, or change what git obeys [command git rebase]
    "#]],
    );
}
