//! What attackers try: one fixture for each case, and a table of how each went,
//! `docs/network-cases.md`. A case whose fetcher is not there yet counts as failed.

mod played;

use std::{fmt::Write as _, panic::catch_unwind};

use expect_test::expect_file;
use serde::Deserialize;
use tagline_net::{IPV4, IPV6};

use crate::edges::every_edge;

/// A case in words.
#[derive(Debug, Deserialize)]
struct Case {
    id: String,
    input: String,
    expected: String,
}

/// What was seen, or why the case cannot pass yet; a fixture panics where something is wrong.
type Seen = Result<String, String>;

/// Plays a case.
type Fixture = fn() -> Seen;

const FIXTURES: &[(&str, Fixture)] = &[
    ("SSRF-01", || played::refused(&["http://2130706433:PORT/"], "127.0.0.1")),
    ("SSRF-03", || played::refused(&["http://0177.0.0.1:PORT/"], "127.0.0.1")),
    ("SSRF-04", || played::refused(&["http://127.1:PORT/", "http://127.0.1:PORT/"], "127.0.0.1")),
    ("SSRF-05", || {
        played::refused(&["http://[::1]:PORT/", "http://[0:0:0:0:0:0:0:1]:PORT/"], "::1")
    }),
    ("SSRF-07", || played::refused(&["http://[0:0:0:0:0:ffff:7f00:1]:PORT/"], "127.0.0.1")),
    ("SSRF-08", || {
        let urls = ["http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://[::7f00:1]/"];
        played::refused(&urls, "127.0.0.1")
    }),
    ("SSRF-09", || {
        played::refused(&["http://%31%32%37.0.0.1:PORT/", "http://%30x7f000001:PORT/"], "127.0.0.1")
    }),
    ("SSRF-10", || {
        played::refused(&["http://１２７.０.０.１:PORT/", "http://①②⑦.⓪.⓪.①:PORT/"], "127.0.0.1")
    }),
    ("SSRF-13", || {
        let urls =
            ["http://localhost:PORT/", "http://LOCALHOST.:PORT/", "http://x.localhost:PORT/"];
        played::refused(&urls, "127.0.0.1")
    }),
    ("SSRF-15", played::two_addresses),
    ("SSRF-16", played::changing_answers),
    ("SSRF-17", played::redirected),
    ("SSRF-19", played::two_readings),
    ("SSRF-20", played::nul_in_a_host),
    ("SSRF-21", || {
        let v4 = played::refused(&["http://0.0.0.0:PORT/", "http://0/"], "0.0.0.0")?;
        Ok(format!("{v4}; {}", played::refused(&["http://[::]:PORT/"], "::")?))
    }),
    ("SSRF-22", played::metadata),
    ("SSRF-24", played::bounds),
    ("SSRF-26", || played::no_fetcher("there is no MCP client yet", "/x")),
    ("SSRF-27", played::inside_of_an_address),
    ("SSRF-28", played::benchmark_range),
    ("SSRF-30", played::whole_parts),
    ("SSRF-31", played::slow_down),
    ("SSRF-32", || played::no_fetcher("nothing fetches images, icons or thumbnails yet", "/i.png")),
    ("SSRF-34", played::own_port),
    ("SSRF-35", played::provider_alone),
];

fn row(case: &Case) -> String {
    let fixture = FIXTURES.iter().find(|(id, _)| *id == case.id);
    let found = match fixture {
        None => "**failed**: no fixture".to_owned(),
        Some((_, fixture)) => match catch_unwind(*fixture) {
            Ok(Ok(seen)) => format!("passed: {seen}"),
            Ok(Err(why)) => format!("**failed**: {why}"),
            Err(_) => "**failed**".to_owned(),
        },
    };
    format!("| {} | {} | {} | {found} |\n", case.id, case.input, case.expected)
}

const HEAD: &str = "\
# Cases of the network guard

Written by `cargo test -p tagline-net cases`: each case is played against the guard, with doubles of resolver and network, and a
canary that listens on this machine. A case whose fetcher is not there yet counts as failed, also where the guard refuses it.

| case | what happens | what must follow | what was seen |
|--|--|--|--|
";

const RANGES: &str = "
## Closed ranges

The first that holds an address counts. What IPv6 has outside of `2000::/3` and these is closed too. IPv4 addresses inside of IPv6
ones are judged first: `::ffff:0:0/96` and `64:ff9b::/96` are what they carry, `2002::/16` is open where that is open; Teredo,
`::/96` and `64:ff9b:1::/48` are closed whatever they carry.

| range | what it is | who says so |
|--|--|--|
";

#[test]
fn every_case_of_the_guard_goes_as_the_table_says() {
    let cases: Vec<Case> = include_str!("cases.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let rows: Vec<String> = cases.iter().map(row).collect();
    let n_passed = rows.iter().filter(|row| !row.contains("**failed**")).count();
    let edges = every_edge();
    let mut table = format!("{HEAD}{}\n{n_passed} of {} passed.\n", rows.concat(), rows.len());
    writeln!(
        table,
        "\n## Edges\n\nFirst, last and neighbors of every range, alone and inside of IPv6: {} addresses, each in {} spellings or \
         more, {} in all; {} judged wrongly.",
        edges.n_addresses,
        edges.fewest,
        edges.n_tried,
        edges.wrong.len()
    )
    .unwrap();
    table.push_str(RANGES);
    for range in IPV4.iter().chain(IPV6) {
        writeln!(table, "| `{range}` | {} | {} |", range.kind.as_str(), range.source).unwrap();
    }
    expect_file!["../../../../../docs/network-cases.md"].assert_eq(&table);
    // A case that fails has a reason that is known.
    assert!(!table.contains("**failed** |"), "{table}");
}
