//! Runs the binary in a folder of its own, with an environment of its own.

pub(crate) mod canaries;
pub(crate) mod hostile;
pub(crate) mod lists;
pub(crate) mod processes;
pub(crate) mod proxy;
pub(crate) mod served;
pub(crate) mod table;
pub(crate) mod talk;
pub(crate) mod terminal;

use std::{
    fmt::Debug,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    str::FromStr,
};

use tempfile::TempDir;

/// How often, or how much: what a named command says in this variable, or the few of the test
/// command.
pub(crate) fn asked<N: FromStr<Err: Debug>>(variable: &str, few: N) -> N {
    #[expect(clippy::disallowed_methods, reason = "how much is asked of the test itself")]
    let asked = std::env::var(variable).ok();
    asked.map_or(few, |text| text.parse().unwrap())
}

/// A home for one test: files in `home`, work in `work`.
pub(crate) struct Bench {
    folder: TempDir,
    vars: Vec<(String, String)>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let vars = canaries::PLANTED.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let bench = Self { folder: tempfile::tempdir().unwrap(), vars: vars.to_vec() };
        for folder in ["home", "work", "system/tagline"] {
            fs::create_dir_all(bench.path(folder)).unwrap();
        }
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file below the test's folder.
    pub(crate) fn write(self, name: &str, text: &str) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Sets a variable.
    pub(crate) fn var(mut self, name: &str, value: &str) -> Self {
        self.vars.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The command, ready to start: nothing of our own environment is in it.
    #[expect(clippy::disallowed_methods, reason = "the binary itself is under test")]
    pub(crate) fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagline"));
        command
            .args(args.split_whitespace())
            .current_dir(self.path("work"))
            .env_clear()
            .env("TAGLINE_HOME", self.path("home"))
            .env("XDG_CONFIG_DIRS", self.path("system"))
            .envs(self.vars.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        command
    }

    /// What it wrote, where, and how it ended; the test's folder is shown as `[test]`.
    pub(crate) fn run(&self, args: &str) -> String {
        self.show(&self.command(args).output().unwrap())
    }

    /// What a finished process wrote, where, and how it ended.
    pub(crate) fn show(&self, output: &Output) -> String {
        let part = |name: &str, bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            if text.is_empty() { text } else { format!("--- {name}\n{text}") }
        };
        let (out, err) = (part("stdout", &output.stdout), part("stderr", &output.stderr));
        let text = format!("{out}{err}exit {}\n", output.status.code().unwrap_or(-1));
        canaries::hold(&self.vars, "what was written", text.as_bytes());
        self.tidy(&text)
    }

    /// Fails where a secret of the test's environment stands in `bytes`.
    #[track_caller]
    pub(crate) fn hold(&self, place: &str, bytes: &[u8]) {
        canaries::hold(&self.vars, place, bytes);
    }

    fn tidy(&self, text: &str) -> String {
        let folder = self.folder.path();
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let name = |path: &Path| path.to_str().unwrap().to_owned();
        let text = text.replace(&name(&real), "[test]").replace(&name(folder), "[test]");
        steady(&text)
    }
}

impl Drop for Bench {
    /// Nothing that the test left behind holds a secret of its environment.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            canaries::search(&self.vars, self.folder.path());
        }
    }
}

/// Ids of sessions and times, which differ from run to run, replaced by names.
fn steady(text: &str) -> String {
    let id = regex::Regex::new(r"\b[0-9a-f]{12}\b").unwrap();
    let time = regex::Regex::new(r" *\b(\d+ min )?\d+(\.\d+)? m?s\b").unwrap();
    time.replace_all(&id.replace_all(text, "[id]"), " [time]").into_owned()
}
