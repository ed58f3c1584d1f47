//! Tools as rows: data and functions.

use std::{future::Future, pin::Pin, time::Duration};

use serde_json::Value;
use tagline_policy::Claims;
use tagline_protocol::{ToolFailure, ToolOutcome, ToolSpec};

use crate::{Tool, ToolContext};

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

/// The tools, in the order the prompt lists them.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    entries: Vec<Entry>,
}

impl Registry {
    /// Adds a tool at the end.
    pub fn add<T: Tool>(&mut self) {}

    /// Every tool.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The tool of this registered name or alias.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.spec.name == name)
    }
}
