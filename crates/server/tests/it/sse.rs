//! Events as text, and back.

use bytes::BytesMut;
use expect_test::{Expect, expect};
use proptest::{collection::vec, prelude::*};
use tagline_server::sse::{Message, Reader, frame, named};
use tagline_session::WireFrame;

fn read(text: &str) -> Vec<Message> {
    Reader::default().feed(text.as_bytes())
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    let messages: String =
        read(text).iter().map(|m| format!("{} {:?} at {:?}\n", m.event, m.data, m.id)).collect();
    expected.assert_eq(&messages);
}

#[test]
fn a_frame_is_its_place_its_type_and_one_line_of_json() {
    let mut text = BytesMut::new();
    let json = r#"{"seq":7,"type":"say.delta","delta":"a\nb"}"#;
    let wire = WireFrame { from: 7, seq: 7, kind: "say.delta", json: json.into() };
    frame(&mut text, "7f3c", &wire);
    named(&mut text, "stream.closed", r#"{"why":"slow"}"#);
    expect![[r#"
        id: 7f3c:7
        event: say.delta
        data: {"seq":7,"type":"say.delta","delta":"a\nb"}

        event: stream.closed
        data: {"why":"slow"}

    "#]]
    .assert_eq(std::str::from_utf8(&text).unwrap());
    let messages = read(std::str::from_utf8(&text).unwrap());
    assert_eq!((messages[0].id.as_str(), messages[0].data.as_str()), ("7f3c:7", json));
    assert_eq!(messages[1].id, "7f3c:7", "the place stays");
}

#[test]
fn lines_end_in_any_way_and_fields_may_have_a_blank() {
    check(
        "\u{feff}data:a\r\rdata: b\r\n\r\ndata:  c\n\n",
        expect![[r#"
            message "a" at ""
            message "b" at ""
            message " c" at ""
        "#]],
    );
}

#[test]
fn several_data_lines_are_one_text() {
    check(
        "event: x\ndata: a\ndata\ndata: b\nid: 1\n\n",
        expect![[r#"
            x "a\n\nb" at "1"
        "#]],
    );
}

#[test]
fn what_has_no_data_is_no_message_but_keeps_its_place() {
    check(
        "event: x\nid: 3\n\nunknown: y\ndata: a\n\n: comment\n\ndata: cut",
        expect![[r#"
            message "a" at "3"
        "#]],
    );
}

#[test]
fn a_place_with_a_zero_in_it_is_none() {
    check(
        "id: 1\ndata: a\n\nid: 2\0\ndata: b\n\nid\ndata: c\n\n",
        expect![[r#"
            message "a" at "1"
            message "b" at "1"
            message "c" at ""
        "#]],
    );
}

#[test]
fn a_wait_is_a_number() {
    let mut reader = Reader::default();
    reader.feed(b"retry: 1000\n\nretry: soon\n\n: a\n: b\n");
    assert_eq!((reader.retry(), reader.n_comments()), (Some(1_000), 2));
}

fn stream() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("data: a"),
        Just("data:"),
        Just("id: 7"),
        Just("event: x"),
        Just("\n"),
        Just("\r"),
        Just("\r\n"),
        Just("\n\n"),
        Just(": c"),
        Just("é→"),
        Just("\u{feff}"),
        Just("retry: 5"),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn where_it_is_cut_changes_nothing(text in stream(), sizes in vec(1_usize..5, 1..60)) {
        let mut reader = Reader::default();
        let mut rest = text.as_bytes();
        let mut messages = Vec::new();
        for size in sizes {
            let (piece, more) = rest.split_at(size.min(rest.len()));
            messages.extend(reader.feed(piece));
            rest = more;
        }
        messages.extend(reader.feed(rest));
        prop_assert_eq!(messages, read(&text));
    }
}
