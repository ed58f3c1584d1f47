//! Tools as rows: data and functions.

use std::{collections::BTreeSet, fmt, future::Future, pin::Pin, sync::OnceLock, time::Duration};

use serde_json::Value;
use tagline_policy::Claims;
use tagline_protocol::{
    SpecError, ToolFailure, ToolOutcome, ToolSpec, Toolset, is_same_name, nearest,
};

use crate::{Parts, Tool, ToolContext, spec};

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
    /// Whether the tool can read the arguments.
    pub check: fn(&Value) -> Result<(), ToolFailure>,
    /// See [`Tool::parts`].
    pub parts: fn(&Value, &BTreeSet<usize>) -> Result<Option<Parts>, ToolFailure>,
    /// Runs the call.
    pub call: for<'a> fn(Value, &'a ToolContext) -> CallFuture<'a>,
}

impl Entry {
    /// The row of a tool.
    ///
    /// # Errors
    ///
    /// [`SpecError`] where the type cannot be written as a tag.
    pub fn of<T: Tool>() -> Result<Self, SpecError> {
        Ok(Self {
            spec: spec::of::<T>()?,
            timeout: T::TIMEOUT,
            claims: claims::<T>,
            is_polling: is_polling::<T>,
            check: |arguments| decode::<T>(arguments.clone()).map(drop),
            parts: |arguments, take| Ok(decode::<T>(arguments.clone())?.parts(take)),
            call: call::<T>,
        })
    }
}

/// The tools, in the order the prompt lists them.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    entries: Vec<Entry>,
    faults: Vec<SpecError>,
    /// Made once somebody asks for it.
    toolset: OnceLock<Toolset>,
}

impl Registry {
    /// Adds a tool at the end. A type that is no tool is kept out; see [`Registry::faults`].
    pub fn add<T: Tool>(&mut self) {
        match Entry::of::<T>() {
            Ok(entry) => self.push(entry),
            Err(fault) => self.faults.push(fault),
        }
    }

    /// Adds a row at the end: a tool whose type is not known at build time.
    pub fn push(&mut self, entry: Entry) {
        self.toolset.take();
        self.entries.push(entry);
    }

    /// Every tool.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What kept types out. A test of the list of tools asserts that there is nothing.
    #[must_use]
    pub fn faults(&self) -> &[SpecError] {
        &self.faults
    }

    /// The tool of this registered name or alias; ASCII case does not count, a hyphen equals an
    /// underscore. Where two share a name, the first wins.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.spec.names().any(|it| is_same_name(it, name)))
    }

    /// How the tools present themselves; the same one for all who ask.
    #[must_use]
    pub fn toolset(&self) -> Toolset {
        let specs = || self.entries.iter().map(|entry| entry.spec.clone());
        self.toolset.get_or_init(|| Toolset::new(specs())).clone()
    }

    /// Keeps the tools of these registered names, in their order, each once.
    pub(crate) fn keep(&mut self, names: &[String]) {
        let mut kept: Vec<Entry> = Vec::new();
        for entry in names.iter().filter_map(|name| self.get(name)) {
            if kept.iter().all(|it| it.spec.name != entry.spec.name) {
                kept.push(entry.clone());
            }
        }
        self.toolset.take();
        self.entries = kept;
    }

    /// What to say of a name that no tool has.
    #[must_use]
    pub fn no_such_tool(&self, name: &str) -> NoSuchTool {
        let known = self.entries.iter().map(|entry| entry.spec.name.as_str());
        NoSuchTool { name: name.to_owned(), near: nearest(name, known) }
    }
}

/// A name that no tool has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchTool {
    /// What was asked for.
    pub name: String,
    /// Names near it, best first.
    pub near: Vec<String>,
}

impl fmt::Display for NoSuchTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tool `{}`: expected the name of a tool", self.name)?;
        if !self.near.is_empty() {
            let quoted: Vec<_> = self.near.iter().map(|it| format!("`{it}`")).collect();
            write!(f, ", such as {}", quoted.join(" or "))?;
        }
        f.write_str("; list them with `tagline tools list`")
    }
}

impl std::error::Error for NoSuchTool {}

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
