//! Limits that the kernel keeps, set in a child before it becomes the command.

use std::io;

use rustix::{
    fs::{Mode, OFlags},
    process::{Resource, Rlimit, getrlimit, setrlimit},
};

use crate::Limits;

/// Time between the signal that says that processor time is over, and the one that nobody survives,
/// in seconds.
const LAST_WORDS: u64 = 5;

/// By how much a command is nicer than we are: it has a third of a share beside us, and all of what
/// nobody else wants.
const NICENESS: i32 = 5;

impl Limits {
    /// Has the kernel keep, for this process and its children, what it can keep: open files, the size
    /// of a file, and the processor time of one process alone.
    ///
    /// It is also made nicer than we are by 5. Where memory runs out in spite of all limits, the kernel is told to end the command's
    /// processes first, not us.
    pub(crate) fn keep(&self) -> io::Result<()> {
        bound(Resource::Fsize, self.file_size, 0)?;
        bound(Resource::Nofile, self.open_files, 0)?;
        bound(Resource::Cpu, self.cpu.as_secs().max(1), LAST_WORDS)?;
        give_way();
        be_expendable();
        Ok(())
    }
}

/// Sets the bound, but never above the one that is there.
fn bound(resource: Resource, most: u64, grace: u64) -> io::Result<()> {
    let allowed = getrlimit(resource).maximum;
    let least = |most: u64| Some(allowed.map_or(most, |allowed| allowed.min(most)));
    let limit = Rlimit { current: least(most), maximum: least(most.saturating_add(grace)) };
    setrlimit(resource, limit).map_err(io::Error::from)
}

/// Whoever watches a command is told in time what it does, also where it takes all there is.
fn give_way() {
    let _ = rustix::process::nice(NICENESS);
}

/// Where there is no such file, nothing is to be said to this kernel.
fn be_expendable() {
    let file = rustix::fs::open(
        c"/proc/self/oom_score_adj",
        OFlags::WRONLY | OFlags::CLOEXEC,
        Mode::empty(),
    );
    if let Ok(file) = file {
        let _ = rustix::io::write(&file, b"500");
    }
}

#[cfg(test)]
mod tests {
    use std::{path::Path, time::Duration};

    use super::*;
    use crate::{Order, Starter};

    /// What `script` prints below these limits.
    fn output(limits: Limits, script: &str) -> String {
        let mut command = Starter::Fork.command(Path::new("sh"));
        command.args(["-c", script]);
        let order = Order::bounded(limits);
        let (output, _) =
            Starter::Fork.start(&order, command, |mut command| command.output()).unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    fn small() -> Limits {
        Limits {
            cpu: Duration::from_secs(77),
            file_size: 1 << 20,
            open_files: 33,
            ..Limits::default()
        }
    }

    #[test]
    fn a_child_has_the_limits_and_cannot_raise_them() {
        let script = "ulimit -n; ulimit -t; ulimit -f; (ulimit -Hn 34) 2>/dev/null || echo no";
        // `sh` counts a file in blocks of 512 bytes.
        assert_eq!(output(small(), script), "33\n77\n2048\nno\n");
    }

    #[test]
    fn a_limit_that_is_there_already_is_not_raised() {
        let high = Limits { open_files: u64::MAX, ..small() };
        let ours = getrlimit(Resource::Nofile).maximum;
        let shown = ours.map_or_else(|| "unlimited".to_owned(), |n| n.to_string());
        assert_eq!(output(high, "ulimit -Hn").trim(), shown);
    }

    #[test]
    fn a_command_gives_way() {
        let here = output(Limits::default(), "nice");
        let there = output(small(), "nice; sh -c nice");
        let n: i32 = here.trim().parse().unwrap();
        assert_eq!(there, format!("{n}\n{n}\n"));
        assert!(0 < n);
    }

    #[test]
    fn the_kernel_ends_a_command_before_us() {
        assert_eq!(output(small(), "cat /proc/self/oom_score_adj").trim(), "500");
    }
}
