//! The guided loop: thinking, then one action a reply.

use expect_test::{Expect, expect};

use crate::play::play;

#[track_caller]
fn check(script: &str, expected: Expect) {
    expected.assert_eq(&play(script));
}

#[test]
fn the_stream_is_stopped_behind_the_first_action() {
    check(
        "guided
         user find it
         model <thinking>I look first.</thinking>\\n<read_file path=\"a\"/>\\n<read_file path=\"b\"/>
         model  and more
         stop
         ok 1 text of a
         model <thinking>That is it.</thinking>\\n<attempt_completion><result>It is in a.</result></attempt_completion>\\n",
        expect![[r#"
            guided
            user find it
              message.user {"text":"find it"}
              pass.started
              ask, 0 known
                User: find it
            model <thinking>I look first.</thinking>\n<read_file path="a"/>\n<read_file path="b"/>
              think.start
              think.delta {"delta":"I look first."}
              think.end
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              message.assistant {"text":"<thinking>I look first.</thinking>\n<read_file path=\"a\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
              stop reply
              pass.finished {"finish":"stop"}
            model  and more
            stop
            ok 1 text of a
              message.results {"text":"<tool_result tool_name=\"read_file\">\ntext of a\n</tool_result>"}
              pass.started
              ask, 1 known
                Assistant: <thinking>I look first.</thinking>
              <read_file path="a"/>
                User: <tool_result tool_name="read_file">
              text of a
              </tool_result>
            model <thinking>That is it.</thinking>\n<attempt_completion><result>It is in a.</result></attempt_completion>\n
              think.start
              think.delta {"delta":"That is it."}
              think.end
              tool.opening c2 {"tool":"attempt_completion"}
              tool.body c2 {"child":"result","delta":"It is in a."}
              message.assistant {"text":"<thinking>That is it.</thinking>\n<attempt_completion><result>It is in a.</result></attempt_completion>"}
              tool.ready c2 {"tool":"attempt_completion","arguments":{"result":"It is in a."},"effect":"pure"}
              stop reply
              pass.finished {"finish":"stop"}
              tool.done c2 {"event":"attempt_completion","payload":{"result":"It is in a."},"llmEcho":"","ms":0}
              run.finished {"outcome":"done","reason":"completed","result":"It is in a."}
              stop Completed("It is in a.")
        "#]],
    );
}

#[test]
fn a_call_without_thinking_runs_and_its_result_carries_a_reminder() {
    check(
        "guided
         user find it
         model <read_file path=\"a\"/>\\n
         ok 1 text of a",
        expect![[r#"
            guided
            user find it
              message.user {"text":"find it"}
              pass.started
              ask, 0 known
                User: find it
            model <read_file path="a"/>\n
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              message.assistant {"text":"<read_file path=\"a\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
              stop reply
              pass.finished {"finish":"stop"}
            ok 1 text of a
              message.results {"text":"<tool_result tool_name=\"read_file\">\ntext of a\nnote: think in a `thinking` element before the next action: what is known, what is next, and why\n</tool_result>"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
                User: <tool_result tool_name="read_file">
              text of a
              note: think in a `thinking` element before the next action: what is known, what is next, and why
              </tool_result>
        "#]],
    );
}

#[test]
fn native_reasoning_counts_as_thinking() {
    check(
        "strict
         user find it
         reasoning I look first.
         model <read_file path=\"a\"/>\\n
         ok 1 text of a",
        expect![[r#"
            strict
            user find it
              message.user {"text":"find it"}
              pass.started
              ask, 0 known
                User: find it
            reasoning I look first.
              think.start
              think.delta {"delta":"I look first."}
            model <read_file path="a"/>\n
              think.end
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              message.assistant {"text":"<read_file path=\"a\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
              stop reply
              pass.finished {"finish":"stop"}
            ok 1 text of a
              message.results {"text":"<tool_result tool_name=\"read_file\">\ntext of a\n</tool_result>"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
                User: <tool_result tool_name="read_file">
              text of a
              </tool_result>
        "#]],
    );
}

#[test]
fn where_thinking_is_required_a_call_without_it_is_refused() {
    check(
        "strict
         user find it
         model <read_file path=\"a\"/>\\n",
        expect![[r#"
            strict
            user find it
              message.user {"text":"find it"}
              pass.started
              ask, 0 known
                User: find it
            model <read_file path="a"/>\n
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.rejected c1 {"reason":"no_thinking","message":"format: `read_file`: expected a `thinking` element before it, but found none, so it was not run; write your thinking first, then the same call"}
              stop reply
              message.assistant {"text":"<read_file path=\"a\"/>"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_result tool_name=\"read_file\">\nError: format: `read_file`: expected a `thinking` element before it, but found none, so it was not run; write your thinking first, then the same call\n</tool_result>"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
                User: <tool_result tool_name="read_file">
              Error: format: `read_file`: expected a `thinking` element before it, but found none, so it was not run; write your thinking first, then the same call
              </tool_result>
        "#]],
    );
}

#[test]
fn three_replies_without_an_action_end_the_turn() {
    check(
        "guided
         user find it
         model I would look into a.
         stop
         model <thinking>Hm.</thinking>
         stop
         stop",
        expect![[r#"
            guided
            user find it
              message.user {"text":"find it"}
              pass.started
              ask, 0 known
                User: find it
            model I would look into a.
              say.start
              say.delta {"delta":"I would look into a."}
            stop
              say.end
              message.assistant {"text":"I would look into a."}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_result>\nError: format: reply: expected exactly one action, but found text alone; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done\n</tool_result>"}
              pass.started
              ask, 1 known
                Assistant: I would look into a.
                User: <tool_result>
              Error: format: reply: expected exactly one action, but found text alone; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done
              </tool_result>
            model <thinking>Hm.</thinking>
              think.start
              think.delta {"delta":"Hm."}
            stop
              think.end
              message.assistant {"text":"<thinking>Hm.</thinking>"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_result>\nError: format: reply: expected exactly one action, but found thinking alone; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done\n</tool_result>"}
              pass.started
              ask, 3 known
                Assistant: <thinking>Hm.</thinking>
                User: <tool_result>
              Error: format: reply: expected exactly one action, but found thinking alone; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done
              </tool_result>
            stop
              message.assistant {"text":"[empty]"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_result>\nError: format: reply: expected exactly one action, but found nothing; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done\n</tool_result>"}
              run.failed {"reason":"protocol","message":"the model returned nothing: 3 replies in a row held no valid call and no answer; try another model"}
              stop Protocol("the model returned nothing: 3 replies in a row held no valid call and no answer; try another model")
        "#]],
    );
}

#[test]
fn the_token_limit_before_an_action_is_told() {
    check(
        "guided
         user find it
         model <thinking>On and on and
         length",
        expect![[r#"
            guided
            user find it
              message.user {"text":"find it"}
              pass.started
              ask, 0 known
                User: find it
            model <thinking>On and on and
              think.start
              think.delta {"delta":"On and on and"}
            length
              think.end
              message.assistant {"text":"<thinking>On and on and"}
              pass.finished {"finish":"length"}
              message.results {"text":"<tool_result>\nError: format: reply: expected exactly one action, but found the token limit before it; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done\n</tool_result>"}
              pass.started
              ask, 1 known
                Assistant: <thinking>On and on and
                User: <tool_result>
              Error: format: reply: expected exactly one action, but found the token limit before it; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done
              </tool_result>
        "#]],
    );
}

#[test]
fn an_action_that_feeds_nothing_back_still_gets_its_result() {
    check(
        "guided
         user plan it
         model <thinking>Two steps.</thinking>\\n<update_plan><step>one</step></update_plan>\\n
         ok 1 shown",
        expect![[r#"
            guided
            user plan it
              message.user {"text":"plan it"}
              pass.started
              ask, 0 known
                User: plan it
            model <thinking>Two steps.</thinking>\n<update_plan><step>one</step></update_plan>\n
              think.start
              think.delta {"delta":"Two steps."}
              think.end
              tool.opening c1 {"tool":"update_plan"}
              tool.body c1 {"child":"step","delta":"one"}
              message.assistant {"text":"<thinking>Two steps.</thinking>\n<update_plan><step>one</step></update_plan>"}
              tool.ready c1 {"tool":"update_plan","arguments":{"step":["one"]},"effect":"pure"}
              run c1 update_plan {"step":["one"]}
              stop reply
              pass.finished {"finish":"stop"}
            ok 1 shown
              message.results {"text":"<tool_result tool_name=\"update_plan\">\nshown\n</tool_result>"}
              pass.started
              ask, 1 known
                Assistant: <thinking>Two steps.</thinking>
              <update_plan><step>one</step></update_plan>
                User: <tool_result tool_name="update_plan">
              shown
              </tool_result>
        "#]],
    );
}
