//! Whether the parser can be had alone: outside of this workspace, with two small crates below it
//! and no standard library.

use std::{collections::BTreeSet, fs, path::Path};

use crate::{Chore, run};

/// All that the parser may need.
const NEEDS: [&str; 3] = ["aho-corasick", "memchr", "tagline-parser"];

/// Targets on which it is checked too, where they are installed.
const TARGETS: [&str; 2] = ["wasm32-unknown-unknown", "thumbv7em-none-eabihf"];

/// The example, which another project could have copied.
const EXAMPLE: &str = "crates/parser/examples/live";

/// A program without `std`.
const BARE: &str = "xtask/embed/bare.rs";

/// Checks all of it.
pub(crate) fn run() -> Chore {
    needs()?;
    example()?;
    bare()?;
    TARGETS.iter().try_for_each(|target| on(target))
}

fn needs() -> Chore {
    let args = ["tree", "--locked", "-p", "tagline-parser", "-e", "normal", "--prefix", "none"];
    let tree = run::capture("cargo", &args)?;
    let names: BTreeSet<&str> =
        tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
    if names.iter().eq(NEEDS.iter()) {
        println!("embed: tagline-parser needs memchr and aho-corasick, and nothing else");
        return Ok(());
    }
    Err(format!("tagline-parser may need {NEEDS:?}, but needs {names:?}; drop what is new"))
}

/// Writes a package of its own, with the parser as a path dependency.
fn package(name: &str, more: &str) -> Result<String, String> {
    let folder = format!("target/embed/{name}");
    let path = run::root().join(&folder);
    // The empty table keeps it out of this workspace.
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\ntagline-parser = {{ path = \"../../../crates/parser\" }}\n{more}"
    );
    let write = || {
        fs::create_dir_all(path.join("src"))?;
        fs::write(path.join("Cargo.toml"), manifest)?;
        fs::copy(run::root().join("Cargo.lock"), path.join("Cargo.lock"))
    };
    write().map_err(|e| format!("cannot write `{folder}`: {e}"))?;
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> Chore {
    fs::copy(from, to).map_err(|e| format!("cannot copy `{}`: {e}", from.display()))?;
    Ok(())
}

fn build(folder: &str) -> Chore {
    let manifest = format!("{folder}/Cargo.toml");
    let args = ["build", "--quiet", "--manifest-path", &manifest];
    run::sh("cargo", &[&args[..], &["--target-dir", "target/embed/target"]].concat())
}

fn example() -> Chore {
    let folder = package("live", "serde_json = \"1\"\n")?;
    let entries = fs::read_dir(run::root().join(EXAMPLE));
    for entry in entries.map_err(|e| format!("cannot read `{EXAMPLE}`: {e}"))?.flatten() {
        let to = run::root().join(&folder).join("src").join(entry.file_name());
        copy(&entry.path(), &to)?;
    }
    build(&folder)?;
    println!("embed: the example `live` builds outside of the workspace");
    Ok(())
}

fn bare() -> Chore {
    let folder = package(
        "bare",
        "\n[lib]\ncrate-type = [\"staticlib\"]\n\n[profile.dev]\npanic = \"abort\"\n",
    )?;
    copy(&run::root().join(BARE), &run::root().join(&folder).join("src/lib.rs"))?;
    build(&folder)?;
    println!("embed: nothing below tagline-parser links the standard library");
    Ok(())
}

/// Checks the parser for a target, if it can be.
fn on(target: &str) -> Chore {
    let sysroot = run::capture("rustc", &["--print", "sysroot"])?;
    let installed = Path::new(sysroot.trim()).join("lib/rustlib").join(target).join("lib");
    if !installed.exists() {
        println!("embed: {target} is not installed here, so it was not tried");
        println!("       `rustup target add {target}` and run this again to try it");
        return Ok(());
    }
    let args = ["check", "--quiet", "--locked", "-p", "tagline-parser", "--target", target];
    run::sh("cargo", &args)?;
    println!("embed: tagline-parser builds for {target}");
    Ok(())
}
