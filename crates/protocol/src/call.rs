//! A call: a block that a tool accepted.

use alloc::string::String;
use core::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Effect;

/// Identifies a call within its session; the same call keeps it in every frame.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct CallId(pub String);

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A validated call: the tool's registered name and its typed arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Identifies it.
    pub id: CallId,
    /// The registered name of the tool.
    pub tool: String,
    /// Arguments, typed by the tool's schema: always a JSON object.
    pub arguments: serde_json::Value,
    /// What it may do.
    pub effect: Effect,
    /// Its end, or an earlier one of the same reply, was guessed by the parser.
    pub is_recovered: bool,
    /// Its start stood inside a CDATA section that was never ended.
    pub is_from_unclosed_cdata: bool,
}
