//! `tagline chat`: a conversation.

use crate::{app::App, cli::TurnArgs, exit::Exit, output::fail};

/// Runs the verb.
pub(crate) fn run(app: &App, args: TurnArgs) -> Exit {
    let _ = (app, args);
    fail(Exit::Failed, "`tagline chat` is not wired up")
}
