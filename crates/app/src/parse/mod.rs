//! `tagline parse`: any model text in, calls out.

/// Runs the verb.
pub(crate) fn run() {}
