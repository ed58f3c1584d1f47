//! Whose changes are meant.

use std::{fs, path::PathBuf};

use tagline_snapshot::Store;
use tagline_store::{Journal as _, SessionInfo};

use crate::{
    app::App,
    exit::Exit,
    journal::{open_existing, refuse},
    output::fail,
    verbs::sessions::none,
};

/// A session.
pub(super) struct Found {
    /// Its whole id.
    pub(super) id: String,
    /// The folder it works in, links resolved.
    pub(super) folder: PathBuf,
}

/// The session of this id, or of an id that begins so; the newest one of the working folder if
/// none is named.
pub(super) fn find(app: &App, store: &Store, asked: Option<&str>) -> Result<Found, Exit> {
    let info = App::runtime()?.block_on(async {
        match asked {
            Some(asked) => named(app, asked).await,
            None => newest(app, store).await,
        }
    })?;
    let folder = info.workspace.canonicalize().unwrap_or(info.workspace);
    Ok(Found { id: info.id, folder })
}

async fn named(app: &App, asked: &str) -> Result<SessionInfo, Exit> {
    let journal = open_existing(app)?.ok_or_else(|| none(asked))?;
    journal.find(asked).await.map_err(|error| refuse(&error))
}

async fn newest(app: &App, store: &Store) -> Result<SessionInfo, Exit> {
    let real = |path: &std::path::Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let here = real(app.env.cwd());
    let all = match open_existing(app)? {
        Some(journal) => journal.sessions().await.map_err(|error| refuse(&error))?,
        None => Vec::new(),
    };
    let kept = store.sessions();
    let is_it = |info: &SessionInfo| kept.contains(&info.id) && real(&info.workspace) == here;
    all.into_iter().find(is_it).ok_or_else(|| {
        let folder = here.display();
        let words = format!(
            "no session changed anything in `{folder}`; name one: `tagline sessions list` lists them"
        );
        fail(Exit::Usage, words)
    })
}
