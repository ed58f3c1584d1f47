//! Each sentence, as people and models read it.

use std::{fs, os::unix::fs::symlink};

use expect_test::{Expect, expect};
use tagline_workspace::{FileError, Problem};

use crate::fixture::Fixture;

#[track_caller]
fn check(paths: &[&str], expected: Expect) {
    let fixture = Fixture::new();
    fs::write(fixture.ws("file"), "x").unwrap();
    symlink("../out", fixture.ws("link")).unwrap();
    symlink("loop", fixture.ws("loop")).unwrap();
    let workspace = fixture.open();
    let errors = paths.iter().map(|path| workspace.read(path, 0).unwrap_err().to_string());
    expected.assert_eq(&fixture.plain(&errors.collect::<Vec<_>>().join("\n")));
}

#[test]
fn paths_that_are_none() {
    check(
        &["", " ", "ok.txt\0../../secret", "a\nb", r"..\..\x", "https://example.org/x"],
        expect![[r#"
            ``: expected a path, but it is empty; name a file or folder
            ` `: expected a path, but it is empty; name a file or folder
            `ok.txt\u{0}../../secret`: expected a path without control characters, but found U+0000; write the path without it
            `a\nb`: expected a path without control characters, but found U+000A; write the path without it
            `..\..\x`: expected `/` between folders, but found a backslash; write `../../x`
            `https://example.org/x`: expected a path, but found an address; name a file in the workspace"#]],
    );
    check(
        &[&"x/".repeat(3000), &"x".repeat(256)],
        expect![[r#"
        `x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/…`: expected at most 4096 bytes, but found 6000; use a shorter path
        `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…`: expected at most 255 bytes, but found 256; use a shorter path"#]],
    );
}

#[test]
fn paths_at_the_bounds() {
    let (long, name) = ("x/".repeat(2048), "x".repeat(255));
    check(
        &[r"a\x00b", r"a\x2fb", "a/../../x", "a/../x", "file/", "file/."],
        expect![[r#"
            `a\x00b`: expected `/` between folders, but found a backslash; write `a/x00b`
            `a\x2fb`: expected `/` between folders, but found a backslash; write `a/x2fb`
            `a/../../x`: leads out of the workspace; use a path in the workspace or `home:/`
            `a/../x`: there is no such file or folder in the workspace
            `file/`: a part of the path is a file, not a folder
            `file/.`: a part of the path is a file, not a folder"#]],
    );
    for path in [&long, &name] {
        let problem = Fixture::new().open().read(path, 0).unwrap_err().problem;
        assert!(matches!(problem, Problem::Missing(_)), "{problem}");
    }
}

#[test]
fn names_that_mean_something_else_elsewhere() {
    check(
        &[
            ".git /config",
            ".git./config",
            ".env::$DATA",
            ".env.",
            "....//x",
            r"a\x2e",
            "NUL",
            "C:/x",
        ],
        expect![[r#"
            `.git /config`: the name `.git ` means another file or a device on some systems; use a plain name
            `.git./config`: the name `.git.` means another file or a device on some systems; use a plain name
            `.env::$DATA`: the name `.env::$DATA` means another file or a device on some systems; use a plain name
            `.env.`: the name `.env.` means another file or a device on some systems; use a plain name
            `....//x`: the name `....` means another file or a device on some systems; use a plain name
            `a\x2e`: the name `a\x2e` means another file or a device on some systems; use a plain name
            `NUL`: the name `NUL` means another file or a device on some systems; use a plain name
            `C:/x`: the name `C:` means another file or a device on some systems; use a plain name"#]],
    );
}

#[test]
fn places_that_are_not_reached() {
    check(
        &[
            "../x",
            "/etc/passwd",
            "device:/x",
            "~/x",
            "link/x",
            "loop",
            "..%2f..%2fx",
            "missing",
            "file/x",
            "file/",
            "file",
            "home:/files",
        ],
        expect![[r#"
            `../x`: leads out of the workspace; use a path in the workspace or `home:/`
            `/etc/passwd`: leads out of every folder; use a path in the workspace or `home:/`
            `device:/x`: there is no `device:/` folder here; use a path in the workspace or `home:/`
            `~/x`: there is no `device:/` folder here; use a path in the workspace or `home:/`
            `link/x`: a link on the way leads out of the workspace; name the real file, if it may be used
            `loop`: its links lead in a circle
            `..%2f..%2fx`: there is no such file or folder in the workspace
            `missing`: there is no such file or folder in the workspace
            `file/x`: a part of the path is a file, not a folder
            `file/`: a part of the path is a file, not a folder
            `file`: expected at most 0 bytes, but the file has 1; read a part of it
            `home:/files`: expected a regular file, but found a folder"#]],
    );
}

#[test]
fn every_other_sentence() {
    let problems = [
        Problem::Own,
        Problem::Exists,
        Problem::Changed,
        Problem::ReadOnly,
        Problem::NotEmpty(3),
        Problem::HoldsRoot("the workspace".to_owned()),
        Problem::Mounted("mnt".to_owned()),
        Problem::NoTrash,
        Problem::TooMuchForTrash(1 << 30),
        Problem::CrossesDevices,
        Problem::IntoItself,
        Problem::DiskFull,
        Problem::NoPermission,
        Problem::Io("input/output error".to_owned()),
    ];
    let sentences: Vec<_> = problems
        .into_iter()
        .map(|problem| FileError { path: "x".to_owned(), problem }.to_string())
        .collect();
    expect![[r#"
        `x`: belongs to the runtime's own data, which no tool may touch
        `x`: is there already; choose another name, or delete it first
        `x`: changed while it was being written; nothing was written, read it again
        `x`: is read-only; change its mode first, if it may be changed
        `x`: expected an empty folder, but it holds 3 entries; delete it recursively
        `x`: is or holds the workspace, which stays where it is; name something inside it
        `x`: another file system is mounted at `mnt`; unmount it first
        `x`: there is no undo store in this session, so nothing can be deleted
        `x`: holds more than 1073741824 bytes on another file system than the undo store; delete parts
        `x`: a folder cannot be moved to another file system; move its files one by one
        `x`: a folder cannot be moved into itself
        `x`: the disk is full; the old content is untouched, free some space first
        `x`: the system does not permit it
        `x`: the system reports: input/output error"#]].assert_eq(&sentences.join("\n"));
}
