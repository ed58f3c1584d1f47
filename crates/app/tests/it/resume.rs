//! `kill -9` in the middle of a turn: the journal opens, and nothing is done twice.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::{Child, Stdio},
};

use serde_json::Value;

use crate::support::Bench;

/// Starts a run whose model hangs after its calls, and kills it once a frame satisfies `is_there`.
/// Returns the frames that it had shown.
fn killed(bench: &Bench, script: &str, is_there: impl Fn(&Value) -> bool) -> Vec<Value> {
    let args = format!("run --model script/../{script} --mode full --jsonl count");
    let mut child =
        bench.command(&args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut shown = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let frame: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let is_enough = is_there(&frame);
        shown.push(frame);
        if is_enough {
            break;
        }
    }
    kill(&mut child);
    shown
}

/// SIGKILL, so that nothing of ours runs on the way out.
fn kill(child: &mut Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

fn is(frame: &Value, kind: &str) -> bool {
    frame.get("type").and_then(Value::as_str) == Some(kind)
}

fn text<'a>(frame: &'a Value, key: &str) -> &'a str {
    frame.get(key).and_then(Value::as_str).unwrap()
}

/// Every frame of the session, from the journal alone.
fn kept(bench: &Bench, session: &str) -> Vec<Value> {
    let output = bench.command(&format!("sessions show {session} --json")).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const APPEND: &str =
    "=== reply\n<execute_command>echo once >> log.txt</execute_command>\n\n=== hang\n";

#[test]
fn a_killed_turn_goes_on_and_repeats_no_finished_call() {
    let bench = Bench::new().write("first.txt", APPEND).write(
        "second.txt",
        "=== reply\n=== expect contains exit 0\n=== expect lacks outcome unknown\nIt was counted.\n",
    );
    let shown = killed(&bench, "first.txt", |frame| is(frame, "tool.done"));
    let session = text(shown.first().unwrap(), "session").to_owned();
    let kept = kept(&bench, &session);
    assert_eq!(kept.get(..shown.len()), Some(shown.as_slice()), "what was shown is kept");
    let again = bench.run(&format!("run --model script/../second.txt -r {session} -q"));
    assert_eq!(again, "--- stdout\nIt was counted.\nexit 0\n");
    assert_eq!(fs::read_to_string(bench.path("work/log.txt")).unwrap(), "once\n");
}

#[test]
fn a_call_that_was_running_is_not_repeated_and_its_outcome_is_said_to_be_unknown() {
    let slow = "=== reply\n<execute_command>echo once >> log.txt; sleep 30</execute_command>\n\n=== hang\n";
    let bench = Bench::new()
        .write("first.txt", slow)
        .write("second.txt", "=== reply\n=== expect contains outcome unknown\nI look first.\n");
    let shown = killed(&bench, "first.txt", |frame| is(frame, "tool.running"));
    let session = text(shown.first().unwrap(), "session");
    let again = bench.run(&format!("run --model script/../second.txt -r {session} -q"));
    assert_eq!(again, "--- stdout\nI look first.\nexit 0\n");
    let log = fs::read_to_string(bench.path("work/log.txt")).unwrap_or_default();
    assert!(log.is_empty() || log == "once\n", "{log:?}");
}

#[test]
fn a_turn_killed_at_any_frame_can_be_shown_and_goes_on() {
    let reply = "=== reply\nI begin.\n<write_file path=\"a.txt\">one</write_file>\n\
                 <execute_command>echo once >> log.txt</execute_command>\n\n=== hang\n";
    let go_on = "=== reply\nDone.\n=== repeat forever\n";
    let script = |name| Bench::new().write("first.txt", reply).write(name, go_on);
    let is_last =
        |frame: &Value| is(frame, "tool.done") && text(frame, "event") == "execute_command";
    for seq in 1.. {
        let bench = script("second.txt");
        let has_come = |frame: &Value| frame.get("seq").and_then(Value::as_u64) >= Some(seq);
        let shown = killed(&bench, "first.txt", |frame| has_come(frame) || is_last(frame));
        let session = text(shown.first().unwrap(), "session").to_owned();
        let kept = kept(&bench, &session);
        assert_eq!(kept.get(..shown.len()), Some(shown.as_slice()), "killed at {seq}");
        let again =
            bench.run(&format!("run --model script/../second.txt --mode full -r {session} -q"));
        assert_eq!(again, "--- stdout\nDone.\nexit 0\n", "killed at {seq}");
        let log = fs::read_to_string(bench.path("work/log.txt")).unwrap_or_default();
        assert!(log.is_empty() || log == "once\n", "killed at {seq}: {log:?}");
        if is_last(shown.last().unwrap()) {
            break;
        }
    }
}
