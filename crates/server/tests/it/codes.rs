//! The list of codes, and what it says in the documents.

use std::collections::BTreeSet;

use expect_test::expect_file;
use tagline_server::ApiError;

#[test]
fn every_code_is_in_the_documents() {
    let mut text = String::from(
        "# Codes of the HTTP interface\n\nEvery answer that is no success has this body, and the \
         same id in the header `X-Request-Id`:\n\n```json\n{\"error\":{\"status\":404,\"code\":\
         \"no_such_route\",\"message\":\"…\",\"hint\":\"…\",\"request_id\":\"…\"}}\n```\n\nThe code \
         stays the same from version to version; the words may change.\n\n\
         | code | status | for example | what to do |\n|--|--|--|--|\n",
    );
    for error in ApiError::samples() {
        let row = error.code();
        text += &format!("| `{}` | {} | {error} | {} |\n", row.code, row.status, row.hint);
    }
    expect_file!["../../../../docs/http-codes.md"].assert_eq(&text);
}

#[test]
fn no_code_stands_for_two_kinds() {
    let samples = ApiError::samples();
    let codes: BTreeSet<_> = samples.iter().map(|error| error.code().code).collect();
    assert_eq!(codes.len(), samples.len());
}

#[test]
fn every_kind_has_a_sample() {
    let source = include_str!("../../src/error/mod.rs");
    let rows = source.matches("row(").count() - "const fn row(".matches("row(").count();
    let samples = ApiError::samples();
    let own = samples.iter().filter(|error| !matches!(error, ApiError::Hub(_)));
    assert_eq!(own.count(), rows);
}
