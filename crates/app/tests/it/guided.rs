//! The guided loop: thinking, then one action, and a precise result for each mistake.

use expect_test::{Expect, expect};

use crate::support::Bench;

/// Plays a guided turn over a small source tree, and shows what the model was told in it.
#[track_caller]
fn check(script: &str, flags: &str, expected: Expect) {
    let bench = Bench::new()
        .write("script.txt", script)
        .write("work/src/token.rs", "//! Session tokens.\n\n/// Whether the session token is still good.\npub fn is_fresh(token: &str) -> bool {\n    !token.is_empty()\n}\n")
        .write("work/src/main.rs", "fn main() {\n    println!(\"{}\", token::is_fresh(\"a\"));\n}\n");
    let args = format!("run --model script/../script.txt --loop guided --jsonl {flags} task");
    let output = bench.command(&args).output().unwrap();
    let frames = String::from_utf8(output.stdout).unwrap();
    let told: String = frames.lines().filter_map(told).collect();
    expected.assert_eq(&format!("{told}exit {}\n", output.status.code().unwrap()));
}

/// What the model reads of a frame.
fn told(line: &str) -> Option<String> {
    let frame: serde_json::Value = serde_json::from_str(line).unwrap();
    let text = frame.get("text").and_then(|text| text.as_str())?;
    match frame.get("type")?.as_str()? {
        "message.results" => Some(format!("{text}\n")),
        _ => None,
    }
}

#[test]
fn the_classic_flow_searches_extracts_and_completes() {
    check(
        "=== reply\n<thinking>Where are tokens checked?</thinking>\n<search><query>session token</query></search>\n\
         === reply\n=== expect contains src/token.rs\n<thinking>Read that function.</thinking>\n<extract><file_path>src/token.rs#is_fresh</file_path></extract>\n\
         === reply\n=== expect contains is_empty\n<thinking>That is all.</thinking>\n<attempt_completion><result>A token is fresh when it is not empty.</result></attempt_completion>\n",
        "",
        expect![[r#"
            <tool_result tool_name="search">
            2 places, best first, of 2 files; words: session, token
            src/token.rs:1-6
              1 | //! Session tokens.
              3 | /// Whether the session token is still good.
              4 | pub fn is_fresh(token: &str) -> bool {
              5 |     !token.is_empty()
            src/main.rs:1-3
              2 |     println!("{}", token::is_fresh("a"));
            read a place with `extract`, such as `path:10-20`
            </tool_result>
            <tool_result tool_name="extract">
            src/token.rs: lines 3-6 of 6
            3 | /// Whether the session token is still good.
            4 | pub fn is_fresh(token: &str) -> bool {
            5 |     !token.is_empty()
            6 | }
            </tool_result>
            exit 0
        "#]],
    );
}

#[test]
fn each_kind_of_mistake_comes_back_as_its_own_precise_result() {
    check(
        "=== reply\nI think about it.\n\
         === reply\n<thinking>a</thinking>\n<search><query session</query></search>\n\
         === reply\n<thinking>look</thinking>\n<list_files path=\"src\"/>\n\
         === reply\n<thinking>b</thinking>\n<serch><query>token</query></serch>\n\
         === reply\n<thinking>c</thinking>\n<read_file path=\"src/main.rs\" from=\"first\"/>\n\
         === reply\n<thinking>d</thinking>\n<read_file path=\"src/none.rs\"/>\n\
         === reply\n<thinking>e</thinking>\n<attempt_completion><result>Enough.</result></attempt_completion>\n",
        "",
        expect![[r#"
            <tool_result>
            Error: format: reply: expected exactly one action, but found text alone; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done
            </tool_result>
            <tool_result tool_name="search">
            Error: parse: `search` at byte 23: expected a whole tag, but found `&lt;/query>&lt;/search>`; it was not run, write it again with every quote and every tag closed
            </tool_result>
            <tool_result tool_name="list_files">
            src: 2 files, 0 folders
            main.rs  56 bytes
            token.rs  129 bytes
            </tool_result>
            <tool_result tool_name="serch">
            Error: unknown tool: `serch` at byte 23: expected a registered tool, but found no tool of that name; use `search` or `search_files`
            </tool_result>
            <tool_result tool_name="read_file">
            Error: invalid parameters: `from` of `read_file`: expected a whole number, but found `first`; write the value alone
            a correct call: &lt;read_file path="src/main.rs"/>
            </tool_result>
            <tool_result tool_name="read_file">
            Error: execution failed: `src/none.rs`: there is no such file or folder in the workspace; did you mean `src/token.rs`
            </tool_result>
            exit 0
        "#]],
    );
}

#[test]
fn a_call_without_thinking_runs_with_a_reminder_or_is_refused() {
    let script = "=== reply\n<list_files path=\"src\"/>\n\
                  === reply\n<thinking>ok</thinking>\n<attempt_completion><result>Listed.</result></attempt_completion>\n";
    check(
        script,
        "",
        expect![[r#"
        <tool_result tool_name="list_files">
        src: 2 files, 0 folders
        main.rs  56 bytes
        token.rs  129 bytes
        note: think in a `thinking` element before the next action: what is known, what is next, and why
        </tool_result>
        exit 0
    "#]],
    );
    check(
        script,
        "--require-thinking",
        expect![[r#"
        <tool_result tool_name="list_files">
        Error: format: `list_files`: expected a `thinking` element before it, but found none, so it was not run; write your thinking first, then the same call
        </tool_result>
        exit 0
    "#]],
    );
}

#[test]
fn the_ceiling_ends_the_turn() {
    check(
        "=== reply\n<thinking>again</thinking>\n<list_files path=\"src\"/>\n\
         === reply\n<thinking>again</thinking>\n<read_file path=\"src/main.rs\"/>\n=== repeat forever\n",
        "--max-passes 2",
        expect![[r#"
            <tool_result tool_name="list_files">
            src: 2 files, 0 folders
            main.rs  56 bytes
            token.rs  129 bytes
            </tool_result>
            <tool_result tool_name="read_file">
            src/main.rs: lines 1-3 of 3
            1 | fn main() {
            2 |     println!("{}", token::is_fresh("a"));
            3 | }
            </tool_result>
            exit 6
        "#]],
    );
}
