//! `tagline token`: what a client needs to be let in by the server of this folder.

use clap::Subcommand;
use serde_json::{Value, json};
use tagline_server::TokenFile;

use crate::{
    app::App,
    attach,
    cli::ServerArgs,
    exit::Exit,
    output::{fail, note, show},
    serve::token_folder,
};

/// `tagline token`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Clone, Copy, Debug, Subcommand)]
enum What {
    /// Print the token of the profile. Whoever has it can do what you can.
    Show,
    /// Replace it and print the new one: the old one fails at once, and what it opened ends.
    Rotate,
}

/// Runs the verb.
pub(crate) fn run(app: &App, args: &Args) -> Result<Exit, Exit> {
    let token = match args.what {
        What::Show => file(app)?.show(),
        What::Rotate => rotate(app)?,
    };
    show(&format!("{token}\n"))?;
    if !app.is_quiet {
        note(
            "clients send it as `Authorization: Bearer TOKEN`, or have it in TAGLINE_SERVER_TOKEN",
        );
    }
    Ok(Exit::Done)
}

fn file(app: &App) -> Result<TokenFile, Exit> {
    let folder = token_folder(&app.paths()?, app.profile())?;
    TokenFile::open(&folder).map_err(|error| fail(Exit::Setup, error))
}

/// A running server has the token in memory, so it replaces it itself.
fn rotate(app: &App) -> Result<String, Exit> {
    let Some(found) = attach::for_sessions(app, &ServerArgs::default())? else {
        return file(app)?.rotate().map_err(|error| fail(Exit::Setup, error));
    };
    let asked = async { found.door.post("/api/token/rotate", &json!({})).await };
    let answer = App::runtime()?.block_on(asked)?;
    let token = answer.get("token").and_then(Value::as_str);
    token.map(str::to_owned).ok_or_else(|| fail(Exit::Failed, "the server sent no token"))
}
