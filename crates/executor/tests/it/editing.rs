//! A person changes a call before it may run: it is judged anew, and the model is told.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use tagline_executor::Edit;
use tagline_policy::Mode;

use crate::bench::{Person, Setup, shown};

async fn check(person: Person, line: &str, results: Expect, log: Expect) {
    let bench = Setup { mode: Mode::Ask, person, ..Setup::default() }.bench();
    let got = bench.run(&[("append", json!({ "line": line }))]).await;
    results.assert_eq(&shown(&got));
    log.assert_eq(&bench.log.text());
}

#[tokio::test(start_paused = true)]
async fn changed_arguments_are_asked_about_anew() {
    check(
        Person::Edits(r#"{"arguments":{"line":"y"}}"#),
        "x",
        expect![[r#"
        c1: The user changed this call: `line` is now `y`.
        appended
    "#]],
        expect![[r#"
        c1: approval.asked
        c1: approval.answered is_allowed=false by="user", tool.edited
        c1: approval.asked
        c1: approval.answered is_allowed=true by="user"
        c1: tool.running attempt=1 decision="user"
        c1: live tool.output
        effect y
        c1: tool.done, audit outcome="done" attempts=1 decision="user" notes={"line":"y"}
    "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn parts_that_are_left_out_need_no_second_yes() {
    check(
        Person::EditsOnce(r#"{"parts":{"take":[0,2],"of":3}}"#),
        "a,b,c",
        expect![[r#"
            c1: The user took 2 of the 3 parts of this change, and left out number 2.
            appended
        "#]],
        expect![[r#"
            c1: approval.asked
            c1: approval.answered is_allowed=false by="user", tool.edited
            c1: tool.running attempt=1 decision="user"
            c1: live tool.output
            effect a,c
            c1: tool.done, audit outcome="done" attempts=1 decision="user" notes={"line":"a,c"}
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_the_floor_forbids_stays_forbidden() {
    check(
        Person::Edits(r#"{"arguments":{"line":"/home/u/.local/share/tagline/x"}}"#),
        "x",
        expect![[r#"
            c1: denied: this touches the data of tagline itself, which is refused in every mode; do not try it another way
            The user changed this call: `line` is now `/home/u/.local/share/tagline/x`. (Rule("floor: touches the data of tagline itself"))
        "#]],
        expect![[r#"
            c1: approval.asked
            c1: approval.answered is_allowed=false by="user", tool.edited
            c1: tool.failed, audit outcome="denied" attempts=0 decision="floor: touches the data of tagline itself" notes={}
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn parts_that_reach_elsewhere_are_judged_too() {
    // Alone, the last part names a path, which the whole did not.
    check(
        Person::EditsOnce(r#"{"parts":{"take":[1],"of":2}}"#),
        "a,/etc/x",
        expect![[r#"
            c1: denied: path `/etc/x`: expected a path in `/w`, where files may be changed, but it leads elsewhere; choose a path inside
            The user took 1 of the 2 parts of this change, and left out number 1. (Rule("border: outside the workspace"))
        "#]],
        expect![[r#"
            c1: approval.asked
            c1: approval.answered is_allowed=false by="user", tool.edited
            c1: tool.failed, audit outcome="denied" attempts=0 decision="border: outside the workspace" notes={}
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_edit_that_cannot_be_made_says_why() {
    let bench = Setup::default().bench();
    let mut told = String::new();
    for (line, edit) in [
        ("x", json!({ "arguments": { "line": 1 } })),
        ("x", json!({ "arguments": {} })),
        ("x", json!({ "arguments": { "line": "y", "lines": "z" } })),
        ("x", json!({ "arguments": { "line": "x" } })),
        ("x", json!({ "parts": { "take": [0], "of": 1 } })),
        ("a,b", json!({ "parts": { "take": [0], "of": 3 } })),
        ("a,b", json!({ "parts": { "take": [], "of": 2 } })),
        ("a,b", json!({ "parts": { "take": [0, 1], "of": 2 } })),
        ("a,b", json!({ "parts": { "take": [2], "of": 2 } })),
        ("a,b", json!({ "parts": { "take": [1], "of": 2 } })),
    ] {
        let edit: Edit = serde_json::from_value::<Edit>(edit).unwrap();
        let checked = bench.executor.check_edit("append", &json!({ "line": line }), &edit);
        told += &checked.map_or_else(|why| why + "\n", |()| "fine\n".to_owned());
    }
    let none = Edit::Arguments(serde_json::Map::new());
    told += &bench.executor.check_edit("nothing", &Value::Null, &none).unwrap_err();
    expect![[r#"
        `append`: invalid type: integer `1`, expected a string; a correct call: <append line="x"/>
        `append`: missing field `line`; a correct call: <append line="x"/>
        `append`: expected arguments among `line`, but found `lines`
        expected arguments that differ from the call's own, but found the same; allow the call instead
        `append`: expected a change that has parts, but this call has none
        `append`: expected an answer about its 2 parts, but it counts 3
        `append`: expected at least one of its 2 parts, but found none; refuse the call instead
        `append`: expected to leave out some of its 2 parts, but all are taken; allow the call instead
        `append`: expected parts from 0 to 1, but found 2
        fine
        there is no tool `nothing`"#]].assert_eq(&told);
}
