//! Single replies, whole and in pieces of one and five characters: what each rule makes of them.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use tagline_parser::{Finish, Limits, ValueName};

use crate::support::{Reading, Seen, cut, read, tags};

/// What was seen, a line each.
pub(crate) fn lines(reading: &Reading) -> String {
    let mut out = String::new();
    for seen in &reading.seen {
        match seen {
            Seen::Text(text) => writeln!(out, "text {text:?}"),
            Seen::Thinking(text) => writeln!(out, "thinking {text:?}"),
            Seen::Start(_, name, at) => writeln!(out, "{name} at {at}"),
            Seen::Attribute(_, name, value) => writeln!(out, "  {name}={value:?}"),
            Seen::Delta(_, ValueName::Body, text) => writeln!(out, "  body {text:?}"),
            Seen::Delta(_, ValueName::Child(name, n), text) => {
                writeln!(out, "  {name}.{n} {text:?}")
            }
            Seen::Abort(_) => writeln!(out, "  none"),
            Seen::Relabel(span) => writeln!(out, "  reasoning {span:?}"),
            Seen::Fault(fault) => writeln!(out, "fault {} {:?}", fault.reason.as_str(), fault.span),
            Seen::End(block) => {
                let flags = [
                    (block.is_partial, "partial"),
                    (block.is_recovered, "recovered"),
                    (block.is_from_unclosed_cdata, "from unclosed section"),
                ];
                let faults = block.faults.iter().map(|fault| fault.reason.as_str());
                let flags = flags.into_iter().filter(|(is, _)| *is).map(|(_, flag)| flag);
                let tail: Vec<&str> = flags.chain(faults).collect();
                writeln!(
                    out,
                    "{}",
                    ["  end"].iter().chain(&tail).copied().collect::<Vec<_>>().join(" ")
                )
            }
        }
        .unwrap();
    }
    out
}

#[track_caller]
fn check_as(reply: &str, limits: Limits, finish: Finish, expected: Expect) {
    let whole = lines(&read(&tags(), limits, &[reply], finish));
    expected.assert_eq(&whole);
    for size in [1, 5] {
        let pieces = lines(&read(&tags(), limits, &cut(reply, &[size]), finish));
        assert_eq!(pieces, whole, "in pieces of {size}");
    }
}

#[track_caller]
fn check(reply: &str, expected: Expect) {
    check_as(reply, Limits::default(), Finish::Stop, expected);
}

#[test]
fn examples_of_the_protocol_inside_a_section_are_content() {
    check(
        "<write_file path=\"doc.md\"><![CDATA[\n\
         <write_file path=\"a\"><![CDATA[\none\n]]></write_file>\n\
         <write_file path=\"b\"><![CDATA[\ntwo\n]]></write_file>\n\
         Lone: </write_file> and <write_file path=\"x\">.\n\
         ]]></write_file>\n<say>done</say>",
        expect![[r#"
            write_file at 0
              path="doc.md"
              body "<write_file path=\"a\"><![CDATA[\none\n]]></write_file>\n<write_file path=\"b\"><![CDATA[\ntwo\n]]></write_file>\nLone: </write_file> and <write_file path=\"x\">."
              end
            text "\n"
            say at 204
              body "done"
              end
        "#]],
    );
}

#[test]
fn a_section_left_open_ends_before_the_next_call_of_its_tool() {
    check(
        "<write_file path=\"a\"><![CDATA[\none\n]]</write_file>\n\
         <write_file path=\"b\"><![CDATA[\ntwo\n]]></write_file>",
        expect![[r#"
            write_file at 0
              path="a"
              body "one"
              end recovered cdata_unclosed
            text "\n"
            write_file at 51
              path="b"
              body "two"
              end recovered
        "#]],
    );
}

#[test]
fn a_section_left_open_ends_at_the_end_of_the_reply_where_it_would_without_one() {
    check(
        "<write_file path=\"a\"><![CDATA[\none\n]]</write_file>\n<say>hi</say>\n\
         <create><path>p</path><content><![CDATA[x]]></content></create>",
        expect![[r#"
            write_file at 0
              path="a"
              body "one"
              end recovered cdata_unclosed
            text "\n"
            say at 51
              body "hi"
              end recovered
            text "\n"
            create at 65
              path.0 "p"
              content.0 "x"
              end recovered
        "#]],
    );
}

#[test]
fn a_section_that_the_token_limit_cut_is_never_ended_by_a_quote_in_it() {
    check_as(
        "<write_file path=\"a\"><![CDATA[\nquote: </write_file> and then",
        Limits::default(),
        Finish::Length,
        expect![[r#"
            write_file at 0
              path="a"
              body "quote:"
              end partial unterminated_tool
        "#]],
    );
}

#[test]
fn a_start_mentioned_in_a_plain_body_does_not_swallow_the_next_call() {
    check(
        "<write_file path=\"a\">\nUse <write_file> so.\n</write_file>\n\
         <write_file path=\"b\">\n2\n</write_file>\n",
        expect![[r#"
            write_file at 0
              path="a"
              body "Use <write_file> so."
              end
            text "\n"
            write_file at 57
              path="b"
              body "2"
              end
            text "\n"
        "#]],
    );
}

#[test]
fn balanced_examples_in_a_plain_body_are_content() {
    check(
        "<write_file path=\"a\">\n<write_file path=\"x\">\n1\n</write_file>\n\
         <write_file path=\"y\">\n2\n</write_file>\nend\n</write_file>\nbye",
        expect![[r#"
            write_file at 0
              path="a"
              body "<write_file path=\"x\">\n1\n</write_file>\n<write_file path=\"y\">\n2\n</write_file>\nend"
              end
            text "\nbye"
        "#]],
    );
}

#[test]
fn a_value_never_changes_another_field() {
    check(
        "<create><path>a</path><content>one </content> two <path>b</path> three</content></create>",
        expect![[r#"
            create at 0
              path.0 "a"
              content.0 "one </content> two <path>b</path> three"
              end
        "#]],
    );
    check(
        "<create><path>a</path><content>one</content><path>b</path></content></create>",
        expect![[r#"
            create at 0
              path.0 "a"
              content.0 "one"
              path.1 "b"
              none
            fault duplicate_param 0..77
        "#]],
    );
}

#[test]
fn a_call_without_its_end_is_whole_before_the_next_on_a_new_line() {
    check(
        "<create><path>a</path><content>x</content>\n<search><query>q</query>\n<say>hi</say>",
        expect![[r#"
            create at 0
              path.0 "a"
              content.0 "x"
              end recovered unterminated_tool
            search at 43
              query.0 "q"
              end recovered unterminated_tool
            say at 68
              body "hi"
              end recovered
        "#]],
    );
}

#[test]
fn a_missing_child_end_before_the_block_end_is_guessed_only_without_siblings() {
    check(
        "<create><path>p</path><content>abc\n</create>\nDone.",
        expect![[r#"
            create at 0
              path.0 "p"
              content.0 "abc"
              end recovered mismatched_close
            text "\nDone."
        "#]],
    );
    check(
        "<create><content>abc\n<path>p</path></create>",
        expect![[r#"
        create at 0
          content.0 "abc\n<path>p</path>"
          none
        fault mismatched_close 0..44
    "#]],
    );
}

#[test]
fn mentions_are_text_and_so_is_what_the_end_shows_to_be_one() {
    check(
        "The <say> and <search> tags.\n<search><query>q</query></search>",
        expect![[r#"
            text "The <say> and <search> tags.\n"
            search at 29
              query.0 "q"
              end
        "#]],
    );
    check(
        "Use <write_file path=\"x\"> to write.\n<say>ok</say>",
        expect![[r#"
            text "Use "
            write_file at 4
              path="x"
              body " to write.\n<say>ok</say>"
              none
            text "<write_file path=\"x\"> to write.\n"
            say at 36
              body "ok"
              end
        "#]],
    );
}

#[test]
fn whole_calls_in_mid_line_run() {
    check(
        "So <search><query>q</query></search> and <say>hi</say>, then.",
        expect![[r#"
            text "So "
            search at 3
              query.0 "q"
              end
            text " and "
            say at 41
              body "hi"
              end
            text ", then."
        "#]],
    );
}

#[test]
fn quoted_calls_are_named_and_not_run() {
    check(
        "`<say>` and ``x ` <say>`` but ` <say tone=\"a\">b</say>\n```\n<say>c</say>\n```\n<!-- <say/> -->",
        expect![[r#"
            text "`"
            fault quoted_call 1..5
            text "<say>` and ``x ` "
            fault quoted_call 18..22
            text "<say>`` but ` "
            say at 32
              tone="a"
              body "b"
              end
            text "\n```\n"
            fault quoted_call 58..62
            text "<say>c</say>\n```\n<!-- "
            fault quoted_call 80..84
            text "<say/> -->"
        "#]],
    );
}

#[test]
fn a_fence_around_the_whole_reply_is_looked_through() {
    check(
        "```xml\n<write_file path=\"a\">\n```js\nx\n```\n</write_file>\n```\n",
        expect![[r#"
            write_file at 7
              path="a"
              body "```js\nx\n```"
              end
            text "\n"
        "#]],
    );
    check(
        "```xml\n<say>a</say>\n```\nThat is how.",
        expect![[r#"
        text "```xml\n"
        fault quoted_call 7..11
        text "<say>a</say>\n```\nThat is how."
    "#]],
    );
}

#[test]
fn reasoning_is_inert_but_for_one_call_at_the_end_that_nothing_closes() {
    check(
        "<thinking>a <say>b</say> c</thinking>d",
        expect![[r#"
        thinking "a <say>b</say> c"
        text "d"
    "#]],
    );
    check(
        "<thinking>a <say tone=\"x\">b</say> c\n<say tone=\"y\">d</say>\n",
        expect![[r#"
            thinking "a <say tone=\"x\">b</say> c\n"
            say at 36
              tone="y"
              body "d"
              end recovered
            text "\n"
        "#]],
    );
}

#[test]
fn invented_results_end_the_reply() {
    check(
        "<say>a</say>\n<tool_result>ok</tool_result>\n<say>b</say>",
        expect![[r#"
            say at 0
              body "a"
              end
            text "\n"
            fault fabricated_result 13..26
        "#]],
    );
}

#[test]
fn elements_around_calls_are_looked_through_and_unknown_calls_are_named() {
    check(
        "<tools>\n<say>a</say>\n</tools>\n<serach><query>q</query></serach>\n<b>x</b>",
        expect![[r#"
            say at 8
              body "a"
              end
            text "\n\n"
            fault unknown_tool 30..63
            text "\n<b>x</b>"
        "#]],
    );
}

#[test]
fn other_spellings_call_too() {
    check(
        "<function_calls>\n<invoke name=\"create\">\n<parameter name=\"path\">a</parameter>\n\
         <parameter name=\"content\">x </parameter> y</parameter>\n</invoke>\n</function_calls>\n\
         <function=search>\n<parameter=query>\nq\n</parameter>\n</function>",
        expect![[r#"
            create at 17
              path.0 "a"
              content.0 "x </parameter> y"
              end recovered
            text "\n\n"
            search at 160
              query.0 "q"
              end
        "#]],
    );
}

#[test]
fn arguments_as_json_are_values() {
    check(
        "<search>{\"query\": \"a \\\"</search>\\\"\", \"path\": 3}</search>",
        expect![[r#"
            search at 0
              query.0 "a \"</search>\""
              path.0 "3"
              end
        "#]],
    );
    check(
        "<write_file path=\"a\">{\"path\": 1}</write_file>",
        expect![[r#"
            write_file at 0
              path="a"
              body "{\"path\": 1}"
              end
        "#]],
    );
}

#[test]
fn what_a_cut_leaves_open_is_partial() {
    let cut = |reply, expected| check_as(reply, Limits::default(), Finish::Cut, expected);
    cut(
        "<search><query>q</query>\n",
        expect![[r#"
            search at 0
              query.0 "q"
              end partial unterminated_tool
        "#]],
    );
    cut(
        "<write_file path=\"a\">\none\n</write_fi",
        expect![[r#"
            write_file at 0
              path="a"
              body "one"
              end partial unterminated_tool
        "#]],
    );
    cut(
        "<say>hi</say>",
        expect![[r#"
            say at 0
              body "hi"
              end
        "#]],
    );
    cut(
        "Now <write_file path=\"a",
        expect![[r#"
        text "Now "
        fault unterminated_tool 4..23
    "#]],
    );
}

#[test]
fn limits_are_loud() {
    let limits = Limits { blocks: 1, held: 64, owned_value: 16, ..Limits::default() };
    let check = |reply: &str, expected| check_as(reply, limits, Finish::Stop, expected);
    check(
        "<say>a</say>\n<say>b</say>\n",
        expect![[r#"
            say at 0
              body "a"
              end
            text "\n"
            say at 13
              body "b"
              none
            fault limit 13..25
            text "\n"
        "#]],
    );
    check(
        "<write_file path=\"a\">\n0123456789 0123456789\n</write_file>\n",
        expect![[r#"
        write_file at 0
          path="a"
          body "0123456789 0123456789"
          none
        fault limit 0..57
        text "\n"
    "#]],
    );
    let long = format!("<say>a\nb</say> {}</say>\n", "x".repeat(99));
    check(
        &long,
        expect![[r#"
            say at 0
              body "a\nb"
              end recovered limit
            text " xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx</say>\n"
        "#]],
    );
}

#[test]
fn a_start_tag_that_is_cut_by_the_end_of_its_section_is_text() {
    check(
        "<write_file path=\"a\"><![CDATA[use <search ]]></write_file>",
        expect![[r#"
            write_file at 0
              path="a"
              body "use <search "
              end
        "#]],
    );
}

#[test]
fn inline_code_hides_behind_a_call_of_several_lines() {
    check(
        "A ` mark. <say tone=\"a\">\nx\n</say> and `<say>no</say>` so.",
        expect![[r#"
            text "A ` mark. "
            say at 10
              tone="a"
              body "x"
              end
            text " and `"
            fault quoted_call 39..43
            text "<say>no</say>` so."
        "#]],
    );
}

#[test]
fn the_end_tag_of_an_empty_body_is_alone_on_its_line() {
    check(
        "<write_file path=\"a\">\n</write_file>\nNot </write_file> here.",
        expect![[r#"
        write_file at 0
          path="a"
          end
        text "\nNot </write_file> here."
    "#]],
    );
}

#[test]
fn brackets_before_the_end_of_a_section_are_content_where_words_follow_it() {
    check(
        "<write_file path=\"a\"><![CDATA[a[b[0]]]]> done </write_file>\n",
        expect![[r#"
        write_file at 0
          path="a"
          body "a[b[0]]"
          end recovered cdata_unclosed
        text "\n"
    "#]],
    );
}
