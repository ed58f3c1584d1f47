//! Changes the code of the checks, one small change at a time, and asks the tests whether they see it.
//!
//! Each area is tried twice: first with its quick tests, then what they let pass with all tests of
//! its crate. What still passes must stand in `docs/mutants.md`, with the reason why nobody could
//! see a difference, and what stands there must pass.

use std::{fs, path::Path};

use crate::{Chore, ci, run};

const TOOL: &str = "target/tools/bin/cargo-mutants";
const VERSION: &str = "27.1.0";
const LIST: &str = "docs/mutants.md";
const USAGE: &str = "usage: cargo xtask mutants [--area policy|address|path|redaction|all]";

/// What is changed, and whose tests must see it.
struct Area {
    name: &'static str,
    /// The folder below `crates/`.
    folder: &'static str,
    /// Files below its `src`.
    files: &'static [&'static str],
    /// Tests that are too slow to be asked about every change.
    slow: &'static [&'static str],
}

const AREAS: [Area; 4] = [
    Area {
        name: "policy",
        folder: "policy",
        files: &["**/*.rs"],
        slow: &[
            "traced::",
            "shell_cases::hostile",
            "reference::the_engine",
            "deep_nesting",
            "words_have",
        ],
    },
    Area {
        name: "address",
        folder: "net",
        files: &[
            "address.rs",
            "embedded.rs",
            "range.rs",
            "host.rs",
            "hosts.rs",
            "gate.rs",
            "form.rs",
            "target.rs",
        ],
        slow: &[],
    },
    Area {
        name: "path",
        folder: "workspace",
        files: &["path.rs", "steps.rs", "locate.rs", "relocate.rs", "open.rs", "root.rs"],
        slow: &[],
    },
    Area {
        name: "redaction",
        folder: "secret",
        files: &["forms.rs", "redactor.rs", "stream.rs"],
        slow: &[],
    },
];

/// Tries the area that is named, or all.
pub(crate) fn run(args: &[String]) -> Chore {
    let areas = asked(args)?;
    install()?;
    let list = run::root().join(LIST);
    let argued = fs::read_to_string(list).map_err(|e| format!("{LIST}: {e}"))?;
    let mut wrong = Vec::new();
    let mut counts = Vec::new();
    for area in areas {
        let found = area.try_all()?;
        wrong.extend(differences(&listed(&argued, area.folder), &found.missed));
        counts.push((area.name, found));
    }
    println!(
        "\n{:<10} {:>7} {:>7} {:>9} {:>9} {:>7}",
        "area", "tried", "caught", "unviable", "timeouts", "passed"
    );
    for (name, Found { n_caught, n_unviable, n_timeouts, missed }) in &counts {
        let n_missed = missed.len();
        let n = n_caught + n_unviable + n_timeouts + n_missed;
        println!("{name:<10} {n:>7} {n_caught:>7} {n_unviable:>9} {n_timeouts:>9} {n_missed:>7}");
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn asked(args: &[String]) -> Result<Vec<&'static Area>, String> {
    let name = match args {
        [] => "all",
        [option, name] if option == "--area" => name,
        _ => return Err(USAGE.to_owned()),
    };
    let areas: Vec<_> = AREAS.iter().filter(|area| name == "all" || area.name == name).collect();
    if areas.is_empty() { Err(format!("unknown area `{name}`\n{USAGE}")) } else { Ok(areas) }
}

/// Installs the tool below `target/`, once.
fn install() -> Chore {
    let is_there =
        run::capture(TOOL, &["mutants", "--version"]).is_ok_and(|it| it.contains(VERSION));
    if is_there {
        return Ok(());
    }
    let args = ["install", "cargo-mutants", "--version", VERSION, "--locked", "--quiet", "--force"];
    run::sh("cargo", &[args.as_slice(), &["--root", "target/tools"]].concat())
}

/// What became of the changes in an area.
struct Found {
    n_caught: usize,
    n_unviable: usize,
    n_timeouts: usize,
    missed: Vec<String>,
}

impl Area {
    fn try_all(&self) -> Result<Found, String> {
        let output = run::root().join("target/mutants").join(self.name);
        // What an earlier run saw is no longer true of this tree.
        if output.exists() {
            fs::remove_dir_all(&output).map_err(|e| format!("{}: {e}", output.display()))?;
        }
        fs::create_dir_all(&output).map_err(|e| format!("{}: {e}", output.display()))?;
        self.pass(&output, self.slow, &[])?;
        let quick = Found::read(&output)?;
        if self.slow.is_empty() || (quick.missed.is_empty() && quick.n_timeouts == 0) {
            return Ok(quick);
        }
        self.pass(&output, &[], &["--iterate"])?;
        let all = Found::read(&output)?;
        Ok(Found { n_caught: quick.n_caught + all.n_caught, ..all }.and_unviable(quick.n_unviable))
    }

    /// Tries every change; with `--iterate` those that the pass before did not see.
    fn pass(&self, output: &Path, skipped: &[&str], more: &[&str]) -> Chore {
        let package = format!("tagline-{}", self.folder);
        let mut command = run::command(TOOL, &["mutants", "--package", &package]);
        command.args(["--colors", "never", "--no-shuffle", "--jobs", "1", "--output"]).arg(output);
        for file in self.files {
            command.args(["--file", &format!("crates/{}/src/{file}", self.folder)]);
        }
        command.args(["--cargo-arg=--locked", "--cargo-arg=--tests"]).args(more).args(["--", "--"]);
        command.args(skipped.iter().flat_map(|test| ["--skip", test]));
        // The same texts in each run, and a build that other runs can use again.
        command.env(ci::SEED, "1").env("CARGO_PROFILE_DEV_DEBUG", "0");
        command.env("CARGO_TARGET_DIR", run::root().join("target/mutants/build"));
        let status = command.status().map_err(|e| format!("cannot run {TOOL}: {e}"))?;
        // Changes that pass, or hang, are told apart by what it wrote.
        match status.code() {
            Some(0 | 2 | 3) => Ok(()),
            Some(_) | None => Err(format!("`cargo mutants` on {package} ended with {status}")),
        }
    }
}

impl Found {
    fn read(output: &Path) -> Result<Self, String> {
        let lines = |name: &str| {
            let path = output.join("mutants.out").join(name);
            let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            Ok::<_, String>(text.lines().map(str::to_owned).collect::<Vec<_>>())
        };
        Ok(Self {
            n_caught: lines("caught.txt")?.len(),
            n_unviable: lines("unviable.txt")?.len(),
            n_timeouts: lines("timeout.txt")?.len(),
            missed: lines("missed.txt")?.iter().map(|line| without_place(line)).collect(),
        })
    }

    fn and_unviable(self, n: usize) -> Self {
        Self { n_unviable: self.n_unviable + n, ..self }
    }
}

/// `FILE:LINE:COLUMN: CHANGE` as `FILE: CHANGE`: lines move with every edit.
fn without_place(line: &str) -> String {
    let mut parts = line.splitn(4, ':');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(file), Some(_), Some(_), Some(change)) => format!("{file}:{change}"),
        _ => line.to_owned(),
    }
}

/// The changes in files of this folder that the list argues: ``* `FILE: CHANGE`: why``.
fn listed(text: &str, folder: &str) -> Vec<String> {
    let of_line = |line: &str| Some(line.strip_prefix("* `")?.split_once("`: ")?.0.to_owned());
    let start = format!("crates/{folder}/");
    text.lines().filter_map(of_line).filter(|it| it.starts_with(&start)).collect()
}

/// What passes and is not argued, and what is argued and no longer passes. A change that can be made
/// at two places of a function is listed twice.
fn differences(listed: &[String], missed: &[String]) -> Vec<String> {
    let less = |all: &[String], without: &[String]| {
        let mut left = all.to_vec();
        for it in without {
            if let Some(at) = left.iter().position(|other| other == it) {
                left.remove(at);
            }
        }
        left
    };
    let passed = less(missed, listed).into_iter();
    let passed = passed.map(|it| {
        format!("`{it}`: no test sees this; write one, or argue in {LIST} why nobody could")
    });
    let gone = less(listed, missed).into_iter();
    let gone = gone
        .map(|it| format!("`{it}`: a test sees this now, or it is gone; take it out of {LIST}"));
    passed.chain(gone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_argued_and_what_is_argued_in_vain_is_told() {
        let text = "* `crates/a/src/x.rs: replace < with <= in f`: both stop at the end.\n\
                    * `crates/a/src/x.rs: replace || with && in g`: there is one.\n\
                    * `crates/b/src/y.rs: replace + with - in h`: another area.\n";
        let missed = [
            "crates/a/src/x.rs:3:14: replace < with <= in f",
            "crates/a/src/x.rs:9:2: replace < with <= in f",
        ];
        let missed = missed.map(without_place);
        assert_eq!(
            differences(&listed(text, "a"), &missed),
            [
                "`crates/a/src/x.rs: replace < with <= in f`: no test sees this; write one, or argue in docs/mutants.md why nobody could",
                "`crates/a/src/x.rs: replace || with && in g`: a test sees this now, or it is gone; take it out of docs/mutants.md",
            ]
        );
    }
}
