//! The two processes between us and a command.
//!
//! The *monitor* is the child that we wait for: it ends as the command ends, by the same code or the
//! same signal. The *keeper* is the first process of the command's own process namespace: with it
//! ends every process in there, so it stays while one is left, and goes when the leash is let go,
//! which the kernel does if we are killed.
//!
//! Both are copies of this program and so hold what it knows: they close every file but two, and no
//! other process may look into them.
#![expect(unsafe_code, reason = "they go on without exec, with system calls alone")]

use std::os::fd::RawFd;

use libc::{c_int, pid_t};

use super::call;

/// Waits for what the keeper reports, and ends the same way.
pub(super) fn monitor(report: RawFd) -> ! {
    let _ = call::prctl(libc::PR_SET_DUMPABLE, 0);
    call::close_all_but(report, report);
    let mut status: c_int = libc::SIGKILL;
    // SAFETY: there is room for one status; where nothing comes, the keeper was killed.
    let n = unsafe { libc::read(report, (&raw mut status).cast(), size_of::<c_int>()) };
    let status = if n == size_of::<c_int>() as isize { status } else { libc::SIGKILL };
    end_like(status)
}

fn end_like(status: c_int) -> ! {
    // SAFETY: numbers only; the limit is a value on the stack.
    unsafe {
        if libc::WIFSIGNALED(status) {
            let signal = libc::WTERMSIG(status);
            let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
            libc::signal(signal, libc::SIG_DFL);
            let mut others = call::signals(None);
            libc::sigdelset(&raw mut others, signal);
            call::block(&others);
            libc::kill(libc::getpid(), signal);
        }
        libc::_exit(libc::WEXITSTATUS(status))
    }
}

/// Waits for all processes of the namespace, reports how `command` ended, and goes with the leash.
/// All signals are blocked here.
pub(super) fn keep(command: pid_t, leash: RawFd, report: RawFd) -> ! {
    call::close_all_but(leash, report);
    let children = call::signals(Some(libc::SIGCHLD));
    // SAFETY: what is handed over lies on the stack.
    unsafe {
        let ended = libc::signalfd(-1, &raw const children, 0);
        let events = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        let mut polled = [events(leash), events(ended)];
        loop {
            libc::poll(polled.as_mut_ptr(), 2, -1);
            let [leash, signal] = &polled;
            if leash.revents != 0 {
                libc::_exit(0);
            }
            if signal.revents != 0 {
                let mut info: libc::signalfd_siginfo = std::mem::zeroed();
                libc::read(ended, (&raw mut info).cast(), size_of_val(&info));
            }
            reap(command, report);
        }
    }
}

/// Takes every process that ended; leaves where none is left.
fn reap(command: pid_t, report: RawFd) {
    loop {
        let mut status: c_int = 0;
        // SAFETY: there is room for one status.
        let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) };
        if pid == command {
            // SAFETY: the status is as long as it says.
            unsafe { libc::write(report, (&raw const status).cast(), size_of::<c_int>()) };
        }
        if pid < 0 {
            // SAFETY: a number.
            unsafe { libc::_exit(0) };
        }
        if pid == 0 {
            return;
        }
    }
}
