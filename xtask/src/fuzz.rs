//! Runs every fuzz target, so long or so often, and counts executions.
//!
//! Stable Rust is enough: the sanitizers that need another compiler are off, since nothing in the
//! tree is `unsafe`; coverage counters and debug assertions are on. Compared values are not traced:
//! the dictionary knows the marks, and twice as many texts are tried.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    thread,
};

use crate::{Chore, run};

const TOOL: &str = "target/tools/bin/cargo-fuzz";
const VERSION: &str = "0.13.2";
const CORPUS: &str = "fuzz/corpus";

/// What ends the run of a target.
enum Until {
    Seconds(u64),
    Runs(u64),
}

/// What was asked for.
struct Order {
    until: Until,
    /// The longest text that is tried, in bytes.
    longest: u64,
    targets: Vec<String>,
}

const USAGE: &str = "usage: cargo xtask fuzz <--seconds N | --runs N> [--longest BYTES] [TARGET…]";

/// Long enough for several calls in one reply, quoted, thought of and damaged.
const LONGEST: u64 = 1000;

/// A target that ended.
struct Ran {
    target: String,
    n_runs: u64,
    n_per_second: u64,
    /// What it printed, if it found something.
    found: Option<String>,
}

/// Runs the targets named, or all.
pub(crate) fn run(args: &[String]) -> Chore {
    let order = order(args)?;
    install()?;
    write_seeds()?;
    run::sh(TOOL, &["build", "--sanitizer", "none", "--no-trace-compares"])?;
    let at_once = thread::available_parallelism().map_or(1, usize::from);
    let mut ran = Vec::new();
    for some in order.targets.chunks(at_once) {
        let started = some.iter().map(|target| start(target, &order));
        let started = started.collect::<Result<Vec<_>, _>>()?;
        for (target, child) in some.iter().zip(started) {
            ran.push(finish(target, child)?);
        }
    }
    report(&ran)
}

fn order(args: &[String]) -> Result<Order, String> {
    let (mut until, mut longest, mut targets) = (None, LONGEST, Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => until = Some(Until::Seconds(number(args.next())?)),
            "--runs" => until = Some(Until::Runs(number(args.next())?)),
            "--longest" => longest = number(args.next())?,
            option if option.starts_with('-') => {
                return Err(format!("unknown option `{option}`\n{USAGE}"));
            }
            target => targets.push(target.to_owned()),
        }
    }
    let until = until.ok_or(USAGE)?;
    let all = targets_of_tree()?;
    if let Some(unknown) = targets.iter().find(|target| !all.contains(target)) {
        return Err(format!("unknown target `{unknown}`; known: {}", all.join(", ")));
    }
    let targets = if targets.is_empty() { all } else { targets };
    Ok(Order { until, longest, targets })
}

fn number(arg: Option<&String>) -> Result<u64, String> {
    let arg = arg.ok_or(USAGE)?;
    arg.parse().map_err(|e| format!("`{arg}`: {e}\n{USAGE}"))
}

fn targets_of_tree() -> Result<Vec<String>, String> {
    let folder = run::root().join("fuzz/fuzz_targets");
    let files = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let stem = |path: PathBuf| Some(path.file_stem()?.to_str()?.to_owned());
    let mut names: Vec<String> = files.flatten().filter_map(|it| stem(it.path())).collect();
    names.sort();
    Ok(names)
}

/// Installs the tool below `target/`, once.
fn install() -> Chore {
    let is_there = run::capture(TOOL, &["--version"]).is_ok_and(|it| it.contains(VERSION));
    if is_there {
        return Ok(());
    }
    let args = ["install", "cargo-fuzz", "--version", VERSION, "--locked", "--quiet", "--force"];
    run::sh("cargo", &[args.as_slice(), &["--root", "target/tools"]].concat())
}

/// Writes what every target starts from: the cases, and what was found before.
fn write_seeds() -> Chore {
    let cases = run::root().join("crates/parser/tests/cases");
    let files = fs::read_dir(&cases).map_err(|e| format!("{}: {e}", cases.display()))?;
    let mut args = ["run", "--quiet", "--locked", "-p", "tagline-testkit", "--example", "seeds"]
        .map(str::to_owned)
        .to_vec();
    args.extend(["--".to_owned(), CORPUS.to_owned()]);
    args.extend(files.flatten().map(|it| it.path().display().to_string()));
    run::sh("cargo", &args.iter().map(String::as_str).collect::<Vec<_>>())
}

fn start(target: &str, order: &Order) -> Result<Child, String> {
    let root = run::root();
    for folder in [CORPUS, "fuzz/artifacts"] {
        let folder = root.join(folder).join(target);
        fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let program = binary(&root, target)?;
    let mut command = run::command(&program, &["-len_control=0", "-timeout=20"]);
    command.args(["-verbosity=0", "-print_final_stats=1", "-close_fd_mask=1"]);
    command.args([
        format!("-max_len={}", order.longest),
        format!("-dict={CORPUS}/marks.dict"),
        format!("-artifact_prefix=fuzz/artifacts/{target}/"),
        // What is tried first is the same everywhere, so that a check does not fail by chance. A long
        // run goes on from what earlier ones kept.
        "-seed=1".to_owned(),
        match order.until {
            Until::Seconds(n) => format!("-max_total_time={n}"),
            Until::Runs(n) => format!("-runs={n}"),
        },
        format!("{CORPUS}/{target}"),
    ]);
    let seeds = format!("fuzz/seeds/{target}");
    if root.join(&seeds).exists() {
        command.arg(seeds);
    }
    let child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn();
    child.map_err(|e| format!("cannot run {program}: {e}"))
}

/// The program that was built, whatever the machine is called.
fn binary(root: &Path, target: &str) -> Result<String, String> {
    let folders =
        fs::read_dir(root.join("fuzz/target")).map_err(|e| format!("fuzz/target: {e}"))?;
    let program = |folder: PathBuf| folder.join("release").join(target);
    let mut found = folders.flatten().map(|it| program(it.path())).filter(|it| it.is_file());
    let found = found.next().ok_or_else(|| format!("`{target}` was not built"))?;
    Ok(found.display().to_string())
}

fn finish(target: &str, child: Child) -> Result<Ran, String> {
    let output = child.wait_with_output().map_err(|e| format!("{target}: {e}"))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let stat = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.trim().parse().ok()).unwrap_or_default()
    };
    Ok(Ran {
        target: target.to_owned(),
        n_runs: stat("stat::number_of_executed_units:"),
        n_per_second: stat("stat::average_exec_per_sec:"),
        found: (!output.status.success()).then_some(text),
    })
}

fn report(ran: &[Ran]) -> Chore {
    let mut found = Vec::new();
    for it in ran {
        if let Some(text) = &it.found {
            println!("== {}\n{text}", it.target);
            found.push(it.target.as_str());
        }
    }
    println!("\n{:<16} {:>12} {:>10}", "target", "executions", "a second");
    for it in ran {
        println!("{:<16} {:>12} {:>10}", it.target, it.n_runs, it.n_per_second);
    }
    println!("{:<16} {:>12}", "all", ran.iter().map(|it| it.n_runs).sum::<u64>());
    if found.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} found something; `cargo run -p tagline-testkit --example shrink -- TARGET FILE` shows \
         the shortest text of a file in fuzz/artifacts/TARGET; put a mended one in fuzz/seeds/TARGET",
        found.join(", ")
    ))
}
