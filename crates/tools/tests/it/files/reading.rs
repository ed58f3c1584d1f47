//! `read_file`, `read_file_in_chunks`, `read_batch`.

use std::fs::File;

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use tagline_parser::{Block, BlockId, Child, Value as Written};

use crate::files::Desk;

#[track_caller]
fn check(content: impl AsRef<[u8]>, arguments: Value, expected: Expect) {
    let desk = Desk::new();
    desk.put("f", content);
    expected.assert_eq(&desk.echo("read_file", arguments));
}

#[test]
fn lines_have_numbers() {
    check(
        "a\nb\nc\n",
        json!({ "path": "f" }),
        expect![[r#"
        f: lines 1-3 of 3
        1 | a
        2 | b
        3 | c"#]],
    );
    check(
        "a\nb\nc\n",
        json!({ "path": "f", "from": 2, "to": 2 }),
        expect![[r#"
            f: lines 2-2 of 3
            2 | b"#]],
    );
    check(
        "a\nb",
        json!({ "path": "f" }),
        expect![[r#"
        f: lines 1-2 of 2, no line break at the end
        1 | a
        2 | b"#]],
    );
    check("", json!({ "path": "f" }), expect![[r#"f: empty file"#]]);
}

#[test]
fn the_form_of_a_file_is_told() {
    check(
        "a\r\nb\r\n",
        json!({ "path": "f" }),
        expect![[r#"
        f: lines 1-2 of 2, CRLF line ends
        1 | a
        2 | b"#]],
    );
    check(
        "a\r\nb\n",
        json!({ "path": "f" }),
        expect![[r#"
        f: lines 1-2 of 2, mixed line ends
        1 | a
        2 | b"#]],
    );
    check(
        "\u{FEFF}a\n",
        json!({ "path": "f" }),
        expect![[r#"
        f: lines 1-1 of 1, UTF-8 with a byte order mark
        1 | a"#]],
    );
    check(
        b"caf\xE9\n",
        json!({ "path": "f" }),
        expect![[r#"
        f: lines 1-1 of 1, not UTF-8, read as windows-1252
        1 | café"#]],
    );
    check(
        [0xFF, 0xFE, b'a', 0, b'\n', 0],
        json!({ "path": "f" }),
        expect![[r#"
        f: lines 1-1 of 1, UTF-16LE
        1 | a"#]],
    );
}

#[test]
fn binary_files_are_described() {
    check(
        b"\x7fELF\x02\x01\x01\0\0\0\0\0",
        json!({ "path": "f" }),
        expect![[r#"f: binary file, unknown kind, 12 bytes; its content is not text"#]],
    );
    check(
        b"a\0b",
        json!({ "path": "f" }),
        expect![[r#"f: binary file, unknown kind, 3 bytes; its content is not text"#]],
    );
}

#[test]
fn lines_that_are_not_there_are_told() {
    check(
        "a\n",
        json!({ "path": "f", "from": 5 }),
        expect![[
            r#"bad_call: `f`: expected `from` within its 1 line, but found 5; read from a line that is there"#
        ]],
    );
    check(
        "a\n",
        json!({ "path": "f", "from": 5, "to": 2 }),
        expect![[r#"bad_call: `to` is 2: expected at least `from`, which is 5"#]],
    );
}

#[test]
fn what_is_missing_names_what_is_near() {
    let desk = Desk::new();
    desk.put("src/main.rs", "");
    desk.put("src/lib.rs", "");
    let echoes = ["src/mian.rs", "source/main.rs", "src", "../x"]
        .map(|path| desk.echo("read_file", json!({ "path": path })));
    expect![[r#"
        missing: `src/mian.rs`: there is no such file or folder in the workspace; did you mean `src/main.rs` or `src/lib.rs`
        missing: `source/main.rs`: there is no such file or folder in the workspace; see what is there with `list_files`
        bad_call: `src`: expected a regular file, but found a folder; list it with `list_files`
        denied: `../x`: leads out of the workspace; use a path in the workspace or `home:/`"#]].assert_eq(&echoes.join("\n"));
}

#[test]
fn a_long_file_is_shown_in_parts_that_join() {
    let desk = Desk::new();
    let text: String = (1..=3_000).map(|n| format!("line number {n}\n")).collect();
    desk.put("f", &text);
    let (mut from, mut joined, mut n_calls) = (1, String::new(), 0);
    loop {
        let echo = desk.echo("read_file", json!({ "path": "f", "from": from }));
        assert!(echo.len() <= 16 * 1024);
        for line in echo.lines() {
            if let Some((_, text)) = line.split_once(" | ") {
                joined.push_str(&format!("{text}\n"));
            }
        }
        n_calls += 1;
        let Some((_, next)) = echo.rsplit_once("read from=") else { break };
        from = next.trim_end_matches(']').parse().unwrap();
    }
    assert_eq!(joined, text);
    assert_eq!(n_calls, 5);
}

#[test]
fn an_image_is_handed_on_as_media() {
    let desk = Desk::new();
    let png = [0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0, 0, 13];
    desk.put("a/logo.png", png);
    let output = desk.run("read_file", json!({ "path": "a/logo.png" })).unwrap();
    expect![[r#"a/logo.png: image/png, 12 bytes; you see it as an image"#]]
        .assert_eq(output.echo.as_str());
    let media = output.media.first().unwrap();
    expect![[r#"image/png logo.png data:image/png;base64,iVBORw0KGgoAAAAN"#]]
        .assert_eq(&format!("{} {} {}", media.media_type, media.label, media.url));
}

#[test]
fn huge_files_are_read_in_bounded_pieces() {
    let desk = Desk::new();
    desk.put("sparse", "");
    File::options().write(true).open(desk.path("sparse")).unwrap().set_len(8 << 30).unwrap();
    desk.put("one-line", "x".repeat(20 << 20));
    let long: String = (1..=2_000_000).map(|n| format!("{n:09}\n")).collect();
    desk.put("many-lines", long);
    let read =
        |path, from| desk.echo("read_file", json!({ "path": path, "from": from, "to": from }));
    let shown = [read("sparse", 1), read("many-lines", 1_999_999)];
    expect![[r#"
        sparse: binary file, unknown kind, 8.0 GiB; its content is not text
        many-lines: lines 1999999-1999999 of 2000000, 19.0 MiB: too large to be edited here
        1999999 | 001999999"#]]
    .assert_eq(&shown.join("\n"));
    let line = read("one-line", 1);
    assert!(line.len() < 2_500 && line.contains("[20969520 more bytes of this line]"), "{line}");
    let chunk = json!({ "path": "one-line", "chunk": 1706 });
    let chunk = desk.echo("read_file_in_chunks", chunk);
    expect![[r#"one-line: chunk 1706 of 1707 (from 0), bytes 20963328-20971520 of 20971520, the last one"#]]
    .assert_eq(chunk.lines().next().unwrap());
}

#[test]
fn chunks_join_to_the_file() {
    let desk = Desk::new();
    let text = "é→😀x\n".repeat(400);
    desk.put("f", &text);
    let mut joined = String::new();
    for chunk in 0.. {
        let arguments = json!({ "path": "f", "chunk": chunk, "chunk_bytes": 257 });
        let echo = desk.echo("read_file_in_chunks", arguments);
        let (heading, piece) = echo.split_once('\n').unwrap();
        joined.push_str(piece);
        if heading.ends_with("the last one") {
            break;
        }
    }
    assert_eq!(joined, text);
    let beyond = json!({ "path": "f", "chunk": 99, "chunk_bytes": 4_000 });
    expect![[r#"bad_call: `f`: expected `chunk` from 0 to 1, but found 99"#]]
        .assert_eq(&desk.echo("read_file_in_chunks", beyond));
}

#[test]
fn a_batch_reads_what_it_can() {
    let desk = Desk::new();
    desk.put("a", "1\n2\n3\n");
    desk.put("b", "x\n");
    let paths = json!([{ "path": "a", "from": 2 }, { "path": "gone" }, { "path": "b" }]);
    expect![[r#"
        a: lines 2-3 of 3
        2 | 2
        3 | 3

        gone: not read: `gone`: there is no such file or folder in the workspace; see what is there with `list_files`

        b: lines 1-1 of 1
        1 | x"#]].assert_eq(&desk.echo("read_batch", json!({ "path": paths })));
    expect![[r#"
        failed: none of 1 file could be read
        gone: not read: `gone`: there is no such file or folder in the workspace; see what is there with `list_files`"#]].assert_eq(&desk.echo("read_batch", json!({ "path": [{ "path": "gone" }] })));
}

#[test]
fn a_batch_shares_its_room() {
    let desk = Desk::new();
    let text = "some line of text\n".repeat(5_000);
    let paths: Vec<_> = (0..10).map(|n| format!("f{n}")).collect();
    paths.iter().for_each(|path| desk.put(path, &text));
    let paths: Vec<_> = paths.iter().map(|path| json!({ "path": path })).collect();
    let echo = desk.echo("read_batch", json!({ "path": paths }));
    assert!(echo.len() <= 16 * 1024);
    assert_eq!(echo.matches("more lines, read from=").count(), 10, "each file has a share");
}

#[test]
fn a_batch_is_written_with_children() {
    let child = |attributes: &[(&str, &str)], text: &str| Child {
        name: "path".to_owned(),
        attributes: attributes.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
        value: Written::Text(text.to_owned()),
        is_declared: true,
    };
    let block = Block {
        id: BlockId(0),
        name: "read_batch".to_owned(),
        attributes: vec![],
        children: vec![child(&[], "a"), child(&[("from", "2"), ("to", "3")], "b")],
        body: None,
        is_partial: false,
        is_recovered: false,
        is_from_unclosed_cdata: false,
        faults: vec![],
        repairs: vec![],
        span: 0..0,
    };
    let registry = tagline_tools::all();
    let decoded = tagline_protocol::decode(&registry.get("read_batch").unwrap().spec, &block);
    expect![[r#"{"path":[{"path":"a"},{"from":2,"to":3,"path":"b"}]}"#]]
        .assert_eq(&decoded.unwrap().arguments.to_string());
}
