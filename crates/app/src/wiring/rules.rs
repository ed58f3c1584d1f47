//! What the user said beforehand about calls.

use tagline_policy::{BadScope, Rule, Scope};

use crate::{config::Rules, exit::Exit, trouble::Trouble};

/// The rules of the settings.
///
/// # Errors
///
/// [`Exit::Setup`] where one is no scope, or would allow too much.
pub(crate) fn rules(rules: &Rules) -> Result<Vec<Rule>, Trouble> {
    let allow = rules.allow.iter().map(|text| ("allow", scope(text).and_then(Rule::allow)));
    let tainted = rules.allow_tainted.iter();
    let tainted =
        tainted.map(|text| ("allow_tainted", scope(text).and_then(Rule::allow_also_when_tainted)));
    let ask = rules.ask.iter().map(|text| ("ask", scope(text).map(Rule::ask)));
    let deny = rules.deny.iter().map(|text| ("deny", scope(text).map(Rule::deny)));
    let all = allow.chain(tainted).chain(ask).chain(deny);
    all.map(|(name, rule)| {
        rule.map_err(|error| Trouble::new(Exit::Setup, format_args!("rules.{name}: {error}")))
    })
    .collect()
}

fn scope(text: &str) -> Result<Scope, BadScope> {
    text.parse()
}
