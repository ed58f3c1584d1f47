//! The process that holds a network.
#![expect(unsafe_code, reason = "the kernel is asked for what no safe interface offers")]

use std::{
    io::{self, Read as _, Write as _},
    net::{IpAddr, Ipv6Addr, SocketAddr, TcpListener},
    os::{
        fd::{AsFd as _, AsRawFd as _, FromRawFd as _, OwnedFd},
        unix::net::UnixStream,
    },
};

use libc::c_int;

use super::{files, listeners::Listeners};
use crate::confine::{Identity, call};

/// The first argument of a program that is to hold a network.
pub(crate) const ARGUMENT: &str = "--hold-a-network";

/// Bytes of a question: an address of version 6, in which one of version 4 may be mapped, and a port.
const QUESTION: usize = 18;

/// Holds a network until the other end of the standard input is closed.
pub(crate) fn hold() -> io::Result<()> {
    let mut socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let door = enter().and_then(|()| TcpListener::bind("127.0.0.1:0"));
    let is_held = door.is_ok();
    files::send(&socket, door.map(OwnedFd::from))?;
    if is_held {
        files::send(&socket, Listeners::socket())?;
    }
    let mut question = [0; QUESTION];
    while is_held && socket.read_exact(&mut question).is_ok() {
        files::send(&socket, connect(place(question)))?;
    }
    Ok(())
}

/// Goes into a network in which nobody else is.
fn enter() -> io::Result<()> {
    Identity::take_where_needed()?;
    call::unshare(libc::CLONE_NEWNET)?;
    raise_loopback()
}

pub(super) fn ask(mut socket: &UnixStream, to: SocketAddr) -> io::Result<()> {
    let address = match to.ip() {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => address,
    };
    let mut question = [0; QUESTION];
    let bytes = address.octets().into_iter().chain(to.port().to_be_bytes());
    question.iter_mut().zip(bytes).for_each(|(room, byte)| *room = byte);
    socket.write_all(&question)
}

fn place(question: [u8; QUESTION]) -> SocketAddr {
    let mut address = [0; 16];
    address.iter_mut().zip(question).for_each(|(room, byte)| *room = byte);
    let [.., high, low] = question;
    let address = IpAddr::V6(Ipv6Addr::from(address)).to_canonical();
    SocketAddr::new(address, u16::from_be_bytes([high, low]))
}

/// Begins to connect, without waiting.
fn connect(to: SocketAddr) -> io::Result<OwnedFd> {
    let flags = libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    let family = if to.is_ipv4() { libc::AF_INET } else { libc::AF_INET6 };
    // SAFETY: takes numbers; what comes back is a file that nobody else owns.
    let socket = unsafe {
        let socket = call::check(libc::socket(family, flags, 0).into())?;
        OwnedFd::from_raw_fd(socket as c_int)
    };
    match connected(&socket, to) {
        Err(error) if error.raw_os_error() != Some(libc::EINPROGRESS) => Err(error),
        Ok(()) | Err(_) => Ok(socket),
    }
}

fn connected(socket: &OwnedFd, to: SocketAddr) -> io::Result<()> {
    let socket = socket.as_raw_fd();
    let result = match to {
        SocketAddr::V4(to) => {
            let address = libc::sockaddr_in {
                sin_family: libc::AF_INET as libc::sa_family_t,
                sin_port: to.port().to_be(),
                sin_addr: libc::in_addr { s_addr: u32::from_ne_bytes(to.ip().octets()) },
                sin_zero: [0; 8],
            };
            let length = size_of_val(&address) as libc::socklen_t;
            // SAFETY: the address is as long as it says.
            unsafe { libc::connect(socket, (&raw const address).cast(), length) }
        }
        SocketAddr::V6(to) => {
            let address = libc::sockaddr_in6 {
                sin6_family: libc::AF_INET6 as libc::sa_family_t,
                sin6_port: to.port().to_be(),
                sin6_flowinfo: 0,
                sin6_addr: libc::in6_addr { s6_addr: to.ip().octets() },
                sin6_scope_id: 0,
            };
            let length = size_of_val(&address) as libc::socklen_t;
            // SAFETY: as above.
            unsafe { libc::connect(socket, (&raw const address).cast(), length) }
        }
    };
    call::check(result.into()).map(drop)
}

/// Interfaces are down in a new network.
fn raise_loopback() -> io::Result<()> {
    // SAFETY: nothing but numbers and characters, which may be zero.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (room, byte) in request.ifr_name.iter_mut().zip(b"lo") {
        *room = *byte as libc::c_char;
    }
    // SAFETY: `request` is what these calls read and write.
    unsafe {
        let flags = libc::SOCK_DGRAM | libc::SOCK_CLOEXEC;
        let socket = call::check(libc::socket(libc::AF_INET, flags, 0).into())?;
        let socket = OwnedFd::from_raw_fd(socket as c_int);
        let fd = socket.as_raw_fd();
        call::check(libc::ioctl(fd, libc::SIOCGIFFLAGS as _, &raw mut request).into())?;
        request.ifr_ifru.ifru_flags |= libc::IFF_UP as libc::c_short;
        call::check(libc::ioctl(fd, libc::SIOCSIFFLAGS as _, &raw const request).into())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_read_as_it_was_asked() {
        for text in ["127.0.0.1:80", "[::1]:65535", "127.0.0.2:1"] {
            let (ours, mut theirs) = UnixStream::pair().unwrap();
            ask(&ours, text.parse().unwrap()).unwrap();
            let mut question = [0; QUESTION];
            theirs.read_exact(&mut question).unwrap();
            assert_eq!(place(question).to_string(), text);
        }
    }
}
