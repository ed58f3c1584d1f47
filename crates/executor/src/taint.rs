//! What a session has read that neither the user nor we wrote: it may hold orders to the model.
//!
//! Once such text is in the conversation it stays there, so that the taint stays too. It is part of the
//! audit record of the call that brought it, and so outlives the process and every summary.

use tagline_protocol::{Event, ToolOutcome};

/// The name of the taint among the notes of an audit record.
pub(crate) const NOTE: &str = "taint";

/// The first taint that these events tell of.
pub(crate) fn recalled<'a>(events: impl Iterator<Item = &'a Event>) -> Option<String> {
    let audits = events
        .filter_map(|event| if let Event::Audit { record } = event { Some(record) } else { None });
    let notes = audits.filter_map(|record| record.get("notes")?.get(NOTE)?.as_str());
    notes.map(str::to_owned).next()
}

/// A picture that a call brings in: what is written in it nobody has checked, wherever it lies.
pub(crate) fn pictured(outcome: &ToolOutcome) -> Option<&'static str> {
    let output = outcome.as_ref().ok()?;
    (!output.media.is_empty()).then_some("a picture")
}
