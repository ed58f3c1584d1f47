//! Which session a turn belongs to.

use tagline_store::Journal as _;

use super::Which;
use crate::{
    app::App,
    cli::TurnArgs,
    exit::Exit,
    journal::{open_existing, refuse},
    output::fail,
};

/// A new session, the newest one, the one that is named, or a copy of one.
pub(crate) async fn which(app: &App, args: &TurnArgs) -> Result<Which, Exit> {
    if !args.has_past() {
        return Ok(Which::New { workspace: app.env.cwd().to_owned() });
    }
    let none = || {
        fail(
            Exit::Usage,
            "there is no session to go on with; begin one with `tagline run \"what to do\"`",
        )
    };
    let journal = open_existing(app)?.ok_or_else(none)?;
    let found = match args.fork.as_ref().or(args.resume.as_ref()) {
        Some(prefix) => Some(journal.find(prefix).await),
        None => journal.sessions().await.map(|all| all.into_iter().next()).transpose(),
    };
    let info = found.ok_or_else(none)?.map_err(|error| refuse(&error))?;
    // Going on without keeping anything is going on in a copy.
    let is_copied = args.fork.is_some() || args.ephemeral;
    Ok(if is_copied { Which::Fork(info) } else { Which::Old(info) })
}
