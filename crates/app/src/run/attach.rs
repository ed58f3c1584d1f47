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

/// A new session, the newest one, or the one that is named.
pub(crate) async fn which(app: &App, args: &TurnArgs) -> Result<Which, Exit> {
    if !args.continues && args.resume.is_none() {
        return Ok(Which::New { workspace: app.env.cwd().to_owned() });
    }
    let none = || {
        fail(
            Exit::Usage,
            "there is no session to go on with; begin one with `tagline run \"what to do\"`",
        )
    };
    let journal = open_existing(app)?.ok_or_else(none)?;
    let found = match &args.resume {
        Some(prefix) => Some(journal.find(prefix).await),
        None => journal.sessions().await.map(|all| all.into_iter().next()).transpose(),
    };
    let info = found.ok_or_else(none)?.map_err(|error| refuse(&error))?;
    Ok(Which::Old(info))
}
