//! What a turn meets: one fixture for each case, and a table of how each went,
//! `docs/turn-cases.md`. A case without a fixture counts as failed.

mod circles;
mod resumed;

use std::panic::AssertUnwindSafe;

use expect_test::expect_file;
use futures_util::{FutureExt as _, future::BoxFuture};
use serde::Deserialize;

/// A case in words.
#[derive(Debug, Deserialize)]
struct Case {
    id: String,
    input: String,
    expected: String,
}

/// Plays a case; says what was seen, and panics where that is not as it should be.
type Fixture = fn() -> BoxFuture<'static, String>;

const FIXTURES: &[(&str, Fixture)] = &[
    ("DOS-07", || circles::the_same_call().boxed()),
    ("DOS-08", || circles::rounds().boxed()),
    ("DOS-09", || circles::no_room().boxed()),
    ("RES-03", || resumed::a_call_without_a_result().boxed()),
    ("RES-19", || resumed::a_call_in_the_history().boxed()),
];

async fn row(case: &Case) -> String {
    let fixture = FIXTURES.iter().find(|(id, _)| *id == case.id);
    let found = match fixture {
        None => "**failed**: no fixture".to_owned(),
        Some((_, fixture)) => match AssertUnwindSafe(fixture()).catch_unwind().await {
            Ok(seen) => format!("passed: {seen}"),
            Err(_) => "**failed**".to_owned(),
        },
    };
    format!("| {} | {} | {} | {found} |\n", case.id, case.input, case.expected)
}

const HEAD: &str = "\
# Cases of turns

Written by `cargo test -p tagline-session turn_cases`: each case is a whole session with a scripted model and real tools. A case
without a fixture counts as failed.

| case | what happens | what must follow | what was seen |
|--|--|--|--|
";

#[tokio::test]
async fn every_case_of_a_turn_goes_as_it_should() {
    let lines = include_str!("cases.jsonl").lines();
    let cases: Vec<Case> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut rows = String::new();
    for case in &cases {
        rows += &row(case).await;
    }
    let n_passed = rows.lines().filter(|row| !row.contains("**failed**")).count();
    let table = format!("{HEAD}{rows}\n{n_passed} of {} passed.\n", cases.len());
    expect_file!["../../../../../docs/turn-cases.md"].assert_eq(&table);
    assert_eq!(n_passed, cases.len());
}
