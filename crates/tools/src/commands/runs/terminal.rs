//! A terminal in which a command runs (`pty(7)`): what it writes is read here, what is typed here it
//! reads.

use std::{
    io::{self, ErrorKind::WouldBlock},
    os::fd::OwnedFd,
    pin::Pin,
    task::{Context, Poll, ready},
};

use rustix::{
    io::{Errno, ioctl_fionbio},
    pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt},
    termios::{Winsize, tcsetwinsize},
};
use tokio::{
    io::{AsyncRead, ReadBuf},
    net::unix::pipe::{Receiver, Sender},
};

/// Columns and rows, as programs that ask are told.
const SIZE: Winsize = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };

/// Our end of it, which is read and written as two ends of a pipe are. The command has the other end.
#[derive(Debug)]
pub(crate) struct Terminal {
    written: Receiver,
    typed: Sender,
}

impl Terminal {
    /// A new one, and the end for the command.
    pub(super) fn open() -> io::Result<(Self, OwnedFd)> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let ours = openpt(flags)?;
        grantpt(&ours)?;
        unlockpt(&ours)?;
        tcsetwinsize(&ours, SIZE)?;
        let theirs = ioctl_tiocgptpeer(&ours, flags)?;
        ioctl_fionbio(&ours, true)?;
        let written = Receiver::from_owned_fd_unchecked(ours.try_clone()?)?;
        Ok((Self { written, typed: Sender::from_owned_fd_unchecked(ours)? }, theirs))
    }

    /// Types all of it. Waits while the command does not read and the kernel has no room for more.
    pub(crate) async fn write(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            self.typed.writable().await?;
            match self.typed.try_write(bytes) {
                Err(error) if error.kind() == WouldBlock => {}
                written => bytes = bytes.get(written?..).unwrap_or_default(),
            }
        }
        Ok(())
    }
}

/// What was written; nothing once nobody has it open any more.
impl AsyncRead for &Terminal {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.written.poll_read_ready(cx))?;
            match self.written.try_read(buffer.initialize_unfilled()) {
                Err(error) if error.kind() == WouldBlock => {}
                // So the kernel says that the other end is closed.
                Err(error) if Errno::from_io_error(&error) == Some(Errno::IO) => {
                    return Poll::Ready(Ok(()));
                }
                read => return Poll::Ready(read.map(|n| buffer.advance(n))),
            }
        }
    }
}
