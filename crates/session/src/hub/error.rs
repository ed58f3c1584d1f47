//! What the hub says no to, in words.

use tagline_store::StoreError;

use crate::{ForkError, SessionError, WorkshopError};

/// Why the hub did not do what it was asked for. Nothing was changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HubError {
    /// The journal says no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The parts of the session cannot be put together.
    #[error(transparent)]
    Workshop(#[from] WorkshopError),
    /// A turn runs.
    #[error("session `{session}`: turn `{run}` is running; wait for its end or stop it")]
    Running {
        /// The session.
        session: String,
        /// The turn.
        run: String,
    },
    /// There is no turn to go on with.
    #[error(
        "session `{session}`: expected a turn that was interrupted or stopped, but there is none; \
         send a message instead"
    )]
    NothingToGoOn {
        /// The session.
        session: String,
    },
    /// No such call runs.
    #[error("session `{session}`: call `{call}` is not running; it may have ended already")]
    NoCall {
        /// The session.
        session: String,
        /// The call.
        call: String,
    },
    /// There is no copy.
    #[error(transparent)]
    Fork(ForkError),
    /// No such message waits.
    #[error(
        "session `{session}`: no message `{message}` is waiting; it may have been delivered already"
    )]
    NoMessage {
        /// The session.
        session: String,
        /// The message.
        message: String,
    },
    /// The key was used for another message.
    #[error(
        "session `{session}`: key `{key}` was used for another message; use a new key for a new message"
    )]
    KeyReused {
        /// The session.
        session: String,
        /// The key.
        key: String,
    },
    /// Too many messages wait.
    #[error(
        "session `{session}`: {limit} messages are waiting already; wait, or take some of them back"
    )]
    QueueFull {
        /// The session.
        session: String,
        /// Most that may wait.
        limit: usize,
    },
    /// No such question was asked.
    #[error("session `{session}`: no question with the hash `{hash}` is open")]
    NoApproval {
        /// The session.
        session: String,
        /// The hash that the answer named.
        hash: String,
    },
    /// Nothing asks how to go on.
    #[error("session `{session}`: no bound is reached that asks how to go on")]
    NoBudget {
        /// The session.
        session: String,
    },
    /// The question was answered before.
    #[error("session `{session}`: call `{call}` was answered already; the first answer counts")]
    AlreadyAnswered {
        /// The session.
        session: String,
        /// The call.
        call: String,
    },
    /// The question is no longer open.
    #[error("session `{session}`: the question about call `{call}` is no longer open: {reason}")]
    ApprovalExpired {
        /// The session.
        session: String,
        /// The call.
        call: String,
        /// Why.
        reason: String,
    },
    /// The answer covers more than was offered.
    #[error(
        "session `{session}`: the answer covers `{scope}`, which was not offered; answer with one of: {offered}"
    )]
    ScopeNotOffered {
        /// The session.
        session: String,
        /// What the answer named.
        scope: String,
        /// What was offered.
        offered: String,
    },
    /// The call cannot be changed so.
    #[error("session `{session}`: call `{call}` cannot be changed so: {why}")]
    BadEdit {
        /// The session.
        session: String,
        /// The call.
        call: String,
        /// Why.
        why: String,
    },
    /// No answer of this session covers that.
    #[error("session `{session}`: no answer lets `{scope}` run; these are let run: {known}")]
    NoGrant {
        /// The session.
        session: String,
        /// What was to be taken back.
        scope: String,
        /// What the answers let run.
        known: String,
    },
    /// Too many watch this session.
    #[error("session `{session}`: {limit} readers are watching already; close one of them")]
    TooManyWatchers {
        /// The session.
        session: String,
        /// Most that may watch.
        limit: usize,
    },
    /// The process ends.
    #[error("the server is shutting down; send this again once it is back")]
    ShuttingDown,
    /// Nothing may go on unrecorded.
    #[error("{0}")]
    Unsaved(String),
}

impl HubError {
    /// A stable word for programs.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Store(error) => store_code(error),
            Self::Workshop(error) => &error.code,
            Self::Running { .. } => "turn_running",
            Self::NothingToGoOn { .. } => "nothing_to_go_on",
            Self::NoCall { .. } => "no_call",
            Self::Fork(ForkError::Store(error)) => store_code(error),
            Self::Fork(ForkError::NoTurn { .. }) => "no_turn",
            Self::NoMessage { .. } => "no_message",
            Self::KeyReused { .. } => "key_reused",
            Self::QueueFull { .. } => "queue_full",
            Self::NoApproval { .. } => "no_approval",
            Self::NoBudget { .. } => "no_budget",
            Self::AlreadyAnswered { .. } => "already_answered",
            Self::ApprovalExpired { .. } => "approval_expired",
            Self::ScopeNotOffered { .. } => "scope_not_offered",
            Self::BadEdit { .. } => "bad_edit",
            Self::NoGrant { .. } => "no_grant",
            Self::TooManyWatchers { .. } => "too_many_watchers",
            Self::ShuttingDown => "shutting_down",
            Self::Unsaved(_) => "cannot_save",
        }
    }
}

const fn store_code(error: &StoreError) -> &'static str {
    match error {
        StoreError::NoSession(_) => "no_session",
        StoreError::Ambiguous { .. } => "ambiguous_session",
        StoreError::Exists(_) => "session_exists",
        StoreError::Busy { .. } => "session_busy",
        StoreError::BadTime { .. } => "bad_time",
        StoreError::LeaseLost { .. } => "lease_lost",
        StoreError::OtherProfile { .. } => "other_profile",
        StoreError::KeyReused { .. } => "key_reused",
        StoreError::Full { .. } | StoreError::ReadOnly { .. } => "cannot_save",
        StoreError::Corrupt { .. }
        | StoreError::Gap { .. }
        | StoreError::NotClaimed { .. }
        | StoreError::BadUrl
        | StoreError::Unreachable { .. }
        | StoreError::Foreign { .. }
        | StoreError::TooNew { .. }
        | StoreError::OldSqlite { .. }
        | StoreError::Database { .. }
        | StoreError::Damaged { .. }
        | StoreError::Closed { .. } => "journal",
    }
}

impl From<ForkError> for HubError {
    fn from(error: ForkError) -> Self {
        match error {
            ForkError::Store(error) => Self::Store(error),
            ForkError::NoTurn { .. } => Self::Fork(error),
        }
    }
}

impl From<SessionError> for HubError {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Store(error) => Self::Store(error),
            SessionError::LogGone | SessionError::Unsaved(_) => Self::Unsaved(error.to_string()),
        }
    }
}
