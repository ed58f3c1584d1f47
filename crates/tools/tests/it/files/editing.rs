//! `replace_in_file`, from the file to the file.

use expect_test::{Expect, expect};
use serde_json::json;

use crate::files::Desk;

#[track_caller]
fn check(file: &[u8], diff: &str, expected: Expect) -> Vec<u8> {
    let desk = Desk::new();
    desk.put("f", file);
    desk.run("read_file", json!({ "path": "f" })).unwrap();
    expected.assert_eq(&desk.echo("replace_in_file", json!({ "path": "f", "diff": diff })));
    std::fs::read(desk.path("f")).unwrap()
}

fn block(search: &str, replace: &str) -> String {
    format!("------- SEARCH\n{search}=======\n{replace}+++++++ REPLACE\n")
}

#[test]
fn a_change_is_shown_as_a_diff() {
    let new = check(
        b"a\nb\nc\n",
        &block("b\n", "B\n"),
        expect![[r#"
        changed `f`: 1 block, +1 -1
        @@ -1,3 +1,3 @@
         a
        -b
        +B
         c"#]],
    );
    assert_eq!(new, b"a\nB\nc\n");
}

#[test]
fn all_blocks_or_none() {
    let diff = block("a\n", "A\n") + &block("nowhere\n", "x\n");
    let new = check(
        b"a\nb\n",
        &diff,
        expect![[
            r#"bad_call: `f`: block 2: the searched text is not in the file; read the file again, nothing in it is like it; nothing was written"#
        ]],
    );
    assert_eq!(new, b"a\nb\n");
}

#[test]
fn the_form_of_the_file_stays() {
    let bom = check(
        b"\xEF\xBB\xBFa\r\nb\r\n",
        &block("a\n", "A\nAA\n"),
        expect![[r#"
            changed `f`: 1 block, +2 -1
            @@ -1,2 +1,3 @@
            -a
            +A
            +AA
             b"#]],
    );
    assert_eq!(bom, b"\xEF\xBB\xBFA\r\nAA\r\nb\r\n");
    let old = check(
        b"caf\xE9\nx\n",
        &block("café\n", "thé\n"),
        expect![[r#"
        changed `f`: 1 block, +1 -1
        @@ -1,2 +1,2 @@
        -café
        +thé
         x"#]],
    );
    assert_eq!(old, b"th\xE9\nx\n");
    let old = check(
        b"caf\xE9\n",
        &block("café\n", "→\n"),
        expect![[
            r#"bad_call: `f`: expected characters that windows-1252 has, but found `→`; nothing was written"#
        ]],
    );
    assert_eq!(old, b"caf\xE9\n");
}

#[test]
fn a_diff_that_is_none_is_told() {
    check(
        b"a\n",
        "just text",
        expect![[
            r#"bad_call: `f`: line 1: expected a `------- SEARCH` line, but found `just text`; write nothing between the blocks; nothing was written"#
        ]],
    );
    check(
        b"a\0",
        &block("a\n", "b\n"),
        expect![[r#"bad_call: `f`: expected a text file, but it is binary"#]],
    );
}

#[test]
fn a_new_file_is_made_from_an_empty_search() {
    let desk = Desk::new();
    let arguments = json!({ "path": "new/f", "diff": block("", "a\nb\n") });
    expect![[r#"
        created `new/f`: 1 block, +2 -0
        @@ -0,0 +1,2 @@
        +a
        +b"#]]
    .assert_eq(&desk.echo("replace_in_file", arguments));
    assert_eq!(desk.get("new/f"), "a\nb\n");
    let arguments = json!({ "path": "other", "diff": block("x\n", "a\n") });
    expect![[r#"missing: `other`: there is no such file or folder in the workspace; see what is there with `list_files`"#]].assert_eq(&desk.echo("replace_in_file", arguments));
    assert_eq!(desk.tree(), "new\nnew/f\n");
}

#[test]
fn an_unread_file_is_not_changed() {
    let desk = Desk::new();
    desk.put("f", "a\n");
    let diff = block("a\n", "b\n");
    expect![[r#"
        failed: `f`: is there already and was not read in this session; nothing was written, it holds now:
        1 | a
        This is all of it; if the change is still right, make the call again with it in mind."#]].assert_eq(&desk.echo("replace_in_file", json!({ "path": "f", "diff": diff })));
    assert_eq!(desk.get("f"), "a\n");
}
