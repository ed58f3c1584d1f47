//! Deleting keeps what it takes, and takes no more than it was asked.

use std::{fs, os::unix::fs::symlink};

use tagline_workspace::{Depth, Problem, Workspace};

use crate::fixture::Fixture;

#[test]
fn a_tree_goes_and_what_its_links_lead_to_stays() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.ws("tree")).unwrap();
    fs::write(fixture.ws("tree/a"), "a").unwrap();
    fs::write(fixture.out("kept"), "kept").unwrap();
    symlink(fixture.out(""), fixture.ws("tree/out")).unwrap();
    let deleted = fixture.open().delete("tree", Depth::Whole, "s1.c2/../x").unwrap();
    assert_eq!(fixture.tree("ws"), Vec::<String>::new());
    assert_eq!(fixture.tree("out"), ["kept"]);
    assert_eq!(deleted.kept, fixture.path("data/trash/s1_c2____x/content"));
    assert_eq!(fs::read_to_string(deleted.kept.join("a")).unwrap(), "a");
    let origin = fs::read_to_string(fixture.path("data/trash/s1_c2____x/origin")).unwrap();
    assert_eq!(origin, format!("{}\n", fixture.ws("tree").display()));
}

#[test]
fn a_link_goes_alone() {
    let fixture = Fixture::new();
    fs::write(fixture.out("kept"), "kept").unwrap();
    symlink(fixture.out(""), fixture.ws("out")).unwrap();
    symlink("missing", fixture.ws("dangling")).unwrap();
    let workspace = fixture.open();
    workspace.delete("out", Depth::Whole, "one").unwrap();
    workspace.delete("dangling", Depth::Empty, "one").unwrap();
    assert_eq!(fixture.tree("ws"), Vec::<String>::new());
    assert_eq!(fixture.tree("out"), ["kept"]);
    assert!(fixture.path("data/trash/one-2").exists(), "a second deletion of a call has a slot");
}

#[test]
fn a_folder_with_content_needs_to_be_meant() {
    let fixture = Fixture::new();
    fs::create_dir_all(fixture.ws("a/b")).unwrap();
    let workspace = fixture.open();
    let refused = workspace.delete("a", Depth::Empty, "call").unwrap_err().problem;
    assert_eq!(refused, Problem::NotEmpty(1));
    workspace.delete("a/b", Depth::Empty, "call").unwrap();
    assert_eq!(fixture.tree("ws"), ["a"]);
}

#[test]
fn roots_and_what_holds_them_stay() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.ws("inner")).unwrap();
    let workspace =
        fixture.builder().device(fixture.path("")).extra(fixture.ws("inner")).open().unwrap();
    let refused = |path: &str| workspace.delete(path, Depth::Whole, "call").unwrap_err().problem;
    assert_eq!(refused("."), Problem::HoldsRoot("the workspace".to_owned()));
    assert_eq!(refused("./"), Problem::HoldsRoot("the workspace".to_owned()));
    assert_eq!(refused("device:/ws"), Problem::HoldsRoot("the workspace".to_owned()));
    assert_eq!(refused("device:/data"), Problem::Own);
    assert!(matches!(refused("inner"), Problem::HoldsRoot(_)));
    assert!(matches!(refused(".."), Problem::Outside { .. }));
    assert!(fixture.ws("inner").exists());
}

#[test]
fn without_an_undo_store_nothing_is_deleted() {
    let fixture = Fixture::new();
    fs::write(fixture.ws("a"), "a").unwrap();
    let workspace = Workspace::builder(fixture.ws("")).open().unwrap();
    let refused = workspace.delete("a", Depth::Whole, "call").unwrap_err().problem;
    assert_eq!(refused, Problem::NoTrash);
    assert_eq!(fixture.tree("ws"), ["a"]);
}

/// `/dev/shm` is a file system of its own where it exists.
#[test]
fn a_tree_on_another_file_system_is_copied_into_the_store() {
    let fixture = Fixture::new();
    let Ok(other) = tempfile::tempdir_in("/dev/shm") else {
        return;
    };
    fs::create_dir_all(other.path().join("tree/deep")).unwrap();
    fs::write(other.path().join("tree/deep/a"), "a").unwrap();
    symlink(fixture.out(""), other.path().join("tree/out")).unwrap();
    fs::write(fixture.out("kept"), "kept").unwrap();
    let workspace = fixture.builder().extra(other.path()).open().unwrap();
    let tree = other.path().join("tree");
    let moved = workspace.relocate(&tree.display().to_string(), "here");
    let is_other = matches!(moved, Err(ref error) if error.problem == Problem::CrossesDevices);
    let deleted = if is_other { tree.display().to_string() } else { "here".to_owned() };
    let deleted = workspace.delete(&deleted, Depth::Whole, "call").unwrap();
    assert!(!tree.exists());
    assert_eq!(fs::read_to_string(deleted.kept.join("deep/a")).unwrap(), "a");
    assert!(deleted.kept.join("out").is_symlink());
    assert_eq!(fixture.tree("out"), ["kept"]);
}
