//! Arguments of native calls in pieces: where they are cut changes nothing.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use tagline_protocol::{Api, ArgumentStream};

use crate::{generated, tools};

/// What the stream tells, neighboring pieces of an argument joined.
fn told(pieces: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<(String, String)> {
    let mut stream = ArgumentStream::default();
    let mut told: Vec<(String, String)> = Vec::new();
    for delta in pieces.into_iter().flat_map(|it| stream.feed(it.as_ref())) {
        match told.last_mut() {
            Some((name, text)) if *name == delta.name => text.push_str(&delta.text),
            _ => told.push((delta.name, delta.text)),
        }
    }
    told
}

fn chars(text: &str) -> impl Iterator<Item = String> {
    text.chars().map(String::from)
}

#[track_caller]
fn check(source: &str, expected: Expect) {
    let whole = told([source]);
    assert_eq!(told(chars(source)), whole);
    let lines = whole.iter().map(|(name, text)| format!("{name}: {text:?}\n"));
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn top_level_texts_are_told_as_they_grow() {
    check(
        r#" {"path": "a.txt", "n": 1, "step": [{"text": "no"}], "o": {"a": "}"}, "content":"x"}"#,
        expect![[r#"
            path: "a.txt"
            content: "x"
        "#]],
    );
}

#[test]
fn escapes_are_told_once_they_are_whole() {
    check(
        r#"{"a": "\n\"\\\/\u00e9 \ud83c\udf27 \ud83c \ud83c\n \ud83cx", "b\n": "\u0041"}"#,
        expect![[r#"
            a: "\n\"\\/é 🌧 � �\n �x"
            b
            : "A"
        "#]],
    );
}

#[test]
fn what_is_no_object_or_ends_early_tells_what_there_is() {
    check(r#"["a"]"#, expect![""]);
    check(
        r#"{"a": "x\"#,
        expect![[r#"
        a: "x"
    "#]],
    );
    check(r#"{"a" "b": "c"}"#, expect![""]);
    check("", expect![""]);
}

proptest! {
    #[test]
    fn a_call_in_pieces_is_the_call(
        spec in prop::sample::select(tools::toolset().specs().to_vec()),
        seed: u64,
        sizes in prop::collection::vec(1_usize..9, 1..200),
    ) {
        let arguments = generated::arguments(&spec, seed);
        let source = spec.to_native(Api::OpenAiChat, &arguments).to_string();
        let mut rest = source.chars();
        let mut pieces: Vec<String> =
            sizes.iter().map(|&n| rest.by_ref().take(n).collect()).collect();
        pieces.push(rest.collect());
        let mut stream = ArgumentStream::default();
        pieces.iter().for_each(|it| drop(stream.feed(it)));
        let decoded = stream.finish(&spec, Api::OpenAiChat).map(|it| it.arguments);
        prop_assert_eq!(decoded, Ok(arguments.clone()));
        let told = told(&pieces);
        prop_assert_eq!(&told, &self::told([&source]));
        let is_text = |(name, value): (&String, &serde_json::Value)| {
            Some((name.clone(), value.as_str().filter(|it| !it.is_empty())?.to_owned()))
        };
        let texts: Vec<_> = arguments.as_object().unwrap().iter().filter_map(is_text).collect();
        prop_assert_eq!(told, texts);
    }
}
