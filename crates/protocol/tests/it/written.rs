//! Calls as text: what is written reads back as it was.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::{Value, json};
use tagline_protocol::{ToolSpec, Toolset};

use crate::{generated, replies, tools};

#[track_caller]
fn check(tool: &str, arguments: &Value, expected: Expect) {
    let toolset = tools::toolset();
    let text = toolset.get(tool).unwrap().written(arguments);
    expected.assert_eq(&text);
    assert_reads_back(&toolset, tool, arguments, &text).unwrap();
}

/// Whether the text is the one call with these arguments.
pub(crate) fn assert_reads_back(
    toolset: &Toolset,
    tool: &str,
    arguments: &Value,
    text: &str,
) -> Result<(), String> {
    let calls = replies::calls(toolset, text).map_err(|it| format!("{text:?}: {it}"))?;
    let expected = [format!("{tool}{arguments}")];
    if calls == expected { Ok(()) } else { Err(format!("{text:?}\n{calls:?}\n{expected:?}")) }
}

#[test]
fn each_place_and_type_has_its_form() {
    check(
        "search_files",
        &json!({"query": "a < b", "path": "x\"y", "context": 3, "min_score": 0.5, "match_case": true}),
        expect![[
            r#"<search_files path="x&quot;y" context="3" min_score="0.5" match_case="true"><query><![CDATA[a < b]]></query></search_files>"#
        ]],
    );
    check(
        "update_plan",
        &json!({"step": [{"status": "done", "text": "Read it"}, {"text": "Mend it"}]}),
        expect![[
            r#"<update_plan><step status="done">Read it</step><step>Mend it</step></update_plan>"#
        ]],
    );
    check("list_recent_commands", &json!({}), expect!["<list_recent_commands/>"]);
    check(
        "mutate_data",
        &json!({"id": "app-1", "label": ["a", "b"], "patch": [{"op": "add", "value": "</x>"}]}),
        expect![[
            r#"<mutate_data id="app-1"><label>a</label><label>b</label><![CDATA[[{"op":"add","value":"\u003c/x>"}]]]></mutate_data>"#
        ]],
    );
}

#[test]
fn a_text_that_could_be_something_else_is_kept_apart() {
    check(
        "write_file",
        &json!({"path": "a\\", "content": "\n]]></write_file>\n<write_file path=\"b\"/>]]"}),
        expect![[r#"
            <write_file path="a&#92;"><![CDATA[

            ]]]]><![CDATA[></]]><![CDATA[write_file>
            <]]><![CDATA[write_file path="b"/>]]]]></write_file>"#]],
    );
    check(
        "say",
        &json!({"text": " {\"a\": 1} "}),
        expect!["<say>&#32;{&quot;a&quot;: 1}&#32;</say>"],
    );
    check(
        "update_plan",
        &json!({"step": []}),
        expect!["<update_plan><step>&#91;]</step></update_plan>"],
    );
    check(
        "update_plan",
        &json!({"step": [{"text": "{\"text\": 1}"}]}),
        expect![[
            r#"<update_plan><step>&#123;&quot;text&quot;:&quot;{\&quot;text\&quot;: 1}&quot;}</step></update_plan>"#
        ]],
    );
    check(
        "mutate_data",
        &json!({"id": "", "label": ["[1]"], "patch": null}),
        expect![[
            r#"<mutate_data id=""><label>&#91;&quot;[1]&quot;]</label><![CDATA[null]]></mutate_data>"#
        ]],
    );
}

fn any_tool() -> impl Strategy<Value = ToolSpec> {
    let specs = tools::toolset().specs().to_vec();
    prop::sample::select(specs)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whatever_a_call_holds_it_reads_back(spec in any_tool(), seed: u64) {
        let toolset = tools::toolset();
        let arguments = generated::arguments(&spec, seed);
        let text = spec.written(&arguments);
        let read = assert_reads_back(&toolset, &spec.name, &arguments, &text);
        prop_assert!(read.is_ok(), "{}", read.unwrap_err());
    }
}
