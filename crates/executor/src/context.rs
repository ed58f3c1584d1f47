//! What one call may touch.

use std::{
    any::{Any, TypeId},
    collections::{BTreeMap, HashMap},
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::Value;
use tagline_protocol::{CallId, Event, ToolFailure};
use tokio_util::sync::CancellationToken;

/// Takes live events of a call, in order. Must not block.
pub type Emit = Arc<dyn Fn(Event) + Send + Sync>;

/// What tools may reach beside their arguments, by type: the app wires them, a tool asks for one
/// with [`ToolContext::get`].
#[derive(Clone, Default)]
pub struct Capabilities {
    by_type: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

impl Capabilities {
    /// Adds one, replacing another of its type.
    #[must_use]
    pub fn with<T: Any + Send + Sync>(mut self, capability: Arc<T>) -> Self {
        self.by_type.insert(TypeId::of::<T>(), capability);
        self
    }

    /// The one of this type, if the app wired it.
    #[must_use]
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.by_type.get(&TypeId::of::<T>()).cloned()?.downcast().ok()
    }
}

impl fmt::Debug for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Capabilities").field("n", &self.by_type.len()).finish()
    }
}

/// Details for the record that the executor writes anyway.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    notes: Arc<Mutex<BTreeMap<String, Value>>>,
}

impl Audit {
    /// Adds a detail; a later one of the same name replaces it.
    pub fn note(&self, name: &str, value: impl Into<Value>) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.insert(name.to_owned(), value.into());
    }

    /// The details so far.
    #[must_use]
    pub fn notes(&self) -> BTreeMap<String, Value> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What one call may touch; always named `cx`.
#[derive(Clone)]
pub struct ToolContext {
    /// The call.
    pub call: CallId,
    /// The session.
    pub session: String,
    /// Whether a person said yes to this very call. One that a rule or a mode let run is not.
    pub is_approved: bool,
    /// Fires when the call must end.
    pub cancel: CancellationToken,
    /// Details for the audit record.
    pub audit: Audit,
    /// Live events.
    pub emit: Emit,
    /// Everything else.
    pub capabilities: Capabilities,
}

impl ToolContext {
    /// A capability.
    ///
    /// # Errors
    ///
    /// [`ToolFailure::Failed`] where the app did not wire it.
    pub fn get<T: Any + Send + Sync>(&self) -> Result<Arc<T>, ToolFailure> {
        self.capabilities.get().ok_or_else(|| {
            let name = std::any::type_name::<T>();
            ToolFailure::Failed(format!("this tool needs {name}, which is not available here"))
        })
    }
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext").field("call", &self.call).finish_non_exhaustive()
    }
}
