//! A folder that may be changed, one that may not, and commands in between.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use tagline_sandbox::{
    Limits, Order, Starter,
    confine::{Leash, Plan, Proof},
};
use tempfile::TempDir;

/// Commands are started as by the product.
fn starter() -> Starter {
    Starter::sealed(Path::new(HELPER)).unwrap()
}

pub(crate) const HELPER: &str = env!("CARGO_BIN_EXE_become-a-command");

pub(crate) struct Bed {
    folder: TempDir,
    pub(crate) plan: Plan,
    pub(crate) starter: Starter,
}

impl Bed {
    /// `None`: no sandbox can be made here, and the proof says so.
    pub(crate) fn new() -> Option<Self> {
        let folder = TempDir::new().unwrap();
        for name in ["ws", "own", "other", "tmp", "proof"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let starter = starter();
        let proof = Proof::make(
            &starter,
            &folder.path().join("proof"),
            Path::new(env!("CARGO_MANIFEST_DIR")),
        );
        if !proof.is_ok_and(|proof| proof.is_whole()) {
            return None;
        }
        let path = |name: &str| folder.path().canonicalize().unwrap().join(name);
        fs::write(path("own/key"), "canary").unwrap();
        fs::write(path("other/file"), "there\n").unwrap();
        let plan =
            Plan { writable: vec![path("ws")], hidden: vec![path("own")], ..Plan::default() };
        Some(Self { folder, plan, starter })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// Starts a command in the workspace, with the folders in variables and its output in pipes.
    pub(crate) fn start(&self, script: &str) -> io::Result<(Child, Leash)> {
        let mut command = self.starter.command(Path::new("bash"));
        command.args(["--noprofile", "--norc", "-c", script]).current_dir(self.path("ws"));
        for name in ["ws", "own", "other", "tmp"] {
            command.env(name.to_uppercase(), self.path(name));
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let order = Order::confined(Limits::default(), self.plan.clone(), &self.path("ws"));
        let (child, leash) = self.starter.start(&order, command, |mut it: Command| it.spawn())?;
        Ok((child, leash.unwrap()))
    }

    pub(crate) fn run(&self, script: &str) -> Output {
        let (child, _leash) = self.start(script).unwrap();
        child.wait_with_output().unwrap()
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
