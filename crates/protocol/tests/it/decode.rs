//! Blocks typed by their tools.
//!
//! A block is written one part a line: `@name text` is an attribute, `name text` a child,
//! `name[a=b c=d] text` a child with attributes, `name := json` a child of a JSON dialect,
//! `| text` a body.

use expect_test::{Expect, expect};
use proptest::{prelude::*, sample::select};
use tagline_parser::{Block, BlockId, Child, Value};
use tagline_protocol::{Decoded, decode};

use crate::tools;

pub(crate) fn block(name: &str, parts: &str) -> Block {
    let mut block = Block {
        id: BlockId(0),
        name: name.to_owned(),
        attributes: Vec::new(),
        children: Vec::new(),
        body: None,
        is_partial: false,
        is_recovered: false,
        is_from_unclosed_cdata: false,
        faults: Vec::new(),
        repairs: Vec::new(),
        span: 0..0,
    };
    for line in parts.lines().map(str::trim_start).filter(|it| !it.is_empty()) {
        let (name, text) = line.split_once(' ').unwrap_or((line, ""));
        match name.strip_prefix('@') {
            Some(name) => block.attributes.push((name.to_owned(), text.to_owned())),
            None if name == "|" => block.body = Some(Value::Text(text.to_owned())),
            None => block.children.push(child(line)),
        }
    }
    block
}

fn child(line: &str) -> Child {
    let end = line.find([' ', '[']).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let (attributes, text) = match rest.strip_prefix('[').and_then(|it| it.split_once(']')) {
        Some((attributes, text)) => (attributes, text),
        None => ("", rest),
    };
    let pairs = attributes.split_whitespace().map(|it| it.split_once('=').unwrap());
    let text = text.strip_prefix(' ').unwrap_or(text);
    Child {
        name: name.to_owned(),
        attributes: pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        value: match text.strip_prefix(":= ") {
            Some(json) => serde_json::from_str::<String>(json)
                .map_or_else(|_| Value::Json(json.to_owned()), Value::String),
            None => Value::Text(text.to_owned()),
        },
        is_declared: true,
    }
}

fn render(tool: &str, parts: &str) -> String {
    let toolset = tools::toolset();
    match decode(toolset.get(tool).unwrap(), &block(tool, parts)) {
        Ok(Decoded { arguments, warnings }) => {
            warnings.iter().fold(arguments.to_string(), |text, it| format!("{text}\nwarning: {it}"))
        }
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn check(tool: &str, parts: &str, expected: Expect) {
    expected.assert_eq(&render(tool, parts));
}

#[test]
fn values_are_typed_and_absent_ones_stay_absent() {
    check("read_file", "@path a.txt\n@from 7", expect![[r#"{"path":"a.txt","from":7}"#]]);
    check(
        "search_files",
        "query  fn main \n@min_score .5\n@match_case TRUE",
        expect![
            "`min_score` of `search_files`: expected a number, but found `.5`; write the value alone"
        ],
    );
    check(
        "search_files",
        "query x\n@min_score 0.5\n@match_case TRUE",
        expect![[r#"{"query":"x","min_score":0.5,"match_case":true}"#]],
    );
    check("read_file", "@path a.txt\n@from null\n@to ", expect![[r#"{"path":"a.txt"}"#]]);
}

#[test]
fn arguments_come_out_in_declared_order() {
    check(
        "read_file",
        "@to 9\n@from 7\n@path a.txt",
        expect![[r#"{"path":"a.txt","from":7,"to":9}"#]],
    );
}

#[test]
fn attributes_and_children_are_interchangeable_for_scalars() {
    check("read_file", "path a.txt\nfrom 7", expect![[r#"{"path":"a.txt","from":7}"#]]);
    check("search_files", "@query x\npath src", expect![[r#"{"query":"x","path":"src"}"#]]);
    check("execute_command", "@command ls", expect![[r#"{"command":"ls"}"#]]);
    check("execute_command", "command ls -l\n|   ", expect![[r#"{"command":"ls -l"}"#]]);
}

#[test]
fn a_name_is_the_same_in_any_case_and_with_hyphens() {
    check(
        "execute_command",
        "@Timeout-Seconds 5\n| ls",
        expect![[r#"{"timeout_seconds":5,"command":"ls"}"#]],
    );
}

#[test]
fn an_empty_body_is_a_value_and_a_missing_one_is_not() {
    check("write_file", "@path a.txt\n|", expect![[r#"{"path":"a.txt","content":""}"#]]);
    check(
        "write_file",
        "@path a.txt",
        expect![
            "body `content` of `write_file`: expected text between the tags, but there is no body; write it after the start tag, then the end tag"
        ],
    );
}

#[test]
fn the_text_of_a_body_is_untouched() {
    check(
        "write_file",
        "@path a.txt\n|   <b> &amp; \"c\"  ",
        expect![[r#"{"path":"a.txt","content":"  <b> &amp; \"c\"  "}"#]],
    );
}

#[test]
fn words_match_in_any_case() {
    check("say", "@tone WARM\n| hi", expect![[r#"{"tone":"warm","text":"hi"}"#]]);
    check(
        "say",
        "@tone cold\n| hi",
        expect![
            "`tone` of `say`: expected one of `warm`, `neutral`, `playful`, but found `cold`; use one of these"
        ],
    );
    check(
        "say",
        "@tone playfull\n| hi",
        expect![
            "`tone` of `say`: expected one of `warm`, `neutral`, `playful`, but found `playfull`; use `playful`"
        ],
    );
}

#[test]
fn repeated_children_make_a_list_in_order() {
    check(
        "update_plan",
        "step[status=done] one\nstep two",
        expect![[r#"{"step":[{"status":"done","text":"one"},{"text":"two"}]}"#]],
    );
    check(
        "mutate_data",
        "@id 1\nlabel a\nlabel b\n| []",
        expect![[r#"{"id":"1","label":["a","b"],"patch":[]}"#]],
    );
}

#[test]
fn a_field_of_a_child_is_named_with_its_place() {
    check(
        "update_plan",
        "step one\nstep[status=dune] two\nstep[text=three]",
        expect![
            "`step#2.status` of `update_plan`: expected one of `open`, `doing`, `done`, but found `dune`; use `done`"
        ],
    );
    check(
        "update_plan",
        "step[state=done] one\nstep",
        expect![
            "`step#2.text` of `update_plan`: expected text, but it is missing; write it between the tags of `step`"
        ],
    );
    check(
        "search_files",
        "query[lang=en] x",
        expect![[r#"
        {"query":"x"}
        warning: ignored `query.lang` of `search_files`: expected no arguments, but found an unknown name; leave it out"#]],
    );
}

#[test]
fn a_list_as_an_attribute_is_told_how_to_be_written() {
    check(
        "mutate_data",
        "@id 1\n@label a\n| []",
        expect![
            "`label` of `mutate_data`: expected child elements, but found an attribute; write one element `label` for each item"
        ],
    );
}

#[test]
fn json_of_other_dialects_is_typed_too() {
    check(
        "read_file",
        "path := \"a.txt\"\nfrom := 7\nto := \"9\"",
        expect![[r#"{"path":"a.txt","from":7,"to":9}"#]],
    );
    check(
        "update_plan",
        r#"step := [{"text":"one","status":"Done"},"two"]"#,
        expect![[r#"{"step":[{"status":"done","text":"one"},{"text":"two"}]}"#]],
    );
    check(
        "update_plan",
        r#"step := "[{\"text\":\"one\"}]""#,
        expect![[r#"{"step":[{"text":"one"}]}"#]],
    );
    check(
        "mutate_data",
        "id := 7\nlabel := [\"a\",1]\npatch := {\"op\":\"add\"}",
        expect![[r#"{"id":"7","label":["a","1"],"patch":{"op":"add"}}"#]],
    );
    check(
        "write_file",
        "path := \"a.json\"\ncontent := {\"b\": 1,  \"a\": 2}",
        expect![[r#"{"path":"a.json","content":"{\"b\": 1,  \"a\": 2}"}"#]],
    );
    check(
        "search_files",
        "query := \"x\"\nmatch_case := true\nmin_score := 1\npath := null",
        expect![[r#"{"query":"x","min_score":1,"match_case":true}"#]],
    );
    check(
        "search_files",
        "query := null\nmatch_case := 1\ncontext := 2.0",
        expect![[r#"
            `query` of `search_files`: expected text, but it is missing; write an element `query` inside
            `match_case` of `search_files`: expected true or false, but found `1`; write the value alone"#]],
    );
}

#[test]
fn a_list_is_one_value_in_json_python_or_elements() {
    check(
        "mutate_data",
        "id 1\nlabel := []\n| []",
        expect![[r#"{"id":"1","label":[],"patch":[]}"#]],
    );
    check(
        "mutate_data",
        "id 1\nlabel ['a', 'b']\n| {'op': None}",
        expect![[r#"{"id":"1","label":["a","b"],"patch":{"op":null}}"#]],
    );
    check(
        "mutate_data",
        "id 1\nlabel <item>a</item><item>b</item>\n| []",
        expect![[r#"{"id":"1","label":["a","b"],"patch":[]}"#]],
    );
    check(
        "mutate_data",
        "id 1\nlabel <b>a</b>\n| []",
        expect![[r#"{"id":"1","label":["<b>a</b>"],"patch":[]}"#]],
    );
    check(
        "mutate_data",
        "id 1\nlabel := [\"[1]\", [2,  3], {\"a\":  1.50}]\n| []",
        expect![[r#"{"id":"1","label":["[1]","[2,  3]","{\"a\":  1.50}"],"patch":[]}"#]],
    );
    check(
        "update_plan",
        "step <item><text>one</text><status>DONE</status></item><item>two</item>",
        expect![[r#"{"step":[{"status":"done","text":"one"},{"text":"two"}]}"#]],
    );
    check(
        "update_plan",
        "step <text>one</text><status>done</status>",
        expect![[r#"{"step":[{"status":"done","text":"one"}]}"#]],
    );
    check(
        "update_plan",
        "step <text>one</text><b>done</b>",
        expect![[r#"{"step":[{"text":"<text>one</text><b>done</b>"}]}"#]],
    );
    check(
        "update_plan",
        "step[status=done] <text>one</text>",
        expect![[r#"{"step":[{"status":"done","text":"<text>one</text>"}]}"#]],
    );
}

#[test]
fn no_number_becomes_another() {
    check(
        "mutate_data",
        "id := 123456789012345678901234567890\n| 1.50",
        expect![[r#"{"id":"123456789012345678901234567890","patch":1.5}"#]],
    );
    check(
        "mutate_data",
        "id 1\n| {\"n\": 18446744073709551615}",
        expect![[r#"{"id":"1","patch":{"n":18446744073709551615}}"#]],
    );
    check(
        "mutate_data",
        "id 1\n| {\"n\": 18446744073709551616}",
        expect![[
            r#"`patch` of `mutate_data`: expected JSON, but found `{"n": 18446744073709551616}` (a number in it has too many digits); write the value alone"#
        ]],
    );
    check(
        "read_file",
        "path a\nfrom := 9007199254740993",
        expect![
            "`from` of `read_file`: expected at most 4294967295, but found `9007199254740993`; stay within the bound"
        ],
    );
    check(
        "read_file",
        "path a\nfrom 18446744073709551616",
        expect![
            "`from` of `read_file`: expected a whole number, but found `18446744073709551616`; write the value alone"
        ],
    );
    check(
        "search_files",
        "query x\ncontext := 2.0\nmin_score 1e-1",
        expect![[r#"{"query":"x","context":2,"min_score":0.1}"#]],
    );
}

#[test]
fn a_json_body_is_parsed_and_its_damage_is_placed() {
    check(
        "mutate_data",
        r#"@id 1
        | [{"op": "add", "n": 1}]"#,
        expect![[r#"{"id":"1","patch":[{"op":"add","n":1}]}"#]],
    );
    check(
        "mutate_data",
        r#"@id 1
        | [{"op": "add" "n": 1}]"#,
        expect![[
            r#"`patch` of `mutate_data`: expected JSON, but found `[{"op": "add" "n": 1}]` (expected `,` or `}` at line 1 column 15); write the value alone"#
        ]],
    );
}

#[test]
fn bounds_hold() {
    check(
        "search_files",
        "query x\n@context 21\n@min_score 1.5",
        expect![[r#"
        `context` of `search_files`: expected at most 20, but found `21`; stay within the bound
        `min_score` of `search_files`: expected at most 1.0, but found `1.5`; stay within the bound"#]],
    );
    check(
        "search_files",
        "query \n@context 300",
        expect![[r#"
        `query` of `search_files`: expected at least 1 character, but found 0 characters; stay within the bound
        `context` of `search_files`: expected at most 20, but found `300`; stay within the bound"#]],
    );
    check(
        "read_file",
        "@path a\n@from 0\n@to 5000000000",
        expect![[r#"
        `from` of `read_file`: expected at least 1, but found `0`; stay within the bound
        `to` of `read_file`: expected at most 4294967295, but found `5000000000`; stay within the bound"#]],
    );
}

#[test]
fn everything_wrong_is_told_at_once() {
    check(
        "read_file",
        "@from x\n@to 2.5",
        expect![[r#"
            `path` of `read_file`: expected text, but it is missing; write the attribute `path="…"`
            `from` of `read_file`: expected a whole number, but found `x`; write the value alone
            `to` of `read_file`: expected a whole number, but found `2.5`; write the value alone"#]],
    );
    check(
        "search_files",
        "@path a\npath b\n@context many",
        expect![[r#"
            `query` of `search_files`: expected text, but it is missing; write an element `query` inside
            `path` of `search_files`: expected one value, but found `a` and `b`; give it once
            `context` of `search_files`: expected a whole number, but found `many`; write the value alone"#]],
    );
}

#[test]
fn one_value_given_twice_is_refused_unless_it_is_the_same() {
    check(
        "read_file",
        "@path a\npath b",
        expect!["`path` of `read_file`: expected one value, but found `a` and `b`; give it once"],
    );
    check("read_file", "@path a\npath a", expect![[r#"{"path":"a"}"#]]);
    check(
        "execute_command",
        "command ls\n| rm x",
        expect![
            "`command` of `execute_command`: expected one value, but found `ls` and `rm x`; give it once"
        ],
    );
}

#[test]
fn unknown_names_warn_where_little_is_at_stake_and_are_refused_elsewhere() {
    check(
        "read_file",
        "@path a\n@form 7",
        expect![[r#"
        {"path":"a"}
        warning: ignored `form` of `read_file`: expected `path`, `from`, `to`, but found an unknown name; use `from`"#]],
    );
    check(
        "write_file",
        "@path a\n@mode 644\n| x",
        expect![[r#"
        {"path":"a","content":"x"}
        warning: ignored `mode` of `write_file`: expected `path`, `content`, but found an unknown name; leave it out"#]],
    );
    check(
        "execute_command",
        "@dir /\n@timeout 5\n| ls",
        expect![[r#"
        `dir` of `execute_command`: expected `cwd`, `background`, `timeout_seconds`, `command`, but found an unknown name; leave it out
        `timeout` of `execute_command`: expected `cwd`, `background`, `timeout_seconds`, `command`, but found an unknown name; use `timeout_seconds`"#]],
    );
    check(
        "list_recent_commands",
        "@limit 5",
        expect![[r#"
        {}
        warning: ignored `limit` of `list_recent_commands`: expected no arguments, but found an unknown name; leave it out"#]],
    );
}

#[test]
fn text_where_no_body_is_declared_warns() {
    check(
        "read_file",
        "@path a\n| please",
        expect![[r#"
            {"path":"a"}
            warning: ignored text inside `read_file` of `read_file`: expected `path`, `from`, `to`, but found `please`; put it into an argument or leave it out"#]],
    );
}

#[test]
fn skeletons_and_first_examples_show_a_correct_call() {
    let toolset = tools::toolset();
    let lines = toolset.specs().iter().map(|it| format!("{}\n", it.skeleton()));
    expect![[r#"
        <write_file path="…">…</write_file>
        <read_file path="…"/>
        <search_files><query>…</query></search_files>
        <say>…</say>
        <update_plan><step>…</step></update_plan>
        <execute_command>…</execute_command>
        <mutate_data id="…">{}</mutate_data>
        <attempt_completion>…</attempt_completion>
        <list_recent_commands/>
    "#]]
    .assert_eq(&lines.collect::<String>());
    let error = decode(toolset.get("say").unwrap(), &block("say", "")).unwrap_err();
    expect![[r#"<say tone="warm">On it.</say>"#]].assert_eq(&error.example);
}

/// The parts of a block for a tool: its own names and wrong ones, values that fit and others.
fn parts(tool: usize) -> impl Strategy<Value = String> {
    let toolset = tools::toolset();
    let args = toolset.specs()[tool].args.iter();
    let mut names: Vec<String> = args.map(|it| it.name.clone()).collect();
    names.extend(["|", "other", "status", "text"].map(str::to_owned));
    let value = select(vec![
        "",
        " ",
        "a",
        "src/main.rs",
        "7",
        "-1",
        "0.5",
        "1e999",
        "99999999999999999999",
        "true",
        "NO",
        "null",
        "warm",
        "Done",
        "[]",
        "[1,\"a\"]",
        "{\"text\":\"x\"}",
        ":= null",
        ":= 7",
        ":= \"7\"",
        ":= [\"a\",{\"text\":\"b\",\"status\":\"open\"}]",
        ":= {\"text\":1}",
        ":= {",
        ":= true",
        ":= []",
        ":= [[1], \"[2]\", 12345678901234567890123]",
        "12345678901234567890123.0",
        "['a', None]",
        "{'text': 'x'}",
        "<item>a</item><item><text>b</text></item>",
        "<text>a</text><status>open</status>",
        "é漢",
    ]);
    let mark = select(vec!["", "@", "[status=done]", "[text=a]"]);
    let part = (select(names), mark, value).prop_map(|(name, mark, value)| match mark {
        "@" => format!("@{name} {value}"),
        _ if name == "|" => format!("| {value}"),
        mark => format!("{name}{mark} {value}"),
    });
    proptest::collection::vec(part, 0..8).prop_map(|it| it.join("\n"))
}

proptest! {
    #[test]
    fn what_decodes_satisfies_the_schema(
        (tool, parts) in (0..tools::toolset().specs().len()).prop_flat_map(|n| (Just(n), parts(n)))
    ) {
        let toolset = tools::toolset();
        let spec = &toolset.specs()[tool];
        match decode(spec, &block(&spec.name, &parts)) {
            Ok(decoded) => {
                prop_assert!(jsonschema::is_valid(&spec.schema, &decoded.arguments), "{}", decoded.arguments);
                prop_assert!(tools::deserializes(&spec.name, &decoded.arguments), "{}", decoded.arguments);
            }
            Err(error) => prop_assert!(!error.faults.is_empty() && !error.to_string().is_empty()),
        }
    }
}
