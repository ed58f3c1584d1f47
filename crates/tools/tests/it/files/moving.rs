//! `move_file`, `create_folder`, `delete_file`.

use std::fs;

use expect_test::expect;
use serde_json::json;

use crate::files::Desk;

#[test]
fn files_and_folders_move_and_never_replace() {
    let desk = Desk::new();
    desk.put("a", "a");
    desk.put("d/b", "b");
    let relocate = |from, to| desk.echo("move_file", json!({ "from": from, "to": to }));
    let shown = [
        relocate("a", "new/a"),
        relocate("d", "new/d"),
        relocate("new/a", "new/d/b"),
        relocate("new", "new/deeper"),
        relocate("gone", "x"),
        relocate("new/a", "../a"),
    ];
    expect![[r#"
        moved `a` to `new/a`
        moved `d` to `new/d`
        bad_call: `new/d/b`: is there already; choose another name, or delete it first
        bad_call: `new/deeper`: a folder cannot be moved into itself
        missing: `gone`: there is no such file or folder in the workspace; see what is there with `list_files`
        denied: `../a`: leads out of the workspace; use a path in the workspace or `home:/`"#]].assert_eq(&shown.join("\n"));
    assert_eq!(desk.tree(), "new\nnew/a\nnew/d\nnew/d/b\n");
}

#[test]
fn folders_are_made() {
    let desk = Desk::new();
    desk.put("f", "");
    let make = |path| desk.echo("create_folder", json!({ "path": path }));
    let shown = [make("a/b"), make("a"), make("f"), make("../x")];
    expect![[r#"
        made the folder `a/b`
        the folder `a` is there already
        bad_call: `f`: a part of the path is a file, not a folder
        denied: `../x`: leads out of the workspace; use a path in the workspace or `home:/`"#]]
    .assert_eq(&shown.join("\n"));
}

#[test]
fn what_is_deleted_is_kept() {
    let desk = Desk::new();
    desk.put("f", "text");
    desk.put("d/g", "more");
    let delete =
        |path, recursive| desk.echo("delete_file", json!({ "path": path, "recursive": recursive }));
    let shown = [
        delete("f", false),
        delete("d", false),
        delete("d", true),
        delete(".", true),
        delete("gone", false),
    ];
    expect![[r#"
        deleted the file `f`; it is kept in the undo store
        bad_call: `d`: expected an empty folder, but it holds 1 entries; delete it recursively, with `recursive` set to true
        deleted the folder `d`; it is kept in the undo store
        denied: `.`: is or holds the workspace, which stays where it is; name something inside it
        missing: `gone`: there is no such file or folder in the workspace; see what is there with `list_files`"#]].assert_eq(&shown.join("\n"));
    assert_eq!(desk.tree(), "");
    let trash = desk.path("../data/trash");
    assert_eq!(fs::read_to_string(trash.join("c1/content")).unwrap(), "text");
    assert_eq!(fs::read_to_string(trash.join("c1-2/content/g")).unwrap(), "more");
}

#[test]
fn a_deleted_file_is_no_longer_read() {
    let desk = Desk::new();
    desk.put("f", "text");
    desk.run("read_file", json!({ "path": "f" })).unwrap();
    desk.run("delete_file", json!({ "path": "f" })).unwrap();
    desk.put("f", "text");
    assert!(desk.run("write_file", json!({ "path": "f", "content": "x" })).is_err());
}

#[test]
fn what_was_read_stays_read_under_its_new_name() {
    let desk = Desk::new();
    desk.put("f", "text".repeat(1_000));
    desk.put("g", "text".repeat(1_000));
    desk.run("read_file", json!({ "path": "f" })).unwrap();
    for (from, to) in [("f", "new/f"), ("g", "new/g")] {
        desk.run("move_file", json!({ "from": from, "to": to })).unwrap();
    }
    desk.run("write_file", json!({ "path": "new/f", "content": "x" })).unwrap();
    desk.run("write_file", json!({ "path": "new/g", "content": "x" })).unwrap_err();
}

#[test]
fn what_changed_is_on_the_record() {
    let desk = Desk::new();
    desk.run("write_file", json!({ "path": "f", "content": "abc" })).unwrap();
    let notes = serde_json::to_string(&desk.cx.audit.notes()).unwrap();
    expect![[r#"{"path":"/top/ws/f","sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}"#]].assert_eq(&desk.plain(&notes));
    desk.run("delete_file", json!({ "path": "f" })).unwrap();
    let kept = desk.cx.audit.notes()["kept"].to_string();
    assert_eq!(desk.plain(&kept), "\"/top/data/trash/c1/content\"");
}
