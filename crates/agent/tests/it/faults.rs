//! What the model reads about what it wrote wrong.

use expect_test::{Expect, expect};

use crate::play::play;

#[track_caller]
fn check(script: &str, expected: Expect) {
    expected.assert_eq(&play(script));
}

#[test]
fn class_one_no_action() {
    check(
        "guided\n user go\n model Let me think.\n stop",
        expect![[r#"
        guided
        user go
          message.user {"text":"go"}
          pass.started
          ask, 0 known
            User: go
        model Let me think.
          say.start
          say.delta {"delta":"Let me think."}
        stop
          say.end
          message.assistant {"text":"Let me think."}
          pass.finished {"finish":"stop"}
          message.results {"text":"<tool_result>\nError: format: reply: expected exactly one action, but found text alone; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done\n</tool_result>"}
          pass.started
          ask, 1 known
            Assistant: Let me think.
            User: <tool_result>
          Error: format: reply: expected exactly one action, but found text alone; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done
          </tool_result>
    "#]],
    );
}

#[test]
fn class_two_a_malformed_tag() {
    check(
        "guided
         user go
         model <thinking>Read.</thinking>\\n<read_file><path src/a</path></read_file>\\n",
        expect![[r#"
            guided
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <thinking>Read.</thinking>\n<read_file><path src/a</path></read_file>\n
              think.start
              think.delta {"delta":"Read."}
              think.end
              tool.opening c1 {"tool":"read_file"}
              tool.aborted c1
              tool.opening c2 {"tool":"read_file"}
              tool.rejected c2 {"reason":"malformed_tag","message":"parse: `read_file` at byte 27: expected a whole tag, but found `a</path></read_file>`; it was not run, write it again with every quote and every tag closed"}
              stop reply
              message.assistant {"text":"<thinking>Read.</thinking>\n<read_file><path src/a</path></read_file>"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_result tool_name=\"read_file\">\nError: parse: `read_file` at byte 27: expected a whole tag, but found `a&lt;/path>&lt;/read_file>`; it was not run, write it again with every quote and every tag closed\n</tool_result>"}
              pass.started
              ask, 1 known
                Assistant: <thinking>Read.</thinking>
              <read_file><path src/a</path></read_file>
                User: <tool_result tool_name="read_file">
              Error: parse: `read_file` at byte 27: expected a whole tag, but found `a&lt;/path>&lt;/read_file>`; it was not run, write it again with every quote and every tag closed
              </tool_result>
        "#]],
    );
}

#[test]
fn class_three_an_unknown_tool() {
    check(
        "guided
         user go
         model <thinking>Read.</thinking>\\n<read_fil path=\"a\"/>\\n",
        expect![[r#"
            guided
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <thinking>Read.</thinking>\n<read_fil path="a"/>\n
              think.start
              think.delta {"delta":"Read."}
              think.end
              tool.opening c1 {"tool":"read_fil"}
              tool.rejected c1 {"reason":"unknown_tool","message":"unknown tool: `read_fil` at byte 27: expected a registered tool, but found no tool of that name; use `read_file` or `write_file`"}
              stop reply
              message.assistant {"text":"<thinking>Read.</thinking>\n<read_fil path=\"a\"/>"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_result tool_name=\"read_fil\">\nError: unknown tool: `read_fil` at byte 27: expected a registered tool, but found no tool of that name; use `read_file` or `write_file`\n</tool_result>"}
              pass.started
              ask, 1 known
                Assistant: <thinking>Read.</thinking>
              <read_fil path="a"/>
                User: <tool_result tool_name="read_fil">
              Error: unknown tool: `read_fil` at byte 27: expected a registered tool, but found no tool of that name; use `read_file` or `write_file`
              </tool_result>
        "#]],
    );
}

#[test]
fn class_four_bad_parameters() {
    check(
        "guided
         user go
         model <thinking>Read.</thinking>\\n<read_file/>\\n",
        expect![[r#"
            guided
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <thinking>Read.</thinking>\n<read_file/>\n
              think.start
              think.delta {"delta":"Read."}
              think.end
              tool.opening c1 {"tool":"read_file"}
              tool.rejected c1 {"reason":"invalid_arguments","message":"invalid parameters: `path` of `read_file`: expected text, but it is missing; write the attribute `path=\"…\"`\na correct call: <read_file path=\"notes.txt\"/>"}
              stop reply
              message.assistant {"text":"<thinking>Read.</thinking>\n<read_file/>"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_result tool_name=\"read_file\">\nError: invalid parameters: `path` of `read_file`: expected text, but it is missing; write the attribute `path=\"…\"`\na correct call: &lt;read_file path=\"notes.txt\"/>\n</tool_result>"}
              pass.started
              ask, 1 known
                Assistant: <thinking>Read.</thinking>
              <read_file/>
                User: <tool_result tool_name="read_file">
              Error: invalid parameters: `path` of `read_file`: expected text, but it is missing; write the attribute `path="…"`
              a correct call: &lt;read_file path="notes.txt"/>
              </tool_result>
        "#]],
    );
}

#[test]
fn class_five_a_failed_tool() {
    check(
        "guided
         user go
         model <thinking>Read.</thinking>\\n<read_file path=\"a\"/>\\n
         fail 1 there is no file `a`",
        expect![[r#"
            guided
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <thinking>Read.</thinking>\n<read_file path="a"/>\n
              think.start
              think.delta {"delta":"Read."}
              think.end
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              message.assistant {"text":"<thinking>Read.</thinking>\n<read_file path=\"a\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
              stop reply
              pass.finished {"finish":"stop"}
            fail 1 there is no file `a`
              message.results {"text":"<tool_result tool_name=\"read_file\">\nError: execution failed: there is no file `a`\n</tool_result>"}
              pass.started
              ask, 1 known
                Assistant: <thinking>Read.</thinking>
              <read_file path="a"/>
                User: <tool_result tool_name="read_file">
              Error: execution failed: there is no file `a`
              </tool_result>
        "#]],
    );
}

#[test]
fn a_result_in_the_reply_is_cut_off_and_the_calls_before_it_stand() {
    check(
        "user go
         model <read_file path=\"a\"/>\\n<tool_result tool_name=\"read_file\">all is well</tool_result>\\nSo all is well.
         ok 1 nothing is well",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <read_file path="a"/>\n<tool_result tool_name="read_file">all is well</tool_result>\nSo all is well.
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              message.assistant {"text":"<read_file path=\"a\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
              tool.rejected c2 {"reason":"fabricated_result","message":"format: `tool_result` at byte 22: expected a call or an answer, but found a result, which only tools give; it and everything after it was dropped, write calls and wait for their results"}
              stop reply
              pass.finished {"finish":"stop"}
            ok 1 nothing is well
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"ok\">\nnothing is well\n</tool_result>\n<tool_result call=\"2\" status=\"error\">\nError: format: `tool_result` at byte 22: expected a call or an answer, but found a result, which only tools give; it and everything after it was dropped, write calls and wait for their results\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              nothing is well
              </tool_result>
              <tool_result call="2" status="error">
              Error: format: `tool_result` at byte 22: expected a call or an answer, but found a result, which only tools give; it and everything after it was dropped, write calls and wait for their results
              </tool_result>
              </tool_results>
        "#]],
    );
}

#[test]
fn calls_behind_a_damaged_one_are_not_certain() {
    check(
        "user go
         model <read_file><path src/a</path></read_file>\\n<execute_command>ls</execute_command>\\n
         stop
         ok 2 listing",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <read_file><path src/a</path></read_file>\n<execute_command>ls</execute_command>\n
              tool.opening c1 {"tool":"read_file"}
              tool.aborted c1
              tool.opening c2 {"tool":"read_file"}
              tool.rejected c2 {"reason":"malformed_tag","message":"parse: `read_file` at byte 0: expected a whole tag, but found `a</path></read_file>`; it was not run, write it again with every quote and every tag closed"}
              tool.opening c3 {"tool":"execute_command"}
              tool.body c3 {"delta":"ls"}
              message.assistant {"text":"<read_file><path src/a</path></read_file>\n<execute_command>ls</execute_command>"}
              tool.ready c3 {"tool":"execute_command","arguments":{"command":"ls"},"effect":"exec"}
              run c3 execute_command {"command":"ls"} recovered
            stop
              pass.finished {"finish":"stop"}
            ok 2 listing
        "#]],
    );
}

#[test]
fn a_call_that_is_only_quoted_is_named() {
    check(
        "user go\n model `<read_file path=\"a\"/>`\n stop",
        expect![[r#"
        user go
          message.user {"text":"go"}
          pass.started
          ask, 0 known
            User: go
        model `<read_file path="a"/>`
          say.start
          say.delta {"delta":"`"}
        stop
          say.delta {"delta":"<read_file path=\"a\"/>`"}
          say.end
          message.assistant {"text":"`<read_file path=\"a\"/>`"}
          pass.finished {"finish":"stop"}
          message.results {"text":"<tool_results>\n<tool_result call=\"1\" status=\"error\">\nError: format: reply: expected a call or an answer, but found a call of `read_file` that was inside a code fence, inline code or a comment and was not run; write one now\n</tool_result>\n</tool_results>"}
          pass.started
          ask, 1 known
            Assistant: `<read_file path="a"/>`
            User: <tool_results>
          <tool_result call="1" status="error">
          Error: format: reply: expected a call or an answer, but found a call of `read_file` that was inside a code fence, inline code or a comment and was not run; write one now
          </tool_result>
          </tool_results>
    "#]],
    );
}

#[test]
fn a_quoted_call_in_an_answer_is_part_of_the_answer() {
    check(
        "user how do I read?\n model Write `<read_file path=\"a\"/>` on a line.\n stop",
        expect![[r#"
            user how do I read?
              message.user {"text":"how do I read?"}
              pass.started
              ask, 0 known
                User: how do I read?
            model Write `<read_file path="a"/>` on a line.
              say.start
              say.delta {"delta":"Write `"}
              say.delta {"delta":"<read_file path=\"a\"/>` on a line."}
            stop
              say.end
              message.assistant {"text":"Write `<read_file path=\"a\"/>` on a line."}
              pass.finished {"finish":"stop"}
              run.finished {"outcome":"done","reason":"completed","result":"Write `<read_file path=\"a\"/>` on a line."}
              stop Completed("Write `<read_file path=\"a\"/>` on a line.")
        "#]],
    );
}

#[test]
fn a_call_that_the_reply_left_open_is_refused() {
    check(
        "user go\n model <write_file path=\"a\">half\n stop",
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
        stop
          tool.rejected c1 {"reason":"unterminated_tool","message":"parse: `write_file` at byte 0: expected its end tag, but the reply ended, so it was not run; write the whole call again"}
          message.assistant {"text":"<write_file path=\"a\">half"}
          pass.finished {"finish":"stop"}
          message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"error\">\nError: parse: `write_file` at byte 0: expected its end tag, but the reply ended, so it was not run; write the whole call again\n</tool_result>\n</tool_results>"}
          pass.started
          ask, 1 known
            Assistant: <write_file path="a">half
            User: <tool_results>
          <tool_result tool_name="write_file" call="1" status="error">
          Error: parse: `write_file` at byte 0: expected its end tag, but the reply ended, so it was not run; write the whole call again
          </tool_result>
          </tool_results>
    "#]],
    );
}

#[test]
fn an_argument_that_the_tool_does_not_know_is_left_out_with_a_note() {
    check(
        "user go\n model <read_file path=\"a\" encoding=\"utf8\"/>\\n\n stop\n ok 1 text",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <read_file path="a" encoding="utf8"/>\n
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.attr c1 {"name":"encoding","value":"utf8"}
              message.assistant {"text":"<read_file path=\"a\" encoding=\"utf8\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
            stop
              pass.finished {"finish":"stop"}
            ok 1 text
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"ok\">\ntext\nignored `encoding` of `read_file`: expected `path`, but found an unknown name; leave it out\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a" encoding="utf8"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              text
              ignored `encoding` of `read_file`: expected `path`, but found an unknown name; leave it out
              </tool_result>
              </tool_results>
        "#]],
    );
}

#[test]
fn three_replies_of_faults_end_the_turn() {
    check(
        "user go
         model <read_file/>
         stop
         model <read_file/>
         stop
         model <read_file/>
         stop",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <read_file/>
              tool.opening c1 {"tool":"read_file"}
              tool.rejected c1 {"reason":"invalid_arguments","message":"invalid parameters: `path` of `read_file`: expected text, but it is missing; write the attribute `path=\"…\"`\na correct call: <read_file path=\"notes.txt\"/>"}
            stop
              message.assistant {"text":"<read_file/>"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"error\">\nError: invalid parameters: `path` of `read_file`: expected text, but it is missing; write the attribute `path=\"…\"`\na correct call: &lt;read_file path=\"notes.txt\"/>\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: <read_file/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="error">
              Error: invalid parameters: `path` of `read_file`: expected text, but it is missing; write the attribute `path="…"`
              a correct call: &lt;read_file path="notes.txt"/>
              </tool_result>
              </tool_results>
            model <read_file/>
              tool.opening c2 {"tool":"read_file"}
              tool.rejected c2 {"reason":"invalid_arguments","message":"invalid parameters: `path` of `read_file`: expected text, but it is missing; write the attribute `path=\"…\"`\na correct call: <read_file path=\"notes.txt\"/>"}
            stop
              message.assistant {"text":"<read_file/>"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"error\">\nError: invalid parameters: `path` of `read_file`: expected text, but it is missing; write the attribute `path=\"…\"`\na correct call: &lt;read_file path=\"notes.txt\"/>\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 3 known
                Assistant: <read_file/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="error">
              Error: invalid parameters: `path` of `read_file`: expected text, but it is missing; write the attribute `path="…"`
              a correct call: &lt;read_file path="notes.txt"/>
              </tool_result>
              </tool_results>
            model <read_file/>
              tool.opening c3 {"tool":"read_file"}
              tool.rejected c3 {"reason":"invalid_arguments","message":"invalid parameters: `path` of `read_file`: expected text, but it is missing; write the attribute `path=\"…\"`\na correct call: <read_file path=\"notes.txt\"/>"}
            stop
              message.assistant {"text":"<read_file/>"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"error\">\nError: invalid parameters: `path` of `read_file`: expected text, but it is missing; write the attribute `path=\"…\"`\na correct call: &lt;read_file path=\"notes.txt\"/>\n</tool_result>\n</tool_results>"}
              run.failed {"reason":"protocol","message":"3 replies in a row held no valid call and no answer; try another model"}
              stop Protocol("3 replies in a row held no valid call and no answer; try another model")
        "#]],
    );
}

#[test]
fn an_empty_reply_is_answered_and_the_third_ends_the_turn() {
    check(
        "user go\n stop\n model \\n\n stop\n stop",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            stop
              message.assistant {"text":"[empty]"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_results>\n<tool_result call=\"1\" status=\"error\">\nError: format: reply: expected a call or an answer, but found nothing; write one now\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: [empty]
                User: <tool_results>
              <tool_result call="1" status="error">
              Error: format: reply: expected a call or an answer, but found nothing; write one now
              </tool_result>
              </tool_results>
            model \n
            stop
              message.assistant {"text":"[empty]"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_results>\n<tool_result call=\"1\" status=\"error\">\nError: format: reply: expected a call or an answer, but found nothing; write one now\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 3 known
                Assistant: [empty]
                User: <tool_results>
              <tool_result call="1" status="error">
              Error: format: reply: expected a call or an answer, but found nothing; write one now
              </tool_result>
              </tool_results>
            stop
              message.assistant {"text":"[empty]"}
              pass.finished {"finish":"stop"}
              message.results {"text":"<tool_results>\n<tool_result call=\"1\" status=\"error\">\nError: format: reply: expected a call or an answer, but found nothing; write one now\n</tool_result>\n</tool_results>"}
              run.failed {"reason":"protocol","message":"the model returned nothing: 3 replies in a row held no valid call and no answer; try another model"}
              stop Protocol("the model returned nothing: 3 replies in a row held no valid call and no answer; try another model")
        "#]],
    );
}
