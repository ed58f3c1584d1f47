//! Finding a tool and calling it.

use std::sync::Arc;

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use tagline_executor::{Audit, Capabilities, Registry, ToolContext, ToolSets};
use tagline_protocol::CallId;
use tokio_util::sync::CancellationToken;

use crate::tools::Repeat;

fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.add::<Repeat>();
    registry
}

fn context() -> ToolContext {
    ToolContext {
        call: CallId("c1".to_owned()),
        session: "s".to_owned(),
        is_approved: false,
        cancel: CancellationToken::new(),
        audit: Audit::default(),
        emit: Arc::new(|_| ()),
        capabilities: Capabilities::default(),
    }
}

async fn check(name: &str, arguments: Value, expected: Expect) {
    let registry = registry();
    let outcome = (registry.get(name).unwrap().call)(arguments, &context()).await;
    let shown = match outcome {
        Ok(output) => output.echo.to_string(),
        Err(failure) => format!("{}: {failure}", failure.kind()),
    };
    expected.assert_eq(&shown);
}

#[tokio::test]
async fn a_tool_answers_to_its_name_and_its_aliases() {
    check("repeat", json!({ "text": "hi" }), expect!["hi"]).await;
    check("echo", json!({ "text": "hi" }), expect!["hi"]).await;
    check("Repeat", json!({ "text": "hi" }), expect!["hi"]).await;
    assert!(registry().get("repeated").is_none());
}

#[tokio::test]
async fn wrong_arguments_are_a_bad_call_with_a_correct_one() {
    let expected = expect![[
        r#"bad_call: `repeat`: unknown field `words`, expected `text`; a correct call: <repeat text="hello"/>"#
    ]];
    check("repeat", json!({ "words": "hi" }), expected).await;
}

fn sets() -> ToolSets {
    let mut sets = ToolSets::default();
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    sets.add("reading", words("look get"));
    sets.add("careful", words("all -append -crash"));
    sets.add("both", words("reading repeat"));
    sets.add("loop", words("look pool"));
    sets.add("pool", words("loop"));
    sets.add("reading", words("look"));
    sets
}

#[track_caller]
fn selects(words: &str, expected: Expect) {
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    let selected = crate::tools::registry().select(&words, &sets());
    let names = |it: Registry| it.toolset().names().collect::<Vec<_>>().join(" ");
    expected.assert_eq(&selected.map_or_else(|error| error.to_string(), names));
}

#[test]
fn words_select_tools_in_their_order_each_once() {
    selects("", expect!["repeat look append crash busy busy_write endless polite moving get poke"]);
    selects("look echo repeat", expect!["look repeat"]);
    selects("reading", expect!["look"]);
    selects("both look", expect!["look repeat"]);
    selects("careful", expect!["repeat look busy busy_write endless polite moving get poke"]);
    selects("-crash -both", expect!["append busy busy_write endless polite moving get poke"]);
    selects("all -careful", expect!["append crash"]);
}

#[test]
fn words_that_select_nothing_are_told_why() {
    selects(
        "repeet",
        expect![
            "tools: expected names of tools and of toolsets, but found `repeet`; did you mean `repeat`?"
        ],
    );
    selects(
        "readin",
        expect![
            "tools: expected names of tools and of toolsets, but found `readin`; did you mean `reading`?"
        ],
    );
    selects(
        "look -xyzzyplugh",
        expect![
            "tools: expected names of tools and of toolsets, but found `xyzzyplugh`; see `tagline tools list` and `tagline tools sets`"
        ],
    );
    selects(
        "loop",
        expect![
            "toolset `loop`: expected tools and other sets, but found the set within itself; take it out of there"
        ],
    );
    selects(
        "look -look",
        expect!["tools: expected at least one, but found none left; leave out fewer"],
    );
    let mut taken = ToolSets::default();
    taken.add("look", Vec::new());
    let error = crate::tools::registry().select(&[], &taken).unwrap_err();
    expect!["toolset `look`: expected a name of its own, but found that of a tool; rename the set"]
        .assert_eq(&error.to_string());
}

#[test]
fn a_name_that_no_tool_has_is_told_with_those_near_it() {
    let error = registry().no_such_tool("repeet");
    expect![[r#"tool `repeet`: expected the name of a tool, such as `repeat`; list them with `tagline tools list`"#]]
    .assert_eq(&error.to_string());
}
