//! Looking at runs, and ending them: what the model reads.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::bench::Bench;

/// Runs three commands, then the call.
async fn check(tool: &str, arguments: Value, expected: Expect) {
    let bench = Bench::new();
    for command in ["printf 'one\ntwo\n'", "exit 4", "true\n# a second line"] {
        bench.call("execute_command", json!({ "command": command })).await.unwrap();
    }
    expected.assert_eq(&steady(&bench.echo(tool, arguments).await));
}

/// How long ago something was, which differs from run to run.
fn steady(text: &str) -> String {
    let line = |line: &str| match line.split_once("started ") {
        Some((before, after)) => {
            let unit = after.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{before}started [n]{unit}")
        }
        None => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_tail_says_where_it_is_and_where_it_goes_on() {
    check(
        "read_command_tail",
        json!({ "run_id": "r1" }),
        expect![[r#"
        r1 exit 0; bytes 0 to 8 of 8; newer output will be at cursor 8
        one
        two
    "#]],
    )
    .await;
    check(
        "read_command_tail",
        json!({ "run_id": "r1", "cursor": 0, "limit": 4 }),
        expect![[r#"
        r1 exit 0; bytes 0 to 4 of 8; read on with cursor 4
        one
    "#]],
    )
    .await;
    check(
        "read_command_tail",
        json!({ "run_id": "r1", "cursor": 8 }),
        expect![[r#"
        r1 exit 0; bytes 8 to 8 of 8; newer output will be at cursor 8
    "#]],
    )
    .await;
}

#[tokio::test]
async fn a_cursor_behind_the_end_is_refused() {
    check("read_command_tail", json!({ "run_id": "r1", "cursor": 9 }), expect!["bad_call: `cursor` of `read_command_tail`: expected at most 8, the end of the output of `r1`, but found 9; give the cursor that the last answer named"]).await;
}

#[tokio::test]
async fn an_unknown_run_is_answered_with_the_known_ones() {
    check("read_command_tail", json!({ "run_id": "r9" }), expect!["missing: `run_id`: there is no run `r9`; the latest are `r3`, `r2`, `r1`; list_recent_commands shows all"]).await;
    let echo = Bench::new().echo("stop_command", json!({ "run_id": "r9" })).await;
    expect!["missing: `run_id`: there is no run `r9`; no command was started; start one with execute_command"].assert_eq(&echo);
}

#[tokio::test]
async fn commands_are_listed_the_latest_first() {
    check(
        "list_recent_commands",
        json!({}),
        expect![[r#"
        r3  exit 0  started [n] s ago  true …
        r2  exit 4  started [n] s ago  exit 4
        r1  exit 0  started [n] s ago  printf 'one …"#]],
    )
    .await;
    check(
        "list_recent_commands",
        json!({ "limit": 1 }),
        expect![[r#"
        r3  exit 0  started [n] s ago  true …
        [2 earlier ones are not shown]"#]],
    )
    .await;
    let echo = Bench::new().echo("list_recent_commands", json!({})).await;
    expect!["no command was started in this session"].assert_eq(&echo);
}

#[tokio::test]
async fn stopping_what_is_over_says_so() {
    check("stop_command", json!({ "run_id": "r2" }), expect!["r2 was over already: exit 4"]).await;
}

#[tokio::test(start_paused = true)]
async fn a_stop_shows_the_last_output() {
    let bench = Bench::new();
    let arguments = json!({ "command": "sleep 600", "background": true });
    bench.call("execute_command", arguments).await.unwrap();
    let echo = bench.echo("stop_command", json!({ "run_id": "r1", "signal": "INT" })).await;
    expect![[r#"
        r1 is stopped
        last output:
        no output"#]]
    .assert_eq(&echo);
    let echo = bench.echo("read_command_tail", json!({ "run_id": "r1" })).await;
    expect![[r#"
        r1 stopped; bytes 0 to 0 of 0; newer output will be at cursor 0
    "#]]
    .assert_eq(&echo);
}

#[tokio::test]
async fn what_a_command_left_behind_is_told_and_can_be_ended() {
    let bench = Bench::new();
    let command = "setsid sleep 600 >/dev/null 2>&1 & sleep 0.1; echo started";
    let echo = bench.echo("execute_command", json!({ "command": command })).await;
    expect![[r#"
        exit 0
        started
        [1 process that it started still runs; stop_command with run_id r1 ends it]"#]]
    .assert_eq(&echo);
    let echo = bench.echo("stop_command", json!({ "run_id": "r1" })).await;
    expect!["r1 was over already: exit 0; ended 1 process that it had left behind"]
        .assert_eq(&echo);
}

#[tokio::test]
async fn a_background_server_is_answered_for_when_it_listens() {
    let bench = Bench::new();
    let server = "python3 -u -c 'import http.server as h; \
         s = h.HTTPServer((\"127.0.0.1\", 0), h.SimpleHTTPRequestHandler); \
         print(\"at http://127.0.0.1:%d/x\" % s.server_port); s.serve_forever()'";
    let arguments = json!({ "command": server, "background": true });
    let output = bench.call("execute_command", arguments).await.unwrap();
    let payload = &output.card.payload;
    let port = payload["ports"][0].as_u64().unwrap();
    assert_eq!(payload["urls"], json!([format!("http://127.0.0.1:{port}/x")]));
    let echo = output.echo.as_str().replace(&port.to_string(), "PORT");
    expect![[r#"
        runs in the background as r1, listens on port PORT: http://127.0.0.1:PORT/x
        output so far:
        at http://127.0.0.1:PORT/x
        [wait_until with run_id r1 waits for it, read_command_tail with run_id r1 and cursor 28 reads what it writes from now on, stop_command with run_id r1 ends it]"#]].assert_eq(&echo);
    let echo = bench.echo("wait_until", json!({ "port": port, "seconds": 60 })).await;
    assert_eq!(echo, format!("port {port} answers"));
    bench.runs.shutdown().await;
}

#[tokio::test]
async fn a_card_gets_what_the_record_keeps() {
    let bench = Bench::new();
    let command = "echo out; echo at http://localhost:1/ >&2; exit 2";
    let output = bench.call("execute_command", json!({ "command": command })).await.unwrap();
    let mut payload = output.card.payload;
    for path in ["cwd", "log"] {
        let shown = payload[path].as_str().unwrap();
        let folder = bench.folder.path().file_name().unwrap().to_str().unwrap();
        assert!(shown.contains(folder), "{shown}");
        payload[path] = Value::Null;
    }
    expect![[r#"
        {
          "run_id": "r1",
          "command": "echo out; echo at http://localhost:1/ >&2; exit 2",
          "cwd": null,
          "state": "exit 2",
          "is_running": false,
          "exit_code": 2,
          "stdout": "out\n",
          "stdout_bytes": 4,
          "stderr": "at http://localhost:1/\n",
          "stderr_bytes": 23,
          "log": null,
          "sandbox": "not confined: nobody asked for a sandbox",
          "hosts": [],
          "ports": [],
          "urls": [
            "http://localhost:1/"
          ]
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&payload).unwrap());
}
