//! A model of 135 million parameters does a task through the binary. `TAGLINE_TEST_LLAMA` holds the
//! address of its server, such as `http://127.0.0.1:8099`, as `scripts/real-model/serve.py` prints it.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests stop at the first surprise, run the binary, and are handed their server in the environment"
)]

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

const TASK: &str = "Make a file named notes.txt that says hello world";

fn server() -> String {
    std::env::var("TAGLINE_TEST_LLAMA").expect(
        "TAGLINE_TEST_LLAMA: expected the address of a llama.cpp server, such as scripts/real-model/serve.py prints",
    )
}

/// One run in a folder and a home of its own.
struct Run {
    folder: TempDir,
    output: Output,
}

impl Run {
    fn new(options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        let mut command = tagline(&folder);
        command
            .args(["run", "--model", &server(), "--tools", "write_file,say", "--mode", "full"])
            .args(["--temperature", "0", "-C", "work"])
            .args(options)
            .arg(TASK);
        let output = command.output().unwrap();
        Self { folder, output }
    }

    fn exit(&self) -> i32 {
        self.output.status.code().unwrap_or(-1)
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// The names of the files in the working folder.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.work()).unwrap();
        entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// What `sessions show` prints of the one session.
    fn journal(&self) -> String {
        let list = text(&tagline(&self.folder).args(["sessions", "list"]).output().unwrap().stdout);
        let id = list.split_whitespace().next().expect("a session in the list");
        let shown = tagline(&self.folder).args(["sessions", "show", id]).output().unwrap();
        assert!(shown.status.success(), "{}", text(&shown.stderr));
        text(&shown.stdout)
    }

    /// All that is known, for the message of a test that fails.
    fn all(&self) -> String {
        let (out, err) = (text(&self.output.stdout), text(&self.output.stderr));
        format!("exit {}\nfiles {:?}\n{out}\n{err}", self.exit(), self.files())
    }
}

fn tagline(folder: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tagline"));
    command
        .current_dir(folder.path())
        .env_clear()
        .env("TAGLINE_HOME", folder.path().join("home"))
        .stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn ten_runs_of_ten_with_the_grammar_write_the_file_and_end_by_themselves() {
    for n in 1..=10 {
        let run = Run::new(&[]);
        assert_eq!(run.exit(), 0, "run {n}: {}", run.all());
        assert_eq!(run.files(), ["notes.txt"], "run {n}: {}", run.all());
        let written = fs::read_to_string(run.work().join("notes.txt")).unwrap();
        assert!(
            matches!(written.as_str(), "hello world" | "hello world\n"),
            "run {n}: {written:?}"
        );
    }
}

#[test]
fn guided_runs_without_the_grammar_end_by_a_limit_with_nothing_half_done() {
    for n in 1..=2 {
        let options =
            ["--grammar", "off", "--loop", "guided", "--max-passes", "2", "--max-tokens", "80"];
        let run = Run::new(&options);
        assert!(matches!(run.exit(), 6 | 7), "run {n}: {}", run.all());
        assert!(run.journal().contains(TASK), "run {n}: {}", run.journal());
        // A file is there only if its call was closed and ran.
        let has_written = run.journal().lines().any(|line| line.trim().starts_with("write "));
        assert_eq!(run.files().is_empty(), !has_written, "run {n}: {}", run.all());
    }
}
