//! What the answers of a session let run: narrow, listed, and taken back at any time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tagline_policy::{Rule, Scope};
use tagline_protocol::CallId;
use tokio::time::{Duration, Instant};

/// A rule that came with an answer. It ends with the session, at the latest; no other session, and
/// nothing that works by itself, inherits it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// What it lets run.
    pub rule: Rule,
    /// The call that asked.
    pub call: CallId,
    /// How long ago it was given.
    pub age: Duration,
}

/// The grants of a session.
#[derive(Debug, Default)]
pub(crate) struct Grants {
    given: Mutex<Vec<Given>>,
}

#[derive(Debug)]
struct Given {
    rule: Rule,
    call: CallId,
    at: Instant,
}

impl Grants {
    fn lock(&self) -> MutexGuard<'_, Vec<Given>> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, rule: Rule, call: &CallId) {
        let mut given = self.lock();
        if !given.iter().any(|it| it.rule == rule) {
            given.push(Given { rule, call: call.clone(), at: Instant::now() });
        }
    }

    pub(crate) fn all(&self) -> Vec<Grant> {
        let view = |it: &Given| Grant {
            rule: it.rule.clone(),
            call: it.call.clone(),
            age: it.at.elapsed(),
        };
        self.lock().iter().map(view).collect()
    }

    pub(crate) fn rules(&self) -> Vec<Rule> {
        self.lock().iter().map(|it| it.rule.clone()).collect()
    }

    pub(crate) fn take_back(&self, scope: &Scope) -> bool {
        let mut given = self.lock();
        let n = given.len();
        given.retain(|it| it.rule.scope() != scope);
        given.len() < n
    }
}
