//! Limits that the kernel keeps for each process: how it is told that one was reached.
//!
//! Nobody is informed of it but the process. So it is read from how the command ended, and from what
//! stands on standard error; a limit that was reached without either is not noticed here.

use tagline_sandbox::{Limits, Reached};

use super::runs::{End, Run, State};

const SIGXCPU: i32 = 24;
const SIGXFSZ: i32 = 25;

/// What a shell, or the C library, says in these cases; in small letters.
const WORDS: [(&str, Kept); 4] = [
    ("file too large", Kept::FileSize),
    ("file size limit exceeded", Kept::FileSize),
    ("cpu time limit exceeded", Kept::Cpu),
    ("too many open files", Kept::OpenFiles),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Cpu,
    FileSize,
    OpenFiles,
}

impl Kept {
    const fn reached(self, limits: &Limits) -> Reached {
        match self {
            Self::Cpu => Reached::Cpu(limits.cpu),
            Self::FileSize => Reached::FileSize(limits.file_size),
            Self::OpenFiles => Reached::OpenFiles(limits.open_files),
        }
    }
}

/// What is to be said of a limit that a process of the run reached, or of the sandbox, if something
/// is.
pub(crate) fn note(run: &Run) -> Option<String> {
    reached(run).or_else(|| refused(run)).or_else(|| unreached(run))
}

/// What a command is told that wanted to write where it may not.
fn refused(run: &Run) -> Option<String> {
    const WORDS: &str = "Read-only file system";
    let has_failed = !matches!(run.state(), State::Ended(End::Exited(0)));
    let is_refused =
        run.is_confined && has_failed && run.kept(|_, stderr| stderr.kept().contains(WORDS));
    is_refused.then(|| {
        "the sandbox lets a command change the workspace, /tmp and caches alone; have the user name \
         other folders with `--add-dir`"
            .to_owned()
    })
}

/// What a command is told that wanted to go out and may not.
fn unreached(run: &Run) -> Option<String> {
    const WORDS: [&str; 7] = [
        "could not resolve",
        "name resolution",
        "name or service not known",
        "enotfound",
        "eai_again",
        "network is unreachable",
        "no such host",
    ];
    let has_failed = !matches!(run.state(), State::Ended(End::Exited(0)));
    let is_alone = run.is_alone && has_failed;
    let stderr = if is_alone { run.kept(|_, stderr| stderr.kept()) } else { return None };
    let stderr = stderr.to_ascii_lowercase();
    WORDS.iter().any(|words| stderr.contains(words)).then(|| {
        "commands have no network but 127.0.0.1 of their session; with network=\"true\" one reaches \
         public hosts, by a proxy for HTTP and HTTPS"
            .to_owned()
    })
}

fn reached(run: &Run) -> Option<String> {
    let (told, reached) = match by_signal(run.state()) {
        Some(kept) => ("a process of it reached", kept.reached(&run.limits)),
        None => {
            let stderr = run.kept(|_, stderr| stderr.kept());
            let kept = by_words(run.state(), &stderr)?;
            ("standard error reads as if a process of it had reached", kept.reached(&run.limits))
        }
    };
    Some(format!("{told} {reached}; {}", reached.advice()))
}

fn by_signal(state: State) -> Option<Kept> {
    let signal = match state {
        State::Ended(End::Signaled(signal)) => signal,
        State::Ended(End::Exited(code)) => code - 128,
        State::Running | State::Ended(End::TimedOut(_) | End::Stopped | End::Limited(_)) => 0,
    };
    match signal {
        SIGXCPU => Some(Kept::Cpu),
        SIGXFSZ => Some(Kept::FileSize),
        _ => None,
    }
}

/// Nothing of a command that worked, whatever it wrote.
fn by_words(state: State, stderr: &str) -> Option<Kept> {
    if let State::Ended(End::Exited(0) | End::Limited(_)) = state {
        return None;
    }
    let stderr = stderr.to_ascii_lowercase();
    WORDS.iter().find(|(words, _)| stderr.contains(words)).map(|&(_, kept)| kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(end: End, stderr: &str, expected: Option<Kept>) {
        let state = State::Ended(end);
        assert_eq!(by_signal(state).or_else(|| by_words(state, stderr)), expected);
    }

    #[test]
    fn a_limit_of_one_process_is_told_by_its_signal_or_by_its_words() {
        check(End::Signaled(SIGXFSZ), "", Some(Kept::FileSize));
        check(End::Exited(128 + SIGXCPU), "", Some(Kept::Cpu));
        check(End::Exited(1), "OSError: [Errno 27] File too large: 'x'", Some(Kept::FileSize));
        check(
            End::Exited(1),
            "Error: EMFILE: too many open files, open 'x'",
            Some(Kept::OpenFiles),
        );
        check(End::Exited(1), "no such file", None);
    }

    #[test]
    fn nothing_is_said_of_a_command_that_worked() {
        check(End::Exited(0), "warning: too many open files", None);
    }
}
