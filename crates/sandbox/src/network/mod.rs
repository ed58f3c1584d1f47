//! A network of its own for the commands of a session: a loopback interface, and no way out.
//!
//! A namespace lives while a process is in it, so one is held by a small process of ours, the *holder*.
//! All commands of a session are in the same one: what one of them serves, the next one can ask at
//! the same address. Two doors lead through the wall, and both are ours: the holder hands out a socket
//! that listens inside, on which a proxy may answer, and connects to what listens inside.

mod files;
mod holder;
mod listeners;
mod tables;

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
use self::listeners::Listeners;

/// A network of its own. It ends when this is dropped, or this process is gone.
#[derive(Debug)]
pub struct Network {
    holder: Mutex<Child>,
    pid: u32,
    socket: Mutex<UnixStream>,
    door: TcpListener,
    listeners: Mutex<Listeners>,
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
        match receive(&socket) {
            Ok((door, listeners)) => Ok(Self {
                pid: holder.id(),
                holder: Mutex::new(holder),
                socket: Mutex::new(socket),
                door,
                listeners: Mutex::new(listeners),
            }),
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
        let mut listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        // A kernel may be built without the list.
        let found = listeners.all().unwrap_or_else(|_| tables::listening(self.pid));
        let door = self.door.local_addr().map_or(0, |door| door.port());
        let others = found.into_iter().filter(|place| place.port() != door);
        others.map(|place| (place.port(), reachable(place))).collect()
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

/// What the holder hands out when it holds a network.
fn receive(socket: &UnixStream) -> io::Result<(TcpListener, Listeners)> {
    let door = files::receive(socket)?.into();
    Ok((door, Listeners::by(files::receive(socket)?)?))
}

/// At which address one is asked that listens at this one.
fn reachable(place: SocketAddr) -> SocketAddr {
    let address = match place.ip().to_canonical() {
        IpAddr::V4(it) if it.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(it) if it.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address @ (IpAddr::V4(_) | IpAddr::V6(_)) => address,
    };
    SocketAddr::new(address, place.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(place: &str, expected: &str) {
        assert_eq!(reachable(place.parse().unwrap()).to_string(), expected);
    }

    #[test]
    fn listeners_are_asked_where_they_listen() {
        check("127.0.0.1:8080", "127.0.0.1:8080");
        check("0.0.0.0:8080", "127.0.0.1:8080");
        check("[::]:80", "[::1]:80");
        check("[::1]:80", "[::1]:80");
        check("[::ffff:127.0.0.1]:80", "127.0.0.1:80");
    }
}
