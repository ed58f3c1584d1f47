//! Bounds that ask instead of ending the turn.

use expect_test::{Expect, expect};

use crate::play::play;

#[track_caller]
fn check(script: &str, expected: Expect) {
    expected.assert_eq(&play(script));
}

#[test]
fn passes_are_added_and_the_turn_goes_on() {
    check(
        "asking
 limit passes 1
 user go
 model <read_file path=\"a\"/>\\n
 stop
 ok 1 text
 add
 model Done.
 stop",
        expect![[r#"
            asking
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
              budget.asked {"reason":"max_passes","message":"the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once","adds":"1 passes"}
              ask the user: the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once: 1 passes?
            add
              budget.answered {"answer":"add"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              text
              </tool_result>
              </tool_results>
            model Done.
              say.start
              say.delta {"delta":"Done."}
            stop
              say.end
              message.assistant {"text":"Done."}
              pass.finished {"finish":"stop"}
              run.finished {"outcome":"done","reason":"completed","result":"Done."}
              stop Completed("Done.")
        "#]],
    );
}

#[test]
fn an_end_is_wanted_and_the_model_says_what_it_has() {
    check(
        "asking
 limit passes 1
 user go
 model <read_file path=\"a\"/>\\n
 stop
 ok 1 text
 finish
 model It is half done.
 stop",
        expect![[r#"
            asking
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
              budget.asked {"reason":"max_passes","message":"the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once","adds":"1 passes"}
              ask the user: the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once: 1 passes?
            finish
              budget.answered {"answer":"finish"}
              message.results {"text":"The budget of this turn is used up, and no more calls are run. Answer now, in plain text, with what you have: what is done, and what is left."}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              text
              </tool_result>
              </tool_results>

              The budget of this turn is used up, and no more calls are run. Answer now, in plain text, with what you have: what is done, and what is left.
            model It is half done.
              say.start
              say.delta {"delta":"It is half done."}
            stop
              say.end
              message.assistant {"text":"It is half done."}
              pass.finished {"finish":"stop"}
              run.finished {"outcome":"done","reason":"completed","result":"It is half done."}
              stop Completed("It is half done.")
        "#]],
    );
}

#[test]
fn what_is_called_behind_that_is_not_run() {
    check(
        "asking
 limit passes 1
 user go
 model <read_file path=\"a\"/>\\n
 stop
 ok 1 text
 finish
 model Half.\\n<read_file path=\"b\"/>\\n
 stop",
        expect![[r#"
            asking
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
              budget.asked {"reason":"max_passes","message":"the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once","adds":"1 passes"}
              ask the user: the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once: 1 passes?
            finish
              budget.answered {"answer":"finish"}
              message.results {"text":"The budget of this turn is used up, and no more calls are run. Answer now, in plain text, with what you have: what is done, and what is left."}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              text
              </tool_result>
              </tool_results>

              The budget of this turn is used up, and no more calls are run. Answer now, in plain text, with what you have: what is done, and what is left.
            model Half.\n<read_file path="b"/>\n
              say.start
              say.delta {"delta":"Half."}
              say.end
              tool.opening c2 {"tool":"read_file"}
              tool.attr c2 {"name":"path","value":"b"}
              tool.cancelled c2 {"reason":"the budget of this turn is used up; answer in plain text"}
            stop
              message.assistant {"text":"Half.\n<read_file path=\"b\"/>\n"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"not_run\">\nError: not run because the budget of this turn is used up; answer in plain text\n</tool_result>\n</tool_results>"}
              run.finished {"outcome":"done","reason":"completed","result":"Half."}
              stop Completed("Half.")
        "#]],
    );
}

#[test]
fn a_model_that_only_calls_then_ends_the_turn_at_its_limit() {
    check(
        "asking
 limit passes 1
 user go
 model <read_file path=\"a\"/>\\n
 stop
 ok 1 text
 finish
 model <read_file path=\"b\"/>\\n
 stop",
        expect![[r#"
            asking
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
              budget.asked {"reason":"max_passes","message":"the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once","adds":"1 passes"}
              ask the user: the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once: 1 passes?
            finish
              budget.answered {"answer":"finish"}
              message.results {"text":"The budget of this turn is used up, and no more calls are run. Answer now, in plain text, with what you have: what is done, and what is left."}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              text
              </tool_result>
              </tool_results>

              The budget of this turn is used up, and no more calls are run. Answer now, in plain text, with what you have: what is done, and what is left.
            model <read_file path="b"/>\n
              tool.opening c2 {"tool":"read_file"}
              tool.attr c2 {"name":"path","value":"b"}
              tool.cancelled c2 {"reason":"the budget of this turn is used up; answer in plain text"}
            stop
              message.assistant {"text":"<read_file path=\"b\"/>\n"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"not_run\">\nError: not run because the budget of this turn is used up; answer in plain text\n</tool_result>\n</tool_results>"}
              notice {"level":"warning","message":"the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once"}
              run.finished {"outcome":"limit","reason":"max_passes"}
              stop Limit { reason: "max_passes", message: "the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once" }
        "#]],
    );
}

#[test]
fn an_end_may_come_as_a_completion() {
    check(
        "asking
 limit passes 1
 guided
 asking
 limit passes 1
 user go
 model <thinking>a</thinking><read_file path=\"a\"/>\\n
 ok 1 text
 finish
 model <attempt_completion><result>Half.</result></attempt_completion>",
        expect![[r#"
            asking
            limit passes 1
            guided
            asking
            limit passes 1
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <thinking>a</thinking><read_file path="a"/>\n
              think.start
              think.delta {"delta":"a"}
              think.end
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              message.assistant {"text":"<thinking>a</thinking><read_file path=\"a\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
              stop reply
              pass.finished {"finish":"stop"}
            ok 1 text
              message.results {"text":"<tool_result tool_name=\"read_file\">\ntext\n</tool_result>"}
              budget.asked {"reason":"max_passes","message":"the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once","adds":"1 passes"}
              ask the user: the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once: 1 passes?
            finish
              budget.answered {"answer":"finish"}
              message.results {"text":"The budget of this turn is used up, and no more calls are run. Answer now, in plain text, with what you have: what is done, and what is left."}
              pass.started
              ask, 1 known
                Assistant: <thinking>a</thinking><read_file path="a"/>
                User: <tool_result tool_name="read_file">
              text
              </tool_result>

              The budget of this turn is used up, and no more calls are run. Answer now, in plain text, with what you have: what is done, and what is left.
            model <attempt_completion><result>Half.</result></attempt_completion>
              tool.opening c2 {"tool":"attempt_completion"}
              tool.body c2 {"child":"result","delta":"Half."}
              message.assistant {"text":"<attempt_completion><result>Half.</result></attempt_completion>"}
              tool.ready c2 {"tool":"attempt_completion","arguments":{"result":"Half."},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
              tool.done c2 {"event":"attempt_completion","payload":{"result":"Half."},"llmEcho":"","ms":0}
              run.finished {"outcome":"done","reason":"completed","result":"Half."}
              stop Completed("Half.")
        "#]],
    );
}

#[test]
fn stopping_there_is_the_limit_as_ever() {
    check(
        "asking
 limit passes 1
 user go
 model <read_file path=\"a\"/>\\n
 stop
 ok 1 text
 halt",
        expect![[r#"
            asking
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
              budget.asked {"reason":"max_passes","message":"the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once","adds":"1 passes"}
              ask the user: the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once: 1 passes?
            halt
              budget.answered {"answer":"stop"}
              notice {"level":"warning","message":"the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once"}
              run.finished {"outcome":"limit","reason":"max_passes"}
              stop Limit { reason: "max_passes", message: "the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once" }
        "#]],
    );
}

#[test]
fn calls_are_added_and_the_model_calls_again() {
    check(
        "asking
 limit calls 1
 user go
 model <read_file path=\"a\"/>\\n<read_file path=\"b\"/>\\n
 ok 1 text
 add
 model <read_file path=\"b\"/>\\n
 stop",
        expect![[r#"
            asking
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
              tool.cancelled c2 {"reason":"the turn had used up its 1 calls; call again what is still needed"}
              stop reply
              message.assistant {"text":"\n<read_file path=\"b\"/>"}
              pass.finished {"finish":"stop"}
            ok 1 text
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"ok\">\ntext\n</tool_result>\n<tool_result tool_name=\"read_file\" call=\"2\" status=\"not_run\">\nError: not run because the turn had used up its 1 calls; call again what is still needed\n</tool_result>\n</tool_results>"}
              budget.asked {"reason":"max_calls","message":"the turn reached its limit of calls (1); go on in a new turn","adds":"1 calls"}
              ask the user: the turn reached its limit of calls (1); go on in a new turn: 1 calls?
            add
              budget.answered {"answer":"add"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
              <read_file path="b"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              text
              </tool_result>
              <tool_result tool_name="read_file" call="2" status="not_run">
              Error: not run because the turn had used up its 1 calls; call again what is still needed
              </tool_result>
              </tool_results>
            model <read_file path="b"/>\n
              tool.opening c3 {"tool":"read_file"}
              tool.attr c3 {"name":"path","value":"b"}
              message.assistant {"text":"<read_file path=\"b\"/>"}
              tool.ready c3 {"tool":"read_file","arguments":{"path":"b"},"effect":"read"}
              run c3 read_file {"path":"b"}
            stop
              pass.finished {"finish":"stop"}
        "#]],
    );
}

#[test]
fn tokens_are_added() {
    check(
        "asking
 limit tokens 200
 user go
 model <read_file path=\"a\"/>\\n
 usage 190
 stop
 ok 1 seen
 add",
        expect![[r#"
            asking
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
              budget.asked {"reason":"max_tokens_total","message":"the turn reached its limit of tokens: 193 of 200 are used (with 3 tokens by our own estimate, because the provider did not count them), and the next request with its reply takes 51 or more; raise `--max-tokens-total`, or ask for less at once","adds":"200 tokens"}
              ask the user: the turn reached its limit of tokens: 193 of 200 are used (with 3 tokens by our own estimate, because the provider did not count them), and the next request with its reply takes 51 or more; raise `--max-tokens-total`, or ask for less at once: 200 tokens?
            add
              budget.answered {"answer":"add"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              seen
              </tool_result>
              </tool_results>
        "#]],
    );
}

#[test]
fn time_asks_before_the_next_pass_and_what_runs_may_end() {
    check(
        "asking
 user go
 model <read_file path=\"a\"/>\\n
 up 60
 stop
 ok 1 text
 add
 model Done.
 stop",
        expect![[r#"
            asking
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
            up 60
            stop
              pass.finished {"finish":"stop"}
            ok 1 text
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"ok\">\ntext\n</tool_result>\n</tool_results>"}
              budget.asked {"reason":"timeout","message":"the turn has taken 60 s, its limit; raise `--timeout`, or ask for less at once","adds":"60 s"}
              ask the user: the turn has taken 60 s, its limit; raise `--timeout`, or ask for less at once: 60 s?
            add
              budget.answered {"answer":"add"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              text
              </tool_result>
              </tool_results>
            model Done.
              say.start
              say.delta {"delta":"Done."}
            stop
              say.end
              message.assistant {"text":"Done."}
              pass.finished {"finish":"stop"}
              run.finished {"outcome":"done","reason":"completed","result":"Done."}
              stop Completed("Done.")
        "#]],
    );
}

#[test]
fn time_without_anyone_to_ask_ends_the_turn_before_the_next_pass() {
    check(
        "user go
 up 60
 model <read_file path=\"a\"/>\\n
 stop
 ok 1 text",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            up 60
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
              notice {"level":"warning","message":"the turn has taken 60 s, its limit; raise `--timeout`, or ask for less at once"}
              run.finished {"outcome":"limit","reason":"timeout"}
              stop Limit { reason: "timeout", message: "the turn has taken 60 s, its limit; raise `--timeout`, or ask for less at once" }
        "#]],
    );
}

#[test]
fn a_cancel_takes_the_question_back() {
    check(
        "asking
 limit passes 1
 user go
 model <read_file path=\"a\"/>\\n
 stop
 ok 1 text
 steer and b
 stopping
 cancel
 add",
        expect![[r#"
            asking
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
              budget.asked {"reason":"max_passes","message":"the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once","adds":"1 passes"}
              ask the user: the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once: 1 passes?
            steer and b
            stopping
            cancel
              message.user {"text":"and b"}
              run.finished {"outcome":"stopped","reason":"cancelled"}
              stop Cancelled
            add
        "#]],
    );
}

#[test]
fn a_reply_that_is_being_continued_goes_on_where_it_was() {
    check(
        "asking
 limit passes 1
 user go
 model <write_file path=\"a\">half
 length
 add
 model  and half</write_file>\\n
 stop",
        expect![[r#"
            asking
            limit passes 1
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <write_file path="a">half
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"half"}
            length
              message.assistant {"text":"<write_file path=\"a\">half"}
              pass.finished {"finish":"length"}
              message.results {"text":"Your reply reached the token limit inside `write_file`. Go on with exactly the next character: no greeting, nothing twice, no new start tag."}
              budget.asked {"reason":"max_passes","message":"the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once","adds":"1 passes"}
              ask the user: the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once: 1 passes?
            add
              budget.answered {"answer":"add"}
              pass.started
              ask, 1 known
                Assistant: <write_file path="a">half
                User: Your reply reached the token limit inside `write_file`. Go on with exactly the next character: no greeting, nothing twice, no new start tag.
            model  and half</write_file>\n
              tool.body c1 {"delta":" and half"}
              message.assistant {"text":" and half</write_file>"}
              tool.ready c1 {"tool":"write_file","arguments":{"path":"a","content":"half and half"},"effect":"write"}
              run c1 write_file {"path":"a","content":"half and half"}
            stop
              pass.finished {"finish":"stop"}
        "#]],
    );
}

#[test]
fn or_is_given_up() {
    check(
        "asking
 limit passes 1
 user go
 model <write_file path=\"a\">half
 length
 finish
 model I wrote half of it.
 stop",
        expect![[r#"
            asking
            limit passes 1
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <write_file path="a">half
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"half"}
            length
              message.assistant {"text":"<write_file path=\"a\">half"}
              pass.finished {"finish":"length"}
              message.results {"text":"Your reply reached the token limit inside `write_file`. Go on with exactly the next character: no greeting, nothing twice, no new start tag."}
              budget.asked {"reason":"max_passes","message":"the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once","adds":"1 passes"}
              ask the user: the turn reached its limit of passes (1); raise `--max-passes`, or ask for less at once: 1 passes?
            finish
              budget.answered {"answer":"finish"}
              tool.aborted c1
              message.results {"text":"The budget of this turn is used up, and no more calls are run. Answer now, in plain text, with what you have: what is done, and what is left."}
              pass.started
              ask, 1 known
                Assistant: <write_file path="a">half
                User: Your reply reached the token limit inside `write_file`. Go on with exactly the next character: no greeting, nothing twice, no new start tag.

              The budget of this turn is used up, and no more calls are run. Answer now, in plain text, with what you have: what is done, and what is left.
            model I wrote half of it.
              say.start
              say.delta {"delta":"I wrote half of it."}
            stop
              say.end
              message.assistant {"text":"I wrote half of it."}
              pass.finished {"finish":"stop"}
              run.finished {"outcome":"done","reason":"completed","result":"I wrote half of it."}
              stop Completed("I wrote half of it.")
        "#]],
    );
}
