//! What a command sees of our environment: a short list, and a `PATH` without workspace entries.
//!
//! Everything else stays here, keys and tokens above all, and so do the variables that make a
//! loader or a language run code at start.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// Variables that are handed on as they are.
const PASSED: &[&str] =
    &["HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "XDG_RUNTIME_DIR"];

/// Folders that end every `PATH`.
const STANDARD: &[&str] = &["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/// The environment of commands.
///
/// `ours` is the whole environment of this process; `named` are further variables that the user
/// wants to hand on; `roots` are the folders that commands may change; `temp` is the private
/// folder for temporary files.
pub(crate) fn clean(
    ours: &BTreeMap<String, String>,
    named: &BTreeSet<String>,
    roots: &[PathBuf],
    temp: &Path,
) -> BTreeMap<String, String> {
    let is_passed = |name: &str| PASSED.contains(&name) || named.contains(name);
    let mut clean: BTreeMap<String, String> = ours
        .iter()
        .filter(|(name, _)| is_passed(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    clean.entry("LANG".to_owned()).or_insert_with(|| "C.UTF-8".to_owned());
    clean.insert("TERM".to_owned(), "dumb".to_owned());
    clean.insert("TMPDIR".to_owned(), temp.display().to_string());
    clean.insert("PATH".to_owned(), search_path(ours.get("PATH"), roots));
    clean
}

/// Absolute folders outside the workspace, each once, the standard ones last. A folder that is a
/// link into the workspace does not pass either.
fn search_path(ours: Option<&String>, roots: &[PathBuf]) -> String {
    let ours = ours.map(String::as_str).unwrap_or_default().split(':');
    let mut folders: Vec<&str> = Vec::new();
    for folder in ours.chain(STANDARD.iter().copied()) {
        if is_outside(Path::new(folder), roots) && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders.join(":")
}

fn is_outside(folder: &Path, roots: &[PathBuf]) -> bool {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.is_absolute()
        && roots.iter().all(|root| !folder.starts_with(root) && !real.starts_with(root))
}

/// Where bash is, by that `PATH`.
pub(crate) fn find_bash(environment: &BTreeMap<String, String>) -> Option<PathBuf> {
    let path = environment.get("PATH")?;
    path.split(':').map(|folder| Path::new(folder).join("bash")).find(|bash| bash.is_file())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(ours: &[(&str, &str)], named: &[&str], expected: Expect) {
        let ours = ours.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let named = named.iter().map(|&name| name.to_owned()).collect();
        let clean = clean(&ours, &named, &["/ws".into()], Path::new("/run/tmp"));
        let lines: Vec<_> = clean.iter().map(|(k, v)| format!("{k}={v}\n")).collect();
        expected.assert_eq(&lines.concat());
    }

    #[test]
    fn keys_and_start_up_variables_stay_here() {
        check(
            &[
                ("HOME", "/home/ada"),
                ("USER", "ada"),
                ("LANG", "de_DE.UTF-8"),
                ("OPENAI_API_KEY", "canary"),
                ("LD_PRELOAD", "/tmp/x.so"),
                ("BASH_ENV", "/tmp/x"),
                ("PYTHONSTARTUP", "/tmp/x"),
                ("NODE_OPTIONS", "--require /tmp/x"),
                ("TERM", "xterm"),
            ],
            &[],
            expect![[r#"
                HOME=/home/ada
                LANG=de_DE.UTF-8
                PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
                TERM=dumb
                TMPDIR=/run/tmp
                USER=ada
            "#]],
        );
    }

    #[test]
    fn the_path_has_no_relative_and_no_workspace_entries() {
        check(
            &[("PATH", ".:/ws/bin:/opt/x/bin:bin::/usr/bin:/ws")],
            &[],
            expect![[r#"
            LANG=C.UTF-8
            PATH=/opt/x/bin:/usr/bin:/usr/local/bin:/bin:/usr/sbin:/sbin
            TERM=dumb
            TMPDIR=/run/tmp
        "#]],
        );
    }

    #[test]
    fn a_variable_that_the_user_named_is_handed_on() {
        check(
            &[("RUST_LOG", "debug"), ("SECRET", "canary")],
            &["RUST_LOG"],
            expect![[r#"
            LANG=C.UTF-8
            PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
            RUST_LOG=debug
            TERM=dumb
            TMPDIR=/run/tmp
        "#]],
        );
    }

    #[test]
    fn bash_is_not_taken_from_the_workspace() {
        let workspace = tempfile::TempDir::new().unwrap();
        std::fs::write(workspace.path().join("bash"), "#!/bin/sh\n").unwrap();
        let ours = [("PATH".to_owned(), workspace.path().display().to_string())].into();
        let roots = [workspace.path().to_owned()];
        let clean = clean(&ours, &BTreeSet::new(), &roots, Path::new("/run/tmp"));
        let bash = find_bash(&clean).unwrap();
        assert!(!bash.starts_with(workspace.path()), "{}", bash.display());
    }
}
