//! The order of judging, against a reference that can be read at a glance.

use proptest::prelude::*;
use tagline_policy::{Answer, Effect, Mode, Rule, Scope, Situation, Verdict, decide};

use crate::situation::{command, shown, situation};

/// Parts of commands: how each is spelled, and whether it only reads.
const PARTS: [(&str, bool); 6] = [
    ("ls", true),
    ("cat a.txt", true),
    ("cargo test", false),
    ("cargo build", false),
    ("touch x", false),
    ("cp a b", false),
];

const RULED: [&str; 4] = ["cargo test", "touch", "cp", "cargo build"];

#[derive(Clone, Debug)]
struct Case {
    parts: Vec<usize>,
    joins: Vec<&'static str>,
    rules: Vec<(Answer, usize)>,
    mode: Mode,
    is_attended: bool,
    is_floor: bool,
}

fn cases() -> impl Strategy<Value = Case> {
    let answer = prop::sample::select(vec![Answer::Allow, Answer::Ask, Answer::Deny]);
    let mode = vec![Mode::Plan, Mode::Ask, Mode::Edit, Mode::Auto, Mode::Full];
    (
        prop::collection::vec(0..PARTS.len(), 1..4),
        prop::collection::vec(prop::sample::select(vec![" && ", "; ", " | ", " || ", "\n"]), 3),
        prop::collection::vec((answer, 0..RULED.len()), 0..4),
        prop::sample::select(mode),
        any::<bool>(),
        prop::bool::weighted(0.1),
    )
        .prop_map(|(parts, joins, rules, mode, is_attended, is_floor)| Case {
            parts,
            joins,
            rules,
            mode,
            is_attended,
            is_floor,
        })
}

impl Case {
    fn text(&self) -> String {
        let mut text = String::new();
        for (n, part) in self.parts.iter().enumerate() {
            let join = if n == 0 { "" } else { self.joins[n - 1] };
            text = text + join + PARTS[*part].0;
        }
        if self.is_floor { text + "; reboot" } else { text }
    }

    fn says(&self, part: usize, answer: Answer) -> bool {
        let fits = |rule: &usize| {
            (PARTS[part].0.to_owned() + " ").starts_with(&(RULED[*rule].to_owned() + " "))
        };
        self.rules.iter().any(|(it, rule)| *it == answer && fits(rule))
    }

    /// The reference: `a`llow, `q`uestion, `d`eny.
    fn expected(&self) -> char {
        let any = |answer| self.parts.iter().any(|part| self.says(*part, answer));
        let reads = |part: &usize| PARTS[*part].1;
        let passes = |part: &usize| reads(part) || self.says(*part, Answer::Allow);
        let answer = if self.is_floor || any(Answer::Deny) || self.mode == Mode::Plan {
            'd'
        } else if any(Answer::Ask) {
            'q'
        } else if self.mode == Mode::Full {
            'a'
        } else if !self.parts.iter().all(passes)
            || (self.parts.iter().all(reads) && self.mode != Mode::Auto)
        {
            'q'
        } else {
            'a'
        };
        if answer == 'q' && !self.is_attended { 'd' } else { answer }
    }
}

proptest! {
    #[test]
    fn floor_then_deny_then_ask_then_allow(case in cases()) {
        let rule = |(answer, words): &(Answer, usize)| {
            let scope = Scope::Command(RULED[*words].split(' ').map(str::to_owned).collect());
            match answer {
                Answer::Allow => Rule::allow(scope).unwrap(),
                Answer::Ask => Rule::ask(scope),
                Answer::Deny => Rule::deny(scope),
            }
        };
        let rules = case.rules.iter().map(rule).collect();
        let situation = Situation { rules, is_attended: case.is_attended, ..situation(case.mode) };
        let verdict = decide(&command(&case.text()), &situation);
        let got = match &verdict {
            Verdict::Allow { .. } => 'a',
            Verdict::Ask { .. } => 'q',
            Verdict::Deny { .. } => 'd',
        };
        prop_assert_eq!(got, case.expected(), "{}", shown(&verdict));
    }

    #[test]
    fn a_stricter_mode_never_allows_more(case in cases()) {
        let strictness = |mode| match decide(&command(&case.text()), &situation(mode)) {
            Verdict::Allow { .. } => 0,
            Verdict::Ask { .. } => 1,
            Verdict::Deny { .. } => 2,
        };
        let modes = [Mode::Full, Mode::Auto, Mode::Edit, Mode::Ask, Mode::Plan].map(strictness);
        prop_assert!(modes.is_sorted(), "{modes:?}");
    }

    #[test]
    fn an_effect_nobody_claimed_is_judged_by_its_class(is_attended in any::<bool>()) {
        let situation = Situation { is_attended, ..situation(Mode::Ask) };
        let mut call = command("ls");
        call.effect = Effect::Desktop;
        let verdict = decide(&call, &situation);
        prop_assert!(!matches!(verdict, Verdict::Allow { .. }), "{}", shown(&verdict));
    }
}
