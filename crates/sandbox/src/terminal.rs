//! A terminal of a command's own (`pty(7)`).

use std::io;

use rustix::{
    process::{ioctl_tiocsctty, setsid},
    stdio::{dup2_stdin, stdout},
};

/// Has the terminal that is the standard output of this process be its controlling one, in a session
/// of its own, and reads from it. Makes system calls alone.
pub(crate) fn take() -> io::Result<()> {
    setsid()?;
    ioctl_tiocsctty(stdout())?;
    Ok(dup2_stdin(stdout())?)
}
