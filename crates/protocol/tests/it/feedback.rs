//! What the model is told about its reply.

use expect_test::{Expect, expect};
use tagline_parser::{Fault, Finish, Reason};
use tagline_protocol::feedback::{self, Feedback, InsteadOfAction};

use crate::{decode::block, tools};

const REASONS: [Reason; 13] = [
    Reason::UnterminatedTool,
    Reason::MismatchedClose,
    Reason::MalformedTag,
    Reason::UnknownTool,
    Reason::UnknownParam,
    Reason::DuplicateParam,
    Reason::InvalidArguments,
    Reason::NestedTool,
    Reason::StrayClose,
    Reason::FabricatedResult,
    Reason::CdataUnclosed,
    Reason::QuotedCall,
    Reason::Limit,
];

fn fault(reason: Reason) -> Fault {
    Fault {
        reason,
        tag: "write_file".into(),
        span: 12..40,
        found: "<path\nsrc</path>".into(),
        nearest: vec!["read_file".into()],
    }
}

#[track_caller]
fn check(feedback: &Feedback, expected: Expect) {
    expected.assert_eq(&format!("{}: {}", feedback.reason, feedback.message));
    assert!(is_one_screen(&feedback.message), "{}", feedback.message);
}

/// Whether it fits 24 lines of 80 characters.
fn is_one_screen(text: &str) -> bool {
    text.lines().map(|line| line.chars().count().div_ceil(80).max(1)).sum::<usize>() <= 24
}

#[test]
fn every_fault_of_the_parser_has_its_sentence() {
    let lines = REASONS.map(|it| feedback::fault(&fault(it)).message).join("\n");
    expect![[r#"
        parse: `write_file` at byte 12: expected its end tag, but the reply ended or the next call began; it was not run, write the whole call again
        parse: `write_file` at byte 12: expected each value's own end tag, but found `<path src</path>`; it was not run, write it again and close every value and the call itself
        parse: `write_file` at byte 12: expected a whole tag, but found `<path src</path>`; it was not run, write it again with every quote and every tag closed
        unknown tool: `write_file` at byte 12: expected a registered tool, but found no tool of that name; use `read_file`
        invalid parameters: `write_file` at byte 12: expected arguments of the tool, but found `<path src</path>`; use `read_file`
        invalid parameters: `write_file` at byte 12: expected one value for each argument, but found two for `<path src</path>`; it was not run, give each once
        invalid parameters: `write_file` at byte 12: expected named arguments, but found `<path src</path>`; it was not run, write each argument under its name
        parse: `write_file` at byte 12: expected the end of the call before it, but found it inside that call; it was not run, close each call before the next one begins
        parse: `write_file` at byte 12: expected a start tag, but found the end tag alone; write the whole call, start tag first
        format: `write_file` at byte 12: expected a call or an answer, but found a result, which only tools give; it and everything after it was dropped, write calls and wait for their results
        parse: `write_file` at byte 12: expected `]]>` before the end tag, but found none; it was not run, write it again with `]]>` behind the text
        format: `write_file` at byte 12: expected a call by itself, but found it inside a code fence, inline code or a comment; it was not run, write it without the quote if it is meant as a call
        parse: `write_file` at byte 12: expected less than a reply may hold, but found `<path src</path>`; it was not run, split it over several replies"#]].assert_eq(&lines);
}

#[test]
fn what_was_worked_around_is_a_note() {
    let lines = REASONS.map(|it| feedback::repaired(&fault(it))).join("\n");
    expect![[r#"
        note: `write_file` at byte 12: expected its end tag, but the reply ended or the next call began; it was worked around, so check the result
        note: `write_file` at byte 12: expected each value's own end tag, but found `<path src</path>`; it was worked around, so check the result
        note: `write_file` at byte 12: expected a whole tag, but found `<path src</path>`; it was worked around, so check the result
        note: `write_file` at byte 12: expected a registered tool, but found no tool of that name; it was worked around, so check the result
        note: `write_file` at byte 12: expected arguments of the tool, but found `<path src</path>`; it was worked around, so check the result
        note: `write_file` at byte 12: expected one value for each argument, but found two for `<path src</path>`; it was worked around, so check the result
        note: `write_file` at byte 12: expected named arguments, but found `<path src</path>`; it was worked around, so check the result
        note: `write_file` at byte 12: expected the end of the call before it, but found it inside that call; it was worked around, so check the result
        note: `write_file` at byte 12: expected a start tag, but found the end tag alone; it was worked around, so check the result
        note: `write_file` at byte 12: expected a call or an answer, but found a result, which only tools give; it was worked around, so check the result
        note: `write_file` at byte 12: expected `]]>` before the end tag, but found none; it was worked around, so check the result
        note: `write_file` at byte 12: expected a call by itself, but found it inside a code fence, inline code or a comment; it was worked around, so check the result
        note: `write_file` at byte 12: expected less than a reply may hold, but found `<path src</path>`; it was worked around, so check the result"#]].assert_eq(&lines);
}

#[test]
fn a_fault_may_have_no_tag_and_no_near_name() {
    let bare = |reason| Fault { tag: String::new(), nearest: Vec::new(), ..fault(reason) };
    check(
        &feedback::fault(&bare(Reason::UnknownTool)),
        expect![
            "unknown_tool: unknown tool: reply at byte 12: expected a registered tool, but found no tool of that name; use a tool of the list"
        ],
    );
    check(
        &feedback::fault(&bare(Reason::UnknownParam)),
        expect![
            "unknown_param: invalid parameters: reply at byte 12: expected arguments of the tool, but found `<path src</path>`; leave it out"
        ],
    );
}

#[test]
fn a_reply_without_an_action_is_told_what_it_held() {
    use InsteadOfAction as Found;
    let found =
        [Found::Nothing, Found::Thinking, Found::Text, Found::TokenLimit, Found::Quoted("say")];
    expect![[r#"
        format: reply: expected exactly one action, but found nothing; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done
        format: reply: expected exactly one action, but found thinking alone; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done
        format: reply: expected exactly one action, but found text alone; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done
        format: reply: expected exactly one action, but found the token limit before it; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done
        format: reply: expected exactly one action, but found a call of `say` that was inside a code fence, inline code or a comment and was not run; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done"#]].assert_eq(&found.map(|it| feedback::no_action(it).message).join("\n"));
    expect![[r#"
        format: reply: expected a call or an answer, but found nothing; write one now
        format: reply: expected a call or an answer, but found thinking alone; write one now
        format: reply: expected a call or an answer, but found text alone; write one now
        format: reply: expected a call or an answer, but found the token limit before it; write one now
        format: reply: expected a call or an answer, but found a call of `say` that was inside a code fence, inline code or a comment and was not run; write one now"#]].assert_eq(&found.map(|it| feedback::no_answer(it).message).join("\n"));
}

#[test]
fn a_call_without_thinking_is_told_what_comes_first() {
    check(
        &feedback::no_thinking("read_file"),
        expect![
            "no_thinking: format: `read_file`: expected a `thinking` element before it, but found none, so it was not run; write your thinking first, then the same call"
        ],
    );
    expect!["note: think in a `thinking` element before the next action: what is known, what is next, and why"].assert_eq(feedback::THINK_FIRST);
}

#[test]
fn a_cut_call_is_told_what_cut_it() {
    check(
        &feedback::unfinished(&block("say", ""), Finish::Stop),
        expect![
            "unterminated_tool: parse: `say` at byte 0: expected its end tag, but the reply ended, so it was not run; write the whole call again"
        ],
    );
    check(
        &feedback::unfinished(&block("say", ""), Finish::Length),
        expect![
            "unterminated_tool: parse: `say` at byte 0: expected its end tag, but the reply reached the token limit, so it was not run; write the whole call again"
        ],
    );
    check(
        &feedback::unfinished(&block("say", ""), Finish::Cut),
        expect![
            "unterminated_tool: parse: `say` at byte 0: expected its end tag, but the connection was lost, so it was not run; write the whole call again"
        ],
    );
}

#[test]
fn an_unknown_tool_is_told_the_nearest_or_all() {
    check(
        &feedback::unknown_tool("readfile", &tools::toolset()),
        expect![
            "unknown_tool: unknown tool: `readfile`: expected a registered tool, but found no tool of that name; use `read_file`"
        ],
    );
    check(
        &feedback::unknown_tool("teleport", &tools::toolset()),
        expect![
            "unknown_tool: unknown tool: `teleport`: expected a registered tool, but found no tool of that name; use one of write_file, read_file, search_files, say, update_plan, execute_command, mutate_data, attempt_completion, list_recent_commands"
        ],
    );
}

#[test]
fn bad_arguments_are_told_with_a_correct_call() {
    let toolset = tools::toolset();
    let block = block("read_file", "@from x");
    let error = tagline_protocol::decode(toolset.get("read_file").unwrap(), &block).unwrap_err();
    check(
        &feedback::bad_arguments(&error),
        expect![[r#"
            invalid_arguments: invalid parameters: `path` of `read_file`: expected text, but it is missing; write the attribute `path="…"`
            `from` of `read_file`: expected a whole number, but found `x`; write the value alone
            a correct call: <read_file path="src/main.rs" from="1" to="80"/>"#]],
    );
}
