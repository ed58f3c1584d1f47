//! Which rules of the strict kinds fit a call, in any of its readings.

use std::path::{Path, PathBuf};

use crate::{Answer, HostPattern, Pattern, Rule, Scope, decide::Judge, place};

/// The first rule of this answer, deny or ask, that may fit the call.
pub(crate) fn strict<'a>(judge: &Judge<'a>, answer: Answer) -> Option<&'a Rule> {
    let mut rules = judge.situation.rules.iter().filter(|rule| rule.answer() == answer);
    rules.find(|rule| match rule.scope() {
        Scope::Tool { name, arguments } => {
            *name == judge.request.tool && arguments.iter().all(|it| may_fit(judge, it))
        }
        Scope::Command(prefix) => commands(judge).iter().any(|words| begins(words, prefix)),
        Scope::Host(host) => reaches(judge, host),
        Scope::Folder(folder) => touches(judge, folder),
    })
}

fn commands<'a>(judge: &'a Judge<'_>) -> &'a [Vec<String>] {
    judge.script.as_ref().map_or(&[], |script| &script.commands)
}

/// Whether an argument may fit: as it was written, or where it leads.
fn may_fit(judge: &Judge<'_>, (name, pattern): &(String, Pattern)) -> bool {
    let request = judge.request;
    let mut values = request.arguments.iter().filter(|(it, _)| it == name).map(|(_, it)| it);
    values.any(|value| {
        let mut claims = request.claims.paths.iter().filter(|claim| claim.asked == *value);
        pattern.may_fit(value)
            || claims.any(|claim| {
                let resolved = claim.resolved.iter().flat_map(|path| below(judge, path));
                resolved.into_iter().any(|path| pattern.may_fit(&path.to_string_lossy()))
            })
    })
}

/// The path as it is, and as it is written from each root.
fn below(judge: &Judge<'_>, path: &Path) -> Vec<PathBuf> {
    let roots = judge.situation.roots.iter();
    let mut names: Vec<_> =
        roots.filter_map(|root| path.strip_prefix(root).ok()).map(Path::to_path_buf).collect();
    names.push(path.to_path_buf());
    names
}

/// Whether a command may be the one that a rule names: its program in any folder and letter case, the
/// rule's words in their order with options and their values between them, the rule's options anywhere,
/// joined with others or cut short.
fn begins(words: &[String], prefix: &[String]) -> bool {
    let base = |word: &str| word.rsplit('/').next().unwrap_or_default().to_lowercase();
    let (Some((program, rest)), Some((wanted, others))) =
        (words.split_first(), prefix.split_first())
    else {
        return false;
    };
    let is_program = program == wanted || base(program) == wanted.to_lowercase();
    let (options, plain): (Vec<_>, Vec<_>) = others.iter().partition(|it| is_option(it));
    is_program
        && options.iter().all(|option| rest.iter().any(|word| may_be(word, option)))
        && stand_in_order(rest, &plain)
}

fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

/// Whether a word may be this option: the same, with a value, one of joined letters, or the
/// beginning of a long one.
fn may_be(word: &str, option: &str) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    if option.starts_with("--") {
        return name.len() > 2 && option.starts_with(name);
    }
    let letters = option.trim_start_matches('-');
    let is_joined = name.starts_with('-') && !name.starts_with("--");
    name == option || (is_joined && letters.chars().all(|it| name.contains(it)))
}

/// Whether the words of a rule follow each other, nothing but options and a value of each between.
fn stand_in_order(rest: &[String], plain: &[&String]) -> bool {
    let mut wanted = plain.iter();
    let Some(mut next) = wanted.next() else { return true };
    let mut is_value = false;
    for word in rest {
        if word == *next {
            match wanted.next() {
                Some(it) => next = it,
                None => return true,
            }
            is_value = false;
        } else if is_option(word) || word.starts_with('+') {
            is_value = word.starts_with('-') && !word.contains('=');
        } else if !std::mem::take(&mut is_value) {
            return false;
        }
    }
    false
}

fn reaches(judge: &Judge<'_>, host: &HostPattern) -> bool {
    // Whoever may reach any host may reach this one.
    let is_claimed = judge.request.claims.hosts.iter().any(|it| it == "*" || host.fits(it));
    is_claimed || commands(judge).iter().flatten().any(|word| host.may_be_in(word))
}

/// Whether a path, or a word of a command, may lead into the folder. Letter case does not count.
fn touches(judge: &Judge<'_>, folder: &Path) -> bool {
    let folder = place::lower(&place::from_rule(folder, judge.situation));
    let is_in = |path: &Path| place::lower(&place::normalize(path)).starts_with(&folder);
    let root = judge.situation.roots.first().cloned().unwrap_or_default();
    let claims = judge.request.claims.paths.iter();
    let mut claimed =
        claims.flat_map(|claim| claim.resolved.iter().cloned().chain([root.join(&claim.asked)]));
    claimed.any(|path| is_in(&path))
        || judge.script.as_ref().is_some_and(|script| script.paths().any(|path| is_in(&path)))
}
