//! What a session has read that neither the user nor we wrote: it may hold orders to the model.
//!
//! Once such text is in the conversation it stays there, so that the taint stays too. It is part of the
//! audit record of the call that brought it, and so outlives the process and every summary.

use tagline_policy::{Claims, Situation};
use tagline_protocol::{Effect, Event};

/// The name of the taint among the notes of an audit record.
pub(crate) const NOTE: &str = "taint";

/// What a call brings in from outside, in words that follow `has read`; `None` where it brings nothing.
///
/// Files of the workspace are trusted with it.
pub(crate) fn source(effect: Effect, claims: &Claims, situation: &Situation) -> Option<String> {
    if let Some(host) = claims.hosts.first() {
        return Some(match host.as_str() {
            "*" => "what a command found in the network".to_owned(),
            host => format!("what `{host}` answered"),
        });
    }
    if effect == Effect::Fetch {
        return Some("what another machine answered".to_owned());
    }
    let is_outside =
        |path: &std::path::Path| !situation.roots.iter().any(|root| path.starts_with(root));
    let mut read = claims.paths.iter().filter(|claim| !claim.is_write && !claim.is_removal);
    let outside = read.find(|claim| claim.resolved.as_deref().is_some_and(is_outside))?;
    Some(format!("`{}`, which lies outside the workspace", outside.asked))
}

/// The first taint that these events tell of.
pub(crate) fn recalled<'a>(events: impl Iterator<Item = &'a Event>) -> Option<String> {
    let audits = events
        .filter_map(|event| if let Event::Audit { record } = event { Some(record) } else { None });
    let notes = audits.filter_map(|record| record.get("notes")?.get(NOTE)?.as_str());
    notes.map(str::to_owned).next()
}
