//! `tagline demo`: a task done by a scripted model, everything else real.

use crate::{app::App, exit::Exit, output::fail};

/// `tagline demo`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Exit {
    let _ = (app, args);
    fail(Exit::Failed, "`tagline demo` is not wired up")
}
