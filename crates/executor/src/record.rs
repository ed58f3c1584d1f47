//! What the journal gets to know of a call, and when.

use std::collections::BTreeMap;

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tagline_protocol::{Call, CallId, Event, ToolFailure, ToolOutcome};

/// The journal cannot take a record. Nothing takes effect that is not recorded first.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot save: {0}")]
pub struct RecordError(pub String);

/// Takes what happens to calls. The session wires it to its journal and its listeners.
///
/// For one call, what is handed in first is shown and stored first, by whichever method it came.
pub trait Recorder: Send + Sync {
    /// Makes these events durable, all or none, then shows them.
    fn record<'a>(
        &'a self,
        call: &'a CallId,
        events: Vec<Event>,
    ) -> BoxFuture<'a, Result<(), RecordError>>;

    /// Takes live output. Must not block; may become durable later.
    fn live(&self, call: &CallId, event: Event);
}

/// How a call went, for its record.
pub(crate) struct Story<'a> {
    pub(crate) call: &'a Call,
    pub(crate) hash: &'a str,
    pub(crate) decision: &'a str,
    pub(crate) attempts: u32,
    pub(crate) ms: u64,
    pub(crate) notes: BTreeMap<String, Value>,
}

impl Story<'_> {
    /// The last events of the call: its end, and the audit record.
    pub(crate) fn ending(self, outcome: &ToolOutcome) -> Vec<Event> {
        let end = end(self.call, outcome, self.ms);
        vec![end, Event::Audit { record: self.audit(outcome) }]
    }

    fn audit(self, outcome: &ToolOutcome) -> BTreeMap<String, Value> {
        let state = outcome.as_ref().map_or_else(ToolFailure::kind, |_| "done");
        let facts = [
            ("call", json!(self.call.id)),
            ("tool", json!(self.call.tool)),
            ("hash", json!(self.hash)),
            ("effect", json!(self.call.effect)),
            ("decision", json!(self.decision)),
            ("attempts", json!(self.attempts)),
            ("ms", json!(self.ms)),
            ("outcome", json!(state)),
            ("notes", json!(self.notes)),
        ];
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

fn end(call: &Call, outcome: &ToolOutcome, ms: u64) -> Event {
    match outcome {
        Ok(output) => Event::ToolDone {
            event: output.card.event.clone().unwrap_or_else(|| call.tool.clone()),
            payload: output.card.payload.clone(),
            echo: output.echo.to_string(),
            media: output.media.clone(),
            ms,
        },
        Err(ToolFailure::Cancelled(reason)) => Event::ToolCancelled { reason: reason.clone() },
        Err(failure) => Event::ToolFailed {
            event: "tool_error".to_owned(),
            payload: json!({
                "tag": call.tool,
                "reason": failure.reason(),
                "kind": failure.kind(),
                "retryable": failure.is_retryable(),
            }),
            echo: failure.reason(),
            ms,
        },
    }
}
