//! A stop by the user, at every point of a turn.

use expect_test::{Expect, expect};

use crate::play::play;

#[track_caller]
fn check(script: &str, expected: Expect) {
    expected.assert_eq(&play(script));
}

#[test]
fn cancel_before_the_reply() {
    check(
        "user go\n cancel\n model late\n cancel",
        expect![[r#"
        user go
          message.user {"text":"go"}
          pass.started
          ask, 0 known
            User: go
        cancel
          pass.finished {"finish":"cut"}
          run.finished {"outcome":"stopped","reason":"cancelled"}
          stop Cancelled
        model late
        cancel
    "#]],
    );
}

#[test]
fn cancel_inside_words() {
    check(
        "user go\n model Once upon\n cancel",
        expect![[r#"
        user go
          message.user {"text":"go"}
          pass.started
          ask, 0 known
            User: go
        model Once upon
          say.start
          say.delta {"delta":"Once upon"}
        cancel
          say.end
          message.assistant {"text":"Once upon\n[stopped by the user]"}
          pass.finished {"finish":"cut"}
          run.finished {"outcome":"stopped","reason":"cancelled"}
          stop Cancelled
    "#]],
    );
}

#[test]
fn cancel_inside_a_tag_while_a_call_runs_and_another_waits() {
    check(
        "user go
         model <read_file path=\"z\"/>\\n<write_file path=\"a\">x</write_file>\\n<write_file path=\"b\">y</write_file>\\n<write_file path=\"c\">half
         ok 1 z
         cancel
         ok 2 late",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <read_file path="z"/>\n<write_file path="a">x</write_file>\n<write_file path="b">y</write_file>\n<write_file path="c">half
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"z"}
              message.assistant {"text":"<read_file path=\"z\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"z"},"effect":"read"}
              run c1 read_file {"path":"z"}
              tool.opening c2 {"tool":"write_file"}
              tool.attr c2 {"name":"path","value":"a"}
              tool.body c2 {"delta":"x"}
              message.assistant {"text":"\n<write_file path=\"a\">x</write_file>"}
              tool.ready c2 {"tool":"write_file","arguments":{"path":"a","content":"x"},"effect":"write"}
              tool.opening c3 {"tool":"write_file"}
              tool.attr c3 {"name":"path","value":"b"}
              tool.body c3 {"delta":"y"}
              message.assistant {"text":"\n<write_file path=\"b\">y</write_file>"}
              tool.ready c3 {"tool":"write_file","arguments":{"path":"b","content":"y"},"effect":"write"}
              tool.opening c4 {"tool":"write_file"}
              tool.attr c4 {"name":"path","value":"c"}
              tool.body c4 {"delta":"half"}
            ok 1 z
              run c2 write_file {"path":"a","content":"x"}
            cancel
              tool.aborted c4
              tool.cancelled c2 {"reason":"the turn was stopped"}
              tool.cancelled c3 {"reason":"the turn was stopped"}
              message.assistant {"text":"\n<write_file path=\"c\">half\n[stopped by the user]"}
              pass.finished {"finish":"cut"}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"ok\">\nz\n</tool_result>\n<tool_result tool_name=\"write_file\" call=\"2\" status=\"error\">\nError: execution failed: the user stopped it while it ran; it may have taken effect in part\n</tool_result>\n<tool_result tool_name=\"write_file\" call=\"3\" status=\"not_run\">\nError: not run because the turn was stopped\n</tool_result>\n</tool_results>"}
              run.finished {"outcome":"stopped","reason":"cancelled"}
              stop Cancelled
            ok 2 late
        "#]],
    );
}

#[test]
fn cancel_while_calls_run_behind_the_reply() {
    check(
        "user go
         model <write_file path=\"a\">x</write_file>\\n<attempt_completion>Done.</attempt_completion>\\n
         cancel
         ok 1 late",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <write_file path="a">x</write_file>\n<attempt_completion>Done.</attempt_completion>\n
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"x"}
              message.assistant {"text":"<write_file path=\"a\">x</write_file>"}
              tool.ready c1 {"tool":"write_file","arguments":{"path":"a","content":"x"},"effect":"write"}
              run c1 write_file {"path":"a","content":"x"}
              tool.opening c2 {"tool":"attempt_completion"}
              tool.body c2 {"delta":"Done."}
              message.assistant {"text":"\n<attempt_completion>Done.</attempt_completion>"}
              tool.ready c2 {"tool":"attempt_completion","arguments":{"result":"Done."},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
            cancel
              tool.cancelled c1 {"reason":"the turn was stopped"}
              tool.cancelled c2 {"reason":"the turn was stopped"}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"error\">\nError: execution failed: the user stopped it while it ran; it may have taken effect in part\n</tool_result>\n</tool_results>"}
              run.finished {"outcome":"stopped","reason":"cancelled"}
              stop Cancelled
            ok 1 late
        "#]],
    );
}

#[test]
fn results_of_calls_that_end_by_the_stop_count_and_the_model_is_not_asked_again() {
    check(
        "user go
         model <write_file path=\"a\">x</write_file>
         stop
         stopping
         fail 1 stopped by the user
         cancel",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <write_file path="a">x</write_file>
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"x"}
            stop
              message.assistant {"text":"<write_file path=\"a\">x</write_file>"}
              tool.ready c1 {"tool":"write_file","arguments":{"path":"a","content":"x"},"effect":"write"}
              run c1 write_file {"path":"a","content":"x"}
              pass.finished {"finish":"stop"}
            stopping
            fail 1 stopped by the user
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"error\">\nError: execution failed: stopped by the user\n</tool_result>\n</tool_results>"}
              run.finished {"outcome":"stopped","reason":"cancelled"}
              stop Cancelled
            cancel
        "#]],
    );
}

#[test]
fn a_turn_that_took_too_long_ends_by_that_limit() {
    check(
        "user go
         model Once upon
         late 60
         cancel",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model Once upon
              say.start
              say.delta {"delta":"Once upon"}
            late 60
            cancel
              say.end
              message.assistant {"text":"Once upon\n[stopped: the time for this turn was over]"}
              pass.finished {"finish":"cut"}
              notice {"level":"warning","message":"the turn was stopped after 60 s, its limit; raise `--timeout`, or ask for less at once"}
              run.finished {"outcome":"limit","reason":"timeout"}
              stop Limit { reason: "timeout", message: "the turn was stopped after 60 s, its limit; raise `--timeout`, or ask for less at once" }
        "#]],
    );
}
