//! The processes of the machine, as `/proc` tells of them.

use std::{
    fs::{self, File},
    io::Read as _,
    path::Path,
};

/// A process. What it uses is in the units of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    /// In clock ticks since the system started. With the number it tells a process from all others.
    pub(crate) started: u64,
    /// Over, but not yet waited for.
    pub(crate) is_zombie: bool,
    pub(crate) threads: u64,
    /// Processor time, also of the children that it waited for, in clock ticks.
    pub(crate) ticks: u64,
    /// Memory that is really there, in pages; shared ones count in each process.
    pub(crate) pages: u64,
}

/// Every process, zombies too. Takes a few milliseconds. Where there is no `/proc`, there is none.
pub(crate) fn everyone() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries.filter_map(|entry| process(&entry.ok()?.path())).collect()
}

/// Every process that is no zombie.
pub(crate) fn living() -> Vec<Process> {
    everyone().into_iter().filter(|process| !process.is_zombie).collect()
}

/// When a process started, in clock ticks since the system did; 0 where that is not known.
pub(crate) fn started(pid: u32) -> u64 {
    process(&Path::new("/proc").join(pid.to_string())).map_or(0, |process| process.started)
}

fn process(folder: &Path) -> Option<Process> {
    /// More than there ever is.
    const LONGEST: usize = 2048;
    let pid = folder.file_name()?.to_str()?.parse().ok()?;
    let mut stat = [0; LONGEST];
    // The kernel gives it in one piece. The usual ways to read a file ask for its size and for its
    // end too, which is half of what a look at the whole table takes.
    let n = File::open(folder.join("stat")).ok()?.read(&mut stat).ok()?;
    read(pid, &String::from_utf8_lossy(stat.get(..n)?))
}

/// Reads `/proc/PID/stat`, whose second field is a name in parentheses that may hold anything. The
/// numbers of the fields are those of `man 5 proc`.
fn read(pid: i32, stat: &str) -> Option<Process> {
    const AFTER_THE_NAME: usize = 3;
    let fields: Vec<&str> = stat.get(stat.rfind(')')? + 1..)?.split_ascii_whitespace().collect();
    let text = |n: usize| fields.get(n - AFTER_THE_NAME).copied();
    let number = |n| text(n)?.parse::<u64>().ok();
    Some(Process {
        pid,
        parent: text(4)?.parse().ok()?,
        group: text(5)?.parse().ok()?,
        started: number(22)?,
        is_zombie: matches!(text(3)?, "Z" | "X"),
        threads: number(20)?,
        ticks: [14, 15, 16, 17].into_iter().filter_map(number).sum(),
        pages: number(24)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let stat = "7 (a) Z (b) S 3 5 5 0 -1 4194560 1 2 3 4 10 20 300 4000 20 0 9 0 1234 1 42 9";
        let process = read(7, stat).unwrap();
        let expected = Process {
            pid: 7,
            parent: 3,
            group: 5,
            started: 1234,
            is_zombie: false,
            threads: 9,
            ticks: 4330,
            pages: 42,
        };
        assert_eq!(process, expected);
    }

    #[test]
    fn this_process_is_among_the_living() {
        let pid = std::process::id().cast_signed();
        let us = living().into_iter().find(|process| process.pid == pid).unwrap();
        assert!(0 < us.pages && 0 < us.threads && us.started == started(std::process::id()));
    }
}
