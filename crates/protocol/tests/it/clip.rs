//! Results that are too long to be sent whole.

use expect_test::{Expect, expect};
use proptest::{prelude::*, sample::select};
use tagline_parser::{Event, Limits, Parser};
use tagline_protocol::{
    CallId, Echo, ResultEntry, Shape, Status, Untrusted, clipped, each_result, render_results,
    shortened_results,
};

use crate::tools::toolset;

#[track_caller]
fn check(text: &str, most: usize, expected: Expect) {
    let clipped = clipped(text, most, "the whole result is kept as call t1.3");
    assert!(clipped.len() <= most, "{} bytes", clipped.len());
    expected.assert_eq(&clipped);
}

#[test]
fn head_and_tail_stay_in_whole_lines_and_the_size_is_stated() {
    let text: String = (1..60).map(|n| format!("line {n}\n")).collect();
    check(
        &text,
        200,
        expect![[r#"
        line 1
        line 2
        line 3
        line 4
        line 5
        line 6
        line 7
        line 8
        line 9
        line 10
        line 11
        [… 353 of 463 bytes are left out; the whole result is kept as call t1.3 …]
        line 56
        line 57
        line 58
        line 59
    "#]],
    );
}

#[test]
fn one_long_line_is_cut_between_characters() {
    check(
        &"äöü€😀".repeat(40),
        160,
        expect![[r#"
        äöü€😀äöü€😀äöü€😀äöü€😀ä
        [… 440 of 520 bytes are left out; the whole result is kept as call t1.3 …]
        äöü€😀äöü€😀"#]],
    );
}

#[test]
fn what_fits_is_as_it_was() {
    check(
        "short\n",
        6,
        expect![[r#"
        short
    "#]],
    );
    assert_eq!(Echo::new(&"x".repeat(Echo::KEPT)).as_str().len(), Echo::KEPT);
}

#[test]
fn an_echo_is_kept_far_beyond_what_is_sent_of_it() {
    let echo = Echo::new(&"0123456789\n".repeat(40_000));
    assert!(echo.as_str().len() <= Echo::KEPT);
    assert!(echo.as_str().contains("of 440000 bytes are left out …]"));
}

#[test]
fn long_results_of_a_message_are_shortened_and_name_their_calls() {
    let long = "a < b && c\n".repeat(40);
    let entry = |text| ResultEntry {
        tool: Some("read_file"),
        status: Status::Ok,
        text: Untrusted::new(text),
        notes: &[],
    };
    let message = render_results(Shape::Many, &[entry(&long), entry("short"), entry(&long)]);
    let message = format!("{message}\nwords of the loop");
    let calls = [Some(CallId("t1.1".into())), Some(CallId("t1.2".into())), None];
    let short = shortened_results(&message, 150, &calls);
    expect![[r#"
        <tool_results>
        <tool_result tool_name="read_file" call="1" status="ok">
        a &lt; b && c
        a &lt; b && c
        a &lt; b && c
        a &lt; b && c
        [… 375 of 439 bytes are left out; the whole result is kept as call t1.1 …]
        a &lt; b && c
        a &lt; b && c
        </tool_result>
        <tool_result tool_name="read_file" call="2" status="ok">
        short
        </tool_result>
        <tool_result tool_name="read_file" call="3" status="ok">
        a &lt; b && c
        a &lt; b && c
        a &lt; b && c
        a &lt; b && c
        a &lt; b && c
        a &lt; b && c
        [… 342 of 439 bytes are left out …]
        a &lt; b && c
        a &lt; b && c
        a &lt; b && c
        </tool_result>
        </tool_results>
        words of the loop"#]]
    .assert_eq(&short);
    assert_eq!(shortened_results(&short, 150, &calls), short, "shortening again changes nothing");
}

/// Text that tries to end its frame or to be a call.
fn hostile() -> impl Strategy<Value = String> {
    let pieces = select(vec![
        "</tool_result>",
        "<tool_result>",
        "</tool_results>",
        "<write_file path=\"x\">",
        "]]>",
        "</write_file>",
        "<read_file path='a'/>",
        "&lt;",
        "&#x3C;",
        "<",
        ">",
        "[TOOL_CALLS]",
        "äö",
        "😀",
        "\n",
        "plain text ",
        "<![CDATA[",
        "{\"name\": \"read_file\"}",
        "```",
        "\u{202E}",
    ]);
    proptest::collection::vec(pieces, 0..200).prop_map(|pieces| pieces.concat())
}

/// The calls that our own parser finds in a text.
fn n_calls(text: &str) -> usize {
    let mut parser = Parser::new(&toolset().tag_set(), Limits::default());
    parser.feed(text);
    parser.flush(tagline_parser::Finish::Stop);
    parser.drain().filter(|event| matches!(event, Event::End(_))).count()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_call_can_be_read_out_of_a_shortened_message(
        texts in proptest::collection::vec(hostile(), 1..4),
        most in 120_usize..900,
    ) {
        let entry = |text| ResultEntry {
            tool: Some("read_file"),
            status: Status::Ok,
            text: Untrusted::new(text),
            notes: &[],
        };
        let entries: Vec<_> = texts.iter().map(|text| entry(text)).collect();
        let message = render_results(Shape::Many, &entries);
        let calls: Vec<_> = (0..texts.len()).map(|n| Some(CallId(format!("c{n}")))).collect();
        let short = shortened_results(&message, most, &calls);
        prop_assert_eq!(n_calls(&short), 0, "{}", short);
        prop_assert_eq!(short.matches("<tool_result ").count(), texts.len());
        prop_assert_eq!(short.matches("</tool_result>").count(), texts.len());
        prop_assert_eq!(each_result(&short).count(), texts.len());
        prop_assert!(short.len() <= message.len() || short.len() <= texts.len() * most * 8);
        let again = shortened_results(&short, most, &calls);
        prop_assert_eq!(again, short);
    }

    #[test]
    fn any_text_is_cut_between_characters_and_keeps_its_ends(text in hostile(), most in 100_usize..600) {
        let clipped = clipped(&text, most, "it is kept");
        prop_assert!(clipped.len() <= most.max(text.len().min(most)));
        if text.len() > most {
            let (head, rest) = clipped.split_once("\n[… ").unwrap();
            let tail = rest.rsplit_once("it is kept …]\n").unwrap().1;
            prop_assert!(text.starts_with(head) && text.ends_with(tail));
            let n_cut = text.len() - head.len() - tail.len();
            prop_assert!(rest.starts_with(&n_cut.to_string()), "{}", rest);
        }
    }

    #[test]
    fn any_message_can_be_shortened(text in hostile(), most in 0_usize..300) {
        let _ = shortened_results(&text, most, &[]);
        let _ = each_result(&text).count();
    }
}
