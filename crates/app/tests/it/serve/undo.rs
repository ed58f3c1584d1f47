//! What a turn changed is looked at and brought back over HTTP, while the server goes on.

use std::fs;

use serde_json::{Value, json};

use crate::support::Bench;

const EDITS: &str = "=== reply\n<read_file path=\"a.txt\"/>\n=== reply\n<write_file path=\"a.txt\">one\n2</write_file>\
    <execute_command>mkdir new; printf c > new/c.txt</execute_command>\n=== reply\nDone.\n";

/// The paths of an answer, each with what becomes of it.
fn rows(told: &Value) -> Vec<String> {
    let text = |row: &Value, name: &str| {
        row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let row =
        |row: &Value| format!("{} {} {}", text(row, "verb"), text(row, "path"), text(row, "left"));
    let rows = told.get("changes").and_then(Value::as_array).unwrap();
    rows.iter().map(|it| row(it).trim_end().to_owned()).collect()
}

#[test]
fn a_turn_is_looked_at_brought_back_and_taken_back() {
    let bench = Bench::new().write("work/a.txt", "one\ntwo").write("work/s.txt", EDITS);
    let served = bench.serve("--model script/s.txt --mode full");
    let token = bench.token("");
    assert_eq!(
        bench.run("run -q --model script/s.txt --mode full go"),
        "--- stdout\nDone.\nexit 0\n"
    );
    let all: Value = serde_json::from_str(&served.body("/api/sessions", &token)).unwrap();
    let session = all.pointer("/sessions/0/id").and_then(Value::as_str).unwrap();
    let told: Value =
        serde_json::from_str(&served.body(&format!("/api/sessions/{session}/changes"), &token))
            .unwrap();
    assert_eq!(rows(&told), ["change a.txt", "create new", "create new/c.txt"]);
    let text = told.pointer("/changes/0/text").and_then(Value::as_str).unwrap();
    assert!(text.contains("-two\n") && text.contains("+2\n"), "{text}");
    let undo = |body: Value| {
        served.said(&token, &format!("/api/sessions/{session}/undo"), &body.to_string())
    };

    fs::write(bench.path("work/new/c.txt"), "mine").unwrap();
    let plan = undo(json!({ "turn": 1, "dry_run": true }));
    assert_eq!(
        rows(&plan),
        ["change a.txt", "remove new", "remove new/c.txt changed since, by you or another program",]
    );
    assert_eq!(fs::read_to_string(bench.path("work/a.txt")).unwrap(), "one\n2");

    let undone = undo(json!({ "turn": 1 }));
    assert_eq!(undone.get("n_done"), Some(&1.into()));
    assert_eq!(fs::read_to_string(bench.path("work/a.txt")).unwrap(), "one\ntwo");
    assert_eq!(fs::read_to_string(bench.path("work/new/c.txt")).unwrap(), "mine");
    let back = undone.get("undo").and_then(Value::as_str).unwrap();
    undo(json!({ "call": back }));
    assert_eq!(fs::read_to_string(bench.path("work/a.txt")).unwrap(), "one\n2");
}
