//! What ends a session's work beside the turn's own ends.

use tagline_executor::RecordError;
use tagline_store::StoreError;

/// Why a turn could not go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The journal cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The task that writes the log is gone.
    #[error("the journal's writer has ended; the turn was stopped, start it again with `-c`")]
    LogGone,
    /// A call has ended, but that could not be saved.
    #[error("{0}; the turn was stopped, because nothing may go on unrecorded")]
    Unsaved(RecordError),
}
