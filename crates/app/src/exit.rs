//! How the program ends: the one list of exit codes.

use std::process::{ExitCode, Termination};

/// The exit codes. Never 0 when the task was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// The task is completed.
    Done = 0,
    /// The task failed, or something unexpected happened.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// Configuration or a credential is missing or wrong.
    Setup = 3,
    /// The provider or the network cannot be reached.
    Unreachable = 4,
    /// A needed tool was refused by a rule or by the user.
    Refused = 5,
    /// A limit was reached: passes, calls, time, tokens, money.
    Limit = 6,
    /// No valid call or answer came, or none of the form that was asked for.
    Protocol = 7,
    /// A check found problems.
    Problems = 8,
    /// A human is needed, and none is attached.
    NeedsHuman = 9,
    /// Ctrl-C.
    Interrupted = 130,
    /// The reader of our output went away.
    ReaderGone = 141,
    /// SIGTERM.
    Terminated = 143,
}

impl Exit {
    /// The number.
    pub(crate) const fn code(self) -> u8 {
        self as u8
    }

    /// The stable word that goes with it in `--json`.
    pub(crate) const fn status(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Usage => "usage",
            Self::Setup => "setup",
            Self::Unreachable => "unreachable",
            Self::Refused => "refused",
            Self::Limit => "limit",
            Self::Protocol => "protocol",
            Self::Problems => "problems",
            Self::NeedsHuman => "needs_human",
            Self::Interrupted => "interrupted",
            Self::ReaderGone => "reader_gone",
            Self::Terminated => "terminated",
        }
    }
}

impl Termination for Exit {
    fn report(self) -> ExitCode {
        ExitCode::from(self.code())
    }
}
