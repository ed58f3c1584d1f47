//! Sizes of files and functions per crate, to look at month by month.

use std::{collections::BTreeMap, fs};

use crate::{Chore, run};

/// Prints median, ninth decile and maximum of lines per file and per function, for each crate.
pub(crate) fn run() -> Chore {
    let files = run::capture("git", &["ls-files", "crates/*/src/*.rs", "xtask/src/*.rs"])?;
    let mut by_crate: BTreeMap<&str, Sizes> = BTreeMap::new();
    for path in files.lines() {
        let text =
            fs::read_to_string(run::root().join(path)).map_err(|e| format!("{path}: {e}"))?;
        let code: Vec<&str> = text.lines().take_while(|line| *line != "#[cfg(test)]").collect();
        let name = path.split("/src/").next().unwrap_or(path);
        let sizes = by_crate.entry(name).or_default();
        sizes.files.push(code.len());
        sizes.functions.extend(function_lengths(&code));
    }
    println!("{:<20} {:>22} {:>22} {:>8}", "crate", "file lines", "function lines", "over 50");
    for (name, mut sizes) in by_crate {
        let n_over = sizes.functions.iter().filter(|n| **n > 50).count();
        let files = spread(&mut sizes.files);
        println!("{name:<20} {files:>22} {:>22} {n_over:>8}", spread(&mut sizes.functions));
    }
    Ok(())
}

#[derive(Default)]
struct Sizes {
    files: Vec<usize>,
    functions: Vec<usize>,
}

/// Lines from a line with `fn ` to the line that closes its indentation.
fn function_lengths(code: &[&str]) -> Vec<usize> {
    let starts = code.iter().enumerate().filter(|(_, line)| is_function(line));
    starts
        .filter_map(|(n, line)| {
            let indent: String = line.chars().take_while(|c| *c == ' ').collect();
            let end = format!("{indent}}}");
            let rest = code.get(n..)?;
            if rest.first()?.ends_with('}') {
                return Some(1);
            }
            rest.iter().position(|line| **line == end).map(|length| length + 1)
        })
        .collect()
}

fn is_function(line: &str) -> bool {
    let code = line.trim_start();
    let starts = ["fn ", "pub fn ", "pub(crate) fn ", "async fn ", "pub async fn ", "const fn "];
    starts.iter().any(|start| code.starts_with(start)) || code.starts_with("pub(crate) async fn ")
}

fn spread(values: &mut [usize]) -> String {
    values.sort_unstable();
    let at = |share: usize| values.get(values.len() * share / 100).copied().unwrap_or_default();
    let max = values.last().copied().unwrap_or_default();
    format!("{} / {} / {max}", at(50), at(90))
}
