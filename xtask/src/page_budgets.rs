//! The page beside its budgets, and beside pages of others: `cargo xtask page-budgets [PART…]`.
//!
//! No part named means all. Timings are printed, never judged: they are those of a machine and its load.

use std::path::PathBuf;

use crate::{Chore, browser, run, ui};

const PARTS: [&str; 8] =
    ["program", "first", "live", "long", "terminal", "editor", "idle", "peers"];

/// Pages that install from PyPI: their folder below `target/page-peers`, and the list of what they need.
const PEERS: [&str; 2] = ["chainlit", "openwebui"];

pub(crate) fn run(parts: &[String]) -> Chore {
    if let Some(unknown) = parts.iter().find(|part| !PARTS.contains(&part.as_str())) {
        return Err(format!("unknown part `{unknown}`; known: {}", PARTS.join(", ")));
    }
    browser::CHROMIUM.meet()?;
    ui::install()?;
    run::sh("cargo", &["build", "--release", "--locked", "-p", "tagline-app", "--bins"])?;
    if parts.is_empty() || parts.iter().any(|part| part == "peers") {
        for name in PEERS {
            if let Err(reason) = install(name) {
                println!("`{name}` is not measured: {reason}");
            }
        }
    }
    let mut args = vec!["--prefix", "ui", "run", "--silent", "bench", "--"];
    args.extend(parts.iter().map(String::as_str));
    let mut command = run::command("npm", &args);
    command.env("TAGLINE_TEST_BINARY", run::root().join("target/release/tagline"));
    run::finish(command, "npm run bench")
}

/// A virtual environment with exactly what the list names, so that nothing has to be resolved.
fn install(name: &str) -> Chore {
    let place = run::root().join("target/page-peers").join(name);
    let python = place.join("bin/python").display().to_string();
    let list = PathBuf::from("scripts/page-peers").join(format!("{name}.txt"));
    if !place.join("bin/python").exists() {
        run::sh("python3", &["-m", "venv", &place.display().to_string()])?;
    }
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "-r"];
    run::sh(&python, &[&pip[..], &[&list.display().to_string()]].concat())
}
