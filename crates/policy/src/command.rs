//! Commands, part by part.

use std::path::Path;

use tagline_protocol::Mode;

use crate::{
    Answer, Rule, Scope, Situation, Verdict,
    decide::{allow, ask},
    language, place,
    shell::{Ground, Needs, Script, read_only, transparent},
};

/// Judges a command in a mode where commands may run without a question: all of it must be
/// understood, and each part must be read-only or allowed by a rule.
///
/// Read-only parts alone run without a question in mode `auto`; beside an allowed part, as the
/// `tail` of a test run, in the modes `ask` and `edit` too.
pub(crate) fn judge(script: &Script, cwd: &Path, situation: &Situation) -> Verdict {
    let parts = match &script.understood {
        Ok(parts) => parts,
        Err(why) => {
            let why = format!("the command is not understood: {why}");
            return ask(why, Vec::new());
        }
    };
    let mut ground = Ground { situation, bases: vec![cwd.to_path_buf()] };
    let parts: Vec<Part> = parts.iter().map(|words| part(words, &mut ground)).collect();
    let needs = parts.iter().filter_map(Part::need).collect::<Vec<_>>();
    let granted = parts.iter().find_map(Part::rule);
    match (needs.first(), granted) {
        (Some((why, _)), _) => {
            let scopes = needs.iter().filter_map(|(_, scope)| (*scope).clone()).collect();
            ask((*why).to_owned(), unique(scopes, &needs))
        }
        (None, Some(rule)) => allow(&format!("rule: allow {}", rule.scope())),
        (None, None) => match situation.mode {
            Mode::Auto | Mode::Full => allow("read-only command"),
            Mode::Plan | Mode::Ask | Mode::Edit => {
                ask("it runs a command".to_owned(), parts.iter().filter_map(Part::scope).collect())
            }
        },
    }
}

/// Whether a command begins with these words. The program may be written with its folder.
pub(crate) fn begins(words: &[String], prefix: &[String]) -> bool {
    let base = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
    let (Some((program, rest)), Some((wanted, others))) =
        (words.split_first(), prefix.split_first())
    else {
        return false;
    };
    (program == wanted || base(program) == *wanted) && rest.starts_with(others)
}

/// What one part of a command needs.
enum Part<'a> {
    ReadOnly { scope: Option<Scope> },
    Granted(&'a Rule),
    Asks { why: String, scope: Option<Scope> },
}

impl Part<'_> {
    fn need(&self) -> Option<(&str, &Option<Scope>)> {
        match self {
            Self::Asks { why, scope } => Some((why, scope)),
            Self::ReadOnly { .. } | Self::Granted(_) => None,
        }
    }

    fn rule(&self) -> Option<&Rule> {
        match self {
            Self::Granted(rule) => Some(rule),
            Self::ReadOnly { .. } | Self::Asks { .. } => None,
        }
    }

    fn scope(&self) -> Option<Scope> {
        match self {
            Self::ReadOnly { scope } => scope.clone(),
            Self::Granted(_) | Self::Asks { .. } => None,
        }
    }
}

fn part<'a>(words: &[String], ground: &mut Ground<'a>) -> Part<'a> {
    let words = transparent(words);
    let shown = words.join(" ");
    let scope = || language::narrow(words).map(Scope::Command);
    let need = match read_only(words, ground) {
        Ok(()) => return Part::ReadOnly { scope: scope() },
        // No rule lifts this: it is about what is read, not about the program.
        Err(Needs::Path(why)) => return Part::Asks { why, scope: None },
        Err(need) => need,
    };
    let secret = words.iter().find(|word| {
        let is_secret =
            |base: &std::path::PathBuf| place::is_secret(&place::normalize(&base.join(word)));
        ground.bases.iter().any(is_secret)
    });
    if let Some(word) = secret {
        return Part::Asks { why: format!("`{word}` may hold keys or passwords"), scope: None };
    }
    let is_allow = |rule: &&Rule| match rule.scope() {
        Scope::Command(prefix) => rule.answer() == Answer::Allow && words.starts_with(prefix),
        Scope::Tool(_) => false,
    };
    match ground.situation.rules.iter().find(is_allow) {
        Some(rule) => Part::Granted(rule),
        None => Part::Asks { why: why(&need, &shown), scope: scope() },
    }
}

fn why(need: &Needs, shown: &str) -> String {
    match need {
        Needs::Program => format!("`{shown}` is not known to only read"),
        Needs::Option(word) => format!("`{word}` in `{shown}` is not known to only read"),
        Needs::Path(why) => why.clone(),
    }
}

/// The scopes without repeats; none where one part has none, as the others would not be enough.
fn unique(scopes: Vec<Scope>, needs: &[(&str, &Option<Scope>)]) -> Vec<Scope> {
    let is_enough = needs.iter().all(|(_, scope)| scope.is_some());
    let mut out: Vec<Scope> = Vec::new();
    for scope in scopes {
        if is_enough && !out.contains(&scope) {
            out.push(scope);
        }
    }
    out
}
