//! What a yes to a command is bound to beside its text: the programs as they are found, and what they
//! are run in.

use std::{fs, os::unix::fs::MetadataExt as _, path::Path};

use tagline_policy::{Fact, FactKind, programs};

use super::{Runs, environment};

impl Runs {
    /// What a command that starts now would run, and how. Costs a look at each program.
    pub(crate) fn facts(&self, command: &str, cwd: &Path) -> Vec<Fact> {
        let found = programs(command, cwd);
        let shell = environment::find_bash(&self.environment);
        let shell = shell.map_or_else(|| missing("bash"), |path| program(&path));
        let others = found.names.iter().map(|name| self.program(name, cwd));
        let mut facts: Vec<Fact> = [shell].into_iter().chain(others).collect();
        if !found.is_certain {
            facts.push(fact(FactKind::Program, "others that are known only when it runs"));
        }
        let folder = inode(cwd).map_or_else(String::new, |inode| format!(" {inode:?}"));
        let shown = cwd.display().to_string();
        let bound = format!("{shown}{folder}");
        facts.push(Fact { kind: FactKind::Folder, shown, bound });
        facts.push(self.seen_environment());
        facts.push(fact(FactKind::Input, "nothing"));
        facts.push(fact(FactKind::Confinement, &self.config.sandbox.to_string()));
        facts
    }

    /// The program of this name, as the command would find it.
    fn program(&self, name: &str, cwd: &Path) -> Fact {
        if name.contains('/') {
            return program(&cwd.join(name));
        }
        let folders = self.environment.get("PATH").map(String::as_str).unwrap_or_default();
        let mut paths = folders.split(':').map(|folder| Path::new(folder).join(name));
        paths.find(|path| is_program(path)).map_or_else(|| missing(name), |path| program(&path))
    }

    /// All of it is bound; of what is more than usual the names are shown.
    fn seen_environment(&self) -> Fact {
        let is_seen = |name: &&String| self.environment.contains_key(*name);
        let named: Vec<&str> =
            self.config.named.iter().filter(is_seen).map(String::as_str).collect();
        let shown = match named.as_slice() {
            [] => "the usual short list".to_owned(),
            named => format!("the usual short list, and {}", named.join(", ")),
        };
        Fact { kind: FactKind::Environment, shown, bound: format!("{:?}", self.environment) }
    }
}

fn fact(kind: FactKind, words: &str) -> Fact {
    Fact { kind, shown: words.to_owned(), bound: words.to_owned() }
}

fn missing(name: &str) -> Fact {
    fact(FactKind::Program, &format!("{name}, which is not found"))
}

/// A program by its path, links followed, and by its inode, size and times: another file in its place is
/// another program.
fn program(path: &Path) -> Fact {
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let Some(meta) = fs::metadata(&real).ok().filter(fs::Metadata::is_file) else {
        return missing(&path.display().to_string());
    };
    let via = if real == path { String::new() } else { format!(", as {}", path.display()) };
    let shown = format!("{} (inode {}){via}", real.display(), meta.ino());
    let times = [meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec()];
    let bound = format!("{shown} {} {} {times:?}", meta.dev(), meta.size());
    Fact { kind: FactKind::Program, shown, bound }
}

fn is_program(path: &Path) -> bool {
    const EXECUTE: u32 = 0o111;
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.mode() & EXECUTE != 0)
}

fn inode(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|meta| (meta.dev(), meta.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::RunsConfig;

    /// The facts of a command in a folder of its own, without what differs between machines.
    fn shown(runs: &Runs, command: &str, cwd: &Path) -> Vec<String> {
        let facts = runs.facts(command, cwd);
        let line = |fact: &Fact| format!("{}: {}", fact.kind.as_str(), fact.shown);
        facts.iter().map(line).collect()
    }

    #[test]
    fn a_yes_is_bound_to_what_is_found_now() {
        let folder = tempfile::TempDir::new().unwrap();
        let cwd = folder.path().canonicalize().unwrap();
        let runs = Runs::new(RunsConfig::new(cwd.join("runs"), vec![cwd.clone()])).unwrap();
        fs::write(cwd.join("own.sh"), "true").unwrap();
        let command = "cd . && timeout 5 ./own.sh | no-such-program";
        let first = runs.facts(command, &cwd);
        let lines = shown(&runs, command, &cwd);
        assert!(
            lines[0].starts_with("program: ") && lines[0].contains("/bash (inode "),
            "{lines:?}"
        );
        assert!(lines[1].contains("/timeout (inode "), "{lines:?}");
        assert!(lines[2].contains("/own.sh (inode "), "{lines:?}");
        assert_eq!(lines[3], "program: no-such-program, which is not found");
        assert_eq!(lines[4], format!("folder: {}", cwd.display()));
        assert_eq!(lines[5..7], ["environment: the usual short list", "input: nothing"]);
        assert_eq!(lines[7], "confinement: not confined: nobody asked for a sandbox");
        assert_eq!(runs.facts(command, &cwd), first);
        fs::write(cwd.join("own.sh"), "false").unwrap();
        let second = runs.facts(command, &cwd);
        let differ: Vec<_> = (0..first.len()).filter(|&n| first[n] != second[n]).collect();
        assert_eq!(differ, [2]);
    }

    #[test]
    fn what_is_known_only_when_it_runs_is_said_to_be() {
        let folder = tempfile::TempDir::new().unwrap();
        let runs = Runs::new(RunsConfig::new(folder.path().join("runs"), Vec::new())).unwrap();
        let lines = shown(&runs, "for a in x; do $a; done", folder.path());
        assert!(
            lines.contains(&"program: others that are known only when it runs".to_owned()),
            "{lines:?}"
        );
    }
}
