//! Ceilings and circles.

use expect_test::{Expect, expect};

use crate::play::play;

#[track_caller]
fn check(script: &str, expected: Expect) {
    expected.assert_eq(&play(script));
}

#[test]
fn the_pass_ceiling_ends_the_turn_with_the_results_kept() {
    check(
        "limit passes 1
         user go
         model <read_file path=\"a\"/>\\n
         stop
         ok 1 text",
        expect![[r#"
            limit passes 1
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <read_file path="a"/>\n
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              message.assistant {"text":"<read_file path=\"a\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
            stop
              pass.finished {"finish":"stop"}
            ok 1 text
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"ok\">\ntext\n</tool_result>\n</tool_results>"}
              notice {"level":"warning","message":"the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once"}
              run.finished {"outcome":"limit","reason":"max_passes"}
              stop Limit { reason: "max_passes", message: "the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once" }
        "#]],
    );
}

#[test]
fn the_turns_calls_are_bounded() {
    check(
        "limit calls 1
         user go
         model <read_file path=\"a\"/>\\n<read_file path=\"b\"/>\\n
         ok 1 text",
        expect![[r#"
            limit calls 1
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <read_file path="a"/>\n<read_file path="b"/>\n
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              message.assistant {"text":"<read_file path=\"a\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
              tool.opening c2 {"tool":"read_file"}
              tool.attr c2 {"name":"path","value":"b"}
              tool.cancelled c2 {"reason":"the turn reached its limit of calls (1); go on in a new turn"}
              stop reply
              message.assistant {"text":"\n<read_file path=\"b\"/>"}
              pass.finished {"finish":"stop"}
            ok 1 text
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"ok\">\ntext\n</tool_result>\n<tool_result tool_name=\"read_file\" call=\"2\" status=\"not_run\">\nError: not run because the turn reached its limit of calls (1); go on in a new turn\n</tool_result>\n</tool_results>"}
              notice {"level":"warning","message":"the turn reached its limit of calls (1); go on in a new turn"}
              run.finished {"outcome":"limit","reason":"max_calls"}
              stop Limit { reason: "max_calls", message: "the turn reached its limit of calls (1); go on in a new turn" }
        "#]],
    );
}

#[test]
fn the_same_call_with_the_same_result_warns_at_three_and_stops_at_five() {
    check(
        "user go
         model <read_file path=\"a\"/>\\n<read_file path=\"a\"/>\\n<read_file path=\"a\"/>\\n
         stop
         ok 1 same
         ok 2 same
         ok 3 same
         model <read_file path=\"a\"/>\\n<read_file path=\"a\"/>\\n<write_file path=\"b\">x</write_file>\\n
         ok 4 same
         ok 5 same",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <read_file path="a"/>\n<read_file path="a"/>\n<read_file path="a"/>\n
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              message.assistant {"text":"<read_file path=\"a\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
              tool.opening c2 {"tool":"read_file"}
              tool.attr c2 {"name":"path","value":"a"}
              message.assistant {"text":"\n<read_file path=\"a\"/>"}
              tool.ready c2 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              tool.opening c3 {"tool":"read_file"}
              tool.attr c3 {"name":"path","value":"a"}
              message.assistant {"text":"\n<read_file path=\"a\"/>"}
              tool.ready c3 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
            stop
              pass.finished {"finish":"stop"}
            ok 1 same
              run c2 read_file {"path":"a"}
            ok 2 same
              run c3 read_file {"path":"a"}
            ok 3 same
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"ok\">\nsame\n</tool_result>\n<tool_result tool_name=\"read_file\" call=\"2\" status=\"ok\">\nsame\n</tool_result>\n<tool_result tool_name=\"read_file\" call=\"3\" status=\"ok\">\nsame\nnote: `read_file` was called 3 times with the same arguments and the same result; do something else, or say what is in the way\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
              <read_file path="a"/>
              <read_file path="a"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              same
              </tool_result>
              <tool_result tool_name="read_file" call="2" status="ok">
              same
              </tool_result>
              <tool_result tool_name="read_file" call="3" status="ok">
              same
              note: `read_file` was called 3 times with the same arguments and the same result; do something else, or say what is in the way
              </tool_result>
              </tool_results>
            model <read_file path="a"/>\n<read_file path="a"/>\n<write_file path="b">x</write_file>\n
              tool.opening c4 {"tool":"read_file"}
              tool.attr c4 {"name":"path","value":"a"}
              message.assistant {"text":"<read_file path=\"a\"/>"}
              tool.ready c4 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c4 read_file {"path":"a"}
              tool.opening c5 {"tool":"read_file"}
              tool.attr c5 {"name":"path","value":"a"}
              message.assistant {"text":"\n<read_file path=\"a\"/>"}
              tool.ready c5 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              tool.opening c6 {"tool":"write_file"}
              tool.attr c6 {"name":"path","value":"b"}
              tool.body c6 {"delta":"x"}
              message.assistant {"text":"\n<write_file path=\"b\">x</write_file>"}
              tool.ready c6 {"tool":"write_file","arguments":{"path":"b","content":"x"},"effect":"write"}
            ok 4 same
              run c5 read_file {"path":"a"}
            ok 5 same
              tool.cancelled c6 {"reason":"the turn goes in circles"}
              stop reply
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"ok\">\nsame\n</tool_result>\n<tool_result tool_name=\"read_file\" call=\"2\" status=\"ok\">\nsame\nnote: `read_file` was called 5 times with the same arguments and the same result, so the turn was stopped\n</tool_result>\n<tool_result tool_name=\"write_file\" call=\"3\" status=\"not_run\">\nError: not run because the turn goes in circles\n</tool_result>\n</tool_results>"}
              notice {"level":"warning","message":"`read_file` was called 5 times with the same arguments and the same result"}
              run.finished {"outcome":"limit","reason":"loop"}
              stop Limit { reason: "loop", message: "`read_file` was called 5 times with the same arguments and the same result" }
        "#]],
    );
}

#[test]
fn a_poll_is_no_circle() {
    check(
        "user go
         model <execute_command>tail a</execute_command>\\n<execute_command>tail a</execute_command>\\n<execute_command>tail a</execute_command>\\n<execute_command>tail a</execute_command>\\n<execute_command>tail a</execute_command>\\n
         stop
         news 1 same
         news 2 same
         news 3 same
         news 4 same
         news 5 same",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <execute_command>tail a</execute_command>\n<execute_command>tail a</execute_command>\n<execute_command>tail a</execute_command>\n<execute_command>tail a</execute_command>\n<execute_command>tail a</execute_command>\n
              tool.opening c1 {"tool":"execute_command"}
              tool.body c1 {"delta":"tail a"}
              message.assistant {"text":"<execute_command>tail a</execute_command>"}
              tool.ready c1 {"tool":"execute_command","arguments":{"command":"tail a"},"effect":"exec"}
              run c1 execute_command {"command":"tail a"}
              tool.opening c2 {"tool":"execute_command"}
              tool.body c2 {"delta":"tail a"}
              message.assistant {"text":"\n<execute_command>tail a</execute_command>"}
              tool.ready c2 {"tool":"execute_command","arguments":{"command":"tail a"},"effect":"exec"}
              tool.opening c3 {"tool":"execute_command"}
              tool.body c3 {"delta":"tail a"}
              message.assistant {"text":"\n<execute_command>tail a</execute_command>"}
              tool.ready c3 {"tool":"execute_command","arguments":{"command":"tail a"},"effect":"exec"}
              tool.opening c4 {"tool":"execute_command"}
              tool.body c4 {"delta":"tail a"}
              message.assistant {"text":"\n<execute_command>tail a</execute_command>"}
              tool.ready c4 {"tool":"execute_command","arguments":{"command":"tail a"},"effect":"exec"}
              tool.opening c5 {"tool":"execute_command"}
              tool.body c5 {"delta":"tail a"}
              message.assistant {"text":"\n<execute_command>tail a</execute_command>"}
              tool.ready c5 {"tool":"execute_command","arguments":{"command":"tail a"},"effect":"exec"}
            stop
              pass.finished {"finish":"stop"}
            news 1 same
              run c2 execute_command {"command":"tail a"}
            news 2 same
              run c3 execute_command {"command":"tail a"}
            news 3 same
              run c4 execute_command {"command":"tail a"}
            news 4 same
              run c5 execute_command {"command":"tail a"}
            news 5 same
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"execute_command\" call=\"1\" status=\"ok\">\nsame\n</tool_result>\n<tool_result tool_name=\"execute_command\" call=\"2\" status=\"ok\">\nsame\n</tool_result>\n<tool_result tool_name=\"execute_command\" call=\"3\" status=\"ok\">\nsame\n</tool_result>\n<tool_result tool_name=\"execute_command\" call=\"4\" status=\"ok\">\nsame\n</tool_result>\n<tool_result tool_name=\"execute_command\" call=\"5\" status=\"ok\">\nsame\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: <execute_command>tail a</execute_command>
              <execute_command>tail a</execute_command>
              <execute_command>tail a</execute_command>
              <execute_command>tail a</execute_command>
              <execute_command>tail a</execute_command>
                User: <tool_results>
              <tool_result tool_name="execute_command" call="1" status="ok">
              same
              </tool_result>
              <tool_result tool_name="execute_command" call="2" status="ok">
              same
              </tool_result>
              <tool_result tool_name="execute_command" call="3" status="ok">
              same
              </tool_result>
              <tool_result tool_name="execute_command" call="4" status="ok">
              same
              </tool_result>
              <tool_result tool_name="execute_command" call="5" status="ok">
              same
              </tool_result>
              </tool_results>
        "#]],
    );
}

#[test]
fn the_same_error_in_three_passes_stops() {
    check(
        "user go
         model <read_file path=\"a\"/>\\n
         stop
         fail 1 no such file
         model <read_file path=\"b\"/>\\n
         stop
         fail 2 no such file
         model <read_file path=\"c\"/>\\n
         stop
         fail 3 no such file",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <read_file path="a"/>\n
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              message.assistant {"text":"<read_file path=\"a\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
            stop
              pass.finished {"finish":"stop"}
            fail 1 no such file
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"error\">\nError: execution failed: no such file\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="error">
              Error: execution failed: no such file
              </tool_result>
              </tool_results>
            model <read_file path="b"/>\n
              tool.opening c2 {"tool":"read_file"}
              tool.attr c2 {"name":"path","value":"b"}
              message.assistant {"text":"<read_file path=\"b\"/>"}
              tool.ready c2 {"tool":"read_file","arguments":{"path":"b"},"effect":"read"}
              run c2 read_file {"path":"b"}
            stop
              pass.finished {"finish":"stop"}
            fail 2 no such file
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"error\">\nError: execution failed: no such file\nnote: `read_file` failed 2 times in a row with the same error; do something else, the next time ends the turn\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 3 known
                Assistant: <read_file path="b"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="error">
              Error: execution failed: no such file
              note: `read_file` failed 2 times in a row with the same error; do something else, the next time ends the turn
              </tool_result>
              </tool_results>
            model <read_file path="c"/>\n
              tool.opening c3 {"tool":"read_file"}
              tool.attr c3 {"name":"path","value":"c"}
              message.assistant {"text":"<read_file path=\"c\"/>"}
              tool.ready c3 {"tool":"read_file","arguments":{"path":"c"},"effect":"read"}
              run c3 read_file {"path":"c"}
            stop
              pass.finished {"finish":"stop"}
            fail 3 no such file
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"error\">\nError: execution failed: no such file\nnote: `read_file` failed 3 times in a row with the same error, so the turn was stopped\n</tool_result>\n</tool_results>"}
              notice {"level":"warning","message":"`read_file` failed 3 times in a row with the same error"}
              run.finished {"outcome":"limit","reason":"loop"}
              stop Limit { reason: "loop", message: "`read_file` failed 3 times in a row with the same error" }
        "#]],
    );
}

#[test]
fn what_a_pass_took_is_told_once_with_its_last_counts() {
    check(
        "user go
         usage 1
         model Eight
         usage 3
         model  legs.
         usage 5
         stop
         usage 9",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            usage 1
            model Eight
              say.start
              say.delta {"delta":"Eight"}
            usage 3
            model  legs.
              say.delta {"delta":" legs."}
            usage 5
            stop
              say.end
              message.assistant {"text":"Eight legs."}
              usage {"output_tokens":5}
              pass.finished {"finish":"stop"}
              run.finished {"outcome":"done","reason":"completed","result":"Eight legs."}
              stop Completed("Eight legs.")
            usage 9
        "#]],
    );
}

#[test]
fn the_budget_of_tokens_ends_the_turn_before_the_next_asking_and_keeps_the_work() {
    check(
        "limit tokens 200
         user go
         model <read_file path=\"a\"/>\\n
         usage 190
         stop
         ok 1 seen",
        expect![[r#"
            limit tokens 200
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <read_file path="a"/>\n
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              message.assistant {"text":"<read_file path=\"a\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
            usage 190
            stop
              usage {"output_tokens":190}
              pass.finished {"finish":"stop"}
            ok 1 seen
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"ok\">\nseen\n</tool_result>\n</tool_results>"}
              notice {"level":"warning","message":"the turn reached its limit of tokens: 193 of 200 are used (with 3 tokens by our own estimate, because the provider did not count them), and the next request with its reply takes 51 or more; raise `--max-tokens-total`, or ask for less at once"}
              run.finished {"outcome":"limit","reason":"max_tokens_total"}
              stop Limit { reason: "max_tokens_total", message: "the turn reached its limit of tokens: 193 of 200 are used (with 3 tokens by our own estimate, because the provider did not count them), and the next request with its reply takes 51 or more; raise `--max-tokens-total`, or ask for less at once" }
        "#]],
    );
}

#[test]
fn a_request_that_the_budget_cannot_hold_is_not_sent() {
    check(
        "limit tokens 17
         user go
         stop",
        expect![[r#"
            limit tokens 17
            user go
              message.user {"text":"go"}
              notice {"level":"warning","message":"the turn reached its limit of tokens: 0 of 17 are used, and the next request with its reply takes 19 or more; raise `--max-tokens-total`, or ask for less at once"}
              run.finished {"outcome":"limit","reason":"max_tokens_total"}
              stop Limit { reason: "max_tokens_total", message: "the turn reached its limit of tokens: 0 of 17 are used, and the next request with its reply takes 19 or more; raise `--max-tokens-total`, or ask for less at once" }
            stop
        "#]],
    );
}
