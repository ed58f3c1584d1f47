//! Commands in a world of their own.
//!
//! A command gets its own view of the file system, in which everything but a few folders can only be
//! read and our own folders are empty; its own processes, which end with us; and fewer system calls.
//! The network stays open: a server that a command starts is for the user to look at.

mod call;
mod child;
mod filter;
mod keeper;
mod plan;
mod probe;
mod proof;

use std::{
    fs, io,
    os::{fd::OwnedFd, unix::process::CommandExt as _},
    path::Path,
    process::Command,
};

use self::child::{Identity, Orders, Parts};
pub use self::{plan::Plan, probe::Probe, proof::Proof};
use crate::Limits;

/// While it is held the processes of a command may live; the kernel drops it if we are killed.
#[derive(Debug)]
pub struct Leash {
    _end: OwnedFd,
}

/// Has a command run below these limits and confined as planned. A child that cannot be confined is
/// not started.
///
/// # Errors
///
/// Where a path is none, or there is no pipe to be had.
pub fn confine(
    command: &mut Command,
    limits: Limits,
    plan: &Plan,
    cwd: &Path,
) -> io::Result<Leash> {
    let (mut orders, leash) = orders(limits, plan, cwd)?;
    hook(command, move || orders.follow());
    Ok(leash)
}

#[expect(unsafe_code, reason = "a child is prepared between fork and exec")]
fn hook(command: &mut Command, work: impl FnMut() -> io::Result<()> + Send + Sync + 'static) {
    // SAFETY: between fork and exec only async-signal-safe functions may be called. What is hooked in
    // here makes system calls with what was made ready before: it takes no lock and allocates
    // nothing, and its errors are numbers.
    unsafe {
        command.pre_exec(work);
    }
}

fn orders(limits: Limits, plan: &Plan, cwd: &Path) -> io::Result<(Orders, Leash)> {
    let (leash, end) = io::pipe()?;
    let steps = plan.steps()?;
    let user = rustix::process::geteuid().as_raw();
    let orders = Orders {
        limits,
        identity: (!may_mount()).then(|| identity(user)),
        trees: vec![-1; steps.len()],
        steps,
        cwd: plan::c_string(cwd)?,
        filters: filter::filters()?,
        leash: leash.into(),
        is_root: user == 0,
        parts: Parts::ALL,
    };
    Ok((orders, Leash { _end: end.into() }))
}

fn identity(user: u32) -> Identity {
    let group = rustix::process::getegid().as_raw();
    Identity {
        user: format!("{user} {user} 1").into_bytes(),
        group: format!("{group} {group} 1").into_bytes(),
    }
}

/// Whether this process has the right to mount, which is the capability 21.
fn may_mount() -> bool {
    const SYS_ADMIN: u64 = 1 << 21;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    line.and_then(|it| u64::from_str_radix(it.trim(), 16).ok())
        .is_some_and(|it| it & SYS_ADMIN != 0)
}
