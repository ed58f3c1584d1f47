//! Replies that reach the token limit.

use expect_test::{Expect, expect};

use crate::play::play;

#[track_caller]
fn check(script: &str, expected: Expect) {
    expected.assert_eq(&play(script));
}

#[test]
fn an_answer_that_reaches_the_token_limit_goes_on_in_the_next_asking() {
    check(
        "user tell
         model Once upon a ti
         length
         model me.
         stop",
        expect![[r#"
            user tell
              message.user {"text":"tell"}
              pass.started
              ask, 0 known
                User: tell
            model Once upon a ti
              say.start
              say.delta {"delta":"Once upon a ti"}
            length
              message.assistant {"text":"Once upon a ti"}
              pass.finished {"finish":"length"}
              message.results {"text":"Your reply reached the token limit in the middle of your answer. Go on with exactly the next character: no greeting, nothing twice, no new start tag."}
              pass.started
              ask, 1 known
                Assistant: Once upon a ti
                User: Your reply reached the token limit in the middle of your answer. Go on with exactly the next character: no greeting, nothing twice, no new start tag.
            model me.
              say.delta {"delta":"me."}
            stop
              say.end
              message.assistant {"text":"me."}
              pass.finished {"finish":"stop"}
              run.finished {"outcome":"done","reason":"completed","result":"Once upon a time."}
              stop Completed("Once upon a time.")
        "#]],
    );
}

#[test]
fn an_open_tag_at_the_token_limit_goes_on_in_the_same_parser() {
    check(
        "user write it
         model <read_file path=\"z\"/>\\n<write_file path=\"a\"><![CDATA[one\\ntw
         length
         ok 1 z
         model o\\nthree
         length
         model ]]></write_file>
         stop
         ok 2 written",
        expect![[r#"
            user write it
              message.user {"text":"write it"}
              pass.started
              ask, 0 known
                User: write it
            model <read_file path="z"/>\n<write_file path="a"><![CDATA[one\ntw
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"z"}
              message.assistant {"text":"<read_file path=\"z\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"z"},"effect":"read"}
              run c1 read_file {"path":"z"}
              tool.opening c2 {"tool":"write_file"}
              tool.attr c2 {"name":"path","value":"a"}
              tool.body c2 {"delta":"one\ntw"}
            length
              message.assistant {"text":"\n<write_file path=\"a\"><![CDATA[one\ntw"}
              pass.finished {"finish":"length"}
            ok 1 z
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"ok\">\nz\n</tool_result>\n</tool_results>\nYour reply reached the token limit inside `write_file`. Go on with exactly the next character: no greeting, nothing twice, no new start tag."}
              pass.started
              ask, 1 known
                Assistant: <read_file path="z"/>
              <write_file path="a"><![CDATA[one
              tw
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              z
              </tool_result>
              </tool_results>
              Your reply reached the token limit inside `write_file`. Go on with exactly the next character: no greeting, nothing twice, no new start tag.
            model o\nthree
              tool.body c2 {"delta":"o\nthree"}
            length
              message.assistant {"text":"o\nthree"}
              pass.finished {"finish":"length"}
              message.results {"text":"Your reply reached the token limit inside `write_file`. Go on with exactly the next character: no greeting, nothing twice, no new start tag."}
              pass.started
              ask, 3 known
                Assistant: o
              three
                User: Your reply reached the token limit inside `write_file`. Go on with exactly the next character: no greeting, nothing twice, no new start tag.
            model ]]></write_file>
              message.assistant {"text":"]]></write_file>"}
              tool.ready c2 {"tool":"write_file","arguments":{"path":"a","content":"one\ntwo\nthree"},"effect":"write"}
              run c2 write_file {"path":"a","content":"one\ntwo\nthree"}
            stop
              pass.finished {"finish":"stop"}
            ok 2 written
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"ok\">\nwritten\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 5 known
                Assistant: ]]></write_file>
                User: <tool_results>
              <tool_result tool_name="write_file" call="1" status="ok">
              written
              </tool_result>
              </tool_results>
        "#]],
    );
}

#[test]
fn a_tag_that_stays_open_is_refused_when_the_continuations_are_used_up() {
    check(
        "limit continuations 1
         user write it
         model <write_file path=\"a\"><![CDATA[one
         length
         model two
         length",
        expect![[r#"
            limit continuations 1
            user write it
              message.user {"text":"write it"}
              pass.started
              ask, 0 known
                User: write it
            model <write_file path="a"><![CDATA[one
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"one"}
            length
              message.assistant {"text":"<write_file path=\"a\"><![CDATA[one"}
              pass.finished {"finish":"length"}
              message.results {"text":"Your reply reached the token limit inside `write_file`. Go on with exactly the next character: no greeting, nothing twice, no new start tag."}
              pass.started
              ask, 1 known
                Assistant: <write_file path="a"><![CDATA[one
                User: Your reply reached the token limit inside `write_file`. Go on with exactly the next character: no greeting, nothing twice, no new start tag.
            model two
              tool.body c1 {"delta":"two"}
            length
              tool.rejected c1 {"reason":"unterminated_tool","message":"parse: `write_file` at byte 0: expected its end tag, but the reply reached the token limit, so it was not run; write the whole call again"}
              message.assistant {"text":"two"}
              pass.finished {"finish":"length"}
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"error\">\nError: parse: `write_file` at byte 0: expected its end tag, but the reply reached the token limit, so it was not run; write the whole call again\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 3 known
                Assistant: two
                User: <tool_results>
              <tool_result tool_name="write_file" call="1" status="error">
              Error: parse: `write_file` at byte 0: expected its end tag, but the reply reached the token limit, so it was not run; write the whole call again
              </tool_result>
              </tool_results>
        "#]],
    );
}

#[test]
fn a_continuation_that_begins_the_call_anew_replaces_it() {
    check(
        "user write it
         model <write_file path=\"a\"><![CDATA[one
         length
         model <write_
         model file path=\"a\"><![CDATA[one two]]></write_file>\\n
         stop
         ok 2 written",
        expect![[r#"
            user write it
              message.user {"text":"write it"}
              pass.started
              ask, 0 known
                User: write it
            model <write_file path="a"><![CDATA[one
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"one"}
            length
              message.assistant {"text":"<write_file path=\"a\"><![CDATA[one"}
              pass.finished {"finish":"length"}
              message.results {"text":"Your reply reached the token limit inside `write_file`. Go on with exactly the next character: no greeting, nothing twice, no new start tag."}
              pass.started
              ask, 1 known
                Assistant: <write_file path="a"><![CDATA[one
                User: Your reply reached the token limit inside `write_file`. Go on with exactly the next character: no greeting, nothing twice, no new start tag.
            model <write_
            model file path="a"><![CDATA[one two]]></write_file>\n
              tool.aborted c1
              tool.opening c2 {"tool":"write_file"}
              tool.attr c2 {"name":"path","value":"a"}
              tool.body c2 {"delta":"one two"}
              message.assistant {"text":"<write_file path=\"a\"><![CDATA[one two]]></write_file>"}
              tool.ready c2 {"tool":"write_file","arguments":{"path":"a","content":"one two"},"effect":"write"}
              run c2 write_file {"path":"a","content":"one two"}
            stop
              pass.finished {"finish":"stop"}
            ok 2 written
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"ok\">\nwritten\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 3 known
                Assistant: <write_file path="a"><![CDATA[one two]]></write_file>
                User: <tool_results>
              <tool_result tool_name="write_file" call="1" status="ok">
              written
              </tool_result>
              </tool_results>
        "#]],
    );
}
