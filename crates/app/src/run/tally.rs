//! What a turn came to, counted from its frames.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;
use tagline_protocol::{CallId, Effect, Event, Frame, Price, Usage};

/// Counts of one turn.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Tally {
    /// The session.
    pub(crate) session: String,
    /// Tokens, summed over the passes; what no provider said is absent.
    pub(crate) usage: Usage,
    /// What they cost, in dollars; absent where no price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    /// Askings of the model.
    pub(crate) passes: u32,
    /// Calls by tool: how many worked and how many did not.
    pub(crate) tools: BTreeMap<String, Counts>,
    /// Files that were changed, as the model named them.
    pub(crate) changed_files: BTreeSet<String>,
    /// The stable word for how the turn ended; empty while it runs.
    pub(crate) reason: String,
    /// What the tokens cost.
    #[serde(skip)]
    pub(crate) price: Option<Price>,
    #[serde(skip)]
    ready: BTreeMap<CallId, (String, Effect)>,
}

/// How often a tool was called.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Counts {
    ok: u32,
    failed: u32,
}

impl Tally {
    /// Counts of a turn with a model of this price.
    pub(crate) fn priced(price: Option<Price>) -> Self {
        Self { price, ..Self::default() }
    }

    /// Takes one frame.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few of the events count")]
    pub(crate) fn count(&mut self, frame: &Frame) {
        if self.session.is_empty() {
            self.session.clone_from(&frame.session);
        }
        let call = frame.call.as_ref();
        match &frame.event {
            Event::PassStarted => self.passes += 1,
            Event::Usage(usage) => self.used(*usage),
            Event::ToolReady { tool, effect, .. } => {
                let entry = (tool.clone(), *effect);
                self.ready.extend(call.map(|call| (call.clone(), entry)));
            }
            Event::ToolDone { payload, .. } => self.done(call, payload),
            Event::ToolFailed { .. } => self.failed(call),
            Event::RunFinished { reason, .. } | Event::RunFailed { reason, .. } => {
                self.reason.clone_from(reason);
            }
            _ => {}
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a cent of a million dollars is still exact")]
    fn used(&mut self, usage: Usage) {
        self.usage = sum(self.usage, usage);
        self.cost = self.price.map(|price| price.of(&self.usage) as f64 / 1e9);
    }

    fn done(&mut self, call: Option<&CallId>, payload: &Value) {
        let Some((tool, effect)) = call.and_then(|call| self.ready.get(call)).cloned() else {
            return;
        };
        self.tools.entry(tool).or_default().ok += 1;
        if effect == Effect::Write {
            let files = payload.get("files").and_then(Value::as_array);
            for file in files.into_iter().flatten().chain([payload]) {
                let named = ["path", "to"].iter().filter_map(|name| file.get(name)?.as_str());
                self.changed_files.extend(named.map(str::to_owned));
            }
        }
    }

    fn failed(&mut self, call: Option<&CallId>) {
        let Some((tool, _)) = call.and_then(|call| self.ready.get(call)).cloned() else { return };
        self.tools.entry(tool).or_default().failed += 1;
    }
}

/// Both together; what neither says stays unknown.
pub(crate) fn sum(a: Usage, b: Usage) -> Usage {
    let add = |a: Option<u64>, b: Option<u64>| match (a, b) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or_default().saturating_add(b.unwrap_or_default())),
    };
    Usage {
        input_tokens: add(a.input_tokens, b.input_tokens),
        cached_tokens: add(a.cached_tokens, b.cached_tokens),
        output_tokens: add(a.output_tokens, b.output_tokens),
    }
}
