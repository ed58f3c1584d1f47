//! `tagline run`: one task, done to its end.

use crate::{app::App, cli::RunArgs, exit::Exit, output::fail};

/// Runs the verb.
pub(crate) fn run(app: &App, args: RunArgs) -> Exit {
    let _ = (app, args);
    fail(Exit::Failed, "`tagline run` is not wired up")
}
