//! All processes of a run, wherever they hide.
//!
//! A process belongs to a run if it is in the run's process group, carries the run's mark in its
//! environment, holds the run's output pipes, or descends from one that does. So it is found
//! after `setsid`, `nohup`, a double fork, a closed terminal, or a cleared environment. What
//! sheds all of these at once escapes; only a namespace stops that.
//!
//! Read from `/proc`. Where there is none, only the process group is signalled.

use std::{collections::BTreeSet, fs, io::Read as _, path::Path, time::Duration};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::time::{Instant, sleep};

use super::table::{self, Process};

/// The variable that marks the processes of a run.
pub(crate) const MARK: &str = "TAGLINE_RUN";

/// How long processes have to end by themselves before they are killed.
const GRACE: Duration = Duration::from_secs(2);
/// How often it is looked whether they did.
const STEP: Duration = Duration::from_millis(20);
/// How often nobody must be seen before nobody is there.
const LOOKS: usize = 2;
/// Rounds of killing; a fork bomb may need several.
const MAX_ROUNDS: usize = 200;
/// Longest environment that is searched for the mark.
const MAX_ENVIRONMENT: u64 = 1 << 20;

/// How the processes of a run are recognized.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    /// How an entry of their environment begins.
    pub(crate) variable: String,
    /// Their process group, while it is known to be theirs: a number may be used again once the
    /// group is empty.
    pub(crate) group: Option<Pid>,
    /// Whether that group is led by a process of ours, which waits for the command.
    pub(crate) has_monitor: bool,
    /// Inodes of the pipes that they write to.
    pub(crate) pipes: Vec<u64>,
    /// When the first of them started, in clock ticks since the system did; older processes are
    /// none of theirs, and are not looked at.
    pub(crate) since: u64,
}

impl Mark {
    /// Finds processes by their environment alone: those whose mark begins so.
    pub(crate) fn variable(value: &str, since: u64) -> Self {
        Self {
            variable: format!("{MARK}={value}"),
            group: None,
            has_monitor: false,
            pipes: Vec::new(),
            since,
        }
    }
}

/// The living processes of a run. Zombies are not counted. Takes a few milliseconds.
pub(crate) fn members(mark: &Mark) -> Vec<Pid> {
    let processes = table::living();
    let ours = std::process::id().cast_signed();
    let mut found: BTreeSet<i32> = processes
        .iter()
        .filter(|process| process.pid != ours && mark.since <= process.started)
        .filter(|process| is_in_group(process, mark) || is_marked(process.pid, mark))
        .map(|process| process.pid)
        .collect();
    add_descendants(&mut found, &processes);
    found.retain(|&pid| !is_ours(pid, mark));
    found.into_iter().filter_map(Pid::from_raw).collect()
}

/// Whether it is one of the two processes of ours between us and a confined command: the monitor, or
/// the first one of the command's own process namespace. Without a sandbox there is neither, and a
/// command may have made namespaces itself.
pub(crate) fn is_ours(pid: i32, mark: &Mark) -> bool {
    let leads = |group: Pid| group.as_raw_nonzero().get() == pid;
    mark.has_monitor && (mark.group.is_some_and(leads) || is_first(pid) == Some(true))
}

/// Whether it is the first process of a namespace inside of ours.
fn is_first(pid: i32) -> Option<bool> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
    Some(numbers.split_ascii_whitespace().skip(1).last()? == "1")
}

/// Whether the process group still has a member.
pub(crate) fn is_group_alive(group: Pid) -> bool {
    table::living().iter().any(|process| process.group == group.as_raw_nonzero().get())
}

/// Adds the processes that descend from one of them.
pub(crate) fn add_descendants(found: &mut BTreeSet<i32>, processes: &[Process]) {
    loop {
        let n = found.len();
        for process in processes {
            if found.contains(&process.parent) {
                found.insert(process.pid);
            }
        }
        if found.len() == n {
            return;
        }
    }
}

/// Whether it is in the run's process group.
pub(crate) fn is_in_group(process: &Process, mark: &Mark) -> bool {
    mark.group.is_some_and(|group| group.as_raw_nonzero().get() == process.group)
}

/// Whether its environment or its open files tell that it belongs to the run.
pub(crate) fn is_marked(pid: i32, mark: &Mark) -> bool {
    let folder = Path::new("/proc").join(pid.to_string());
    has_variable(&folder, &mark.variable)
        || (!is_our_image(&folder) && holds(&folder, "pipe:", &mark.pipes))
}

fn has_variable(folder: &Path, variable: &str) -> bool {
    let mut bytes = Vec::new();
    let read = fs::File::open(folder.join("environ"))
        .and_then(|file| file.take(MAX_ENVIRONMENT).read_to_end(&mut bytes));
    read.is_ok()
        && bytes.split(|&byte| byte == 0).any(|entry| entry.starts_with(variable.as_bytes()))
}

/// A copy of this program between fork and exec: it holds every file of ours for a moment, and
/// is none of the run's.
fn is_our_image(folder: &Path) -> bool {
    let image = |folder: &Path| fs::read_link(folder.join("exe")).ok();
    image(folder).is_some_and(|theirs| image(Path::new("/proc/self")) == Some(theirs))
}

fn holds(folder: &Path, kind: &str, inodes: &[u64]) -> bool {
    !inodes.is_empty() && open_inodes(folder, kind).iter().any(|inode| inodes.contains(inode))
}

/// Inodes of the open files of this kind, `pipe:` or `socket:`.
pub(crate) fn open_inodes(folder: &Path, kind: &str) -> BTreeSet<u64> {
    let Ok(files) = fs::read_dir(folder.join("fd")) else { return BTreeSet::new() };
    files
        .filter_map(|file| fs::read_link(file.ok()?.path()).ok())
        .filter_map(|target| {
            let inode = target.to_str()?.strip_prefix(kind)?;
            inode.trim_matches(['[', ']']).parse().ok()
        })
        .collect()
}

/// Ends all processes of a run: `first` to each, and to those that are still there after 2
/// seconds, KILL, until none is left.
pub(crate) async fn end(mark: Mark, first: Signal) {
    let deadline = Instant::now() + GRACE;
    let mut is_alive = send(&mark, first).await;
    // On a machine with much to do, looking takes longer than the steps between.
    while is_alive && Instant::now() < deadline && first != Signal::KILL {
        sleep(STEP).await;
        is_alive = exist(&mark).await;
    }
    let mut rounds = 0;
    while is_alive && rounds < MAX_ROUNDS {
        is_alive = send(&mark, Signal::KILL).await;
        sleep(STEP / 4).await;
        rounds += 1;
    }
}

/// Ends all processes of a run at once, where nothing can be awaited any more.
pub(crate) fn kill_now(mark: &Mark) {
    for _ in 0..MAX_ROUNDS {
        if !signal(mark, Signal::KILL) {
            return;
        }
        std::thread::sleep(STEP / 4);
    }
}

async fn exist(mark: &Mark) -> bool {
    let mark = mark.clone();
    tokio::task::spawn_blocking(move || !is_empty(&mark)).await.unwrap_or(false)
}

/// Whether there is none. A process that becomes another program has no environment for a moment, so
/// one look is none.
fn is_empty(mark: &Mark) -> bool {
    (0..LOOKS).all(|n| {
        if 0 < n {
            std::thread::sleep(STEP);
        }
        members(mark).is_empty()
    })
}

async fn send(mark: &Mark, what: Signal) -> bool {
    let mark = mark.clone();
    tokio::task::spawn_blocking(move || signal(&mark, what)).await.unwrap_or(false)
}

/// Signals each process; says whether there may be one. A process that is gone by now, or belongs
/// to another user, takes no signal: nothing can be done about either.
fn signal(mark: &Mark, what: Signal) -> bool {
    if let Some(group) = mark.group {
        let _ = kill_process_group(group, what);
    }
    let members = members(mark);
    for &pid in &members {
        let _ = kill_process(pid, what);
        // A stopped process takes its signal when it goes on.
        let _ = kill_process(pid, Signal::CONT);
    }
    !members.is_empty() || !is_empty(mark)
}
