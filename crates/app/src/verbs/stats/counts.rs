//! What sessions took, counted from their events: by day and model.

use std::collections::BTreeMap;

use serde::Serialize;
use tagline_protocol::{CallId, Event, Frame, Usage};

use crate::run::sum;

/// A day, UTC, and a model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct Key {
    /// Such as `2026-11-27`.
    pub(super) day: String,
    /// `provider/model`; empty in a sum.
    pub(super) model: String,
}

/// How often a tool was called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Calls {
    /// It worked.
    pub(super) ok: u64,
    /// It did not, or was refused.
    pub(super) failed: u64,
}

/// What was counted under a key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Counts {
    pub(super) turns: u64,
    pub(super) passes: u64,
    #[serde(flatten)]
    pub(super) usage: Usage,
    pub(super) tools: BTreeMap<String, Calls>,
}

impl Counts {
    /// Adds what another one counted.
    pub(super) fn add(&mut self, other: &Self) {
        self.turns += other.turns;
        self.passes += other.passes;
        self.usage = sum(self.usage, other.usage);
        for (tool, calls) in &other.tools {
            let entry = self.tools.entry(tool.clone()).or_default();
            entry.ok += calls.ok;
            entry.failed += calls.failed;
        }
    }

    /// All its calls.
    pub(super) fn calls(&self) -> Calls {
        self.tools.values().fold(Calls::default(), |sum, calls| Calls {
            ok: sum.ok + calls.ok,
            failed: sum.failed + calls.failed,
        })
    }
}

/// Counts the frames of sessions, one session after the other.
#[derive(Debug, Default)]
pub(super) struct Counter {
    pub(super) rows: BTreeMap<Key, Counts>,
    /// The model of the turn.
    model: String,
    /// The tool of each call that has not ended.
    open: BTreeMap<CallId, String>,
}

impl Counter {
    /// The next frames belong to another session.
    pub(super) fn begin(&mut self) {
        self.model = String::new();
        self.open.clear();
    }

    /// Takes one frame.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few of the events count")]
    pub(super) fn count(&mut self, frame: &Frame) {
        match &frame.event {
            Event::RunStarted { model, .. } => {
                self.model.clone_from(model);
                self.row(frame).turns += 1;
            }
            Event::PassStarted => self.row(frame).passes += 1,
            Event::Usage(usage) => {
                let row = self.row(frame);
                row.usage = sum(row.usage, *usage);
            }
            Event::ToolReady { tool, .. } => {
                self.open.extend(frame.call.clone().map(|call| (call, tool.clone())));
            }
            Event::ToolDone { .. } => self.ended(frame, |calls| &mut calls.ok),
            Event::ToolFailed { .. } => self.ended(frame, |calls| &mut calls.failed),
            _ => {}
        }
    }

    fn ended(&mut self, frame: &Frame, which: fn(&mut Calls) -> &mut u64) {
        let Some(tool) = frame.call.as_ref().and_then(|call| self.open.remove(call)) else {
            return;
        };
        *which(self.row(frame).tools.entry(tool).or_default()) += 1;
    }

    fn row(&mut self, frame: &Frame) -> &mut Counts {
        let day = frame.ts.get(..10).unwrap_or(&frame.ts).to_owned();
        self.rows.entry(Key { day, model: self.model.clone() }).or_default()
    }
}
