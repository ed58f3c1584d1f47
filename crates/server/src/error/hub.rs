//! What the sessions say no to, as rows of the contract.

use std::borrow::Cow;

use tagline_session::{ForkError, HubError, WorkshopError};
use tagline_store::StoreError;

use super::Code;

/// Its row; the word is the hub's own.
pub(super) fn row_of(error: &HubError) -> Code {
    let (status, hint) = advice(error);
    Code { status, code: Cow::Owned(error.code().to_owned()), hint }
}

/// Status, and what to do.
fn advice(error: &HubError) -> (u16, &'static str) {
    match error {
        HubError::Store(error) => store(error),
        HubError::Workshop(_) => (503, "see `tagline doctor`"),
        HubError::Running { .. } => (409, "wait for its end or stop it"),
        HubError::NothingToGoOn { .. } => (409, "send a message instead"),
        HubError::NoCall { .. } => (404, "look at the session's events"),
        HubError::Fork(ForkError::Store(error)) => store(error),
        HubError::Fork(ForkError::NoTurn { .. }) => {
            (404, "take the turn from a `run.started` event")
        }
        HubError::NoMessage { .. } => (404, "list what waits with `/api/sessions/{id}/queue`"),
        HubError::KeyReused { .. } => (409, "use a new key for a new request"),
        HubError::QueueFull { .. } => (429, "wait, or take some of them back"),
        HubError::NoApproval { .. } => (404, "take the hash from an `approval.asked` event"),
        HubError::NoBudget { .. } => (409, "look at the session's events"),
        HubError::AlreadyAnswered { .. } => (409, "nothing; the first answer counts"),
        HubError::ApprovalExpired { .. } => (409, "send a message to go on"),
        HubError::ScopeNotOffered { .. } => (400, "use one of the scopes that were offered"),
        HubError::BadEdit { .. } => (400, "change it another way, or refuse the call"),
        HubError::NoGrant { .. } => (404, "list them with `/api/grants`"),
        HubError::TooManyWatchers { .. } => (429, "close one of them first"),
        HubError::ShuttingDown => (503, "try again once the server is back"),
        HubError::Unsaved(_) => (507, "make room on the disk"),
    }
}

const fn store(error: &StoreError) -> (u16, &'static str) {
    match error {
        StoreError::NoSession(_) => (404, "list the sessions with `/api/sessions`"),
        StoreError::Ambiguous { .. } => (409, "write more of the id"),
        StoreError::Exists(_) => (409, "use another id"),
        StoreError::Busy { .. } => (409, "wait for it or stop it"),
        StoreError::KeyReused { .. } => (409, "use a new key for a new request"),
        StoreError::OtherProfile { .. } => (403, "ask the server of that profile"),
        StoreError::LeaseLost { .. } => (409, "ask the server that has the session now"),
        StoreError::Full { .. } | StoreError::ReadOnly { .. } => (507, "make room on the disk"),
        StoreError::BadTime { .. }
        | StoreError::Gap { .. }
        | StoreError::NotClaimed { .. }
        | StoreError::BadUrl
        | StoreError::Unreachable { .. }
        | StoreError::Corrupt { .. }
        | StoreError::Foreign { .. }
        | StoreError::TooNew { .. }
        | StoreError::OldSqlite { .. }
        | StoreError::Database { .. }
        | StoreError::Damaged { .. }
        | StoreError::Closed { .. } => (503, "see `tagline doctor`"),
    }
}

/// One for each word that a client can meet.
pub(super) fn samples() -> Vec<HubError> {
    let mut all = of_store();
    all.extend(of_sessions());
    all
}

fn of_store() -> Vec<HubError> {
    let s = || "7f3c".to_owned();
    vec![
        HubError::Store(StoreError::NoSession(s())),
        HubError::Store(StoreError::Ambiguous {
            prefix: "7".into(),
            candidates: "7f3c, 7a01".into(),
        }),
        HubError::Store(StoreError::Exists(s())),
        HubError::Store(StoreError::Busy { session: s(), holder: "process 4711".into() }),
        HubError::Store(StoreError::LeaseLost { session: s() }),
        HubError::Store(StoreError::OtherProfile {
            session: s(),
            expected: "default".into(),
            found: "work".into(),
        }),
        HubError::Store(StoreError::Full { path: "journal.db".into() }),
        HubError::Store(StoreError::Closed { path: "journal.db".into() }),
    ]
}

fn of_sessions() -> Vec<HubError> {
    let s = || "7f3c".to_owned();
    vec![
        HubError::Workshop(WorkshopError {
            code: "no_model".to_owned(),
            message: "no model was found; set a key or start a local server".to_owned(),
        }),
        HubError::Running { session: s(), run: "t2".into() },
        HubError::NothingToGoOn { session: s() },
        HubError::NoCall { session: s(), call: "t1.1".into() },
        HubError::Fork(ForkError::NoTurn {
            session: s(),
            turn: "t9".into(),
            known: "`t1` to `t3`".into(),
        }),
        HubError::NoMessage { session: s(), message: "m3".into() },
        HubError::KeyReused { session: s(), key: "k".into() },
        HubError::QueueFull { session: s(), limit: 100 },
        HubError::NoApproval { session: s(), hash: "9c1e".into() },
        HubError::NoBudget { session: s() },
        HubError::BadEdit {
            session: s(),
            call: "t1.1".into(),
            why: "`execute_command`: missing field `command`".into(),
        },
        HubError::NoGrant {
            session: s(),
            scope: "command ls".into(),
            known: "`command cargo test`".into(),
        },
        HubError::AlreadyAnswered { session: s(), call: "t1.1".into() },
        HubError::ApprovalExpired {
            session: s(),
            call: "t1.1".into(),
            reason: "the turn was stopped".into(),
        },
        HubError::ScopeNotOffered {
            session: s(),
            scope: "everything".into(),
            offered: "this call".into(),
        },
        HubError::TooManyWatchers { session: s(), limit: 32 },
        HubError::ShuttingDown,
    ]
}
