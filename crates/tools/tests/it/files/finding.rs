//! `list_files`, `search_files`, `search`, `extract`.

use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt as _};

use expect_test::expect;
use serde_json::{Value, json};

use crate::files::Desk;

/// A small project with everything that a search must leave out.
fn project() -> Desk {
    let desk = Desk::new();
    desk.put(".gitignore", "target/\n*.log\n");
    desk.put(".env", "session_token=secret\n");
    desk.put("target/out.rs", "fn session_token() {}\n");
    desk.put("debug.log", "session_token\n");
    desk.put(
        "src/session.rs",
        "//! Sessions.\n\n/// Makes a token.\npub fn make_token(session: &Session) -> Token {\n    \
         Token::new(session.id)\n}\n\n/// A session of a user.\npub struct Session {\n    id: u64,\n}\n",
    );
    desk.put("src/main.rs", "fn main() {\n    println!(\"no such thing\");\n}\n");
    desk.put("tests/session.rs", "#[test]\nfn session_token_is_made() {}\n");
    desk.put("logo.bin", b"\0\0session token\0");
    desk
}

#[test]
fn a_folder_is_listed_without_what_is_ignored() {
    let desk = project();
    std::os::unix::fs::symlink("src", desk.path("link")).unwrap();
    let list = |arguments: Value| desk.echo("list_files", arguments);
    expect![[r#"
        .: 2 files, 2 folders
        link -> src
        logo.bin  16 bytes
        src/
        tests/"#]]
    .assert_eq(&list(json!({})));
    expect![[r#"
        .: 7 files, 2 folders
        .env  21 bytes
        .gitignore  14 bytes
        link -> src
        logo.bin  16 bytes
        src/
          main.rs  45 bytes
          session.rs  173 bytes
        tests/
          session.rs  38 bytes"#]]
    .assert_eq(&list(json!({ "recursive": true, "hidden": true })));
    expect![[r#"
        target: 1 file, 0 folders
        out.rs  22 bytes"#]]
    .assert_eq(&list(json!({ "path": "target" })));
    expect![[r#"
        .: 2 files, 2 folders
        link -> src
        logo.bin  16 bytes
        [2 more; list a folder below, or raise `limit`]"#]]
    .assert_eq(&list(json!({ "limit": 2 })));
    expect![[r#"bad_call: `src/main.rs`: expected a folder, but it is a file or lies below one; read a file with `read_file`"#]]
        .assert_eq(&list(json!({ "path": "src/main.rs" })));
}

#[test]
fn odd_names_are_listed_and_read_back() {
    let desk = Desk::new();
    fs::write(desk.path("").join(OsStr::from_bytes(&[0x66, 0xFF, 0x6F])), "odd\n").unwrap();
    expect![[r#"
        .: 1 file, 0 folders
        f\xffo  4 bytes"#]]
    .assert_eq(&desk.echo("list_files", json!({})));
    expect![[r#"
        f\xffo: lines 1-1 of 1
        1 | odd"#]]
    .assert_eq(&desk.echo("read_file", json!({ "path": r"f\xffo" })));
    desk.run("delete_file", json!({ "path": r"f\xffo" })).unwrap();
    assert_eq!(desk.tree(), "");
}

#[test]
fn lines_are_found_by_regex_and_by_text() {
    let desk = project();
    let search = |arguments: Value| desk.echo("search_files", arguments);
    expect![[r#"
        3 matches in 3 files
        src/main.rs
          1: fn main() {
          2-     println!("no such thing");
        src/session.rs
          3- /// Makes a token.
          4: pub fn make_token(session: &Session) -> Token {
          5-     Token::new(session.id)
        tests/session.rs
          1- #[test]
          2: fn session_token_is_made() {}"#]]
    .assert_eq(&search(json!({ "regex": r"fn \w+", "context": 1 })));
    expect![[r#"
        1 match in 1 file
        src/session.rs
          5:     Token::new(session.id)"#]]
    .assert_eq(&search(json!({ "query": "Token::new(", "context": 0 })));
    expect![[r#"
        1 match in 1 file
        tests/session.rs
          2: fn session_token_is_made() {}"#]]
    .assert_eq(&search(json!({ "query": "session", "file_pattern": "tests/*.rs", "context": 0 })));
    expect![[r#"
        1 match, and there may be more; narrow the search, or raise `limit`
        src/session.rs
          4: pub fn make_token(session: &Session) -> Token {"#]]
    .assert_eq(&search(
        json!({ "query": "session", "path": "src/session.rs", "context": 0, "limit": 1 }),
    ));
    expect![[r#"no match in 4 files"#]].assert_eq(&search(json!({ "query": "nowhere" })));
}

#[test]
fn a_search_that_cannot_be_made_is_told() {
    let desk = project();
    let search = |arguments: Value| desk.echo("search_files", arguments);
    let shown = [
        search(json!({})),
        search(json!({ "regex": "a", "query": "b" })),
        search(json!({ "query": "" })),
        search(json!({ "regex": "(" })),
        search(json!({ "query": "a", "file_pattern": "[" })),
        search(json!({ "query": "a", "path": "gone" })),
    ];
    expect![[r#"
        bad_call: expected `regex` or `query`, but found neither; say what to look for
        bad_call: expected `regex` or `query`, but found both; give one
        bad_call: expected something to look for, but it is empty
        bad_call: `regex`: regex parse error:
            (?:()
            ^
        error: unclosed group; mend it, or use `query` for text as it is
        bad_call: `file_pattern`: error parsing glob '[': unclosed character class; missing ']'; write it like `*.rs`
        missing: `gone`: there is no such file or folder in the workspace; see what is there with `list_files`"#]].assert_eq(&shown.join("\n"));
}

#[test]
fn a_search_is_bounded() {
    let desk = Desk::new();
    desk.put("many", "match\n".repeat(10_000));
    desk.put("one-line", "x".repeat(9 << 20));
    desk.put("wide", format!("match {}\n", "y".repeat(5_000)));
    desk.put("sparse", "");
    let sparse = fs::File::options().write(true).open(desk.path("sparse")).unwrap();
    sparse.set_len(8 << 30).unwrap();
    let echo = desk.echo("search_files", json!({ "query": "match", "limit": 2_000 }));
    assert!(echo.len() <= 16 * 1024);
    assert!(echo.starts_with("2000 matches, and there may be more;"), "{echo}");
    let echo = desk.echo("search_files", json!({ "query": "match y" }));
    assert!(echo.contains("[4706 more bytes]"), "{echo}");
    let odd =
        desk.echo("search_files", json!({ "query": "x", "file_pattern": "{one-line,sparse}" }));
    expect![[r#"no match in 2 files, 1 file not searched (unreadable, or lines over 8 MiB)"#]]
        .assert_eq(&odd);
}

#[test]
fn a_stopped_search_says_so() {
    let desk = project();
    desk.cx.cancel.cancel();
    for tool in ["search_files", "search", "list_files"] {
        let echo = desk.echo(tool, json!({ "query": "session" }));
        assert_eq!(echo, "cancelled: the turn was stopped", "{tool}");
    }
}

#[test]
fn code_is_found_by_its_words() {
    let desk = project();
    let search = |arguments: Value| desk.echo("search", arguments);
    expect![[r#"
        1 place, best first, of 2 files; words: session, token, made
        src/session.rs:1-11
          1 | //! Sessions.
          3 | /// Makes a token.
          4 | pub fn make_token(session: &Session) -> Token {
          5 |     Token::new(session.id)
          8 | /// A session of a user.
          9 | pub struct Session {
        read a place with `extract`, such as `path:10-20`"#]]
    .assert_eq(&search(json!({ "query": "where is the session token made" })));
    expect![[r#"
        1 place, best first, of 1 file; words: token
        tests/session.rs:1-2
          2 | fn session_token_is_made() {}
        read a place with `extract`, such as `path:10-20`"#]]
    .assert_eq(&search(json!({ "query": "token", "path": "tests", "allow_tests": true })));
    expect![[r#"nothing in 1 file (tests left out) holds one of the words session, token, sessiontoken; try other words, or `search_files`"#]].assert_eq(&search(json!({ "query": "sessionToken", "path": "src/main.rs" })));
    expect![[r#"bad_call: `query`: expected words or names, but found `the {}`; for signs, use `search_files`"#]].assert_eq(&search(json!({ "query": "the {}" })));
}

#[test]
fn the_best_place_comes_first() {
    let desk = Desk::new();
    for n in 0..40 {
        let name = format!("src/part_{n}.rs");
        desk.put(
            &name,
            format!("// uses the parser and the cache\nfn part_{n}() {{ parse(); }}\n"),
        );
    }
    desk.put("src/cache.rs", "/// Drops old entries.\npub fn evict_cache_entry() {}\n");
    let payload = desk.payload("search", json!({ "query": "evict cache entries" }));
    assert_eq!(payload["results"][0]["path"], "src/cache.rs");
}

#[test]
fn symbols_and_ranges_are_shown() {
    let desk = project();
    let extract = |arguments: Value| desk.echo("extract", arguments);
    expect![[r#"
        src/session.rs: lines 3-6 of 11
        3 | /// Makes a token.
        4 | pub fn make_token(session: &Session) -> Token {
        5 |     Token::new(session.id)
        6 | }"#]]
    .assert_eq(&extract(json!({ "file_path": "src/session.rs#make_token" })));
    expect![[r#"
        src/session.rs: lines 9-10 of 11
        9 | pub struct Session {
        10 |     id: u64,"#]]
    .assert_eq(&extract(json!({ "file_path": "src/session.rs:9-10" })));
    expect![[r#"
        src/session.rs: lines 3-6 of 11
        3 | /// Makes a token.
        4 | pub fn make_token(session: &Session) -> Token {
        5 |     Token::new(session.id)
        6 | }"#]]
    .assert_eq(&extract(json!({ "file_path": "src/session.rs", "line": 5 })));
    let shown = [
        extract(json!({ "file_path": "src/session.rs#make_tokens" })),
        extract(json!({ "file_path": "src/session.rs#quux" })),
        extract(json!({ "file_path": "src#quux" })),
        extract(json!({ "file_path": "src/session.rs:90-99" })),
        extract(json!({ "file_path": "src/sesion.rs#Session" })),
    ];
    expect![[r#"
        missing: `src/session.rs`: there is no definition of `make_tokens`; did you mean `make_token`
        missing: `src/session.rs`: there is no definition of `quux`; it defines `make_token`, `Session`
        bad_call: `src`: expected a regular file, but found a folder; find the file with `search`
        bad_call: `src/session.rs`: expected `from` within its 11 lines, but found 90; read from a line that is there
        missing: `src/sesion.rs`: there is no such file or folder in the workspace; did you mean `src/session.rs`"#]].assert_eq(&shown.join("\n"));
}

#[test]
fn what_was_extracted_may_be_edited() {
    let desk = project();
    desk.run("extract", json!({ "file_path": "src/session.rs#Session" })).unwrap();
    let diff = "------- SEARCH\n    id: u64,\n=======\n    id: u128,\n+++++++ REPLACE\n";
    desk.run("replace_in_file", json!({ "path": "src/session.rs", "diff": diff })).unwrap();
    assert!(desk.get("src/session.rs").contains("u128"));
}

#[test]
fn the_runtime_s_own_data_is_left_out() {
    let outer = tempfile::TempDir::new().unwrap();
    let top = outer.path().canonicalize().unwrap();
    fs::create_dir(top.join("data")).unwrap();
    let desk = Desk::with(|builder| builder.device(&top).own(top.join("data")));
    fs::write(top.join("data/token"), "secret word\n").unwrap();
    fs::write(top.join("free"), "secret word\n").unwrap();
    for (tool, arguments) in [
        ("search_files", json!({ "path": "device:/", "query": "secret" })),
        ("search", json!({ "path": "device:/", "query": "secret" })),
        ("list_files", json!({ "path": "device:/", "recursive": true })),
    ] {
        let echo = desk.echo(tool, arguments);
        assert!(echo.contains("free") && !echo.contains("token"), "{echo}");
    }
}

#[test]
fn ignore_files_decide_as_git_has_them() {
    let desk = Desk::new();
    desk.put(".git/info/exclude", "excluded\nsub/kept-by-git\n");
    desk.put(".gitignore", "*.log\n!keep.log\n/only-top\nbuild/\n# a comment\n\\#odd\n{broken\n");
    desk.put(".ignore", "!a.log\nplain\n");
    for path in [
        "a.log",
        "b.log",
        "keep.log",
        "only-top",
        "sub/only-top",
        "build/x",
        "sub/build/x",
        "build.txt",
        "excluded",
        "plain",
        "#odd",
        "sub/keep/c.log",
        "sub/d.txt",
        "inner/e.log",
        "inner/f.txt",
    ] {
        desk.put(path, "x");
    }
    desk.put("sub/.gitignore", "!c.log\nd.txt\n");
    // A repository inside of another one has its own rules.
    desk.put("inner/.git/HEAD", "x");
    desk.put("inner/.gitignore", "f.txt\n");
    expect![[r#"
        .: 6 files, 3 folders
        a.log  1 bytes
        build.txt  1 bytes
        inner/
          e.log  1 bytes
        keep.log  1 bytes
        sub/
          keep/
            c.log  1 bytes
          only-top  1 bytes"#]]
    .assert_eq(&desk.echo("list_files", json!({ "recursive": true })));
}
