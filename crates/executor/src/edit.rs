//! Calls that a person changed before they may run.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tagline_protocol::{Call, ToolFailure, ToolOutcome, clipped};

use crate::Entry;

/// What a person changes of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// These arguments stand in the place of the call's own, all of them.
    Arguments(Map<String, Value>),
    /// Some of the parts of its change.
    Parts {
        /// Those that stay, numbered from 0.
        take: BTreeSet<usize>,
        /// How many the person saw.
        of: usize,
    },
}

/// The parts of a call's change; see [`Tool::parts`](crate::Tool::parts).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The argument that holds the change.
    pub argument: &'static str,
    /// How many parts it has.
    pub n: usize,
    /// The argument with those parts alone that were asked for.
    pub text: String,
}

/// A call as a person changed it.
pub(crate) struct Edited {
    pub(crate) call: Call,
    /// What was changed, for the model.
    pub(crate) note: String,
    /// Nothing came in that the person had not been shown.
    pub(crate) is_less: bool,
}

/// Longest value that the model is told of, in bytes.
const TOLD: usize = 2_000;

/// The call with the edit, if its tool can read it then.
pub(crate) fn apply(entry: &Entry, call: &Call, edit: &Edit) -> Result<Edited, String> {
    let (arguments, note, is_less) = match edit {
        Edit::Arguments(arguments) => {
            let arguments = known(entry, arguments)?;
            let note = changes(&call.arguments, &arguments)?;
            (arguments, note, false)
        }
        Edit::Parts { take, of } => {
            let parts = parts(entry, call, take, *of)?;
            let mut arguments = call.arguments.clone();
            if let Some(fields) = arguments.as_object_mut() {
                fields.insert(parts.argument.to_owned(), Value::String(parts.text));
            }
            (arguments, taken(take, parts.n), true)
        }
    };
    (entry.check)(&arguments).map_err(|failure| failure.reason())?;
    Ok(Edited { call: Call { arguments, ..call.clone() }, note, is_less })
}

/// Names that the tool does not have would count for nothing, which nobody would see.
fn known(entry: &Entry, arguments: &Map<String, Value>) -> Result<Value, String> {
    let stranger = arguments.keys().find(|name| {
        let is_it = |known: &str| known == name.as_str();
        !entry.spec.args.iter().any(|arg| is_it(&arg.name))
    });
    match stranger {
        Some(name) => {
            let known: Vec<_> = entry.spec.args.iter().map(|it| format!("`{}`", it.name)).collect();
            Err(format!(
                "`{}`: expected arguments among {}, but found `{name}`",
                entry.spec.name,
                known.join(", ")
            ))
        }
        None => Ok(Value::Object(arguments.clone())),
    }
}

fn parts(entry: &Entry, call: &Call, take: &BTreeSet<usize>, of: usize) -> Result<Parts, String> {
    let tool = &call.tool;
    let parts = (entry.parts)(&call.arguments, take).map_err(|failure| failure.reason())?;
    let parts = parts.ok_or_else(|| {
        format!("`{tool}`: expected a change that has parts, but this call has none")
    })?;
    let n = parts.n;
    if n != of {
        return Err(format!(
            "`{tool}`: expected an answer about its {n} parts, but it counts {of}"
        ));
    }
    match take.last() {
        None => Err(format!(
            "`{tool}`: expected at least one of its {n} parts, but found none; refuse the call instead"
        )),
        Some(last) if *last >= n => Err(format!(
            "`{tool}`: expected parts from 0 to {}, but found {last}",
            n.saturating_sub(1)
        )),
        Some(_) if take.len() == n => Err(format!(
            "`{tool}`: expected to leave out some of its {n} parts, but all are taken; allow the call instead"
        )),
        Some(_) => Ok(parts),
    }
}

fn taken(take: &BTreeSet<usize>, n: usize) -> String {
    let left: Vec<_> =
        (0..n).filter(|part| !take.contains(part)).map(|part| (part + 1).to_string()).collect();
    format!(
        "The user took {} of the {n} parts of this change, and left out number {}.",
        take.len(),
        left.join(", ")
    )
}

/// What differs, in words.
fn changes(before: &Value, after: &Value) -> Result<String, String> {
    let none = Map::new();
    let [before, after] = [before, after].map(|it| it.as_object().unwrap_or(&none));
    let changed = after.iter().filter(|(name, value)| before.get(*name) != Some(value));
    let set = changed.map(|(name, value)| format!("`{name}` is now {}", told(value)));
    let gone = before.keys().filter(|name| !after.contains_key(*name));
    let all: Vec<_> = set.chain(gone.map(|name| format!("`{name}` was left out"))).collect();
    match all.is_empty() {
        true => Err("expected arguments that differ from the call's own, but found the same; \
                     allow the call instead"
            .to_owned()),
        false => Ok(format!("The user changed this call: {}.", all.join("; "))),
    }
}

fn told(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    format!("`{}`", clipped(&text, TOLD, ""))
}

/// What the model reads of a call that was changed.
pub(crate) fn with_note(outcome: ToolOutcome, note: &str) -> ToolOutcome {
    match outcome {
        Ok(mut output) => {
            output.echo = tagline_protocol::Echo::new(&format!("{note}\n{}", output.echo));
            Ok(output)
        }
        Err(failure) => Err(failed(failure, note)),
    }
}

/// The same of a call that did not work, or was not let run.
pub(crate) fn failed(failure: ToolFailure, note: &str) -> ToolFailure {
    failure.map(|reason| format!("{reason}\n{note}"))
}
