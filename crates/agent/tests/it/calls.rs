//! Several calls in a reply: when they run, and how their results go back.

use expect_test::{Expect, expect};

use crate::play::play;

#[track_caller]
fn check(script: &str, expected: Expect) {
    expected.assert_eq(&play(script));
}

#[test]
fn calls_run_while_the_reply_still_streams_and_their_results_go_back_in_order() {
    check(
        "user write two files
         model <write_file path=\"a\"><![CDATA[1]]></write_file>\\n
         model <write_file path=\"b\"><![CDATA[2]]></write_file>\\n
         ok 1 written a
         stop
         ok 2 written b
         model Both are written.
         stop",
        expect![[r#"
            user write two files
              message.user {"text":"write two files"}
              pass.started
              ask, 0 known
                User: write two files
            model <write_file path="a"><![CDATA[1]]></write_file>\n
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"1"}
              message.assistant {"text":"<write_file path=\"a\"><![CDATA[1]]></write_file>"}
              tool.ready c1 {"tool":"write_file","arguments":{"path":"a","content":"1"},"effect":"write"}
              run c1 write_file {"path":"a","content":"1"}
            model <write_file path="b"><![CDATA[2]]></write_file>\n
              tool.opening c2 {"tool":"write_file"}
              tool.attr c2 {"name":"path","value":"b"}
              tool.body c2 {"delta":"2"}
              message.assistant {"text":"\n<write_file path=\"b\"><![CDATA[2]]></write_file>"}
              tool.ready c2 {"tool":"write_file","arguments":{"path":"b","content":"2"},"effect":"write"}
            ok 1 written a
              run c2 write_file {"path":"b","content":"2"}
            stop
              pass.finished {"finish":"stop"}
            ok 2 written b
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"ok\">\nwritten a\n</tool_result>\n<tool_result tool_name=\"write_file\" call=\"2\" status=\"ok\">\nwritten b\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: <write_file path="a"><![CDATA[1]]></write_file>
              <write_file path="b"><![CDATA[2]]></write_file>
                User: <tool_results>
              <tool_result tool_name="write_file" call="1" status="ok">
              written a
              </tool_result>
              <tool_result tool_name="write_file" call="2" status="ok">
              written b
              </tool_result>
              </tool_results>
            model Both are written.
              say.start
              say.delta {"delta":"Both are written."}
            stop
              say.end
              message.assistant {"text":"Both are written."}
              pass.finished {"finish":"stop"}
              run.finished {"outcome":"done","reason":"completed","result":"Both are written."}
              stop Completed("Both are written.")
        "#]],
    );
}

#[test]
fn reads_that_follow_each_other_run_together_and_a_write_waits_for_them() {
    check(
        "user compare
         model <read_file path=\"a\"/>\\n<read_file path=\"b\"/>\\n<write_file path=\"c\">x</write_file>\\n<read_file path=\"d\"/>\\n<read_file path=\"e\"/>\\n
         stop
         ok 2 b
         ok 1 a
         ok 3 written
         ok 5 e
         ok 4 d",
        expect![[r#"
            user compare
              message.user {"text":"compare"}
              pass.started
              ask, 0 known
                User: compare
            model <read_file path="a"/>\n<read_file path="b"/>\n<write_file path="c">x</write_file>\n<read_file path="d"/>\n<read_file path="e"/>\n
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              message.assistant {"text":"<read_file path=\"a\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
              tool.opening c2 {"tool":"read_file"}
              tool.attr c2 {"name":"path","value":"b"}
              message.assistant {"text":"\n<read_file path=\"b\"/>"}
              tool.ready c2 {"tool":"read_file","arguments":{"path":"b"},"effect":"read"}
              run c2 read_file {"path":"b"}
              tool.opening c3 {"tool":"write_file"}
              tool.attr c3 {"name":"path","value":"c"}
              tool.body c3 {"delta":"x"}
              message.assistant {"text":"\n<write_file path=\"c\">x</write_file>"}
              tool.ready c3 {"tool":"write_file","arguments":{"path":"c","content":"x"},"effect":"write"}
              tool.opening c4 {"tool":"read_file"}
              tool.attr c4 {"name":"path","value":"d"}
              message.assistant {"text":"\n<read_file path=\"d\"/>"}
              tool.ready c4 {"tool":"read_file","arguments":{"path":"d"},"effect":"read"}
              tool.opening c5 {"tool":"read_file"}
              tool.attr c5 {"name":"path","value":"e"}
              message.assistant {"text":"\n<read_file path=\"e\"/>"}
              tool.ready c5 {"tool":"read_file","arguments":{"path":"e"},"effect":"read"}
            stop
              pass.finished {"finish":"stop"}
            ok 2 b
            ok 1 a
              run c3 write_file {"path":"c","content":"x"}
            ok 3 written
              run c4 read_file {"path":"d"}
              run c5 read_file {"path":"e"}
            ok 5 e
            ok 4 d
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"ok\">\na\n</tool_result>\n<tool_result tool_name=\"read_file\" call=\"2\" status=\"ok\">\nb\n</tool_result>\n<tool_result tool_name=\"write_file\" call=\"3\" status=\"ok\">\nwritten\n</tool_result>\n<tool_result tool_name=\"read_file\" call=\"4\" status=\"ok\">\nd\n</tool_result>\n<tool_result tool_name=\"read_file\" call=\"5\" status=\"ok\">\ne\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
              <read_file path="b"/>
              <write_file path="c">x</write_file>
              <read_file path="d"/>
              <read_file path="e"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              a
              </tool_result>
              <tool_result tool_name="read_file" call="2" status="ok">
              b
              </tool_result>
              <tool_result tool_name="write_file" call="3" status="ok">
              written
              </tool_result>
              <tool_result tool_name="read_file" call="4" status="ok">
              d
              </tool_result>
              <tool_result tool_name="read_file" call="5" status="ok">
              e
              </tool_result>
              </tool_results>
        "#]],
    );
}

#[test]
fn a_failed_call_does_not_keep_the_next_one_from_running() {
    check(
        "user go
         model <write_file path=\"a\">x</write_file>\\n<execute_command>ls</execute_command>\\n
         stop
         fail 1 the disk is full
         ok 2 a listing",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <write_file path="a">x</write_file>\n<execute_command>ls</execute_command>\n
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"x"}
              message.assistant {"text":"<write_file path=\"a\">x</write_file>"}
              tool.ready c1 {"tool":"write_file","arguments":{"path":"a","content":"x"},"effect":"write"}
              run c1 write_file {"path":"a","content":"x"}
              tool.opening c2 {"tool":"execute_command"}
              tool.body c2 {"delta":"ls"}
              message.assistant {"text":"\n<execute_command>ls</execute_command>"}
              tool.ready c2 {"tool":"execute_command","arguments":{"command":"ls"},"effect":"exec"}
            stop
              pass.finished {"finish":"stop"}
            fail 1 the disk is full
              run c2 execute_command {"command":"ls"}
            ok 2 a listing
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"error\">\nError: execution failed: the disk is full\n</tool_result>\n<tool_result tool_name=\"execute_command\" call=\"2\" status=\"ok\">\na listing\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: <write_file path="a">x</write_file>
              <execute_command>ls</execute_command>
                User: <tool_results>
              <tool_result tool_name="write_file" call="1" status="error">
              Error: execution failed: the disk is full
              </tool_result>
              <tool_result tool_name="execute_command" call="2" status="ok">
              a listing
              </tool_result>
              </tool_results>
        "#]],
    );
}

#[test]
fn words_and_thoughts_are_shown_as_themselves_and_feed_nothing_back() {
    check(
        "user hello
         reasoning The user greets.
         model <thinking>Short is best.</thinking>\\n
         model <ponder>And kind.</ponder>\\n<say tone=\"warm\">Good mor
         model ning!</say>\\n
         stop",
        expect![[r#"
            user hello
              message.user {"text":"hello"}
              pass.started
              ask, 0 known
                User: hello
            reasoning The user greets.
              think.start
              think.delta {"delta":"The user greets."}
            model <thinking>Short is best.</thinking>\n
              think.delta {"delta":"Short is best."}
            model <ponder>And kind.</ponder>\n<say tone="warm">Good mor
              think.end
              think.start
              think.delta {"delta":"And kind."}
              think.end
              say.start {"tone":"warm"}
              say.delta {"delta":"Good mor"}
            model ning!</say>\n
              say.delta {"delta":"ning!"}
              say.end
            stop
              message.assistant {"text":"<thinking>Short is best.</thinking>\n<ponder>And kind.</ponder>\n<say tone=\"warm\">Good morning!</say>\n"}
              pass.finished {"finish":"stop"}
              run.finished {"outcome":"done","reason":"completed","result":"Good morning!"}
              stop Completed("Good morning!")
        "#]],
    );
}

#[test]
fn words_behind_a_call_are_marked_because_its_result_is_not_known_yet() {
    check(
        "user go
         model First.\\n<write_file path=\"a\">x</write_file>\\nDone!
         stop
         ok 1 written",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model First.\n<write_file path="a">x</write_file>\nDone!
              say.start
              say.delta {"delta":"First."}
              say.end
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"x"}
              message.assistant {"text":"First.\n<write_file path=\"a\">x</write_file>"}
              tool.ready c1 {"tool":"write_file","arguments":{"path":"a","content":"x"},"effect":"write"}
              run c1 write_file {"path":"a","content":"x"}
              say.start {"tone":"unconfirmed"}
              say.delta {"delta":"Done!"}
            stop
              say.end
              message.assistant {"text":"\nDone!"}
              pass.finished {"finish":"stop"}
            ok 1 written
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"ok\">\nwritten\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: First.
              <write_file path="a">x</write_file>
              Done!
                User: <tool_results>
              <tool_result tool_name="write_file" call="1" status="ok">
              written
              </tool_result>
              </tool_results>
        "#]],
    );
}

#[test]
fn calls_beyond_the_bound_of_a_reply_are_not_run() {
    check(
        "limit calls_per_reply 2
         user go
         model <read_file path=\"a\"/>\\n<read_file path=\"b\"/>\\n<read_file path=\"c\"/>\\n<read_file path=\"d\"/>\\n
         ok 1 a
         ok 2 b",
        expect![[r#"
            limit calls_per_reply 2
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <read_file path="a"/>\n<read_file path="b"/>\n<read_file path="c"/>\n<read_file path="d"/>\n
              tool.opening c1 {"tool":"read_file"}
              tool.attr c1 {"name":"path","value":"a"}
              message.assistant {"text":"<read_file path=\"a\"/>"}
              tool.ready c1 {"tool":"read_file","arguments":{"path":"a"},"effect":"read"}
              run c1 read_file {"path":"a"}
              tool.opening c2 {"tool":"read_file"}
              tool.attr c2 {"name":"path","value":"b"}
              message.assistant {"text":"\n<read_file path=\"b\"/>"}
              tool.ready c2 {"tool":"read_file","arguments":{"path":"b"},"effect":"read"}
              run c2 read_file {"path":"b"}
              tool.opening c3 {"tool":"read_file"}
              tool.attr c3 {"name":"path","value":"c"}
              tool.cancelled c3 {"reason":"a reply may hold 2 calls; send this one and what follows in the next reply"}
              stop reply
              message.assistant {"text":"\n<read_file path=\"c\"/>"}
              pass.finished {"finish":"stop"}
            ok 1 a
            ok 2 b
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"read_file\" call=\"1\" status=\"ok\">\na\n</tool_result>\n<tool_result tool_name=\"read_file\" call=\"2\" status=\"ok\">\nb\n</tool_result>\n<tool_result tool_name=\"read_file\" call=\"3\" status=\"not_run\">\nError: not run because a reply may hold 2 calls; send this one and what follows in the next reply\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 1 known
                Assistant: <read_file path="a"/>
              <read_file path="b"/>
              <read_file path="c"/>
                User: <tool_results>
              <tool_result tool_name="read_file" call="1" status="ok">
              a
              </tool_result>
              <tool_result tool_name="read_file" call="2" status="ok">
              b
              </tool_result>
              <tool_result tool_name="read_file" call="3" status="not_run">
              Error: not run because a reply may hold 2 calls; send this one and what follows in the next reply
              </tool_result>
              </tool_results>
        "#]],
    );
}
