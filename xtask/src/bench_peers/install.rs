//! Installs the peers below `target/peers`, with their own registries' clients.

use std::{fs, path::PathBuf};

use crate::{Chore, run};

/// The program that feeds a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Driver {
    Rust,
    Node,
    Python,
}

/// A driver that is ready.
pub(super) struct Installed {
    pub(super) driver: Driver,
    pub(super) command: Vec<String>,
}

/// Installs what can be installed, and says why the rest cannot.
pub(super) fn all() -> (Vec<Installed>, Vec<(Driver, String)>) {
    let (mut installed, mut missing) = (Vec::new(), Vec::new());
    let ways = [(Driver::Rust, rust()), (Driver::Node, node()), (Driver::Python, python())];
    for (driver, result) in ways {
        match result {
            Ok(command) => installed.push(Installed { driver, command }),
            Err(reason) => missing.push((driver, reason)),
        }
    }
    (installed, missing)
}

fn target(name: &str) -> PathBuf {
    run::root().join("target/peers").join(name)
}

fn source(name: &str) -> PathBuf {
    run::root().join("scripts/bench-peers").join(name)
}

/// Copies a file, with the tree's root filled in, if that changes it.
fn copy(from: &str, to: &str) -> Chore {
    let (from, to) = (source(from), target(to));
    let text = fs::read_to_string(&from).map_err(|e| format!("{}: {e}", from.display()))?;
    let text = text.replace("@ROOT@", &run::root().display().to_string());
    if fs::read_to_string(&to).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let folder = to.parent().map_or_else(PathBuf::new, PathBuf::from);
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    fs::write(&to, text).map_err(|e| format!("{}: {e}", to.display()))
}

/// A cargo project of its own, so that the workspace never builds what the peers need.
fn rust() -> Result<Vec<String>, String> {
    for file in ["Cargo.toml", "src/main.rs", "src/subject.rs"] {
        copy(&format!("rust/{file}"), &format!("rust/{file}"))?;
    }
    let manifest = target("rust/Cargo.toml").display().to_string();
    let folder = target("rust/target").display().to_string();
    let args = ["build", "--release", "--manifest-path", &manifest, "--target-dir", &folder];
    run::sh("cargo", &args)?;
    Ok(vec![target("rust/target/release/bench-peers").display().to_string()])
}

fn node() -> Result<Vec<String>, String> {
    copy("node/package.json", "node/package.json")?;
    copy("node/drive.mjs", "node/drive.mjs")?;
    let folder = target("node").display().to_string();
    run::sh(
        "npm",
        &["install", "--prefix", &folder, "--ignore-scripts", "--no-audit", "--no-fund"],
    )?;
    Ok(vec!["node".to_owned(), target("node/drive.mjs").display().to_string()])
}

/// A virtual environment. The declared needs of `llm-router-utils` are gigabytes that parsing does
/// not touch, so only what it imports is installed.
fn python() -> Result<Vec<String>, String> {
    let folder = target("python/venv").display().to_string();
    if !target("python/venv/bin/python").exists() {
        run::sh("python3", &["-m", "venv", &folder])?;
    }
    let python = target("python/venv/bin/python").display().to_string();
    let file = |name: &str| source("python").join(name).display().to_string();
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    let alone = ["--no-deps", "-r", &file("requirements.txt")];
    run::sh(&python, &[&pip[..], &alone].concat())?;
    run::sh(&python, &[&pip[..], &["-r", &file("support.txt")]].concat())?;
    Ok(vec![python, file("drive.py")])
}
