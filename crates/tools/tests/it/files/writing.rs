//! `write_file`, and the rule that an edit needs its content read.

use expect_test::expect;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::files::Desk;

fn write(desk: &Desk, path: &str, content: &str) -> String {
    desk.echo("write_file", json!({ "path": path, "content": content }))
}

#[test]
fn a_new_file_comes_with_its_folders() {
    let desk = Desk::new();
    let arguments = json!({ "path": "a/b/f.txt", "content": "one\ntwo\n" });
    let output = desk.run("write_file", arguments).unwrap();
    expect![[r#"wrote `a/b/f.txt`: new, 2 lines, 8 bytes"#]].assert_eq(output.echo.as_str());
    expect![[r#"{"path":"a/b/f.txt","bytes":8,"lines":2,"created":true,"added":2,"removed":0,"diff":"@@ -0,0 +1,2 @@\n+one\n+two\n"}"#]].assert_eq(&output.card.payload.to_string());
    assert_eq!(desk.get("a/b/f.txt"), "one\ntwo\n");
}

#[test]
fn an_alias_means_the_same_tool() {
    let desk = Desk::new();
    desk.run("write_to_file", json!({ "path": "f", "content": "" })).unwrap();
    assert_eq!(desk.get("f"), "");
    assert!(desk.run("write_file", json!({ "path": "f" })).is_err(), "the text must be given");
}

#[test]
fn its_own_text_may_be_replaced() {
    let desk = Desk::new();
    write(&desk, "f", "a\nb\n");
    expect![[r#"
        replaced `f`: 2 lines, 4 bytes, +1 -1
        @@ -1,2 +1,2 @@
         a
        -b
        +c"#]]
    .assert_eq(&write(&desk, "f", "a\nc\n"));
    expect![[r#"`f` holds exactly this text already; nothing was written"#]]
        .assert_eq(&write(&desk, "f", "a\nc\n"));
}

#[test]
fn an_unread_file_is_not_replaced() {
    let desk = Desk::new();
    desk.put("f", "by the user\n");
    expect![[r#"
        failed: `f`: is there already and was not read in this session; nothing was written, it holds now:
        1 | by the user
        This is all of it; if the change is still right, make the call again with it in mind."#]].assert_eq(&write(&desk, "f", "by the model\n"));
    assert_eq!(desk.get("f"), "by the user\n");
    // The model has seen all of it now.
    write(&desk, "f", "by the model\n");
    assert_eq!(desk.get("f"), "by the model\n");
}

#[test]
fn a_long_unread_file_needs_to_be_read() {
    let desk = Desk::new();
    let text = "by the user\n".repeat(1_000);
    desk.put("f", &text);
    for _ in 0..2 {
        let echo = write(&desk, "f", "by the model\n");
        assert!(echo.starts_with("failed: `f`: is there already and was not read"), "{echo}");
        assert!(echo.ends_with("more lines; read it with `read_file`, then edit]"), "{echo}");
    }
    desk.run("read_file", json!({ "path": "f" })).unwrap();
    write(&desk, "f", "by the model\n");
    assert_eq!(desk.get("f"), "by the model\n");
}

#[test]
fn a_file_changed_since_read_stays() {
    let desk = Desk::new();
    desk.put("f", "old\n");
    desk.run("read_file", json!({ "path": "f" })).unwrap();
    desk.put("f", "changed by the user\n");
    let diff = "------- SEARCH\nold\n=======\nnew\n+++++++ REPLACE\n";
    expect![[r#"
        failed: `f`: changed since read; nothing was written, it holds now:
        1 | changed by the user
        This is all of it; if the change is still right, make the call again with it in mind."#]]
    .assert_eq(&desk.echo("replace_in_file", json!({ "path": "f", "diff": diff })));
    assert_eq!(desk.get("f"), "changed by the user\n");
}

#[test]
fn reading_under_another_name_counts() {
    let desk = Desk::new();
    desk.put("d/f", "old\n");
    std::os::unix::fs::symlink("d", desk.path("link")).unwrap();
    desk.run("read_file", json!({ "path": "link/f" })).unwrap();
    write(&desk, &desk.path("d/f").display().to_string(), "new\n");
    assert_eq!(desk.get("d/f"), "new\n");
}

#[test]
fn empty_and_binary_files() {
    let desk = Desk::new();
    desk.put("empty", "");
    desk.put("binary", b"\0\x01\x02");
    let shown = [write(&desk, "empty", "x"), write(&desk, "binary", "x"), {
        desk.run("read_file", json!({ "path": "binary" })).unwrap();
        write(&desk, "binary", "x")
    }];
    expect![[r#"
        replaced `empty`: 1 line, 1 byte, +1 -0
        @@ -0,0 +1 @@
        +x
        \ No newline at end of file
        failed: `binary`: is there already and was not read in this session; nothing was written, it is a binary file
        replaced `binary`, which was binary: 1 line, 1 byte"#]].assert_eq(&shown.join("\n"));
}

#[test]
fn what_cannot_be_written_is_told() {
    let desk = Desk::new();
    desk.put("d/f", "x");
    let shown = ["../x", "d", "d/f/g", "", "x/", ".env."].map(|path| write(&desk, path, "x"));
    expect![[r#"
        denied: `../x`: leads out of the workspace; use a path in the workspace or `home:/`
        bad_call: `d`: expected a regular file, but found a folder
        bad_call: `d/f/g`: a part of the path is a file, not a folder
        bad_call: ``: expected a path, but it is empty; name a file or folder
        bad_call: `x/`: expected a regular file, but found a folder
        bad_call: `.env.`: the name `.env.` means another file or a device on some systems; use a plain name"#]].assert_eq(&shown.join("\n"));
}

#[test]
fn claims_name_the_resolved_path() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("real")).unwrap();
    std::os::unix::fs::symlink("real", desk.path("link")).unwrap();
    let shown = |tool: &str, arguments: Value| {
        let claims = desk.claims(tool, arguments);
        let shown = claims.paths.iter().map(|claim| {
            let resolved = claim.resolved.as_ref().map(|path| path.display().to_string());
            let (is_write, is_removal) = (claim.is_write, claim.is_removal);
            format!("{} {resolved:?} write={is_write} removal={is_removal}\n", claim.asked)
        });
        desk.plain(&format!("{tool}\n{}", shown.collect::<String>()))
    };
    let shown = [
        shown("write_file", json!({ "path": "link/f", "content": "" })),
        shown("replace_in_file", json!({ "path": "f", "diff": "" })),
        shown("read_file", json!({ "path": "../f" })),
        shown("read_batch", json!({ "path": [{ "path": "a" }, { "path": "b" }] })),
        shown("delete_file", json!({ "path": "link" })),
        shown("move_file", json!({ "from": "a", "to": "b" })),
        shown("create_folder", json!({ "path": "a" })),
        shown("search_files", json!({ "query": "a" })),
        shown("extract", json!({ "file_path": "src/a.rs#f" })),
    ];
    expect![[r#"
        write_file
        link/f Some("/top/ws/real/f") write=true removal=false
        replace_in_file
        f Some("/top/ws/f") write=true removal=false
        read_file
        ../f None write=false removal=false
        read_batch
        a Some("/top/ws/a") write=false removal=false
        b Some("/top/ws/b") write=false removal=false
        delete_file
        link Some("/top/ws/link") write=true removal=true
        move_file
        a Some("/top/ws/a") write=true removal=true
        b Some("/top/ws/b") write=true removal=false
        create_folder
        a Some("/top/ws/a") write=true removal=false
        search_files
        . Some("/top/ws") write=false removal=false
        extract
        src/a.rs Some("/top/ws/src/a.rs") write=false removal=false
        src/a.rs#f Some("/top/ws/src/a.rs#f") write=false removal=false
    "#]]
    .assert_eq(&shown.join(""));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_text_is_written_byte_for_byte(text in any::<String>()) {
        let desk = Desk::new();
        write(&desk, "f", &text);
        prop_assert_eq!(desk.get("f"), text);
    }
}
