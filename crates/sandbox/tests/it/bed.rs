//! A folder that may be changed, one that may not, and commands in between.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use tagline_sandbox::{
    Limits,
    confine::{Leash, Plan, Proof, confine},
};
use tempfile::TempDir;

pub(crate) struct Bed {
    folder: TempDir,
    pub(crate) plan: Plan,
}

impl Bed {
    /// `None`: no sandbox can be made here, and the proof says so.
    pub(crate) fn new() -> Option<Self> {
        let folder = TempDir::new().unwrap();
        for name in ["ws", "own", "other", "tmp", "proof"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let proof =
            Proof::make(&folder.path().join("proof"), Path::new(env!("CARGO_MANIFEST_DIR")));
        if !proof.is_ok_and(|proof| proof.is_whole()) {
            return None;
        }
        let path = |name: &str| folder.path().canonicalize().unwrap().join(name);
        fs::write(path("own/key"), "canary").unwrap();
        fs::write(path("other/file"), "there\n").unwrap();
        let plan =
            Plan { writable: vec![path("ws")], hidden: vec![path("own")], ..Plan::default() };
        Some(Self { folder, plan })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// A command in the workspace, with the folders in variables.
    pub(crate) fn command(&self, script: &str) -> (Command, Leash) {
        #[expect(clippy::disallowed_methods, reason = "confined commands are what is tested")]
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-c", script]).current_dir(self.path("ws"));
        for name in ["ws", "own", "other", "tmp"] {
            command.env(name.to_uppercase(), self.path(name));
        }
        command.stdin(Stdio::null());
        let leash = confine(&mut command, Limits::default(), &self.plan, &self.path("ws")).unwrap();
        (command, leash)
    }

    pub(crate) fn run(&self, script: &str) -> Output {
        let (mut command, _leash) = self.command(script);
        command.output().unwrap()
    }

    /// What it writes, both streams together.
    pub(crate) fn text(&self, script: &str) -> String {
        let output = self.run(&format!("exec 2>&1\n{script}"));
        String::from_utf8(output.stdout).unwrap().replace(&self.shown(), "")
    }

    fn shown(&self) -> String {
        format!("{}/", self.folder.path().canonicalize().unwrap().display())
    }
}
