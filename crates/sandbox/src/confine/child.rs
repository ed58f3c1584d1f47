//! From a process of ours to a confined command.

use std::{
    ffi::CString,
    fs, io,
    os::fd::{AsRawFd as _, OwnedFd, RawFd},
    path::Path,
};

use seccompiler::BpfProgram;
use serde::{Deserialize, Serialize};

use super::{call, filter, keeper, plan, plan::Step};
use crate::{Limits, network::Membership, order::Fence};

/// What a command keeps of the rights of root: over files and users, none over the machine. By their
/// numbers: chown, `dac_override`, fowner, fsetid, kill, setgid, setuid, `net_bind_service`.
const ROOT_KEEPS: u64 = 1 | 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 10;

/// Everything that the child needs, made ready before: after a fork it can allocate nothing.
pub(crate) struct Orders {
    limits: Limits,
    /// Where this process may not mount by itself: how it is called in a namespace where it may.
    identity: Option<Identity>,
    /// Namespaces that it goes into, in order: it is called in them as outside.
    networks: Vec<OwnedFd>,
    steps: Vec<Step>,
    /// Room for the copied trees, one for each step.
    trees: Vec<RawFd>,
    cwd: CString,
    filters: Vec<BpfProgram>,
    /// Hangs up when we are gone.
    leash: OwnedFd,
    is_root: bool,
    parts: Parts,
}

/// What a sandbox is made of. Each is there; tests take one away, to see that the trials notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Parts {
    /// A view of the file system.
    pub(super) files: bool,
    /// Processes of its own, which end with us.
    pub(super) processes: bool,
    /// Fewer rights.
    pub(super) rights: bool,
    /// Fewer system calls.
    pub(super) calls: bool,
    /// A network of its own, where there is one to be in.
    pub(super) network: bool,
}

impl Parts {
    pub(crate) const ALL: Self =
        Self { files: true, processes: true, rights: true, calls: true, network: true };
}

/// The user and the group in a namespace of users: the same as outside, as the kernel reads it.
pub(crate) struct Identity {
    user: Vec<u8>,
    group: Vec<u8>,
}

impl Orders {
    pub(crate) fn new(
        limits: Limits,
        fence: &Fence,
        leash: OwnedFd,
        parts: Parts,
    ) -> io::Result<Self> {
        let steps = fence.plan.steps()?;
        let network = fence.network.as_ref().filter(|_| parts.network);
        let user = rustix::process::geteuid().as_raw();
        Ok(Self {
            limits,
            identity: (!may_mount()).then(|| Identity::of(user)),
            networks: network.map_or(Ok(Vec::new()), Membership::namespaces)?,
            trees: vec![-1; steps.len()],
            steps,
            cwd: plan::c_string(Path::new(&fence.cwd))?,
            filters: filter::filters(network.map(|_| filter::Network::Own))?,
            leash,
            is_root: user == 0,
            parts,
        })
    }

    /// Returns in the process that becomes the command, or in one where something failed.
    pub(crate) fn follow(&mut self) -> io::Result<()> {
        self.limits.keep()?;
        for network in &self.networks {
            call::enter(network)?;
        }
        if let Some(identity) = self.identity.as_ref().filter(|_| self.networks.len() < 2) {
            identity.take()?;
        }
        let processes = if self.parts.processes { libc::CLONE_NEWPID } else { 0 };
        call::unshare(libc::CLONE_NEWNS | libc::CLONE_NEWIPC | processes)?;
        let [report, write_report] = call::pipe()?;
        let signals = call::block(&call::signals(None));
        if call::fork()?.is_some() {
            keeper::monitor(report);
        }
        if self.parts.files {
            self.mount()?;
        }
        let _ = call::prctl(libc::PR_SET_DUMPABLE, 0);
        if let Some(command) = call::fork()? {
            keeper::keep(command, self.leash.as_raw_fd(), write_report);
        }
        call::block(&signals);
        self.give_up_rights()
    }

    fn mount(&mut self) -> io::Result<()> {
        call::make_private()?;
        for (step, room) in self.steps.iter().zip(&mut self.trees) {
            if let Step::Tree { from, is_read_only, .. } = step {
                *room = call::copy_tree(from)?;
                if *is_read_only {
                    let flags = libc::AT_EMPTY_PATH | libc::AT_RECURSIVE;
                    call::make_read_only(*room, c"", flags)?;
                }
            }
        }
        call::make_read_only(libc::AT_FDCWD, c"/", libc::AT_RECURSIVE)?;
        for (step, tree) in self.steps.iter().zip(&self.trees) {
            take(step, *tree)?;
        }
        let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_RDONLY;
        call::mount(Some(c"proc"), c"/proc", Some(c"proc"), flags, None)?;
        // What was the working folder still lies in what cannot be changed.
        call::change_folder(&self.cwd)
    }

    fn give_up_rights(&self) -> io::Result<()> {
        if self.parts.rights {
            call::prctl(libc::PR_SET_NO_NEW_PRIVS, 1)?;
            call::forget_abstract_sockets();
        }
        give_up_rights(self.is_root, &self.filters, self.parts)
    }
}

pub(super) fn give_up_rights(
    is_root: bool,
    filters: &[BpfProgram],
    parts: Parts,
) -> io::Result<()> {
    if parts.rights {
        call::prctl(libc::PR_SET_NO_NEW_PRIVS, 1)?;
        call::keep_capabilities(if is_root { ROOT_KEEPS } else { 0 })?;
    }
    for filter in filters.iter().filter(|_| parts.calls) {
        seccompiler::apply_filter(filter).map_err(|_| io::Error::from_raw_os_error(libc::EPERM))?;
    }
    Ok(())
}

impl Identity {
    fn of(user: u32) -> Self {
        let group = rustix::process::getegid().as_raw();
        Self {
            user: format!("{user} {user} 1").into_bytes(),
            group: format!("{group} {group} 1").into_bytes(),
        }
    }

    /// Has this process be where it may mount, if it may not where it is.
    pub(crate) fn take_where_needed() -> io::Result<()> {
        if may_mount() {
            return Ok(());
        }
        Self::of(rustix::process::geteuid().as_raw()).take()
    }

    fn take(&self) -> io::Result<()> {
        call::unshare(libc::CLONE_NEWUSER)?;
        call::write_file(c"/proc/self/setgroups", b"deny")?;
        call::write_file(c"/proc/self/uid_map", &self.user)?;
        call::write_file(c"/proc/self/gid_map", &self.group)
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

fn take(step: &Step, tree: RawFd) -> io::Result<()> {
    match step {
        Step::Tree { to, .. } => call::move_tree(tree, to),
        Step::Empty { at, options } => {
            let flags = libc::MS_NOSUID | libc::MS_NODEV;
            call::mount(Some(c"tmpfs"), at, Some(c"tmpfs"), flags, Some(options))
        }
        Step::Folder(path) => call::make_folder(path),
        Step::Seal(path) => call::make_read_only(libc::AT_FDCWD, path, 0),
    }
}
