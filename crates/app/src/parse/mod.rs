//! `tagline parse`: any model text in, calls out.

use crate::{exit::Exit, output::fail};

/// `tagline parse`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Runs the verb. Reads no configuration and starts no runtime.
pub(crate) fn run(args: Args) -> Exit {
    let Args {} = args;
    fail(Exit::Failed, "`tagline parse` is not wired up")
}
