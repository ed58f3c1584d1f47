//! What the server needs of the program around it, beside the sessions.

use std::{fmt, path::PathBuf};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{Files, Setup, Undo};

/// What the app brings.
pub trait Backstage: Send + Sync + fmt::Debug {
    /// The time, RFC 3339 with milliseconds, UTC.
    fn now(&self) -> String;
    /// The folder of a session for which none is named; absolute.
    fn workspace(&self) -> PathBuf;
    /// The profile of this server.
    fn profile(&self) -> String;
    /// What is set, and where each value comes from. No secret is among it.
    fn config(&self) -> Value;
    /// The models that were found.
    fn models(&self) -> BoxFuture<'_, Vec<ModelRow>>;
    /// Whether each part is well; see [`Check`].
    fn checks(&self) -> BoxFuture<'_, Vec<Check>>;
    /// The providers that failed lately.
    fn providers(&self) -> Vec<ProviderState>;
    /// The user's files.
    fn files(&self) -> &dyn Files;
    /// What calls changed.
    fn undo(&self) -> &dyn Undo;
    /// Providers, keys and the user's settings.
    fn setup(&self) -> &dyn Setup;
}

/// A model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ModelRow {
    /// `provider/model`.
    pub name: String,
    /// Whether new sessions use it.
    pub is_default: bool,
    /// Tokens of its context, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<u64>,
}

/// Whether one part is well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Check {
    /// The part, such as `journal` or `disk`.
    pub name: String,
    /// Whether it is.
    pub is_well: bool,
    /// How it is, in words.
    pub detail: String,
}

/// A provider that failed lately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderState {
    /// Its address; behind a blank a model there, where only that fails.
    pub name: String,
    /// Whether it is asked at present; one that keeps failing is spared for a while.
    pub is_asked: bool,
    /// The code of its last fault.
    pub code: String,
}

/// Bytes and what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// The bytes.
    pub bytes: Bytes,
    /// Such as `image/png`.
    pub media_type: String,
}
