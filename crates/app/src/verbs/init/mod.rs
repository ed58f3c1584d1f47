//! `tagline init`: the first steps in the terminal, as the page has them: model, name, persona.

mod ask;
mod model;

use std::io::{self, IsTerminal as _};

use serde_json::json;
use tagline_server::SettingKept;

use self::ask::Ask;
use crate::{
    app::App,
    config::user_file,
    exit::Exit,
    output::{fail, note, print_json},
    setup,
};

/// `tagline init`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Print at the end what is set, as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the verb. Each step is left out by Enter; what was kept stays, however it ends.
pub(crate) fn run(app: &App, args: &Args) -> Result<Exit, Exit> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(nobody(app)?);
    }
    // What is odd about the settings is said once, and not after each step.
    app.config()?;
    let app = App { is_quiet: true, ..app.clone() };
    let mut ask = Ask::default();
    model::keys(&app, &mut ask)?;
    model::choose(&app, &mut ask)?;
    name(&app, &mut ask)?;
    persona(&app, &mut ask)?;
    end(&app, args)?;
    Ok(Exit::Done)
}

/// Without a terminal there is nobody to ask.
fn nobody(app: &App) -> Result<Exit, Exit> {
    let path = user_file(&app.env, &app.paths()?, &app.request);
    let message = format!(
        "init asks questions, and there is no terminal to ask them in; keep a key with \
         `tagline keys set PROVIDER < FILE`, and write `model`, `assistant.name` and \
         `assistant.persona` into `{}`",
        path.display()
    );
    Ok(fail(Exit::NeedsHuman, message))
}

fn name(app: &App, ask: &mut Ask) -> Result<(), Exit> {
    let now = app.config()?.settings().assistant.name.unwrap_or_default();
    note(format_args!("\nName: what the assistant is called; Enter leaves it at `{now}`."));
    setting(app, ask, "assistant.name")
}

fn persona(app: &App, ask: &mut Ask) -> Result<(), Exit> {
    let now = app.config()?.settings().assistant.persona;
    let leaves = if now.is_some() { "leaves the one that is set" } else { "sets none" };
    note(format_args!(
        "\nPersona: how it behaves, in a line that the model reads; Enter {leaves}."
    ));
    setting(app, ask, "assistant.persona")
}

/// Asks until what is typed fits, or nothing is.
fn setting(app: &App, ask: &mut Ask, name: &str) -> Result<(), Exit> {
    while let Some(text) = ask.line()? {
        match setup::set(app, name, Some(&text)) {
            Ok(kept) => {
                told(&kept);
                return Ok(());
            }
            Err(problem) => note(format_args!("{problem}; try again, or press Enter")),
        }
    }
    Ok(())
}

/// Says what counts now.
fn told(kept: &SettingKept) {
    match &kept.behind {
        None => note(format_args!("kept: `{}`", kept.name)),
        Some(behind) => {
            note(format_args!("kept, but {behind} goes before it: `{}`", kept.name));
        }
    }
}

fn end(app: &App, args: &Args) -> Result<(), Exit> {
    let config = app.config()?;
    let settings = config.settings();
    if args.json {
        print_json(&json!({
            "model": settings.model, "name": settings.assistant.name,
            "persona": settings.assistant.persona,
        }))?;
    }
    let path = user_file(&app.env, &app.paths()?, &app.request);
    note(format_args!("\nYour settings are in `{}`.", path.display()));
    note(
        "`tagline chat` talks in the terminal, `tagline serve` opens the page, `tagline init` does this again.",
    );
    Ok(())
}
