//! Frames in, lines out.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use tagline_protocol::{CardSpec, Frame};

use super::{Cards, Printer};
use crate::terminal::Style;

fn cards() -> Cards {
    let card = |label: &str, subtitle: &str| CardSpec {
        label: label.to_owned(),
        subtitle: Some(subtitle.to_owned()),
    };
    [("read_file", card("read", "path")), ("execute_command", card("run", "command"))]
        .map(|(name, card)| (name.to_owned(), card))
        .into()
}

/// Plays events, one JSON object a line: `call` names the call, times go up by a second.
fn play(printer: &mut Printer, events: &[Value]) -> String {
    let mut shown = String::new();
    for (n, event) in events.iter().enumerate() {
        let mut frame = json!({
            "v": 1, "seq": n + 1, "session": "7f3c",
            "ts": format!("2026-11-27T10:00:{n:02}.000Z"),
        });
        let fields = event.as_object().unwrap().clone();
        frame.as_object_mut().unwrap().extend(fields);
        let frame: Frame = serde_json::from_value(frame).unwrap();
        for line in printer.frame(&frame) {
            shown += &format!("| {line}\n");
        }
        if let Some(status) = printer.status() {
            shown += &format!("~ {status}\n");
        }
    }
    shown
}

#[track_caller]
fn check(events: &[Value], expected: Expect) {
    let mut printer = Printer::new(Style::PLAIN, 0).with_cards(cards());
    expected.assert_eq(&play(&mut printer, events));
}

#[test]
fn a_turn_is_a_row_for_each_call_between_a_head_and_a_sum() {
    check(
        &[
            json!({"type": "run.started", "model": "ollama/qwen3:8b", "mode": "ask", "policy": "free"}),
            json!({"type": "message.user", "text": "tidy up"}),
            json!({"type": "pass.started"}),
            json!({"type": "tool.opening", "tool": "read_file", "call": "1"}),
            json!({"type": "tool.attr", "name": "path", "value": "src/main.rs", "call": "1"}),
            json!({"type": "tool.ready", "tool": "read_file", "arguments": {"path": "src/main.rs"}, "effect": "read", "call": "1"}),
            json!({"type": "tool.done", "event": "read_file", "payload": {"lines": 120}, "llmEcho": "…", "ms": 4, "call": "1"}),
            json!({"type": "tool.ready", "tool": "execute_command", "arguments": {"command": "cargo test\necho"}, "effect": "exec", "call": "2"}),
            json!({"type": "tool.running", "hash": "x", "effect": "exec", "decision": "mode full", "attempt": 1, "call": "2"}),
            json!({"type": "tool.output", "stream": "stdout", "delta": "a\nb", "call": "2"}),
            json!({"type": "tool.done", "event": "execute_command", "payload": {"exit_code": 0}, "llmEcho": "…", "ms": 12_345, "call": "2"}),
            json!({"type": "usage", "input_tokens": 18_400, "cached_tokens": 13_000, "output_tokens": 1_100}),
            json!({"type": "run.finished", "outcome": "done", "reason": "completed", "result": "Tidy."}),
        ],
        expect![[r#"
            | tagline 0.1.0  ollama/qwen3:8b  mode ask  session 7f3c
            |   you       tidy up
            ~ asking the model
            ~ read
            ~ read src/main.rs
            |   read      src/main.rs                                  120 lines          4 ms
            ~ run cargo test
            ~ a
            |   run       cargo test                                   exit 0           12.3 s
            | done  1 pass  18.4k in (70% cached)  1.1k out  12.0 s
        "#]],
    );
}

#[test]
fn words_to_the_user_are_shown_line_by_line_as_they_come() {
    check(
        &[
            json!({"type": "say.start"}),
            json!({"type": "say.delta", "delta": "First I look at what is there, and at what it does, and then "}),
            json!({"type": "say.delta", "delta": "I write.\n\nThen"}),
            json!({"type": "say.delta", "delta": " done"}),
            json!({"type": "say.end"}),
        ],
        expect![[r#"
            |   say       First I look at what is there, and at what it does, and then I
            |             write.
            |             Then done
        "#]],
    );
}

#[test]
fn a_thought_is_folded_to_its_first_line() {
    check(
        &[
            json!({"type": "think.start"}),
            json!({"type": "think.delta", "delta": "What is\nthere?\nLook."}),
            json!({"type": "think.end"}),
        ],
        expect![[r#"
            ~ thinking
            |   think     What is                                      +2 lines
        "#]],
    );
}

#[test]
fn a_question_says_why_and_the_answer_says_by_whom() {
    check(
        &[
            json!({"type": "tool.ready", "tool": "execute_command", "arguments": {"command": "rm a"}, "effect": "exec", "call": "1"}),
            json!({"type": "approval.asked", "hash": "x", "why": "it removes a file", "shown": "rm a", "scopes": [], "call": "1"}),
            json!({"type": "approval.answered", "is_allowed": true, "by": "user", "call": "1"}),
            json!({"type": "approval.answered", "is_allowed": false, "by": "mode plan", "words": "only look", "call": "1"}),
        ],
        expect![[r#"
            |   run       rm a                                         needs you
            |             it removes a file
            |   run       rm a                                         allowed by you
            |   run       rm a                                         refused by mode plan
            |             only look
        "#]],
    );
}

#[test]
fn a_bad_end_says_why() {
    check(
        &[
            json!({"type": "tool.ready", "tool": "read_file", "arguments": {"path": "a/very/long/path/to/a/file/that/does/not/exist/anywhere.rs"}, "effect": "read", "call": "1"}),
            json!({"type": "tool.running", "hash": "x", "effect": "read", "decision": "mode ask", "attempt": 2, "call": "1"}),
            json!({"type": "tool.failed", "event": "tool_error", "payload": {"reason": "there is no such file"}, "llmEcho": "…", "ms": 2, "call": "1"}),
            json!({"type": "tool.rejected", "reason": "unknown_tool", "message": "there is no tool `foo`; did you mean `say`?", "call": "2"}),
            json!({"type": "tool.opening", "tool": "read_file", "call": "3"}),
            json!({"type": "tool.cancelled", "reason": "the user stopped the turn", "call": "3"}),
            json!({"type": "notice", "level": "warning", "message": "the journal is slow"}),
            json!({"type": "model.state", "state": "first_token", "detail": "2 s"}),
            json!({"type": "run.finished", "outcome": "limit", "reason": "max_passes"}),
            json!({"type": "run.failed", "reason": "connect", "message": "http://127.0.0.1:8080: nobody answers; start the server"}),
        ],
        expect![[r#"
            |   read      …h/to/a/file/that/does/not/exist/anywhere.rs try 2
            ~ read a/very/long/path/to/a/file/that/does/not/exist/anywhere.rs
            |   read      …h/to/a/file/that/does/not/exist/anywhere.rs failed             2 ms
            |             there is no such file
            |   call                                                   not run
            |             there is no tool `foo`; did you mean `say`?
            ~ read
            |   read                                                   cancelled
            |             the user stopped the turn
            |   warning   the journal is slow
            ~ model first token: 2 s
            | limit  max_passes
            | failed  connect
            |             http://127.0.0.1:8080: nobody answers; start the server
        "#]],
    );
}

#[test]
fn what_a_model_writes_cannot_move_the_cursor() {
    check(
        &[
            json!({"type": "tool.ready", "tool": "read_file", "arguments": {"path": "\u{1b}[2Ja"}, "effect": "read", "call": "1"}),
            json!({"type": "tool.done", "event": "read_file", "payload": {}, "llmEcho": "\u{1b}]0;x\u{7}", "ms": 1, "call": "1"}),
        ],
        expect![[r#"
            |   read      ␛[2Ja                                        ␛]0;x␇             1 ms
        "#]],
    );
}

#[test]
fn color_is_added_and_nothing_else_changes() {
    let events = [
        json!({"type": "tool.ready", "tool": "read_file", "arguments": {"path": "a"}, "effect": "read", "call": "1"}),
        json!({"type": "tool.done", "event": "read_file", "payload": {"lines": 1}, "llmEcho": "", "ms": 1, "call": "1"}),
    ];
    let style = Style { color: true, ..Style::PLAIN };
    let colored = play(&mut Printer::new(style, 0), &events);
    let plain = play(&mut Printer::new(Style::PLAIN, 0), &events);
    assert!(colored.contains("\x1b[36m"));
    let stripped =
        colored.split('\x1b').map(|part| part.split_once('m').map_or(part, |(_, rest)| rest));
    assert_eq!(stripped.collect::<String>(), plain);
}

#[test]
fn more_is_shown_on_demand() {
    let mut printer = Printer::new(Style::PLAIN, 1).with_answers();
    let events = [
        json!({"type": "think.start"}),
        json!({"type": "think.delta", "delta": "What is\nthere?"}),
        json!({"type": "think.end"}),
        json!({"type": "tool.output", "stream": "stdout", "delta": "a\nb\nc"}),
        json!({"type": "run.finished", "outcome": "done", "reason": "completed", "result": "Tidy.\nAll."}),
    ];
    expect![[r#"
        |   think     What is
        |             there?
        |             | a
        |             | b
        ~ b
        | Tidy.
        | All.
        | done
    "#]]
    .assert_eq(&play(&mut printer, &events));
}

#[test]
fn a_command_that_is_cut_in_its_row_is_asked_about_whole() {
    let command = "for file in *.log; do echo \"$file\"; done; rm -r build";
    check(
        &[
            json!({"type": "tool.ready", "tool": "execute_command", "arguments": {"command": command}, "effect": "exec", "call": "1"}),
            json!({"type": "approval.asked", "why": "it removes files", "shown": command, "hash": "x", "scopes": [], "call": "1"}),
        ],
        expect![[r#"
            |   run       for file in *.log; do echo "$file"; done; r… needs you
            |             it removes files
            |             | for file in *.log; do echo "$file"; done; rm -r build
        "#]],
    );
}

#[test]
fn a_refusal_is_told_once() {
    check(
        &[
            json!({"type": "tool.ready", "tool": "execute_command", "arguments": {"command": "make"}, "effect": "exec", "call": "1"}),
            json!({"type": "approval.answered", "is_allowed": false, "by": "user", "words": "the user refused this call: not now", "call": "1"}),
            json!({"type": "tool.failed", "event": "tool_error", "payload": {"reason": "the user refused this call: not now"}, "llmEcho": "", "ms": 0, "call": "1"}),
        ],
        expect![[r#"
            |   run       make                                         refused by you
            |             the user refused this call: not now
        "#]],
    );
}

#[test]
fn a_command_that_failed_shows_the_end_of_its_output() {
    let output = |delta: &str| json!({"type": "tool.output", "stream": "stdout", "delta": delta, "call": "1"});
    let done = |code: i32| json!({"type": "tool.done", "event": "execute_command", "payload": {"exit_code": code}, "llmEcho": "…", "ms": 5, "call": "1"});
    let ready = json!({"type": "tool.ready", "tool": "execute_command", "arguments": {"command": "make"}, "effect": "exec", "call": "1"});
    check(
        &[
            ready.clone(),
            output("1\n2\n3\n4\n"),
            output("5\n6\nno rule"),
            done(2),
            ready,
            output("fine\n"),
            done(0),
        ],
        expect![[r#"
            ~ 4
            ~ 6
            |   run       make                                         exit 2             5 ms
            |             | 3
            |             | 4
            |             | 5
            |             | 6
            |             | no rule
            ~ fine
            |   run       make                                         exit 0             5 ms
        "#]],
    );
}

#[test]
fn a_long_failure_is_shown_to_its_first_lines() {
    let why: Vec<String> = (1..=20).map(|n| format!("line {n}")).collect();
    check(
        &[
            json!({"type": "tool.ready", "tool": "read_file", "arguments": {"path": "a"}, "effect": "read", "call": "1"}),
            json!({"type": "tool.failed", "event": "tool_error", "payload": {"reason": why.join("\n")}, "llmEcho": "", "ms": 0, "call": "1"}),
        ],
        expect![[r#"
            |   read      a                                            failed             0 ms
            |             line 1
            |             line 2
            |             line 3
            |             line 4
            |             line 5
            |             line 6
            |             line 7
            |             line 8
            |             (12 more lines; `-v` shows them)
        "#]],
    );
}

#[test]
fn wide_characters_take_two_columns() {
    check(
        &[
            json!({"type": "tool.ready", "tool": "read_file", "arguments": {"path": "日本語/".repeat(9)}, "effect": "read", "call": "1"}),
            json!({"type": "tool.done", "event": "read_file", "payload": {"lines": 120}, "llmEcho": "…", "ms": 4, "call": "1"}),
        ],
        expect![[r#"
            |   read      …/日本語/日本語/日本語/日本語/日本語/日本語/ 120 lines          4 ms
        "#]],
    );
}

#[test]
fn a_conversation_names_its_session_once_and_does_not_repeat_the_user() {
    let mut printer = Printer::new(Style::PLAIN, 0).with_conversation();
    let turn = [
        json!({"type": "run.started", "model": "m", "mode": "ask", "policy": "free"}),
        json!({"type": "message.user", "text": "hi"}),
        json!({"type": "pass.started"}),
        json!({"type": "say.start"}),
        json!({"type": "say.delta", "delta": "Hello."}),
        json!({"type": "say.end"}),
        json!({"type": "run.finished", "outcome": "done", "reason": "completed", "result": "Hello."}),
    ];
    let shown = play(&mut printer, &turn) + &play(&mut printer, &turn);
    assert!(printer.has_said("Hello.\n") && !printer.has_said("Hello"));
    expect![[r#"
        | tagline 0.1.0  m  mode ask  session 7f3c
        ~ asking the model
        |   say       Hello.
        | done  1 pass  6.0 s
        ~ asking the model
        |   say       Hello.
        | done  1 pass  6.0 s
    "#]]
    .assert_eq(&shown);
}
