//! A network of its own for the commands of a session: a loopback interface, and no way out.
//!
//! A namespace lives while a process is in it, so one is held by a small process of ours, the *holder*.
//! All commands of a session are in the same one: what one of them serves, the next one can ask at
//! the same address. Two doors lead through the wall, and both are ours: the holder hands out a socket
//! that listens inside, on which a proxy may answer, and connects to what listens inside.

mod files;
mod holder;

use std::{
    collections::BTreeMap,
    fs, io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream},
    os::{
        fd::OwnedFd,
        unix::{net::UnixStream, process::CommandExt as _},
    },
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};

pub(crate) use self::holder::{ARGUMENT, hold};

/// A network of its own. It ends when this is dropped, or this process is gone.
#[derive(Debug)]
pub struct Network {
    holder: Mutex<Child>,
    pid: u32,
    socket: Mutex<UnixStream>,
    door: TcpListener,
}

/// The right to be in a network: it names the process that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Membership {
    holder: u32,
}

impl Network {
    /// Makes one, held by `program`, which must begin with [`helper::serve`](crate::helper::serve).
    /// Takes some milliseconds.
    ///
    /// # Errors
    ///
    /// Where this machine gives none.
    pub fn open(program: &Path) -> io::Result<Self> {
        let (socket, theirs) = UnixStream::pair()?;
        #[expect(clippy::disallowed_methods, reason = "the holder is this program")]
        let mut command = Command::new(program);
        // An interrupt from the terminal is not for it.
        command.arg(ARGUMENT).env_clear().process_group(0);
        command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        let mut holder = command.spawn()?;
        // With it goes our copy of the other end.
        drop(command);
        match files::receive(&socket) {
            Ok(door) => {
                let (pid, socket) = (holder.id(), Mutex::new(socket));
                Ok(Self { pid, holder: Mutex::new(holder), socket, door: door.into() })
            }
            Err(error) => {
                let _ = holder.kill();
                let _ = holder.wait();
                Err(error)
            }
        }
    }

    /// What a command needs to be in it.
    #[must_use]
    pub const fn membership(&self) -> Membership {
        Membership { holder: self.pid }
    }

    /// Whether its holder lives.
    #[must_use]
    pub fn is_there(&self) -> bool {
        let mut holder = self.holder.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(holder.try_wait(), Ok(None))
    }

    /// A socket that listens inside on the loopback interface, for a proxy.
    ///
    /// # Errors
    ///
    /// Where this process has too many open files.
    pub fn door(&self) -> io::Result<TcpListener> {
        self.door.try_clone()
    }

    /// A connection to what listens inside. It may still be under way, and does not block.
    ///
    /// # Errors
    ///
    /// Where nobody listens there, or the holder is gone.
    pub fn connect(&self, to: SocketAddr) -> io::Result<TcpStream> {
        let socket = self.socket.lock().unwrap_or_else(PoisonError::into_inner);
        holder::ask(&socket, to)?;
        files::receive(&socket).map(TcpStream::from)
    }

    /// The ports on which something listens inside, and the address at which to ask it; not the door.
    #[must_use]
    pub fn listening(&self) -> BTreeMap<u16, SocketAddr> {
        let door = self.door.local_addr().map_or(0, |door| door.port());
        let tables = ["tcp6", "tcp"].into_iter().map(|name| {
            let path = format!("/proc/{}/net/{name}", self.pid);
            fs::read_to_string(path).unwrap_or_default()
        });
        let found = tables.flat_map(|table| table.lines().filter_map(listener).collect::<Vec<_>>());
        found.filter(|place| place.port() != door).map(|place| (place.port(), place)).collect()
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        let holder = self.holder.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = holder.kill();
        let _ = holder.wait();
    }
}

impl Membership {
    /// The namespaces, of users where that is another one, and of the network.
    pub(crate) fn namespaces(&self) -> io::Result<Vec<OwnedFd>> {
        let path = |of: &str, name: &str| format!("/proc/{of}/ns/{name}");
        let holder = self.holder.to_string();
        let is_other =
            fs::read_link(path("self", "user"))? != fs::read_link(path(&holder, "user"))?;
        let names = if is_other { &["user", "net"][..] } else { &["net"] };
        names.iter().map(|name| Ok(fs::File::open(path(&holder, name))?.into())).collect()
    }
}

/// Where the listener of a line of `/proc/net/tcp` can be asked. The fields are described in the
/// kernel's `Documentation/networking/proc_net_tcp.rst`; an address is made of words in the order of
/// this machine.
fn listener(line: &str) -> Option<SocketAddr> {
    const LISTEN: &str = "0A";
    let mut fields = line.split_ascii_whitespace().skip(1);
    let (address, port) = fields.next()?.split_once(':')?;
    let state = fields.nth(1)?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let words: Vec<u32> = (0..address.len() / 8)
        .map(|n| u32::from_str_radix(address.get(8 * n..8 * n + 8)?, 16).ok())
        .collect::<Option<_>>()?;
    let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_ne_bytes).collect();
    let address = match <[u8; 4]>::try_from(bytes.as_slice()) {
        Ok(bytes) => IpAddr::from(bytes),
        Err(_) => IpAddr::from(<[u8; 16]>::try_from(bytes).ok()?).to_canonical(),
    };
    let reachable = match address {
        IpAddr::V4(it) if it.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(it) if it.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        IpAddr::V4(_) | IpAddr::V6(_) => address,
    };
    (state == LISTEN).then(|| SocketAddr::new(reachable, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fields: &str, expected: Option<&str>) {
        let line = format!("   0: {fields} 00000000:00000000 00:00000000 00000000  0 0 111 1");
        assert_eq!(listener(&line).map(|it| it.to_string()).as_deref(), expected);
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn listeners_are_asked_where_they_listen() {
        check("0100007F:1F90 00000000:0000 0A", Some("127.0.0.1:8080"));
        check("00000000:1F90 00000000:0000 0A", Some("127.0.0.1:8080"));
        check("0100007F:1F90 0100007F:0050 01", None);
        let (any, one) = ("0".repeat(32), format!("{}01000000", "0".repeat(24)));
        check(&format!("{any}:0050 {any}:0000 0A"), Some("[::1]:80"));
        check(&format!("{one}:0050 {any}:0000 0A"), Some("[::1]:80"));
        check("0000000000000000FFFF00000100007F:0050 0:0000 0A", Some("127.0.0.1:80"));
        check("nonsense", None);
    }
}
