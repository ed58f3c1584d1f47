//! Commands in a world of their own.
//!
//! A command gets its own view of the file system, in which everything but a few folders can only be
//! read and our own folders are empty; its own processes, which end with us; and fewer system calls.
//! Its network is that of the machine, or one that the commands of its session share
//! ([`network`](crate::network)).

pub(crate) mod call;
mod child;
mod filter;
mod keeper;
pub(crate) mod landlock;
mod plan;
mod probe;
mod proof;

use std::{
    net::Shutdown,
    os::{fd::OwnedFd, unix::net::UnixStream},
    thread,
    time::Duration,
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

pub(crate) use self::{
    child::{Identity, Orders, Parts},
    probe::{Targets, Trial},
};
pub use self::{
    plan::Plan,
    probe::Probe,
    proof::{Part, Proof},
};

/// Milliseconds until a command that is over has left nothing, if it leaves nothing.
const SHORTLY: i32 = 200;
/// Milliseconds that processes may take to end.
const LAST: i32 = 1_000;

/// While it is held the processes of a command may live; the kernel drops it if we are killed.
#[derive(Debug)]
pub struct Leash {
    end: OwnedFd,
}

impl Leash {
    pub(crate) const fn new(end: OwnedFd) -> Self {
        Self { end }
    }

    /// Whether no process of the command is left: whoever holds the other end goes last.
    #[must_use]
    pub fn is_loose(&self) -> bool {
        let mut polled = [PollFd::new(&self.end, PollFlags::empty())];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        let gone = PollFlags::HUP | PollFlags::ERR;
        poll(&mut polled, Some(&at_once)).is_ok()
            && polled.iter().any(|it| it.revents().intersects(gone))
    }

    /// Whether no process of the command is left, or will be within some milliseconds.
    #[must_use]
    pub fn is_over(&self) -> bool {
        call::hangs_up(&self.end, SHORTLY)
    }

    /// Lets go, and waits until the processes are gone: for a second at most, and they need some
    /// milliseconds. Where commands are started from a copy of this process it does not wait.
    pub fn end(self) {
        let socket = UnixStream::from(self.end);
        if socket.shutdown(Shutdown::Write).is_ok() && call::hangs_up(&socket, LAST) {
            // The other end is closed a moment before the kernel ends those that are left.
            thread::sleep(Duration::from_millis(2));
        }
    }
}
