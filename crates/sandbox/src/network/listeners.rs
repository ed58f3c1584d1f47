//! What listens in a network, by the kernel's own list of it (`sock_diag(7)`).
//!
//! The tables below `/proc` say the same, but to read one the kernel walks over the places of all
//! connections of the machine, which takes milliseconds.
#![expect(unsafe_code, reason = "the kernel is asked for what no safe interface offers")]

use std::{
    io,
    net::SocketAddr,
    os::fd::{FromRawFd as _, IntoRawFd as _, OwnedFd},
};

use libc::c_int;
use netlink_packet_core::{
    NLM_F_DUMP, NLM_F_REQUEST, NetlinkHeader, NetlinkMessage, NetlinkPayload,
};
use netlink_packet_sock_diag::{
    SockDiagMessage,
    constants::{AF_INET, AF_INET6, IPPROTO_TCP},
    inet::{ExtensionFlags, InetRequest, SocketId, StateFlags},
};
use netlink_sys::{Socket, SocketAddr as Port};

use crate::confine::call;

/// The kernel writes no more of an answer at once.
const ROOM: usize = 32_768;

/// A socket for questions about the network in which it was opened.
#[derive(Debug)]
pub(super) struct Listeners {
    socket: Socket,
    n_asked: u32,
}

impl Listeners {
    /// Opens the socket, in the network of this process.
    pub(super) fn socket() -> io::Result<OwnedFd> {
        let kind = libc::SOCK_RAW | libc::SOCK_CLOEXEC;
        // SAFETY: takes numbers; what comes back is a file that nobody else owns.
        unsafe {
            let socket = libc::socket(libc::AF_NETLINK, kind, libc::NETLINK_SOCK_DIAG);
            Ok(OwnedFd::from_raw_fd(call::check(socket.into())? as c_int))
        }
    }

    /// Takes a socket that was opened in the network. Nothing that it is asked makes it wait: the
    /// kernel has answered when a question was sent.
    pub(super) fn by(socket: OwnedFd) -> io::Result<Self> {
        // SAFETY: the file is ours alone.
        let socket = unsafe { Socket::from_raw_fd(socket.into_raw_fd()) };
        socket.set_non_blocking(true)?;
        socket.connect(&Port::new(0, 0))?;
        Ok(Self { socket, n_asked: 0 })
    }

    /// Where something listens.
    pub(super) fn all(&mut self) -> io::Result<Vec<SocketAddr>> {
        let mut found = Vec::new();
        for (family, like) in [(AF_INET6, SocketId::new_v6()), (AF_INET, SocketId::new_v4())] {
            self.ask(family, like)?;
            while self.read(&mut found)? {}
        }
        Ok(found)
    }

    fn ask(&mut self, family: u8, like: SocketId) -> io::Result<()> {
        self.n_asked = self.n_asked.wrapping_add(1);
        let mut header = NetlinkHeader::default();
        header.flags = NLM_F_REQUEST | NLM_F_DUMP;
        header.sequence_number = self.n_asked;
        let question = SockDiagMessage::InetRequest(InetRequest {
            family,
            protocol: IPPROTO_TCP,
            extensions: ExtensionFlags::empty(),
            states: StateFlags::LISTEN,
            socket_id: like,
        });
        let mut message = NetlinkMessage::new(header, question.into());
        message.finalize();
        let mut bytes = vec![0; message.buffer_len()];
        message.serialize(&mut bytes);
        self.socket.send(&bytes, 0).map(drop)
    }

    /// Reads a part of the answer; says whether more of it comes.
    fn read(&self, found: &mut Vec<SocketAddr>) -> io::Result<bool> {
        let mut room = Vec::with_capacity(ROOM);
        self.socket.recv(&mut room, 0)?;
        let mut rest = room.as_slice();
        while !rest.is_empty() {
            let message = NetlinkMessage::<SockDiagMessage>::deserialize(rest)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            let length = (message.header.length as usize).next_multiple_of(4);
            rest = rest.get(length..).unwrap_or_default();
            // An answer to a question that was given up.
            if message.header.sequence_number != self.n_asked {
                continue;
            }
            match message.payload {
                NetlinkPayload::InnerMessage(SockDiagMessage::InetResponse(it)) => {
                    let id = it.header.socket_id;
                    found.push(SocketAddr::new(id.source_address, id.source_port));
                }
                NetlinkPayload::Error(error) => return Err(error.to_io()),
                NetlinkPayload::Done(_) => return Ok(false),
                NetlinkPayload::InnerMessage(_)
                | NetlinkPayload::Noop
                | NetlinkPayload::Overrun(_)
                | _ => {}
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn what_listens_is_told_as_often_as_it_is_asked() {
        let mut listeners = Listeners::by(Listeners::socket().unwrap()).unwrap();
        let places = ["127.0.0.1:0", "[::1]:0", "0.0.0.0:0"];
        let open = places.map(|place| TcpListener::bind(place).unwrap());
        let open = open.each_ref().map(|it| it.local_addr().unwrap());
        for _ in 0..3 {
            let all = listeners.all().unwrap();
            assert!(open.iter().all(|place| all.contains(place)), "{open:?} in {all:?}");
        }
    }
}
