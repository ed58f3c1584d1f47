//! Output is bounded, and no byte of it is repeated or skipped.

use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};

use crate::bench::Bench;

/// Text with characters of every length; a number makes each line different.
const SCRIPT: &str = "for i in $(seq 800); do echo \"line $i é→😀\"; echo \"err $i\" >&2; done";

async fn tail(bench: &Bench, arguments: Value) -> Value {
    bench.call("read_command_tail", arguments).await.unwrap().card.payload
}

fn text(payload: &Value) -> &str {
    text_of(payload, "text")
}

fn text_of<'a>(payload: &'a Value, name: &str) -> &'a str {
    payload[name].as_str().unwrap()
}

fn number(payload: &Value, name: &str) -> u64 {
    payload[name].as_u64().unwrap()
}

/// The log as it lies on the disk.
fn log(bench: &Bench) -> String {
    let logs = std::fs::read_dir(bench.folder.path().join("runs/logs")).unwrap();
    logs.map(|log| std::fs::read_to_string(log.unwrap().path()).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn reads_by_cursor_while_the_command_writes_give_its_exact_output(limits in vec(1_u16..4000, 1..8)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let bench = Bench::new();
            let run = bench.call("execute_command", json!({ "command": SCRIPT }));
            let read = async {
                let (mut read, mut cursor) = (String::new(), json!(0));
                for limit in limits.iter().cycle() {
                    tokio::task::yield_now().await;
                    let arguments = json!({ "run_id": "r1", "cursor": cursor, "limit": limit });
                    let Ok(output) = bench.call("read_command_tail", arguments).await else { continue };
                    let payload = output.card.payload;
                    read.push_str(text(&payload));
                    cursor = payload["next"].clone();
                    if payload["state"] != "running" && payload["next"] == payload["len"] {
                        break;
                    }
                }
                read
            };
            let (output, read) = tokio::join!(run, read);
            output.unwrap();
            assert_eq!(read, log(&bench));
            assert_eq!(read.lines().count(), 1600);
        });
    }
}

#[tokio::test]
async fn each_stream_keeps_its_order_in_the_log() {
    let bench = Bench::new();
    bench.call("execute_command", json!({ "command": SCRIPT })).await.unwrap();
    let log = log(&bench);
    let lines = |prefix| log.lines().filter(move |line| line.starts_with(prefix));
    let expected: Vec<_> = (1..=800).map(|i| format!("line {i} é→😀")).collect();
    assert_eq!(lines("line").collect::<Vec<_>>(), expected);
    assert_eq!(lines("err").count(), 800);
}

#[tokio::test]
async fn without_a_cursor_the_latest_output_is_read() {
    let bench = Bench::new();
    bench.call("execute_command", json!({ "command": "seq 9000" })).await.unwrap();
    let payload = tail(&bench, json!({ "run_id": "r1", "limit": 10 })).await;
    assert_eq!(text(&payload), "8999\n9000\n");
}

/// Set for the process that runs one test alone: what others hold would be counted too.
const ALONE: &str = "TAGLINE_TEST_ALONE";

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "says which of two processes of the test this is")]
async fn much_output_grows_neither_memory_nor_the_log_without_bound() {
    if std::env::var_os(ALONE).is_some() {
        return much_output().await;
    }
    let name = "commands::output::much_output_grows_neither_memory_nor_the_log_without_bound";
    let mut alone = tokio::process::Command::new(std::env::current_exe().unwrap());
    alone.args(["--exact", name]).env(ALONE, "1").kill_on_drop(true);
    let output = alone.output().await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

async fn much_output() {
    const MIB: u64 = 1 << 20;
    let bench = Bench::with(|config| config.log_quota = MIB);
    let before = memory("VmRSS:");
    let command = "head -c 200000000 /dev/zero | tr '\\0' 'y'";
    let output = bench.call("execute_command", json!({ "command": command })).await.unwrap();
    let grown = memory("VmHWM:").saturating_sub(before);
    assert_eq!(number(&output.card.payload, "stdout_bytes"), 200_000_000);
    assert!(text_of(&output.card.payload, "stdout").len() < 65 * 1024);
    assert!(output.echo.as_str().len() <= 16 * 1024);
    assert_eq!(log(&bench).len() as u64, MIB);
    assert!(grown < 32 * MIB, "{grown} bytes");
    assert!(bench.shown().len() as u64 <= 2 * MIB);
    let payload = tail(&bench, json!({ "run_id": "r1", "cursor": MIB })).await;
    assert_eq!(number(&payload, "dropped"), 200_000_000 - MIB);
}

/// Memory of this process, in bytes: `VmRSS:` now, `VmHWM:` at its most.
fn memory(what: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(what)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

#[tokio::test]
async fn partial_output_of_a_stopped_command_is_kept() {
    let bench = Bench::new();
    let call = bench.call("execute_command", json!({ "command": "echo begun; sleep 600" }));
    let stop = async {
        while bench.shown().is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        bench.cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(call, stop);
    expect_test::expect![[r#"
        ended, with everything that it had started
        output so far:
        begun
    "#]]
    .assert_eq(&outcome.unwrap_err().to_string());
    assert_eq!(text(&tail(&bench, json!({ "run_id": "r1" })).await), "begun\n");
}
