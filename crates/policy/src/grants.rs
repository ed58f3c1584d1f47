//! Which allow rules lift a question. Nothing is allowed by half: every path and every host needs
//! a rule that surely fits.

use std::path::{Path, PathBuf};

use tagline_protocol::{Effect, Mode};

use crate::{Answer, Pattern, Rule, Scope, Situation, decide::Judge, place};

/// The rule that lets this call run, one that names no command.
pub(crate) fn call<'a>(judge: &Judge<'_>, situation: &'a Situation) -> Option<&'a Rule> {
    tool(judge, situation).or_else(|| parts(judge, situation))
}

/// The rule that lets requests go to this host.
pub(crate) fn host<'a>(name: &str, situation: &'a Situation) -> Option<&'a Rule> {
    // No pattern fits `*`, which stands for any host.
    allowing(situation).find(|rule| matches!(rule.scope(), Scope::Host(host) if host.fits(name)))
}

/// Whether a rule lets calls work in the folder that holds this path.
pub(crate) fn folder(path: &Path, situation: &Situation) -> bool {
    folder_rule(path, situation).is_some()
}

fn folder_rule<'a>(path: &Path, situation: &'a Situation) -> Option<&'a Rule> {
    let path = place::normalize(path);
    let covers = |folder: &PathBuf| path.starts_with(place::from_rule(folder, situation));
    allowing(situation).find(|rule| matches!(rule.scope(), Scope::Folder(it) if covers(it)))
}

fn allowing(situation: &Situation) -> impl Iterator<Item = &Rule> {
    situation.rules.iter().filter(|rule| rule.answer() == Answer::Allow)
}

fn tool<'a>(judge: &Judge<'_>, situation: &'a Situation) -> Option<&'a Rule> {
    let value = |name: &String| {
        judge.request.arguments.iter().find(|(it, _)| it == name).map(|(_, value)| value)
    };
    let fits = |(name, pattern): &(String, Pattern)| {
        value(name).is_some_and(|value| pattern.surely_fits(value))
    };
    allowing(situation).find(|rule| match rule.scope() {
        Scope::Tool { name, arguments } => {
            *name == judge.request.tool && arguments.iter().all(fits)
        }
        Scope::Command(_) | Scope::Host(_) | Scope::Folder(_) => false,
    })
}

/// The first of the rules that together cover all that the call reaches and changes.
fn parts<'a>(judge: &Judge<'_>, situation: &'a Situation) -> Option<&'a Rule> {
    let claims = &judge.request.claims;
    let passes = matches!(situation.mode, Mode::Edit | Mode::Auto | Mode::Full);
    let changed = claims.paths.iter().filter(|claim| claim.is_write || claim.is_removal);
    let changed = changed
        .filter(|_| !passes)
        .map(|claim| claim.resolved.as_deref().and_then(|path| folder_rule(path, situation)));
    let reached = claims.hosts.iter().map(|name| host(name, situation));
    let is_covered = match judge.effect {
        Effect::Write => true,
        Effect::Fetch => !claims.hosts.is_empty(),
        Effect::Pure | Effect::Read | Effect::Exec | Effect::Control | Effect::Desktop => false,
    };
    let rules: Option<Vec<_>> = reached.chain(changed).collect();
    rules.filter(|_| is_covered)?.into_iter().next()
}
