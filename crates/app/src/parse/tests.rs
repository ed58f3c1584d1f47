//! The verb: a reply in, lines out.

use std::io::{self, Read};

use expect_test::{Expect, expect};

use super::{Findings, batch, stream, tags};

/// Hands out its bytes in pieces, as a pipe does.
struct Pieces<'a>(Vec<&'a [u8]>);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(piece) = self.0.first_mut() else { return Ok(0) };
        let n = piece.read(buffer)?;
        if piece.is_empty() {
            self.0.remove(0);
        }
        Ok(n)
    }
}

#[track_caller]
fn check(pieces: &[&[u8]], expected: Expect) -> Findings {
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    let tools = tags(&["write_file".into(), "run_it".into()]);
    let findings =
        stream::run(Pieces(pieces.to_vec()), &mut out, Some(&mut notes), &tools).unwrap();
    let text = [out, notes].map(|bytes| String::from_utf8(bytes).unwrap()).join("--\n");
    expected.assert_eq(&text);
    findings
}

#[test]
fn a_call_is_two_lines_and_a_clean_summary() {
    let reply = b"Hello.\n<write_file path=\"a\"><![CDATA[\nx\n]]></write_file>\n";
    let findings = check(
        &[reply],
        expect![[r#"
            {"event":"open","name":"write_file","attrs":{"path":"a"},"at":7}
            {"event":"close","name":"write_file","body_bytes":1,"partial":false,"repairs":[]}
            --
            1 tag seen, 1 call, 0 repairs, 0 faults
        "#]],
    );
    assert_eq!(findings, Findings::Clean);
}

#[test]
fn repairs_and_quotes_are_explained() {
    let reply = b"<write_file path=\"a\"><![CDATA[\nx\n]]</write_file>\n`<run_it>` is code.";
    let findings = check(
        &[reply],
        expect![[r#"
            {"event":"open","name":"write_file","attrs":{"path":"a"},"at":0}
            {"event":"close","name":"write_file","body_bytes":1,"partial":false,"repairs":["cdata_unclosed"]}
            --
            note  byte 32-35   write_file   `<write_file>` at byte 32: expected `]]>` directly before the end tag, but found `]]`; end each CDATA section with `]]>`
            note  byte 50-57   run_it   `<run_it>` at byte 50: expected a call outside of code and comments, but this one is quoted and was not run; write it again without quoting if it was meant to run
            2 tags seen, 1 call, 1 repair, 0 faults (with --strict: exit 8)
        "#]],
    );
    assert_eq!(findings, Findings::Problems);
}

#[test]
fn characters_are_joined_across_pieces_and_other_bytes_are_named() {
    check(
        &[b"<run_it>\xc3", b"\xa9\xff", b"</run_it>\n\xc3"],
        expect![[r#"
            {"event":"open","name":"run_it","attrs":{},"at":0}
            {"event":"invalid_utf8","at":10,"bytes":1}
            {"event":"close","name":"run_it","body_bytes":5,"partial":false,"repairs":[]}
            {"event":"invalid_utf8","at":21,"bytes":1}
            --
            note  byte 10   input: expected UTF-8, but found 1 other bytes; they were replaced by U+FFFD
            note  byte 21   input: expected UTF-8, but found 1 other bytes; they were replaced by U+FFFD
            1 tag seen, 1 call, 0 repairs, 2 faults (with --strict: exit 8)
        "#]],
    );
}

#[test]
fn a_batch_answers_every_line_in_order() {
    let input = r#"
{"id":"a","tools":{"f":{"attrs":["x"]}},"input":"Hi <f x=\"1\"/>","chunks":[4,2]}
not json
{"id":"b","tools":{"f":{"params":{"n":"integer","s":"string"}}},"input":"<f><n> 7 </n><s> 7 </s></f>"}
"#;
    let mut out = Vec::new();
    let findings = batch::run(input.as_bytes(), &mut out).unwrap();
    assert_eq!(findings, Findings::BadRequest);
    expect![[r#"
        {"id":"a","events":[{"type":"text","text":"Hi "},{"type":"tool","name":"f","attrs":{"x":"1"},"params":{},"body":null}]}
        {"id":"line 3","events":[{"type":"error","reason":"invalid_request","kind":"invalid_request","message":"line 3: expected a request as one JSON object, but found: expected ident at line 1 column 2; mend the line"}]}
        {"id":"b","events":[{"type":"tool","name":"f","arguments":{"n":7,"s":" 7 "}}]}
    "#]]
    .assert_eq(&String::from_utf8(out).unwrap());
}
