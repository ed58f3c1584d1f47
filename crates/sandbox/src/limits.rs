//! What a command may use, and what is said where it wants more.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};

use crate::machine;

const MIB: u64 = 1 << 20;

/// What one command may use of the machine, with all processes that it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Processor time of all its processes together.
    pub cpu: Duration,
    /// Memory of all its processes together, in bytes; what they share counts once.
    pub memory: u64,
    /// Processes at a time. Of threads there may be [`Limits::THREADS`] times as many.
    pub processes: u32,
    /// Size of one file that it writes, in bytes.
    pub file_size: u64,
    /// Open files of one process.
    pub open_files: u64,
}

impl Limits {
    /// Threads for each process that is allowed.
    pub const THREADS: u32 = 16;

    /// All its threads at a time.
    #[must_use]
    pub const fn threads(&self) -> u32 {
        self.processes.saturating_mul(Self::THREADS)
    }
}

/// Room for a large build: ten hours of processor time, three quarters of the machine's memory, 512
/// processes, files of 16 GiB, 8,192 open files.
impl Default for Limits {
    fn default() -> Self {
        Self {
            cpu: Duration::from_secs(36_000),
            memory: machine::memory() / 4 * 3,
            processes: 512,
            file_size: 16_384 * MIB,
            open_files: 8_192,
        }
    }
}

/// What the processes of a command use together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time so far, also of processes that are gone.
    pub cpu: Duration,
    /// Memory, in bytes.
    pub memory: u64,
    /// Living processes.
    pub processes: u64,
    /// Their threads.
    pub threads: u64,
}

impl Usage {
    /// The limit that this is more than, if there is one.
    #[must_use]
    pub fn reached(&self, limits: &Limits) -> Option<Reached> {
        if u64::from(limits.processes) < self.processes {
            Some(Reached::Processes(limits.processes))
        } else if u64::from(limits.threads()) < self.threads {
            Some(Reached::Threads(limits.threads()))
        } else if limits.memory < self.memory {
            Some(Reached::Memory(limits.memory))
        } else if limits.cpu < self.cpu {
            Some(Reached::Cpu(limits.cpu))
        } else {
            None
        }
    }
}

/// A limit that was reached, and how much it allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// [`Limits::cpu`].
    Cpu(Duration),
    /// [`Limits::memory`], in bytes.
    Memory(u64),
    /// [`Limits::processes`].
    Processes(u32),
    /// [`Limits::threads`].
    Threads(u32),
    /// [`Limits::file_size`], in bytes.
    FileSize(u64),
    /// [`Limits::open_files`].
    OpenFiles(u64),
}

impl Reached {
    /// What can be done about it.
    #[must_use]
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::Cpu(_) => "do less at a time, or have the user raise `limits.command_cpu`",
            Self::Memory(_) => {
                "work on less at a time, or have the user raise `limits.command_memory`"
            }
            Self::Processes(_) | Self::Threads(_) => {
                "start fewer at a time, or have the user raise `limits.command_processes`"
            }
            Self::FileSize(_) => {
                "write less to one file, or have the user raise `limits.command_file_size`"
            }
            Self::OpenFiles(_) => {
                "keep fewer open at a time, or have the user raise `limits.command_open_files`"
            }
        }
    }
}

impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("its limit of ")?;
        match self {
            Self::Cpu(most) => write!(f, "{} s of processor time", most.as_secs()),
            Self::Memory(most) => write!(f, "{} MiB of memory", most / MIB),
            Self::Processes(most) => write!(f, "{most} processes"),
            Self::Threads(most) => write!(f, "{most} threads"),
            Self::FileSize(most) => write!(f, "{} MiB for one file", most / MIB),
            Self::OpenFiles(most) => write!(f, "{most} open files in one process"),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    const LIMITS: Limits = Limits {
        cpu: Duration::from_secs(60),
        memory: 512 * MIB,
        processes: 64,
        file_size: 10 * MIB,
        open_files: 256,
    };

    fn usage() -> Usage {
        let cpu = Duration::from_secs(60);
        Usage { cpu, memory: 512 * MIB, processes: 64, threads: 1024 }
    }

    #[test]
    fn what_is_allowed_is_not_yet_too_much() {
        assert_eq!(usage().reached(&LIMITS), None);
    }

    #[test]
    fn each_limit_has_its_own_words() {
        let over = [
            Usage { cpu: Duration::from_millis(60_001), ..usage() },
            Usage { memory: 512 * MIB + 1, ..usage() },
            Usage { processes: 65, ..usage() },
            Usage { threads: 1025, ..usage() },
        ];
        let counted = over.iter().filter_map(|usage| usage.reached(&LIMITS));
        let kept = [Reached::FileSize(10 * MIB), Reached::OpenFiles(256)];
        let words: Vec<_> =
            counted.chain(kept).map(|it| format!("{it}; {}\n", it.advice())).collect();
        expect![[r#"
            its limit of 60 s of processor time; do less at a time, or have the user raise `limits.command_cpu`
            its limit of 512 MiB of memory; work on less at a time, or have the user raise `limits.command_memory`
            its limit of 64 processes; start fewer at a time, or have the user raise `limits.command_processes`
            its limit of 1024 threads; start fewer at a time, or have the user raise `limits.command_processes`
            its limit of 10 MiB for one file; write less to one file, or have the user raise `limits.command_file_size`
            its limit of 256 open files in one process; keep fewer open at a time, or have the user raise `limits.command_open_files`
        "#]]
        .assert_eq(&words.concat());
    }

    #[test]
    fn the_usual_limits_leave_memory_for_others() {
        let memory = Limits::default().memory;
        assert!(0 < memory && memory < machine::memory());
    }
}
