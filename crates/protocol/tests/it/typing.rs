//! Arguments typed by a schema alone.
//!
//! A case is a schema of one argument, `x`, in short: types with `|` between them, or JSON; and a
//! table of what is given and what comes out. What is given is written as in `decode`: `x text`, or
//! `x := json`; `⏎` stands for a line break in a text, `¶` between two values.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use tagline_protocol::{ArgSchema, Typed};

use crate::decode::block;

fn property(short: &str) -> Value {
    serde_json::from_str(short).unwrap_or_else(|_| match short.split('|').collect::<Vec<_>>() {
        types if types.len() == 1 => json!({"type": short}),
        types => json!({"type": types}),
    })
}

pub(crate) fn schema(short: &str) -> ArgSchema {
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

/// A table of what is given and what comes out.
#[track_caller]
fn check(short: &str, table: Expect) {
    let schema = schema(short);
    let given = table.data().lines().filter_map(|line| line.trim_start().rsplit_once("  ->  "));
    let lines = given.map(|(given, _)| {
        let typed = typed(&schema, &given.replace(" ¶ ", "\n"));
        let Typed::Object(members) = &typed else { panic!("{typed}") };
        let out = match members.as_slice() {
            [(name, value)] if name == "x" => value.to_string(),
            _ => typed.to_string(),
        };
        format!("{given}  ->  {out}\n")
    });
    table.assert_eq(&lines.collect::<String>());
}

#[test]
fn a_string_is_the_exact_text_or_source() {
    check(
        "string",
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
fn whole_numbers_keep_their_digits_and_are_read_strictly() {
    check(
        "integer",
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
}

#[test]
fn any_number_is_kept_as_it_is_written() {
    check(
        "number",
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
        expect![[r#"
            x [1, 2.0, "3", "x", null]  ->  [1,2,3,"x",null]
            x <item>1</item><item> 2 </item><item>x</item>  ->  [1,2,"x"]
            x 1  ->  "1"
        "#]],
    );
    check(
        r#"{"type": "array", "items": {"type": "string"}}"#,
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
        expect![[r#"
            x {"kind": "a", "v": 7}  ->  {"kind":"a","v":7}
            x <kind>b</kind><v>007</v>  ->  {"kind":"b","v":"007"}
        "#]],
    );
    check(
        r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#,
        expect![[r#"
            x {"a": "7", "b": "x"}  ->  {"a":7,"b":"x"}
        "#]],
    );
}

#[test]
fn what_the_schema_leaves_open_stays_as_it_was_written() {
    check(
        "{}",
        expect![[r#"
            x 7  ->  "7"
            x null  ->  "null"
            x {"a": 1}  ->  "{\"a\": 1}"
            x  a   ->  " a "
            x := 7.0  ->  7.0
            x := null  ->  null
            x := {"a": [True]}  ->  {"a":[true]}
        "#]],
    );
    let open = ArgSchema::new(json!({}));
    assert_eq!(typed(&open, "a 7\nb := 7\n@c 8").to_string(), r#"{"c":"8","a":"7","b":7}"#);
}

#[test]
fn what_was_meant_as_text_is_text_wherever_text_is_allowed() {
    check(
        "integer|string|null|object",
        expect![[r#"
            x 7  ->  7
            x := "7"  ->  "7"
            x := "null"  ->  "null"
            x := "{}"  ->  "{}"
        "#]],
    );
    check(
        "integer",
        expect![[r#"
            x := "7"  ->  7
        "#]],
    );
}

#[test]
fn json_between_tags_may_be_escaped() {
    check(
        "array",
        expect![[r#"
            x [&quot;a&quot;]  ->  ["a"]
            x ["&quot;"]  ->  ["&quot;"]
            x [&quot;  ->  "[&quot;"
        "#]],
    );
}

#[test]
fn values_that_repeat_are_collected_or_the_last_counts() {
    check(
        "array",
        expect![[r#"
            x a ¶ x b  ->  ["a","b"]
            x [1] ¶ x [2, 3]  ->  [1,2,3]
            x := [1] ¶ x := 2  ->  [1,2]
        "#]],
    );
    check(
        r#"{"type": "array", "items": {"type": "array"}}"#,
        expect![[r#"
            x [1] ¶ x [2]  ->  [[1],[2]]
        "#]],
    );
    check(
        "integer",
        expect![[r#"
            x 1 ¶ X 2  ->  2
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
    let nested = |n: usize, inner: &str| format!("{}{inner}{}", "[".repeat(n), "]".repeat(n));
    let elements = format!("{}{}{}", "<item>".repeat(31), nested(119, "1"), "</item>".repeat(31));
    let text = serde_json::to_string(&nested(119, "1")).unwrap();
    for given in [elements, nested(119, &text)] {
        let typed = typed(&schema, &format!("x {given}")).to_string();
        assert!(typed.starts_with(r#"{"x":[["#), "{typed}");
        serde_json::from_str::<Value>(&typed).unwrap();
    }
}
