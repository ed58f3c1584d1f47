//! Runs and chats at the server of their folder: the same output and codes as without one.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, Stdio},
    time::Duration,
};

use expect_test::expect;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::Bench;

const WORK: &str = "=== reply\nI begin.\n<write_file path=\"a.txt\">one</write_file>\n<execute_command>echo once >> log.txt</execute_command>\n=== usage in=1000 cached=600 out=50\n\n=== reply\n<say>It is there.</say>\n=== usage in=1200 out=20\n";

/// The same command line without a server and at one; what both wrote.
#[track_caller]
fn check_same(script: &str, mode: &str, args: &str) -> String {
    let alone = Bench::new().write("work/s.txt", script);
    let alone = alone.var("TAGLINE_MODEL", "script/s.txt").var("TAGLINE_MODE", mode);
    let near = alone.run(args);
    let bench = Bench::new().write("work/s.txt", script);
    let bench = bench.var("TAGLINE_MODEL", "script/s.txt").var("TAGLINE_MODE", mode);
    let _served = bench.serve("");
    let far = bench.run(args);
    assert_eq!(far, near);
    assert!(!near.contains("beside"), "{near}");
    near
}

#[test]
fn a_run_writes_the_same_and_ends_the_same() {
    let shown = check_same(WORK, "full", "run go");
    assert!(shown.contains("It is there.") && shown.ends_with("exit 0\n"), "{shown}");
    check_same(WORK, "full", "run -q go");
    check_same(WORK, "full", "run --json go");
}

#[test]
fn what_nobody_can_be_asked_is_refused_with_the_same_code() {
    let shown = check_same(WORK, "ask", "run -q --json go");
    assert!(shown.contains(r#""status":"needs_human","code":9"#), "{shown}");
    let shown = check_same(WORK, "plan", "run -q --json go");
    assert!(shown.contains(r#""code":5"#), "{shown}");
}

#[test]
fn a_bound_that_asks_ends_the_turn_where_nobody_can_be_asked() {
    let looks = "=== reply\n<list_files path=\".\"/>\n=== repeat forever\n";
    let bench = Bench::new().write("work/s.txt", looks);
    let flags = "--model script/s.txt --mode full --max-passes 2 --at-limit ask";
    let _served = bench.serve(flags);
    let shown = bench.run("run -q --json go");
    assert!(shown.contains(r#""status":"limit","code":6"#), "{shown}");
    assert!(shown.contains(r#""reason":"max_passes""#), "{shown}");
}

#[test]
fn a_model_that_fails_ends_with_the_same_code() {
    let faulty = "=== reply\n=== fault overloaded fail The provider is busy.\n";
    let shown = check_same(faulty, "full", "run go");
    assert!(shown.contains("The provider is busy"), "{shown}");
    let bench = Bench::new().write("work/s.txt", "=== reply\nYes.\n");
    bench.run("run -q --model script/s.txt go");
    let _served = bench.serve("");
    let shown = bench.run("run -r none go");
    assert!(shown.contains("there is no session `none`") && shown.ends_with("exit 2\n"), "{shown}");
}

#[test]
fn frames_come_as_they_stand_in_the_journal() {
    let bench = Bench::new().write("work/s.txt", WORK);
    let _served = bench.serve("--model script/s.txt --mode full");
    let output = bench.command("run --jsonl go").output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    let id = id_of(&shown);
    let kept = bench.command(&format!("sessions show {id} --json")).output().unwrap().stdout;
    let kept = String::from_utf8(kept).unwrap();
    let ours: String = kept
        .lines()
        .filter(|line| line.contains("\"run\":\"t1\""))
        .map(|it| format!("{it}\n"))
        .collect();
    assert_eq!(shown, ours);
}

fn id_of(jsonl: &str) -> String {
    let frame: Value = serde_json::from_str(jsonl.lines().next().unwrap()).unwrap();
    frame.get("session").and_then(Value::as_str).unwrap().to_owned()
}

#[test]
fn a_session_goes_on_and_is_copied_at_the_server() {
    let bench = Bench::new().write("work/s.txt", "=== reply\nYes.\n=== repeat forever\n");
    let _served = bench.serve("--model script/s.txt");
    let first = bench.command("run --jsonl one").output().unwrap().stdout;
    let id = id_of(&String::from_utf8(first).unwrap());
    assert_eq!(bench.run("run -q -c two"), "--- stdout\nYes.\nexit 0\n");
    assert_eq!(bench.run(&format!("run -q -r {} three", &id[..8])), "--- stdout\nYes.\nexit 0\n");
    assert_eq!(bench.run(&format!("run -q --fork {id} four")), "--- stdout\nYes.\nexit 0\n");
    let list = bench.run("sessions list");
    assert_eq!(list.matches("[id]").count(), 2, "{list}");
    assert_eq!(bench.run(&format!("replay {id}")).matches("you ").count(), 3);
}

#[test]
fn what_is_its_own_works_beside_the_server_in_a_session_of_its_own() {
    let bench = Bench::new().write("work/s.txt", "=== reply\nYes.\n=== repeat forever\n");
    let _served = bench.serve("--model script/s.txt");
    expect![[r#"
        --- stderr
        working beside the server of this folder, because --mode is its own
        error: no model was found: expected `--model`, a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, or a local server (Ollama, LM Studio, llama.cpp, vLLM) on its usual port; `tagline models` shows what there is, `tagline demo` needs none
        exit 3
    "#]].assert_eq(&bench.run("run --mode plan one"));
    expect![[r#"
        --- stderr
        error: a server has the sessions of this folder, and this would work beside it, because --mode is its own; leave that out, copy the session with `--fork`, or stop the server
        exit 2
    "#]].assert_eq(&bench.run("run --mode plan -c two"));
    expect![[r#"
        --- stderr
        error: a server has the sessions of this folder, and this would work beside it, because of `--no-server`; leave that out, copy the session with `--fork`, or stop the server
        exit 2
    "#]].assert_eq(&bench.run("run --no-server -c two"));
    expect![[r#"
        --- stdout
        Yes.
        exit 0
    "#]]
    .assert_eq(&bench.run("run -q --no-server --model script/s.txt two"));
}

#[test]
fn another_server_is_asked_with_its_token() {
    let bench = Bench::new().write("work/s.txt", "=== reply\nYes.\n=== repeat forever\n");
    let served = bench.serve("--model script/s.txt");
    let away = |token: &str| Bench::new().var("TAGLINE_SERVER_TOKEN", token);
    let args = format!("run -q --server {} hi", served.url);
    expect![[r#"
        --- stderr
        error: --server: expected its token in TAGLINE_SERVER_TOKEN, but that is not set; `tagline token show` prints it where the server runs
        exit 3
    "#]].assert_eq(&Bench::new().run(&args));
    let wrong = away("wrong").run(&args);
    assert!(wrong.contains("token") && wrong.ends_with("exit 3\n"), "{wrong}");
    let right = away(&bench.token(""));
    assert_eq!(right.run(&args), "--- stdout\nYes.\nexit 0\n");
    let list = right.run(&format!("sessions --server {} list", served.url));
    assert!(list.contains("hi\n") && list.ends_with("exit 0\n"), "{list}");
    assert_eq!(list, bench.run("sessions list"));
    let unfit = right.run(&format!("run --mode plan --server {} hi", served.url));
    expect![[r#"
        --- stderr
        error: --server: the server works with its own settings, but this names --mode; leave it out
        exit 2
    "#]]
    .assert_eq(&unfit);
    drop(served);
    assert!(right.run(&args).ends_with("exit 4\n"));
}

#[test]
fn a_chat_talks_at_the_server() {
    let bench = Bench::new().write("work/s.txt", "=== reply\nYes.\n=== repeat forever\n");
    let _served = bench.serve("--model script/s.txt");
    let mut command = bench.command("chat");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"one\n/mode plan\n/mode\ntwo\n").unwrap();
    expect![[r#"
        --- stdout
        Yes.
        Yes.
        --- stderr
        session [id]; /help lists commands, Ctrl-D ends
        tagline 0.1.0  script/s.txt  mode ask  session [id]
          say       Yes.
        done  1 pass [time]
        mode plan
        mode plan
          say       Yes.
        done  1 pass [time]
        exit 0
    "#]]
    .assert_eq(&bench.show(&child.wait_with_output().unwrap()));
}

#[test]
fn commands_of_a_killed_server_end_with_the_next_start() {
    let slow = "=== reply\n<execute_command>echo $$ > pid.txt; echo once >> log.txt; exec sleep 600</execute_command>\n";
    let bench = Bench::new().write("work/s.txt", slow);
    let mut served = bench.serve("--model script/s.txt --mode full --sandbox off");
    let mut child = working(&bench);
    served.kill();
    child.kill().unwrap();
    child.wait().unwrap();
    let pid = fs::read_to_string(bench.path("work/pid.txt")).unwrap();
    let stat = format!("/proc/{}/stat", pid.trim());
    let _served = bench.serve("");
    // Where nobody fetches its status, a process that has ended stays there as a zombie.
    let left = fs::read_to_string(stat).unwrap_or_default();
    assert!(left.is_empty() || left.contains(") Z "), "what nobody owns any more is gone: {left}");
}

const SLOW: &str = "=== reply\n<execute_command>echo once >> log.txt; sleep 600</execute_command>\n\n=== reply\n=== expect contains outcome unknown\nI look first.\n";

/// A run that has begun to work.
fn working(bench: &Bench) -> Child {
    let mut command = bench.command("run --jsonl go");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    let is_running = |line: &str| line.contains("\"type\":\"tool.running\"");
    assert!(lines.map(Result::unwrap).any(|line| is_running(&line)));
    while !fs::exists(bench.path("work/log.txt")).unwrap() {
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

fn newest(bench: &Bench) -> String {
    let list = bench.command("sessions list").output().unwrap().stdout;
    String::from_utf8(list).unwrap().split_whitespace().next().unwrap().to_owned()
}

#[test]
fn an_interrupt_stops_the_turn_and_a_terminal_that_goes_away_does_not() {
    for (signal, code, is_running) in [(Signal::INT, 130, false), (Signal::HUP, 143, true)] {
        let bench = Bench::new().write("work/s.txt", SLOW);
        let _served = bench.serve("--model script/s.txt --mode full");
        let mut child = working(&bench);
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code));
        let shown = bench.run(&format!("sessions show {} --json", newest(&bench)));
        assert_eq!(!shown.contains("\"run.finished\""), is_running, "{shown}");
    }
}

#[test]
fn a_killed_server_leaves_an_interrupted_turn_that_goes_on_and_doubles_nothing() {
    let bench = Bench::new().write("work/first.txt", SLOW).write(
        "work/second.txt",
        "=== reply\n=== expect contains outcome unknown\nI look first.\n",
    );
    let mut served = bench.serve("--model script/first.txt --mode full");
    let mut child = working(&bench);
    served.kill();
    child.kill().unwrap();
    child.wait().unwrap();
    let id = newest(&bench);
    let _served = bench.serve("--model script/second.txt --mode full");
    let shown = bench.run(&format!("sessions show {id} --json"));
    assert!(shown.contains("\"reason\":\"interrupted\""), "{shown}");
    assert_eq!(bench.run(&format!("run -q -r {id}")), "--- stdout\nI look first.\nexit 0\n");
    assert_eq!(fs::read_to_string(bench.path("work/log.txt")).unwrap(), "once\n");
    let done = bench.run(&format!("run -r {id}"));
    assert!(
        done.contains("expected a turn that was interrupted") && done.ends_with("exit 2\n"),
        "{done}"
    );
}
