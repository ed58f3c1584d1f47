//! `tagline run`: how turns end, and what they leave.

use expect_test::{Expect, expect};

use crate::support::Bench;

/// Runs the flags with a model that plays `script`.
#[track_caller]
fn check(script: &str, flags: &str, expected: Expect) -> Bench {
    let bench = Bench::new().write("script.txt", script);
    expected.assert_eq(&bench.run(&format!("run --model script/../script.txt {flags}")));
    bench
}

#[test]
fn the_answer_alone_goes_to_standard_output() {
    check(
        "=== reply\nAll is well.\n",
        "-q task",
        expect![[r#"
        --- stdout
        All is well.
        exit 0
    "#]],
    );
}

#[test]
fn one_object_tells_how_it_ended() {
    check(
        "=== reply\n<write_file path=\"a.txt\">hi</write_file>\n=== usage in=10 out=5\n\
         === reply\n=== expect contains ok\n<attempt_completion><result>Made a.txt.</result></attempt_completion>\n\
         === usage in=20 out=4\n",
        "--mode full --json task",
        expect![[r#"
            --- stdout
            {"status":"done","code":0,"result":"Made a.txt.","denials":[],"session":"[id]","usage":{"input_tokens":10,"output_tokens":5},"passes":2,"tools":{"attempt_completion":{"ok":1,"failed":0},"write_file":{"ok":1,"failed":0}},"changed_files":["a.txt"],"reason":"completed"}
            --- stderr
            tagline 0.1.0  script/script.txt  mode full  session [id]
              you       task
              write     a.txt                                        +1 -0 [time]
              answer    Made a.txt. [time]
            done  2 passes  10 in  5 out [time]  undo: tagline undo [id]
            exit 0
        "#]],
    );
}

#[test]
fn where_nobody_can_be_asked_a_question_is_a_no() {
    check(
        "=== reply\n<write_file path=\"a.txt\">hi</write_file>\n=== reply\nI could not write it.\n",
        "task",
        expect![[r#"
            --- stdout
            I could not write it.
            --- stderr
            tagline 0.1.0  script/script.txt  mode ask  session [id]
              you       task
              write     a.txt                                        refused
                        this needs a yes from the user, and nobody is there to give it:
                        `write_file` changes files; go on without it, or end with what is
                        done and what is missing
              say       I could not write it.
            done  2 passes [time]
            refused: write_file: this needs a yes from the user, and nobody is there to give it: `write_file` changes files; go on without it, or end with what is done and what is missing
            go on with: tagline run -r [id] "…"
            exit 9
        "#]],
    );
}

#[test]
fn a_plan_refuses_what_changes_something() {
    check(
        "=== reply\n<execute_command>touch x</execute_command>\n=== reply\nNot allowed.\n",
        "--mode plan task",
        expect![[r#"
            --- stdout
            Not allowed.
            --- stderr
            tagline 0.1.0  script/script.txt  mode plan  session [id]
              you       task
              run       touch x                                      refused
                        in mode `plan` nothing is changed or run; describe what you would do
              say       Not allowed.
            done  2 passes [time]
            refused: execute_command: in mode `plan` nothing is changed or run; describe what you would do
            go on with: tagline run -r [id] "…"
            exit 5
        "#]],
    );
}

#[test]
fn the_ceiling_of_passes_ends_the_turn() {
    check(
        "=== reply\n<list_files path=\".\"/>\n=== repeat forever\n",
        "--max-passes 2 task",
        expect![[r#"
            --- stderr
            tagline 0.1.0  script/script.txt  mode ask  session [id]
              you       task
              list      .                              .: nothing, or only what ig… [time]
              list      .                              .: nothing, or only what ig… [time]
              warning   the turn reached its limit of passes (2); raise `--max-passes`, or
                        ask for less at once
            limit  max_passes  2 passes [time]
            go on with: tagline run -r [id] "…"
            exit 6
        "#]],
    );
}

#[test]
fn going_in_circles_ends_the_turn() {
    check(
        "=== reply\n<list_files path=\".\"/>\n=== repeat forever\n",
        "--json task",
        expect![[r#"
            --- stdout
            {"status":"limit","code":6,"result":null,"denials":[],"session":"[id]","usage":{},"passes":5,"tools":{"list_files":{"ok":5,"failed":0}},"changed_files":[],"reason":"loop"}
            --- stderr
            tagline 0.1.0  script/script.txt  mode ask  session [id]
              you       task
              list      .                              .: nothing, or only what ig… [time]
              list      .                              .: nothing, or only what ig… [time]
              list      .                              .: nothing, or only what ig… [time]
              list      .                              .: nothing, or only what ig… [time]
              list      .                              .: nothing, or only what ig… [time]
              warning   `list_files` was called 5 times with the same arguments and the same
                        result
            limit  loop  5 passes [time]
            exit 6
        "#]],
    );
}

#[test]
fn a_question_to_the_user_ends_the_turn() {
    check(
        "=== reply\n<wait_for_human_input kind=\"question\">Which color?</wait_for_human_input>\n",
        "task",
        expect![[r#"
            --- stderr
            tagline 0.1.0  script/script.txt  mode ask  session [id]
              you       task
              ask       Which color? [time]
            needs you  1 pass [time]
            go on with: tagline run -r [id] "…"
            exit 9
        "#]],
    );
}

#[test]
fn noise_is_answered_and_then_given_up() {
    check(
        "=== reply\n\u{fffd}<<>>&&\n=== repeat forever\n",
        "--loop guided task",
        expect![[r#"
            --- stderr
            tagline 0.1.0  script/script.txt  mode ask  session [id]
              you       task
              say       �<<>>&&
              say       �<<>>&&
              say       �<<>>&&
            failed  protocol  3 passes [time]
                        3 replies in a row held no valid call and no answer; try another
                        model
            go on with: tagline run -r [id] "…"
            exit 7
        "#]],
    );
}

#[test]
fn an_empty_reply_is_no_answer() {
    check(
        "=== reply\n=== repeat forever\n",
        "task",
        expect![[r#"
            --- stderr
            tagline 0.1.0  script/script.txt  mode ask  session [id]
              you       task
            failed  protocol  3 passes [time]
                        the model returned nothing: 3 replies in a row held no valid call
                        and no answer; try another model
            go on with: tagline run -r [id] "…"
            exit 7
        "#]],
    );
}

#[test]
fn a_provider_that_fails_is_named() {
    check(
        "=== reply\n=== fault connect fail 127.0.0.1:1 refused the connection\n",
        "task",
        expect![[r#"
            --- stderr
            tagline 0.1.0  script/script.txt  mode ask  session [id]
              you       task
            failed  connect  1 pass [time]
                        127.0.0.1:1 refused the connection
            go on with: tagline run -r [id] "…"
            exit 4
        "#]],
    );
}

#[test]
fn without_a_task_it_says_what_to_write() {
    check(
        "=== reply\nno\n",
        "",
        expect![[r#"
        --- stderr
        error: no task: expected `tagline run "what to do"`, `-` with text on standard input, or `-c` to go on
        exit 2
    "#]],
    );
}

#[test]
fn a_turn_that_takes_too_long_is_stopped_and_says_so() {
    check(
        "=== reply\nsome words\n=== hang\n",
        "--timeout 1 --json task",
        expect![[r#"
        --- stdout
        {"status":"limit","code":6,"result":null,"denials":[],"session":"[id]","usage":{},"passes":1,"tools":{},"changed_files":[],"reason":"timeout"}
        --- stderr
        tagline 0.1.0  script/script.txt  mode ask  session [id]
          you       task
          say       some words
          warning   the turn was stopped after [time], its limit; raise `--timeout`, or ask
                    for less at once
        limit  timeout  1 pass [time]
        exit 6
    "#]],
    );
}

#[test]
fn a_session_is_written_down_under_its_profile() {
    let bench = Bench::new()
        .write("script.txt", "=== reply\nFine.\n")
        .write("home/config.toml", "[profiles.night]\nmode = \"plan\"\n");
    bench.run("run --profile night --model script/../script.txt task");
    let list = bench.run("sessions list --json --profile night");
    assert!(list.contains(r#""profile":"night""#), "{list}");
}

#[test]
fn a_long_question_is_shown_whole() {
    check(
        "=== reply\n<wait_for_human_input kind=\"question\">Which of the two colors should the page have, the blue one or the green one?</wait_for_human_input>\n",
        "task",
        expect![[r#"
            --- stderr
            tagline 0.1.0  script/script.txt  mode ask  session [id]
              you       task
              ask       Which of the two colors should the page hav… [time]
                        Which of the two colors should the page have, the blue one or the
                        green one?
            needs you  1 pass [time]
            go on with: tagline run -r [id] "…"
            exit 9
        "#]],
    );
}
