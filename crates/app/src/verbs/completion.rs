//! `tagline completion`: completions for a shell.

use clap_complete::{Shell, generate};

use crate::{cli, exit::Exit, output::print};

/// `tagline completion`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The shell to write them for.
    shell: Shell,
}

/// Writes them to standard output.
pub(crate) fn run(args: &Args) -> Result<Exit, Exit> {
    let mut script = Vec::new();
    generate(args.shell, &mut cli::command(), "tagline", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
