//! Pairs of rules and calls.

use tagline_policy::{
    Answer, Claims, Effect, Mode, PathClaim, Request, Rule, Sandbox, Scope, Situation,
};

use super::facts::{HOSTS, Host, Is, N_ALLOWABLE, PARTS, PATHS, Part, Path, SCOPES};
use crate::{random::Random, situation::situation};

/// A rule, as it was picked.
#[derive(Debug)]
pub(super) struct Picked {
    pub(super) answer: Answer,
    pub(super) scope: &'static str,
    /// It holds also after untrusted content.
    pub(super) is_marked: bool,
}

/// A path of a call.
#[derive(Debug)]
struct Touched {
    path: &'static Path,
    is_write: bool,
    is_removal: bool,
}

/// A call, as it was picked.
#[derive(Debug)]
pub(super) struct Picks {
    tool: &'static str,
    declared: Effect,
    /// What it may do, claims included.
    pub(super) effect: Effect,
    /// Of [`PARTS`], for a command.
    pub(super) parts: Vec<usize>,
    joins: Vec<&'static str>,
    touched: Vec<Touched>,
    pub(super) hosts: Vec<&'static Host>,
    is_recovered: bool,
    is_from_unclosed_cdata: bool,
}

/// Rules, a call, and where it would run.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) rules: Vec<Picked>,
    pub(super) call: Picks,
    pub(super) mode: Mode,
    pub(super) is_attended: bool,
    pub(super) sandbox: Sandbox,
    pub(super) is_tainted: bool,
}

const TOOLS: &[(&str, Effect)] = &[
    ("note", Effect::Pure),
    ("look", Effect::Read),
    ("edit", Effect::Write),
    ("edit", Effect::Write),
    ("get", Effect::Fetch),
    ("shell", Effect::Exec),
    ("shell", Effect::Exec),
    ("shell", Effect::Exec),
    ("poke", Effect::Exec),
    ("set", Effect::Control),
    ("move", Effect::Desktop),
];

const JOINS: &[&str] = &[" && ", "; ", " | ", " || ", "\n"];

impl Pair {
    pub(super) fn generate(random: &mut Random) -> Self {
        let rules = (0..random.below(5)).map(|_| Picked::generate(random)).collect();
        let mode = *random.pick(&Mode::ALL);
        let (is_attended, is_tainted) = (random.happens(75), random.happens(20));
        let is_proven = random.happens(50);
        let sandbox = if is_proven { Sandbox::Proven } else { Sandbox::Unproven };
        Self { rules, call: Picks::generate(random), mode, is_attended, sandbox, is_tainted }
    }

    pub(super) fn situation(&self) -> Situation {
        Situation {
            is_attended: self.is_attended,
            rules: self.rules.iter().map(Picked::rule).collect(),
            sandbox: self.sandbox,
            taint: self.is_tainted.then(|| "a web page".to_owned()),
            ..situation(self.mode)
        }
    }

    pub(super) fn request(&self) -> Request {
        let call = &self.call;
        let claim = |it: &Touched| PathClaim {
            asked: it.path.asked.to_owned(),
            resolved: (!it.path.resolved.is_empty()).then(|| it.path.resolved.into()),
            is_write: it.is_write,
            is_removal: it.is_removal,
        };
        let first = call.touched.first().map(|it| ("path".to_owned(), it.path.asked.to_owned()));
        Request {
            tool: call.tool.to_owned(),
            effect: call.declared,
            is_recovered: call.is_recovered,
            is_from_unclosed_cdata: call.is_from_unclosed_cdata,
            arguments: first.into_iter().collect(),
            claims: Claims {
                paths: call.touched.iter().map(claim).collect(),
                command: (!call.parts.is_empty()).then(|| call.text()),
                cwd: None,
                hosts: call.hosts.iter().map(|it| it.name.to_owned()).collect(),
                facts: Vec::new(),
            },
        }
    }
}

impl Picked {
    fn generate(random: &mut Random) -> Self {
        let answer = *random.pick(&[Answer::Allow, Answer::Allow, Answer::Ask, Answer::Deny]);
        let n = if answer == Answer::Allow { N_ALLOWABLE } else { SCOPES.len() };
        let scope = random.pick(&SCOPES[..n]);
        Self { answer, scope, is_marked: random.happens(50) }
    }

    fn rule(&self) -> Rule {
        let scope: Scope = self.scope.parse().unwrap();
        match (self.answer, self.is_marked) {
            (Answer::Allow, false) => Rule::allow(scope).unwrap(),
            (Answer::Allow, true) => Rule::allow_also_when_tainted(scope).unwrap(),
            (Answer::Ask, _) => Rule::ask(scope),
            (Answer::Deny, _) => Rule::deny(scope),
        }
    }
}

impl Picks {
    fn generate(random: &mut Random) -> Self {
        let (tool, declared) = *random.pick(TOOLS);
        let n_parts = if tool == "shell" { 1 + random.below(3) } else { 0 };
        let n_paths = if random.happens(60) { random.below(3) } else { 0 };
        let n_hosts = if declared == Effect::Fetch { 1 } else { usize::from(random.happens(5)) };
        let is_read = tool == "look" || tool == "note";
        let touched: Vec<_> = (0..n_paths)
            .map(|_| Touched {
                path: random.pick(PATHS),
                is_write: !is_read && random.happens(70),
                is_removal: !is_read && random.happens(20),
            })
            .collect();
        let hosts: Vec<_> = (0..n_hosts).map(|_| random.pick(HOSTS)).collect();
        let is_change = touched.iter().any(|it| it.is_write || it.is_removal);
        let is_weak = declared <= Effect::Read;
        let effect = if !hosts.is_empty() && (is_weak || declared == Effect::Write) {
            Effect::Fetch
        } else if is_change && is_weak {
            Effect::Write
        } else {
            declared
        };
        Self {
            tool,
            declared,
            effect,
            parts: (0..n_parts).map(|_| random.below(PARTS.len())).collect(),
            joins: (0..n_parts).map(|_| *random.pick(JOINS)).collect(),
            touched,
            hosts,
            is_recovered: random.happens(10),
            is_from_unclosed_cdata: random.happens(5),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (n, part) in self.parts.iter().enumerate() {
            let join = if n == 0 { "" } else { self.joins[n] };
            text = text + join + PARTS[*part].text;
        }
        text
    }

    fn commands(&self) -> impl Iterator<Item = &'static Part> {
        self.parts.iter().map(|n| &PARTS[*n])
    }

    pub(super) fn is_floor(&self) -> bool {
        let is_own = |it: &Touched| it.path.is_own || (it.is_removal && it.path.is_doom);
        self.commands().any(|it| it.is == Is::Floor) || self.touched.iter().any(is_own)
    }

    pub(super) fn changes_outside(&self) -> bool {
        self.touched.iter().any(|it| (it.is_write || it.is_removal) && !it.path.is_inside)
    }

    pub(super) fn is_guess_that_harms(&self) -> bool {
        match self.effect {
            Effect::Pure | Effect::Read => false,
            Effect::Write => self.is_from_unclosed_cdata,
            Effect::Fetch | Effect::Exec | Effect::Control | Effect::Desktop => {
                self.is_recovered || self.is_from_unclosed_cdata
            }
        }
    }

    /// Whether a rule that asks or denies may mean this call.
    pub(super) fn may_fit(&self, scope: &str) -> bool {
        let is_in = |scopes: &str| scopes.split('|').any(|it| it == scope);
        let first = self.touched.first().map_or("", |it| it.path.may);
        let is_argument = scope.contains('=');
        let in_path = |it: &Touched| it.path.folder == scope || is_in(it.path.may);
        if is_argument {
            return scope.starts_with(&format!("tool {} ", self.tool)) && is_in(first);
        }
        scope == format!("tool {}", self.tool)
            || self.commands().any(|it| is_in(it.may))
            || self.touched.iter().any(in_path)
            || self.hosts.iter().any(|it| is_in(it.may))
    }

    /// Scopes of allow rules for its tool.
    pub(super) fn tool_scopes(&self) -> Vec<String> {
        let whole = format!("tool {}", self.tool);
        let argument = self.touched.first().map(|it| it.path.argument.to_owned());
        let fits = |it: &String| it.starts_with(&format!("{whole} "));
        argument.filter(fits).into_iter().chain([whole.clone()]).collect()
    }

    /// Each path, and whether it is changed.
    pub(super) fn paths(&self) -> impl Iterator<Item = (&'static Path, bool)> {
        self.touched.iter().map(|it| (it.path, it.is_write || it.is_removal))
    }

    pub(super) fn changed(&self) -> impl Iterator<Item = &'static Path> {
        self.paths().filter(|(_, is_change)| *is_change).map(|(path, _)| path)
    }
}
