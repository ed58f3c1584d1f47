//! System calls, each with its error as a value. None allocates or locks, so all may be used between
//! fork and exec.
#![expect(unsafe_code, reason = "the kernel is asked for what no safe interface offers")]

use std::{
    ffi::CStr,
    io,
    os::fd::{AsRawFd, RawFd},
    ptr,
};

use libc::{c_int, c_long, c_ulong, pid_t};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};

/// The result of a call, or its error.
pub(crate) fn check(result: c_long) -> io::Result<c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

pub(crate) fn unshare(flags: c_int) -> io::Result<()> {
    // SAFETY: takes a number.
    check(unsafe { libc::unshare(flags) }.into()).map(drop)
}

/// Goes into a namespace.
pub(super) fn enter(namespace: &impl AsRawFd) -> io::Result<()> {
    // SAFETY: takes numbers; what kind of namespace it is, the file says.
    check(unsafe { libc::setns(namespace.as_raw_fd(), 0) }.into()).map(drop)
}

/// Forks, without what the C library does around it: the child of a program with threads may call
/// nothing but system calls in any case. `None`: this is the child.
pub(super) fn fork() -> io::Result<Option<pid_t>> {
    // SAFETY: without flags and without a stack `clone` is `fork`. Both sides go on with system
    // calls only.
    let pid = check(unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) })?;
    Ok(Some(pid as pid_t).filter(|&pid| pid != 0))
}

/// Writes a small file of the kernel in one piece.
pub(super) fn write_file(path: &CStr, text: &[u8]) -> io::Result<()> {
    // SAFETY: `path` ends with NUL, `text` is as long as it says.
    unsafe {
        let fd = check(libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC).into())?;
        let written = check(libc::write(fd as c_int, text.as_ptr().cast(), text.len()) as c_long);
        libc::close(fd as c_int);
        written.map(drop)
    }
}

/// Changes to mounts stay in this namespace, and those of others do not come in.
pub(super) fn make_private() -> io::Result<()> {
    mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None)
}

pub(super) fn mount(
    what: Option<&CStr>,
    at: &CStr,
    kind: Option<&CStr>,
    flags: c_ulong,
    options: Option<&CStr>,
) -> io::Result<()> {
    let text = |text: Option<&CStr>| text.map_or(ptr::null(), CStr::as_ptr);
    // SAFETY: each is a text with NUL at its end, or none.
    let result =
        unsafe { libc::mount(text(what), at.as_ptr(), text(kind), flags, text(options).cast()) };
    check(result.into()).map(drop)
}

/// A copy of a tree of mounts that stands nowhere yet. No link on the way is followed: a command
/// could have made one, so that another one may change what lies where it leads.
pub(super) fn copy_tree(path: &CStr) -> io::Result<RawFd> {
    const CLONE: c_int = 1;
    let (flags, mode) = (OFlags::PATH | OFlags::CLOEXEC, Mode::empty());
    let place = openat2(CWD, path, flags, mode, ResolveFlags::NO_SYMLINKS)?;
    let flags = CLONE | libc::AT_RECURSIVE | libc::AT_EMPTY_PATH | libc::O_CLOEXEC;
    // SAFETY: the path is empty, and ends with NUL.
    let tree = unsafe {
        libc::syscall(libc::SYS_open_tree, place.as_raw_fd(), c"".as_ptr(), flags.cast_unsigned())
    };
    check(tree).map(|tree| tree as RawFd)
}

pub(super) fn move_tree(tree: RawFd, to: &CStr) -> io::Result<()> {
    const FROM_EMPTY_PATH: c_ulong = 4;
    // SAFETY: the paths end with NUL.
    let result = unsafe {
        libc::syscall(
            libc::SYS_move_mount,
            tree,
            c"".as_ptr(),
            libc::AT_FDCWD,
            to.as_ptr(),
            FROM_EMPTY_PATH,
        )
    };
    check(result).map(drop)
}

/// Takes away the right to write: of a tree that stands nowhere yet, or of what stands at `path`,
/// with what stands below it if `flags` says so.
pub(super) fn make_read_only(tree: RawFd, path: &CStr, flags: c_int) -> io::Result<()> {
    const READ_ONLY: u64 = 1;
    /// `struct mount_attr` of the kernel.
    #[repr(C)]
    struct Attributes([u64; 4]);
    let attributes = Attributes([READ_ONLY, 0, 0, 0]);
    // SAFETY: `attributes` is as large as it says, and `path` ends with NUL.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree,
            path.as_ptr(),
            flags,
            ptr::from_ref(&attributes),
            size_of::<Attributes>(),
        )
    };
    check(result).map(drop)
}

/// Makes a folder that may be there already.
pub(super) fn make_folder(path: &CStr) -> io::Result<()> {
    // SAFETY: `path` ends with NUL.
    match check(unsafe { libc::mkdir(path.as_ptr(), 0o755) }.into()) {
        Err(error) if error.raw_os_error() != Some(libc::EEXIST) => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

pub(super) fn change_folder(path: &CStr) -> io::Result<()> {
    // SAFETY: `path` ends with NUL.
    check(unsafe { libc::chdir(path.as_ptr()) }.into()).map(drop)
}

pub(super) fn prctl(option: c_int, value: c_ulong) -> io::Result<c_int> {
    // SAFETY: the options used here take numbers.
    check(unsafe { libc::prctl(option, value, 0, 0, 0) }.into()).map(|result| result as c_int)
}

/// Keeps of the capabilities those in the mask; none can come back.
pub(super) fn keep_capabilities(mask: u64) -> io::Result<()> {
    const VERSION: u32 = 0x2008_0522;
    const N: c_ulong = 64;
    for capability in (0..N).filter(|n| mask & (1 << n) == 0) {
        // Numbers that the kernel does not know are no harm.
        let _ = prctl(libc::PR_CAPBSET_DROP, capability);
    }
    let header = [VERSION, 0];
    let mut sets = [[0_u32; 3]; 2];
    // SAFETY: the header names a version whose data are two sets of three words.
    check(unsafe { libc::syscall(libc::SYS_capget, header.as_ptr(), sets.as_mut_ptr()) })?;
    let halves = [mask as u32, (mask >> 32) as u32];
    for (set, half) in sets.iter_mut().zip(halves) {
        let [effective, permitted, inheritable] = set;
        (*effective, *permitted, *inheritable) = (*permitted & half, *permitted & half, 0);
    }
    // SAFETY: as above.
    check(unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), sets.as_ptr()) }).map(drop)
}

/// Sockets without a place in the file system that others made are out of reach. An older kernel does
/// not know how.
pub(super) fn forget_abstract_sockets() {
    const ABSTRACT_UNIX_SOCKET: u64 = 1;
    let rules: [u64; 3] = [0, 0, ABSTRACT_UNIX_SOCKET];
    // SAFETY: `rules` is as large as it says; the second call takes numbers.
    unsafe {
        let set = libc::syscall(
            libc::SYS_landlock_create_ruleset,
            rules.as_ptr(),
            size_of_val(&rules),
            0,
        );
        if 0 <= set {
            libc::syscall(libc::SYS_landlock_restrict_self, set, 0);
            libc::close(set as c_int);
        }
    }
}

/// A set of all signals, or of one.
pub(super) fn signals(only: Option<c_int>) -> libc::sigset_t {
    // SAFETY: the set is written by `sigfillset` or `sigemptyset` before it is read.
    unsafe {
        let mut set = std::mem::zeroed();
        match only {
            None => libc::sigfillset(&raw mut set),
            Some(signal) => {
                libc::sigemptyset(&raw mut set);
                libc::sigaddset(&raw mut set, signal)
            }
        };
        set
    }
}

/// Blocks these signals and no other; returns those that were blocked.
pub(super) fn block(set: &libc::sigset_t) -> libc::sigset_t {
    // SAFETY: both are sets of signals.
    unsafe {
        let mut before = std::mem::zeroed();
        libc::sigprocmask(libc::SIG_SETMASK, set, &raw mut before);
        before
    }
}

/// A pipe that is closed in other programs: its end to read, its end to write.
pub(super) fn pipe() -> io::Result<[RawFd; 2]> {
    let mut ends = [0; 2];
    // SAFETY: there is room for two numbers.
    check(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) }.into())?;
    Ok(ends)
}

/// Closes every file but these two.
pub(super) fn close_all_but(one: RawFd, other: RawFd) {
    let (low, high) = (one.min(other).cast_unsigned(), one.max(other).cast_unsigned());
    for (first, last) in
        [(0, low.wrapping_sub(1)), (low + 1, high.wrapping_sub(1)), (high + 1, u32::MAX)]
    {
        if first <= last && !(first == 0 && low == 0 && last == u32::MAX) {
            // SAFETY: nobody here uses one of these files any more.
            unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
        }
    }
}

/// Whether the other end of a pipe is closed within so many milliseconds.
pub(super) fn hangs_up(pipe: &impl AsRawFd, millis: c_int) -> bool {
    let mut polled = libc::pollfd { fd: pipe.as_raw_fd(), events: 0, revents: 0 };
    // SAFETY: there is one of them.
    unsafe {
        libc::poll(&raw mut polled, 1, millis) == 1
            && polled.revents & (libc::POLLHUP | libc::POLLERR) != 0
    }
}
