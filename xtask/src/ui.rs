//! The page: its checks, its sizes, and whether what is built into the program is what it says.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use crate::{Chore, run};

/// Where the built page lies, and where a fresh build of it goes.
const BUILT: &str = "ui/dist";
const FRESH: &str = "target/ui/dist";

/// Files of a folder, by their paths below it.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Runs the checks, builds the page anew, and compares.
pub(crate) fn run() -> Chore {
    install()?;
    npm(&["run", "--silent", "lint"])?;
    npm(&["run", "--silent", "types"])?;
    npm(&["test", "--silent"])?;
    npm(&[
        "run",
        "--silent",
        "build",
        "--",
        "--logLevel",
        "warn",
        "--outDir",
        "../target/ui/dist",
        "--emptyOutDir",
    ])?;
    compare(&files(BUILT)?, &files(FRESH)?)?;
    npm(&["run", "--silent", "sizes"])
}

/// What the page's tests need, from `ui/package-lock.json`.
pub(crate) fn install() -> Chore {
    let is_there = run::capture("node", &["--version"]).is_ok();
    if !is_there {
        println!("no Node was found; installing the packages `nodejs` and `npm`");
        run::sh("apt-get", &["update", "--quiet"])?;
        run::sh("apt-get", &["install", "--yes", "--quiet", "nodejs", "npm"])
            .map_err(|error| format!("{error}; install Node 20 or newer, with npm"))?;
    }
    if is_installed() {
        return Ok(());
    }
    npm(&["ci"])
}

/// npm keeps what it installed beside the packages; it is as good as the list it was made from.
fn is_installed() -> bool {
    let time = |path: &str| fs::metadata(run::root().join(path)).and_then(|data| data.modified());
    let (made, list) = (time("ui/node_modules/.package-lock.json"), time("ui/package-lock.json"));
    matches!((made, list), (Ok(made), Ok(list)) if made >= list)
}

pub(crate) fn npm(args: &[&str]) -> Chore {
    run::sh("npm", &[&["--prefix", "ui"], args].concat())
}

fn files(folder: &str) -> Result<Files, String> {
    let mut found = Files::new();
    let root = run::root().join(folder);
    collect(&root, &root, &mut found)
        .map_err(|error| format!("cannot read `{folder}`: {error}"))?;
    Ok(found)
}

fn collect(root: &Path, folder: &Path, found: &mut Files) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, found)?;
        } else {
            let name = path.strip_prefix(root).unwrap_or(&path).to_owned();
            found.insert(name, fs::read(&path)?);
        }
    }
    Ok(())
}

fn compare(built: &Files, fresh: &Files) -> Chore {
    let differs = |name: &&PathBuf| built.get(*name) != fresh.get(*name);
    let mut names: Vec<&PathBuf> = built.keys().chain(fresh.keys()).filter(differs).collect();
    names.sort();
    names.dedup();
    if names.is_empty() {
        println!("ui: `{BUILT}` is what its sources say, {} files", built.len());
        return Ok(());
    }
    let list: Vec<String> = names.iter().map(|name| format!("`{}`", name.display())).collect();
    Err(format!(
        "`{BUILT}` expected: what `npm run build` makes of `ui/`, but these differ: {}; \
         run `npm run build` in `ui/` and commit what it writes",
        list.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> Files {
        files.iter().map(|(name, text)| (PathBuf::from(name), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn a_file_that_is_missing_or_new_or_other_is_named() {
        let built = of(&[("a", "1"), ("b", "1"), ("c", "1")]);
        assert_eq!(compare(&built, &built), Ok(()));
        let fresh = of(&[("a", "1"), ("b", "2"), ("d", "1")]);
        let message = compare(&built, &fresh).unwrap_err();
        assert!(message.contains("these differ: `b`, `c`, `d`;"), "{message}");
    }
}
