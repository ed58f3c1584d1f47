//! The programs that a command is said to start are those that run: commands that need no question are
//! run by bash below strace, and what the kernel was asked to execute is compared.
//!
//! `TAGLINE_TEST_TRACED` says how many; `cargo xtask traced --commands N` sets it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tagline_policy::{Mode, Sandbox, Situation, Verdict, decide, programs};

use crate::{
    random::{Random, number},
    situation::{command, situation},
};

/// Commands in the test command.
const FEW: u64 = 120;

const SEED: u64 = 0x7461_676c_696e_6535;

/// Commands for one run of strace: starting it costs more than most of them.
const BATCH: usize = 100;

/// Commands that succeed in the folder of this test.
const GOOD: &[&str] = &[
    "ls",
    "ls -la",
    "ls -1 d",
    "cat f",
    "cat f g",
    "head -n 1 f",
    "tail -n 2 g",
    "wc -l f",
    "grep a f",
    "grep -n 'a b' g",
    "sort f",
    "uniq g",
    "cut -c1-2 f",
    "stat f",
    "basename d/h",
    "dirname d/h",
    "seq 3",
    "nl f",
    "tac f",
    "rev f",
    "od -c f",
    "md5sum f",
    "sha256sum f g",
    "du -s d",
    "diff f f",
    "cmp f f",
    "find . -name f",
    "find d -type f",
    "comm f f",
    "paste f g",
    "fold -w 3 g",
    "echo hi",
    "printf '%s' a",
    "pwd",
    "true",
    "test -f f",
    "type ls",
    "date -u",
    "uname -s",
    "id -u",
    "whoami",
    "sed -n 1p f",
    "tr a b",
    "readlink -f f",
    "realpath f",
    "expr 1 + 1",
    "strings f",
    "file f",
    "env cat f",
    "nice ls",
    "nice -n 5 cat f",
    "timeout 5 wc -l f",
    "command ls",
    "command echo x",
    "env timeout 5 nice cat g",
    "ls 2>/dev/null",
    "cat f >/dev/null",
    "'ls' \"d\"",
    "c\\at f",
    "echo 'a && ls; $(cat f)'",
    "time ls",
    "bash -c 'ls d'",
    "bash -c 'cat f; echo x'",
    "sh -c 'wc -l f && true'",
    "find . -name f -exec cat {} +",
    "env -i cat f",
    "xargs -n 1 echo",
    "xargs",
    "exec ls",
    "nohup ls",
];

/// Commands that fail in it.
const BAD: &[&str] = &[
    "false",
    "grep nothing f",
    "test -f no",
    "ls no",
    "cat no",
    "cmp f g",
    "diff f g",
    "stat no",
    "timeout 5 false",
    "env grep -q nothing g",
    "bash -c 'ls no'",
];

/// What may stand behind a command, so that the next one runs.
const AFTER_GOOD: [&str; 5] = [" && ", "; ", " | ", "\n", "&&"];
const AFTER_BAD: [&str; 5] = [" || ", "; ", " | ", "\n", "||"];

/// A command, each part of which runs.
fn generated(random: &mut Random) -> String {
    let mut text = String::new();
    let mut is_good = true;
    for n in 0..=random.below(4) {
        if n > 0 {
            let joins = if is_good { AFTER_GOOD } else { AFTER_BAD };
            text += *random.pick(&joins);
        }
        is_good = random.happens(75);
        text += *random.pick(if is_good { GOOD } else { BAD });
        // What replaces the shell is its last.
        if text.ends_with("exec ls") {
            break;
        }
    }
    text
}

/// Whether it runs without a question, without a sandbox or in a proven one.
fn is_run(text: &str) -> bool {
    let plain = situation(Mode::Auto);
    let proven = Situation { sandbox: Sandbox::Proven, ..plain.clone() };
    [plain, proven].iter().any(|it| matches!(decide(&command(text), it), Verdict::Allow { .. }))
}

fn base(path: &str) -> String {
    path.rsplit('/').next().unwrap().to_owned()
}

/// The programs that each command executes, by the last parts of their paths.
fn traced(folder: &Path, texts: &[String]) -> Vec<BTreeSet<String>> {
    let log = folder.join("strace.log");
    // Each is begun by a program that is none of theirs, so that the log can be cut.
    let each = "for text in \"$@\"; do /usr/bin/env --version >/dev/null; \
                bash --noprofile --norc -c \"$text\" </dev/null >/dev/null 2>&1; done; :";
    #[expect(clippy::disallowed_methods, reason = "what the kernel says is the reference")]
    let mut strace = Command::new("strace");
    let strace =
        strace.args(["-f", "-qq", "-s", "200", "-e", "trace=execve", "-e", "signal=none", "-o"]);
    let strace = strace.arg(&log).args(["bash", "--noprofile", "--norc", "-c", each, "bash"]);
    let status = strace.args(texts).current_dir(folder.join("w")).status();
    // It is in the package of that name.
    let status = status.unwrap();
    assert!(status.success(), "{status}");
    cut(&fs::read_to_string(log).unwrap())
}

/// What was executed between the marks of a log.
fn cut(log: &str) -> Vec<BTreeSet<String>> {
    let mut begun = BTreeMap::new();
    let mut found: Vec<Vec<String>> = Vec::new();
    for line in log.lines() {
        let (pid, rest) = line.split_once(' ').unwrap();
        if let Some((_, call)) = rest.split_once("execve(\"") {
            begun.insert(pid.to_owned(), call.to_owned());
        }
        if !rest.trim_end().ends_with("= 0") {
            continue;
        }
        let call = begun.remove(pid).unwrap();
        if call.contains("\"--version\"") {
            found.push(Vec::new());
        } else if let Some(last) = found.last_mut() {
            last.push(base(call.split('"').next().unwrap()));
        }
    }
    // The first is the bash that reads the command.
    found.into_iter().map(|names| names.into_iter().skip(1).collect()).collect()
}

/// The folder in which all of them are run.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("traced");
    let path = |name: &str| folder.join("w").join(name);
    fs::create_dir_all(path("d")).unwrap();
    for (name, text) in [("f", "a\nb\nc\n"), ("g", "a b\na b\nx y\n"), ("d/h", "h\n")] {
        fs::write(path(name), text).unwrap();
    }
    folder
}

#[test]
fn what_is_said_to_run_is_what_runs() {
    let n = number("TAGLINE_TEST_TRACED").unwrap_or(FEW);
    let folder = folder();
    let texts = (0..).map(|n| generated(&mut Random::of(SEED, n))).filter(|text| is_run(text));
    let texts: Vec<String> = texts.take(usize::try_from(n).unwrap()).collect();
    let mut n_programs = 0;
    for texts in texts.chunks(BATCH) {
        for (text, ran) in texts.iter().zip(traced(&folder, texts)) {
            let said = programs(text, &folder);
            let names: BTreeSet<String> = said.names.iter().map(|name| base(name)).collect();
            assert!(said.is_certain, "{text:?}");
            assert_eq!(names, ran, "{text:?}");
            n_programs += ran.len();
        }
    }
    println!("{n} commands, {n_programs} programs: as said");
}
