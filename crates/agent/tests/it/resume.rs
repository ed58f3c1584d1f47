//! Turns that go on after the process died.

use expect_test::{Expect, expect};

use crate::play::play;

#[track_caller]
fn check(script: &str, expected: Expect) {
    expected.assert_eq(&play(script));
}

#[test]
fn a_call_that_has_ended_is_not_repeated_and_one_that_ran_is_of_unknown_outcome() {
    check(
        "user go
         model I write both.\\n<write_file path=\"a\">x</write_file>\\n<write_file path=\"b\">y</write_file>\\n<read_file path=\"c\"/>\\nNow I
         ok 1 written a
         kill
         resume",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model I write both.\n<write_file path="a">x</write_file>\n<write_file path="b">y</write_file>\n<read_file path="c"/>\nNow I
              say.start
              say.delta {"delta":"I write both."}
              say.end
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"x"}
              message.assistant {"text":"I write both.\n<write_file path=\"a\">x</write_file>"}
              tool.ready c1 {"tool":"write_file","arguments":{"path":"a","content":"x"},"effect":"write"}
              run c1 write_file {"path":"a","content":"x"}
              tool.opening c2 {"tool":"write_file"}
              tool.attr c2 {"name":"path","value":"b"}
              tool.body c2 {"delta":"y"}
              message.assistant {"text":"\n<write_file path=\"b\">y</write_file>"}
              tool.ready c2 {"tool":"write_file","arguments":{"path":"b","content":"y"},"effect":"write"}
              tool.opening c3 {"tool":"read_file"}
              tool.attr c3 {"name":"path","value":"c"}
              message.assistant {"text":"\n<read_file path=\"c\"/>"}
              tool.ready c3 {"tool":"read_file","arguments":{"path":"c"},"effect":"read"}
              say.start {"tone":"unconfirmed"}
              say.delta {"delta":"Now I"}
            ok 1 written a
              run c2 write_file {"path":"b","content":"y"}
            kill
            resume
              pass.started
              ask, 1 known
                Assistant: I write both.
              <write_file path="a">x</write_file>
              <write_file path="b">y</write_file>
              <read_file path="c"/>
              Now I
              [interrupted]
                User: <tool_results>
              <tool_result tool_name="write_file" call="1" status="ok">
              written a
              </tool_result>
              <tool_result tool_name="write_file" call="2" status="error">
              Error: execution failed: outcome unknown, because it was interrupted while it ran and may have taken effect; check that before you call it again
              </tool_result>
              <tool_result tool_name="read_file" call="3" status="not_run">
              Error: not run because the turn was interrupted before its turn came
              </tool_result>
              </tool_results>
        "#]],
    );
}

#[test]
fn a_reply_that_was_interrupted_in_words_is_kept() {
    check(
        "user go\n model I was about to\n kill\n resume",
        expect![[r#"
        user go
          message.user {"text":"go"}
          pass.started
          ask, 0 known
            User: go
        model I was about to
          say.start
          say.delta {"delta":"I was about to"}
        kill
        resume
          message.results {"text":"The turn was interrupted. Go on from here: write the unfinished part again, from its beginning."}
          pass.started
          ask, 1 known
            Assistant: I was about to
          [interrupted]
            User: The turn was interrupted. Go on from here: write the unfinished part again, from its beginning.
    "#]],
    );
}

#[test]
fn a_call_that_was_being_written_is_named() {
    check(
        "user go\n model <write_file path=\"a\">half of\n kill\n resume",
        expect![[r#"
        user go
          message.user {"text":"go"}
          pass.started
          ask, 0 known
            User: go
        model <write_file path="a">half of
          tool.opening c1 {"tool":"write_file"}
          tool.attr c1 {"name":"path","value":"a"}
          tool.body c1 {"delta":"half of"}
        kill
        resume
          message.results {"text":"The turn was interrupted. Go on from here: write the unfinished part again, from its beginning."}
          pass.started
          ask, 1 known
            Assistant: [interrupted while writing `write_file`, which was not run]
            User: The turn was interrupted. Go on from here: write the unfinished part again, from its beginning.
    "#]],
    );
}

#[test]
fn before_any_reply_the_task_stands_once() {
    check(
        "user go\n kill\n resume",
        expect![[r#"
        user go
          message.user {"text":"go"}
          pass.started
          ask, 0 known
            User: go
        kill
        resume
          pass.started
          ask, 1 known
    "#]],
    );
}
