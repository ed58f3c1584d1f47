//! A workspace in a temporary folder, with a neighbor that must never change.

use std::{fs, path::PathBuf};

use tagline_workspace::{Builder, Workspace};
use tempfile::TempDir;

/// `ws` is the workspace, `out` its neighbor, `data` the data folder.
pub(crate) struct Fixture {
    pub(crate) top: TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let top = TempDir::new().unwrap();
        for name in ["ws", "out", "data"] {
            fs::create_dir(top.path().join(name)).unwrap();
        }
        Self { top }
    }

    pub(crate) fn builder(&self) -> Builder {
        Workspace::builder(self.ws("")).data(self.path("data"))
    }

    pub(crate) fn open(&self) -> Workspace {
        self.builder().open().unwrap()
    }

    pub(crate) fn path(&self, rest: &str) -> PathBuf {
        self.top.path().canonicalize().unwrap().join(rest)
    }

    pub(crate) fn ws(&self, rest: &str) -> PathBuf {
        self.path("ws").join(rest)
    }

    pub(crate) fn out(&self, rest: &str) -> PathBuf {
        self.path("out").join(rest)
    }

    /// Takes this machine's paths out of a message.
    pub(crate) fn plain(&self, text: &str) -> String {
        text.replace(&self.path("").display().to_string(), "/top/").replace("/top//", "/top/")
    }

    /// Every path below a folder of the fixture, sorted.
    pub(crate) fn tree(&self, rest: &str) -> Vec<String> {
        let mut found = vec![];
        let mut folders = vec![self.path(rest)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                }
                let path = entry.path();
                let rest = path.strip_prefix(self.path(rest)).unwrap();
                found.push(rest.to_string_lossy().into_owned());
            }
        }
        found.sort();
        found
    }
}
