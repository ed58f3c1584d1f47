//! Arguments typed by a schema alone.
//!
//! A case is a schema of one argument, `x`, in short: types with `|` between them, or JSON. What is
//! given is written as in `decode`: `x text`, or `x := json`; `⏎` stands for a line break.

use expect_test::{Expect, expect};
use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};
use tagline_protocol::{ArgSchema, Typed};

use crate::decode::block;

fn property(short: &str) -> Value {
    serde_json::from_str(short).unwrap_or_else(|_| match short.split('|').collect::<Vec<_>>() {
        types if types.len() == 1 => json!({"type": short}),
        types => json!({"type": types}),
    })
}

fn schema(short: &str) -> ArgSchema {
    ArgSchema::new(json!({"type": "object", "properties": {"x": property(short)}}))
}

fn typed(schema: &ArgSchema, parts: &str) -> Typed {
    let mut block = block("f", parts);
    for child in &mut block.children {
        if let tagline_parser::Value::Text(text) = &mut child.value {
            *text = text.replace('⏎', "\n");
        }
    }
    schema.arguments(&block)
}

#[track_caller]
fn check(short: &str, given: &[&str], expected: Expect) {
    let schema = schema(short);
    let lines = given.iter().map(|given| match typed(&schema, given) {
        Typed::Object(members) => match members.as_slice() {
            [(name, value)] if name == "x" => format!("{given}  ->  {value}\n"),
            _ => format!("{given}  ->  {}\n", Typed::Object(members)),
        },
        other => panic!("{other}"),
    });
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn a_string_is_the_exact_text_or_source() {
    check(
        "string",
        &[
            "x null",
            "x   two  blanks ",
            "x 007",
            "x True",
            "x {\"a\": 1}",
            "x \"quoted\"",
            "x <item>a</item>",
            "x ",
            "x ⏎a⏎",
            "x := null",
            "x := 123",
            "x := 1.50",
            "x := true",
            "x := {\"a\": 1,  \"b\": [2]}",
            "x := [1, \"]\"]",
            "x := broken",
        ],
        expect![[r#"
            x null  ->  "null"
            x   two  blanks   ->  "  two  blanks "
            x 007  ->  "007"
            x True  ->  "True"
            x {"a": 1}  ->  "{\"a\": 1}"
            x "quoted"  ->  "\"quoted\""
            x <item>a</item>  ->  "<item>a</item>"
            x   ->  ""
            x ⏎a⏎  ->  "\na\n"
            x := null  ->  null
            x := 123  ->  "123"
            x := 1.50  ->  "1.50"
            x := true  ->  "true"
            x := {"a": 1,  "b": [2]}  ->  "{\"a\": 1,  \"b\": [2]}"
            x := [1, "]"]  ->  "[1, \"]\"]"
            x := broken  ->  "broken"
        "#]],
    );
}

#[test]
fn numbers_keep_their_digits_and_are_read_strictly() {
    let given = [
        "x 7",
        "x  -7 ",
        "x 9007199254740993",
        "x 123456789012345678901234567890",
        "x 3.0",
        "x 1e3",
        "x 2.5",
        "x 007",
        "x 1_000",
        "x 0x10",
        "x 1,000",
        "x seven",
        "x ",
        "x null",
        "x None",
        "x \"7\"",
        "x := 7.0",
        "x := 18446744073709551616",
        "x := 2.5",
        "x := null",
        "x := true",
        "x := [7]",
    ];
    check(
        "integer",
        &given,
        expect![[r#"
            x 7  ->  7
            x  -7   ->  -7
            x 9007199254740993  ->  9007199254740993
            x 123456789012345678901234567890  ->  123456789012345678901234567890
            x 3.0  ->  3
            x 1e3  ->  1000
            x 2.5  ->  "2.5"
            x 007  ->  "007"
            x 1_000  ->  "1_000"
            x 0x10  ->  "0x10"
            x 1,000  ->  "1,000"
            x seven  ->  "seven"
            x   ->  ""
            x null  ->  null
            x None  ->  null
            x "7"  ->  "\"7\""
            x := 7.0  ->  7
            x := 18446744073709551616  ->  18446744073709551616
            x := 2.5  ->  2.5
            x := null  ->  null
            x := true  ->  true
            x := [7]  ->  [7]
        "#]],
    );
    check(
        "number",
        &given,
        expect![[r#"
            x 7  ->  7
            x  -7   ->  -7
            x 9007199254740993  ->  9007199254740993
            x 123456789012345678901234567890  ->  123456789012345678901234567890
            x 3.0  ->  3.0
            x 1e3  ->  1e3
            x 2.5  ->  2.5
            x 007  ->  "007"
            x 1_000  ->  "1_000"
            x 0x10  ->  "0x10"
            x 1,000  ->  "1,000"
            x seven  ->  "seven"
            x   ->  ""
            x null  ->  null
            x None  ->  null
            x "7"  ->  "\"7\""
            x := 7.0  ->  7.0
            x := 18446744073709551616  ->  18446744073709551616
            x := 2.5  ->  2.5
            x := null  ->  null
            x := true  ->  true
            x := [7]  ->  [7]
        "#]],
    );
}

#[test]
fn words_of_json_and_python_are_booleans() {
    check(
        "boolean",
        &[
            "x true",
            "x False",
            "x TRUE",
            "x yes",
            "x 1",
            "x null",
            "x \"true\"",
            "x := false",
            "x := True",
            "x := 1",
        ],
        expect![[r#"
            x true  ->  true
            x False  ->  false
            x TRUE  ->  true
            x yes  ->  "yes"
            x 1  ->  "1"
            x null  ->  null
            x "true"  ->  true
            x := false  ->  false
            x := True  ->  true
            x := 1  ->  1
        "#]],
    );
}

#[test]
fn arrays_are_read_from_json_python_and_elements() {
    check(
        "array",
        &[
            "x [\"a\", 1, 9007199254740993]",
            "x ['a', True, None]",
            "x ('a', 'b')",
            "x ⏎[1,⏎2]⏎",
            "x \"[\\\"a\\\"]\"",
            "x <item>a</item><item>b</item>",
            "x ⏎<item>⏎a⏎</item>⏎<item><![CDATA[<b>]]></item>⏎",
            "x <tag>a</tag><tag>b</tag>",
            "x <a>1</a><b>2</b>",
            "x a, b",
            "x [\"a\"",
            "x [\"a\"] and more",
            "x {\"a\": 1}",
            "x ",
            "x None",
            "x := [\"&amp;\", {\"b\": [1.0]}]",
            "x := ['a']",
            "x := {\"a\": 1}",
        ],
        expect![[r#"
            x ["a", 1, 9007199254740993]  ->  ["a",1,9007199254740993]
            x ['a', True, None]  ->  ["a",true,null]
            x ('a', 'b')  ->  ["a","b"]
            x ⏎[1,⏎2]⏎  ->  [1,2]
            x "[\"a\"]"  ->  ["a"]
            x <item>a</item><item>b</item>  ->  ["a","b"]
            x ⏎<item>⏎a⏎</item>⏎<item><![CDATA[<b>]]></item>⏎  ->  ["a","<b>"]
            x <tag>a</tag><tag>b</tag>  ->  ["a","b"]
            x <a>1</a><b>2</b>  ->  "<a>1</a><b>2</b>"
            x a, b  ->  "a, b"
            x ["a"  ->  "[\"a\""
            x ["a"] and more  ->  "[\"a\"] and more"
            x {"a": 1}  ->  "{\"a\": 1}"
            x   ->  ""
            x None  ->  null
            x := ["&amp;", {"b": [1.0]}]  ->  ["&amp;",{"b":[1.0]}]
            x := ['a']  ->  ["a"]
            x := {"a": 1}  ->  {"a":1}
        "#]],
    );
    check(
        r#"{"type": "array", "items": {"type": "integer"}}"#,
        &[
            "x [1, 2.0, \"3\", \"x\", null]",
            "x <item>1</item><item> 2 </item><item>x</item>",
            "x 1",
        ],
        expect![[r#"
            x [1, 2.0, "3", "x", null]  ->  [1,2,3,"x",null]
            x <item>1</item><item> 2 </item><item>x</item>  ->  [1,2,"x"]
            x 1  ->  "1"
        "#]],
    );
    check(
        r#"{"type": "array", "items": {"type": "string"}}"#,
        &["x := [1, 2.50, {\"a\":  1}, null, \"007\"]", "x <item>007</item><item>[1]</item>"],
        expect![[r#"
            x := [1, 2.50, {"a":  1}, null, "007"]  ->  ["1","2.50","{\"a\":  1}",null,"007"]
            x <item>007</item><item>[1]</item>  ->  ["007","[1]"]
        "#]],
    );
}

#[test]
fn objects_are_read_from_json_python_and_elements() {
    check(
        "object",
        &[
            "x {\"a\": 1, \"a\": 2}",
            "x {'a': {'b': None}}",
            "x \"{\\\"a\\\": 1}\"",
            "x <a>1</a><b>two</b><b>three</b>",
            "x <a><b>1</b></a><c><item>x</item></c>",
            "x <a>1</a> and more",
            "x [1]",
            "x a: 1",
            "x := {\"a\": 12345678901234567890123}",
        ],
        expect![[r#"
            x {"a": 1, "a": 2}  ->  {"a":2}
            x {'a': {'b': None}}  ->  {"a":{"b":null}}
            x "{\"a\": 1}"  ->  {"a":1}
            x <a>1</a><b>two</b><b>three</b>  ->  {"a":"1","b":["two","three"]}
            x <a><b>1</b></a><c><item>x</item></c>  ->  {"a":{"b":"1"},"c":["x"]}
            x <a>1</a> and more  ->  "<a>1</a> and more"
            x [1]  ->  "[1]"
            x a: 1  ->  "a: 1"
            x := {"a": 12345678901234567890123}  ->  {"a":12345678901234567890123}
        "#]],
    );
    check(
        r#"{"type": "object", "properties": {
            "Text": {"type": "string"}, "n": {"type": "integer"}, "on": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}}
        }}"#,
        &[
            "x {\"text\": {\"k\":  1}, \"n\": \"7\", \"on\": \"True\", \"tags\": \"[1]\", \"other\": 1.0}",
            "x <text>007</text><n>7.0</n><on>false</on><tags>a</tags><tags>b</tags><other>1</other>",
            "x <n>1</n><n>2</n>",
        ],
        expect![[r#"
            x {"text": {"k":  1}, "n": "7", "on": "True", "tags": "[1]", "other": 1.0}  ->  {"Text":"{\"k\":  1}","n":7,"on":true,"tags":["1"],"other":1.0}
            x <text>007</text><n>7.0</n><on>false</on><tags>a</tags><tags>b</tags><other>1</other>  ->  {"Text":"007","n":7,"on":false,"tags":["a","b"],"other":"1"}
            x <n>1</n><n>2</n>  ->  {"n":2}
        "#]],
    );
}

#[test]
fn a_union_with_string_keeps_text_that_would_print_otherwise() {
    check(
        "string|integer|number|boolean|null",
        &[
            "x 7",
            "x 007",
            "x 7.0",
            "x 7.5",
            "x 7.50",
            "x 1e3",
            "x +7",
            "x  7",
            "x -0",
            "x true",
            "x True",
            "x null",
            "x None",
            "x ",
            "x := 7.0",
            "x := \"x\"",
            "x := null",
            "x := [7, 8]",
        ],
        expect![[r#"
            x 7  ->  7
            x 007  ->  "007"
            x 7.0  ->  "7.0"
            x 7.5  ->  7.5
            x 7.50  ->  "7.50"
            x 1e3  ->  "1e3"
            x +7  ->  "+7"
            x  7  ->  " 7"
            x -0  ->  "-0"
            x true  ->  true
            x True  ->  "True"
            x null  ->  null
            x None  ->  "None"
            x   ->  ""
            x := 7.0  ->  7.0
            x := "x"  ->  "x"
            x := null  ->  null
            x := [7, 8]  ->  "[7, 8]"
        "#]],
    );
    check(
        "string|object|array",
        &[
            "x {\"a\": 1}",
            "x {'a': 1}",
            "x [x] done",
            "x [1,]",
            "x <item>a</item>",
            "x 7",
            "x null",
            "x := {\"a\": 1}",
            "x := 7",
        ],
        expect![[r#"
            x {"a": 1}  ->  {"a":1}
            x {'a': 1}  ->  "{'a': 1}"
            x [x] done  ->  "[x] done"
            x [1,]  ->  "[1,]"
            x <item>a</item>  ->  "<item>a</item>"
            x 7  ->  "7"
            x null  ->  "null"
            x := {"a": 1}  ->  {"a":1}
            x := 7  ->  "7"
        "#]],
    );
    check(
        "integer|string",
        &["x := 7", "x := 7.5", "x := true", "x := {\"a\":  1}"],
        expect![[r#"
            x := 7  ->  7
            x := 7.5  ->  "7.5"
            x := true  ->  "true"
            x := {"a":  1}  ->  "{\"a\":  1}"
        "#]],
    );
}

#[test]
fn words_are_found_in_any_case() {
    check(
        r#"{"type": "string", "enum": ["celsius", "very_hot", "Warm", "warm"]}"#,
        &["x celsius", "x CELSIUS", "x  Very-Hot ", "x WARM", "x cold", "x := \"Celsius\""],
        expect![[r#"
            x celsius  ->  "celsius"
            x CELSIUS  ->  "celsius"
            x  Very-Hot   ->  "very_hot"
            x WARM  ->  "WARM"
            x cold  ->  "cold"
            x := "Celsius"  ->  "celsius"
        "#]],
    );
    check(
        r#"{"enum": [1, "1", "auto", null]}"#,
        &["x 1", "x 2", "x auto", "x AUTO", "x null", "x := 1"],
        expect![[r#"
            x 1  ->  "1"
            x 2  ->  2
            x auto  ->  "auto"
            x AUTO  ->  "auto"
            x null  ->  null
            x := 1  ->  1
        "#]],
    );
    check(
        r#"{"enum": [1, 2.5, true]}"#,
        &["x 1", "x 2.5", "x TRUE", "x other"],
        expect![[r#"
            x 1  ->  1
            x 2.5  ->  2.5
            x TRUE  ->  true
            x other  ->  "other"
        "#]],
    );
}

#[test]
fn schemas_in_parts_are_put_together() {
    check(
        r#"{"anyOf": [{"type": "integer"}, {"type": "null"}]}"#,
        &["x 7", "x null", "x x"],
        expect![[r#"
            x 7  ->  7
            x null  ->  null
            x x  ->  "x"
        "#]],
    );
    check(
        r#"{"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "v": {"type": "integer"}}},
            {"type": "object", "properties": {"kind": {"const": "b"}, "v": {"type": "string"}}}
        ]}"#,
        &["x {\"kind\": \"a\", \"v\": 7}", "x <kind>b</kind><v>007</v>"],
        expect![[r#"
            x {"kind": "a", "v": 7}  ->  {"kind":"a","v":7}
            x <kind>b</kind><v>007</v>  ->  {"kind":"b","v":"007"}
        "#]],
    );
    check(
        r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#,
        &["x {\"a\": \"7\", \"b\": \"x\"}"],
        expect![[r#"
            x {"a": "7", "b": "x"}  ->  {"a":7,"b":"x"}
        "#]],
    );
}

#[test]
fn what_the_schema_leaves_open_stays_as_it_was_written() {
    let given =
        ["x 7", "x null", "x {\"a\": 1}", "x  a ", "x := 7.0", "x := null", "x := {\"a\": [True]}"];
    let expected = expect![[r#"
        x 7  ->  "7"
        x null  ->  "null"
        x {"a": 1}  ->  "{\"a\": 1}"
        x  a   ->  " a "
        x := 7.0  ->  7.0
        x := null  ->  null
        x := {"a": [True]}  ->  {"a":[true]}
    "#]];
    check("{}", &given, expected);
    let open = ArgSchema::new(json!({}));
    assert_eq!(typed(&open, "a 7\nb := 7\n@c 8").to_string(), r#"{"c":"8","a":"7","b":7}"#);
}

#[test]
fn values_that_repeat_are_collected_or_the_last_counts() {
    check(
        "array",
        &["x a\nx b", "x [1]\nx [2, 3]", "x := [1]\nx := 2"],
        expect![[r#"
            x a
            x b  ->  ["a","b"]
            x [1]
            x [2, 3]  ->  [1,2,3]
            x := [1]
            x := 2  ->  [1,2]
        "#]],
    );
    check(
        r#"{"type": "array", "items": {"type": "array"}}"#,
        &["x [1]\nx [2]"],
        expect![[r#"
            x [1]
            x [2]  ->  [[1],[2]]
        "#]],
    );
    check(
        "integer",
        &["x 1\nX 2"],
        expect![[r#"
            x 1
            X 2  ->  2
        "#]],
    );
}

#[test]
fn a_body_is_the_one_text_that_a_tool_takes() {
    let one = schema("string");
    assert_eq!(typed(&one, "| ls -la").to_string(), r#"{"x":"ls -la"}"#);
    assert_eq!(typed(&one, "x a\n| b").to_string(), r#"{"x":"a"}"#);
    assert_eq!(typed(&one, "|  ").to_string(), "{}");
    assert_eq!(typed(&schema("integer"), "| 7").to_string(), "{}");
}

#[test]
fn nothing_is_too_deep() {
    let schema = ArgSchema::new(json!({
        "$defs": {"node": {"anyOf": [{"type": "object", "properties": {"a": {"$ref": "#/$defs/node"}}}, {"type": "array", "items": {"$ref": "#/$defs/node"}}]}},
        "properties": {"x": {"$ref": "#/$defs/node"}},
    }));
    for n in [10, 119, 121, 5000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("<item>", "</item>"), ("<a>", "</a>")]
        {
            let text = format!("{}1{}", open.repeat(n), close.repeat(n));
            let typed = typed(&schema, &format!("x {text}")).to_string();
            let value: Value = serde_json::from_str(&typed).unwrap();
            let is_text = value["x"].is_string();
            assert_eq!(is_text, n > 120 && !open.starts_with('<'), "{n} times {open}");
        }
    }
}

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
    fn any_characters_are_the_exact_text_of_a_string(text in any::<String>(), other in texts()) {
        for text in [text, other] {
            let typed = schema("string").arguments(&given(&text, false));
            prop_assert_eq!(typed, Typed::Object(vec![("x".into(), Typed::Text(text))]));
        }
    }

    #[test]
    fn what_a_union_with_string_takes_prints_back(short in shorts(), text in texts()) {
        prop_assume!(property(&short)["type"].as_array().is_some_and(|it| it.contains(&json!("string"))));
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
    let nested = prop_oneof![leaf.clone(), any::<String>().prop_map(Value::from)];
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
