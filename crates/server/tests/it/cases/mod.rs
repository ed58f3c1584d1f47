//! What others try, and what must not be lost: one fixture for each case, and a table of how each
//! went, `docs/server-cases.md`. A case without a fixture counts as failed.

mod foreign;
mod kept;

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
    ("CSRF-01", || foreign::simple().boxed()),
    ("CSRF-02", || foreign::blob().boxed()),
    ("CSRF-03", || foreign::forms().boxed()),
    ("CSRF-05", || foreign::another_port().boxed()),
    ("CSRF-06", || foreign::origins_like_ours().boxed()),
    ("CSRF-08", || foreign::preflight().boxed()),
    ("CSRF-09", || foreign::streams().boxed()),
    ("CSRF-10", || foreign::places_of_the_token().boxed()),
    ("CSRF-13", || foreign::another_server().boxed()),
    ("DNS-02", || foreign::unspecified_hosts().boxed()),
    ("DNS-04", || foreign::own_hosts().boxed()),
    ("DNS-05", || foreign::ambiguous_hosts().boxed()),
    ("DNS-07", || foreign::broken_list().boxed()),
    ("DOS-01", || kept::too_much().boxed()),
    ("DOS-03", || {
        test("deaf.rs", "a_reader_that_stops_costs_little_loses_its_stream_and_holds_up_nobody")
            .boxed()
    }),
    ("RES-13", || test("cuts.rs", "a_stream_that_is_cut_anywhere_has_every_event_once").boxed()),
    ("RES-16", || kept::messages_at_any_time().boxed()),
    ("RES-17", || kept::sent_again().boxed()),
    ("RES-22", || kept::stops().boxed()),
    ("RES-24", || kept::a_question_over_a_restart().boxed()),
];

/// A case that has a test of its own, because it takes long or needs a browser.
async fn test(file: &str, name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(&format!("async fn {name}()")), "there is no such test");
    format!("held by the test `{name}`")
}

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
# Cases of the server

Written by `cargo test -p tagline-server cases`: each case is played against a server that listens on this machine. A case
without a fixture counts as failed. What pages of others can send from a real browser, and what a reply can do to the page, is in [page-cases.md](page-cases.md).

| case | what happens | what must follow | what was seen |
|--|--|--|--|
";

#[tokio::test(flavor = "multi_thread")]
async fn every_case_of_the_server_goes_as_it_should() {
    let cases: Vec<Case> = include_str!("cases.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut rows = Vec::new();
    for case in &cases {
        rows.push(row(case).await);
    }
    let n_passed = rows.iter().filter(|row| !row.contains("**failed**")).count();
    let table = format!("{HEAD}{}\n{n_passed} of {} passed.\n", rows.concat(), rows.len());
    expect_file!["../../../../../docs/server-cases.md"].assert_eq(&table);
    assert_eq!(n_passed, cases.len());
}
