//! What the renderer is used for.

/// What a session is shown for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It runs, and its answer goes to standard output by itself.
    Run,
    /// It is looked at, answers and all.
    Record,
    /// The user types on the same screen.
    Conversation {
        /// The session was named there.
        is_named: bool,
    },
    /// It is what came before a conversation: what was said and done, and nothing about it.
    Past,
}
