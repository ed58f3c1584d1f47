//! The one test command: formatting, lints, tests, docs, direction, tidiness, a real model.

use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
    time::{Duration, Instant},
};

use crate::{Chore, browser, direction, dist, embed, fuzz, metrics, package, run, tidy, ui};

/// A step: what it is called, and what it does.
type Step = (&'static str, fn() -> Chore);

const STEPS: &[Step] = &[
    ("format", || run::sh("cargo", &["fmt", "--all", "--check"])),
    ("tidy", tidy::run),
    ("direction", direction::run),
    ("lints", || {
        // The tests that only later steps build are read here already.
        let features = format!("{},{LATER}", dist::FEATURES);
        let whole = ["clippy", "--locked", "--workspace", "--all-targets", "--features", &features];
        run::sh("cargo", &[whole.as_slice(), &["--", "-D", "warnings"]].concat())?;
        let plain = ["clippy", "--locked", "-p", "tagline-app", "--", "-D", "warnings"];
        run::sh("cargo", &plain)
    }),
    ("packages", package::install),
    ("tests", tests),
    ("docs", docs),
    ("embed", embed::run),
    ("fuzz", || fuzz::run(&["--runs".to_owned(), "10000".to_owned()])),
    ("ui", ui::run),
    ("browser", browser::run),
    ("real model", real_model),
    ("metrics", metrics::run),
];

/// All tests, of the program as it is released. Properties try the same texts in each run, so that a check does not fail by chance;
/// what looks elsewhere each time is `cargo test` by itself, and fuzzing.
fn tests() -> Chore {
    let args = ["test", "--locked", "--workspace", "--features", dist::FEATURES];
    let mut command = run::command("cargo", &args);
    command.env(SEED, "1");
    run::finish(command, &format!("cargo {}", args.join(" ")))
}

/// What turns on the tests of the step `real model`.
const LATER: &str = "tagline-model/real-model,tagline-app/real-model";

/// Where proptest takes its seed from.
pub(crate) const SEED: &str = "PROPTEST_RNG_SEED";

/// Runs every step, stops at the first that fails, and prints what each took.
pub(crate) fn run(args: &[String]) -> Chore {
    if let Some(unknown) = args.iter().find(|arg| *arg != "--full") {
        return Err(format!("unknown option `{unknown}`; known: --full"));
    }
    let mut times = Vec::new();
    let mut result = Ok(());
    for (name, step) in STEPS {
        println!("\n== {name}");
        let took = time(|| result = step());
        times.push((*name, took));
        if let Err(message) = &result {
            println!("{name} failed: {message}");
            break;
        }
    }
    report(&times);
    result
}

#[expect(clippy::disallowed_methods, reason = "a chore may look at the clock")]
fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn report(times: &[(&str, Duration)]) {
    println!("\n{:<12} {:>8}", "step", "seconds");
    for (name, took) in times {
        println!("{name:<12} {:>8.1}", took.as_secs_f64());
    }
}

fn docs() -> Chore {
    let mut command =
        run::command("cargo", &["doc", "--locked", "--workspace", "--no-deps", "--quiet"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    run::finish(command, "cargo doc")
}

/// Starts a real model on this machine and runs the tests that need one.
pub(crate) fn real_model() -> Chore {
    let python = run::capture("scripts/real-model/setup", &[])?;
    let (server, address) = start_llama(python.trim())?;
    let features = format!("{},tagline-model/real-model,tagline-app/real-model", dist::FEATURES);
    let mut tests = run::command("cargo", &["test", "--locked", "--workspace", "--features"]);
    tests.args([&features, "--test", "real_model"]);
    tests.env("TAGLINE_TEST_LLAMA", address);
    let result = run::finish(tests, "cargo test --test real_model");
    drop(server);
    result
}

/// The llama.cpp server with a small model, on a free port of the loopback interface.
fn start_llama(python: &str) -> Result<(run::Owned, String), String> {
    let mut command = run::command(python, &["scripts/real-model/serve.py", "--port", "0"]);
    let child = command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn();
    let mut server =
        run::Owned(child.map_err(|e| format!("cannot start the llama.cpp server: {e}"))?);
    let stdout = server.0.stdout.take().ok_or("the llama.cpp server has no output")?;
    let lines = BufReader::new(stdout).lines().map_while(Result::ok);
    let ready = lines.filter_map(|line| line.strip_prefix("ready ").map(str::to_owned)).next();
    let address = ready.ok_or("the llama.cpp server ended before it was ready")?;
    println!("llama.cpp answers at {address}");
    Ok((server, address))
}
