//! Notices that the turn goes in circles.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use serde_json::Value;
use tagline_protocol::{Call, ToolOutcome};

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
#[derive(Debug, Default)]
pub(crate) struct Breaker {
    numbers: BTreeMap<String, usize>,
    calls: Vec<usize>,
    error: String,
    n_errors: u32,
    /// The pass in which the error last occurred.
    pass: u32,
}

const LONGEST_ROUND: usize = 5;
const WARN: usize = 3;
const STOP: usize = 5;
const ERRORS: u32 = 3;

impl Breaker {
    /// Takes a call that ended, in the order of the reply.
    pub(crate) fn judge(&mut self, pass: u32, call: &Call, outcome: &ToolOutcome) -> Verdict {
        let next = self.numbers.len();
        let number = *self.numbers.entry(key(call, outcome)).or_insert(next);
        self.calls.push(number);
        match self.error(pass, call, outcome) {
            Verdict::Fine => self.round(call),
            verdict @ (Verdict::Warn(_) | Verdict::Stop(_)) => verdict,
        }
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

fn key(call: &Call, outcome: &ToolOutcome) -> String {
    let mut key = format!("{}\n", call.tool);
    write_sorted(&call.arguments, &mut key);
    match outcome {
        Ok(output) => {
            let media: String =
                output.media.iter().map(|media| format!("\n{}", media.url)).collect();
            format!("{key}\nok {}{media}", output.echo)
        }
        Err(failure) => format!("{key}\n{} {failure}", failure.kind()),
    }
}

/// Writes a value so that the order of an object's members makes no difference.
fn write_sorted(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            let members: BTreeMap<&String, &Value> = members.iter().collect();
            for (name, value) in members {
                out.push_str(&format!("{name:?}:"));
                write_sorted(value, out);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            out.push_str(&format!("{value};"));
        }
    }
}
