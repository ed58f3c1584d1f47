//! What a proven sandbox runs without a question in mode auto, and what it does not.

use tagline_policy::{Mode, Sandbox, Situation, Verdict, decide};

use crate::situation::{command, shown, situation};

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
