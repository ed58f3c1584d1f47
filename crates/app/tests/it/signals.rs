//! Ctrl-C and SIGTERM while a call runs.

use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::Bench;

/// Signals the program once its command has begun; how it ended.
#[track_caller]
fn check(signal: Signal, expected: i32) {
    let bench = Bench::new();
    let mut command = bench.command("tools call --mode full execute_command --command");
    command.arg("echo begun; sleep 600").env("PATH", "/usr/bin:/bin");
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.by_ref().any(|line| line.contains("| begun")));
    kill_process(Pid::from_child(&child), signal).unwrap();
    let rest: Vec<String> = lines.collect();
    assert_eq!(child.wait().unwrap().code(), Some(expected), "{rest:?}");
    assert!(rest.iter().any(|line| line.contains("cancelled")), "{rest:?}");
}

#[test]
fn an_interrupt_ends_the_call_and_then_the_program() {
    check(Signal::INT, 130);
}

#[test]
fn a_request_to_terminate_ends_the_call_and_then_the_program() {
    check(Signal::TERM, 143);
}
