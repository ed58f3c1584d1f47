//! `--output-schema`: the answer as JSON of a certain form.

use expect_test::{Expect, expect};

use crate::support::Bench;

const SCHEMA: &str =
    r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#;

fn bench(script: &str) -> Bench {
    Bench::new().write("work/m.txt", script).write("work/s.json", SCHEMA)
}

/// Runs the flags with the schema and a model that plays the script.
#[track_caller]
fn check(script: &str, flags: &str, expected: Expect) {
    let args = format!("run --model script/m.txt --output-schema s.json {flags} count");
    expected.assert_eq(&bench(script).run(&args));
}

#[test]
fn the_model_is_told_the_schema_and_its_answer_is_taken() {
    check(
        "=== reply\n=== expect system contains {\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}\n\
         <attempt_completion><![CDATA[{\"n\": 1}]]></attempt_completion>\n",
        "-q",
        expect![[r#"
            --- stdout
            {"n": 1}
            exit 0
        "#]],
    );
}

#[test]
fn an_answer_that_does_not_match_is_told_and_written_again() {
    check(
        "=== reply\n<attempt_completion>There is one.</attempt_completion>\n\
         === reply\n=== expect contains no JSON: expected value at line 1 column 1\n\
         <attempt_completion>{\"n\": \"one\"}</attempt_completion>\n\
         === reply\n=== expect contains `/n`: \"one\" is not of type \"integer\"\n\
         <attempt_completion>```json\n{\"n\": 1}\n```</attempt_completion>\n",
        "",
        expect![[r#"
            --- stdout
            {"n": 1}
            --- stderr
            tagline 0.1.0  script/m.txt  mode ask  session [id]
              you       count
              answer    There is one.                                no match
                        format: answer: expected JSON that matches the schema, but found no
                        JSON: expected value at line 1 column 1
                        write the whole answer again, as JSON and nothing else
              answer    {"n": "one"}                                 no match
                        format: answer: expected JSON that matches the schema, but found a
                        mismatch:
                        - `/n`: "one" is not of type "integer"
                        write the whole answer again, as JSON and nothing else
              answer    ```json [time]
            done  3 passes [time]
            exit 0
        "#]],
    );
}

#[test]
fn answers_in_plain_text_are_looked_at_too() {
    check(
        "=== reply\nOne.\n=== reply\n{\"n\": 1}\n",
        "--json",
        expect![[r#"
            --- stdout
            {"status":"done","code":0,"result":"{\"n\": 1}","denials":[],"session":"[id]","usage":{},"passes":2,"tools":{},"changed_files":[],"reason":"completed"}
            --- stderr
            tagline 0.1.0  script/m.txt  mode ask  session [id]
              you       count
              say       One.
              answer                                                 no match
                        format: answer: expected JSON that matches the schema, but found no
                        JSON: expected value at line 1 column 1
                        write the whole answer again, as JSON and nothing else
              say       {"n": 1}
            done  2 passes [time]
            exit 0
        "#]],
    );
}

#[test]
fn a_model_that_does_not_give_it_ends_the_turn() {
    check(
        "=== reply\n{\"n\": null}\n=== repeat forever\n",
        "",
        expect![[r#"
            --- stderr
            tagline 0.1.0  script/m.txt  mode ask  session [id]
              you       count
              say       {"n": null}
              answer                                                 no match
                        format: answer: expected JSON that matches the schema, but found a
                        mismatch:
                        - `/n`: null is not of type "integer"
                        write the whole answer again, as JSON and nothing else
              say       {"n": null}
              answer                                                 no match
                        format: answer: expected JSON that matches the schema, but found a
                        mismatch:
                        - `/n`: null is not of type "integer"
                        write the whole answer again, as JSON and nothing else
              say       {"n": null}
              answer                                                 no match
                        format: answer: expected JSON that matches the schema, but found a
                        mismatch:
                        - `/n`: null is not of type "integer"
                        write the whole answer again, as JSON and nothing else
            failed  output_schema  3 passes [time]
                        the answers do not match the schema; the last one held a mismatch:
                        - `/n`: null is not of type "integer"
                        try another model, or a simpler schema
            go on with: tagline run -r [id] "…"
            exit 7
        "#]],
    );
}

#[test]
fn at_the_limit_of_passes_it_is_still_the_answer_that_failed() {
    check(
        "=== reply\n{}\n=== repeat forever\n",
        "--max-passes 1 -q",
        expect![[r#"
            --- stderr
            stopped: the answer does not match the schema; the last one held a mismatch:
            - the whole value: "n" is a required property
            try another model, or a simpler schema
            go on with: tagline run -r [id] "…"
            exit 7
        "#]],
    );
    check(
        "=== reply\n{}\n=== repeat forever\n",
        "--max-passes 2 --json -q",
        expect![[r#"
        --- stdout
        {"status":"protocol","code":7,"result":null,"denials":[],"session":"[id]","usage":{},"passes":2,"tools":{},"changed_files":[],"reason":"output_schema"}
        exit 7
    "#]],
    );
}

#[test]
fn calls_before_the_answer_and_questions_are_as_without_a_schema() {
    check(
        "=== reply\n<write_file path=\"a.txt\">1</write_file>\n\
         === reply\n=== expect contains ok\n<attempt_completion>{\"n\": 1}</attempt_completion>\n",
        "--mode full -q",
        expect![[r#"
            --- stdout
            {"n": 1}
            exit 0
        "#]],
    );
    check(
        "=== reply\n<wait_for_human_input>Which?</wait_for_human_input>\n",
        "-q",
        expect![[r#"
        --- stderr
        it asks: Which?
        go on with: tagline run -r [id] "…"
        exit 9
    "#]],
    );
}

#[test]
fn a_file_that_is_no_schema_is_refused_before_anybody_is_asked() {
    let bench = bench("=== reply\nOne.\n")
        .write("work/bad.json", r#"{"type": "objekt"}"#)
        .write("work/no.json", "no json")
        .write("work/big.json", &" ".repeat(200_000));
    let run =
        |file: &str| bench.run(&format!("run --model script/m.txt --output-schema {file} count"));
    let shown: String = ["none.json", "bad.json", "no.json", "big.json", "."].map(run).concat();
    expect![[r#"
        --- stderr
        error: --output-schema none.json: no such file or directory
        exit 2
        --- stderr
        error: --output-schema bad.json: expected a JSON Schema, but found a mistake in it: `/type`: "objekt" is not valid under any of the schemas listed in the 'anyOf' keyword
        exit 2
        --- stderr
        error: --output-schema no.json: expected a JSON Schema, but found no JSON: expected ident at line 1 column 2
        exit 2
        --- stderr
        error: --output-schema big.json: expected at most 131072 bytes, but found more
        exit 2
        --- stderr
        error: --output-schema .: is a directory
        exit 2
    "#]].assert_eq(&shown);
    assert!(!bench.path("home/data").exists(), "no session was begun");
}
