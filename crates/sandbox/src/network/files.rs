//! Open files that go from one process to another over a socket (`unix(7)`, `SCM_RIGHTS`).
#![expect(unsafe_code, reason = "the kernel is asked for what no safe interface offers")]

use std::{
    io,
    os::{
        fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd},
        unix::net::UnixStream,
    },
    ptr,
};

use crate::confine::call;

/// Room for the head of a control message and one file, aligned as the kernel wants it.
#[repr(C, align(8))]
struct Control([u8; Control::SIZE]);

impl Control {
    const SIZE: usize = 64;
}

/// Sends an open file, or the number of an error.
pub(super) fn send(socket: &UnixStream, what: io::Result<OwnedFd>) -> io::Result<()> {
    let (number, file) = match what {
        Ok(file) => (0, Some(file)),
        Err(error) => (error.raw_os_error().unwrap_or(libc::EINVAL), None),
    };
    let mut bytes = number.to_ne_bytes();
    let mut control = Control([0; Control::SIZE]);
    let mut part = part(&mut bytes);
    let mut message = message(&mut part, &mut control);
    message.msg_controllen = 0;
    if let Some(file) = &file {
        // SAFETY: `control` has room for a head and a file; `CMSG_*` count within it.
        unsafe {
            message.msg_controllen = libc::CMSG_SPACE(size_of::<RawFd>() as u32) as _;
            let head = libc::CMSG_FIRSTHDR(&raw const message);
            (*head).cmsg_level = libc::SOL_SOCKET;
            (*head).cmsg_type = libc::SCM_RIGHTS;
            (*head).cmsg_len = libc::CMSG_LEN(size_of::<RawFd>() as u32) as _;
            ptr::write_unaligned(libc::CMSG_DATA(head).cast::<RawFd>(), file.as_raw_fd());
        }
    }
    // SAFETY: the message names what lies on the stack.
    let sent = unsafe { libc::sendmsg(socket.as_raw_fd(), &raw const message, libc::MSG_NOSIGNAL) };
    call::check(sent as libc::c_long).map(drop)
}

/// Receives an open file, or an error.
pub(super) fn receive(socket: &UnixStream) -> io::Result<OwnedFd> {
    let mut bytes = [0; size_of::<i32>()];
    let mut control = Control([0; Control::SIZE]);
    let mut part = part(&mut bytes);
    let mut message = message(&mut part, &mut control);
    // SAFETY: the message names what lies on the stack.
    let n = unsafe { libc::recvmsg(socket.as_raw_fd(), &raw mut message, libc::MSG_CMSG_CLOEXEC) };
    if (call::check(n as libc::c_long)? as usize) < bytes.len() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    // SAFETY: the kernel wrote the control messages; the file is ours alone.
    let file = unsafe {
        let head = libc::CMSG_FIRSTHDR(&raw const message);
        let is_file = !head.is_null()
            && (*head).cmsg_level == libc::SOL_SOCKET
            && (*head).cmsg_type == libc::SCM_RIGHTS;
        is_file.then(|| {
            OwnedFd::from_raw_fd(ptr::read_unaligned(libc::CMSG_DATA(head).cast::<RawFd>()))
        })
    };
    match (i32::from_ne_bytes(bytes), file) {
        (0, Some(file)) => Ok(file),
        (0, None) => Err(io::ErrorKind::InvalidData.into()),
        (number, _) => Err(io::Error::from_raw_os_error(number)),
    }
}

fn part(bytes: &mut [u8]) -> libc::iovec {
    libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() }
}

fn message(part: &mut libc::iovec, control: &mut Control) -> libc::msghdr {
    // SAFETY: nothing but numbers and pointers, which may be zero.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_iov = part;
    message.msg_iovlen = 1;
    message.msg_control = ptr::from_mut(control).cast();
    message.msg_controllen = Control::SIZE as _;
    message
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    #[test]
    fn a_file_goes_over_a_socket_and_so_does_an_error() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let (mut read, write) = io::pipe().unwrap();
        send(&ours, Ok(write.into())).unwrap();
        let mut write = io::PipeWriter::from(receive(&theirs).unwrap());
        write.write_all(b"x").unwrap();
        drop(write);
        let mut text = String::new();
        read.read_to_string(&mut text).unwrap();
        assert_eq!(text, "x");
        send(&ours, Err(io::Error::from_raw_os_error(libc::ECONNREFUSED))).unwrap();
        assert_eq!(receive(&theirs).unwrap_err().raw_os_error(), Some(libc::ECONNREFUSED));
        drop(ours);
        assert_eq!(receive(&theirs).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
