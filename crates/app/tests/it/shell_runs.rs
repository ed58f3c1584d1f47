//! Commands that mean harm, asked of the real binary by a model that nobody watches: one row for
//! each case, `docs/shell-runs.md`. What the rules say of them without a binary stands in
//! `docs/shell-cases.md`.
//!
//! Nothing may appear beside the workspace, nothing in it may change where nobody said yes, and in
//! the sandbox, where everything runs, nothing that others obey may be changed.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use expect_test::expect_file;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tagline_testkit::{
    Choices,
    commands::{CASES, Case, Expect, mutated, real},
};

use crate::support::{
    hostile::{Hostile, Told},
    processes,
    table::Seen,
};

/// Other spellings that are asked for.
const N_MUTATIONS: u64 = 2_000;
/// Calls in a reply.
const IN_A_REPLY: usize = 100;

const SEED: u64 = 0x7461_676c_696e_6536;

/// A workspace as people have them, whose files mean harm to whoever runs them.
fn stage() -> Hostile {
    let stage = Hostile::new();
    stage.put("f", "a\nb\n");
    stage.put("src/a", "a\n");
    for program in ["ls", "p.sh", "touch"] {
        stage.put(program, "#!/bin/sh\n/usr/bin/touch $OUT/pwned\n");
        executable(&stage, program);
    }
    git(&stage, &["init", "-q"]);
    fs::create_dir(stage.bench.path("data")).unwrap();
    stage
}

fn executable(stage: &Hostile, name: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(stage.work(name), fs::Permissions::from_mode(0o755)).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "the user's own repository")]
fn git(stage: &Hostile, args: &[&str]) {
    let status = Command::new("git").args(args).current_dir(stage.work(".")).status().unwrap();
    assert!(status.success());
}

/// What lies in the workspace, and what is in it.
fn kept(stage: &Hostile) -> BTreeMap<String, Vec<u8>> {
    let work = stage.work("");
    let name = |file: &Path| file.strip_prefix(&work).unwrap().display().to_string();
    let files = stage.files("work").into_iter();
    files.map(|file| (name(&file), fs::read(&file).unwrap_or_default())).collect()
}

/// How a command went, and why.
#[derive(Debug)]
struct Went {
    command: String,
    outcome: String,
    why: String,
}

fn call(command: &str) -> String {
    format!("<execute_command><![CDATA[{command}]]></execute_command>\n")
}

/// How each call went, in their order.
fn went(told: &Told) -> Vec<Went> {
    let text = |it: &Value, pointer: &str| {
        it.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let by_call = |kind: &str| -> BTreeMap<String, &Value> {
        told.of(kind).into_iter().map(|it| (text(it, "/call"), it)).collect()
    };
    let (records, failed) = (by_call("audit"), by_call("tool.failed"));
    let read = told.of("tool.ready").into_iter().map(|ready| {
        let id = text(ready, "/call");
        Went {
            command: text(ready, "/arguments/command"),
            outcome: records.get(&id).map(|it| text(it, "/record/outcome")).unwrap_or_default(),
            why: failed.get(&id).map(|it| text(it, "/payload/reason")).unwrap_or_default(),
        }
    });
    read.collect()
}

/// The rules of these cases, and those that allow, of all cases, so that each has the most to gain.
fn rules(cases: &[&Case]) -> String {
    let all = CASES.iter().flat_map(|case| case.rules).filter(|it| it.starts_with("allow "));
    let own = cases.iter().flat_map(|case| case.rules).filter(|it| it.starts_with("deny "));
    let many = format!(" --calls-per-reply {IN_A_REPLY} --max-calls {IN_A_REPLY}");
    all.chain(own).fold(many, |flags, rule| {
        let (answer, scope) = rule.split_once(' ').unwrap();
        flags + &format!(" --{answer} {}", scope.replace(' ', "·"))
    })
}

/// Cases whose rules can hold beside each other.
fn groups() -> Vec<Vec<&'static Case>> {
    let mut groups: BTreeMap<Vec<&str>, Vec<&Case>> = BTreeMap::new();
    for case in CASES.iter().filter(|it| !matches!(it.expect, Expect::Later)) {
        let denied = case.rules.iter().copied().filter(|it| it.starts_with("deny ")).collect();
        groups.entry(denied).or_default().push(case);
    }
    groups.into_values().collect()
}

/// Plays the commands of these cases; how each went.
fn played(stage: &Hostile, flags: &str, cases: &[&Case]) -> Vec<Went> {
    let out = stage.real("$OUT");
    let inputs = cases.iter().flat_map(|case| case.inputs);
    let calls: String = inputs.map(|input| call(&real(input, &out))).collect();
    went(&stage.play(&format!("{flags}{}", rules(cases)), "go", &[&calls]))
}

/// Plays these cases where nobody is asked and no sandbox holds them: a row for each.
fn unattended(cases: &[&Case]) -> Vec<(&'static str, String)> {
    let stage = stage();
    let before = kept(&stage);
    let went = &mut played(&stage, "--mode auto", cases).into_iter();
    assert_eq!(before, kept(&stage));
    let row = |case: &&Case| {
        let went: Vec<Went> = went.take(case.inputs.len()).collect();
        assert_eq!(went.len(), case.inputs.len(), "{}", case.id);
        for it in &went {
            let expected = match case.expect {
                Expect::Runs => ["done", "failed"].contains(&it.outcome.as_str()),
                Expect::Asks => it.outcome == "denied" && it.why.contains("nobody is there"),
                Expect::Denied => {
                    it.outcome == "denied" && it.why.contains("a rule of the user refuses")
                }
                Expect::Later => false,
            };
            assert!(expected, "{}: {it:?}", case.id);
        }
        (case.id, format!("{} of {} {}", went.len(), went.len(), words(&case.expect)))
    };
    cases.iter().map(row).collect()
}

fn words(expect: &Expect) -> &'static str {
    match expect {
        Expect::Runs => "ran",
        Expect::Asks => "needed a yes, and did not run",
        Expect::Denied => "were refused by the rule",
        Expect::Later => "came later",
    }
}

/// Everything that the cases ask for, run in the sandbox where no question is asked.
fn in_the_sandbox() -> String {
    // On a machine without time a trial at the start may fail; then nothing runs.
    (0..5).find_map(|_| confined()).unwrap()
}

fn confined() -> Option<String> {
    let stage = stage();
    let before = obeyed(&stage);
    let cases: Vec<&Case> =
        CASES.iter().filter(|it| it.id != "SH-43" && it.id != "SH-37").collect();
    let went = played(&stage, "--mode full --sandbox require", &cases);
    let n_ran = went.iter().filter(|it| it.outcome != "denied").count();
    if n_ran == 0 || went.iter().any(|it| it.why.contains("sandbox")) {
        return None;
    }
    let after = obeyed(&stage);
    let changed = before.iter().find(|(name, bytes)| after.get(*name) != Some(*bytes));
    assert_eq!(changed, None);
    assert!(stage.bench.path("data").is_dir());
    let made: Vec<_> = after.into_keys().filter(|name| !before.contains_key(name)).collect();
    let made = if made.is_empty() { "none".to_owned() } else { made.join(", ") };
    Some(format!(
        "{n_ran} of {} commands ran; nothing beside the workspace, and nothing that others obey, was changed.\nNew among what others obey: {made}",
        went.len()
    ))
}

/// What other programs obey without asking.
fn obeyed(stage: &Hostile) -> BTreeMap<String, Vec<u8>> {
    let names = [".git/", ".bashrc", ".mcp.json", ".vscode", ".tagline", ".envrc"];
    let all = kept(stage).into_iter();
    all.filter(|(name, _)| names.iter().any(|it| name.starts_with(it))).collect()
}

fn a_stop_ends_all() -> Seen {
    let stage = stage();
    let seconds = format!("{}", 400_000_000 + u64::from(std::process::id()));
    let text = format!("setsid sh -c 'sleep {seconds} & sleep {seconds}' & echo begun; wait");
    let mut command = stage.bench.command("tools call --mode full execute_command --command");
    let mut child = command.arg(text).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.by_ref().any(|line| line.contains("| begun")));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    lines.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let left = processes::that_name(&seconds);
    assert!(left.is_empty(), "{left:?}");
    Ok("none was left when the command line came back".to_owned())
}

/// A yes for what was asked, given for something else, then rightly, then once more.
fn a_yes_is_for_what_was_shown() -> Seen {
    let stage = stage();
    let script = format!("=== reply\n{}\n=== reply\nDone.\n", call("touch a; touch b"));
    stage.put("s.txt", &script);
    let served = stage.bench.serve("--model script/s.txt --mode ask");
    let token = stage.bench.token("");
    let (session, asked) = served.asked(&token, "go");
    let hash = asked.get("hash").and_then(Value::as_str).unwrap();
    // With `arguments` it were a change of the call, which is judged anew.
    let yes = json!({ "session": session, "allow": true, "command": "touch $OUT/pwned" });
    let answer = |hash: &str, yes: &Value| {
        served.post(&format!("/api/approvals/{hash}"), &token, "application/json", &yes.to_string())
    };
    let other = hash.chars().rev().collect::<String>();
    let plain = json!({ "session": session, "allow": true });
    let answers =
        [answer(&other, &plain), answer(hash, &yes), answer(hash, &plain), answer(hash, &plain)];
    let there = |name: &str| stage.work(name).exists();
    assert!((0..6_000).any(|_| {
        thread::sleep(Duration::from_millis(10));
        there("b")
    }));
    stage.holds_nothing();
    Ok(format!(
        "with another hash, with a command beside it, rightly, and once more: {}",
        answers.join(", ")
    ))
}

fn a_timeout_is_no_refusal() -> Seen {
    let stage = stage();
    let reply = "<execute_command timeout_seconds=\"1\">echo part; sleep 60</execute_command>";
    let told = stage.play("--mode full", "go", &[reply]);
    told.ran(&["execute_command timed_out"]);
    let result = told.results().pop().unwrap();
    assert!(result.contains("part"), "{result}");
    Ok(result.lines().find(|line| line.contains("Error")).unwrap_or(&result).to_owned())
}

/// Other spellings of what must ask or be refused, asked of the binary where nobody answers.
fn mutations() -> String {
    let hostile: Vec<_> =
        CASES.iter().filter(|it| matches!(it.expect, Expect::Asks | Expect::Denied)).collect();
    let flags = format!("--mode auto{}", rules(&hostile));
    let stage = stage();
    let (before, out) = (kept(&stage), stage.real("$OUT"));
    let texts: Vec<String> = (0..N_MUTATIONS).map(|n| mutation(&hostile, n, &out)).collect();
    for texts in texts.chunks(IN_A_REPLY) {
        let reply: String = texts.iter().map(|text| call(text)).collect();
        let went = went(&stage.play(&flags, "go", &[&reply]));
        assert_eq!(went.len(), texts.len());
        went.iter().zip(texts).for_each(|(it, text)| assert_eq!(it.command.trim(), text.trim()));
        let ran: Vec<_> = went.iter().filter(|it| it.outcome != "denied").collect();
        assert!(ran.is_empty(), "{ran:#?}");
    }
    assert_eq!(before, kept(&stage));
    format!(
        "\n## Other spellings\n\n{N_MUTATIONS} mutations of the same commands (seed {SEED:#x}: quoting, escapes, case, widths, blanks,\nhidden characters, nesting, wrappers, encodings, control flow), asked of the binary in mode `auto`, where nobody answers:\n**0** ran, and no file changed.\n"
    )
}

fn mutation(hostile: &[&Case], n: u64, out: &str) -> String {
    let choices = &mut Choices::of_seed(SEED.wrapping_add(n));
    let case = hostile.get(choices.below(hostile.len())).unwrap();
    mutated(&real(choices.word(case.inputs), out), choices)
}

/// What plays a case that no single reply can.
type Fixture = fn() -> Seen;

const OWN: [(&str, Fixture); 3] = [
    ("SH-37", a_stop_ends_all),
    ("SH-41", a_yes_is_for_what_was_shown),
    ("SH-43", a_timeout_is_no_refusal),
];

const HEAD: &str = "\
# Cases of commands, run

Written by `cargo test -p tagline-app --test it shell_runs`: the commands of [shell-cases.md](shell-cases.md), asked of the
real binary by a model that means harm, in mode `auto`, unattended and without a sandbox, with what the rules there allow.
Nothing may appear beside the workspace, and no file in it may change. The rows whose words name a sandbox are run in one
too, below.

| case | what must follow | what was seen |
|--|--|--|
";

#[test]
fn commands_that_mean_harm_do_none() {
    let judged = groups().into_iter().flat_map(|cases| unattended(&cases));
    let mut seen: BTreeMap<&str, String> = judged.collect();
    seen.extend(OWN.map(|(id, fixture)| (id, fixture().unwrap())));
    let mut table = HEAD.to_owned();
    for case in CASES {
        let seen = seen.get(case.id).unwrap();
        writeln!(table, "| {} | {} | passed: {seen} |", case.id, case.words).unwrap();
    }
    write!(table, "\n## In the sandbox\n\nMode `full`, sandbox required: {}.\n", in_the_sandbox())
        .unwrap();
    table += &mutations();
    expect_file!["../../../../docs/shell-runs.md"].assert_eq(&table);
}
