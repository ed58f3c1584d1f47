//! The parser beside others: installs them below `target/`, feeds each the same calls in its own
//! dialect, and prints one table.
//!
//! `cargo xtask bench-peers [WORKLOAD…] [--sizes 4,64,4096,0] [--seconds 3]`; a size of 0 is the
//! whole text. A peer that cannot be installed is named with the reason.

mod data;
mod install;
mod table;

use std::{fs, process::Stdio};

use serde_json::Value;

use crate::{Chore, run};
use install::{Driver, Installed};

/// A parser, and the program that feeds it.
struct Peer {
    name: &'static str,
    driver: Driver,
}

const fn peer(name: &'static str, driver: Driver) -> Peer {
    Peer { name, driver }
}

/// Ours, and what it is compared with in the same process.
const OURS: &str = "tagline";

const PEERS: &[Peer] = &[
    peer("memchr", Driver::Rust),
    peer("quick-xml", Driver::Rust),
    peer("dynamo-parsers-v2", Driver::Rust),
    peer("tool-parser", Driver::Rust),
    peer("agent-tool-parser-core", Driver::Rust),
    peer("saxes", Driver::Node),
    peer("sax", Driver::Node),
    peer("htmlparser2", Driver::Node),
    peer("partial-xml-stream-parser", Driver::Node),
    peer("ai-sdk-tool-parser (qwen)", Driver::Node),
    peer("ai-sdk-tool-parser (xml)", Driver::Node),
    peer("expat", Driver::Python),
    peer("llm-router-utils", Driver::Python),
    peer("agent-tool-parser", Driver::Python),
];

/// What is asked for.
struct Options {
    workloads: Vec<String>,
    sizes: String,
    seconds: String,
}

pub(crate) fn run(args: &[String]) -> Chore {
    let options = options(args)?;
    let folder = run::root().join("target/peers/data");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let folder = folder.display().to_string();
    data::write_tools(&folder)?;
    let (installed, missing) = install::all();
    for workload in &options.workloads {
        data::write(&folder, workload)?;
        println!("\n## {workload}, load {}\n", load());
        table::head();
        one(&installed, &folder, workload, &options)?;
        println!("\nload {}", load());
    }
    for (driver, reason) in missing {
        let peers = PEERS.iter().filter(|peer| peer.driver == driver).map(|peer| peer.name);
        let names = peers.collect::<Vec<_>>().join(", ");
        println!("\nnot measured: {names}: {reason}");
    }
    Ok(())
}

fn options(args: &[String]) -> Result<Options, String> {
    let mut options =
        Options { workloads: Vec::new(), sizes: "4,64,4096,0".to_owned(), seconds: "3".to_owned() };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().cloned().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--sizes" => options.sizes = value()?,
            "--seconds" => options.seconds = value()?,
            name if data::shape(name).is_some() => options.workloads.push(name.to_owned()),
            other => return Err(format!("unknown workload or option `{other}`")),
        }
    }
    if options.workloads.is_empty() {
        options.workloads = vec!["chatty".to_owned(), "code".to_owned()];
    }
    Ok(options)
}

/// One workload through every peer that is there; ours runs right before each.
fn one(installed: &[Installed], folder: &str, workload: &str, options: &Options) -> Chore {
    let Some(rust) = installed.iter().find(|it| it.driver == Driver::Rust) else {
        return Err("the Rust driver, which measures ours, could not be built".to_owned());
    };
    for peer in PEERS {
        let Some(driver) = installed.iter().find(|it| it.driver == peer.driver) else { continue };
        let ours = match peer.driver {
            Driver::Rust => Vec::new(),
            Driver::Node | Driver::Python => rows(rust, &[OURS], folder, workload, options)?,
        };
        let subjects: &[&str] =
            if peer.driver == Driver::Rust { &[OURS, peer.name] } else { &[peer.name] };
        let measured = rows(driver, subjects, folder, workload, options)?;
        let is_ours = |row: &&Value| row.get("subject").and_then(Value::as_str) == Some(OURS);
        let ours: Vec<&Value> = ours.iter().chain(&measured).filter(is_ours).collect();
        let theirs: Vec<&Value> = measured.iter().filter(|row| !is_ours(row)).collect();
        table::rows(peer.name, &ours, &theirs);
    }
    Ok(())
}

/// What a driver prints, a row for each subject and size.
fn rows(
    driver: &Installed,
    subjects: &[&str],
    folder: &str,
    workload: &str,
    options: &Options,
) -> Result<Vec<Value>, String> {
    let (program, first) = driver.command.split_first().ok_or("a driver without a program")?;
    let mut args: Vec<&str> = first.iter().map(String::as_str).collect();
    args.extend([folder, workload, &options.seconds, &options.sizes]);
    args.extend(subjects);
    let mut command = run::command(program, &args);
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|e| format!("cannot run `{program}`: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// The machine's load, where the system tells.
fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown").to_owned()
}
