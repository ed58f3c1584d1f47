//! Lost connections and models that fail.

use expect_test::{Expect, expect};

use tagline_agent::Policy;
use tagline_protocol::{CallId, Event};

use crate::play::{Player, config, play};

#[track_caller]
fn check(script: &str, expected: Expect) {
    expected.assert_eq(&play(script));
}

#[test]
fn a_reply_that_was_cut_is_kept_and_asked_for_again() {
    check(
        "user go
         model <write_file path=\"a\">x</write_file>\\n<write_file path=\"b\">hal
         cut
         ok 1 written
         model <write_file path=\"b\">half</write_file>\\n
         stop
         ok 3 written",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <write_file path="a">x</write_file>\n<write_file path="b">hal
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"x"}
              message.assistant {"text":"<write_file path=\"a\">x</write_file>"}
              tool.ready c1 {"tool":"write_file","arguments":{"path":"a","content":"x"},"effect":"write"}
              run c1 write_file {"path":"a","content":"x"}
              tool.opening c2 {"tool":"write_file"}
              tool.attr c2 {"name":"path","value":"b"}
              tool.body c2 {"delta":"hal"}
            cut
              tool.aborted c2
              message.assistant {"text":"\n<write_file path=\"b\">hal\n[interrupted: the connection was lost]"}
              pass.finished {"finish":"cut"}
            ok 1 written
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"ok\">\nwritten\n</tool_result>\n</tool_results>\nThe connection was lost and your reply was cut off. Calls without a result above were not run. Go on from here: write the unfinished part again, from its beginning."}
              pass.started
              ask, 1 known
                Assistant: <write_file path="a">x</write_file>
              <write_file path="b">hal
              [interrupted: the connection was lost]
                User: <tool_results>
              <tool_result tool_name="write_file" call="1" status="ok">
              written
              </tool_result>
              </tool_results>
              The connection was lost and your reply was cut off. Calls without a result above were not run. Go on from here: write the unfinished part again, from its beginning.
            model <write_file path="b">half</write_file>\n
              tool.opening c3 {"tool":"write_file"}
              tool.attr c3 {"name":"path","value":"b"}
              tool.body c3 {"delta":"half"}
              message.assistant {"text":"<write_file path=\"b\">half</write_file>"}
              tool.ready c3 {"tool":"write_file","arguments":{"path":"b","content":"half"},"effect":"write"}
              run c3 write_file {"path":"b","content":"half"}
            stop
              pass.finished {"finish":"stop"}
            ok 3 written
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"ok\">\nwritten\n</tool_result>\n</tool_results>"}
              pass.started
              ask, 3 known
                Assistant: <write_file path="b">half</write_file>
                User: <tool_results>
              <tool_result tool_name="write_file" call="1" status="ok">
              written
              </tool_result>
              </tool_results>
        "#]],
    );
}

#[test]
fn a_cut_before_any_output_asks_the_same_again() {
    check(
        "user go\n cut\n model Hello.\n stop",
        expect![[r#"
        user go
          message.user {"text":"go"}
          pass.started
          ask, 0 known
            User: go
        cut
          pass.finished {"finish":"cut"}
          notice {"level":"warning","message":"the connection was lost before any output; asking again, 2 of 3"}
          pass.started
          ask, 1 known
        model Hello.
          say.start
          say.delta {"delta":"Hello."}
        stop
          say.end
          message.assistant {"text":"Hello."}
          pass.finished {"finish":"stop"}
          run.finished {"outcome":"done","reason":"completed","result":"Hello."}
          stop Completed("Hello.")
    "#]],
    );
}

#[test]
fn three_cuts_in_a_row_end_the_turn() {
    check(
        "user go\n cut\n model Hel\n cut\n cut",
        expect![[r#"
        user go
          message.user {"text":"go"}
          pass.started
          ask, 0 known
            User: go
        cut
          pass.finished {"finish":"cut"}
          notice {"level":"warning","message":"the connection was lost before any output; asking again, 2 of 3"}
          pass.started
          ask, 1 known
        model Hel
          say.start
          say.delta {"delta":"Hel"}
        cut
          say.end
          message.assistant {"text":"Hel\n[interrupted: the connection was lost]"}
          pass.finished {"finish":"cut"}
          message.results {"text":"The connection was lost and your reply was cut off. Calls without a result above were not run. Go on from here: write the unfinished part again, from its beginning."}
          pass.started
          ask, 1 known
            Assistant: Hel
          [interrupted: the connection was lost]
            User: The connection was lost and your reply was cut off. Calls without a result above were not run. Go on from here: write the unfinished part again, from its beginning.
        cut
          pass.finished {"finish":"cut"}
          run.failed {"reason":"cut","message":"the connection was lost during 3 replies in a row; check the server, then resume the session"}
          stop ModelFailed { code: "cut", message: "the connection was lost during 3 replies in a row; check the server, then resume the session" }
    "#]],
    );
}

#[test]
fn a_model_that_fails_ends_the_turn_after_the_calls_that_run() {
    check(
        "user go
         model <write_file path=\"a\">x</write_file>\\n<write_file path=\"b\">y</write_file>\\n<write_fi
         broken the server is overloaded
         ok 1 written",
        expect![[r#"
            user go
              message.user {"text":"go"}
              pass.started
              ask, 0 known
                User: go
            model <write_file path="a">x</write_file>\n<write_file path="b">y</write_file>\n<write_fi
              tool.opening c1 {"tool":"write_file"}
              tool.attr c1 {"name":"path","value":"a"}
              tool.body c1 {"delta":"x"}
              message.assistant {"text":"<write_file path=\"a\">x</write_file>"}
              tool.ready c1 {"tool":"write_file","arguments":{"path":"a","content":"x"},"effect":"write"}
              run c1 write_file {"path":"a","content":"x"}
              tool.opening c2 {"tool":"write_file"}
              tool.attr c2 {"name":"path","value":"b"}
              tool.body c2 {"delta":"y"}
              message.assistant {"text":"\n<write_file path=\"b\">y</write_file>"}
              tool.ready c2 {"tool":"write_file","arguments":{"path":"b","content":"y"},"effect":"write"}
            broken the server is overloaded
              tool.cancelled c2 {"reason":"the model failed"}
              message.assistant {"text":"\n<write_fi\n[interrupted: the model failed]"}
              pass.finished {"finish":"cut"}
            ok 1 written
              message.results {"text":"<tool_results>\n<tool_result tool_name=\"write_file\" call=\"1\" status=\"ok\">\nwritten\n</tool_result>\n<tool_result tool_name=\"write_file\" call=\"2\" status=\"not_run\">\nError: not run because the model failed\n</tool_result>\n</tool_results>"}
              run.failed {"reason":"overloaded","message":"the server is overloaded"}
              stop ModelFailed { code: "overloaded", message: "the server is overloaded" }
        "#]],
    );
}

/// The calls that ran, with their arguments.
fn ready(player: &Player) -> Vec<String> {
    let calls = player.frames.iter().filter_map(|frame| match &frame.event {
        Event::ToolReady { arguments, .. } => Some(arguments.to_string()),
        _ => None,
    });
    calls.collect()
}

#[test]
fn a_cut_at_any_byte_runs_whole_calls_only_and_each_at_most_once() {
    const REPLY: &str = "Two files.\n<write_file path=\"a.html\"><![CDATA[\n<p>one</p>\n]]></write_file>\n<write_file path=\"b\"><![CDATA[\ntwo ]] é\n]]></write_file>\nDone.";
    let mut whole = Player::new(config(Policy::Free));
    whole.step("user", "go");
    whole.step("model", REPLY);
    whole.step("stop", "");
    whole.step("ok", "1 written");
    let whole = ready(&whole);
    assert_eq!(whole.len(), 2);
    for end in (0..REPLY.len()).filter(|end| REPLY.is_char_boundary(*end)) {
        let mut player = Player::new(config(Policy::Free));
        player.step("user", "go");
        player.step("model", REPLY.get(..end).unwrap());
        player.step("cut", "");
        for n in 1..=2 {
            player.step("ok", &format!("{n} written"));
        }
        let ran = ready(&player);
        assert_eq!(Some(ran.as_slice()), whole.get(..ran.len()), "cut at {end}");
        let ids: Vec<Option<CallId>> = player
            .frames
            .iter()
            .filter(|frame| matches!(frame.event, Event::ToolRunning { .. }))
            .map(|frame| frame.call.clone())
            .collect();
        assert_eq!(ids.len(), ran.len(), "cut at {end}: each ran once");
    }
}
