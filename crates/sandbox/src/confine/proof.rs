//! Whether commands are really confined on this machine: tried, not believed.

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    fmt, fs,
    io::{self, Read as _},
    net::TcpListener,
    os::{
        linux::net::SocketAddrExt as _,
        unix::{
            ffi::OsStrExt as _,
            net::{SocketAddr, UnixListener},
        },
    },
    path::{Path, PathBuf},
    process::Stdio,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::Duration,
};

use super::{Plan, Probe, Trial, call, child::Parts, probe::LAST_BREATH};
use crate::{Limits, Order, Starter};

/// What a confined child was refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    refused: BTreeSet<Probe>,
}

impl Proof {
    /// Has a child try each [`Probe`], started as commands are. `scratch` is a folder of ours that
    /// nobody else uses, `outside` one that commands may not change, though this process may.
    ///
    /// Takes some ten milliseconds.
    ///
    /// # Errors
    ///
    /// Where no confined child can be started, or the trial could not be set up.
    pub fn make(starter: &Starter, scratch: &Path, outside: &Path) -> io::Result<Self> {
        Self::of(Parts::ALL, starter, scratch, outside)
    }

    fn of(parts: Parts, starter: &Starter, scratch: &Path, outside: &Path) -> io::Result<Self> {
        let set = Set::up(scratch)?;
        let order = Order::confined(Limits::default(), set.plan(), &set.writable)
            .trying(set.trial(parts, outside)?);
        // It never becomes another program.
        let mut command = starter.command(Path::new("/proc/self/exe"));
        command.stdout(Stdio::piped());
        let (mut child, leash) = starter.start(&order, command, |mut command| command.spawn())?;
        let mut answers = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let mut bits = [0; 2];
        let answered = answers.read_exact(&mut bits);
        drop(leash);
        let is_over = answered.is_ok() && call::hangs_up(&answers, LAST_BREATH);
        let _ = child.kill();
        let _ = child.wait();
        answered?;
        Ok(Self::read(u16::from_ne_bytes(bits), is_over))
    }

    fn read(bits: u16, is_over: bool) -> Self {
        let all = Probe::ALL.into_iter().enumerate();
        let tried = all.filter(|(n, _)| bits & (1 << n) != 0).map(|(_, probe)| probe);
        let refused = tried.chain(is_over.then_some(Probe::OutliveOwner)).collect();
        Self { refused }
    }

    /// What a command can do all the same, the network aside.
    #[must_use]
    pub fn holes(&self) -> Vec<Probe> {
        let all = Probe::ALL.into_iter().filter(|probe| *probe != Probe::ConnectTcp);
        all.filter(|probe| !self.refused.contains(probe)).collect()
    }

    /// Whether commands are confined but for the network.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.holes().is_empty()
    }

    /// Whether the network is out of reach too.
    #[must_use]
    pub fn confines_network(&self) -> bool {
        self.refused.contains(&Probe::ConnectTcp)
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let network = if self.confines_network() { "confined" } else { "not confined" };
        let holes: Vec<_> = self.holes().iter().map(Probe::to_string).collect();
        match holes.as_slice() {
            [] => {
                write!(f, "enforced, proven by {} trials; network: {network}", self.refused.len())
            }
            holes => write!(f, "not enforced: a command can {}", holes.join(", ")),
        }
    }
}

/// What is tried on.
struct Set {
    scratch: PathBuf,
    writable: PathBuf,
    port: TcpListener,
    socket: PathBuf,
    /// Held so that somebody listens.
    _listeners: [UnixListener; 2],
    name: [u8; Self::NAME],
}

impl Set {
    /// How often its folder is tried to be removed: on a busy machine the last processes of the
    /// child may be in the way for a moment yet.
    const TRIES: u32 = 100;
    const PAUSE: Duration = Duration::from_millis(10);
    /// Bytes of a name without a place, without the NUL before it.
    const NAME: usize = 107;

    fn up(scratch: &Path) -> io::Result<Self> {
        static N: AtomicU32 = AtomicU32::new(0);
        let id = format!("{}-{}", std::process::id(), N.fetch_add(1, Ordering::Relaxed));
        fs::create_dir_all(scratch)?;
        let scratch = scratch.canonicalize()?.join(format!("proof-{id}"));
        let writable = scratch.join("writable");
        fs::create_dir_all(writable.join("protected"))?;
        for folder in ["secret", "tmp"] {
            fs::create_dir(scratch.join(folder))?;
        }
        fs::write(scratch.join("secret/key"), "canary")?;
        let socket = PathBuf::from(format!("/tmp/tagline-proof-{id}"));
        let mut name = [0; Self::NAME];
        for (room, byte) in name.iter_mut().zip(format!("tagline-proof-{id}").bytes()) {
            *room = byte;
        }
        let nowhere = UnixListener::bind_addr(&SocketAddr::from_abstract_name(name)?)?;
        Ok(Self {
            port: TcpListener::bind("127.0.0.1:0")?,
            _listeners: [UnixListener::bind(&socket)?, nowhere],
            scratch,
            writable,
            socket,
            name,
        })
    }

    fn plan(&self) -> Plan {
        Plan {
            writable: vec![self.writable.clone()],
            protected: vec![self.writable.join("protected")],
            fixed: Vec::new(),
            hidden: vec![self.scratch.join("secret")],
            temp: Some(self.scratch.join("tmp")),
        }
    }

    fn trial(&self, parts: Parts, outside: &Path) -> io::Result<Trial> {
        let name: Vec<u8> = [0].into_iter().chain(self.name).collect();
        Ok(Trial {
            parts,
            outside: outside.into(),
            protected: self.writable.join("protected").into(),
            secret: self.scratch.join("secret/key").into(),
            port: self.port.local_addr()?.port(),
            sockets: [OsString::from(&self.socket), OsStr::from_bytes(&name).to_owned()],
            parent: std::process::id().cast_signed(),
        })
    }
}

impl Drop for Set {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.socket);
        for _ in 0..Self::TRIES {
            if fs::remove_dir_all(&self.scratch).is_ok() || !self.scratch.exists() {
                return;
            }
            thread::sleep(Self::PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// What is said of a sandbox that lacks a part; nothing where this machine has none at all.
    #[track_caller]
    fn check(change: impl Fn(&mut Parts), expected: Expect) {
        let scratch = tempfile::TempDir::new().unwrap();
        let outside = tempfile::TempDir::new().unwrap();
        let mut parts = Parts::ALL;
        if Proof::of(parts, &Starter::Fork, scratch.path(), outside.path()).is_err() {
            return;
        }
        change(&mut parts);
        let proof = Proof::of(parts, &Starter::Fork, scratch.path(), outside.path()).unwrap();
        expected.assert_eq(&proof.to_string());
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_whole_sandbox_is_proven() {
        check(|_| (), expect!["enforced, proven by 9 trials; network: not confined"]);
    }

    #[test]
    fn what_is_missing_is_noticed() {
        check(
            |parts| parts.files = false,
            expect![
                "not enforced: a command can write outside of the workspace, write protected names, connect to sockets of other programs, read the files of tagline"
            ],
        );
        check(
            |parts| parts.processes = false,
            expect!["not enforced: a command can signal tagline, outlive tagline"],
        );
        check(
            |parts| parts.rights = false,
            expect![
                "not enforced: a command can connect to sockets of other programs, look into tagline, get more rights"
            ],
        );
        check(
            |parts| parts.calls = false,
            expect!["not enforced: a command can mount, get more rights"],
        );
    }
}
