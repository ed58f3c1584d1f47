//! What a session's journal says about its turns and its questions.
//!
//! A fold over the session's frames. What a killed process left open is seen here, and how
//! it is closed.

use std::collections::BTreeMap;

use serde_json::json;
use tagline_protocol::{CallId, Effect, Event, Frame, Mode, Outcome, ToolFailure};

use tagline_store::{Journal, StoreError};

use super::budget::Budget;
use crate::queue::Queue;

/// A session's past, as far as going on needs it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    pub(crate) queue: Queue,
    pub(crate) budget: Budget,
    /// What the user set last, if anything.
    pub(crate) mode: Option<Mode>,
    /// Grants that the user took back, in order.
    pub(crate) revoked: Vec<String>,
    n_runs: usize,
    open: Option<OpenTurn>,
    approvals: BTreeMap<String, (CallId, Standing)>,
    /// The last turn ended without an answer.
    is_unfinished: bool,
    /// It was cut off by the end of its process.
    is_interrupted: bool,
}

/// A past that is read from a journal, bit by bit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) past: Past,
    /// Everything up to here was read.
    pub(crate) after: u64,
}

impl Reading {
    /// Reads what has come.
    pub(crate) async fn read_on<J: Journal>(
        &mut self,
        journal: &J,
        session: &str,
    ) -> Result<(), StoreError> {
        loop {
            let page = journal.read(session, self.after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            self.after = last.seq;
            page.iter().for_each(|frame| self.past.apply(frame));
        }
    }
}

/// Frames read in one go.
const PAGE: usize = 1_000;

/// A turn whose end is not in the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OpenTurn {
    pub(crate) run: String,
    pub(crate) pass: Option<u32>,
    /// Calls that are valid and have not ended.
    calls: BTreeMap<CallId, CallState>,
}

/// How far a call came that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CallState {
    /// It was not begun.
    Ready { tool: String, is_asked: bool },
    /// It was begun.
    Running { tool: String, effect: Effect },
}

/// Where a question stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Open,
    Answered {
        is_allowed: bool,
    },
    /// Nobody answered, and nobody can any more.
    Expired(String),
}

/// The word of `run.failed` for a turn that was cut off.
const INTERRUPTED: &str = "interrupted";
/// Who `approval.answered` names where nobody answered before the process ended.
const RESTART: &str = "restart";
const EXPIRED: &str =
    "the process ended before anybody answered, so the call was not run; let the model call again";
const TURN_OVER: &str = "the turn ended before anybody answered, so the call was not run";

impl Past {
    /// Takes the next frame of the session.
    pub(crate) fn apply(&mut self, frame: &Frame) {
        self.queue.apply(frame);
        self.budget.apply(&frame.event);
        if let Event::SessionMode { mode } = &frame.event {
            self.mode = Some(*mode);
        }
        if let Event::GrantRevoked { scope } = &frame.event {
            self.revoked.push(scope.clone());
        }
        if let Event::RunStarted { .. } = &frame.event {
            self.n_runs += 1;
            let run = frame.run.clone().unwrap_or_default();
            self.open = Some(OpenTurn { run, ..OpenTurn::default() });
            self.is_interrupted = false;
        }
        if let Event::RunFinished { outcome, .. } = &frame.event {
            self.end(*outcome != Outcome::Done);
        }
        if let Event::RunFailed { reason, .. } = &frame.event {
            self.end(true);
            self.is_interrupted = reason == INTERRUPTED;
        }
        self.follow(frame, &frame.event);
    }

    fn end(&mut self, is_unfinished: bool) {
        self.open = None;
        self.is_unfinished = is_unfinished;
        self.expire(TURN_OVER);
    }

    /// Nobody waits for an answer any more.
    pub(crate) fn expire(&mut self, why: &str) {
        for (_, standing) in self.approvals.values_mut() {
            if *standing == Standing::Open {
                *standing = Standing::Expired(why.to_owned());
            }
        }
    }

    fn follow(&mut self, frame: &Frame, event: &Event) {
        let Some(call) = &frame.call else { return };
        if let Event::ApprovalAsked { hash, .. } = event {
            self.approvals.insert(hash.clone(), (call.clone(), Standing::Open));
        }
        if let Event::ApprovalAnswered { is_allowed, by, words } = event {
            let is_open = |(asked, standing): &&mut (CallId, Standing)| {
                asked == call && *standing == Standing::Open
            };
            if let Some((_, standing)) = self.approvals.values_mut().find(is_open) {
                *standing = match by == RESTART {
                    true => Standing::Expired(words.clone().unwrap_or_default()),
                    false => Standing::Answered { is_allowed: *is_allowed },
                };
            }
        }
        if let Some(open) = &mut self.open {
            open.follow(call, frame.turn, event);
        }
    }

    /// The turn whose end is missing.
    pub(crate) const fn open(&self) -> Option<&OpenTurn> {
        self.open.as_ref()
    }

    /// What the next turn is called.
    pub(crate) fn next_run(&self) -> String {
        format!("t{}", self.n_runs + 1)
    }

    /// Whether there is something to go on with.
    pub(crate) const fn is_unfinished(&self) -> bool {
        self.is_unfinished || self.open.is_some()
    }

    /// Whether the last turn was cut off by the end of its process: what waits behind it waits for
    /// the user.
    pub(crate) const fn is_interrupted(&self) -> bool {
        self.is_interrupted || self.open.is_some()
    }

    pub(crate) fn approval(&self, hash: &str) -> Option<&(CallId, Standing)> {
        self.approvals.get(hash)
    }
}

impl OpenTurn {
    fn follow(&mut self, call: &CallId, pass: Option<u32>, event: &Event) {
        self.pass = pass.or(self.pass);
        if let Event::ToolReady { tool, .. } = event {
            let state = CallState::Ready { tool: tool.clone(), is_asked: false };
            self.calls.insert(call.clone(), state);
        }
        if let Event::ApprovalAsked { .. } | Event::ApprovalAnswered { .. } = event
            && let Some(CallState::Ready { is_asked, .. }) = self.calls.get_mut(call)
        {
            *is_asked = matches!(event, Event::ApprovalAsked { .. });
        }
        if let Event::ToolRunning { effect, .. } = event
            && let Some(state) = self.calls.get_mut(call)
        {
            let (CallState::Ready { tool, .. } | CallState::Running { tool, .. }) = &*state;
            *state = CallState::Running { tool: tool.clone(), effect: *effect };
        }
        if let Event::ToolDone { .. } | Event::ToolFailed { .. } | Event::ToolCancelled { .. } =
            event
        {
            self.calls.remove(call);
        }
    }

    /// The events that close it, all or none: each call that was open gets its end, then the turn.
    /// No call is begun by this.
    pub(crate) fn closing(&self) -> Vec<(Option<CallId>, Event)> {
        let mut events: Vec<_> = self
            .calls
            .iter()
            .flat_map(|(call, state)| state.closing().map(|event| (Some(call.clone()), event)))
            .collect();
        let n_unknown = self.calls.values().filter(|state| state.is_unknown()).count();
        let message = match n_unknown {
            0 => "the process ended while the turn ran; nothing was lost, go on with it".to_owned(),
            1 => "the process ended while the turn ran; the outcome of 1 call is unknown, check it before you go on".to_owned(),
            n => format!("the process ended while the turn ran; the outcomes of {n} calls are unknown, check them before you go on"),
        };
        events.push((None, Event::RunFailed { reason: INTERRUPTED.to_owned(), message }));
        events
    }
}

impl CallState {
    const fn is_unknown(&self) -> bool {
        match self {
            Self::Running { effect, .. } => !is_harmless(*effect),
            Self::Ready { .. } => false,
        }
    }

    fn closing(&self) -> impl Iterator<Item = Event> {
        let (first, last) = match self {
            Self::Ready { is_asked, .. } => {
                let expired = Event::ApprovalAnswered {
                    is_allowed: false,
                    by: RESTART.to_owned(),
                    words: Some(EXPIRED.to_owned()),
                };
                let reason = "the process ended before the call began".to_owned();
                (is_asked.then_some(expired), Event::ToolCancelled { reason })
            }
            Self::Running { tool, effect } => (None, unknown(tool, *effect)),
        };
        first.into_iter().chain([last])
    }
}

/// The end of a call that was begun and whose end nobody saw.
fn unknown(tool: &str, effect: Effect) -> Event {
    let failure = match is_harmless(effect) {
        true => ToolFailure::Failed(
            "it was interrupted while it ran; call it again if its result is still needed"
                .to_owned(),
        ),
        false => ToolFailure::Unknown(
            "outcome unknown, because it was interrupted while it ran and may have taken effect; \
             check that before you call it again"
                .to_owned(),
        ),
    };
    Event::ToolFailed {
        event: "tool_error".to_owned(),
        payload: json!({
            "tag": tool,
            "reason": failure.reason(),
            "kind": failure.kind(),
            "retryable": failure.is_retryable(),
        }),
        echo: failure.reason(),
        ms: 0,
    }
}

const fn is_harmless(effect: Effect) -> bool {
    match effect {
        Effect::Pure | Effect::Read => true,
        Effect::Fetch | Effect::Write | Effect::Exec | Effect::Control | Effect::Desktop => false,
    }
}
