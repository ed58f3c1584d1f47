//! One more tool costs two files: scaffolded in a copy of the tree, built, found, run.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A copy of the tree with a build folder of its own.
///
/// Its place is the same each time, and files keep the time of their last change, so that a
/// second run builds little. What the tree itself has built of other people's packages is
/// linked over, so that the first run does not build them again.
struct Copy {
    tree: PathBuf,
    target: PathBuf,
    /// What was copied, by its path below the root.
    files: Vec<String>,
}

impl Copy {
    fn new() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("new-tool");
        let copy = Self { tree: target.join("tree"), files: files(root), target };
        let _ = fs::remove_dir_all(&copy.tree);
        for path in &copy.files {
            copy_file(&root.join(path), &copy.tree.join(path));
        }
        copy.link_packages();
        copy
    }

    /// Nothing of our own packages is taken: cargo names what it builds of them by their place
    /// in the tree, so it would take the tree's programs, which know the tree's folder, for its own.
    fn link_packages(&self) {
        let built = self.target.parent().unwrap().join("debug");
        let ours = self.target.join("debug");
        for path in walk(&built.join("deps")).iter().filter(|path| is_library(path)) {
            link(&built.join("deps").join(path), &ours.join("deps").join(path));
        }
        for path in walk(&built.join("build")).iter().filter(|path| !is_ours(path)) {
            link(&built.join("build").join(path), &ours.join("build").join(path));
        }
        // Cargo writes its notes in place, so these are copied; what it builds it replaces.
        for path in walk(&built.join(".fingerprint")).iter().filter(|path| !is_ours(path)) {
            let to = ours.join(".fingerprint").join(path);
            if !to.exists() {
                copy_file(&built.join(".fingerprint").join(path), &to);
            }
        }
    }

    /// Runs cargo in the copy.
    fn cargo(&self, args: &[&str]) -> Output {
        let mut command = command("cargo", args);
        // What the outer cargo tells its tests would mislead the inner one.
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CARGO_")) {
            if name != "CARGO_HOME" {
                command.env_remove(name);
            }
        }
        command.current_dir(&self.tree).env("CARGO_TARGET_DIR", &self.target).output().unwrap()
    }

    /// Runs the built program with a configuration and a workspace of its own.
    fn tagline(&self, args: &[&str]) -> String {
        let home = tempfile::TempDir::new().unwrap();
        let program = self.target.join("debug/tagline").display().to_string();
        let mut command = command(&program, args);
        command.env_clear().env("HOME", home.path()).env("PATH", "/usr/bin:/bin");
        text(command.current_dir(home.path()).output().unwrap())
    }

    /// The files that are not what they were, new ones included.
    fn touched(&self) -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let now = walk(&self.tree);
        let is_touched =
            |path: &String| fs::read(self.tree.join(path)).ok() != fs::read(root.join(path)).ok();
        let mut touched: Vec<_> = now.into_iter().filter(is_touched).collect();
        touched.sort();
        touched
    }
}

#[expect(clippy::disallowed_methods, reason = "the test runs cargo and the built program")]
fn command(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args);
    command
}

/// What it printed, of a program that ended well.
#[track_caller]
fn text(output: Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{stderr}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

fn is_library(name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("rlib" | "rmeta" | "so")) && !is_ours(name)
}

fn is_ours(name: &str) -> bool {
    let name = name.strip_prefix("lib").unwrap_or(name);
    name.starts_with("tagline") || name.starts_with("xtask")
}

/// Where this fails there is more to build, and nothing else.
fn link(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    let _ = fs::hard_link(from, to);
}

/// The files of the tree that are not ignored.
fn files(root: &Path) -> Vec<String> {
    let list = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let listed = text(command("git", &list).current_dir(root).output().unwrap());
    listed.lines().map(str::to_owned).filter(|path| root.join(path).is_file()).collect()
}

fn copy_file(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(from, to).unwrap();
    let changed = from.metadata().unwrap().modified().unwrap();
    fs::File::options().write(true).open(to).unwrap().set_modified(changed).unwrap();
}

/// All files below a folder, by their path below it.
fn walk(root: &Path) -> Vec<String> {
    let (mut folders, mut files) = (vec![root.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(root).unwrap().display().to_string());
            }
        }
    }
    files
}

#[test]
fn a_scaffolded_tool_is_two_files_in_the_prompt_and_runs() {
    let copy = Copy::new();
    text(copy.cargo(&["run", "--locked", "--quiet", "-p", "xtask", "--", "new-tool", "give_back"]));
    assert_eq!(
        copy.touched(),
        ["crates/tools/src/conversation/mod.rs", "crates/tools/src/registry.rs"]
    );
    text(copy.cargo(&["fmt", "--all", "--check"]));
    // The packages are wanted with the features that the tests of the tree give them.
    text(copy.cargo(&[
        "build",
        "--locked",
        "--workspace",
        "--bin",
        "tagline",
        "--test",
        "new_tool",
    ]));

    let shown = copy.tagline(&["tools", "show", "give_back"]);
    assert!(shown.contains("Gives back what it was given"), "{shown}");
    let docs = copy.tagline(&["tools", "docs"]);
    assert!(docs.contains(r#"<give_back text="a word"/>"#), "{docs}");
    let prompt = copy.tagline(&["prompt", "show", "--tools", "give_back"]);
    assert!(prompt.contains(r#"<give_back text="a word"/>"#), "{prompt}");
    let answer = copy.tagline(&["tools", "call", "give_back", "--text", "hello there"]);
    assert!(answer.contains("it was: hello there"), "{answer}");
}
