//! What holds for the typing of any text and any JSON.

use proptest::{prelude::*, sample::select};
use serde_json::Value;
use tagline_protocol::Typed;

use crate::{decode::block, typing::schema};

/// Texts that are, or nearly are, something else.
fn texts() -> impl Strategy<Value = String> {
    let pieces = select(vec![
        "7",
        "-",
        "0",
        ".",
        "e",
        "+",
        "1_0",
        "9007199254740993",
        "true",
        "False",
        "null",
        "None",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        ",",
        ":",
        "\"",
        "'",
        "\\",
        "\\u",
        "d83c",
        "a",
        " ",
        "\n",
        "é",
        "<item>",
        "</item>",
        "<a>",
        "</a>",
        "<![CDATA[",
        "]]>",
        "&amp;",
        "{\"a\":",
        "[1,",
    ]);
    proptest::collection::vec(pieces, 0..8).prop_map(|it| it.concat())
}

/// Text or some other types.
fn unions() -> impl Strategy<Value = String> {
    let others = ["integer", "number", "boolean", "null", "array", "object"];
    let others = proptest::sample::subsequence(others.to_vec(), 1..=6);
    others.prop_map(|it| format!("string|{}", it.join("|")))
}

fn shorts() -> impl Strategy<Value = String> {
    let kinds = ["string", "integer", "number", "boolean", "null", "array", "object"];
    let types = proptest::sample::subsequence(kinds.to_vec(), 1..=7).prop_map(|it| it.join("|"));
    let schemas = select(vec![
        r#"{"type": "array", "items": {"type": ["string", "integer"]}}"#,
        r#"{"type": "object", "properties": {"a": {"type": "integer"}}}"#,
        r#"{"enum": [1, "auto", null]}"#,
        r##"{"$ref": "#"}"##,
    ]);
    prop_oneof![types, schemas.prop_map(str::to_owned)]
}

fn given(text: &str, is_json: bool) -> tagline_parser::Block {
    let mut block = block("f", "x");
    block.children[0].value = match is_json {
        true => tagline_parser::Value::Json(text.to_owned()),
        false => tagline_parser::Value::Text(text.to_owned()),
    };
    block
}

proptest! {
    #[test]
    fn any_text_is_typed_as_json(short in shorts(), text in texts(), is_json: bool) {
        let typed = schema(&short).arguments(&given(&text, is_json)).to_string();
        let value: Value = serde_json::from_str(&typed).unwrap();
        prop_assert!(value.get("x").is_some(), "{typed}");
    }

    #[test]
    fn what_is_typed_stays_so(short in shorts(), text in texts(), is_json: bool) {
        let schema = schema(&short);
        let once = schema.arguments(&given(&text, is_json));
        let Typed::Object(members) = &once else { panic!("{once}") };
        let twice = schema.arguments(&given(&members[0].1.to_string(), true));
        prop_assert_eq!(&twice, &once);
    }

    #[test]
    fn any_characters_are_the_exact_text_of_a_string(text in any::<String>(), other in texts()) {
        for text in [text, other] {
            let typed = schema("string").arguments(&given(&text, false));
            prop_assert_eq!(typed, Typed::Object(vec![("x".into(), Typed::Text(text))]));
        }
    }

    #[test]
    fn what_a_union_with_string_takes_prints_back(short in unions(), text in texts()) {
        let Typed::Object(members) = schema(&short).arguments(&given(&text, false)) else { panic!() };
        match &members[0].1 {
            Typed::Text(kept) => prop_assert_eq!(kept, &text),
            scalar @ (Typed::Null | Typed::Boolean(_) | Typed::Number(_)) => {
                prop_assert_eq!(scalar.to_string(), text);
            }
            container @ (Typed::Array(_) | Typed::Object(_)) => {
                let same: Value = serde_json::from_str(&text).unwrap();
                prop_assert_eq!(serde_json::from_str::<Value>(&container.to_string()).unwrap(), same);
            }
        }
    }

    #[test]
    fn json_of_any_kind_comes_out_as_it_is(value in json_values()) {
        for short in ["{}", "array|object|number|boolean|null"] {
            let typed = schema(short).arguments(&given(&value.to_string(), true)).to_string();
            prop_assert_eq!(&serde_json::from_str::<Value>(&typed).unwrap()["x"], &value);
        }
    }
}

fn json_values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter_map("no JSON", |it| serde_json::Number::from_f64(it).map(Value::from)),
    ];
    let nested = prop_oneof![leaf, any::<String>().prop_map(Value::from)];
    let nested = nested.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((any::<String>(), inner), 0..5)
                .prop_map(|it| Value::Object(it.into_iter().collect())),
        ]
    });
    // A string alone would be text.
    nested.prop_filter("a string", |it| !it.is_string())
}
