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

use std::os::fd::OwnedFd;

pub(crate) use self::{
    child::{Identity, Orders, Parts},
    probe::{Targets, Trial},
};
pub use self::{
    probe::Probe,
    proof::{Part, Proof},
};

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
        call::hangs_up(&self.end, 0)
    }
}
