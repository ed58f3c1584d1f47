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
    check("=== reply\nAll is well.\n", "-q task", expect![[r#""#]]);
}

#[test]
fn one_object_tells_how_it_ended() {
    check(
        "=== reply\n<write_file path=\"a.txt\">hi</write_file>\n=== usage in=10 out=5\n\
         === reply\n=== expect contains ok\n<attempt_completion><result>Made a.txt.</result></attempt_completion>\n\
         === usage in=20 out=4\n",
        "--mode full --json task",
        expect![[r#""#]],
    );
}

#[test]
fn where_nobody_can_be_asked_a_question_is_a_no() {
    check(
        "=== reply\n<write_file path=\"a.txt\">hi</write_file>\n=== reply\nI could not write it.\n",
        "task",
        expect![[r#""#]],
    );
}

#[test]
fn a_plan_refuses_what_changes_something() {
    check(
        "=== reply\n<execute_command>touch x</execute_command>\n=== reply\nNot allowed.\n",
        "--mode plan task",
        expect![[r#""#]],
    );
}

#[test]
fn the_ceiling_of_passes_ends_the_turn() {
    check(
        "=== reply\n<list_files path=\".\"/>\n=== repeat forever\n",
        "--max-passes 2 task",
        expect![[r#""#]],
    );
}

#[test]
fn going_in_circles_ends_the_turn() {
    check(
        "=== reply\n<list_files path=\".\"/>\n=== repeat forever\n",
        "--json task",
        expect![[r#""#]],
    );
}

#[test]
fn a_question_to_the_user_ends_the_turn() {
    check(
        "=== reply\n<wait_for_human_input kind=\"question\">Which color?</wait_for_human_input>\n",
        "task",
        expect![[r#""#]],
    );
}

#[test]
fn noise_is_answered_and_then_given_up() {
    check(
        "=== reply\n\u{fffd}<<>>&&\n=== repeat forever\n",
        "--loop guided task",
        expect![[r#""#]],
    );
}

#[test]
fn an_empty_reply_is_no_answer() {
    check("=== reply\n=== repeat forever\n", "task", expect![[r#""#]]);
}

#[test]
fn a_provider_that_fails_is_named() {
    check(
        "=== reply\n=== fault connect fail 127.0.0.1:1 refused the connection\n",
        "task",
        expect![[r#""#]],
    );
}

#[test]
fn without_a_task_it_says_what_to_write() {
    check("=== reply\nno\n", "", expect![[r#""#]]);
}
