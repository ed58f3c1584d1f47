//! Small checks of the tree's text, each with a message that says how to mend it.

use std::{collections::BTreeSet, fs, path::Path};

use crate::{Chore, run};

/// A check of one file: its path below the root, and its text.
type Check = fn(&str, &str) -> Vec<String>;

const CHECKS: &[Check] = &[header, invariants, size, no_allow, no_todo, no_machine_paths];

/// The longest file of production code, in lines.
const MAX_LINES: usize = 500;

/// Runs every check over the tracked files.
pub(crate) fn run() -> Chore {
    let files = run::capture("git", &["ls-files"])?;
    let files: Vec<&str> = files.lines().collect();
    let mut found: Vec<String> = files.iter().flat_map(|path| check_file(path)).collect();
    found.extend(dead_names(&files));
    found.extend(unregistered_tools(&files));
    if found.is_empty() {
        println!("tidy: {} files are in order", files.len());
        return Ok(());
    }
    Err(found.join("\n"))
}

fn check_file(path: &str) -> Vec<String> {
    let Ok(text) = fs::read_to_string(run::root().join(path)) else { return Vec::new() };
    CHECKS.iter().flat_map(|check| check(path, &text)).collect()
}

fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

fn header(path: &str, text: &str) -> Vec<String> {
    let has_one = text.starts_with("//!");
    let message =
        || format!("{path}: begin with `//!` and a sentence that says what the file is for");
    if is_rust(path) && !has_one { vec![message()] } else { Vec::new() }
}

fn invariants(path: &str, text: &str) -> Vec<String> {
    let is_lib = path.ends_with("src/lib.rs");
    let names_them = text
        .lines()
        .take_while(|line| line.starts_with("//!"))
        .any(|line| line.to_lowercase().contains("invariant"));
    let message =
        || format!("{path}: state the crate's invariants in its header, or say that it has none");
    if is_lib && !names_them { vec![message()] } else { Vec::new() }
}

fn size(path: &str, text: &str) -> Vec<String> {
    let is_production = is_rust(path) && !path.contains("/tests/") && !path.contains("/benches/");
    let n_lines = production_lines(text);
    let message = || {
        format!(
            "{path}: {n_lines} lines of code, at most {MAX_LINES}; give part of it a room of its own"
        )
    };
    if is_production && n_lines > MAX_LINES { vec![message()] } else { Vec::new() }
}

/// Lines before the file's test module.
fn production_lines(text: &str) -> usize {
    text.lines().take_while(|line| *line != "#[cfg(test)]").count()
}

fn no_allow(path: &str, text: &str) -> Vec<String> {
    let mark = concat!("#[", "allow(");
    if !is_rust(path) {
        return Vec::new();
    }
    lines_with(text, mark)
        .map(|n| format!("{path}:{n}: use `#[expect(…, reason = \"…\")]` instead of `allow`"))
        .collect()
}

fn no_todo(path: &str, text: &str) -> Vec<String> {
    let mark = concat!("TO", "DO");
    if !is_rust(path) {
        return Vec::new();
    }
    lines_with(text, mark).map(|n| format!("{path}:{n}: file an issue or do it now")).collect()
}

fn no_machine_paths(path: &str, text: &str) -> Vec<String> {
    let home = std::env::home_dir().unwrap_or_default();
    let root = run::root();
    let marks = [root.display().to_string(), format!("{}/", home.display())];
    let is_ours = |mark: &String| mark.len() > 4;
    marks
        .iter()
        .filter(|mark| is_ours(mark))
        .flat_map(|mark| lines_with(text, mark).collect::<Vec<_>>())
        .map(|n| format!("{path}:{n}: names a path of this machine"))
        .collect()
}

fn lines_with<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.lines().enumerate().filter(move |(_, line)| line.contains(mark)).map(|(n, _)| n + 1)
}

/// Paths and types that the map names but the tree does not have.
fn dead_names(files: &[&str]) -> Vec<String> {
    let map = fs::read_to_string(run::root().join("ARCHITECTURE.md")).unwrap_or_default();
    let sources: String = files
        .iter()
        .filter(|path| is_rust(path))
        .filter_map(|path| fs::read_to_string(run::root().join(path)).ok())
        .collect();
    let names = map.split('`').skip(1).step_by(2).collect::<BTreeSet<_>>();
    let is_dead = |name: &&str| {
        if name.contains('/') && !name.contains(char::is_whitespace) && !name.contains(':') {
            return !run::root().join(name).exists();
        }
        let is_type = name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric())
            && name.chars().any(|c| c.is_ascii_lowercase());
        is_type && !sources.contains(*name)
    };
    let dead = names.into_iter().filter(is_dead);
    dead.map(|name| format!("ARCHITECTURE.md: `{name}` does not exist; mend the map")).collect()
}

/// Types that implement `Tool` but have no line in the list of tools.
fn unregistered_tools(files: &[&str]) -> Vec<String> {
    let read = |path: &str| fs::read_to_string(run::root().join(path)).unwrap_or_default();
    let list = read("crates/tools/src/registry.rs");
    let tools = files.iter().filter(|path| path.starts_with("crates/tools/src/"));
    let impls = tools.flat_map(|path| {
        let text = read(path);
        let types = text.lines().filter_map(|line| line.strip_prefix("impl Tool for "));
        types.map(|rest| (*path, rest.trim_end_matches([' ', '{']).to_owned())).collect::<Vec<_>>()
    });
    impls
        .filter(|(_, name)| !list.contains(&format!("{name}>()")))
        .map(|(path, name)| {
            format!("{path}: `{name}` is a tool without a line in crates/tools/src/registry.rs")
        })
        .collect()
}
