//! `execute_command`: what the model reads, and when.

use expect_test::{Expect, expect};
use serde_json::json;
use tagline_protocol::{Event, Stream};

use crate::bench::Bench;

async fn check(command: &str, expected: Expect) {
    let bench = Bench::new();
    expected.assert_eq(&bench.echo("execute_command", json!({ "command": command })).await);
}

#[tokio::test]
async fn the_exit_code_comes_first_and_standard_error_last() {
    check(
        "echo out; echo err >&2; exit 3",
        expect![[r#"
        exit 3
        out
        stderr:
        err
    "#]],
    )
    .await;
}

#[tokio::test]
async fn a_command_without_output_says_so() {
    check(
        "true",
        expect![[r#"
        exit 0
        no output"#]],
    )
    .await;
}

#[tokio::test]
async fn a_signal_is_named() {
    check(
        "kill -SEGV $$",
        expect![[r#"
        killed by SIGSEGV
        no output"#]],
    )
    .await;
    check(
        "exit 137",
        expect![[r#"
            exit 137 (killed by SIGKILL)
            no output"#]],
    )
    .await;
}

#[tokio::test]
async fn colors_do_not_reach_the_model() {
    check(
        r"printf '\033[1mbold\033[0m \033]0;title\007caf\303\251 \377'",
        expect![[r#"
        exit 0
        bold café �"#]],
    )
    .await;
}

#[tokio::test]
async fn bash_is_real_and_input_is_empty() {
    check(
        "a=(x y); echo ${a[1]}; read line; echo $?; [[ -t 0 ]] || echo no terminal",
        expect![[r#"
            exit 0
            y
            1
            no terminal
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_command_sees_a_short_list_of_the_environment() {
    let bench = Bench::new();
    let command = "env | cut -d= -f1 | grep -v -e '^_$' -e SHLVL -e PWD | sort | tr '\\n' ' '";
    let echo = bench.echo("execute_command", json!({ "command": command })).await;
    expect![[r#"
        exit 0
        HOME LANG PATH TAGLINE_RUN TERM TMPDIR "#]]
    .assert_eq(&echo);
}

#[tokio::test]
async fn temporary_files_go_to_a_private_folder() {
    let bench = Bench::new();
    bench.call("execute_command", json!({ "command": "touch $TMPDIR/x" })).await.unwrap();
    assert!(bench.folder.path().join("runs/tmp/x").exists());
}

#[tokio::test]
async fn a_planted_program_is_not_taken_from_the_workspace() {
    let bench = Bench::new();
    let plant = "printf '#!/bin/sh\\necho planted' > ls; chmod +x ls; ls";
    let echo = bench.echo("execute_command", json!({ "command": plant })).await;
    expect![[r#"
        exit 0
        ls
    "#]]
    .assert_eq(&echo);
}

#[tokio::test]
async fn cwd_is_a_folder_of_the_workspace() {
    let bench = Bench::new();
    std::fs::create_dir(bench.folder.path().join("ws/site")).unwrap();
    let run =
        |cwd| bench.echo("execute_command", json!({ "cwd": cwd, "command": "basename $PWD" }));
    expect![[r#"
        exit 0
        site
    "#]]
    .assert_eq(&run("site").await);
    expect!["bad_call: `cwd` of `execute_command`: `..`: leads out of the workspace; use a path in the workspace"].assert_eq(&run("..").await);
    expect!["bad_call: `cwd` of `execute_command`: `nowhere`: there is no such file or folder in the workspace"].assert_eq(&run("nowhere").await);
}

#[tokio::test]
async fn output_is_shown_live_in_the_order_of_each_stream() {
    let bench = Bench::new();
    let command = "echo one; sleep 0.2; echo two; echo err >&2";
    bench.call("execute_command", json!({ "command": command })).await.unwrap();
    let (mut stdout, mut stderr) = (String::new(), String::new());
    for event in bench.events() {
        let Event::ToolOutput { stream, delta } = event else { panic!("{event:?}") };
        match stream {
            Stream::Stdout => stdout.push_str(&delta),
            Stream::Stderr => stderr.push_str(&delta),
        }
    }
    assert_eq!((stdout.as_str(), stderr.as_str()), ("one\ntwo\n", "err\n"));
}

#[tokio::test]
async fn a_command_over_its_time_is_ended_and_its_output_kept() {
    let bench = Bench::new();
    let arguments = json!({ "command": "echo begun; sleep 600", "timeout_seconds": 1 });
    expect![[r#"
        timed_out: timed out after 1 s and was ended
        output so far:
        begun
    "#]]
    .assert_eq(&bench.echo("execute_command", arguments).await);
}

#[tokio::test]
async fn what_cannot_be_started_is_explained() {
    check(
        "  ",
        expect![
            "bad_call: `command`: expected a command, but found nothing; write it between the tags"
        ],
    )
    .await;
    check(
        "a\0b",
        expect![
            "bad_call: `command`: expected text without NUL characters, but found one; leave it out"
        ],
    )
    .await;
    check(&"x".repeat(200_000), expect!["bad_call: `command`: expected at most 131071 bytes, but found 200000; write it to a file and run that"]).await;
}

#[tokio::test(start_paused = true)]
async fn a_command_that_takes_longer_than_a_minute_goes_on() {
    let bench = Bench::new();
    let echo = bench.echo("execute_command", json!({ "command": "sleep 600" })).await;
    expect![[r#"
        still runs after 60 s as r1
        output so far:
        no output
        [wait_until with run_id r1 waits for it, read_command_tail with run_id r1 and cursor 0 reads what it writes from now on, stop_command with run_id r1 ends it]"#]].assert_eq(&echo);
    bench.runs.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_background_command_that_does_not_listen_is_answered_for_after_15_seconds() {
    let bench = Bench::new();
    let arguments = json!({ "command": "sleep 600", "background": true });
    expect![[r#"
        still runs after 15 s as r1
        output so far:
        no output
        [wait_until with run_id r1 waits for it, read_command_tail with run_id r1 and cursor 0 reads what it writes from now on, stop_command with run_id r1 ends it]"#]].assert_eq(&bench.echo("execute_command", arguments).await);
    bench.runs.shutdown().await;
}

#[tokio::test]
async fn long_output_is_cut_in_the_middle_and_says_where_all_of_it_is() {
    let bench = Bench::new();
    let command = "seq 20000; echo warned >&2";
    let echo = bench.echo("execute_command", json!({ "command": command })).await;
    let lines: Vec<_> = echo.lines().collect();
    assert!(echo.len() <= 16 * 1024);
    expect![[r#"
        exit 0
        1
        2"#]]
    .assert_eq(&lines[..3].join("\n"));
    let note = lines.iter().position(|line| line.starts_with("[…")).unwrap();
    expect!["[… 93542 of 108894 bytes are left out here …]"].assert_eq(lines[note]);
    expect![[r#"
        20000
        stderr:
        warned
        [read_command_tail with run_id r1 and cursor 0 reads all 108901 bytes from the start]"#]]
    .assert_eq(&lines[lines.len() - 4..].join("\n"));
}
