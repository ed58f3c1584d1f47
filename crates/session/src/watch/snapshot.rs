//! What is needed to draw a session without reading all of it.

use std::collections::VecDeque;

use serde_json::{Value, json};
use tagline_protocol::{CallId, Event, Frame, SCHEMA_VERSION};
use tagline_store::SessionInfo;

use super::{
    spans::{self, Span},
    wire::WireFrame,
};
use crate::queue::Queue;

/// Most frames that a snapshot carries, unless the last turn alone has more.
const MOST_FRAMES: usize = 1_000;
/// Most frames of the last turn.
const MOST_OF_ONE: usize = 4_000;

/// The type of the event, as the wire names it.
pub const SNAPSHOT: &str = "state.snapshot";

/// The state of a session, as a fold over its frames.
///
/// It holds the last turns as frames, with the pieces of each text joined, so that a reader draws
/// them with what it draws live frames with. Earlier turns are left out; their number says where
/// they end.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    turns: VecDeque<Vec<Span>>,
    n_frames: usize,
    is_cut: bool,
    seq: u64,
    ts: String,
    run: Option<Value>,
    approvals: Vec<(CallId, Value)>,
    budget: Option<Value>,
    queue: Queue,
}

impl Snapshot {
    /// Takes the next frame of the session.
    pub fn apply(&mut self, frame: &Frame) {
        self.seq = frame.seq;
        self.ts.clone_from(&frame.ts);
        self.queue.apply(frame);
        self.follow(frame);
        let begins = matches!(frame.event, Event::RunStarted { .. });
        if begins || self.turns.is_empty() {
            self.turns.push_back(Vec::new());
        }
        if let Some(turn) = self.turns.back_mut() {
            let before = turn.len();
            spans::push(turn, frame);
            self.n_frames += turn.len() - before;
        }
        self.bound();
    }

    /// Everything up to here is part of it.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    fn bound(&mut self) {
        while self.n_frames > MOST_FRAMES && self.turns.len() > 1 {
            self.n_frames -= self.turns.pop_front().map_or(0, |turn| turn.len());
            self.is_cut = true;
        }
        if let Some(turn) = self.turns.back_mut().filter(|turn| turn.len() > MOST_OF_ONE) {
            let n_extra = turn.len() - MOST_OF_ONE / 2;
            turn.drain(..n_extra);
            self.n_frames -= n_extra;
            self.is_cut = true;
        }
    }

    /// Which turn runs, and who is asked what.
    fn follow(&mut self, frame: &Frame) {
        if let Event::RunStarted { model, mode, policy } = &frame.event {
            let run = json!({"id": frame.run, "model": model, "mode": mode, "policy": policy});
            self.run = Some(run);
        }
        if matches!(frame.event, Event::RunFinished { .. } | Event::RunFailed { .. }) {
            self.run = None;
            self.approvals.clear();
        }
        if let Event::BudgetAsked { reason, message, adds } = &frame.event {
            self.budget = Some(json!({"reason": reason, "message": message, "adds": adds}));
        } else if self.run.is_none() || matches!(frame.event, Event::BudgetAnswered { .. }) {
            self.budget = None;
        }
        let Some(call) = &frame.call else { return };
        if let Event::ApprovalAsked { hash, why, shown, facts, scopes } = &frame.event {
            let asked = json!({
                "call": call, "hash": hash, "why": why, "shown": shown, "facts": facts,
                "scopes": scopes,
            });
            self.approvals.push((call.clone(), asked));
        }
        if is_settled(&frame.event) {
            self.approvals.retain(|(asked, _)| asked != call);
        }
    }

    /// As it is sent, with the word for why.
    #[must_use]
    pub fn wire(&self, info: &SessionInfo, why: &str) -> WireFrame {
        let frames = self.turns.iter().flatten().map(|span| {
            let mut frame = serde_json::to_value(&span.frame).unwrap_or_default();
            if let Some(frame) = frame.as_object_mut().filter(|_| span.from < span.frame.seq) {
                frame.insert("from".to_owned(), json!(span.from));
            }
            frame
        });
        let queue = self.queue.visible().into_iter().map(|queued| {
            json!({
                "message": queued.message,
                "delivery": queued.delivery,
                "text": queued.input.text,
                "since": queued.since,
            })
        });
        let first = self.turns.front().and_then(|turn| turn.first()).map(|span| span.from);
        let state = json!({
            "title": info.title,
            "workspace": info.workspace,
            "profile": info.profile,
            "created": info.created,
            "run": self.run,
            "approvals": self.approvals.iter().map(|(_, asked)| asked).collect::<Vec<_>>(),
            "budget": self.budget,
            "queue": queue.collect::<Vec<_>>(),
            "earlier": first.filter(|_| self.is_cut).map(|first| first.saturating_sub(1)),
            "frames": frames.collect::<Vec<_>>(),
        });
        let ts = if self.ts.is_empty() { &info.created } else { &self.ts };
        let json = json!({
            "v": SCHEMA_VERSION,
            "seq": self.seq,
            "ts": ts,
            "session": info.id,
            "type": SNAPSHOT,
            "why": why,
            "state": state,
        });
        WireFrame { from: 1, seq: self.seq, kind: SNAPSHOT, json: json.to_string().into() }
    }
}

/// Whether a question about the call is no longer open.
const fn is_settled(event: &Event) -> bool {
    matches!(
        event,
        Event::ApprovalAnswered { .. }
            | Event::ToolRunning { .. }
            | Event::ToolDone { .. }
            | Event::ToolFailed { .. }
            | Event::ToolCancelled { .. }
            | Event::ToolRejected { .. }
    )
}
