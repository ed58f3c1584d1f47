//! What fuzzing found: the shortest reply of each finding, and what it must be read as.

use std::{fs, path::Path};

use expect_test::{Expect, expect};
use tagline_parser::{Finish, Limits, TagSet};
use tagline_testkit::{tags as sets, targets::TARGETS};

use crate::{
    replies::lines,
    support::{cut, read, tags},
};

#[track_caller]
fn check(set: &TagSet, finish: Finish, reply: &str, expected: Expect) {
    let whole = lines(&read(set, Limits::default(), &[reply], finish));
    expected.assert_eq(&whole);
    for size in [1, 2, 3, 5] {
        let pieces = lines(&read(set, Limits::default(), &cut(reply, &[size]), finish));
        assert_eq!(pieces, whole, "in pieces of {size}");
    }
}

/// What was found before is found again first, should it come back.
#[test]
fn every_finding_that_was_kept_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let mut n_played = 0;
    for (target, holds) in TARGETS {
        let Ok(files) = fs::read_dir(folder.join(target)) else { continue };
        for file in files {
            let path = file.unwrap().path();
            let held = holds(&fs::read(&path).unwrap());
            assert!(held.is_ok(), "{}: {}", path.display(), held.unwrap_err());
            n_played += 1;
        }
    }
    assert!(n_played > 0, "no finding was kept");
}

#[test]
fn a_header_that_is_none_is_read_once() {
    check(
        &tags(),
        Finish::Stop,
        "<|start|>assistant To=functions.sea<x>y <|constrain|>json<|message|>{}",
        expect![[r#"
            fault malformed_tag 0..40
        "#]],
    );
    check(
        &tags(),
        Finish::Stop,
        "To=search<|channel|>commentary<|message|>{\"query\": \"a\"}",
        expect![[r#"
            search at 0
              query.0 "a"
              end
        "#]],
    );
}

#[test]
fn a_bracket_before_tags_that_was_left_out_is_in_no_call() {
    check(
        &tags(),
        Finish::Stop,
        "<|tool_calls_section_begin|>]<]minimax[>[<toolcall>_<tool_sep>",
        expect![[r#"
            fault unknown_tool 29..62
        "#]],
    );
}

#[test]
fn escaped_line_breaks_between_tokens_are_told_one_by_one() {
    let reply = "<|python_start|>search(query='a'\\n\\n)<|python_end|>";
    for pieces in [cut(reply, &[100]), cut(reply, &[1])] {
        let reading = read(&tags(), Limits::default(), &pieces, Finish::Stop);
        let repairs = &reading.seen.last().and_then(crate::support::Seen::block).unwrap().repairs;
        let spans: Vec<_> = repairs.iter().map(|repair| repair.span.clone()).collect();
        assert_eq!(spans, [32..34, 34..36]);
    }
}

#[test]
fn a_body_given_twice_as_json_is_refused() {
    check(
        &tags(),
        Finish::Stop,
        "<write_file>{\"path\": \"a\", \"content\": \"one\", \"body\": \"two\"}</write_file>",
        expect![[r#"
            write_file at 0
              path.0 "a"
              body "one"
              body.0 "two"
              none
            fault duplicate_param 0..71
        "#]],
    );
}

#[test]
fn what_a_cut_section_says_so_far_does_not_depend_on_the_chunks() {
    let set = &sets::sets()[2];
    check(
        set,
        Finish::Cut,
        "<execute_command><![CDATA[]]>\n<r",
        expect![[r#"
        execute_command at 0
          body "]]>\n<r"
          end partial unterminated_tool
    "#]],
    );
    check(
        set,
        Finish::Cut,
        "<execute_command><![CDATA[a]]></n",
        expect![[r#"
        execute_command at 0
          body "a]]></n"
          end partial unterminated_tool
    "#]],
    );
    check(
        set,
        Finish::Cut,
        "<execute_command><![CDATA[a]]> x",
        expect![[r#"
        execute_command at 0
          body "a"
          end partial unterminated_tool
    "#]],
    );
}

#[test]
fn a_blank_behind_a_key_is_one_however_the_reply_was_cut() {
    check(
        &tags(),
        Finish::Stop,
        "Action:\u{c}\n<say ",
        expect![[r#"
        text "<say "
    "#]],
    );
}

#[test]
fn damage_in_keyed_arguments_is_told_however_the_reply_was_cut() {
    let reply = "Action: search\nAction Input: {,}\n";
    for size in [1, 100] {
        let reading = read(&tags(), Limits::default(), &cut(reply, &[size]), Finish::Stop);
        let block = reading.seen.iter().find_map(crate::support::Seen::block).unwrap();
        assert_eq!(block.repairs.len(), 1, "in pieces of {size}");
    }
}

#[test]
fn an_end_tag_with_another_in_it_is_text_of_the_body() {
    check(
        &tags(),
        Finish::Cut,
        "<ask><options></options></ask</ask>",
        expect![[r#"
        ask at 0
          body "</ask"
          end
    "#]],
    );
    check(
        &tags(),
        Finish::Stop,
        "<ask></ask</ask>",
        expect![[r#"
        ask at 0
          body "</ask"
          end
    "#]],
    );
}

#[test]
fn half_a_character_is_mended_and_told() {
    let reply = r#"<tool_call>{"name": "search", "arguments": {"query": ["\ud83d!"]}}</tool_call>"#;
    let reading = read(&tags(), Limits::default(), &[reply], Finish::Stop);
    let block = reading.seen.iter().find_map(crate::support::Seen::block).unwrap();
    assert_eq!(block.children[0].value.text(), r#"["\ufffd!"]"#);
    assert_eq!(block.repairs.len(), 1);
}

#[test]
fn a_name_without_a_value_makes_the_arguments_unreadable_however_deep() {
    for arguments in [r#"{"query":}"#, r#"{"query":{"a":}}"#, r#"{"query":[{"a":,"b":1}]}"#] {
        let reply =
            format!(r#"<tool_call>{{"name": "search", "arguments": {arguments}}}</tool_call>"#);
        let reading = read(&tags(), Limits::default(), &[&reply], Finish::Stop);
        let faults = reading.seen.iter().filter_map(|seen| {
            let crate::support::Seen::Fault(fault) = seen else { return None };
            Some(fault.reason.as_str())
        });
        assert_eq!(faults.collect::<Vec<_>>(), ["invalid_arguments"], "{arguments}");
    }
}

#[test]
fn a_comma_before_a_missing_bracket_is_in_no_value() {
    let reply = r#"<function=search>{"query": {"a": [1,</function>"#;
    let reading = read(&tags(), Limits::default(), &[reply], Finish::Stop);
    let block = reading.seen.iter().find_map(crate::support::Seen::block).unwrap();
    assert_eq!(block.children[0].value.text(), r#"{"a": [1]}"#);
}

#[test]
fn a_call_with_too_many_values_is_refused_however_they_are_written() {
    let limit = 10_000;
    let native = |n: usize| format!("<batch>{}</batch>", "<path>a</path>".repeat(n));
    let members = |n: usize| vec!["\"a\":1"; n].join(",");
    let object = |n: usize| format!("<search>{{{}}}</search>", members(n));
    let late = |n: usize| {
        format!(
            "<tool_call>{{\"arguments\": {{{}}}, \"name\": \"search\"}}</tool_call>",
            members(n)
        )
    };
    for write in [&native as &dyn Fn(usize) -> String, &object, &late] {
        for (n, is_whole) in [(limit, true), (limit + 1, false)] {
            let reply = write(n);
            let reading = read(&tags(), Limits::default(), &cut(&reply, &[5000]), Finish::Stop);
            let whole = reading.seen.iter().find_map(crate::support::Seen::block);
            assert_eq!(whole.map(|block| block.children.len()), is_whole.then_some(n));
        }
    }
}

#[test]
fn a_key_may_hold_an_escaped_quote() {
    let reply = r#"<tool_call>{"name": "search", "arguments": {"a": "", "\"": 1}}</tool_call>"#;
    let reading = read(&tags(), Limits::default(), &[reply], Finish::Stop);
    let block = reading.seen.iter().find_map(crate::support::Seen::block).unwrap();
    assert_eq!((block.children[1].name.as_str(), block.repairs.len()), ("\"", 0));
}

#[test]
fn blanks_that_json_does_not_know_are_written_as_it_knows_them() {
    let reply = "<tool_call>{\"name\": \"search\", \"arguments\": {\"query\": [1,\u{a0}\u{a0}2]}}</tool_call>";
    for size in [1, 100] {
        let reading = read(&tags(), Limits::default(), &cut(reply, &[size]), Finish::Stop);
        let block = reading.seen.iter().find_map(crate::support::Seen::block).unwrap();
        assert_eq!(block.children[0].value.text(), "[1,  2]");
        assert_eq!(block.repairs.len(), 2);
    }
}

#[test]
fn a_control_character_is_text_before_what_looks_like_a_call() {
    check(
        &tags(),
        Finish::Stop,
        "\u{b}\n{\"name\": \"search\", ",
        expect![[r#"
        text "\u{b}\n{\"name\": \"search\", "
    "#]],
    );
}

#[test]
fn a_start_tag_that_a_quote_makes_too_long_is_too_long_at_the_end_of_a_reply_too() {
    let limits = Limits { start_tag: 20, ..Limits::default() };
    let reply = "<say tone=\"123456789\"";
    for size in [1, 100] {
        let reading = read(&tags(), limits, &cut(reply, &[size]), Finish::Stop);
        let told = lines(&reading);
        assert_eq!(told, "fault limit 0..0\ntext \"<say tone=\\\"123456789\\\"\"\n", "{size}");
    }
}

#[test]
fn a_fence_behind_an_empty_quote_is_not_the_whole_reply() {
    check(
        &tags(),
        Finish::Stop,
        ">\n```\n<say>a</say>\n```",
        expect![[r#"
        text ">\n```\n"
        fault quoted_call 6..10
        text "<say>a</say>\n```"
    "#]],
    );
}

/// A recipient stands at the very beginning of a line, also where a chunk ends behind a blank.
#[test]
fn an_indented_recipient_is_text() {
    for blank in [" ", "\u{a0}", "> "] {
        let reply = format!("{blank}>>>search\n{{");
        for size in [1, 2, 3, 100] {
            let told =
                lines(&read(&tags(), Limits::default(), &cut(&reply, &[size]), Finish::Stop));
            assert_eq!(told, format!("text {reply:?}\n"), "in pieces of {size}");
        }
    }
}

/// A carriage return before a line feed is half of a line break in YAML; others are text.
#[test]
fn carriage_returns_in_a_block_of_yaml_are_the_same_wherever_a_chunk_ends() {
    for (block, expected) in [
        (">\n\r-\r\r\0", "-\r\r\0"),
        ("|\n  a\r\n  b\r\r\n  c\r\r", "a\nb\r\nc\r"),
        (">\r\n  a\r\n  b\r\n</search>", "a b\n"),
    ] {
        for size in [1, 2, 3, 100] {
            let reply = format!("<search>query: {block}");
            let reading = read(&tags(), Limits::default(), &cut(&reply, &[size]), Finish::Stop);
            let mut value = String::new();
            for seen in &reading.seen {
                if let crate::support::Seen::Delta(_, _, text) = seen {
                    value.push_str(text);
                }
            }
            assert_eq!(value, expected, "{block:?} in pieces of {size}");
        }
    }
}

/// Members behind two dashes have colons and commas in JSON, also inside of a value.
#[test]
fn members_behind_two_dashes_are_json_inside_of_a_value() {
    let json = "{\"query\": {--a \"b\"\n--c 1 --\"\"}}";
    let reply = format!("<tool_call>{{\"name\": \"search\", \"arguments\": {json}}}</tool_call>");
    for size in [1, 2, 3, 100] {
        let reading = read(&tags(), Limits::default(), &cut(&reply, &[size]), Finish::Stop);
        let block = reading.seen.iter().find_map(crate::support::Seen::block).unwrap();
        assert_eq!(
            block.children[0].value.text(),
            "{\"a\": \"b\"\n,\"c\": 1 ,\"\":\"\"}",
            "{size}"
        );
        let kinds: Vec<_> = block.repairs.iter().map(|repair| repair.kind.as_str()).collect();
        let [colon, comma] = ["wrong_separator", "missing_comma"];
        assert_eq!(kinds, [colon, comma, colon, comma, colon]);
    }
}

/// A blank of two bytes is text: it is not cut where the lines before it are indented by one.
#[test]
fn blanks_beyond_ascii_do_not_indent_a_block_of_yaml() {
    let reply = "<search>query: |\n a\n\u{a0}b\n \u{a0}c\n</search>";
    for size in [1, 2, 3, 100] {
        let reading = read(&tags(), Limits::default(), &cut(reply, &[size]), Finish::Stop);
        let block = reading.seen.iter().find_map(crate::support::Seen::block).unwrap();
        assert_eq!(block.children[0].value.text(), "a\n", "{size}");
    }
}
