//! What goes into the hub and comes out of it.

use std::{path::PathBuf, time::Duration};

use tagline_executor::Edit;
use tagline_protocol::{CallId, Delivery, ShownFact, UserInput};

/// A session to begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewSession {
    /// The folder it works in; absolute.
    pub workspace: PathBuf,
    /// Its profile; `default` if none was named.
    pub profile: Option<String>,
    /// Its title; without one it is the first line of the first message.
    pub title: Option<String>,
}

/// What the sender calls a message, so that sending it again changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(pub String);

/// A message to a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// What it says.
    pub input: UserInput,
    /// When it is to be delivered, if a turn runs.
    pub delivery: Delivery,
    /// Its sender's name for it.
    pub key: Option<IdempotencyKey>,
}

impl<T: Into<UserInput>> From<T> for Message {
    fn from(input: T) -> Self {
        Self { input: input.into(), ..Self::default() }
    }
}

/// A message that was taken in: it is in the journal, durably.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Identifies it within the session.
    pub message: String,
    /// Where it went.
    pub place: Place,
}

/// Where a message went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// It begins this turn, or entered it.
    Run(String),
    /// It waits; its place, from 1.
    Queue(usize),
    /// It waited, and was taken back or stopped.
    Gone,
}

/// How much is stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One call; the turn goes on.
    Call(CallId),
    /// The turn; what waits begins the next one.
    Turn,
    /// The turn, and everything that waits.
    All,
}

/// What a stop found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopping {
    /// Something ran and is ending; its end is an event.
    Under,
    /// Nothing ran.
    Idle,
}

/// A question that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The call.
    pub call: CallId,
    /// Its tool.
    pub tool: String,
    /// Over everything that would run; the answer repeats it.
    pub hash: String,
    /// Why it asks, in a sentence.
    pub why: String,
    /// What would run, with nothing hidden.
    pub shown: String,
    /// What else the answer is bound to, with nothing hidden.
    pub facts: Vec<ShownFact>,
    /// What a yes may cover beside this call, narrowest first.
    pub scopes: Vec<String>,
}

/// What an answer lets run for the rest of its session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Granted {
    /// The session.
    pub session: String,
    /// What runs without a question.
    pub scope: String,
    /// The call that asked.
    pub call: CallId,
    /// How long ago it was given.
    pub age: Duration,
}

/// A person's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Whether the call may run.
    pub allow: bool,
    /// For the model: why not, or what to do instead.
    pub words: Option<String>,
    /// One of [`Asked::scopes`]: a yes for all of it, for the rest of the session.
    pub scope: Option<String>,
    /// Nobody is there to be asked: a no that is nobody's.
    pub absent: bool,
    /// A yes to the call with this change, which is judged anew.
    pub edit: Option<Edit>,
}

/// How the hub is, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Sessions that were used since the start.
    pub sessions: usize,
    /// Turns that run.
    pub turns: usize,
    /// Messages that wait in sessions that were used since the start.
    pub queued: usize,
    /// Sessions in which so many messages wait that no more are taken in.
    pub full_queues: usize,
    /// Questions that wait for a person.
    pub approvals: usize,
    /// Readers.
    pub watchers: usize,
    /// Tasks that were spawned and have not ended.
    pub tasks: usize,
    /// Nothing new is taken in.
    pub is_shutting_down: bool,
    /// Too many starts in a short time: nothing begins by itself.
    pub is_safe_mode: bool,
}

/// What of a hub can be told without looking at any session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vitals {
    /// Sessions in which so many messages wait that no more are taken in.
    pub full_queues: usize,
    /// Nothing new is taken in.
    pub is_shutting_down: bool,
    /// Too many starts in a short time: nothing begins by itself.
    pub is_safe_mode: bool,
}
