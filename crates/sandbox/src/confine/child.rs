//! From a fork of ours to a confined command.

use std::{
    ffi::CString,
    io,
    os::fd::{AsRawFd as _, OwnedFd, RawFd},
};

use seccompiler::BpfProgram;

use super::{call, keeper, plan::Step};
use crate::Limits;

/// What a command keeps of the rights of root: over files and users, none over the machine. By their
/// numbers: chown, `dac_override`, fowner, fsetid, kill, setgid, setuid, `net_bind_service`.
const ROOT_KEEPS: u64 = 1 | 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 10;

/// Everything that the child needs, made ready before: it can allocate nothing.
pub(super) struct Orders {
    pub(super) limits: Limits,
    /// Where this process may not mount by itself: how it is called in a namespace where it may.
    pub(super) identity: Option<Identity>,
    pub(super) steps: Vec<Step>,
    /// Room for the copied trees, one for each step.
    pub(super) trees: Vec<RawFd>,
    pub(super) cwd: CString,
    pub(super) filters: Vec<BpfProgram>,
    /// Hangs up when we are gone.
    pub(super) leash: OwnedFd,
    pub(super) is_root: bool,
    pub(super) parts: Parts,
}

/// What a sandbox is made of. Each is there; tests take one away, to see that the trials notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    /// A view of the file system.
    pub(super) files: bool,
    /// Processes of its own, which end with us.
    pub(super) processes: bool,
    /// Fewer rights.
    pub(super) rights: bool,
    /// Fewer system calls.
    pub(super) calls: bool,
}

impl Parts {
    pub(super) const ALL: Self = Self { files: true, processes: true, rights: true, calls: true };
}

/// The user and the group in a namespace of users: the same as outside, as the kernel reads it.
pub(super) struct Identity {
    pub(super) user: Vec<u8>,
    pub(super) group: Vec<u8>,
}

impl Orders {
    /// Returns in the process that becomes the command, or in one where something failed.
    pub(super) fn follow(&mut self) -> io::Result<()> {
        self.limits.keep()?;
        if let Some(identity) = &self.identity {
            call::unshare(libc::CLONE_NEWUSER)?;
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
            call::keep_capabilities(if self.is_root { ROOT_KEEPS } else { 0 })?;
            call::forget_abstract_sockets();
        }
        for filter in self.filters.iter().filter(|_| self.parts.calls) {
            seccompiler::apply_filter(filter)
                .map_err(|_| io::Error::from_raw_os_error(libc::EPERM))?;
        }
        Ok(())
    }
}

impl Identity {
    fn take(&self) -> io::Result<()> {
        call::write_file(c"/proc/self/setgroups", b"deny")?;
        call::write_file(c"/proc/self/uid_map", &self.user)?;
        call::write_file(c"/proc/self/gid_map", &self.group)
    }
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
