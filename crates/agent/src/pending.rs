//! A call in the journal of which the model has not read yet.

use alloc::{string::String, vec::Vec};

use tagline_protocol::{CallId, Effect, Media};

use crate::{entry::Entry, words};

/// A call of which the model has not read yet.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    id: Option<CallId>,
    tool: Option<String>,
    state: State,
}

/// How far it came.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// It is valid, and was not begun.
    Ready,
    /// The user was asked whether it may run.
    Asked,
    /// It was begun, and its end is not in the log.
    Running(Effect),
    /// It worked.
    Done(String, Vec<Media>),
    /// It did not work.
    Failed(String),
    /// It was never run.
    NotRun(String),
}

impl Pending {
    pub(crate) const fn new(id: Option<CallId>, tool: Option<String>, state: State) -> Self {
        Self { id, tool, state }
    }

    pub(crate) fn is(&self, id: Option<&CallId>) -> bool {
        self.id.is_some() && self.id.as_ref() == id
    }

    /// Takes what happened next. What comes after the call's end is not believed.
    pub(crate) fn step(&mut self, next: State) {
        match self.state {
            State::Ready | State::Asked | State::Running(_) => self.state = next,
            State::Done(..) | State::Failed(_) | State::NotRun(_) => {}
        }
    }

    /// Identifies it.
    pub(crate) const fn id(&self) -> Option<&CallId> {
        self.id.as_ref()
    }

    pub(crate) fn into_entry(self) -> Entry {
        let entry = match self.state {
            State::Ready => Entry::not_run(self.tool, words::NEVER_BEGUN),
            State::Asked => Entry::not_run(self.tool, words::WAS_ASKED),
            State::Running(effect) => Entry::error(self.tool, words::unknown_outcome(effect)),
            State::Done(echo, media) => Entry::ok(self.tool, &echo, media),
            State::Failed(echo) => Entry::error(self.tool, echo),
            State::NotRun(reason) => Entry::not_run(self.tool, &reason),
        };
        entry.of_call(self.id)
    }
}
