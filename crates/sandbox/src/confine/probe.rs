//! Forbidden things, tried by a confined child.
#![expect(unsafe_code, reason = "they are tried between fork and exec, with system calls alone")]

use std::{
    ffi::{CString, OsString},
    fmt, io,
    os::unix::ffi::OsStrExt as _,
};

use serde::{Deserialize, Serialize};

use super::{call, child::Parts, plan::c_string};

/// How long the processes of an owner that is gone may take to end, in milliseconds. They need one.
pub(super) const LAST_BREATH: libc::c_int = 5_000;

/// Something that a confined command must not be able to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Probe {
    /// Write outside of what it may change.
    WriteOutside,
    /// Write to a protected folder inside of that.
    WriteProtected,
    /// Connect to a port of this machine, or send a datagram to one.
    ConnectTcp,
    /// Connect to a socket of another program.
    ConnectUnix,
    /// Read what is ours.
    ReadSecret,
    /// Look into the process that started it.
    TraceParent,
    /// Signal the process that started it.
    SignalParent,
    /// Mount something.
    Mount,
    /// Get more rights than it has.
    RaisePrivileges,
    /// Live on when its owner is gone.
    OutliveOwner,
}

impl Probe {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::WriteOutside,
        Self::WriteProtected,
        Self::ConnectTcp,
        Self::ConnectUnix,
        Self::ReadSecret,
        Self::TraceParent,
        Self::SignalParent,
        Self::Mount,
        Self::RaisePrivileges,
        Self::OutliveOwner,
    ];
}

impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WriteOutside => "write outside of the workspace",
            Self::WriteProtected => "write protected names",
            Self::ConnectTcp => "use the network",
            Self::ConnectUnix => "connect to sockets of other programs",
            Self::ReadSecret => "read the files of tagline",
            Self::TraceParent => "look into tagline",
            Self::SignalParent => "signal tagline",
            Self::Mount => "mount",
            Self::RaisePrivileges => "get more rights",
            Self::OutliveOwner => "outlive tagline",
        })
    }
}

/// What is tried on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trial {
    pub(crate) parts: Parts,
    /// A folder that may not be written.
    pub(super) outside: OsString,
    /// A folder that is protected.
    pub(super) protected: OsString,
    /// A file that is hidden.
    pub(super) secret: OsString,
    /// A port on which somebody listens.
    pub(super) port: u16,
    /// One that takes datagrams; what comes there, the parent sees.
    pub(super) datagram_port: u16,
    /// Sockets on which somebody listens: one in the file system, one without a place.
    pub(super) sockets: [OsString; 2],
    /// The process that started it all, as it is numbered outside.
    pub(super) parent: i32,
}

/// A trial, made ready: after a fork nothing can be allocated.
pub(crate) struct Targets {
    outside: CString,
    protected: CString,
    secret: CString,
    port: u16,
    datagram_port: u16,
    sockets: [libc::sockaddr_un; 2],
    parent: i32,
}

impl Targets {
    pub(crate) fn new(trial: &Trial) -> io::Result<Self> {
        let [socket, name] = &trial.sockets;
        Ok(Self {
            outside: c_string(&trial.outside)?,
            protected: c_string(&trial.protected)?,
            secret: c_string(&trial.secret)?,
            port: trial.port,
            datagram_port: trial.datagram_port,
            sockets: [address(socket.as_bytes())?, address(name.as_bytes())?],
            parent: trial.parent,
        })
    }

    /// Tries everything, answers on the standard output with a bit for each thing that was refused,
    /// and waits for its end.
    pub(crate) fn attack(&self) -> ! {
        let refused = Probe::ALL.iter().enumerate().filter(|(_, probe)| self.is_refused(**probe));
        let bits = refused.fold(0_u16, |bits, (n, _)| bits | 1 << n);
        let answers = libc::STDOUT_FILENO;
        // SAFETY: the answer is as long as it says.
        unsafe { libc::write(answers, (&raw const bits).cast(), size_of::<u16>()) };
        call::close_all_but(answers, answers);
        // SAFETY: there is nothing to wait for but the time, and then nothing to come back to.
        unsafe {
            libc::poll(std::ptr::null_mut(), 0, 2 * LAST_BREATH);
            libc::_exit(0)
        }
    }

    fn is_refused(&self, probe: Probe) -> bool {
        match probe {
            Probe::WriteOutside => is_unwritable(&self.outside),
            Probe::WriteProtected => is_unwritable(&self.protected),
            Probe::ConnectTcp => !self.connects_to_port(),
            Probe::ConnectUnix => self.sockets.iter().all(|socket| !connects_to(socket)),
            // SAFETY: the path ends with NUL.
            Probe::ReadSecret => unsafe { libc::open(self.secret.as_ptr(), libc::O_RDONLY) < 0 },
            Probe::TraceParent => ![self.parent, 1].into_iter().any(traces),
            // SAFETY: numbers only. The first process of a namespace of its own is not the parent.
            Probe::SignalParent => unsafe {
                (self.parent == 1 && libc::getppid() == 1) || libc::kill(self.parent, 0) != 0
            },
            Probe::Mount => {
                call::mount(Some(c"none"), c"/", Some(c"tmpfs"), 0, None).is_err()
                    && call::unshare(libc::CLONE_NEWUSER).is_err()
            }
            Probe::RaisePrivileges => cannot_rise(),
            // Whoever asks sees it.
            Probe::OutliveOwner => false,
        }
    }

    fn connects_to_port(&self) -> bool {
        self.sends_datagram();
        let address = loopback(self.port);
        // SAFETY: the address is as long as it says.
        unsafe {
            let socket = libc::socket(libc::AF_INET, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0);
            let length = size_of_val(&address) as libc::socklen_t;
            0 <= socket && libc::connect(socket, (&raw const address).cast(), length) == 0
        }
    }

    /// Whether it comes in, the parent sees.
    fn sends_datagram(&self) {
        let address = loopback(self.datagram_port);
        // SAFETY: the address is as long as it says, and so is the datagram.
        unsafe {
            let socket = libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0);
            let length = size_of_val(&address) as libc::socklen_t;
            let bytes = c"x".as_ptr().cast();
            libc::sendto(socket, bytes, 1, 0, (&raw const address).cast(), length);
        }
    }
}

fn loopback(port: u16) -> libc::sockaddr_in {
    libc::sockaddr_in {
        sin_family: libc::AF_INET as libc::sa_family_t,
        sin_port: port.to_be(),
        sin_addr: libc::in_addr { s_addr: u32::from_ne_bytes([127, 0, 0, 1]) },
        sin_zero: [0; 8],
    }
}

/// Whether a file without a name is refused there, for the reason that it may not be, or that there
/// is no such place any more.
fn is_unwritable(folder: &CString) -> bool {
    let flags = libc::O_TMPFILE | libc::O_RDWR | libc::O_CLOEXEC;
    // SAFETY: the path ends with NUL.
    let opened = call::check(unsafe { libc::open(folder.as_ptr(), flags, 0o600) }.into());
    let refusals = [libc::EROFS, libc::EACCES, libc::EPERM, libc::ENOENT];
    opened.is_err_and(|error| error.raw_os_error().is_some_and(|it| refusals.contains(&it)))
}

fn connects_to(address: &libc::sockaddr_un) -> bool {
    // SAFETY: the address is as long as it says.
    unsafe {
        let socket = libc::socket(libc::AF_UNIX, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0);
        let length = size_of_val(address) as libc::socklen_t;
        0 <= socket && libc::connect(socket, std::ptr::from_ref(address).cast(), length) == 0
    }
}

/// Whether this process, or its parent in a namespace of its own, can be looked into.
fn traces(pid: i32) -> bool {
    let none = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: the request takes numbers.
    unsafe { libc::ptrace(libc::PTRACE_SEIZE, pid, none, none) == 0 }
}

fn cannot_rise() -> bool {
    const SYS_ADMIN: libc::c_ulong = 21;
    let is = |option, value| call::prctl(option, value).ok();
    is(libc::PR_GET_NO_NEW_PRIVS, 0) == Some(1) && is(libc::PR_CAPBSET_READ, SYS_ADMIN) == Some(0)
}

/// An address as the kernel takes it; a name that begins with NUL has no place.
fn address(name: &[u8]) -> io::Result<libc::sockaddr_un> {
    // SAFETY: nothing but numbers, which may be zero.
    let mut address: libc::sockaddr_un = unsafe { std::mem::zeroed() };
    address.sun_family = libc::AF_UNIX as libc::sa_family_t;
    if address.sun_path.len() < name.len() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    for (room, byte) in address.sun_path.iter_mut().zip(name) {
        *room = *byte as libc::c_char;
    }
    Ok(address)
}
