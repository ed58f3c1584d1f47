//! Native calls: what they decode to, what is wrong with them in words, and what APIs refuse.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::{Value, json};
use tagline_protocol::{
    Adherence, Api, Calls, Effect, GrammarOptions, SpecHeader, ToolSpec, Toolset, decode_json,
};

use crate::{doors::APIS, gbnf::Grammar, generated, replies, tools};

#[track_caller]
fn check(tool: &str, arguments: &str, expected: Expect) {
    let toolset = tools::toolset();
    expected.assert_eq(&match decode_json(toolset.get(tool).unwrap(), arguments) {
        Ok(decoded) => {
            let warnings = decoded.warnings.iter().map(|it| format!("\n{it}"));
            format!("{}{}", decoded.arguments, warnings.collect::<String>())
        }
        Err(error) => format!("{error}\n{}", error.example),
    });
}

#[test]
fn values_are_typed_as_in_a_tag() {
    check(
        "read_file",
        r#"{"to": "9", "path": "a.txt", "from": 1.0}"#,
        expect![[r#"{"path":"a.txt","from":1,"to":9}"#]],
    );
    check("list_recent_commands", "", expect!["{}"]);
    check(
        "say",
        r#"{"text": "{\"text\": 1}", "tone": "WARM"}"#,
        expect![[r#"{"tone":"warm","text":"{\"text\": 1}"}"#]],
    );
    check(
        "update_plan",
        r#"{"step": [{}, {"text": "a", "status": null}]}"#,
        expect![[r#"
        `step.text` of `update_plan`: expected text, but it is missing; write `"text": …`
        {"step":[{"status":"done","text":"Read the code"},{"text":"Mend it"}]}"#]],
    );
    check(
        "mutate_data",
        r#"{"id": "a", "label": "[\"b\"]", "patch": {"n": 1.50}}"#,
        expect![[r#"{"id":"a","label":["b"],"patch":{"n":1.5}}"#]],
    );
}

#[test]
fn what_is_wrong_is_said_in_json() {
    check(
        "read_file",
        r#"{"from": "x"}"#,
        expect![[r#"
        `path` of `read_file`: expected text, but it is missing; write `"path": …`
        `from` of `read_file`: expected a whole number, but found `x`; write the value alone
        {"path":"src/main.rs","from":1,"to":80}"#]],
    );
    check(
        "read_file",
        r#"{"path": "a"#,
        expect![[r#"
        arguments of `read_file`: expected a JSON object, but `{"path": "a` ends early; write it again, whole
        {"path":"src/main.rs","from":1,"to":80}"#]],
    );
    check(
        "read_file",
        "a.txt",
        expect![[r#"
        arguments of `read_file`: expected a JSON object, but found `a.txt`; write the names and values of the arguments
        {"path":"src/main.rs","from":1,"to":80}"#]],
    );
    check(
        "read_file",
        r#"{"path": "a", "lines": 3}"#,
        expect![[r#"
        {"path":"a"}
        ignored `lines` of `read_file`: expected `path`, `from`, `to`, but found an unknown name; leave it out"#]],
    );
    check(
        "update_plan",
        r#"{"step": [{"txt": "a"}]}"#,
        expect![[r#"
        `step.text` of `update_plan`: expected text, but it is missing; write `"text": …`
        {"step":[{"status":"done","text":"Read the code"},{"text":"Mend it"}]}"#]],
    );
}

fn of_schema(schema: Value) -> Result<ToolSpec, String> {
    let header = SpecHeader::new("tool", Effect::Pure);
    ToolSpec::from_schema(header, schema).map_err(|it| it.to_string())
}

fn with(property: &str, schema: Value) -> Value {
    json!({ "type": "object", "description": "A tool.", "properties": { property: schema } })
}

#[test]
fn what_no_tag_can_hold_is_refused_by_name() {
    let refused = [
        ("file path", json!({ "type": "string" })),
        ("1st", json!({ "type": "string" })),
        ("tone", json!({ "enum": ["warm", " cold"] })),
        ("tone", json!({ "enum": [] })),
        (
            "grid",
            json!({ "type": "array", "items": { "type": "array", "items": { "type": "integer" } } }),
        ),
        ("who", json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] })),
    ];
    let lines = refused.map(|(name, schema)| of_schema(with(name, schema)).unwrap_err() + "\n");
    expect![[r#"
        `file path` of `tool`: expected a letter or `_`, then letters, digits, `_`, `-` and `.` in the name of an argument; rename it
        `1st` of `tool`: expected a letter or `_`, then letters, digits, `_`, `-` and `.` in the name of an argument; rename it
        `tone` of `tool`: expected words without blanks around them, but found ` cold`; mend the words
        `tone` of `tool`: expected words without blanks around them, but found none; mend the words
        `grid` of `tool`: expected text, a number, a boolean, words, a list or a struct, but found `array`; use another type
        `who` of `tool`: expected text, a number, a boolean, words, a list or a struct, but found a schema with `anyOf`; use another type
    "#]].assert_eq(&lines.concat());
}

#[test]
fn what_no_grammar_can_hold_is_refused_by_name() {
    let refused = [
        ("slug", json!({ "type": "string", "pattern": "^[a-z]+$" })),
        ("n", json!({ "type": "integer", "multipleOf": 5 })),
        ("text", json!({ "type": "string", "minLength": 5000 })),
        ("n", json!({ "type": "integer", "minimum": 5, "maximum": 4 })),
    ];
    let lines = refused.map(|(name, schema)| {
        let spec = of_schema(with(name, schema)).unwrap();
        format!("{}\n", Toolset::new([spec]).check_grammar().unwrap_err())
    });
    expect![[r#"
        `slug` of `tool`: expected bounds of numbers and lengths alone, but found `pattern`; a grammar cannot hold a model to it, so leave it out and check it in the tool
        `n` of `tool`: expected bounds of numbers and lengths alone, but found `multipleOf`; a grammar cannot hold a model to it, so leave it out and check it in the tool
        `text` of `tool`: expected `minLength` up to 2000, but found 5000; servers refuse longer repetitions, so lower it
        `n` of `tool`: expected a value within its bounds, but no value can be `minimum 5, maximum 4`; mend the bounds
    "#]].assert_eq(&lines.concat());
    assert_eq!(tools::toolset().check_grammar(), Ok(()));
}

#[test]
fn what_an_api_would_refuse_is_named() {
    let dotted = of_schema(with("file.path-1", json!({ "type": "string" }))).unwrap();
    let empty = of_schema(with("options", json!({ "type": "object", "properties": {} }))).unwrap();
    let mut lines = String::new();
    for spec in [dotted, empty] {
        for api in APIS {
            let said = spec.native(api, Adherence::Strict);
            lines += &format!(
                "{api:?}: {}\n",
                said.map_or_else(|it| it.to_string(), |_| "taken".to_owned())
            );
        }
    }
    expect![[r#"
        OpenAiChat: taken
        OpenAiResponses: taken
        Anthropic: taken
        Gemini: `file.path-1` of `tool`: Gemini expects a letter or `_`, then letters, digits and `_`, at most 64 bytes, in the name of an argument; rename it, or leave the tool out
        OpenAiChat: taken
        OpenAiResponses: taken
        Anthropic: taken
        Gemini: `options` of `tool`: Gemini expects an object with fields, but found none; give it one, or make it any JSON
    "#]].assert_eq(&lines);
}

#[test]
fn a_tool_that_takes_any_json_is_not_strict_and_gemini_has_the_json_as_text() {
    let toolset = tools::toolset();
    let spec = toolset.get("mutate_data").unwrap();
    let strict = |api| spec.native(api, Adherence::Strict).unwrap();
    assert_eq!(strict(Api::OpenAiChat)["function"]["strict"], json!(false));
    assert_eq!(strict(Api::Anthropic).get("strict"), None);
    let arguments = json!({ "id": "a", "patch": ["x", { "y": 1 }] });
    let native = spec.to_native(Api::Gemini, &arguments);
    expect![[r#"{"id":"a","patch":"[\"x\",{\"y\":1}]"}"#]].assert_eq(&native.to_string());
    assert_eq!(spec.of_native(Api::Gemini, &native.to_string()).unwrap().arguments, arguments);
}

#[test]
fn anthropic_is_asked_to_hold_the_model_to_as_many_tools_as_it_takes() {
    let field = |n: usize| (format!("f{n}"), json!({ "type": "string" }));
    let tool = |n: usize, n_optional: usize| {
        let properties: serde_json::Map<_, _> = (0..n_optional).map(field).collect();
        let schema =
            json!({ "type": "object", "description": "A tool.", "properties": properties });
        let name = format!("tool_{n}");
        ToolSpec::from_schema(SpecHeader::new(&name, Effect::Pure), schema).unwrap()
    };
    let n_strict = |n_tools, n_optional| {
        let tools = Toolset::new((0..n_tools).map(|n| tool(n, n_optional)));
        let native = tools.native(Api::Anthropic, Adherence::Strict).unwrap();
        native.as_array().unwrap().iter().filter(|it| it["strict"] == json!(true)).count()
    };
    assert_eq!([n_strict(30, 0), n_strict(30, 5), n_strict(3, 8), n_strict(1, 25)], [20, 4, 3, 0]);
}

#[test]
fn a_reply_that_is_no_calls_is_told_so() {
    let toolset = tools::toolset();
    let replies =
        ["I read it.", r#"{"calls": [{"tool": "readfile", "arguments": {}}]}"#, r#"{"text": "a"}"#];
    let lines = replies.map(|it| format!("{}\n", toolset.of_response(it).unwrap_err()));
    expect![[r#"
        reply: expected a JSON object with `calls`, each with `tool` and `arguments`, but found `I read it.`; write it again, whole
        `tool` in the reply: expected the name of a tool, but found `readfile`; use `read_file`
        reply: expected a JSON object with `calls`, each with `tool` and `arguments`, but found `{"text": "a"}`; write it again, whole
    "#]].assert_eq(&lines.concat());
}

#[test]
fn definitions_of_every_tool_are_schemas() {
    let toolset = tools::toolset();
    for api in [Api::OpenAiChat, Api::Anthropic] {
        for adherence in [Adherence::Strict, Adherence::Loose] {
            for spec in toolset.specs() {
                let tool = spec.native(api, adherence).unwrap();
                let schema =
                    tool.pointer("/function/parameters").or_else(|| tool.get("input_schema"));
                jsonschema::draft202012::meta::validate(schema.unwrap()).unwrap();
            }
        }
    }
    let format = toolset.response_format(Calls::Several);
    jsonschema::draft202012::meta::validate(&format["json_schema"]["schema"]).unwrap();
}

#[test]
fn one_trigger_stands_for_names_that_begin_with_it() {
    let tool = |name| {
        let schema = json!({ "type": "object", "description": "A tool." });
        ToolSpec::from_schema(SpecHeader::new(name, Effect::Pure), schema).unwrap()
    };
    let tools = Toolset::new([tool("search_files"), tool("search"), tool("say")]);
    let tag = tools.structural_tag(&GrammarOptions::small());
    assert_eq!(tag["format"]["triggers"], json!(["<search", "<say"]));
    for tag in tag["format"]["tags"].as_array().unwrap() {
        let content = Grammar::read(tag["content"]["grammar"].as_str().unwrap()).derive(0);
        let reply =
            format!("{}{content}{}", tag["begin"].as_str().unwrap(), tag["end"].as_str().unwrap());
        assert_eq!(replies::calls(&tools, &reply).map(|it| it.len()), Ok(1), "{reply}");
    }
}

proptest! {
    #[test]
    fn a_call_survives_every_api(spec in prop::sample::select(tools::toolset().specs().to_vec()), seed: u64) {
        let arguments = generated::arguments(&spec, seed);
        for api in APIS {
            let native = spec.to_native(api, &arguments).to_string();
            let decoded = spec.of_native(api, &native);
            prop_assert_eq!(decoded.map(|it| it.arguments), Ok(arguments.clone()), "{}", native);
        }
    }
}
