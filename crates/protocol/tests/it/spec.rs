//! Tools as read off their types.

use expect_test::{Expect, expect};
use schemars::JsonSchema;
use tagline_protocol::{ArgSpec, Effect, SpecHeader, ToolSpec};

use crate::tools;

fn render(args: &[ArgSpec], indent: &str) -> String {
    args.iter().map(|arg| render_arg(arg, indent)).collect()
}

fn render_arg(arg: &ArgSpec, indent: &str) -> String {
    let raw = if arg.is_raw { " raw" } else { "" };
    let also = if arg.is_also_child { " or child" } else { "" };
    let need = if arg.is_required { "required" } else { "optional" };
    let default = arg.default.as_ref().map(|it| format!(" = {it}")).unwrap_or_default();
    let (name, place, words) = (&arg.name, arg.place, arg.ty.in_words());
    let inner = render(arg.ty.fields(), &format!("{indent}  "));
    format!(
        "{indent}{name}: {place:?}{also}{raw}, {need} {words}{default}\n{indent}  {}\n{inner}",
        arg.schema
    )
}

#[track_caller]
fn check(tool: &str, expected: Expect) {
    let toolset = tools::toolset();
    let spec = toolset.get(tool).unwrap();
    expected.assert_eq(&format!(
        "{}\n{}{}\n",
        spec.description,
        render(&spec.args, ""),
        spec.schema
    ));
}

#[track_caller]
fn check_error<T: JsonSchema>(expected: Expect) {
    expected.assert_eq(
        &ToolSpec::of::<T>(SpecHeader::new("tool", Effect::Pure)).unwrap_err().to_string(),
    );
}

#[test]
fn fields_keep_their_order_docs_defaults_and_bounds() {
    check(
        "search_files",
        expect![[r#"
        Searches text in files.
        query: Child raw, required text
          {"type":"string","description":"What to look for.","minLength":1}
        path: Attribute, optional text = "."
          {"type":"string","description":"Folder to look in.","default":"."}
        context: Attribute, optional a whole number = 2
          {"type":"integer","minimum":0,"maximum":20,"description":"Lines around each match.","default":2}
        min_score: Attribute, optional a number
          {"type":"number","description":"Least score.","minimum":0.0,"maximum":1.0}
        match_case: Attribute, optional true or false = false
          {"type":"boolean","description":"Whether upper and lower case differ.","default":false}
        {"type":"object","properties":{"query":{"type":"string","description":"What to look for.","minLength":1},"path":{"type":"string","description":"Folder to look in.","default":"."},"context":{"type":"integer","minimum":0,"maximum":20,"description":"Lines around each match.","default":2},"min_score":{"type":"number","description":"Least score.","minimum":0.0,"maximum":1.0},"match_case":{"type":"boolean","description":"Whether upper and lower case differ.","default":false}},"required":["query"]}
    "#]],
    );
}

#[test]
fn an_absent_value_is_not_a_null() {
    check(
        "read_file",
        expect![[r#"
        Reads a file, with line numbers.
        path: Attribute, required text
          {"type":"string","description":"Path below the workspace."}
        from: Attribute, optional a whole number
          {"type":"integer","minimum":1,"description":"First line, from 1.","maximum":4294967295}
        to: Attribute, optional a whole number
          {"type":"integer","minimum":1,"description":"Last line.","maximum":4294967295}
        {"type":"object","properties":{"path":{"type":"string","description":"Path below the workspace."},"from":{"type":"integer","minimum":1,"description":"First line, from 1.","maximum":4294967295},"to":{"type":"integer","minimum":1,"description":"Last line.","maximum":4294967295}},"required":["path"]}
    "#]],
    );
    check(
        "say",
        expect![[r#"
        Speaks to the user.
        tone: Attribute, optional one of warm, neutral, playful
          {"description":"How it is meant.","type":"string","enum":["warm","neutral","playful"]}
        text: Body, required text
          {"type":"string","description":"The words."}
        {"type":"object","properties":{"tone":{"description":"How it is meant.","type":"string","enum":["warm","neutral","playful"]},"text":{"type":"string","description":"The words."}},"required":["text"]}
    "#]],
    );
}

#[test]
fn a_list_of_structs_is_a_repeated_child_with_attributes_and_a_body() {
    check(
        "update_plan",
        expect![[r#"
        Shows the plan.
        step: Child, required a list of an element with status, text
          {"type":"array","items":{"type":"object","properties":{"status":{"description":"Where it stands.","type":"string","enum":["open","doing","done"],"default":"open"},"text":{"description":"What is done.","type":"string"}},"required":["text"]},"description":"The steps, in order."}
          status: Attribute, optional one of open, doing, done = "open"
            {"description":"Where it stands.","type":"string","enum":["open","doing","done"],"default":"open"}
          text: Body, required text
            {"description":"What is done.","type":"string"}
        {"type":"object","properties":{"step":{"type":"array","items":{"type":"object","properties":{"status":{"description":"Where it stands.","type":"string","enum":["open","doing","done"],"default":"open"},"text":{"description":"What is done.","type":"string"}},"required":["text"]},"description":"The steps, in order."}},"required":["step"]}
    "#]],
    );
}

#[test]
fn a_body_may_be_any_json() {
    check(
        "mutate_data",
        expect![[r#"
        Changes the stored data of a surface.
        id: Attribute, required text
          {"type":"string","description":"The surface."}
        label: Child, optional a list of text
          {"type":"array","items":{"type":"string"},"description":"Labels to add."}
        patch: Body raw, required JSON
          {"description":"A JSON Patch."}
        {"type":"object","properties":{"id":{"type":"string","description":"The surface."},"label":{"type":"array","items":{"type":"string"},"description":"Labels to add."},"patch":{"description":"A JSON Patch."}},"required":["id","patch"]}
    "#]],
    );
}

#[test]
fn a_tool_may_have_no_arguments() {
    check(
        "list_recent_commands",
        expect![[r#"
            Lists recent commands.
            {"type":"object","properties":{}}
        "#]],
    );
}

#[test]
fn the_parser_is_told_names_places_and_kinds() {
    let toolset = tools::toolset();
    expect![[r#"
        TagSpec {
            name: "execute_command",
            aliases: [],
            attributes: [
                "cwd",
                "background",
                "timeout_seconds",
            ],
            children: [
                ChildSpec {
                    name: "command",
                    kind: Raw,
                    is_list: false,
                    attributes: [],
                },
            ],
            body: Some(
                Raw,
            ),
            is_lenient_eof: false,
            needs_mark: true,
        }"#]]
    .assert_eq(&format!("{:#?}", toolset.get("execute_command").unwrap().tag_spec()));
    expect![[r#"
        TagSpec {
            name: "update_plan",
            aliases: [],
            attributes: [],
            children: [
                ChildSpec {
                    name: "step",
                    kind: Scalar,
                    is_list: true,
                    attributes: [
                        "status",
                    ],
                },
            ],
            body: None,
            is_lenient_eof: false,
            needs_mark: false,
        }"#]]
    .assert_eq(&format!("{:#?}", toolset.get("update_plan").unwrap().tag_spec()));
}

#[test]
fn tools_are_found_by_any_of_their_names_and_clashes_are_told() {
    let toolset = tools::toolset();
    assert_eq!(toolset.get("Write-To-File").unwrap().name, "write_file");
    assert!(toolset.get("write").is_none());
    assert_eq!(toolset.nearest("writefile"), ["write_file"]);
    assert!(toolset.clashes().is_empty());
    let twice = toolset.specs().iter().take(1).cycle().take(2).cloned();
    assert_eq!(tagline_protocol::Toolset::new(twice).clashes(), ["write_file", "write_to_file"]);
}

#[test]
fn schemas_are_valid_and_do_not_speak_of_tags() {
    for spec in tools::toolset().specs() {
        jsonschema::draft202012::meta::validate(&spec.schema).unwrap();
        assert!(!spec.schema.to_string().contains("x-tag"), "{}", spec.schema);
    }
}

#[test]
fn reading_a_type_twice_gives_the_same_bytes() {
    let (once, again) = (tools::toolset(), tools::toolset());
    for (left, right) in once.specs().iter().zip(again.specs()) {
        assert_eq!(left.schema.to_string(), right.schema.to_string());
    }
}

/// Two bodies.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct TwoBodies {
    #[schemars(extend("x-tag" = "body"))]
    one: String,
    #[schemars(extend("x-tag" = "body raw"))]
    two: String,
}

/// A word that does not exist.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct UnknownWord {
    #[schemars(extend("x-tag" = "verbatim"))]
    one: String,
}

/// Raw alone.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct NoPlace {
    #[schemars(extend("x-tag" = "raw"))]
    one: String,
}

/// A number as a body.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct NumberBody {
    #[schemars(extend("x-tag" = "body"))]
    one: u8,
}

/// A raw attribute.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct RawAttribute {
    #[schemars(extend("x-tag" = "attribute raw"))]
    one: String,
}

/// A list as an attribute.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct ListAttribute {
    #[schemars(extend("x-tag" = "attribute"))]
    one: Vec<String>,
}

/// A child of a child.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Deep {
    outer: Vec<Inner>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Inner {
    words: Vec<String>,
}

/// A tree.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Tree {
    branches: Vec<Tree>,
}

/// A pair.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Pair {
    pair: (u8, String),
}

/// Names that look the same to a model.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct SameName {
    run_id: String,
    #[serde(rename = "Run-ID")]
    other: String,
}

/// Words, not fields.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
enum NotAStruct {
    One,
}

#[derive(JsonSchema)]
struct Silent {}

#[test]
fn each_mistake_in_a_definition_has_its_own_sentence() {
    check_error::<TwoBodies>(expect![
        "body of `tool`: expected one argument, but found `one` and `two`; make one of them a child"
    ]);
    check_error::<UnknownWord>(expect![
        "`x-tag` of `one` of `tool`: expected `attribute`, `child`, `body` or `raw`, but found `verbatim`; mend the word"
    ]);
    check_error::<NoPlace>(expect![
        "`x-tag` of `one` of `tool`: expected one place, or `body child`, but found `raw`; name one"
    ]);
    check_error::<NumberBody>(expect![
        "body `one` of `tool`: expected text or any JSON, but found a whole number; make it an attribute or a child"
    ]);
    check_error::<RawAttribute>(expect![
        "attribute `one` of `tool`: expected no `raw`, because entities in attributes are decoded; make it a child"
    ]);
    check_error::<ListAttribute>(expect![
        "`one` of `tool`: expected a child, but found an attribute that holds a list of text; declare it as `child`"
    ]);
    check_error::<Deep>(expect![
        "`words` of `outer` of `tool`: expected attributes and one body inside a child, but found a list of text; flatten it"
    ]);
    check_error::<Tree>(expect![
        "`branches` of `tool`: expected text, a number, a boolean, words, a list or a struct, but found a schema with `$ref`; use another type"
    ]);
    check_error::<Pair>(expect![
        "`pair` of `tool`: expected text, a number, a boolean, words, a list or a struct, but found `array`; use another type"
    ]);
    check_error::<SameName>(expect![
        "arguments of `tool`: expected different names, but found `run_id` and `Run-ID`; rename one"
    ]);
    check_error::<NotAStruct>(expect![
        "tool `tool`: expected an object with named fields, but found `string`; make its type a struct"
    ]);
    check_error::<Silent>(expect![
        "tool `tool`: expected a description, but found none; write a doc comment on its type"
    ]);
    let error = ToolSpec::of::<tools::Say>(SpecHeader::new("Say", Effect::Pure)).unwrap_err();
    expect!["name `Say`: expected a lower-case letter, then lower-case letters, digits and underscores, at most 64 bytes; rename the tool"].assert_eq(&error.to_string());
}
