//! Commands, part by part.

use std::path::Path;

use tagline_protocol::Mode;

use crate::{
    Answer, Rule, Sandbox, Scope, Situation, Verdict,
    decide::{allow, ask},
    language,
    shell::{
        Ground, Line, Needs, Script, name, not_confined, protected, read_only, runs_program, stray,
        transparent,
    },
};

/// Judges a command in a mode where commands may run without a question: all of it must be
/// understood, and each part must be read-only or allowed by a rule.
///
/// Read-only parts alone run without a question in mode `auto`; beside an allowed part, as the
/// `tail` of a test run, in the modes `ask` and `edit` too. In mode `auto` a proven sandbox without
/// network runs whatever keeps to the workspace.
pub(crate) fn judge(
    script: &Script,
    cwd: &Path,
    reaches_out: bool,
    situation: &Situation,
) -> Verdict {
    let is_confined = situation.sandbox == Sandbox::Proven && situation.mode == Mode::Auto;
    match (&script.line, understood(script, cwd, situation)) {
        (Ok(line), Verdict::Ask { scopes, .. }) if is_confined && !reaches_out => {
            sandboxed(line, script, situation, scopes)
        }
        (Ok(_) | Err(_), verdict) => verdict,
    }
}

/// The verdict where a sandbox would hold the command; the words of the sandbox where it asks.
fn sandboxed(line: &Line, script: &Script, situation: &Situation, scopes: Vec<Scope>) -> Verdict {
    match not_confined(line, script, situation) {
        None => allow(CONFINED),
        Some(why) => ask(why, scopes),
    }
}

const CONFINED: &str = "mode auto in the sandbox";

fn understood(script: &Script, cwd: &Path, situation: &Situation) -> Verdict {
    let parts = match plain_parts(script) {
        Ok(parts) => parts,
        Err(why) => {
            let why = format!("the command is not understood: {why}");
            return ask(why, Vec::new());
        }
    };
    let parts = parts_of(parts, cwd, situation);
    let needs = parts.iter().filter_map(Part::need).collect::<Vec<_>>();
    let granted = parts.iter().find_map(Part::rule);
    match (needs.first(), granted) {
        (Some((why, _)), _) => {
            let scopes = needs.iter().filter_map(|(_, scope)| (*scope).clone()).collect();
            ask((*why).to_owned(), unique(scopes, &needs))
        }
        (None, Some(rule)) => allow(&format!("rule: {rule}")),
        (None, None) => match situation.mode {
            Mode::Auto | Mode::Full => allow("read-only command"),
            Mode::Plan | Mode::Ask | Mode::Edit => {
                ask("it runs a command".to_owned(), parts.iter().filter_map(Part::scope).collect())
            }
        },
    }
}

/// The parts of a command that is understood, or why it is not.
pub(crate) fn plain_parts(script: &Script) -> Result<&[Vec<String>], String> {
    match &script.line {
        Ok(Line { beyond: None, commands, .. }) => Ok(commands),
        Ok(Line { beyond: Some(why), .. }) | Err(why) => Err(why.to_string()),
    }
}

/// What each part needs.
pub(crate) fn parts_of<'a>(
    parts: &[Vec<String>],
    cwd: &Path,
    situation: &'a Situation,
) -> Vec<Part<'a>> {
    let mut ground = Ground { situation, bases: vec![cwd.to_path_buf()] };
    parts.iter().map(|words| part(words, &mut ground)).collect()
}

/// What one part of a command needs.
pub(crate) enum Part<'a> {
    /// It only reads.
    ReadOnly { scope: Option<Scope> },
    /// A rule lets it run.
    Granted(&'a Rule),
    /// A person must say yes.
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
    let granting = ground.situation.rules.iter().find(|rule| grants(rule, words));
    match granting.map(|rule| (rule, overreach(words, ground))) {
        Some((rule, None)) => Part::Granted(rule),
        Some((_, Some(why))) => Part::Asks { why, scope: None },
        None => Part::Asks { why: why(&need, &shown), scope: scope() },
    }
}

fn grants(rule: &Rule, words: &[String]) -> bool {
    match rule.scope() {
        Scope::Command(prefix) => rule.answer() == Answer::Allow && words.starts_with(prefix),
        Scope::Tool { .. } | Scope::Host(_) | Scope::Folder(_) => false,
    }
}

/// What a rule for a program does not cover: keys, other places than the workspace, files that other
/// programs obey, and other programs.
fn overreach(words: &[String], ground: &Ground<'_>) -> Option<String> {
    let mut rest = words.iter().skip(1);
    rest.find_map(|word| {
        let is_running = runs_program(&name(words), word);
        let running = is_running.then(|| format!("`{word}` runs another program"));
        let stray = || stray(word, &ground.bases, ground.situation);
        running.or_else(stray).or_else(|| protected(word, &ground.bases))
    })
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
