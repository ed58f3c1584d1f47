//! Asking a person.

use futures_util::future::BoxFuture;
use serde_json::Value;
use tagline_policy::Scope;
use tagline_protocol::{CallId, ShownFact};

use crate::Edit;

/// What a person is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The call.
    pub call: CallId,
    /// Its tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Value,
    /// Over everything that would run; the answer repeats it.
    pub hash: String,
    /// Why it asks, in a sentence.
    pub why: String,
    /// What would run, with nothing hidden; see [`shown`](crate::shown).
    pub shown: String,
    /// What else the answer is bound to, with nothing hidden.
    pub facts: Vec<ShownFact>,
    /// What a yes may cover beside this call, narrowest first.
    pub scopes: Vec<Scope>,
}

/// What the person says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// This call may run, once.
    Once,
    /// This call may run, and all of this scope for the rest of the session. Must be one of
    /// [`Question::scopes`].
    Always(Scope),
    /// It must not run as it stands. Changed so it is judged anew, as a call of its own: where that
    /// asks, the person is asked about what would run now. A change that only leaves parts out
    /// needs no second yes.
    Edit(Edit),
    /// It must not run.
    No {
        /// For the model: why, or what to do instead.
        words: Option<String>,
    },
    /// Nobody is there to say anything, so it must not run.
    Absent,
}

/// A person's answer, bound to one call by its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// [`Question::hash`], as the person saw it.
    pub hash: String,
    /// What the person says.
    pub choice: Choice,
}

/// Asks a person. The app implements it: terminal, page or client.
///
/// Only asked where [`Situation::is_attended`](tagline_policy::Situation::is_attended) is set.
/// Several questions may wait at once. Dropping the future takes the question back.
pub trait Approver: Send + Sync {
    /// Waits for the answer.
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Approval>;
}
