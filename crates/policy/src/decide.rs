//! The order of judging.

use std::path::PathBuf;

use tagline_protocol::{Effect, Mode};

use crate::{
    Answer, PathClaim, Request, Rule, Sandbox, Scope, Situation, Verdict, command, grants,
    matching,
    place::{self, Place},
    protected,
    shell::{self, Script},
};

/// Judges one call. The first that has something to say decides:
///
/// 1. the floor: what no mode lifts;
/// 2. deny rules;
/// 3. the border: nothing outside the roots is changed by a tool that names its paths;
/// 4. mode `plan`: nothing is changed or run;
/// 5. recovered calls ask, where they could do what cannot be undone;
/// 6. ask rules;
/// 7. mode `full`: everything else passes;
/// 8. paths that hold keys, that other programs obey, or that lie outside the roots ask;
/// 9. where the turn has read what neither the user nor we wrote, code and requests ask;
/// 10. the effect, the mode, the sandbox and allow rules.
///
/// Total: any request gets an answer. What cannot be understood asks; where nobody can answer,
/// asking means no.
#[must_use]
pub fn decide(request: &Request, situation: &Situation) -> Verdict {
    let judge = Judge::new(request, situation);
    judge.steps().find_map(|(_, said)| said).unwrap_or_else(|| judge.last())
}

/// The rule by which a question that nobody can answer means no.
pub const NOBODY: &str = "nobody to ask";

/// What the model reads where a yes was needed, `why`, and nobody could give it.
#[must_use]
pub fn unattended(why: &str) -> String {
    format!(
        "this needs a yes from the user, and nobody is there to give it: {why}; go on without it, or end with what is done and what is missing"
    )
}

/// Where nobody can answer, asking means no.
fn closed(verdict: Verdict, situation: &Situation) -> Verdict {
    match verdict {
        Verdict::Ask { why, .. } if !situation.is_attended => Verdict::Deny {
            rule: NOBODY.to_owned(),
            why: unattended(&why),
            is_for_want_of_a_human: true,
        },
        Verdict::Ask { .. } | Verdict::Allow { .. } | Verdict::Deny { .. } => verdict,
    }
}

/// What the call may do: the strictest of what its tool says and what it claims.
fn effect(request: &Request) -> Effect {
    let claims = &request.claims;
    let is_change = |path: &PathClaim| path.is_write || path.is_removal;
    let claimed = [
        claims.paths.iter().any(is_change).then_some(Effect::Write),
        (!claims.hosts.is_empty()).then_some(Effect::Fetch),
        claims.command.is_some().then_some(Effect::Exec),
    ];
    let strictness = |effect: &Effect| match effect {
        Effect::Pure => 0,
        Effect::Read => 1,
        Effect::Write => 2,
        Effect::Fetch => 3,
        Effect::Exec => 4,
        Effect::Control => 5,
        Effect::Desktop => 6,
    };
    let all = claimed.into_iter().flatten().chain([request.effect]);
    all.max_by_key(strictness).unwrap_or(request.effect)
}

/// A step of judging: its name, and what it has to say.
type Step<'a> = (&'static str, fn(&Judge<'a>) -> Option<Verdict>);

/// One call on its way to a verdict.
pub(crate) struct Judge<'a> {
    pub(crate) request: &'a Request,
    pub(crate) situation: &'a Situation,
    pub(crate) effect: Effect,
    pub(crate) cwd: PathBuf,
    pub(crate) script: Option<Script>,
}

impl<'a> Judge<'a> {
    const STEPS: [Step<'a>; 9] = [
        ("the floor", Self::floor),
        ("deny rules", Self::denied),
        ("the border of the workspace", Self::border),
        ("mode `plan`", Self::plan),
        ("calls whose end was guessed", Self::recovered),
        ("ask rules", Self::must_ask),
        ("mode `full`", Self::full),
        ("paths that ask", Self::sensitive),
        ("untrusted content", Self::tainted),
    ];

    /// What [`Judge::last`] looks at, in words.
    pub(crate) const LAST: &'static str = "effect, mode, sandbox and allow rules";

    pub(crate) fn new(request: &'a Request, situation: &'a Situation) -> Self {
        let root = situation.roots.first().cloned().unwrap_or_else(|| PathBuf::from("/"));
        let cwd = place::normalize(&root.join(request.claims.cwd.clone().unwrap_or_default()));
        let command = request.claims.command.as_deref();
        let script = command.map(|text| shell::read(text, &cwd, situation));
        Self { request, situation, effect: effect(request), cwd, script }
    }

    /// What each step says, in their order.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (&'static str, Option<Verdict>)> {
        let close = |verdict| closed(verdict, self.situation);
        Self::STEPS.iter().map(move |(name, step)| (*name, step(self).map(close)))
    }

    /// What is said where no step has anything to say.
    pub(crate) fn last(&self) -> Verdict {
        closed(self.by_effect(self.situation), self.situation)
    }

    /// What no mode and no answer lifts.
    fn floor(&self) -> Option<Verdict> {
        let crime = self.script.as_ref().and_then(|script| script.crime.as_deref());
        let paths = &self.request.claims.paths;
        crime.map(floor).or_else(|| paths.iter().find_map(|claim| self.path_floor(claim)))
    }

    fn path_floor(&self, claim: &PathClaim) -> Option<Verdict> {
        let path = claim.resolved.as_deref().map(place::normalize)?;
        if claim.is_removal
            && let Some(loss) = place::doom(&path, self.situation)
        {
            return Some(floor(&format!("removes {loss}")));
        }
        let is_own = place::place(&path, self.situation) == Place::Own;
        is_own.then(|| floor("touches the data of tagline itself"))
    }

    fn denied(&self) -> Option<Verdict> {
        let rule = matching::strict(self, Answer::Deny)?;
        Some(deny(
            format!("rule: {rule}"),
            format!("a rule of the user refuses `{}`; go on another way", rule.scope()),
        ))
    }

    /// Nothing outside the roots is changed, in any mode.
    fn border(&self) -> Option<Verdict> {
        let is_change = |claim: &&PathClaim| claim.is_write || claim.is_removal;
        let mut changes = self.request.claims.paths.iter().filter(is_change);
        let outside = changes.find(|claim| !self.is_inside(claim))?;
        let roots: Vec<_> =
            self.situation.roots.iter().map(|root| format!("`{}`", root.display())).collect();
        Some(deny(
            "border: outside the workspace".to_owned(),
            format!(
                "path `{}`: expected a path in {}, where files may be changed, but it leads elsewhere; choose a path inside",
                outside.asked,
                roots.join(" or ")
            ),
        ))
    }

    fn plan(&self) -> Option<Verdict> {
        let is_read = matches!(self.effect, Effect::Pure | Effect::Read);
        (self.situation.mode == Mode::Plan && !is_read).then(|| {
            let why = "in mode `plan` nothing is changed or run; describe what you would do";
            deny("mode plan".to_owned(), why.to_owned())
        })
    }

    /// A call whose end, or start, was guessed does nothing that cannot be undone.
    fn recovered(&self) -> Option<Verdict> {
        let is_harmless = match self.effect {
            Effect::Pure | Effect::Read => true,
            Effect::Write => !self.request.is_from_unclosed_cdata,
            Effect::Fetch | Effect::Exec | Effect::Control | Effect::Desktop => {
                !self.request.is_recovered && !self.request.is_from_unclosed_cdata
            }
        };
        (!is_harmless).then(|| {
            let why = "the end of this call, or of one before it, had to be guessed";
            ask(why.to_owned(), Vec::new())
        })
    }

    fn must_ask(&self) -> Option<Verdict> {
        let rule = matching::strict(self, Answer::Ask)?;
        Some(ask(format!("a rule has `{}` ask", rule.scope()), Vec::new()))
    }

    fn full(&self) -> Option<Verdict> {
        (self.situation.mode == Mode::Full).then(|| allow("mode full"))
    }

    /// Paths that ask, whatever the tool.
    fn sensitive(&self) -> Option<Verdict> {
        let why = self.request.claims.paths.iter().find_map(|claim| self.why_sensitive(claim))?;
        Some(ask(why, Vec::new()))
    }

    fn why_sensitive(&self, claim: &PathClaim) -> Option<String> {
        let asked = &claim.asked;
        let names = || claim.resolved.iter().cloned().chain([PathBuf::from(asked)]);
        if names().any(|path| place::is_secret(&path)) {
            return Some(format!("`{asked}` may hold keys or passwords"));
        }
        let is_change = claim.is_write || claim.is_removal;
        if is_change && names().any(|path| protected::is_protected(&path)) {
            return Some(format!("other programs obey `{asked}` without asking"));
        }
        let is_granted =
            claim.resolved.as_ref().is_some_and(|path| grants::folder(path, self.situation));
        (!self.is_inside(claim) && !is_granted)
            .then(|| format!("`{asked}` is outside the workspace"))
    }

    /// Untrusted content may have talked the model into this: of the rules only those hold that
    /// the user meant for this, and no sandbox makes up for a person who looks.
    fn tainted(&self) -> Option<Verdict> {
        let taint = self.situation.taint.as_deref()?;
        let is_dangerous = match self.effect {
            Effect::Pure | Effect::Read | Effect::Write => false,
            Effect::Fetch | Effect::Exec | Effect::Control | Effect::Desktop => true,
        };
        let mut cautious = self.situation.clone();
        cautious.rules.retain(Rule::holds_when_tainted);
        cautious.sandbox = Sandbox::Unproven;
        let is_allowed = |situation| matches!(self.by_effect(situation), Verdict::Allow { .. });
        let is_stopped = is_dangerous && is_allowed(self.situation) && !is_allowed(&cautious);
        is_stopped.then(|| {
            ask(format!("this turn has read {taint}, which may have asked for this"), Vec::new())
        })
    }

    fn by_effect(&self, situation: &Situation) -> Verdict {
        match self.effect {
            Effect::Pure | Effect::Read => allow("reads only"),
            Effect::Write if matches!(situation.mode, Mode::Edit | Mode::Auto) => {
                allow(&format!("mode {}", situation.mode))
            }
            Effect::Exec if let Some(script) = &self.script => {
                let hosts = &self.request.claims.hosts;
                let is_open =
                    |host: &&String| *host != "*" && grants::host(host, situation).is_none();
                match hosts.iter().find(is_open) {
                    Some(host) => ask(format!("the command wants to reach `{host}`"), Vec::new()),
                    // A rule for a command lets it reach what it reaches; a sandbox alone does not.
                    None => command::judge(script, &self.cwd, !hosts.is_empty(), situation),
                }
            }
            Effect::Write | Effect::Fetch | Effect::Exec => self.granted_or_ask(situation),
            Effect::Control | Effect::Desktop => {
                ask(format!("`{}` changes more than files", self.request.tool), Vec::new())
            }
        }
    }

    fn granted_or_ask(&self, situation: &Situation) -> Verdict {
        if let Some(rule) = grants::call(self, situation) {
            return allow(&format!("rule: {rule}"));
        }
        let tool = &self.request.tool;
        let deed = match self.effect {
            Effect::Write => "changes files",
            Effect::Fetch => "sends a request out",
            Effect::Exec => "runs or steers a program",
            Effect::Pure | Effect::Read | Effect::Control | Effect::Desktop => "may do harm",
        };
        ask(format!("`{tool}` {deed}"), vec![Scope::tool(tool.clone())])
    }

    fn is_inside(&self, claim: &PathClaim) -> bool {
        let place = |path: &PathBuf| place::place(&place::normalize(path), self.situation);
        claim.resolved.as_ref().map(place) == Some(Place::Inside)
    }
}

pub(crate) fn allow(rule: &str) -> Verdict {
    Verdict::Allow { rule: rule.to_owned() }
}

pub(crate) fn ask(why: String, scopes: Vec<Scope>) -> Verdict {
    Verdict::Ask { why, scopes }
}

fn deny(rule: String, why: String) -> Verdict {
    Verdict::Deny { rule, why, is_for_want_of_a_human: false }
}

fn floor(what: &str) -> Verdict {
    let why = format!("this {what}, which is refused in every mode; do not try it another way");
    deny(format!("floor: {what}"), why)
}
