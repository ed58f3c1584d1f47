//! The server's process: where it listens, who owns its folder, how it ends.

mod bounds;
mod undo;

use std::{fs, net::TcpListener, time::Duration};

use expect_test::{Expect, expect};
use rustix::process::Signal;

use crate::support::Bench;

/// Ports and times, which differ from run to run.
fn steady(text: &str) -> String {
    let port = regex::Regex::new(r"127\.0\.0\.1:\d+").unwrap();
    let pid = regex::Regex::new(r"process \d+").unwrap();
    let since = regex::Regex::new(r"\d{4}-\d\d-\d\dT[0-9:.]+Z").unwrap();
    let text = port.replace_all(text, "127.0.0.1:PORT");
    let text = pid.replace_all(&text, "process PID");
    since.replace_all(&text, "TIME").into_owned()
}

#[track_caller]
fn check_refused(bench: &Bench, flags: &str, expected: Expect) {
    let mut command = bench.command(&format!("serve {flags}"));
    let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    // One that serves would never end.
    let has_ended = (0..6_000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        child.try_wait().unwrap().is_some()
    });
    if !has_ended {
        child.kill().unwrap();
    }
    expected.assert_eq(&steady(&bench.show(&child.wait_with_output().unwrap())));
}

#[test]
fn a_folder_is_served_once_and_free_again_after_a_kill() {
    let bench = Bench::new();
    let mut first = bench.serve("");
    check_refused(
        &bench,
        "--port 0",
        expect![[r#"
        --- stderr
        error: the folder `[test]/home/data` is served already by process PID since TIME at http://127.0.0.1:PORT; stop that one, or set TAGLINE_HOME to another folder
        exit 3
    "#]],
    );
    first.kill();
    drop(first);
    // What it left there names a process that runs: numbers of processes are given out again.
    let lock = bench.path("home/data/server.lock");
    let mut left: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&lock).unwrap()).unwrap();
    left.as_object_mut().unwrap().insert("pid".to_owned(), std::process::id().into());
    fs::write(&lock, left.to_string()).unwrap();
    bench.serve("");
}

#[test]
fn a_taken_port_is_told_and_never_replaced() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let shown = steady(&Bench::new().run(&format!("serve --port {port}")));
    let owner = regex::Regex::new(r"by it-?\w* ").unwrap();
    expect![[r#"
        --- stderr
        error: cannot listen at 127.0.0.1:PORT: the port is in use by it-[id] (process PID); stop it, or choose another port with `--port`
        exit 3
    "#]].assert_eq(&owner.replace_all(&shown, "by IT "));
}

#[test]
fn other_addresses_are_refused_unless_the_flag_says_so() {
    check_refused(
        &Bench::new(),
        "--host 0.0.0.0",
        expect![[r#"
        --- stderr
        error: cannot listen at `0.0.0.0`: it means every network this machine is on, and only this machine itself is allowed; leave the address out, or add `--dangerously-let-the-network-in`
        exit 2
    "#]],
    );
    check_refused(
        &Bench::new(),
        "--host 10.0.0.1",
        expect![[r#"
        --- stderr
        error: cannot listen at `10.0.0.1`: expected 127.0.0.1 or ::1, because other machines can reach other addresses; leave the address out, or add `--dangerously-let-the-network-in`
        exit 2
    "#]],
    );
    check_refused(
        &Bench::new(),
        "--host example.org",
        expect![[r#"
        --- stderr
        error: cannot listen at `example.org`: expected an address such as 127.0.0.1 or ::1, but found a name; write the address
        exit 2
    "#]],
    );
    let bench = Bench::new().var("TAGLINE_DANGEROUSLY_LET_THE_NETWORK_IN", "perhaps");
    check_refused(
        &bench,
        "--host 0.0.0.0",
        expect![[r#"
        --- stderr
        error: environment TAGLINE_DANGEROUSLY_LET_THE_NETWORK_IN: expected true or false, but found `perhaps`; mend or unset it
        exit 3
    "#]],
    );
}

#[test]
fn what_is_wrong_with_the_journal_is_told_at_the_start() {
    let damaged = Bench::new().write("home/data/journal.db", &"no database ".repeat(100));
    check_refused(
        &damaged,
        "--port 0",
        expect![[r#"
            --- stderr
            error: the journal at `[test]/home/data/journal.db`: expected a SQLite database, but it is damaged (file is not a database); nothing was deleted; open it again so that what can be read is saved, or move it aside
            exit 3
        "#]],
    );
    let in_the_way = Bench::new().write("home/data", "a file");
    check_refused(
        &in_the_way,
        "--port 0",
        expect![[r#"
        --- stderr
        error: `[test]/home/data/server.lock`: file exists; mend its folder, or set TAGLINE_HOME to another folder
        exit 3
    "#]],
    );
    let newer = Bench::new().write("work/s.txt", "=== reply\nYes.\n");
    newer.run("run -q --model script/s.txt hi");
    let path = newer.path("home/data/journal.db");
    let db = rusqlite::Connection::open(path).unwrap();
    db.pragma_update(None, "user_version", 9_999).unwrap();
    db.execute_batch("CREATE TABLE later (n INTEGER)").unwrap();
    db.close().unwrap();
    check_refused(
        &newer,
        "--port 0",
        expect![[r#"
            --- stderr
            error: the journal at `[test]/home/data/journal.db`: expected format 4 or older, but found format 9999; nothing was changed; use the newer tagline that wrote it
            exit 3
        "#]],
    );
}

#[test]
fn a_setting_that_does_not_fit_is_told_at_the_start() {
    check_refused(
        &Bench::new(),
        "--port 0 --tools no_such_tool",
        expect![[r#"
            --- stderr
            error: tools: expected names of tools and of toolsets, but found `no_such_tool`; see `tagline tools list` and `tagline tools sets`
            exit 2
        "#]],
    );
    check_refused(
        &Bench::new(),
        "--database-url nonsense --port 0",
        expect![[r#"
        --- stderr
        error: the address of the journal: expected `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, but found something else
        exit 3
    "#]],
    );
}

#[test]
fn it_says_which_doors_there_are() {
    let bench = Bench::new();
    let mut command = bench.command("serve --port 0");
    command.stderr(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    while !fs::read_to_string(bench.path("home/data/server.lock"))
        .unwrap_or_default()
        .contains("http")
    {
        std::thread::sleep(Duration::from_millis(10));
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), Signal::INT).unwrap();
    let shown = steady(&bench.show(&child.wait_with_output().unwrap()));
    let code = regex::Regex::new(r"#t=[\w-]+").unwrap();
    expect![[r#"
        --- stderr
        tagline 0.1.0 ready in [time]
          page       http://127.0.0.1:PORT/#t=CODE      (valid once, [time])
          HTTP       http://127.0.0.1:PORT/openapi.json      token: tagline token show
          attached   tagline run, chat and sessions in this folder
        press Ctrl-C to stop; what was done is kept
        exit 130
    "#]]
    .assert_eq(&code.replace_all(&shown, "#t=CODE"));
}

#[test]
fn a_signal_ends_what_runs_and_then_the_server() {
    let slow = "=== reply\n<execute_command>echo $$ > pid.txt; exec sleep 600</execute_command>\n";
    for (signal, code) in [(Signal::TERM, 143), (Signal::INT, 130)] {
        let bench = Bench::new().write("work/s.txt", slow);
        let served = bench.serve("--model script/s.txt --mode full --sandbox off");
        let mut run = bench.command("run -q go").spawn().unwrap();
        let pid = loop {
            let text = fs::read_to_string(bench.path("work/pid.txt")).unwrap_or_default();
            if text.ends_with('\n') {
                break text.trim().to_owned();
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        assert_eq!(served.signal(signal), Some(code));
        assert!(!fs::exists(format!("/proc/{pid}")).unwrap(), "the command is gone");
        assert_eq!(run.wait().unwrap().code(), Some(130), "the turn was stopped");
        let shown = bench.run("sessions list");
        assert!(shown.contains("go"), "{shown}");
    }
}

#[test]
fn a_token_lets_in_until_it_is_replaced_and_each_profile_has_its_own() {
    let bench = Bench::new().write("home/config.toml", "[profiles.other]\n");
    let served = bench.serve("");
    let (first, other) = (bench.token(""), bench.token("--profile other"));
    assert_ne!(first, other);
    assert_eq!(served.status("/api/sessions", &first), "200");
    assert_eq!(served.status("/api/sessions", &other), "401");
    let second = bench.command("token rotate -q").output().unwrap().stdout;
    let second = String::from_utf8(second).unwrap().trim().to_owned();
    assert_eq!(second, bench.token(""));
    assert_eq!(served.status("/api/sessions", &first), "401");
    assert_eq!(served.status("/api/sessions", &second), "200");
}
