//! What a turn took.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::Value;
use tagline_protocol::{Price, Usage, dollars};

use super::{clean::clean, units};

/// Counted from a turn's frames.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    started: Option<Timestamp>,
    n_passes: u64,
    n_input: u64,
    n_cached: u64,
    n_output: u64,
    /// What the tokens cost.
    price: Option<Price>,
    /// The session, once something of the turn can be undone.
    undoable: Option<String>,
}

impl Totals {
    /// Of turns with a model of this price.
    pub(super) fn priced(price: Option<Price>) -> Self {
        Self { price, ..Self::default() }
    }

    /// The same for another turn, which starts at this time.
    pub(super) fn starting(&self, ts: &str) -> Self {
        Self { started: ts.parse().ok(), ..Self::priced(self.price) }
    }

    /// The model is asked once more.
    pub(super) fn pass(&mut self) {
        self.n_passes += 1;
    }

    /// Tokens of one pass.
    pub(super) fn usage(&mut self, usage: &Usage) {
        self.n_input += usage.input_tokens.unwrap_or(0);
        self.n_cached += usage.cached_tokens.unwrap_or(0);
        self.n_output += usage.output_tokens.unwrap_or(0);
    }

    /// A call of this session ended.
    pub(super) fn call(&mut self, session: &str, record: &BTreeMap<String, Value>) {
        let kept = record.get("notes").and_then(|notes| notes.pointer("/undo/changed"));
        if kept.is_some() {
            self.undoable = Some(clean(session));
        }
    }

    /// `4 passes`, `18.4k in (71% cached)`, `1.1k out`, `$0.0213`, `41.0 s`, and how to undo it; what
    /// is not known is left out.
    pub(super) fn parts(&self, ts: &str) -> Vec<String> {
        let mut parts = Vec::new();
        if self.n_passes > 0 {
            parts.push(units::count(self.n_passes, "pass", "passes"));
        }
        if self.n_input + self.n_output > 0 {
            parts.push(format!("{} in{}", units::tokens(self.n_input), self.cached()));
            parts.push(format!("{} out", units::tokens(self.n_output)));
            parts.extend(self.price.map(|price| dollars(price.of(&self.usage_so_far()))));
        }
        parts.extend(self.took(ts).map(units::time));
        parts.extend(self.undoable.as_ref().map(|session| format!("undo: tagline undo {session}")));
        parts
    }

    const fn usage_so_far(&self) -> Usage {
        Usage {
            input_tokens: Some(self.n_input),
            cached_tokens: Some(self.n_cached),
            output_tokens: Some(self.n_output),
        }
    }

    fn cached(&self) -> String {
        let percent = (100 * self.n_cached).checked_div(self.n_input).unwrap_or(0);
        if percent == 0 { String::new() } else { format!(" ({percent}% cached)") }
    }

    fn took(&self, ts: &str) -> Option<u64> {
        let ended: Timestamp = ts.parse().ok()?;
        let ms = ended.as_millisecond() - self.started?.as_millisecond();
        u64::try_from(ms).ok()
    }
}
