//! The engine against a reference that can be read at a glance, over generated pairs of rules and calls.
//!
//! Some thousand pairs in the test command; `cargo xtask policy-pairs --pairs N` plays more. Pair `n` of
//! a seed is always the same.

mod facts;
mod pairs;

use tagline_policy::{Answer, Effect, Mode, Sandbox, Situation, Verdict, decide};

use crate::{
    random::{Random, number},
    situation::shown,
};
use facts::{Is, PARTS, PATHS};
use pairs::{Pair, Picked};

/// Pairs in the test command.
const N_PAIRS: u64 = 20_000;

const SEED: u64 = 0x7461_676c_696e_6531;

/// The reference: `a`llow, `q`uestion, `d`eny.
fn reference(pair: &Pair) -> char {
    let (call, mode) = (&pair.call, pair.mode);
    let strict = |answer| pair.rules.iter().any(|it| it.answer == answer && call.may_fit(it.scope));
    let allows =
        |scope: &str| pair.rules.iter().any(|it| it.answer == Answer::Allow && it.scope == scope);
    let asks = |(it, is_change): (&facts::Path, bool)| {
        it.is_secret || (is_change && it.is_protected) || !(it.is_inside || allows(it.folder))
    };
    let question = if pair.is_attended { 'q' } else { 'd' };
    let is_refused = call.is_floor() || strict(Answer::Deny) || call.changes_outside();
    if is_refused || (mode == Mode::Plan && call.effect > Effect::Read) {
        'd'
    } else if call.is_guess_that_harms() || strict(Answer::Ask) {
        question
    } else if mode == Mode::Full || (!call.paths().any(asks) && passes(pair)) {
        'a'
    } else {
        question
    }
}

/// Whether a call passes by its effect, the mode, the sandbox and allow rules.
fn passes(pair: &Pair) -> bool {
    let (call, mode) = (&pair.call, pair.mode);
    let is_dangerous = call.effect >= Effect::Fetch && call.effect != Effect::Write;
    let granted = |scope: &str| {
        let counts = |it: &&Picked| !pair.is_tainted || !is_dangerous || it.is_marked;
        let mut rules = pair.rules.iter().filter(|it| it.answer == Answer::Allow).filter(counts);
        rules.any(|it| it.scope == scope)
    };
    let any_granted = |scopes: &str| scopes.split('|').any(granted);
    let is_held = pair.sandbox == Sandbox::Proven && mode == Mode::Auto && !pair.is_tainted;
    let edits = matches!(mode, Mode::Edit | Mode::Auto);
    let hosts = call.hosts.iter().all(|it| any_granted(it.surely));
    let named = call.hosts.iter().all(|it| it.name == "*" || any_granted(it.surely));
    let changes = edits || call.changed().all(|it| granted(it.folder));
    let tool = call.tool_scopes().iter().any(|scope| granted(scope));
    let needs = |it: &facts::Part| it.needs.is_empty() || granted(it.needs);
    let runs = |it: &facts::Part| {
        needs(it) && (it.is == Is::Reads || (it.is == Is::Runs && any_granted(it.surely)))
    };
    let all = |test: &dyn Fn(&facts::Part) -> bool| call.parts.iter().all(|n| test(&PARTS[*n]));
    let is_known = all(&runs) && (mode == Mode::Auto || !all(&|it| it.is == Is::Reads));
    let is_confined = is_held && call.hosts.is_empty() && all(&|it| it.stays && needs(it));
    match call.effect {
        Effect::Pure | Effect::Read => true,
        Effect::Write => edits || tool || (changes && call.changed().next().is_some()),
        Effect::Fetch => tool || (!call.hosts.is_empty() && hosts && changes),
        Effect::Exec if call.parts.is_empty() => tool,
        Effect::Exec => named && (is_known || is_confined),
        Effect::Control | Effect::Desktop => false,
    }
}

fn letter(verdict: &Verdict) -> char {
    match verdict {
        Verdict::Allow { .. } => 'a',
        Verdict::Ask { .. } => 'q',
        Verdict::Deny { .. } => 'd',
    }
}

fn check(seed: u64, n: u64) -> char {
    let pair = Pair::generate(&mut Random::of(seed, n));
    let (request, situation) = (pair.request(), pair.situation());
    let verdict = decide(&request, &situation);
    let (got, expected) = (letter(&verdict), reference(&pair));
    assert_eq!(
        got,
        expected,
        "pair {n} of seed {seed:#x}: expected {expected}, but found {}\n{pair:?}\n{:?}",
        shown(&verdict),
        request.claims
    );
    got
}

#[test]
fn the_engine_says_what_the_reference_says() {
    let n_pairs = number("TAGLINE_TEST_PAIRS").unwrap_or(N_PAIRS);
    let seed = number("TAGLINE_TEST_SEED").unwrap_or(SEED);
    let mut counts = [0_u64; 3];
    for n in 0..n_pairs {
        let at = "aqd".find(check(seed, n)).unwrap();
        counts[at] += 1;
    }
    let [allowed, asked, denied] = counts;
    println!(
        "{n_pairs} pairs of seed {seed:#x}: 0 differences; {allowed} allowed, {asked} asked, {denied} denied"
    );
    // A generator that reaches one answer alone would prove nothing.
    assert!(counts.iter().all(|count| *count > n_pairs / 50), "{counts:?}");
}

#[test]
fn every_row_of_the_facts_is_told_apart() {
    let is_listed = |scope: &str| scope.is_empty() || facts::SCOPES.contains(&scope);
    for part in PARTS {
        let scopes = part.may.split('|').chain(part.surely.split('|')).chain([part.needs]);
        scopes.for_each(|scope| assert!(is_listed(scope), "{}: {scope}", part.text));
    }
    assert!(PATHS.iter().all(|path| is_listed(path.folder)));
    assert_eq!(Situation::default().sandbox, Sandbox::Unproven);
}
