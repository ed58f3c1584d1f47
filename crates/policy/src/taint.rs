//! What a call brings in that neither the user nor we wrote: it may hold orders to the model.

use std::path::Path;

use tagline_protocol::Effect;

use crate::{PathClaim, Request, Situation, decide::Judge, shell};

/// What a call brings in from outside, in words that follow `has read`; `None` where it brings nothing.
///
/// The answers of other machines, what programs such as `curl` fetch, and files outside the roots count;
/// files of the workspace are trusted with it. That a command may reach the network does not count by
/// itself: a build that loads packages says little of what they say.
#[must_use]
pub fn taint(request: &Request, situation: &Situation) -> Option<String> {
    let named = request.claims.hosts.iter().find(|host| *host != "*");
    if let Some(host) = named {
        return Some(format!("what `{host}` answered"));
    }
    let judge = Judge::new(request, situation);
    if judge.effect == Effect::Fetch {
        return Some("what another machine answered".to_owned());
    }
    let fetcher = judge.script.as_ref().and_then(shell::fetcher);
    fetcher.map(|name| format!("what `{name}` fetched")).or_else(|| outside(request, situation))
}

/// A file that is read and lies outside of the roots.
fn outside(request: &Request, situation: &Situation) -> Option<String> {
    let is_outside = |path: &Path| !situation.roots.iter().any(|root| path.starts_with(root));
    let is_read = |claim: &&PathClaim| !claim.is_write && !claim.is_removal;
    let mut read = request.claims.paths.iter().filter(is_read);
    let found = read.find(|claim| claim.resolved.as_deref().is_some_and(is_outside))?;
    Some(format!("`{}`, which lies outside the workspace", found.asked))
}
