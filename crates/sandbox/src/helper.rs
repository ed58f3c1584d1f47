//! A small process between us and a command, so that we need not be copied to start one.
//!
//! What holds a command is done in its process, before it becomes the command. A large program that
//! forks for that copies the tables of all its memory, several times, while its threads wait. So it
//! starts another program, which copies nothing, with [`ARGUMENT`] before the command; [`serve`] then
//! does in that fresh process what there is to do ([`Starter::Helper`](crate::Starter::Helper)). That
//! program can be itself, or one that is small and so starts sooner.
//!
//! The order comes as one line of JSON over a socket, which is the standard input; four bytes go
//! back: 0, or the number of the error for which the command was not started. The socket stays open
//! while the processes of a confined command may live. The command itself reads from `/dev/null`, or from its terminal.

use std::{
    ffi::{OsStr, OsString},
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::{net::UnixStream, process::CommandExt as _},
    },
    process::{Command, ExitCode, Stdio},
};

use crate::{Order, network};

/// The first argument of a program that is to serve as helper.
/// It names the version, because the order of one is not that of another.
pub const ARGUMENT: &str = concat!("--become-a-command=", env!("CARGO_PKG_VERSION"));

/// The command cannot be started, as shells say it.
const CANNOT_EXECUTE: u8 = 126;

/// Becomes the command that follows [`ARGUMENT`], if that is the first argument: to be called first
/// in `main`, with all arguments of the program. It does not return then, unless the command was not
/// started, which whoever asked was told.
#[must_use]
pub fn serve(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.into_iter().skip(1);
    let first = arguments.next()?;
    // Nobody is there to read of an error that could not be told over the socket.
    if first == OsStr::new(ARGUMENT) {
        // A sealed one is called by its number.
        let _ = rustix::thread::set_name(c"tagline-command");
        let _ = become_command(arguments);
        return Some(ExitCode::from(CANNOT_EXECUTE));
    }
    if first == OsStr::new(network::ARGUMENT) {
        let _ = network::hold();
        return Some(ExitCode::SUCCESS);
    }
    None
}

fn become_command(mut arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let mut socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let order = read(&socket);
    let input =
        if order.as_ref().is_ok_and(Order::has_terminal) { Stdio::inherit } else { Stdio::null };
    let held = order.and_then(|order| order.follow(&socket));
    let number = held.as_ref().map_or_else(number, |_| 0);
    socket.write_all(&number.to_le_bytes())?;
    held?.begin();
    let program = arguments.next().unwrap_or_default();
    #[expect(clippy::disallowed_methods, reason = "started for the run manager of the tools")]
    let error = Command::new(&program).args(arguments).stdin(input()).exec();
    writeln!(io::stderr(), "{}: {error}", program.display())
}

fn read(socket: &UnixStream) -> io::Result<Order> {
    let mut line = Vec::new();
    BufReader::new(socket).read_until(b'\n', &mut line)?;
    Ok(serde_json::from_slice(&line)?)
}

fn number(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or(libc::EINVAL)
}

/// Starts a helper by `spawn`, which gets its standard input and keeps no copy of it; gives it the
/// order, and waits until the command is held. What comes back is the end of the socket.
pub(crate) fn ask<C>(
    order: &Order,
    spawn: impl FnOnce(Stdio) -> io::Result<C>,
) -> io::Result<(C, OwnedFd)> {
    let (mut socket, theirs) = UnixStream::pair()?;
    let child = spawn(OwnedFd::from(theirs).into())?;
    let line = [serde_json::to_vec(order)?, b"\n".to_vec()].concat();
    socket.write_all(&line)?;
    let mut answer = [0; size_of::<i32>()];
    socket.read_exact(&mut answer)?;
    match i32::from_le_bytes(answer) {
        0 => Ok((child, socket.into())),
        number => Err(io::Error::from_raw_os_error(number)),
    }
}
