//! What is known of the calls of a turn while they are shown.

use std::collections::HashMap;

use serde_json::Value;
use tagline_protocol::{CallId, CardSpec};

use super::{clean::clean, units};

/// How tools are labelled, by name.
pub(crate) type Cards = HashMap<String, CardSpec>;

/// A call on the screen.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    /// The verb.
    pub(super) label: String,
    /// What it is about.
    pub(super) target: String,
    /// Bytes of it that were written so far.
    pub(super) n_bytes: u64,
}

/// The calls of a session that were not shown to their end.
#[derive(Debug, Default)]
pub(super) struct Calls {
    cards: Cards,
    open: HashMap<CallId, Shown>,
}

/// Arguments that say what a call is about, where its card does not.
const TELLING: [&str; 9] =
    ["path", "command", "query", "pattern", "question", "result", "run_id", "url", "name"];

impl Calls {
    pub(super) fn new(cards: Cards) -> Self {
        Self { cards, open: HashMap::new() }
    }

    /// A call of the tool begins.
    pub(super) fn open(&mut self, id: &CallId, tool: &str) {
        let label = self.cards.get(tool).map_or(tool, |card| &card.label);
        let label = clean(if label.is_empty() { tool } else { label });
        self.open.insert(id.clone(), Shown { label, ..Shown::default() });
    }

    /// One of its attributes is known.
    pub(super) fn attribute(&mut self, id: &CallId, name: &str, value: &str) {
        if let Some(shown) = self.open.get_mut(id)
            && shown.target.is_empty()
            && TELLING.contains(&name)
        {
            shown.target = clean(value);
        }
    }

    /// More of it was written.
    pub(super) fn grow(&mut self, id: &CallId, delta: &str) {
        if let Some(shown) = self.open.get_mut(id) {
            shown.n_bytes += delta.len() as u64;
        }
    }

    /// It is whole.
    pub(super) fn ready(&mut self, id: &CallId, tool: &str, arguments: &Value) {
        if !self.open.contains_key(id) {
            self.open(id, tool);
        }
        let subtitle = self.cards.get(tool).and_then(|card| card.subtitle.as_deref());
        let names = subtitle.into_iter().chain(TELLING);
        let target = names.filter_map(|name| arguments.get(name)?.as_str()).next();
        if let (Some(shown), Some(target)) = (self.open.get_mut(id), target) {
            let first = target.trim().lines().next().unwrap_or_default();
            shown.target = clean(first);
        }
    }

    /// It is over, and what was known of it.
    pub(super) fn close(&mut self, id: Option<&CallId>) -> Shown {
        id.and_then(|id| self.open.remove(id)).unwrap_or_default()
    }

    /// What is known of it.
    pub(super) fn get(&self, id: Option<&CallId>) -> Shown {
        id.and_then(|id| self.open.get(id)).cloned().unwrap_or_default()
    }
}

/// What came of a call, in two or three words.
pub(super) fn summary(payload: &Value, echo: &str) -> String {
    let n = |name: &str| payload.get(name).and_then(Value::as_u64);
    let text = |name: &str| payload.get(name).and_then(Value::as_str);
    if let Some(summary) = text("summary") {
        return clean(summary);
    }
    if let Some(code) = payload.get("exit_code").and_then(Value::as_i64) {
        return format!("exit {code}");
    }
    if let (Some(added), Some(removed)) = (n("added"), n("removed")) {
        return format!("+{added} -{removed}");
    }
    let lines = n("lines").map(|n| units::count(n, "line", "lines"));
    let hits = n("hits").or_else(|| n("matches")).map(|n| units::count(n, "hit", "hits"));
    let size = n("bytes").map(units::bytes);
    lines.or(hits).or(size).unwrap_or_else(|| clean(echo.trim().lines().next().unwrap_or_default()))
}
