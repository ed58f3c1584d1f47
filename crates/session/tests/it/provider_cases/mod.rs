//! What providers do to a session: one fixture for each case, and a table of how each went,
//! `docs/provider-cases.md`. A case without a fixture counts as failed.

mod bed;
mod every_byte;
mod models;
mod streams;
mod waits;

use std::panic::catch_unwind;

use expect_test::expect_file;
use serde::Deserialize;
use tagline_fake_provider::runtime;

/// A case in words.
#[derive(Debug, Deserialize)]
struct Case {
    id: String,
    input: String,
    expected: String,
}

/// Plays a case; says what was seen, and panics where that is not as it should be.
type Fixture = fn() -> String;

const FIXTURES: &[(&str, Fixture)] = &[
    ("PF-01", || play(waits::a_named_wait())),
    ("PF-02", || play(waits::every_form_of_a_wait())),
    ("PF-04", || play(waits::passing_faults())),
    ("PF-06", || play(streams::reset_before_output())),
    ("PF-08", || play(streams::reset_behind_a_call())),
    ("PF-09", || play(streams::reset_in_a_call())),
    ("PF-12", || play(streams::no_stream())),
    ("PF-13", || play(streams::nothing())),
    ("PF-15", || play(waits::a_clock_that_jumps())),
    ("PF-16", || play(models::too_long())),
    ("PF-17", || play(waits::always_broken())),
    ("PF-19", || play(waits::stopped())),
    ("PF-20", || play(models::another_key())),
    ("PF-21", || play(models::another_model())),
    ("PF-22", || play(streams::counts())),
];

fn play(fixture: impl Future<Output = String>) -> String {
    runtime().unwrap().block_on(fixture)
}

fn row(case: &Case) -> String {
    let fixture = FIXTURES.iter().find(|(id, _)| *id == case.id);
    let found = match fixture {
        None => "**failed**: no fixture".to_owned(),
        Some((_, fixture)) => match catch_unwind(fixture) {
            Ok(seen) => format!("passed: {seen}"),
            Err(_) => "**failed**".to_owned(),
        },
    };
    format!("| {} | {} | {} | {found} |\n", case.id, case.input, case.expected)
}

const HEAD: &str = "\
# Cases of provider faults

Written by `cargo test -p tagline-session provider_cases`: each case is a whole session with a provider on this machine that does
just that, on a clock that does not wait. A case without a fixture counts as failed.

| case | what happens | what must follow | what was seen |
|--|--|--|--|
";

#[test]
fn every_case_of_a_provider_fault_goes_as_it_should() {
    let cases: Vec<Case> = include_str!("cases.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let rows: Vec<String> = cases.iter().map(row).collect();
    let n_passed = rows.iter().filter(|row| !row.contains("**failed**")).count();
    let table = format!("{HEAD}{}\n{n_passed} of {} passed.\n", rows.concat(), rows.len());
    expect_file!["../../../../../docs/provider-cases.md"].assert_eq(&table);
    assert_eq!(n_passed, cases.len());
}
