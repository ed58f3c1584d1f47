//! Notices that the turn goes in circles.

use alloc::{borrow::ToOwned as _, collections::BTreeMap, format, string::String, vec::Vec};

use tagline_protocol::{Call, Effect, ToolOutcome};

/// What to do after a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Go on.
    Fine,
    /// Go on, and tell the model.
    Warn(String),
    /// End the turn.
    Stop(String),
}

/// Remembers the calls of a turn with their results.
///
/// * The same call with the same result: warns at the third, stops at the fifth.
/// * The same round of up to five calls: warns at the third round, stops at the fifth.
/// * The same error in three passes in a row stops.
/// * What is no valid call, in the same way in five passes in a row, stops, whatever works beside it.
///
/// Times in results, such as `0.02s`, count for nothing.
#[derive(Debug, Default)]
pub(crate) struct Breaker {
    numbers: BTreeMap<String, usize>,
    calls: Vec<usize>,
    error: String,
    n_errors: u32,
    /// The pass in which the error last occurred.
    pass: u32,
    /// What was no valid call, by what the model was told: the last pass, and how many in a row.
    refused: BTreeMap<String, (u32, usize)>,
    /// The last call, without its result.
    last: String,
    /// The tool of the last call, if that call brought nothing new.
    overused: Option<String>,
}

const LONGEST_ROUND: usize = 5;
const WARN: usize = 3;
const STOP: usize = 5;
const ERRORS: u32 = 3;

impl Breaker {
    /// Takes a call that ended, in the order of the reply.
    pub(crate) fn judge(&mut self, pass: u32, call: &Call, outcome: &ToolOutcome) -> Verdict {
        self.overused = self.repeats_last(call, outcome).then(|| call.tool.clone());
        self.last = call.canonical();
        let next = self.numbers.len();
        let number = *self.numbers.entry(key(call, outcome)).or_insert(next);
        self.calls.push(number);
        match self.error(pass, call, outcome) {
            Verdict::Fine => self.round(call),
            verdict @ (Verdict::Warn(_) | Verdict::Stop(_)) => verdict,
        }
    }

    /// Takes what was no valid call.
    pub(crate) fn refused(&mut self, pass: u32, tool: Option<&str>, why: &str) -> Verdict {
        self.refused.retain(|_, (last, _)| *last + 1 >= pass);
        let (last, n) = self.refused.entry(why.to_owned()).or_insert((pass, 1));
        if *last != pass {
            (*last, *n) = (pass, *n + 1);
        }
        match (*n, tool) {
            (STOP.., Some(tool)) => Verdict::Stop(format!(
                "`{tool}` was written in the same wrong way in {n} replies in a row"
            )),
            (STOP.., None) => {
                Verdict::Stop(format!("{n} replies in a row were wrong in the same way"))
            }
            (_, _) => Verdict::Fine,
        }
    }

    /// The tool of the last call, if that call was the one before it, word for word, and brought
    /// nothing new.
    pub(crate) fn overused(&self) -> Option<&str> {
        self.overused.as_deref()
    }

    /// A write that worked and comes again changes nothing, whatever its result says.
    fn repeats_last(&self, call: &Call, outcome: &ToolOutcome) -> bool {
        let is_same = self.last == call.canonical();
        let is_written = call.effect == Effect::Write && outcome.is_ok() && self.error.is_empty();
        let last = self.calls.last();
        is_same && (is_written || self.numbers.get(&key(call, outcome)) == last)
    }

    fn round(&self, call: &Call) -> Verdict {
        let (round, n) = self.rounds();
        let what = if round == 1 {
            format!(
                "`{}` was called {n} times with the same arguments and the same result",
                call.tool
            )
        } else {
            format!("the same {round} calls were made {n} times with the same results")
        };
        match n {
            STOP.. => Verdict::Stop(what),
            WARN => {
                Verdict::Warn(format!("note: {what}; do something else, or say what is in the way"))
            }
            _ => Verdict::Fine,
        }
    }

    /// How often the log of calls ends with the same round; the round that did so most often.
    fn rounds(&self) -> (usize, usize) {
        (1..=LONGEST_ROUND)
            .map(|len| (len, repeats(&self.calls, len)))
            .fold((1, 0), |best, found| if found.1 > best.1 { found } else { best })
    }

    /// A pass that fails twice in the same way could not know better; the next one could.
    fn error(&mut self, pass: u32, call: &Call, outcome: &ToolOutcome) -> Verdict {
        let Err(failure) = outcome else {
            self.error.clear();
            return Verdict::Fine;
        };
        let error = format!("{} {failure}", call.tool);
        if error != self.error {
            self.error = error;
            self.n_errors = 1;
        } else if pass != self.pass {
            self.n_errors += 1;
        }
        self.pass = pass;
        let what =
            format!("`{}` failed {} times in a row with the same error", call.tool, self.n_errors);
        match self.n_errors {
            ERRORS.. => Verdict::Stop(what),
            2 => Verdict::Warn(format!(
                "note: {what}; do something else, the next time ends the turn"
            )),
            _ => Verdict::Fine,
        }
    }
}

/// How many equal rounds of `len` calls stand at the end.
fn repeats(calls: &[usize], len: usize) -> usize {
    let mut rounds = calls.rchunks_exact(len);
    let Some(last) = rounds.next() else { return 0 };
    1 + rounds.take_while(|round| *round == last).count()
}

/// What counts as the same: the tool, its arguments, and what came of them.
fn key(call: &Call, outcome: &ToolOutcome) -> String {
    let call = call.canonical();
    match outcome {
        Ok(output) => {
            let media = output.media.iter().map(|media| format!("\n{}", media.url));
            format!("{call}\nok {}{}", timeless(output.echo.as_str()), media.collect::<String>())
        }
        Err(failure) => format!("{call}\n{} {failure}", failure.kind()),
    }
}

/// The text without its times: fractions of seconds, as in `finished in 0.02s`, are never the same.
fn timeless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(at);
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let len = number.find(|c| !is_number(c)).unwrap_or(number.len());
        let (number, behind) = number.split_at(len);
        out.push_str(before);
        out.push_str(if number.contains('.') && is_unit(behind) { "?" } else { number });
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// Whether a text begins with a unit of time.
fn is_unit(text: &str) -> bool {
    let word = text.trim_start_matches(' ');
    let len = word.find(|c: char| !c.is_alphabetic()).unwrap_or(word.len());
    ["s", "ms", "µs", "us", "ns", "sec", "secs", "seconds"].contains(&word.split_at(len).0)
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString as _};

    use serde_json::json;
    use tagline_protocol::{Call, CallId, Effect, ToolFailure, ToolOutcome, ToolOutput};

    use super::{Breaker, Verdict};

    fn call(arguments: serde_json::Value) -> Call {
        Call {
            id: CallId("c1".to_string()),
            tool: "search".to_string(),
            arguments,
            effect: Effect::Read,
            is_recovered: false,
            is_from_unclosed_cdata: false,
        }
    }

    /// The number of the call, from 1, at which a turn stops that makes these calls over and over.
    fn stops_at(round: &[&str]) -> Option<usize> {
        let mut breaker = Breaker::default();
        let mut calls = round.iter().cycle().take(60).enumerate();
        calls.find_map(|(n, query)| {
            let ok = Ok(ToolOutput::new("same", json!(null)));
            let verdict = breaker.judge(1, &call(json!({ "query": query })), &ok);
            matches!(verdict, Verdict::Stop(_)).then_some(n + 1)
        })
    }

    #[test]
    fn a_round_of_up_to_five_calls_stops_at_its_fifth_time() {
        let calls = ["a", "b", "c", "d", "e", "f"];
        let stops: alloc::vec::Vec<_> = (1..=6).map(|n| stops_at(&calls[..n])).collect();
        assert_eq!(stops, [Some(5), Some(10), Some(15), Some(20), Some(25), None]);
    }

    #[test]
    fn what_came_before_the_circle_does_not_hide_it() {
        let mut breaker = Breaker::default();
        let ok = Ok(ToolOutput::new("same", json!(null)));
        for query in ["x", "y", "a", "b", "a", "b", "a", "b", "a", "b", "a"] {
            let verdict = breaker.judge(1, &call(json!({ "query": query })), &ok);
            assert!(!matches!(verdict, Verdict::Stop(_)), "{query}");
        }
        let verdict = breaker.judge(1, &call(json!({ "query": "b" })), &ok);
        assert_eq!(
            verdict,
            Verdict::Stop("the same 2 calls were made 5 times with the same results".to_string())
        );
    }

    #[test]
    fn a_call_whose_result_changes_is_no_circle() {
        let mut breaker = Breaker::default();
        for n in 0..40 {
            let ok = Ok(ToolOutput::new(format!("{n} lines"), json!(null)));
            assert_eq!(breaker.judge(n, &call(json!({})), &ok), Verdict::Fine);
        }
    }

    #[test]
    fn times_count_for_nothing_and_other_numbers_do() {
        let texts =
            ["ok in 0.02s", "3 of 8 (1.5 ms)", "v1.2.3 3.5 MB", "12 s", "1.5", "7.5 seconds."];
        assert_eq!(
            texts.map(super::timeless),
            ["ok in ?s", "3 of 8 (? ms)", "v1.2.3 3.5 MB", "12 s", "1.5", "? seconds."]
        );
    }

    #[test]
    fn the_order_of_arguments_makes_no_difference() {
        let mut breaker = Breaker::default();
        let ok = Ok(ToolOutput::new("same", json!(null)));
        let calls =
            [json!({ "a": 1, "b": 2 }), json!({ "b": 2, "a": 1 }), json!({ "a": 1, "b": 2 })];
        let verdicts = calls.map(|arguments| breaker.judge(1, &call(arguments), &ok));
        assert!(matches!(verdicts[2], Verdict::Warn(_)), "{verdicts:?}");
    }

    #[test]
    fn an_error_counts_once_a_pass_and_a_success_between_forgives_it() {
        let mut breaker = Breaker::default();
        let failed = || Err(ToolFailure::Failed("the disk is full".to_string()));
        let mut fail = |pass, n: u32| breaker.judge(pass, &call(json!({ "n": n })), &failed());
        assert_eq!(fail(1, 1), Verdict::Fine);
        assert_eq!(fail(1, 2), Verdict::Fine);
        assert_eq!(fail(1, 3), Verdict::Fine);
        assert!(matches!(fail(2, 4), Verdict::Warn(_)));
        let ok = Ok(ToolOutput::new("fine", json!(null)));
        assert_eq!(breaker.judge(2, &call(json!({ "n": 5 })), &ok), Verdict::Fine);
        let mut fail = |pass, n: u32| breaker.judge(pass, &call(json!({ "n": n })), &failed());
        assert_eq!(fail(3, 6), Verdict::Fine);
        assert!(matches!(fail(4, 7), Verdict::Warn(_)));
        assert!(matches!(fail(5, 8), Verdict::Stop(_)));
    }

    #[test]
    fn a_tool_is_overused_once_its_last_call_brings_nothing_new() {
        let ok = |echo: &str| Ok(ToolOutput::new(echo, json!(null)));
        let write = Call { effect: Effect::Write, ..call(json!({ "path": "a" })) };
        let overused = |calls: &[(&Call, ToolOutcome)]| {
            let mut breaker = Breaker::default();
            for (call, outcome) in calls {
                breaker.judge(1, call, outcome);
            }
            breaker.overused().map(alloc::borrow::ToOwned::to_owned)
        };
        let read = call(json!({}));
        assert_eq!(overused(&[(&write, ok("new"))]), None);
        assert_eq!(overused(&[(&write, ok("new")), (&write, ok("same"))]), Some("search".into()));
        assert_eq!(overused(&[(&read, ok("1")), (&read, ok("1"))]), Some("search".into()));
        assert_eq!(overused(&[(&read, ok("1")), (&read, ok("2"))]), None);
        assert_eq!(overused(&[(&read, ok("1")), (&write, ok("new")), (&read, ok("1"))]), None);
        let failed = || Err(ToolFailure::Failed("the disk is full".to_string()));
        assert_eq!(overused(&[(&write, failed()), (&write, ok("new"))]), None);
    }
}
