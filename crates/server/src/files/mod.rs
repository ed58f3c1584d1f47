//! The user's files, as the routes see them.

mod name;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Serialize;

use crate::Blob;

pub use name::{FileName, FilePath, NameError, Root};

/// What can be done with files. The app does it with handles, so that no link leads out of a root.
pub trait Files: Send + Sync {
    /// What a folder holds, by name.
    fn list<'a>(&'a self, folder: &'a FilePath) -> Done<'a, Vec<FileEntry>>;
    /// A whole file, if it has at most `limit` bytes.
    fn read<'a>(&'a self, file: &'a FilePath, limit: usize) -> Done<'a, Blob>;
    /// Writes a whole file: old or new, never half. One that is there is an error unless
    /// `replace` says otherwise.
    fn write<'a>(
        &'a self,
        file: &'a FilePath,
        bytes: Bytes,
        replace: Replace,
    ) -> Done<'a, FileEntry>;
    /// Makes a folder.
    fn make_folder<'a>(&'a self, folder: &'a FilePath) -> Done<'a, FileEntry>;
    /// Moves a file or folder. What is at `to` is never replaced.
    fn relocate<'a>(&'a self, from: &'a FilePath, to: &'a FilePath) -> Done<'a, FileEntry>;
}

/// What came of it.
pub type Done<'a, T> = BoxFuture<'a, Result<T, FileProblem>>;

/// Whether a file that is there may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replace {
    /// It stays.
    No,
    /// It is.
    Yes,
}

/// A file or folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileEntry {
    /// Its name.
    pub name: String,
    /// `file`, `folder` or `other`.
    pub kind: String,
    /// Bytes of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// When it was changed last, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<String>,
}

/// Why it was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileProblem {
    /// There is nothing.
    #[error("there is nothing at `{0}`")]
    Missing(String),
    /// There is something.
    #[error("there is something at `{0}` already")]
    Exists(String),
    /// A folder where a file was expected, or the other way round, or a pipe or device.
    #[error("`{path}`: expected {expected}, but it is something else")]
    Kind {
        /// Where.
        path: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A link leads out of the root, or the root is none.
    #[error("`{0}` leads out of the folders that may be used")]
    Outside(String),
    /// Too large to be sent.
    #[error("`{path}` has more than {limit} bytes")]
    Large {
        /// Where.
        path: String,
        /// Most bytes.
        limit: usize,
    },
    /// What the system says.
    #[error("{0}")]
    System(String),
}
