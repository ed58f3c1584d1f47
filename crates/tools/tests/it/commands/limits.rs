//! A command is bounded, whatever it does, and says by what. What it takes is bounded here as well,
//! should that fail: at most a thousand processes, and half a GiB.

use std::time::Duration;

use expect_test::{Expect, expect};
use serde_json::json;
use tagline_tools::commands::Limits;

use super::escapes::Sleep;
use crate::bench::Bench;

const MIB: u64 = 1 << 20;

/// Takes 512 MiB and holds them.
pub(crate) const EATER: &str =
    "x=0123456789abcdef; while [ ${#x} -lt 500000000 ]; do x=$x$x; done; sleep 86400";

pub(crate) fn small() -> Limits {
    Limits {
        cpu: Duration::from_secs(600),
        memory: 160 * MIB,
        processes: 64,
        file_size: MIB,
        open_files: 64,
    }
}

pub(crate) fn bench(limits: Limits) -> Bench {
    Bench::with(|config| config.limits = limits)
}

/// What the model reads of a command below these limits.
async fn run(limits: Limits, command: &str) -> String {
    bench(limits).echo("execute_command", json!({ "command": command })).await
}

async fn check(limits: Limits, command: &str, expected: Expect) {
    expected.assert_eq(&run(limits, command).await);
}

/// Many processes; nothing of them is left.
async fn check_many(command: &str, expected: Expect) {
    let sleep = Sleep::new();
    check(small(), &command.replace("$S", &sleep.0), expected).await;
    assert_eq!(sleep.n_alive(), 0);
}

#[tokio::test]
async fn a_command_that_starts_processes_without_end_is_ended() {
    check_many("for i in {1..1000}; do $S & done; wait", expect![[r#"
        failed: the command reached its limit of 64 processes and was ended, with everything that it had started; start fewer at a time, or have the user raise `limits.command_processes`
        output so far:
        no output"#]]).await;
}

#[tokio::test]
async fn so_is_one_whose_processes_shed_everything_that_marks_them() {
    let script = "\
        echo '[ $1 = 0 ] || for i in 1 2; do \
        env -i PATH=\"$PATH\" setsid bash bomb $(($1 - 1)) </dev/null >/dev/null 2>&1 & done; \
        exec $S' > bomb; exec bash bomb 9";
    check_many(script, expect![[r#"
        failed: the command reached its limit of 64 processes and was ended, with everything that it had started; start fewer at a time, or have the user raise `limits.command_processes`
        output so far:
        no output"#]]).await;
}

#[tokio::test]
async fn so_is_what_a_command_leaves_behind() {
    let (bench, sleep) = (bench(small()), Sleep::new());
    let many = format!("for i in {{1..1000}}; do {} & done; wait", sleep.0);
    let command = format!("setsid bash -c '{many}' </dev/null >/dev/null 2>&1 &");
    bench.call("execute_command", json!({ "command": command })).await.unwrap();
    let listed = loop {
        let listed = bench.echo("list_recent_commands", json!({})).await;
        if !listed.contains("exit 0") {
            break listed;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    assert!(listed.contains("r1  reached its limit of 64 processes and was ended"), "{listed}");
    assert_eq!(sleep.n_alive(), 0);
}

#[tokio::test]
async fn a_command_that_takes_memory_without_end_is_ended() {
    check(small(), EATER, expect![[r#"
        failed: the command reached its limit of 160 MiB of memory and was ended, with everything that it had started; work on less at a time, or have the user raise `limits.command_memory`
        output so far:
        no output"#]]).await;
}

#[tokio::test]
async fn what_processes_take_together_counts() {
    let eater = EATER.replace("500000000", "30000000");
    let command = format!("for i in {{1..8}}; do ({eater}) & done; wait");
    check(small(), &command, expect![[r#"
        failed: the command reached its limit of 160 MiB of memory and was ended, with everything that it had started; work on less at a time, or have the user raise `limits.command_memory`
        output so far:
        no output"#]]).await;
}

#[tokio::test]
async fn what_processes_share_counts_once() {
    let hold = EATER.replace("500000000", "30000000").replace("sleep 86400", "");
    let command =
        format!("{hold} for i in {{1..9}}; do (sleep 2; true) & done; wait; echo ${{#x}}");
    check(
        small(),
        &command,
        expect![[r#"
        exit 0
        33554432
    "#]],
    )
    .await;
}

#[tokio::test]
async fn processor_time_counts_of_processes_that_are_gone_too() {
    let cpu = Duration::from_secs(2);
    let command = "while :; do bash -c 'for ((i = 0; i < 20000; i++)); do :; done'; done";
    check(Limits { cpu, ..small() }, command, expect![[r#"
        failed: the command reached its limit of 2 s of processor time and was ended, with everything that it had started; do less at a time, or have the user raise `limits.command_cpu`
        output so far:
        no output"#]]).await;
}

#[tokio::test]
async fn a_process_that_uses_the_processor_alone_is_told_why_it_ends() {
    let cpu = Duration::from_secs(1);
    let echo = run(Limits { cpu, ..small() }, "while :; do :; done").await;
    // Either the kernel ends it, or we do.
    assert!(echo.contains("reached its limit of 1 s of processor time"), "{echo}");
}

#[tokio::test]
async fn a_file_does_not_grow_without_end() {
    check(small(), "ulimit -c 0; exec head -c 2000000 /dev/zero > big", expect![[r#"
        killed by SIGXFSZ
        [a process of it reached its limit of 1 MiB for one file; write less to one file, or have the user raise `limits.command_file_size`]"#]]).await;
    check(small(), "ulimit -c 0; trap '' XFSZ; head -c 2000000 /dev/zero > big", expect![[r#"
        exit 1
        stderr:
        head: error writing 'standard output': File too large
        [standard error reads as if a process of it had reached its limit of 1 MiB for one file; write less to one file, or have the user raise `limits.command_file_size`]"#]]).await;
}

#[tokio::test]
async fn open_files_have_an_end() {
    let echo = run(small(), "while exec {n}</dev/null; do :; done; exit 1").await;
    assert!(echo.contains("its limit of 64 open files in one process"), "{echo}");
}

#[tokio::test]
async fn a_command_cannot_raise_its_limits() {
    check(
        small(),
        "ulimit -n 65 2>&1 | sed 's/.*limit: //'; ulimit -f 9999 2>&1 | sed 's/.*limit: //'",
        expect![[r#"
            exit 0
            Operation not permitted
            Operation not permitted
        "#]],
    )
    .await;
}
