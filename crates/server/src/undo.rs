//! What calls changed, and the way back, as the routes see it.

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Serialize;

/// What can be done with what is kept of a session's changes. The app looks at the files.
pub trait Undo: Send + Sync {
    /// What these calls changed.
    fn changes<'a>(&'a self, session: &'a str, which: Which) -> Found<'a, Changes>;
    /// What bringing it back would change, and unless `is_dry`, the same after it is done. What was
    /// changed since is left alone, unless `is_forced`.
    fn undo<'a>(&'a self, session: &'a str, which: Which, how: How) -> Found<'a, Undone>;
}

/// What came of it.
pub type Found<'a, T> = BoxFuture<'a, Result<T, UndoProblem>>;

/// Which calls are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// One call, or one undo, by its id, such as `t2.1` or `u1`.
    Call(String),
    /// Those of a turn, from 1.
    Turn(u32),
    /// Those of the newest turn of which something is still as it left it.
    Last,
}

/// How it is brought back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct How {
    /// Nothing is done.
    pub is_dry: bool,
    /// Also what was changed since.
    pub is_forced: bool,
}

/// What calls changed, or what bringing it back changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Changes {
    /// The calls, in their order.
    pub calls: Vec<ChangingCall>,
    /// What is another afterwards, by path; at most 200 rows, and 256 KiB of text in all.
    pub changes: Vec<ChangeRow>,
    /// Rows that are not among them.
    pub n_more: usize,
    /// What is not known of, in sentences.
    pub not_covered: Vec<String>,
}

/// A call that changed something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangingCall {
    /// Its id; that of an undo begins with `u`.
    pub call: String,
    /// The tool; empty for an undo.
    pub tool: String,
    /// The path or the command.
    pub target: String,
}

/// A thing that is another afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangeRow {
    /// Below the session's folder, or absolute.
    pub path: String,
    /// `create`, `change`, `remove` or `replace`.
    pub verb: String,
    /// What there is to say beside the text, such as `mode 0644 to 0755`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub facts: String,
    /// The lines that differ, as a unified diff.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Why it is left as it is; absent where it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
}

/// What was brought back, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Undone {
    /// What is another now, or would be.
    #[serde(flatten)]
    pub what: Changes,
    /// How many things were brought back.
    pub n_done: usize,
    /// By which this is taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// What could not be brought back, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UndoProblem {
    /// Nothing of that is kept.
    #[error("{0}")]
    Nothing(String),
    /// A call, or another undo, is at it.
    #[error("a call or an undo of session {0} is under way")]
    Busy(String),
    /// What the store or the system says.
    #[error("{0}")]
    Store(String),
}
