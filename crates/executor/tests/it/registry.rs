//! Finding a tool and calling it.

use std::sync::Arc;

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use tagline_executor::{Audit, Capabilities, Registry, ToolContext};
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

#[test]
fn a_selection_has_the_order_of_the_names_each_once() {
    let all = crate::tools::registry();
    let wanted = ["look", "echo", "repeat"].map(str::to_owned);
    let kept = all.only(&wanted).unwrap().toolset();
    assert_eq!(kept.names().collect::<Vec<_>>(), ["look", "repeat"]);
}

#[test]
fn a_selection_names_what_is_missing() {
    let kept = registry().only(&["echo".to_owned()]).unwrap();
    assert_eq!(kept.entries().len(), 1);
    assert!(kept.faults().is_empty(), "{:?}", kept.faults());
    let error = registry().only(&["repeet".to_owned()]).unwrap_err();
    expect![[r#"tool `repeet`: expected the name of a tool, such as `repeat`; list them with `tagline tools list`"#]]
    .assert_eq(&error.to_string());
}
