//! What ends a turn of the free loop with an answer or a question.

use expect_test::{Expect, expect};

use crate::play::play;

#[track_caller]
fn check(script: &str, expected: Expect) {
    expected.assert_eq(&play(script));
}

#[test]
fn a_plain_reply_is_the_answer() {
    check(
        "user how many legs has a spider?
         model Eight
         model  legs.
         usage 5
         stop",
        expect![[r#"
            user how many legs has a spider?
              message.user {"text":"how many legs has a spider?"}
              pass.started
              ask, 0 known
                User: how many legs has a spider?
            model Eight
              say.start
              say.delta {"delta":"Eight"}
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
        "#]],
    );
}

#[test]
fn a_completion_waits_for_the_calls_before_it() {
    check(
        "user go
         model <write_file path=\"a\">x</write_file>\\n<attempt_completion><result>All done.</result></attempt_completion>\\n<write_file path=\"b\">never</write_file>
         ok 1 written",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <write_file path="a">x</write_file>\n<attempt_completion><result>All done.</result></attempt_completion>\n<write_file path="b">never</write_file>
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"x"}
              message.assistant {"text":"<write_file path=\"a\">x</write_file>"}
              tool.ready c1 {"tool":"write_file","arguments":{"path":"a","content":"x"},"effect":"write"}
              run c1 write_file {"path":"a","content":"x"}
              tool.opening c2 {"tool":"attempt_completion"}
              tool.body c2 {"child":"result","delta":"All done."}
              message.assistant {"text":"\n<attempt_completion><result>All done.</result></attempt_completion>"}
              tool.ready c2 {"tool":"attempt_completion","arguments":{"result":"All done."},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
            ok 1 written
              tool.done c2 {"event":"attempt_completion","payload":{"result":"All done."},"llmEcho":"","ms":0}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"ok\">\nwritten\n</tool_result>\n</tool_results>"}
              run.finished {"outcome":"done","reason":"completed","result":"All done."}
              stop Completed("All done.")
        "#]],
    );
}

#[test]
fn a_completion_behind_a_failed_call_does_not_count() {
    check(
        "user go
         model <write_file path=\"a\">x</write_file>\\n<attempt_completion><result>All done.</result></attempt_completion>\\n
         fail 1 the disk is full
         model <attempt_completion>The disk is full.</attempt_completion>\\n",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <write_file path="a">x</write_file>\n<attempt_completion><result>All done.</result></attempt_completion>\n
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"x"}
              message.assistant {"text":"<write_file path=\"a\">x</write_file>"}
              tool.ready c1 {"tool":"write_file","arguments":{"path":"a","content":"x"},"effect":"write"}
              run c1 write_file {"path":"a","content":"x"}
              tool.opening c2 {"tool":"attempt_completion"}
              tool.body c2 {"child":"result","delta":"All done."}
              message.assistant {"text":"\n<attempt_completion><result>All done.</result></attempt_completion>"}
              tool.ready c2 {"tool":"attempt_completion","arguments":{"result":"All done."},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
            fail 1 the disk is full
              tool.cancelled c2 {"reason":"call 1 did not work; read the results, then mend it or complete anyway"}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"error\">\nError: execution failed: the disk is full\n</tool_result>\n<tool_result tool_name=\"attempt_completion\" call=\"2\" status=\"not_run\">\nError: not run because call 1 did not work; read the results, then mend it or complete anyway\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: <write_file path="a">x</write_file>
              <attempt_completion><result>All done.</result></attempt_completion>
                User: <tool_results>
              <tool_result tool_name="write_file" call="1" status="error">
              Error: execution failed: the disk is full
              </tool_result>
              <tool_result tool_name="attempt_completion" call="2" status="not_run">
              Error: not run because call 1 did not work; read the results, then mend it or complete anyway
              </tool_result>
              </tool_results>
            model <attempt_completion>The disk is full.</attempt_completion>\n
              tool.opening c3 {"tool":"attempt_completion"}
              tool.body c3 {"delta":"The disk is full."}
              message.assistant {"text":"<attempt_completion>The disk is full.</attempt_completion>"}
              tool.ready c3 {"tool":"attempt_completion","arguments":{"result":"The disk is full."},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
              tool.done c3 {"event":"attempt_completion","payload":{"result":"The disk is full."},"llmEcho":"","ms":0}
              run.finished {"outcome":"done","reason":"completed","result":"The disk is full."}
              stop Completed("The disk is full.")
        "#]],
    );
}

#[test]
fn a_question_ends_the_turn_after_the_calls_before_it() {
    check(
        "user go
         model <read_file path=\"a\"/>\\n<wait_for_human_input>Which one?</wait_for_human_input>\\n
         fail 1 there is no `a`",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <read_file path="a"/>\n<wait_for_human_input>Which one?</wait_for_human_input>\n
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              message.assistant {"text":"<read_file path=\"a\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
              tool.opening c2 {"tool":"wait_for_human_input"}
              tool.body c2 {"delta":"Which one?"}
              message.assistant {"text":"\n<wait_for_human_input>Which one?</wait_for_human_input>"}
              tool.ready c2 {"tool":"wait_for_human_input","arguments":{"question":"Which one?"},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
            fail 1 there is no `a`
              tool.done c2 {"event":"wait_for_human_input","payload":{"question":"Which one?"},"llmEcho":"","ms":0}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"error\">\nError: execution failed: there is no `a`\n</tool_result>\n</tool_results>"}
              run.finished {"outcome":"needs_human","reason":"needs_human","result":"Which one?"}
              stop NeedsHuman("Which one?")
        "#]],
    );
}

#[test]
fn a_plan_alone_is_no_answer() {
    check(
        "user go
         model <update_plan><step>one</step><step>two</step></update_plan>
         stop
         ok 1 shown",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <update_plan><step>one</step><step>two</step></update_plan>
              tool.opening c1 {"tool":"update_plan"}
              tool.body c1 {"child":"step","delta":"one"}
              tool.body c1 {"child":"step#2","delta":"two"}
              message.assistant {"text":"<update_plan><step>one</step><step>two</step></update_plan>"}
              tool.ready c1 {"tool":"update_plan","arguments":{"step":["one","two"]},"effect":"pure"}
              run c1 update_plan {"step":["one","two"]}
            stop
              pass.finished {"finish":"stop"}
            ok 1 shown
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"update_plan\" call=\"1\" status=\"ok\">\nshown\n</tool_result>\n<tool_result call=\"2\" status=\"error\">\nError: format: reply: expected a call or an answer, but found nothing; write one now\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: <update_plan><step>one</step><step>two</step></update_plan>
                User: <tool_results>
              <tool_result tool_name="update_plan" call="1" status="ok">
              shown
              </tool_result>
              <tool_result call="2" status="error">
              Error: format: reply: expected a call or an answer, but found nothing; write one now
              </tool_result>
              </tool_results>
        "#]],
    );
}

#[test]
fn the_next_turn_knows_what_was_done_in_the_one_before() {
    check(
        "user go
         model <write_file path=\"a\">x</write_file>\\n<attempt_completion>Done.</attempt_completion>\\n
         ok 1 written
         user and now?
         model Nothing more.
         stop",
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
            ok 1 written
              tool.done c2 {"event":"attempt_completion","payload":{"result":"Done."},"llmEcho":"","ms":0}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"ok\">\nwritten\n</tool_result>\n</tool_results>"}
              run.finished {"outcome":"done","reason":"completed","result":"Done."}
              stop Completed("Done.")
            user and now?
              message.user {"text":"and now?"}
              pass.started
              ask, 1 known
                Assistant: <write_file path="a">x</write_file>
              <attempt_completion>Done.</attempt_completion>
                User: <tool_results>
              <tool_result tool_name="write_file" call="1" status="ok">
              written
              </tool_result>
              </tool_results>
  
              and now?
            model Nothing more.
              say.start
              say.delta {"delta":"Nothing more."}
            stop
              say.end
              message.assistant {"text":"Nothing more."}
              pass.finished {"finish":"stop"}
              run.finished {"outcome":"done","reason":"completed","result":"Nothing more."}
              stop Completed("Nothing more.")
        "#]],
    );
}

#[test]
fn an_answer_that_is_looked_at_counts_as_it_was_taken() {
    check(
        "checked
         user count
         model <attempt_completion> {\"n\": 1} </attempt_completion>\\n
         fits {\"n\": 1}",
        expect![[r#"
            checked
            user count
              message.user {"text":"count"}
              pass.started
              ask, 0 known
                User: count
            model <attempt_completion> {"n": 1} </attempt_completion>\n
              tool.opening c1 {"tool":"attempt_completion"}
              tool.body c1 {"delta":"{\"n\": 1}"}
              message.assistant {"text":"<attempt_completion> {\"n\": 1} </attempt_completion>"}
              tool.ready c1 {"tool":"attempt_completion","arguments":{"result":"{\"n\": 1}"},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
              check "{\"n\": 1}"
            fits {"n": 1}
              tool.done c1 {"event":"attempt_completion","payload":{"result":"{\"n\": 1}"},"llmEcho":"","ms":0}
              run.finished {"outcome":"done","reason":"completed","result":"{\"n\": 1}"}
              stop Completed("{\"n\": 1}")
        "#]],
    );
}

#[test]
fn an_answer_that_does_not_fit_is_told_and_written_again() {
    check(
        "checked
         user count
         model one
         stop
         unfit no JSON
         model {\"n\": 1}
         stop
         fits {\"n\": 1}",
        expect![[r#"
            checked
            user count
              message.user {"text":"count"}
              pass.started
              ask, 0 known
                User: count
            model one
              say.start
              say.delta {"delta":"one"}
            stop
              say.end
              message.assistant {"text":"one"}
              pass.finished {"finish":"stop"}
              check "one"
            unfit no JSON
              tool.rejected c1 {"reason":"output_schema","message":"format: answer: expected JSON that matches the schema, but found no JSON\nwrite the whole answer again, as JSON and nothing else"}
              message.results {"text":"<tool_results>\n<tool_result call=\"1\" status=\"error\">\nError: format: answer: expected JSON that matches the schema, but found no JSON\nwrite the whole answer again, as JSON and nothing else\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: one
                User: <tool_results>
              <tool_result call="1" status="error">
              Error: format: answer: expected JSON that matches the schema, but found no JSON
              write the whole answer again, as JSON and nothing else
              </tool_result>
              </tool_results>
            model {"n": 1}
              say.start
              say.delta {"delta":"{\"n\": 1}"}
            stop
              say.end
              message.assistant {"text":"{\"n\": 1}"}
              pass.finished {"finish":"stop"}
              check "{\"n\": 1}"
            fits {"n": 1}
              run.finished {"outcome":"done","reason":"completed","result":"{\"n\": 1}"}
              stop Completed("{\"n\": 1}")
        "#]],
    );
}

#[test]
fn the_third_answer_that_does_not_fit_ends_the_turn() {
    check(
        "guided
         checked
         user count
         model <thinking>so</thinking><attempt_completion>one</attempt_completion>\\n
         unfit no JSON
         model <thinking>so</thinking><attempt_completion>two</attempt_completion>\\n
         unfit no JSON
         model <thinking>so</thinking><attempt_completion>3</attempt_completion>\\n
         unfit a number",
        expect![[r#"
            guided
            checked
            user count
              message.user {"text":"count"}
              pass.started
              ask, 0 known
                User: count
            model <thinking>so</thinking><attempt_completion>one</attempt_completion>\n
              think.start
              think.delta {"delta":"so"}
              think.end
              tool.opening c1 {"tool":"attempt_completion"}
              tool.body c1 {"delta":"one"}
              message.assistant {"text":"<thinking>so</thinking><attempt_completion>one</attempt_completion>"}
              tool.ready c1 {"tool":"attempt_completion","arguments":{"result":"one"},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
              check "one"
            unfit no JSON
              tool.rejected c1 {"reason":"output_schema","message":"format: answer: expected JSON that matches the schema, but found no JSON\nwrite the whole answer again, as JSON and nothing else"}
              message.results {"text":"<tool_result tool_name=\"attempt_completion\">\nError: format: answer: expected JSON that matches the schema, but found no JSON\nwrite the whole answer again, as JSON and nothing else\n</tool_result>"}
              pass.started
              ask, 1 known
                Assistant: <thinking>so</thinking><attempt_completion>one</attempt_completion>
                User: <tool_result tool_name="attempt_completion">
              Error: format: answer: expected JSON that matches the schema, but found no JSON
              write the whole answer again, as JSON and nothing else
              </tool_result>
            model <thinking>so</thinking><attempt_completion>two</attempt_completion>\n
              think.start
              think.delta {"delta":"so"}
              think.end
              tool.opening c2 {"tool":"attempt_completion"}
              tool.body c2 {"delta":"two"}
              message.assistant {"text":"<thinking>so</thinking><attempt_completion>two</attempt_completion>"}
              tool.ready c2 {"tool":"attempt_completion","arguments":{"result":"two"},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
              check "two"
            unfit no JSON
              tool.rejected c2 {"reason":"output_schema","message":"format: answer: expected JSON that matches the schema, but found no JSON\nwrite the whole answer again, as JSON and nothing else"}
              message.results {"text":"<tool_result tool_name=\"attempt_completion\">\nError: format: answer: expected JSON that matches the schema, but found no JSON\nwrite the whole answer again, as JSON and nothing else\n</tool_result>"}
              pass.started
              ask, 3 known
                Assistant: <thinking>so</thinking><attempt_completion>two</attempt_completion>
                User: <tool_result tool_name="attempt_completion">
              Error: format: answer: expected JSON that matches the schema, but found no JSON
              write the whole answer again, as JSON and nothing else
              </tool_result>
            model <thinking>so</thinking><attempt_completion>3</attempt_completion>\n
              think.start
              think.delta {"delta":"so"}
              think.end
              tool.opening c3 {"tool":"attempt_completion"}
              tool.body c3 {"delta":"3"}
              message.assistant {"text":"<thinking>so</thinking><attempt_completion>3</attempt_completion>"}
              tool.ready c3 {"tool":"attempt_completion","arguments":{"result":"3"},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
              check "3"
            unfit a number
              tool.rejected c3 {"reason":"output_schema","message":"format: answer: expected JSON that matches the schema, but found a number\nwrite the whole answer again, as JSON and nothing else"}
              message.results {"text":"<tool_result tool_name=\"attempt_completion\">\nError: format: answer: expected JSON that matches the schema, but found a number\nwrite the whole answer again, as JSON and nothing else\n</tool_result>"}
              run.failed {"reason":"output_schema","message":"the answers do not match the schema; the last one held a number\ntry another model, or a simpler schema"}
              stop BadAnswer("the answers do not match the schema; the last one held a number\ntry another model, or a simpler schema")
        "#]],
    );
}

#[test]
fn an_answer_that_does_not_fit_in_the_last_pass_ends_the_turn() {
    check(
        "checked
         limit passes 1
         user count
         model one
         stop
         unfit no JSON",
        expect![[r#"
            checked
            limit passes 1
            user count
              message.user {"text":"count"}
              pass.started
              ask, 0 known
                User: count
            model one
              say.start
              say.delta {"delta":"one"}
            stop
              say.end
              message.assistant {"text":"one"}
              pass.finished {"finish":"stop"}
              check "one"
            unfit no JSON
              tool.rejected c1 {"reason":"output_schema","message":"format: answer: expected JSON that matches the schema, but found no JSON\nwrite the whole answer again, as JSON and nothing else"}
              message.results {"text":"<tool_results>\n<tool_result call=\"1\" status=\"error\">\nError: format: answer: expected JSON that matches the schema, but found no JSON\nwrite the whole answer again, as JSON and nothing else\n</tool_result>\n</tool_results>"}
              run.failed {"reason":"output_schema","message":"the answer does not match the schema; the last one held no JSON\ntry another model, or a simpler schema"}
              stop BadAnswer("the answer does not match the schema; the last one held no JSON\ntry another model, or a simpler schema")
        "#]],
    );
}

#[test]
fn a_stop_while_the_answer_is_looked_at_ends_the_turn() {
    check(
        "checked
         user count
         model <attempt_completion>1</attempt_completion>\\n
         cancel
         fits 1",
        expect![[r#"
            checked
            user count
              message.user {"text":"count"}
              pass.started
              ask, 0 known
                User: count
            model <attempt_completion>1</attempt_completion>\n
              tool.opening c1 {"tool":"attempt_completion"}
              tool.body c1 {"delta":"1"}
              message.assistant {"text":"<attempt_completion>1</attempt_completion>"}
              tool.ready c1 {"tool":"attempt_completion","arguments":{"result":"1"},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
              check "1"
            cancel
              tool.cancelled c1 {"reason":"the turn was stopped"}
              run.finished {"outcome":"stopped","reason":"cancelled"}
              stop Cancelled
            fits 1
        "#]],
    );
}

#[test]
fn an_end_of_reasoning_without_a_beginning_is_believed_of_a_model_that_begins_there() {
    check(
        "reasoner
         user how many?
         model They ask of spiders.
         model </think>\\nEight legs.
         stop",
        expect![[r#"
            reasoner
            user how many?
              message.user {"text":"how many?"}
              pass.started
              ask, 0 known
                User: how many?
            model They ask of spiders.
              say.start
              say.delta {"delta":"They ask of spiders."}
            model </think>\nEight legs.
              say.end
              say.start
              say.delta {"delta":"Eight legs."}
            stop
              say.end
              message.assistant {"text":"They ask of spiders.</think>\nEight legs."}
              pass.finished {"finish":"stop"}
              run.finished {"outcome":"done","reason":"completed","result":"Eight legs."}
              stop Completed("Eight legs.")
        "#]],
    );
}

#[test]
fn of_another_model_it_is_a_slip() {
    check(
        "user how many?
         model Eight legs.
         model </think>
         stop",
        expect![[r#"
            user how many?
              message.user {"text":"how many?"}
              pass.started
              ask, 0 known
                User: how many?
            model Eight legs.
              say.start
              say.delta {"delta":"Eight legs."}
            model </think>
            stop
              say.end
              message.assistant {"text":"Eight legs.</think>"}
              pass.finished {"finish":"stop"}
              run.finished {"outcome":"done","reason":"completed","result":"Eight legs."}
              stop Completed("Eight legs.")
        "#]],
    );
}

#[test]
fn reasoning_alone_is_no_answer_though_it_did_not_say_so() {
    check(
        "reasoner
         user how many?
         model They ask of spiders.</think>
         stop",
        expect![[r#"
            reasoner
            user how many?
              message.user {"text":"how many?"}
              pass.started
              ask, 0 known
                User: how many?
            model They ask of spiders.</think>
              say.start
              say.delta {"delta":"They ask of spiders."}
              say.end
            stop
              message.assistant {"text":"They ask of spiders.</think>"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_results>\n<tool_result call=\"1\" status=\"error\">\nError: format: reply: expected a call or an answer, but found thinking alone; write one now\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: They ask of spiders.</think>
                User: <tool_results>
              <tool_result call="1" status="error">
              Error: format: reply: expected a call or an answer, but found thinking alone; write one now
              </tool_result>
              </tool_results>
        "#]],
    );
}
