//! `tagline prompt`: what the model is told.

use clap::Subcommand;

use crate::{
    app::App,
    exit::Exit,
    output::{note, print},
    screen::count,
    wiring::{Prompt, estimate, offered, registry},
};

/// `tagline prompt`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print the system prompt, byte for byte; its size goes to standard error.
    Show,
}

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    let Args { what: What::Show } = args;
    let settings = app.config()?.settings();
    let tools = offered(&settings, &registry(&settings)?.toolset());
    let prompt = Prompt::collect(app)?.text(&settings, &tools);
    print(&prompt)?;
    if !app.is_quiet {
        let docs = estimate(&tools.docs(settings.detail));
        let (all, n) = (estimate(&prompt), count(tools.specs().len() as u64, "tool", "tools"));
        note(format_args!("about {all} tokens, {docs} of them for {n}"));
    }
    Ok(Exit::Done)
}
