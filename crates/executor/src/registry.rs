//! Tools as rows: data and functions.

use std::{future::Future, pin::Pin, time::Duration};

use serde_json::Value;
use tagline_policy::Claims;
use tagline_protocol::{ToolFailure, ToolOutcome, ToolSpec};

use crate::{Tool, ToolContext, spec};

/// A call on its way.
pub type CallFuture<'a> = Pin<Box<dyn Future<Output = ToolOutcome> + Send + 'a>>;

/// A [`Tool`] as a row of the [`Registry`].
#[derive(Clone, Debug)]
pub struct Entry {
    /// How the tool presents itself.
    pub spec: ToolSpec,
    /// How long a run may take.
    pub timeout: Duration,
    /// What the call touches.
    pub claims: fn(&Value, &ToolContext) -> Result<Claims, ToolFailure>,
    /// Whether the call is a poll.
    pub is_polling: fn(&Value) -> bool,
    /// Runs the call.
    pub call: for<'a> fn(Value, &'a ToolContext) -> CallFuture<'a>,
}

impl Entry {
    /// The row of a tool.
    #[must_use]
    pub fn of<T: Tool>() -> Self {
        Self {
            spec: spec::of::<T>(),
            timeout: T::TIMEOUT,
            claims: claims::<T>,
            is_polling: is_polling::<T>,
            call: call::<T>,
        }
    }

    /// Whether the tool is called this: its name or one of its aliases.
    #[must_use]
    pub fn answers_to(&self, name: &str) -> bool {
        self.spec.name == name || self.spec.aliases.iter().any(|alias| alias == name)
    }
}

/// The tools, in the order the prompt lists them.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    entries: Vec<Entry>,
}

impl Registry {
    /// Adds a tool at the end.
    pub fn add<T: Tool>(&mut self) {
        self.push(Entry::of::<T>());
    }

    /// Adds a row at the end: a tool whose type is not known at build time.
    pub fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// Every tool.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The tool of this registered name or alias. A name goes before an alias of another tool.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Entry> {
        let named = self.entries.iter().find(|entry| entry.spec.name == name);
        named.or_else(|| self.entries.iter().find(|entry| entry.answers_to(name)))
    }

    /// The tools of these names or aliases, in the order of this registry.
    ///
    /// # Errors
    ///
    /// The first name that no tool has.
    pub fn only(&self, names: &[String]) -> Result<Self, NoSuchTool> {
        let mut wanted = Vec::new();
        for name in names {
            let entry = self.get(name).ok_or_else(|| NoSuchTool::new(name, &self.entries))?;
            wanted.push(&entry.spec.name);
        }
        let is_wanted = |entry: &&Entry| wanted.contains(&&entry.spec.name);
        Ok(Self { entries: self.entries.iter().filter(is_wanted).cloned().collect() })
    }
}

/// A name that no tool has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no tool is named `{name}`: expected one of {known}; list them with `tagline tools list`")]
pub struct NoSuchTool {
    /// What was asked for.
    pub name: String,
    /// The names there are, in backquotes.
    pub known: String,
}

impl NoSuchTool {
    fn new(name: &str, entries: &[Entry]) -> Self {
        let known: Vec<_> = entries.iter().map(|entry| format!("`{}`", entry.spec.name)).collect();
        Self { name: name.to_owned(), known: known.join(", ") }
    }
}

fn decode<T: Tool>(arguments: Value) -> Result<T, ToolFailure> {
    serde_json::from_value(arguments).map_err(|error| {
        let example = T::EXAMPLES.first().copied().unwrap_or(T::NAME);
        ToolFailure::BadCall(format!("`{}`: {error}; a correct call: {example}", T::NAME))
    })
}

fn claims<T: Tool>(arguments: &Value, cx: &ToolContext) -> Result<Claims, ToolFailure> {
    Ok(decode::<T>(arguments.clone())?.claims(cx))
}

fn is_polling<T: Tool>(arguments: &Value) -> bool {
    decode::<T>(arguments.clone()).is_ok_and(|tool| tool.is_polling())
}

fn call<T: Tool>(arguments: Value, cx: &ToolContext) -> CallFuture<'_> {
    Box::pin(async move { decode::<T>(arguments)?.run(cx).await })
}
