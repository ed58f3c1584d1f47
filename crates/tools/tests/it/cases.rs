//! Calls without measure: one fixture for each case, and a table of how each went,
//! `docs/tool-cases.md`. Memory is told by what is kept, never by time.

use std::{
    cell::Cell, fmt::Write as _, fs, os::unix::fs::symlink, panic::catch_unwind, time::Duration,
};

use expect_test::expect_file;
use serde_json::json;
use tagline_parser::{EventRef, Finish, Limits, Parser};
use tagline_protocol::Toolset;
use tokio::runtime::{Builder, Runtime};

use crate::{
    bench::Bench,
    commands::{escapes::Sleep, limits},
};

/// What was seen, or why the case cannot pass yet; a fixture panics where something is wrong.
type Seen = Result<String, &'static str>;

/// A case in words, and what plays it.
struct Case {
    id: &'static str,
    input: &'static str,
    expected: &'static str,
    fixture: fn() -> Seen,
}

const MIB: usize = 1 << 20;

const CASES: [Case; 4] = [
    Case {
        id: "DOS-05",
        input: "a command with 23 MB of output, and one whose output has no end",
        expected: "head and tail are kept, with the size; what is kept is bounded; the command can be stopped",
        fixture: much_output,
    },
    Case {
        id: "DOS-06",
        input: "a command that starts processes until it fails, and one that takes memory until it fails",
        expected: "limits on processes and memory stop it, and the server answers meanwhile",
        fixture: unbounded,
    },
    Case {
        id: "DOS-10",
        input: "8 MiB without an end tag where 1 MiB is kept; tags nested 100,000 deep; 1,000,000 attributes; a name of 1 MiB",
        expected: "what is held is bounded by the limits and work is linear; it is rejected; reading goes on",
        fixture: hostile_text,
    },
    Case {
        id: "DOS-11",
        input: "a search with `{a,b}` 40 times, with `(a+)+$` on a long line, with a regex that is huge, and through links in a circle",
        expected: "each ends, with a note where the result is a part",
        fixture: patterns,
    },
];

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn much_output() -> Seen {
    let bench = Bench::with(|config| config.log_quota = MIB as u64);
    let call = bench.call("execute_command", json!({ "command": "seq 3000000" }));
    let output = runtime().block_on(call).unwrap();
    let echo = output.echo.as_str();
    let of = |name: &str| output.card.payload.get(name).unwrap();
    let kept = of("stdout").as_str().unwrap();
    assert_eq!(*of("stdout_bytes"), 22_888_896);
    assert!(echo.len() <= 16 * 1024 && kept.len() < 65 * 1024, "{} {}", echo.len(), kept.len());
    assert!(echo.contains("\n1\n2\n3\n") && echo.contains("2999999\n3000000"), "{echo}");
    assert!(bench.shown().len() <= 2 * MIB);
    let note = echo.lines().find(|line| line.contains("bytes")).unwrap();
    let stopped = runtime().block_on(endless());
    Ok(format!(
        "`{note}`, head and tail; at most 16 KiB for the model, 64 KiB for the user and 1 MiB in the log; \
         the other: {stopped}; the process is measured by the test \
         `much_output_grows_neither_memory_nor_the_log_without_bound`"
    ))
}

/// What the model reads of a command that takes without end, while others are answered.
async fn bounded(command: &str) -> String {
    let bench = limits::bench(limits::small());
    let is_over = Cell::new(false);
    let hostile = async {
        let echo = bench.echo("execute_command", json!({ "command": command })).await;
        is_over.set(true);
        echo
    };
    let others = async {
        let mut n_answers = 0;
        while !is_over.get() {
            let list = bench.echo("list_recent_commands", json!({})).await;
            n_answers += usize::from(list.starts_with("r1  running"));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        n_answers
    };
    let (echo, n_answers) = tokio::join!(hostile, others);
    assert!(0 < n_answers);
    format!("\"{}\"", echo.split_once(';').unwrap().0)
}

fn unbounded() -> Seen {
    let sleep = Sleep::new();
    let many = format!("for i in {{1..1000}}; do {} & done; wait", sleep.0);
    let processes = runtime().block_on(bounded(&many));
    assert_eq!(sleep.n_alive(), 0);
    let memory = runtime().block_on(bounded(limits::EATER));
    Ok(format!(
        "{processes}; {memory}; nothing of either is left, and other calls are answered meanwhile"
    ))
}

/// Stops a command that writes for ever, once something of it was shown.
async fn endless() -> String {
    let bench = Bench::with(|config| config.log_quota = MIB as u64);
    let call = bench.call("execute_command", json!({ "command": "yes" }));
    let stop = async {
        while bench.shown().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        bench.cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(call, stop);
    let failure = outcome.unwrap_err().to_string();
    assert!(failure.len() <= 16 * 1024 && bench.shown().len() <= 2 * MIB);
    failure.lines().next().unwrap().to_owned()
}

/// Reads a hostile text as a reply comes, in pieces, with the tags of all tools and a good call
/// behind it; what was wrong with it, and whether the good call was read.
fn read(hostile: &str) -> (Vec<&'static str>, bool) {
    let tools = Toolset::new(tagline_tools::all().entries().iter().map(|it| it.spec.clone()));
    let limits = Limits { owned_value: MIB, ..Limits::default() };
    let mut parser = Parser::new(&tools.tag_set(), limits);
    let (mut faults, mut calls, mut most_held) = (Vec::new(), Vec::new(), 0);
    let mut sink = |event: EventRef<'_>| {
        if let EventRef::Fault(fault) = event {
            faults.push(fault.reason.as_str());
        } else if let EventRef::End(block) = event {
            let reasons = block.faults.iter().map(|fault| fault.reason.as_str());
            faults.extend(reasons);
            if !block.is_partial && block.faults.is_empty() {
                calls.push(block.name.clone());
            }
        }
    };
    let text = format!("{hostile}\n\n<list_recent_commands/>\n");
    for piece in text.as_bytes().chunks(4096) {
        parser.feed_to(std::str::from_utf8(piece).unwrap(), &mut sink);
        most_held = most_held.max(parser.stats().held);
    }
    parser.flush_to(Finish::Stop, &mut sink);
    let stats = parser.stats();
    assert!(stats.visited <= 16 * stats.fed, "{stats:?}");
    assert!(most_held <= limits.held as u64 + 4096, "{most_held}");
    faults.dedup();
    assert!(calls.iter().all(|name| name == "list_recent_commands"), "{calls:?}");
    (faults, calls.len() == 1)
}

fn hostile_text() -> Seen {
    let body = "a line of a file that has no end\n".repeat(8 * MIB / 33);
    let (faults, goes_on) = read(&format!("<write_file path=\"a\">\n{body}"));
    assert_eq!((faults, goes_on), (vec!["unterminated_tool"], false));
    let nested = "<search>".repeat(100_000) + &"</search>".repeat(100_000);
    assert_eq!(read(&nested), (vec!["nested_tool", "stray_close"], true));
    let attributes: String = (0..1_000_000).fold(String::new(), |mut all, n| {
        let _ = write!(all, " a{n}=\"\"");
        all
    });
    assert_eq!(read(&format!("<list_files{attributes}/>")), (vec!["limit"], true));
    assert_eq!(read(&format!("<{}>", "n".repeat(MIB))), (vec![], true));
    Ok("`unterminated_tool`, `nested_tool` and `limit`, and such a name is text; a call behind the last three \
        is read, and none of theirs; at most 1 MiB held, each byte looked at 16 times or fewer"
        .to_owned())
}

fn patterns() -> Seen {
    let bench = Bench::new();
    let top = bench.folder.path().join("ws");
    for n in 0..20 {
        let folder = top.join(format!("folder-{n}"));
        fs::create_dir(&folder).unwrap();
        symlink("..", folder.join("circle")).unwrap();
        for file in 0..20 {
            fs::write(folder.join(format!("{file}.txt")), "needle\n").unwrap();
        }
    }
    fs::write(top.join("line"), "a".repeat(100_000) + "b\n").unwrap();
    fs::write(top.join("ab".repeat(20)), "needle\n").unwrap();
    let huge = "(".repeat(8) + "a" + &"{1,100})".repeat(8);
    let first = |arguments| {
        let echo = runtime().block_on(bench.echo("search_files", arguments));
        format!("\"{}\"", echo.lines().next().unwrap())
    };
    let seen = [
        first(json!({ "query": "needle", "file_pattern": "{a,b}".repeat(40) })),
        first(json!({ "regex": "(a+)+$" })),
        first(json!({ "regex": huge })),
        first(json!({ "query": "needle", "file_pattern": "*.txt", "limit": 2_000 })),
        first(json!({ "query": "needle" })),
    ];
    let [braces, repeats, huge, circle, part] = seen;
    Ok(format!(
        "braces: {braces}; repeats: {repeats}; huge: {huge}; circle: {circle}; with the usual limit: {part}"
    ))
}

fn row(case: &Case) -> String {
    let found = match catch_unwind(case.fixture) {
        Ok(Ok(seen)) => format!("passed: {seen}"),
        Ok(Err(why)) => format!("**failed**: {why}"),
        Err(_) => "**failed**".to_owned(),
    };
    format!("| {} | {} | {} | {found} |\n", case.id, case.input, case.expected)
}

const HEAD: &str = "\
# Cases of tools

Written by `cargo test -p tagline-tools cases`: each case is a call, or a text with calls in it, that knows no measure.

| case | what happens | what must follow | what was seen |
|--|--|--|--|
";

#[test]
fn every_case_of_a_tool_goes_as_the_table_says() {
    let rows: Vec<String> = CASES.iter().map(row).collect();
    let n_passed = rows.iter().filter(|row| !row.contains("**failed**")).count();
    let table = format!("{HEAD}{}\n{n_passed} of {} passed.\n", rows.concat(), rows.len());
    expect_file!["../../../../docs/tool-cases.md"].assert_eq(&table);
    // A case that fails has a reason that is known.
    assert!(!table.contains("**failed** |"), "{table}");
}
