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
            {"event":"close","name":"write_file","body_bytes":1,"partial":false,"recovered":false,"repairs":[]}
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
            {"event":"close","name":"write_file","body_bytes":1,"partial":false,"recovered":true,"repairs":["cdata_unclosed"]}
            --
            note  byte 32-35   write_file   `<write_file>` at byte 32: expected `]]>` directly before the end tag, but found `]]`; end each CDATA section with `]]>`
            note  byte 0-48   write_file   recovered: where it or a call before it ends was guessed, so what cannot be undone asks first
            note  byte 50-57   run_it   `<run_it>` at byte 50: expected a call outside of code and comments, but this one is quoted and was not run; write it again without quoting if it was meant to run
            2 tags seen, 1 call, 1 repair, 0 faults (with --strict: exit 8)
        "#]],
    );
    assert_eq!(findings, Findings::Problems);
}

#[test]
fn what_was_mended_in_json_is_explained() {
    let reply = br#"<tool_call>{"name":"run_it","arguments":{"a":1,},}</tool_call>"#;
    let findings = check(
        &[reply],
        expect![[r#"
        {"event":"open","name":"run_it","attrs":{},"at":0}
        {"event":"close","name":"run_it","body_bytes":1,"partial":false,"recovered":false,"repairs":["trailing_comma","trailing_comma"]}
        --
        note  byte 46-47   run_it   mended: expected no comma before a closing bracket (trailing_comma)
        note  byte 48-49   run_it   mended: expected no comma before a closing bracket (trailing_comma)
        1 tag seen, 1 call, 2 repairs, 0 faults (with --strict: exit 8)
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
            {"event":"close","name":"run_it","body_bytes":5,"partial":false,"recovered":false,"repairs":[]}
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

/// One tool `f` with these types and schemas, one reply: the arguments of its calls.
#[track_caller]
fn check_typed(tools: &str, replies: &[&str], expected: Expect) {
    let mut out = Vec::new();
    for reply in replies {
        let input = serde_json::Value::from(*reply);
        let line = format!(r#"{{"id":"","tools":{{"f":{tools},"input":{input}}}"#);
        batch::run(line.as_bytes(), &mut out).unwrap();
    }
    let text = String::from_utf8(out).unwrap();
    expected.assert_eq(&text.replace(r#"{"id":"","events":"#, ""));
}

#[test]
fn a_batch_types_arguments_by_their_types_in_every_syntax() {
    check_typed(
        r#"{"params":{"s":"string","i":"integer","n":"number","b":"boolean","a":"array","o":"object"},"effect":"write"}}"#,
        &[
            r#"<f><s> 007 </s><i> 9007199254740993 </i><a>["&lt;"]</a><O>{'k': None}</O></f>"#,
            r#"<f><a>x</a><a>y</a><o><k>1</k></o></f>"#,
            r#"<tool_call>{"name":"f","arguments":{"s":{"k": 1},"i":3.0,"n":1e-5,"b":true,"a":[],"z":[1.0]}}</tool_call>"#,
            r#"<tool_call>{"name":"f","arguments":{"s":null,"i":"7","b":"True","a":"[1]","z":"1"}}</tool_call>"#,
            "<tool_call><function=f><parameter=i>\n12345678901234567890123\n</parameter><parameter=z>1</parameter></function></tool_call>",
        ],
        expect![[r#"
            [{"type":"tool","name":"f","arguments":{"s":" 007 ","i":9007199254740993,"a":["&lt;"],"o":{"k":null}}}]}
            [{"type":"tool","name":"f","arguments":{"a":["x","y"],"o":{"k":"1"}}}]}
            [{"type":"tool","name":"f","arguments":{"s":"{\"k\": 1}","i":3,"n":1e-5,"b":true,"a":[],"z":[1.0]}}]}
            [{"type":"tool","name":"f","arguments":{"s":null,"i":7,"b":true,"a":[1],"z":"1"}}]}
            [{"type":"tool","name":"f","arguments":{"i":12345678901234567890123,"z":"1"}}]}
        "#]],
    );
}

#[test]
fn a_batch_takes_whole_schemas() {
    check_typed(
        r##"{"params":{"v":"string","w":"integer"}}},"schemas":{"f":{"$defs":{"id":{"anyOf":[{"type":"integer"},{"type":"string"}]}},"properties":{"v":{"$ref":"#/$defs/id"},"unit":{"enum":["C","F"]}}}}"##,
        &["<f><v>7</v><w>7</w><unit>c</unit></f>", "<f><v>007</v></f>"],
        expect![[r#"
            [{"type":"tool","name":"f","arguments":{"v":7,"w":7,"unit":"C"}}]}
            [{"type":"tool","name":"f","arguments":{"v":"007"}}]}
        "#]],
    );
}

#[test]
fn a_batch_takes_the_text_of_a_tool_for_its_one_string() {
    check_typed(
        r#"{"params":{"command":"string"}}}"#,
        &[
            "<f>ls -la</f>",
            "<f>\n<command>ls</command>\n</f>",
            "<f/>",
            r#"<f>{"command":"ls"}</f>"#,
        ],
        expect![[r#"
            [{"type":"tool","name":"f","arguments":{"command":"ls -la"}}]}
            [{"type":"tool","name":"f","arguments":{"command":"ls"}}]}
            [{"type":"tool","name":"f","arguments":{}}]}
            [{"type":"tool","name":"f","arguments":{"command":"ls"}}]}
        "#]],
    );
}
