//! Hostile commands in a server, and everybody else. Each stops by itself at a thousand processes or
//! half a GiB, should its limits fail.

use std::{process::Stdio, thread, time::Duration};

use crate::support::Bench;

/// Runs the command at a server, whose health is asked for until the turn is over; what the run says.
fn run(command: &str) -> String {
    let script = format!(
        "=== reply\n<execute_command><![CDATA[{command}]]></execute_command>\n=== reply\n<say>Over.</say>\n"
    );
    let bench = Bench::new().write("work/s.txt", &script);
    let limits = "--command-processes 64 --command-memory 160";
    let served = bench.serve(&format!("--model script/s.txt --mode full {limits}"));
    let mut command = bench.command("run --jsonl go");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let output = thread::spawn({
        let stdout = child.stdout.take().unwrap();
        move || std::io::read_to_string(stdout).unwrap()
    });
    while child.try_wait().unwrap().is_none() {
        assert_eq!(served.status("/healthz", ""), "200");
        thread::sleep(Duration::from_millis(10));
    }
    output.join().unwrap()
}

#[test]
fn a_server_answers_while_commands_reach_their_limits() {
    let shown = run("for i in {1..1000}; do sleep 86400 & done; wait");
    assert!(
        shown.contains("the command reached its limit of 64 processes and was ended"),
        "{shown}"
    );
    let shown =
        run("x=0123456789abcdef; while [ ${#x} -lt 500000000 ]; do x=$x$x; done; sleep 86400");
    assert!(
        shown.contains("the command reached its limit of 160 MiB of memory and was ended"),
        "{shown}"
    );
}

/// Whether the command of a server that is killed goes with it, though it has left its group, its
/// session and everything that marks it.
#[test]
fn a_confined_command_dies_with_a_server_that_is_killed() {
    let sleep = format!("86400.77{}", std::process::id());
    let script = format!(
        "=== reply\n<execute_command><![CDATA[env -i setsid sleep {sleep} >/dev/null 2>&1 & wait]]></execute_command>\n"
    );
    let bench = Bench::new().write("work/s.txt", &script);
    if !bench.run("doctor --offline").contains("sandbox    ok") {
        return;
    }
    let mut served = bench.serve("--model script/s.txt --mode full");
    let mut run = bench.command("run -q go").stderr(Stdio::null()).spawn().unwrap();
    let is_alive = || {
        let wanted = format!("sleep\0{sleep}\0");
        let all = std::fs::read_dir("/proc").unwrap();
        let mut lines =
            all.filter_map(|entry| std::fs::read(entry.ok()?.path().join("cmdline")).ok());
        lines.any(|line| line == wanted.as_bytes())
    };
    while !is_alive() {
        thread::sleep(Duration::from_millis(10));
    }
    served.kill();
    while is_alive() {
        thread::sleep(Duration::from_millis(10));
    }
    // It would wait for the server to come back.
    run.kill().unwrap();
    run.wait().unwrap();
}
