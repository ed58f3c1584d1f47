//! Turns at a server that is away for a while, or for good.

use std::{fs, time::Duration};

use expect_test::expect;
use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Bench, proxy::Proxy, talk::Talk};

/// A command that ends once there is a file `go`, or its folder is gone with the test.
const UNTIL_GO: &str = "=== reply\n<execute_command>echo once >> log.txt; until [ -e go ] || [ ! -e \"$PWD\" ]; do sleep 0.1; done</execute_command>\n\n=== reply\nDone.\n";

/// Who works at the server of a bench from a home of their own.
fn visitor(bench: &Bench) -> Bench {
    Bench::new().var("TAGLINE_SERVER_TOKEN", &bench.token(""))
}

/// Ports and ids, which differ from run to run.
fn steady(text: &str) -> String {
    let port = regex::Regex::new(r"127\.0\.0\.1:\d+").unwrap();
    let id = regex::Regex::new(r"\b[0-9a-f]{12}\b").unwrap();
    id.replace_all(&port.replace_all(text, "127.0.0.1:PORT"), "[id]").into_owned()
}

/// The lines about the server.
fn about_server(err: &str) -> String {
    let is_about = |line: &&str| line.contains("the server") || line.starts_with("left;");
    let lines: String = err.lines().filter(is_about).map(|line| format!("{line}\n")).collect();
    steady(&lines)
}

#[test]
fn a_run_goes_on_behind_the_last_event_it_saw_once_its_server_can_be_reached_again() {
    let bench = Bench::new().write("work/s.txt", UNTIL_GO);
    let way = Proxy::open();
    let served = bench
        .serve(&format!("--model script/s.txt --mode full --host-name 127.0.0.1:{}", way.port));
    let address = served.url.trim_start_matches("http://");
    way.mend(address);
    let visitor = visitor(&bench);
    let mut talk = Talk::begin(visitor.command(&format!("run --jsonl --server {} go", way.url())));
    talk.out.wait_for("\"type\":\"tool.running\"");
    way.cut();
    talk.err.wait_for("is away");
    // The turn does not wait for its reader.
    fs::write(bench.path("work/go"), "").unwrap();
    way.mend(address);
    let (code, out, err) = talk.end();
    assert_eq!(code, 0, "{out}{err}");
    expect![[r#"
        the server at http://127.0.0.1:PORT is away; trying again for 120 s in all, Ctrl-C leaves; what was done is kept
        the server is back, and nothing was lost
    "#]]
    .assert_eq(&about_server(&err));
    let frames: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let seqs: Vec<u64> = frames.iter().map(|frame| frame["seq"].as_u64().unwrap()).collect();
    assert!(seqs.is_sorted_by(|one, next| one < next), "each is shown once: {seqs:?}");
    let of = |kind: &str| frames.iter().filter(|frame| frame["type"] == kind).count();
    assert_eq!([of("run.started"), of("tool.done"), of("run.finished")], [1, 1, 1], "{out}");
    assert_eq!(fs::read_to_string(bench.path("work/log.txt")).unwrap(), "once\n");
}

#[test]
fn what_is_said_while_the_server_is_away_is_delivered_once() {
    let bench = Bench::new().write("work/s.txt", "=== reply\nYes.\n=== repeat forever\n");
    let way = Proxy::open();
    let served = bench.serve(&format!("--model script/s.txt --host-name 127.0.0.1:{}", way.port));
    let address = served.url.trim_start_matches("http://");
    way.mend(address);
    let mut talk = Talk::typing(visitor(&bench).command(&format!("chat --server {}", way.url())));
    talk.say("one");
    talk.out.wait_for("Yes.");
    way.cut();
    talk.say("two");
    talk.err.wait_for("is away");
    way.mend(address);
    talk.out.wait_for("Yes.");
    let (code, out, err) = talk.end();
    assert_eq!((code, out.as_str()), (0, "Yes.\nYes.\n"), "{err}");
    let list = bench.command("sessions list").output().unwrap().stdout;
    let list = String::from_utf8(list).unwrap();
    let id = list.split_whitespace().next().unwrap();
    let kept = bench.run(&format!("sessions show {id} --json"));
    assert_eq!(kept.matches("\"type\":\"message.user\"").count(), 2, "{kept}");
}

#[test]
fn a_server_that_is_started_again_is_found_at_its_new_address() {
    let bench = Bench::new()
        .write("work/first.txt", UNTIL_GO)
        .write("work/second.txt", "=== reply\nYes.\n");
    let mut served = bench.serve("--model script/first.txt --mode full");
    let mut talk = Talk::begin(bench.command("run --jsonl go"));
    talk.out.wait_for("\"type\":\"tool.running\"");
    served.kill();
    talk.err.wait_for("is away");
    let _served = bench.serve("--model script/second.txt --mode full");
    let (code, out, err) = talk.end();
    assert_eq!(code, 1, "it sees that its turn was interrupted: {out}{err}");
    assert!(out.contains("\"reason\":\"interrupted\""), "{out}");
    assert!(about_server(&err).contains("the server is back"), "{err}");
}

#[test]
fn a_server_that_stays_away_ends_the_run_with_the_words_how_to_go_on() {
    let bench = Bench::new().write("work/s.txt", UNTIL_GO).var("TAGLINE_RECONNECT_TIMEOUT", "3");
    let mut served = bench.serve("--model script/s.txt --mode full");
    let talk = Talk::begin(bench.command("run --json go"));
    while !fs::exists(bench.path("work/log.txt")).unwrap() {
        std::thread::sleep(Duration::from_millis(10));
    }
    served.kill();
    let (code, out, err) = talk.end();
    expect![[r#"
        the server at http://127.0.0.1:PORT is away; trying again for 3 s in all, Ctrl-C leaves; what was done is kept
        error: the server at http://127.0.0.1:PORT was away for 3 s; what was done is kept; once it is back, go on with: tagline run -r [id]
    "#]]
    .assert_eq(&about_server(&err));
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, 4, "{err}");
    assert_eq!((&report["code"], &report["status"]), (&4.into(), &"unreachable".into()), "{out}");
    let quiet = Bench::new().write("work/s.txt", UNTIL_GO).var("TAGLINE_RECONNECT_TIMEOUT", "3");
    let mut served = quiet.serve("--model script/s.txt --mode full");
    let mut talk = Talk::begin(quiet.command("run -q --jsonl go"));
    talk.out.wait_for("\"type\":\"tool.running\"");
    served.kill();
    let (code, _, err) = talk.end();
    assert_eq!((code, err.lines().count()), (4, 1), "only how it ended: {err}");
}

#[test]
fn who_does_not_want_to_wait_for_the_server_leaves() {
    let bench = Bench::new().write("work/s.txt", UNTIL_GO);
    let mut served = bench.serve("--model script/s.txt --mode full");
    let mut talk = Talk::begin(bench.command("run --jsonl go"));
    talk.out.wait_for("\"type\":\"tool.running\"");
    served.kill();
    talk.err.wait_for("is away");
    talk.signal(Signal::INT);
    let (code, _, err) = talk.end();
    assert_eq!(code, 130);
    let last = about_server(&err).lines().last().unwrap_or_default().to_owned();
    assert_eq!(last, "left; once it is back, go on with: tagline run -r [id]");
}
