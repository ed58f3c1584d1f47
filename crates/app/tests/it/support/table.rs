//! Tables of cases: each case plays itself, and its row says how it went.

use std::panic::catch_unwind;

/// What was seen, or why the case cannot pass yet; a fixture panics where something is wrong.
pub(crate) type Seen = Result<String, &'static str>;

/// A case in words, and what plays it.
pub(crate) struct Case {
    pub(crate) id: &'static str,
    pub(crate) input: &'static str,
    pub(crate) expected: &'static str,
    pub(crate) fixture: fn() -> Seen,
}

/// A row for each case behind `head`, and how many passed.
pub(crate) fn table(head: &str, cases: &[Case]) -> String {
    let rows: Vec<String> = cases.iter().map(row).collect();
    let n_passed = rows.iter().filter(|row| !row.contains("**failed**")).count();
    let table = format!("{head}{}\n{n_passed} of {} passed.\n", rows.concat(), rows.len());
    // A case that fails has a reason that is known.
    assert!(!table.contains("**failed** |"), "{table}");
    table
}

fn row(case: &Case) -> String {
    let found = match catch_unwind(case.fixture) {
        Ok(Ok(seen)) => format!("passed: {seen}"),
        Ok(Err(why)) => format!("**failed**: {why}"),
        Err(_) => "**failed**".to_owned(),
    };
    let found = found.replace('|', "\\|");
    format!("| {} | {} | {} | {found} |\n", case.id, case.input, case.expected)
}
