//! The project's own chores: `cargo xtask ci`, and the checks it is made of.
//!
//! `cargo xtask ci` is the one test command: it installs what the tests need and runs them all.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "chores talk to a terminal")]

mod bench_peers;
mod browser;
mod ci;
mod direction;
mod dist;
mod embed;
mod full_disk;
mod fuzz;
mod load;
mod metrics;
mod more;
mod mutants;
mod new_tool;
mod package;
mod page_budgets;
mod run;
mod tidy;
mod ui;

use std::process::ExitCode;

/// What a chore ends with: nothing, or what to mend.
pub(crate) type Chore = Result<(), String>;

const USAGE: &str = "usage: cargo xtask <bench-peers [WORKLOAD…] | browser | ci [--full] | direction | dist | embed | \
    full-disk | fuzz <--seconds N | --runs N> [--longest BYTES] [TARGET…] | linear [MEGABYTES] | \
    load [--sessions N] [--calls N] … | metrics | mutants [--area AREA] | new-tool NAME | page-budgets [PART…] | real-model | screenshots | tidy | ui>";

/// How each chore is asked for.
fn usage() -> String {
    format!("{USAGE}\n   or: cargo xtask <{}>", more::usage())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> Chore {
    match args.split_first() {
        Some((verb, rest)) => match verb.as_str() {
            "bench-peers" => bench_peers::run(rest),
            "browser" => browser::run(),
            "ci" => ci::run(rest),
            "full-disk" => full_disk::run(),
            "load" => load::run(rest),
            "fuzz" => fuzz::run(rest),
            "linear" => linear(rest),
            "direction" => direction::run(),
            "dist" => dist::run(),
            "embed" => embed::run(),
            "screenshots" => browser::screenshots(),
            "tidy" => tidy::run(),
            "ui" => ui::run(),
            "metrics" => metrics::run(),
            "mutants" => mutants::run(rest),
            "new-tool" => new_tool::run(rest),
            "page-budgets" => page_budgets::run(rest),
            "real-model" => ci::real_model(),
            other => match more::find(other) {
                Some(test) => test.run(rest),
                None => Err(format!("unknown chore `{other}`\n{}", usage())),
            },
        },
        None => Err(usage()),
    }
}

/// Counts the work on texts that invite looking again, at full length.
fn linear(args: &[String]) -> Chore {
    let megabytes = args.first().map_or("100", String::as_str);
    let example = ["run", "--release", "--quiet", "--locked", "-p", "tagline-testkit", "--example"];
    run::sh("cargo", &[example.as_slice(), &["linear", "--", megabytes]].concat())
}
