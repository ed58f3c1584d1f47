//! Where the server listens: an address, never a name, and loopback unless said otherwise.

use std::{
    fs, io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::Path,
};

use tokio::net::{TcpListener, TcpSocket};

/// Who may reach the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exposure {
    /// This machine.
    #[default]
    Loopback,
    /// Everyone whose packets arrive, who then only lacks the token. The command line asks for it
    /// with a flag whose name says so.
    Everyone,
}

/// An address to listen at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bind {
    address: SocketAddr,
}

/// Why the server does not listen.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Not an address.
    #[error(
        "cannot listen at `{found}`: expected an address such as 127.0.0.1 or ::1, but found a name; \
         write the address"
    )]
    NotAnAddress {
        /// What was given.
        found: String,
    },
    /// Every interface of the machine.
    #[error(
        "cannot listen at `{found}`: it means every network this machine is on, and only this \
         machine itself is allowed; leave the address out, or add \
         `--dangerously-let-the-network-in`"
    )]
    EveryInterface {
        /// What was given.
        found: String,
    },
    /// Not of this machine alone.
    #[error(
        "cannot listen at `{found}`: expected 127.0.0.1 or ::1, because other machines can reach \
         other addresses; leave the address out, or add `--dangerously-let-the-network-in`"
    )]
    NotLoopback {
        /// What was given.
        found: String,
    },
    /// Someone listens there.
    #[error(
        "cannot listen at {address}: the port is in use{by}; stop it, or choose another port with \
         `--port`", by = .owner.as_ref().map(|owner| format!(" by {owner}")).unwrap_or_default())]
    Taken {
        /// Where.
        address: SocketAddr,
        /// Who, if the system tells.
        owner: Option<Owner>,
    },
    /// Anything else.
    #[error("cannot listen at {address}: {message}; choose another address or port")]
    System {
        /// Where.
        address: SocketAddr,
        /// What the system says.
        message: String,
    },
}

/// A process that has a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Its id.
    pub pid: u32,
    /// Its name.
    pub name: String,
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (process {})", self.name, self.pid)
    }
}

impl Bind {
    /// Reads an address as people write it, in every spelling that the system would take.
    ///
    /// # Errors
    ///
    /// Names, and what `exposure` does not cover.
    pub fn new(host: &str, port: u16, exposure: Exposure) -> Result<Self, BindError> {
        let found = host.to_owned();
        let Some(ip) = read(host) else { return Err(BindError::NotAnAddress { found }) };
        match exposure {
            Exposure::Loopback if ip.is_unspecified() => Err(BindError::EveryInterface { found }),
            Exposure::Loopback if !is_home(ip) => Err(BindError::NotLoopback { found }),
            Exposure::Loopback | Exposure::Everyone => {
                Ok(Self { address: SocketAddr::new(ip, port) })
            }
        }
    }

    /// Port `port` of 127.0.0.1.
    #[must_use]
    pub const fn loopback(port: u16) -> Self {
        Self { address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port) }
    }

    /// The address and port.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Listens. A taken port is never replaced by another one.
    pub(crate) fn listen(self) -> Result<TcpListener, BindError> {
        let address = self.address;
        listener(address).map_err(|error| {
            if error.kind() == io::ErrorKind::AddrInUse {
                return BindError::Taken { address, owner: owner(address.port()) };
            }
            BindError::System { address, message: error.to_string() }
        })
    }
}

/// Bytes that the system keeps for a client that does not read; connections have it from here.
const SEND_BUFFER: u32 = 262_144;

/// Connections that wait to be taken.
const BACKLOG: u32 = 1_024;

fn listener(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// The two addresses that are this machine and nothing else.
fn is_home(ip: IpAddr) -> bool {
    ip == Ipv4Addr::LOCALHOST || ip == Ipv6Addr::LOCALHOST
}

/// The empty word and the star mean every interface to most programs; the rest is read as the C
/// library reads it.
fn read(host: &str) -> Option<IpAddr> {
    let host = host.trim();
    let inner = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    match inner {
        "" | "*" | "+" => Some(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
        _ if inner.eq_ignore_ascii_case("localhost") => Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        _ => inner.parse::<IpAddr>().ok().map(|ip| ip.to_canonical()).or_else(|| classic(inner)),
    }
}

/// One to four numbers, decimal, octal or hexadecimal, of which the last fills what is left.
fn classic(text: &str) -> Option<IpAddr> {
    let parts: Vec<u64> = text.split('.').map(number).collect::<Option<_>>()?;
    let (last, first) = parts.split_last()?;
    if first.len() > 3 || first.iter().any(|part| *part > 255) {
        return None;
    }
    let rest = 8 * (4 - first.len());
    if *last >= 1_u64 << rest {
        return None;
    }
    let high = first.iter().fold(0, |sum, part| (sum << 8) | part);
    let whole = u32::try_from((high << rest) | last).ok()?;
    Some(IpAddr::V4(Ipv4Addr::from_bits(whole)))
}

fn number(text: &str) -> Option<u64> {
    let lower = text.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0x") {
        return if hex.is_empty() { Some(0) } else { u64::from_str_radix(hex, 16).ok() };
    }
    match lower.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => u64::from_str_radix(octal, 8).ok(),
        Some(_) | None => lower.parse().ok(),
    }
}

/// Who listens at the port, as far as `/proc` tells.
fn owner(port: u16) -> Option<Owner> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"];
    let socket =
        tables.iter().find_map(|table| listening(&fs::read_to_string(table).ok()?, port))?;
    let link = format!("socket:[{socket}]");
    fs::read_dir("/proc").ok()?.flatten().find_map(|entry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        holds(&entry.path(), &link).then(|| Owner { pid, name: name(&entry.path()) })
    })
}

/// The inode of the socket that listens at the port. The second field is the address with the port
/// in hexadecimal, the fourth the state, of which `0A` is listening, the tenth the inode.
fn listening(table: &str, port: u16) -> Option<String> {
    let suffix = format!(":{port:04X}");
    table.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let is_it = fields.get(1)?.ends_with(&suffix) && fields.get(3) == Some(&"0A");
        is_it.then(|| fields.get(9).map(|inode| (*inode).to_owned())).flatten()
    })
}

fn holds(process: &Path, link: &str) -> bool {
    let open = fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
    open.filter_map(|entry| fs::read_link(entry.path()).ok())
        .any(|target| target.as_os_str() == link)
}

fn name(process: &Path) -> String {
    fs::read_to_string(process.join("comm")).unwrap_or_default().trim().to_owned()
}
