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
