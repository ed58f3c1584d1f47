//! What this machine has and uses, as the kernel tells in `/proc` and `/sys`.

use std::{fs, path::Path};

/// What is taken for the machine's memory where nothing tells: 4 GiB.
const UNKNOWN: u64 = 4 << 30;

/// The memory that this process may use with its children, in bytes: the machine's, or less where
/// its control group has less.
#[must_use]
pub fn memory() -> u64 {
    let machine = meminfo("MemTotal:").unwrap_or(UNKNOWN);
    control_groups().into_iter().fold(machine, u64::min)
}

/// What moves where a command takes much, read without looking at any process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gauge {
    /// Threads on the machine.
    pub threads: Option<u64>,
    /// Memory that is still to be had, in bytes.
    pub available: Option<u64>,
}

impl Gauge {
    /// Reads it: two small files, some ten microseconds.
    #[must_use]
    pub fn read() -> Self {
        Self { threads: threads(), available: meminfo("MemAvailable:") }
    }
}

/// The fourth field of `/proc/loadavg`, such as `3/1234`.
fn threads() -> Option<u64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    let (_, all) = text.split_ascii_whitespace().nth(3)?.split_once('/')?;
    all.parse().ok()
}

/// A line such as `MemTotal:  24566896 kB`, in bytes.
fn meminfo(name: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kibibytes.saturating_mul(1024))
}

/// The bounds of the control groups that hold this process; either version of them.
fn control_groups() -> Vec<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = groups.lines().filter_map(|line| line.strip_prefix("0::/"));
    own.chain([""])
        .map(|group| Path::new("/sys/fs/cgroup").join(group).join("memory.max"))
        .chain(["/sys/fs/cgroup/memory/memory.limit_in_bytes".into()])
        .filter_map(|file| fs::read_to_string(file).ok()?.trim().parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_tells_what_it_has() {
        let gauge = Gauge::read();
        assert!(gauge.threads.is_some_and(|n| 0 < n), "{gauge:?}");
        assert!(gauge.available.is_some_and(|n| 0 < n), "{gauge:?}");
        assert!(1 << 20 < memory());
    }
}
