//! The conversation family: what its tools answer and refuse.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::bench::Bench;

async fn check(tool: &str, arguments: Value, expected: Expect) {
    let answer = match Bench::new().call(tool, arguments).await {
        Ok(output) => format!("{}\n{}", output.echo, output.card.payload),
        Err(failure) => format!("{}: {failure}", failure.kind()),
    };
    expected.assert_eq(&answer);
}

#[tokio::test]
async fn an_answer_reaches_the_card_with_the_command_that_shows_it() {
    check(
        "attempt_completion",
        json!({ "result": "done", "command": "ls" }),
        expect![[r#"
        done
        {"result":"done","command":"ls"}"#]],
    )
    .await;
    check(
        "attempt_completion",
        json!({ "result": "done" }),
        expect![[r#"
        done
        {"result":"done","command":null}"#]],
    )
    .await;
}

#[tokio::test]
async fn an_answer_is_not_empty() {
    check("attempt_completion", json!({ "result": " \n" }), expect!["bad_call: `result` of `attempt_completion`: expected the answer, but found nothing; write <attempt_completion><result>the answer</result></attempt_completion>"]).await;
}

#[tokio::test]
async fn a_question_carries_its_kind_and_options() {
    let arguments = json!({ "question": "Which?", "kind": "choice", "option": ["a", "b"] });
    check(
        "wait_for_human_input",
        arguments,
        expect![[r#"
        asked
        {"kind":"choice","question":"Which?","options":["a","b"]}"#]],
    )
    .await;
    check(
        "wait_for_human_input",
        json!({ "question": "Why?" }),
        expect![[r#"
        asked
        {"kind":"question","question":"Why?","options":[]}"#]],
    )
    .await;
}

#[tokio::test]
async fn a_question_is_not_empty_and_a_choice_has_options() {
    check("wait_for_human_input", json!({ "question": " " }), expect!["bad_call: body of `wait_for_human_input`: expected a question, but found nothing; write <wait_for_human_input>your question</wait_for_human_input>"]).await;
    let one = json!({ "question": "Which?", "kind": "choice", "option": ["a"] });
    check("wait_for_human_input", one, expect![[r#"bad_call: `option` of `wait_for_human_input`: expected at least 2 with kind="choice", but found 1; write one <option>…</option> for each answer, or leave `kind` out"#]]).await;
}

#[tokio::test]
async fn a_plan_counts_what_is_completed() {
    let steps = json!({ "step": [
        { "status": "completed", "text": "read" },
        { "status": "in_progress", "text": "write" },
        { "text": "run" },
    ] });
    check("update_plan", steps, expect![[r#"
        the plan shows 1 of 3 steps completed
        {"steps":[{"status":"completed","text":"read"},{"status":"in_progress","text":"write"},{"status":"pending","text":"run"}],"done":1}"#]]).await;
    check("update_plan", json!({}), expect![[r#"bad_call: `step` of `update_plan`: expected at least 1, but found none; write <update_plan><step status="in_progress">what you do now</step></update_plan>"#]]).await;
}

#[tokio::test]
async fn words_and_thoughts_reach_the_card() {
    check(
        "say",
        json!({ "tone": "warm", "text": "hi" }),
        expect![[r#"
        said
        {"tone":"warm","text":"hi"}"#]],
    )
    .await;
    check(
        "thinking",
        json!({ "text": "hm" }),
        expect![[r#"
        thought
        {"text":"hm"}"#]],
    )
    .await;
}
