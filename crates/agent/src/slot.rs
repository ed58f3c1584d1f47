//! The calls of a reply, in the order in which they were written.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};

use tagline_protocol::{Call, CallId, Effect, ToolOutcome};

use crate::{entry::Entry, words};

/// One entry of the results: a call, or what should have been one.
#[derive(Debug)]
pub(crate) struct Slot {
    /// The registered name, or the name as written; `None` where there is none to tell.
    pub(crate) tool: Option<String>,
    /// Whether its success causes another pass.
    pub(crate) feeds_back: bool,
    /// Lines for the model, behind the result.
    pub(crate) notes: Vec<String>,
    pub(crate) state: State,
}

#[derive(Debug)]
pub(crate) enum State {
    /// Its turn has not come.
    Waiting(Call),
    /// The caller runs it.
    Running(Call),
    /// It ran.
    Ended {
        call: Call,
        outcome: ToolOutcome,
        /// It only looked for news.
        is_poll: bool,
    },
    /// It is no valid call; why, as the model reads it.
    Refused(String),
    /// It was not run; why.
    NotRun(String),
}

impl Slot {
    pub(crate) const fn new(tool: Option<String>, feeds_back: bool, state: State) -> Self {
        Self { tool, feeds_back, notes: Vec::new(), state }
    }

    const fn call(&self) -> Option<&Call> {
        match &self.state {
            State::Waiting(call) | State::Running(call) | State::Ended { call, .. } => Some(call),
            State::Refused(_) | State::NotRun(_) => None,
        }
    }

    pub(crate) const fn is_settled(&self) -> bool {
        !matches!(self.state, State::Waiting(_) | State::Running(_))
    }

    pub(crate) const fn has_worked(&self) -> bool {
        matches!(self.state, State::Ended { outcome: Ok(_), .. })
    }

    /// Whether the model has to read of it before the turn can end.
    pub(crate) const fn is_news(&self) -> bool {
        self.feeds_back || !self.has_worked()
    }

    fn entry(&self) -> Entry {
        let tool = self.tool.clone();
        let entry = match &self.state {
            State::Ended { outcome, .. } => Entry::of(tool, outcome),
            State::Refused(why) => Entry::error(tool, why.clone()),
            State::NotRun(why) => Entry::not_run(tool, why),
            State::Waiting(_) => Entry::not_run(tool, words::NEVER_BEGUN),
            State::Running(call) => Entry::error(tool, words::unknown_outcome(call.effect)),
        };
        entry.of_call(self.call().map(|call| call.id.clone())).with_notes(&self.notes)
    }
}

/// Whether calls of this effect may run beside each other. Not *pure* ones: among them is waiting,
/// and what is written behind a wait means to come after it.
const fn is_parallel(effect: Effect) -> bool {
    match effect {
        Effect::Read => true,
        Effect::Pure
        | Effect::Fetch
        | Effect::Write
        | Effect::Exec
        | Effect::Control
        | Effect::Desktop => false,
    }
}

/// Whether a call may begin while these run. Not one that is word for word like one of them: what
/// that one brings decides whether the next is a circle.
fn may_run_beside(call: &Call, running: &[Call]) -> bool {
    let is_like = |other: &Call| other.tool == call.tool && other.arguments == call.arguments;
    running.is_empty() || (is_parallel(call.effect) && !running.iter().any(is_like))
}

/// The calls of a reply.
///
/// # Invariants
///
/// 1. Calls start in the order in which they were written.
/// 2. A call runs beside another only if both, and all between them, are *read*, and no two of
///    them are the same.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    all: Vec<Slot>,
}

impl Slots {
    pub(crate) fn push(&mut self, slot: Slot) {
        self.all.push(slot);
    }

    pub(crate) fn iter(&self) -> core::slice::Iter<'_, Slot> {
        self.all.iter()
    }

    pub(crate) fn get_mut(&mut self, n: usize) -> Option<&mut Slot> {
        self.all.get_mut(n)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn is_settled(&self) -> bool {
        self.all.iter().all(Slot::is_settled)
    }

    /// The calls whose turn it is; they count as running from now on.
    pub(crate) fn start(&mut self) -> Vec<Call> {
        let mut started = Vec::new();
        let mut beside: Vec<Call> = Vec::new();
        for slot in &mut self.all {
            match &slot.state {
                State::Running(call) if is_parallel(call.effect) => beside.push(call.clone()),
                State::Running(_) => break,
                State::Waiting(call) if may_run_beside(call, &beside) => {
                    let call = call.clone();
                    slot.state = State::Running(call.clone());
                    started.push(call.clone());
                    if !is_parallel(call.effect) {
                        break;
                    }
                    beside.push(call);
                }
                State::Waiting(_) => break,
                State::Ended { .. } | State::Refused(_) | State::NotRun(_) => {}
            }
        }
        started
    }

    /// Takes the result of a call that runs; others are ignored. Whether it was one.
    pub(crate) fn settle(&mut self, id: &CallId, outcome: ToolOutcome, is_poll: IsPoll) -> bool {
        for slot in &mut self.all {
            if let State::Running(call) = &slot.state
                && call.id == *id
            {
                let call = call.clone();
                slot.state = State::Ended { call, outcome, is_poll: is_poll == IsPoll::Yes };
                return true;
            }
        }
        false
    }

    /// Takes back the calls that have not begun, and names them.
    pub(crate) fn withdraw(&mut self, why: &str) -> Vec<CallId> {
        let mut withdrawn = Vec::new();
        for slot in &mut self.all {
            if let State::Waiting(call) = &slot.state {
                withdrawn.push(call.id.clone());
                slot.state = State::NotRun(why.to_string());
            }
        }
        withdrawn
    }

    /// Gives up on the calls that run, and names them.
    pub(crate) fn abandon(&mut self) -> Vec<CallId> {
        let mut abandoned = Vec::new();
        for slot in &mut self.all {
            if let State::Running(call) = &slot.state {
                abandoned.push(call.id.clone());
                slot.state = State::Refused(words::stopped_while_running(call.effect));
            }
        }
        abandoned
    }

    /// The number, from 1, of the first call that did not work.
    pub(crate) fn first_failure(&self) -> Option<usize> {
        self.all.iter().position(|slot| !slot.has_worked()).map(|n| n + 1)
    }

    /// Empties itself into the entries of a results message.
    pub(crate) fn take_entries(&mut self) -> Vec<Entry> {
        core::mem::take(&mut self.all).iter().map(Slot::entry).collect()
    }

    /// Whether any call was valid.
    pub(crate) fn has_call(&self) -> bool {
        self.all.iter().any(|slot| slot.call().is_some())
    }
}

/// Whether a call only looked for news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IsPoll {
    Yes,
    No,
}
