//! What the user says while the turn runs.

use expect_test::{Expect, expect};

use crate::play::play;

#[track_caller]
fn check(script: &str, expected: Expect) {
    expected.assert_eq(&play(script));
}

#[test]
fn words_said_while_a_call_runs_stand_behind_its_result() {
    check(
        "user go
 model <read_file path=\"a\"/>\\n
 stop
 steer use b instead
 ok 1 text",
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
            steer use b instead
            ok 1 text
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"ok\">\ntext\n</tool_result>\n</tool_results>"}
              message.user {"text":"use b instead"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              text
              </tool_result>
              </tool_results>

              use b instead
        "#]],
    );
}

#[test]
fn words_said_before_the_first_character_wait_for_the_next_pass() {
    check(
        "user go
 steer faster
 model <read_file path=\"a\"/>\\n
 stop
 ok 1 text",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            steer faster
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
              message.user {"text":"faster"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              text
              </tool_result>
              </tool_results>

              faster
        "#]],
    );
}

#[test]
fn an_answer_written_without_knowing_them_does_not_end_the_turn() {
    check(
        "user go
 model Eight legs.
 steer and how many eyes?
 stop
 model Eight eyes.
 stop",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model Eight legs.
              say.start
              say.delta {"delta":"Eight legs."}
            steer and how many eyes?
            stop
              say.end
              message.assistant {"text":"Eight legs."}
              pass.finished {"finish":"stop"}
              message.user {"text":"and how many eyes?"}
              pass.started
              ask, 1 known
                Assistant: Eight legs.
                User: and how many eyes?
            model Eight eyes.
              say.start
              say.delta {"delta":"Eight eyes."}
            stop
              say.end
              message.assistant {"text":"Eight eyes."}
              pass.finished {"finish":"stop"}
              run.finished {"outcome":"done","reason":"completed","result":"Eight eyes."}
              stop Completed("Eight eyes.")
        "#]],
    );
}

#[test]
fn behind_the_end_of_the_turn_they_are_not_taken() {
    check(
        "user go
 model <attempt_completion><result>Eight legs.</result></attempt_completion>
 steer late
 stop",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <attempt_completion><result>Eight legs.</result></attempt_completion>
              tool.opening c1 {"tool":"attempt_completion"}
              tool.body c1 {"child":"result","delta":"Eight legs."}
              message.assistant {"text":"<attempt_completion><result>Eight legs.</result></attempt_completion>"}
              tool.ready c1 {"tool":"attempt_completion","arguments":{"result":"Eight legs."},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
              tool.done c1 {"event":"attempt_completion","payload":{"result":"Eight legs."},"llmEcho":"","ms":0}
              run.finished {"outcome":"done","reason":"completed","result":"Eight legs."}
              stop Completed("Eight legs.")
            steer late
            stop
        "#]],
    );
}

#[test]
fn a_completion_while_they_wait_gets_its_result_and_the_turn_goes_on() {
    check(
        "user go
 steer in German
 model <attempt_completion><result>Eight legs.</result></attempt_completion>\\n",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            steer in German
            model <attempt_completion><result>Eight legs.</result></attempt_completion>\n
              tool.opening c1 {"tool":"attempt_completion"}
              tool.body c1 {"child":"result","delta":"Eight legs."}
              message.assistant {"text":"<attempt_completion><result>Eight legs.</result></attempt_completion>"}
              tool.ready c1 {"tool":"attempt_completion","arguments":{"result":"Eight legs."},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
              tool.done c1 {"event":"attempt_completion","payload":{"result":"Eight legs."},"llmEcho":"the answer reached the user, who wrote meanwhile","ms":0}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"attempt_completion\" call=\"1\" status=\"ok\">\nthe answer reached the user, who wrote meanwhile\n</tool_result>\n</tool_results>"}
              message.user {"text":"in German"}
              pass.started
              ask, 1 known
                Assistant: <attempt_completion><result>Eight legs.</result></attempt_completion>
                User: <tool_results>
              <tool_result tool_name="attempt_completion" call="1" status="ok">
              the answer reached the user, who wrote meanwhile
              </tool_result>
              </tool_results>

              in German
        "#]],
    );
}

#[test]
fn a_question_while_they_wait_is_read_together_with_them() {
    check(
        "user go
 steer the red one
 model <wait_for_human_input>Which one?</wait_for_human_input>\\n",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            steer the red one
            model <wait_for_human_input>Which one?</wait_for_human_input>\n
              tool.opening c1 {"tool":"wait_for_human_input"}
              tool.body c1 {"delta":"Which one?"}
              message.assistant {"text":"<wait_for_human_input>Which one?</wait_for_human_input>"}
              tool.ready c1 {"tool":"wait_for_human_input","arguments":{"question":"Which one?"},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
              tool.done c1 {"event":"wait_for_human_input","payload":{"question":"Which one?"},"llmEcho":"the question reached the user, who wrote meanwhile","ms":0}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"wait_for_human_input\" call=\"1\" status=\"ok\">\nthe question reached the user, who wrote meanwhile\n</tool_result>\n</tool_results>"}
              message.user {"text":"the red one"}
              pass.started
              ask, 1 known
                Assistant: <wait_for_human_input>Which one?</wait_for_human_input>
                User: <tool_results>
              <tool_result tool_name="wait_for_human_input" call="1" status="ok">
              the question reached the user, who wrote meanwhile
              </tool_result>
              </tool_results>

              the red one
        "#]],
    );
}

#[test]
fn they_stand_behind_a_reply_that_is_continued() {
    check(
        "user go
 model <write_file path=\"a\">half
 steer stop after that
 length
 model  and half</write_file>\\n
 stop
 ok 1 written",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <write_file path="a">half
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"half"}
            steer stop after that
            length
              message.assistant {"text":"<write_file path=\"a\">half"}
              pass.finished {"finish":"length"}
              message.results {"text":"Your reply reached the token limit inside `write_file`. Go on with exactly the next character: no greeting, nothing twice, no new start tag."}
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
            ok 1 written
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"ok\">\nwritten\n</tool_result>\n</tool_results>"}
              message.user {"text":"stop after that"}
              pass.started
              ask, 3 known
                Assistant:  and half</write_file>
                User: <tool_results>
              <tool_result tool_name="write_file" call="1" status="ok">
              written
              </tool_result>
              </tool_results>

              stop after that
        "#]],
    );
}

#[test]
fn a_stopped_turn_keeps_them_for_the_next_one() {
    check(
        "user go
 model <read_file path=\"a\"/>\\n
 stop
 steer and b
 cancel
 user go on",
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
            steer and b
            cancel
              tool.cancelled c1 {"reason":"the turn was stopped"}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"error\">\nError: execution failed: the user stopped it\n</tool_result>\n</tool_results>"}
              message.user {"text":"and b"}
              run.finished {"outcome":"stopped","reason":"cancelled"}
              stop Cancelled
            user go on
              message.user {"text":"go on"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="error">
              Error: execution failed: the user stopped it
              </tool_result>
              </tool_results>

              and b

              go on
        "#]],
    );
}

#[test]
fn a_failed_turn_keeps_them_too() {
    check(
        "user go
 steer and b
 broken no key",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            steer and b
            broken no key
              pass.finished {"finish":"cut"}
              message.user {"text":"and b"}
              run.failed {"reason":"overloaded","message":"no key"}
              stop ModelFailed { code: "overloaded", message: "no key" }
        "#]],
    );
}

#[test]
fn several_enter_in_order_and_forgive_what_was_fruitless() {
    check(
        "user go
 model <thinking>hm</thinking>
 stop
 model <thinking>hm</thinking>
 steer one
 steer two
 stop
 model <thinking>hm</thinking>
 stop",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <thinking>hm</thinking>
              think.start
              think.delta {"delta":"hm"}
            stop
              think.end
              message.assistant {"text":"<thinking>hm</thinking>"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_results>\n<tool_result call=\"1\" status=\"error\">\nError: format: reply: expected a call or an answer, but found thinking alone; write one now\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: <thinking>hm</thinking>
                User: <tool_results>
              <tool_result call="1" status="error">
              Error: format: reply: expected a call or an answer, but found thinking alone; write one now
              </tool_result>
              </tool_results>
            model <thinking>hm</thinking>
              think.start
              think.delta {"delta":"hm"}
            steer one
            steer two
            stop
              think.end
              message.assistant {"text":"<thinking>hm</thinking>"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_results>\n<tool_result call=\"1\" status=\"error\">\nError: format: reply: expected a call or an answer, but found thinking alone; write one now\n</tool_result>\n</tool_results>"}
              message.user {"text":"one"}
              message.user {"text":"two"}
              pass.started
              ask, 3 known
                Assistant: <thinking>hm</thinking>
                User: <tool_results>
              <tool_result call="1" status="error">
              Error: format: reply: expected a call or an answer, but found thinking alone; write one now
              </tool_result>
              </tool_results>

              one

              two
            model <thinking>hm</thinking>
              think.start
              think.delta {"delta":"hm"}
            stop
              think.end
              message.assistant {"text":"<thinking>hm</thinking>"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_results>\n<tool_result call=\"1\" status=\"error\">\nError: format: reply: expected a call or an answer, but found thinking alone; write one now\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 5 known
                Assistant: <thinking>hm</thinking>
                User: <tool_results>
              <tool_result call="1" status="error">
              Error: format: reply: expected a call or an answer, but found thinking alone; write one now
              </tool_result>
              </tool_results>
        "#]],
    );
}

#[test]
fn an_answer_that_is_looked_at_waits_for_them_too() {
    check(
        "checked
 user go
 model [1]
 stop
 steer no, two
 fits [1]",
        expect![[r#"
            checked
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model [1]
              say.start
              say.delta {"delta":"[1"}
            stop
              say.delta {"delta":"]"}
              say.end
              message.assistant {"text":"[1]"}
              pass.finished {"finish":"stop"}
              check "[1]"
            steer no, two
            fits [1]
              message.user {"text":"no, two"}
              pass.started
              ask, 1 known
                Assistant: [1]
                User: no, two
        "#]],
    );
}
