//! How a run is told to the model and to the card.

use std::{collections::BTreeSet, fmt};

use serde_json::{Value, json};
use tagline_net::Visit;
use tagline_protocol::Echo;

use super::{
    limit,
    runs::{End, Run, State, local_urls},
};

/// Bytes of output in an echo; the rest of [`Echo::MAX`] is for the words around it.
const MAX_OUTPUT: usize = Echo::MAX - 1024;
/// Of these, at least this much is for standard error, if it has as much.
const MIN_STDERR: usize = 5 * 1024;

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exited(code) => match signal_name(code - 128) {
                Some(name) => write!(f, "exit {code} (killed by {name})"),
                None => write!(f, "exit {code}"),
            },
            Self::Signaled(number) => match signal_name(number) {
                Some(name) => write!(f, "killed by {name}"),
                None => write!(f, "killed by signal {number}"),
            },
            Self::TimedOut(limit) => {
                write!(f, "timed out after {} s and was ended", limit.as_secs())
            }
            Self::Stopped => f.write_str("stopped"),
            Self::Limited(reached) => write!(f, "reached {reached} and was ended"),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Running => f.write_str("running"),
            Self::Ended(end) => end.fmt(f),
        }
    }
}

/// The names of the signals that end programs, by their numbers on Linux and macOS.
const fn signal_name(number: i32) -> Option<&'static str> {
    Some(match number {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        _ => return None,
    })
}

/// The output of a run for the model: all of it, or head and tail of each stream and how to read
/// the rest.
pub(crate) fn output(run: &Run) -> String {
    let (mut text, is_cut) = run.kept(|stdout, stderr| {
        let n_stderr = usize::try_from(stderr.n_total()).unwrap_or(usize::MAX);
        let n_stdout = usize::try_from(stdout.n_total()).unwrap_or(usize::MAX);
        let n_stderr = n_stderr.min(MIN_STDERR.max(MAX_OUTPUT.saturating_sub(n_stdout)));
        let n_stdout = MAX_OUTPUT - n_stderr;
        let mut text = stdout.text(n_stdout);
        if 0 < stderr.n_total() {
            end_line(&mut text);
            text.push_str("stderr:\n");
            text.push_str(&stderr.text(n_stderr));
        }
        (text, 0 < stdout.n_cut(n_stdout) + stderr.n_cut(n_stderr))
    });
    if is_cut {
        push_note(&mut text, &where_all_is(run));
    }
    if let Some(note) = limit::note(run) {
        push_note(&mut text, &note);
    }
    if text.is_empty() { "no output".to_owned() } else { text }
}

fn where_all_is(run: &Run) -> String {
    let id = &run.id;
    let n = run.log.len();
    format!("read_command_tail with run_id {id} and cursor 0 reads all {n} bytes from the start")
}

/// A line of ours behind the output.
fn push_note(text: &mut String, note: &str) {
    end_line(text);
    text.push_str(&format!("[{note}]"));
}

fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

/// The output of a run that is over without an answer of its own.
pub(crate) fn so_far(run: &Run) -> String {
    format!("output so far:\n{}", output(run))
}

/// The output of a run that goes on, and what can be done with it.
pub(crate) fn going_on(run: &Run) -> String {
    let mut text = so_far(run);
    let (id, n) = (&run.id, run.log.len());
    let note = format!(
        "wait_until with run_id {id} waits for it, read_command_tail with run_id {id} and cursor {n} \
         reads what it writes from now on, stop_command with run_id {id} ends it"
    );
    push_note(&mut text, &note);
    text
}

/// The output of a command that is over, and a note about `n` processes that it left behind.
pub(crate) fn over(run: &Run, n: usize) -> String {
    let mut text = output(run);
    let id = &run.id;
    match n {
        0 => (),
        1 => {
            let note = "1 process that it started still runs; stop_command with run_id";
            push_note(&mut text, &format!("{note} {id} ends it"));
        }
        n => {
            let note = "processes that it started still run; stop_command with run_id";
            push_note(&mut text, &format!("{n} {note} {id} ends them"));
        }
    }
    text
}

/// Such as `port 80` or `ports 80, 443`.
pub(crate) fn ports(ports: &BTreeSet<u16>) -> String {
    let list: Vec<_> = ports.iter().map(u16::to_string).collect();
    format!("port{} {}", if list.len() == 1 { "" } else { "s" }, list.join(", "))
}

/// Local addresses of a run: those that it wrote, or else one for each port.
pub(crate) fn urls(run: &Run, ports: &BTreeSet<u16>) -> Vec<String> {
    const MAX_HEAD: usize = 32 * 1024;
    let written = run.kept(|stdout, stderr| {
        local_urls(&format!("{}\n{}", stdout.text(MAX_HEAD), stderr.text(MAX_HEAD)))
    });
    if written.is_empty() {
        let outside = |port: &u16| run.port_outside(*port).unwrap_or(*port);
        return ports.iter().map(|port| format!("http://127.0.0.1:{}/", outside(port))).collect();
    }
    written.into_iter().map(|url| moved(url, run, ports)).collect()
}

/// The same address with the port of this machine, where another one leads to the run.
fn moved(url: String, run: &Run, ports: &BTreeSet<u16>) -> String {
    let mut moves = ports.iter().filter_map(|port| Some((*port, run.port_outside(*port)?)));
    let moved = moves.find_map(|(port, outside)| {
        let (head, rest) = url.split_once(&format!(":{port}"))?;
        let is_port = !rest.starts_with(|it: char| it.is_ascii_digit());
        is_port.then(|| format!("{head}:{outside}{rest}"))
    });
    moved.unwrap_or(url)
}

/// What is to be said of ports that another program of this machine has, too.
pub(crate) fn taken(run: &Run, ports: &BTreeSet<u16>) -> Option<String> {
    let moves = ports.iter().filter_map(|port| Some((port, run.port_outside(*port)?)));
    let words: Vec<_> = moves
        .map(|(port, outside)| {
            format!(
                "port {port} is taken on this machine, so the user reaches it at port {outside}; \
                 commands reach it at {port}"
            )
        })
        .collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// Where a command went by the proxy, for the record and the card.
pub(crate) fn hosts(run: &Run) -> Vec<Value> {
    let row = |visit: Visit| {
        let Visit { host, port, refusal, times } = visit;
        json!({ "host": host, "port": port, "times": times, "refused": refusal })
    };
    run.visits().into_iter().map(row).collect()
}

/// A run for the card.
pub(crate) fn payload(run: &Run, ports: &BTreeSet<u16>) -> Value {
    let state = run.state();
    let exit_code = match state {
        State::Ended(End::Exited(code)) => Some(code),
        State::Running
        | State::Ended(End::Signaled(_) | End::TimedOut(_) | End::Stopped | End::Limited(_)) => {
            None
        }
    };
    let streams =
        run.kept(|stdout, stderr| [stdout, stderr].map(|clip| (clip.kept(), clip.n_total())));
    let [(stdout, stdout_bytes), (stderr, stderr_bytes)] = streams;
    json!({
        "run_id": run.id,
        "command": run.command,
        "cwd": run.cwd.display().to_string(),
        "state": state.to_string(),
        "is_running": state == State::Running,
        "exit_code": exit_code,
        "stdout": stdout,
        "stdout_bytes": stdout_bytes,
        "stderr": stderr,
        "stderr_bytes": stderr_bytes,
        "log": run.log.path().display().to_string(),
        "sandbox": run.held,
        "hosts": hosts(run),
        "ports": ports,
        "urls": urls(run, ports),
    })
}
