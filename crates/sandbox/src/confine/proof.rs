//! Whether commands are really confined on this machine: tried, not believed.

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    fmt, fs,
    io::{self, Read as _},
    net::{TcpListener, UdpSocket},
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

use super::{Probe, Trial, call, child::Parts, probe::LAST_BREATH};
use crate::{Limits, Means, Order, Plan, Starter, network::Network};

/// What a confined child was refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    means: Means,
    refused: BTreeSet<Probe>,
}

/// A part of what confines a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its view of the file system.
    Files,
    /// Processes of its own, which end with us.
    Processes,
    /// Fewer rights.
    Rights,
    /// Fewer system calls.
    Calls,
    /// A network of its own.
    Network,
}

impl Proof {
    /// Has a child try each [`Probe`], started and confined as commands are. `scratch` is a folder of ours that
    /// nobody else uses, `outside` one that commands may not change, though this process may.
    ///
    /// Takes some ten milliseconds.
    ///
    /// # Errors
    ///
    /// Where no confined child can be started, or the trial could not be set up.
    pub fn make(
        means: Means,
        starter: &Starter,
        scratch: &Path,
        outside: &Path,
    ) -> io::Result<Self> {
        Self::of(Parts::ALL, means, starter, scratch, outside)
    }

    /// The same with a part taken away, which the trials must notice.
    ///
    /// # Errors
    ///
    /// As those of [`Proof::make`].
    pub fn lacking(
        part: Part,
        means: Means,
        starter: &Starter,
        scratch: &Path,
        outside: &Path,
    ) -> io::Result<Self> {
        let mut parts = Parts::ALL;
        *match part {
            Part::Files => &mut parts.files,
            Part::Processes => &mut parts.processes,
            Part::Rights => &mut parts.rights,
            Part::Calls => &mut parts.calls,
            Part::Network => &mut parts.network,
        } = false;
        Self::of(parts, means, starter, scratch, outside)
    }

    fn of(
        parts: Parts,
        means: Means,
        starter: &Starter,
        scratch: &Path,
        outside: &Path,
    ) -> io::Result<Self> {
        let set = Set::up(scratch)?;
        let network = network(means, starter);
        let mut order = Order::confined(Limits::default(), set.plan(), &set.writable)
            .by(means)
            .offline()
            .trying(set.trial(parts, outside)?);
        if let Some(network) = &network {
            order = order.within(network.membership());
        }
        // It never becomes another program.
        let mut command = starter.command(Path::new("/proc/self/exe"));
        command.stdout(Stdio::piped());
        let (mut child, leash) = starter.start(&order, command, |mut command| command.spawn())?;
        let mut answers = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let mut bits = [0; 2];
        let answered = answers.read_exact(&mut bits);
        // Without a leash there is nothing to wait for.
        let is_held = leash.is_some();
        drop(leash);
        let is_over = is_held && answered.is_ok() && call::hangs_up(&answers, LAST_BREATH);
        let _ = child.kill();
        let _ = child.wait();
        answered?;
        let mut proof = Self::read(means, u16::from_ne_bytes(bits), is_over);
        if set.has_datagram() {
            proof.refused.remove(&Probe::ConnectTcp);
        }
        Ok(proof)
    }

    fn read(means: Means, bits: u16, is_over: bool) -> Self {
        let all = Probe::ALL.into_iter().enumerate();
        let tried = all.filter(|(n, _)| bits & (1 << n) != 0).map(|(_, probe)| probe);
        let refused = tried.chain(is_over.then_some(Probe::OutliveOwner)).collect();
        Self { means, refused }
    }

    /// By which means it was made.
    #[must_use]
    pub const fn means(&self) -> Means {
        self.means
    }

    /// The same where the user wants the network open.
    #[must_use]
    pub fn with_open_network(mut self) -> Self {
        self.refused.remove(&Probe::ConnectTcp);
        self
    }

    /// Each trial, and whether it was refused.
    #[must_use]
    pub fn trials(&self) -> Vec<(Probe, bool)> {
        Probe::ALL.into_iter().map(|probe| (probe, self.refused.contains(&probe))).collect()
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
        let network = if self.confines_network() { "its own" } else { "not confined" };
        let holes: Vec<_> = self.holes().iter().map(Probe::to_string).collect();
        match holes.as_slice() {
            [] => {
                write!(f, "enforced, proven by {} trials; network: {network}", self.refused.len())
            }
            holes => {
                let by = match self.means {
                    Means::Namespaces => "",
                    Means::Landlock => " (Landlock alone)",
                };
                write!(
                    f,
                    "not enforced{by}: a command can {}; network: {network}",
                    holes.join(", ")
                )
            }
        }
    }
}

/// A network as commands are in, where this machine gives one.
fn network(means: Means, starter: &Starter) -> Option<Network> {
    match means {
        Means::Namespaces => Network::open(&starter.program()?).ok(),
        Means::Landlock => None,
    }
}

/// What is tried on.
struct Set {
    scratch: PathBuf,
    writable: PathBuf,
    port: TcpListener,
    datagrams: UdpSocket,
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
            datagrams: UdpSocket::bind("127.0.0.1:0")?,
            _listeners: [UnixListener::bind(&socket)?, nowhere],
            scratch,
            writable,
            socket,
            name,
        })
    }

    /// Whether one came in.
    fn has_datagram(&self) -> bool {
        self.datagrams.set_nonblocking(true).is_err() || self.datagrams.recv(&mut [0]).is_ok()
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
            datagram_port: self.datagrams.local_addr()?.port(),
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
        if Proof::of(parts, Means::Namespaces, &Starter::Fork, scratch.path(), outside.path())
            .is_err()
        {
            return;
        }
        change(&mut parts);
        let proof =
            Proof::of(parts, Means::Namespaces, &Starter::Fork, scratch.path(), outside.path())
                .unwrap();
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
                "not enforced: a command can write outside of the workspace, write protected names, connect to sockets of other programs, read the files of tagline; network: not confined"
            ],
        );
        check(
            |parts| parts.processes = false,
            expect![
                "not enforced: a command can signal tagline, outlive tagline; network: not confined"
            ],
        );
        check(
            |parts| parts.rights = false,
            expect![
                "not enforced: a command can connect to sockets of other programs, look into tagline, get more rights; network: not confined"
            ],
        );
        check(
            |parts| parts.calls = false,
            expect!["not enforced: a command can mount, get more rights; network: not confined"],
        );
    }
}
