//! The way to a verdict, for people who wonder.

use crate::{
    Request, Situation, Verdict,
    command::{self, Part},
    decide::Judge,
};

/// How a call is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Steps that had nothing to say, in order.
    pub passed: Vec<&'static str>,
    /// The step that decided.
    pub decided: &'static str,
    /// The verdict: the same as [`decide`](crate::decide) gives.
    pub verdict: Verdict,
    /// The parts of a command that is understood.
    pub parts: Vec<PartView>,
    /// Why a command is not understood.
    pub not_understood: Option<String>,
}

/// A part of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartView {
    /// Its words, wrappers included.
    pub words: Vec<String>,
    /// What it needs, in words.
    pub needs: String,
}

/// Judges as [`decide`](crate::decide) does, and says how.
#[must_use]
pub fn explain(request: &Request, situation: &Situation) -> Explanation {
    let judge = Judge::new(request, situation);
    let mut passed = Vec::new();
    let mut decision = None;
    for (name, said) in judge.steps() {
        match said {
            Some(verdict) => {
                decision = Some((name, verdict));
                break;
            }
            None => passed.push(name),
        }
    }
    let (decided, verdict) = decision.unwrap_or_else(|| (Judge::LAST, judge.last()));
    let (parts, not_understood) = parts(&judge);
    Explanation { passed, decided, verdict, parts, not_understood }
}

fn parts(judge: &Judge<'_>) -> (Vec<PartView>, Option<String>) {
    let Some(script) = &judge.script else { return (Vec::new(), None) };
    match command::plain_parts(script) {
        Err(why) => (Vec::new(), Some(why)),
        Ok(parts) => {
            let needs = command::parts_of(parts, &judge.cwd, judge.situation);
            let view = |(words, part): (&Vec<String>, Part<'_>)| PartView {
                words: words.clone(),
                needs: match part {
                    Part::ReadOnly { .. } => "only reads".to_owned(),
                    Part::Granted(rule) => format!("rule: {rule}"),
                    Part::Asks { why, .. } => format!("asks: {why}"),
                },
            };
            (parts.iter().zip(needs).map(view).collect(), None)
        }
    }
}
