//! A folder that may be changed, one that may not, and commands in between.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use tagline_sandbox::{
    Limits, Means, Order, Plan, Starter,
    confine::{Leash, Proof},
    network::Membership,
};
use tempfile::TempDir;

/// Commands are started as by the product.
pub(crate) fn starter() -> Starter {
    Starter::sealed(Path::new(HELPER)).unwrap()
}

pub(crate) const HELPER: &str = env!("CARGO_BIN_EXE_become-a-command");

pub(crate) struct Bed {
    folder: TempDir,
    pub(crate) plan: Plan,
    pub(crate) starter: Starter,
    pub(crate) means: Means,
    pub(crate) network: Option<Membership>,
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
            Means::Namespaces,
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
        Some(Self { folder, plan, starter, means: Means::Namespaces, network: None })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// Starts a command in the workspace, with the folders in variables and its output in pipes.
    pub(crate) fn start(&self, script: &str) -> io::Result<(Child, Option<Leash>)> {
        let mut command = self.starter.command(Path::new("bash"));
        command.args(["--noprofile", "--norc", "-c", script]).current_dir(self.path("ws"));
        for name in ["ws", "own", "other", "tmp"] {
            command.env(name.to_uppercase(), self.path(name));
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let order = Order::confined(Limits::default(), self.plan.clone(), &self.path("ws"));
        let mut order = order.by(self.means).offline();
        if let Some(network) = self.network {
            order = order.within(network);
        }
        self.starter.start(&order, command, |mut it: Command| it.spawn())
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

    pub(crate) fn helper(&self) -> PathBuf {
        HELPER.into()
    }

    fn shown(&self) -> String {
        format!("{}/", self.folder.path().canonicalize().unwrap().display())
    }
}
