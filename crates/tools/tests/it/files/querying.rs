//! `query`: code by its structure.

use expect_test::{Expect, expect};
use serde_json::json;

use crate::files::Desk;

/// What is found of a pattern in a file.
#[track_caller]
fn check(path: &str, text: &str, pattern: &str, expected: Expect) {
    let desk = Desk::new();
    desk.put(path, text);
    let echo = desk.echo("query", json!({ "path": path, "pattern": pattern }));
    expected.assert_eq(&(echo + "\n"));
}

const PROGRAM: &str = "\
fn main() {
    let x = load(\"a\").unwrap();
    // y.unwrap() in a comment
    let s = \"z.unwrap()\";
    if a == a { b.c.unwrap() }
}
";

#[test]
fn names_stand_for_one_piece_of_code_each() {
    check(
        "a.rs",
        PROGRAM,
        "$A.unwrap()",
        expect![[r#"
        2 matches in 1 file
        a.rs:2-2
          2 |     let x = load("a").unwrap();
          $A = load("a")
        a.rs:5-5
          5 |     if a == a { b.c.unwrap() }
          $A = b.c
    "#]],
    );
    check(
        "a.rs",
        PROGRAM,
        "$X == $X",
        expect![[r#"
        1 match in 1 file
        a.rs:5-5
          5 |     if a == a { b.c.unwrap() }
          $X = a
    "#]],
    );
}

#[test]
fn three_signs_stand_for_any_number_of_pieces() {
    check(
        "a.rs",
        PROGRAM,
        "load($$$ARGS)",
        expect![[r#"
        1 match in 1 file
        a.rs:2-2
          2 |     let x = load("a").unwrap();
          $$$ARGS = "a"
    "#]],
    );
    check(
        "a.rs",
        PROGRAM,
        "fn $NAME() { $$$BODY }",
        expect![[r#"
        1 match in 1 file
        a.rs:1-6
          1 | fn main() {
          2 |     let x = load("a").unwrap();
          3 |     // y.unwrap() in a comment
          4 |     let s = "z.unwrap()";
          5 |     if a == a { b.c.unwrap() }
          6 | }
          $$$BODY = let x = load("a").unwrap();     // y.unwrap() in a comment     let s = "z.unwrap()";     if a == a { b.c.unwrap() }
          $NAME = main
    "#]],
    );
    check(
        "a.rs",
        PROGRAM,
        "absent($_)",
        expect![[r#"
        no match in 1 file
    "#]],
    );
}

#[test]
fn every_language_is_searched() {
    check(
        "a.py",
        "def f(a, b):\n    print(a)\n    return b\n",
        "def $F($$$ARGS): $$$",
        expect![[r#"
        1 match in 1 file
        a.py:1-3
          1 | def f(a, b):
          2 |     print(a)
          3 |     return b
          $$$ARGS = a, b
          $F = f
    "#]],
    );
    check(
        "a.js",
        "if (a) { b() }\nfoo(1, 2)\n",
        "foo($A, $B)",
        expect![[r#"
        1 match in 1 file
        a.js:2-2
          2 | foo(1, 2)
          $A = 1
          $B = 2
    "#]],
    );
    check(
        "a.ts",
        "const x: Y = z as W\n",
        "$A as $B",
        expect![[r#"
        1 match in 1 file
        a.ts:1-1
          1 | const x: Y = z as W
          $A = z
          $B = W
    "#]],
    );
}

#[test]
fn patterns_are_read_in_the_language_of_their_file() {
    check(
        "a.tsx",
        "const v = <b>{x}</b>\n",
        "<b>{$A}</b>",
        expect![[r#"
        1 match in 1 file
        a.tsx:1-1
          1 | const v = <b>{x}</b>
          $A = x
    "#]],
    );
    check(
        "a.go",
        "package a\nfunc f() { if err != nil { return err } }\n",
        "if $E != nil { $$$ }",
        expect![[r#"
        1 match in 1 file
        a.go:2-2
          2 | func f() { if err != nil { return err } }
          $E = err
    "#]],
    );
    check(
        "A.java",
        "class A { void f() { System.out.println(x); } }\n",
        "System.out.println($A)",
        expect![[r#"
        1 match in 1 file
        A.java:1-1
          1 | class A { void f() { System.out.println(x); } }
          $A = x
    "#]],
    );
    check(
        "a.c",
        "int main(void) { return strcpy(a, b); }\n",
        "strcpy($A, $B)",
        expect![[r#"
        1 match in 1 file
        a.c:1-1
          1 | int main(void) { return strcpy(a, b); }
          $A = a
          $B = b
    "#]],
    );
}

#[test]
fn a_call_of_c_is_read_as_one() {
    check(
        "a.cpp",
        "int f() { return std::move(x); }\n",
        "std::move($A)",
        expect![[r#"
            1 match in 1 file
            a.cpp:1-1
              1 | int f() { return std::move(x); }
              $A = x
        "#]],
    );
}

#[test]
fn a_folder_is_searched_in_the_language_of_each_file() {
    let desk = Desk::new();
    desk.put(".gitignore", "target\n");
    desk.put("target/a.rs", "f(1)\n");
    desk.put("a.rs", "fn g() { f(1) }\n");
    desk.put("b.js", "f(2)\n");
    desk.put("c.txt", "f(3)\n");
    desk.put("odd.py", b"f(\0)");
    let deep = "f(".repeat(2_000) + &")".repeat(2_000);
    desk.put("deep.js", deep);
    let echo = |arguments| desk.echo("query", arguments);
    let shown = [
        echo(json!({ "pattern": "f($A)" })),
        echo(json!({ "pattern": "f($A)", "language": "JS", "limit": 1 })),
        echo(json!({ "pattern": "f($A)", "path": "c.txt", "language": "js" })),
    ];
    expect![[r#"
        2 matches in 2 files, 2 files not searched (over 1 MiB, too deep, or no text)
        a.rs:1-1
          1 | fn g() { f(1) }
          $A = 1
        b.js:1-1
          1 | f(2)
          $A = 2
        ---
        1 match in 1 file
        b.js:1-1
          1 | f(2)
          $A = 2
        ---
        1 match in 1 file
        c.txt:1-1
          1 | f(3)
          $A = 3"#]]
    .assert_eq(&shown.join("\n---\n"));
    let payload = desk.payload("query", json!({ "pattern": "f($A)", "language": "rust" }));
    expect![[r#"{"path":".","pattern":"f($A)","matches":1,"results":[{"path":"a.rs","from":1,"to":1,"captures":{"$A":"1"}}],"searched":1}"#]].assert_eq(&payload.to_string());
}

#[test]
fn a_pattern_that_is_none_is_told() {
    let desk = Desk::new();
    desk.put("a.rs", "fn f() {}\n");
    desk.put("c.txt", "x\n");
    let echo = |arguments| desk.echo("query", arguments);
    let shown = [
        echo(json!({ "pattern": " " })),
        echo(json!({ "pattern": "if (", "language": "js" })),
        echo(json!({ "pattern": "$$$", "language": "rust" })),
        echo(json!({ "pattern": "a; b;", "language": "js" })),
        echo(json!({ "pattern": "f()", "language": "cobol" })),
        echo(json!({ "pattern": "f()", "path": "c.txt" })),
        echo(json!({ "pattern": "f()", "path": "../x" })),
        echo(json!({ "pattern": "(".repeat(2_000), "language": "js" })),
        echo(json!({ "pattern": "x".repeat(5_000) })),
        echo(json!({ "pattern": "if (", "path": "." })),
    ];
    expect![[r#"
        bad_call: `pattern`: expected a piece of code, but it is empty; write one with `$NAME` for what may differ
        bad_call: `pattern`: expected a whole piece of javascript, but it cannot be read as one; write one whole expression, statement or definition
        bad_call: `pattern`: expected a whole piece of rust, but found `$$$` alone; write one whole expression, statement or definition
        bad_call: `pattern`: expected a whole piece of javascript, but found several pieces in a row; write one whole expression, statement or definition
        bad_call: `language`: expected one of rust, python, javascript, typescript, tsx, go, java, c, cpp, but found `cobol`
        bad_call: `c.txt`: expected code of a known language, but found none; name its `language`, one of rust, python, javascript, typescript, tsx, go, java, c, cpp, or use `search_files`
        denied: `../x`: leads out of the workspace; use a path in the workspace or `home:/`
        bad_call: `pattern`: expected a whole piece of javascript, but found several pieces in a row; write one whole expression, statement or definition
        bad_call: `pattern`: expected at most 4096 bytes, but found 5000; shorten it
        bad_call: `pattern`: expected a whole piece of rust, but it cannot be read as one; write one whole expression, statement or definition"#]].assert_eq(&shown.join("\n"));
}

#[test]
fn many_and_long_matches_are_cut_and_counted() {
    let desk = Desk::new();
    desk.put("a.js", "foo(1)\n".repeat(2_000));
    let body = "  bar();\n".repeat(50);
    desk.put("b.js", format!("function long() {{\n{body}}}\n"));
    let echo = desk.echo("query", json!({ "pattern": "foo($A)", "limit": 1_000 }));
    assert!(echo.len() <= 16 * 1024, "{}", echo.len());
    let ends: Vec<_> = echo.lines().take(3).chain(echo.lines().rev().take(1)).collect();
    expect![[r#"
        1000 matches, and there may be more; narrow the search, or raise `limit`
        a.js:1-1
          1 | foo(1)
        [604 of the matches are not shown]"#]]
    .assert_eq(&ends.join("\n"));
    let long = desk.echo("query", json!({ "pattern": "function $F() { $$$B }" }));
    expect![[r#"
        1 match in 2 files
        b.js:1-52
          1 | function long() {
          2 |   bar();
          3 |   bar();
          4 |   bar();
          5 |   bar();
          6 |   bar();
          7 |   bar();
          8 |   bar();
          9 |   bar();
          10 |   bar();
          11 |   bar();
          12 |   bar();
          [40 more lines]
          $$$B = bar();   bar();   bar();   bar();   bar();   bar();   bar();   bar();   bar();   bar();   bar();   bar();   bar();   bar();   bar();   bar();   bar();   bar(); …
          $F = long"#]].assert_eq(&long);
}
