//! `tagline man`: manual pages, from the same words as `--help`.

use crate::{
    cli,
    exit::Exit,
    output::{fail, print},
};

/// `tagline man`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The verb; without one, the page of the program.
    verb: Option<String>,
}

/// Writes a page, in troff, to standard output.
pub(crate) fn run(args: &Args) -> Result<Exit, Exit> {
    let page = page(args.verb.as_deref())?;
    let mut text = Vec::new();
    clap_mangen::Man::new(page)
        .render(&mut text)
        .map_err(|error| fail(Exit::Failed, format_args!("manual page: {error}")))?;
    print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Done)
}

fn page(verb: Option<&str>) -> Result<clap::Command, Exit> {
    let mut command = cli::command();
    command.build();
    let Some(verb) = verb else { return Ok(command) };
    let found = command.find_subcommand(verb).cloned();
    // Shown as `tagline-run`, as git and cargo name theirs.
    found.map(|found| found.name(format!("tagline-{verb}"))).ok_or_else(|| {
        let names = command.get_subcommands().map(clap::Command::get_name);
        let near = cli::nearest(verb, names);
        let hint = near.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
        fail(Exit::Usage, format_args!("man: there is no verb `{verb}`{hint}"))
    })
}
