//! `tagline parse`: a reply on standard input, lines on standard output, and exit codes.

use std::{
    io::{Read as _, Write as _},
    process::{Output, Stdio},
};

use expect_test::{Expect, expect, expect_file};

use crate::support::Bench;

const BROKEN: &str = "<write_file path=\"a\"><![CDATA[\nx\n]]</write_file>\nbye";

fn fed(bench: &Bench, args: &str, input: &str) -> Output {
    let mut command = bench.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[track_caller]
fn check(args: &str, input: &str, expected: Expect) {
    let bench = Bench::new();
    expected.assert_eq(&bench.show(&fed(&bench, args, input)));
}

#[test]
fn the_help_is_as_reviewed() {
    let output = Bench::new().command("parse --help").output().unwrap();
    expect_file!["help/parse.txt"].assert_eq(&String::from_utf8_lossy(&output.stdout));
}

#[test]
fn the_built_in_tools_are_known() {
    check(
        "parse",
        "<read_file path=\"a\"/>\n<nope/>",
        expect![[r#"
            --- stdout
            {"event":"open","name":"read_file","attrs":{"path":"a"},"at":0}
            {"event":"close","name":"read_file","body_bytes":0,"partial":false,"recovered":false,"repairs":[]}
            exit 0
        "#]],
    );
}

#[test]
fn repairs_count_only_where_it_is_strict() {
    check(
        "parse --tools write_file",
        BROKEN,
        expect![[r#"
            --- stdout
            {"event":"open","name":"write_file","attrs":{"path":"a"},"at":0}
            {"event":"close","name":"write_file","body_bytes":1,"partial":false,"recovered":true,"repairs":["cdata_unclosed"]}
            exit 0
        "#]],
    );
    check(
        "parse --tools write_file --strict --explain",
        BROKEN,
        expect![[r#"
            --- stdout
            {"event":"open","name":"write_file","attrs":{"path":"a"},"at":0}
            {"event":"close","name":"write_file","body_bytes":1,"partial":false,"recovered":true,"repairs":["cdata_unclosed"]}
            --- stderr
            note  byte 32-35   write_file   `<write_file>` at byte 32: expected `]]>` directly before the end tag, but found `]]`; end each CDATA section with `]]>`
            note  byte 0-48   write_file   recovered: where it or a call before it ends was guessed, so what cannot be undone asks first
            1 tag seen, 1 call, 1 repair, 0 faults (with --strict: exit 8)
            exit 8
        "#]],
    );
    check(
        "parse --strict",
        "no call at all",
        expect![[r#"
        exit 0
    "#]],
    );
}

#[test]
fn what_was_mended_and_guessed_is_told_with_its_bytes() {
    check(
        "parse --tools write_file --explain",
        "<tool_call>\n{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"one\ntwo\",}}\n</tool_ca\n\n`<write_file path=\"q\">x</write_file>`",
        expect![[r#"
            --- stdout
            {"event":"open","name":"write_file","attrs":{},"at":0}
            {"event":"close","name":"write_file","body_bytes":8,"partial":false,"recovered":true,"repairs":["raw_control","trailing_comma","missing_close"]}
            --- stderr
            note  byte 77-78   write_file   mended: expected control characters in strings as escapes (raw_control)
            note  byte 82-83   write_file   mended: expected no comma before a closing bracket (trailing_comma)
            note  byte 85   write_file   mended: expected an end tag (missing_close)
            note  byte 0-85   write_file   recovered: where it or a call before it ends was guessed, so what cannot be undone asks first
            note  byte 98-109   write_file   `<write_file>` at byte 98: expected a call outside of code and comments, but this one is quoted and was not run; write it again without quoting if it was meant to run
            2 tags seen, 1 call, 3 repairs, 0 faults (with --strict: exit 8)
            exit 0
        "#]],
    );
}

#[test]
fn a_line_that_is_no_request_is_answered_and_counts() {
    let good = "{\"id\":\"a\",\"tools\":{\"f\":{}},\"input\":\"<f/>\"}\n";
    check(
        "parse --batch",
        &format!("{good}[1]\n{good}"),
        expect![[r#"
        --- stdout
        {"id":"a","events":[{"type":"tool","name":"f","attrs":{},"params":{},"body":null}]}
        {"id":"line 2","events":[{"type":"error","reason":"invalid_request","kind":"invalid_request","message":"line 2: expected a request as one JSON object, but found: invalid type: integer `1`, expected a string at line 1 column 2; mend the line"}]}
        {"id":"a","events":[{"type":"tool","name":"f","attrs":{},"params":{},"body":null}]}
        exit 2
    "#]],
    );
}

#[test]
fn a_reader_that_went_away_ends_it_quietly() {
    let bench = Bench::new();
    let mut command = bench.command("parse --tools f");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let calls = "<f></f>\n".repeat(10_000);
    // The program may be gone before all is written.
    let _ = input.write_all(calls.as_bytes());
    drop(input);
    let mut words = String::new();
    child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    assert_eq!((child.wait().unwrap().code(), words.as_str()), (Some(141), ""));
}
