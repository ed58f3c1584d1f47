//! What the server asks of the program around it, beside the sessions.

use std::path::PathBuf;

use futures_util::future::BoxFuture;
use serde_json::Value;
use tagline_server::{Backstage, Blob, Check, Files, ModelRow};
use tagline_session::{Clock as _, SystemClock};
use tagline_store::AnyJournal;

use super::files::Folders;
use crate::{app::App, config, verbs::models};

/// The program, as the server sees it.
#[derive(Debug)]
pub(super) struct Stage {
    app: App,
    profile: String,
    folders: Folders,
}

impl Stage {
    pub(super) fn new(app: &App, profile: &str, journal: AnyJournal) -> Self {
        let app = App { is_quiet: true, ..app.clone() };
        let folders = Folders::new(app.clone(), journal);
        Self { app, profile: profile.to_owned(), folders }
    }

    /// How much room there is for the journal.
    fn disk(&self) -> Check {
        let found = self.app.paths().map_err(|trouble| trouble.message).and_then(|paths| {
            let stat = rustix::fs::statvfs(&paths.data).map_err(|error| error.to_string())?;
            Ok(stat.f_bavail.saturating_mul(stat.f_frsize))
        });
        let (is_well, detail) = match found {
            Ok(bytes) => (bytes >= SCARCE, format!("{} MiB free", bytes >> 20)),
            Err(message) => (false, message),
        };
        Check { name: "disk".to_owned(), is_well, detail }
    }
}

/// Less room than this is too little to work with: 64 MiB.
const SCARCE: u64 = 64 << 20;

impl Backstage for Stage {
    fn now(&self) -> String {
        SystemClock.now()
    }

    fn workspace(&self) -> PathBuf {
        self.app.env.cwd().to_owned()
    }

    fn profile(&self) -> String {
        self.profile.clone()
    }

    fn config(&self) -> Value {
        self.app.config().map_or_else(
            |trouble| serde_json::json!({ "error": trouble.message }),
            |config| config::as_json(&config),
        )
    }

    fn models(&self) -> BoxFuture<'_, Vec<ModelRow>> {
        Box::pin(async {
            let Ok(config) = self.app.config() else { return Vec::new() };
            let found = models::find(&self.app, &config).await.unwrap_or_default();
            let row = |(n, found): (usize, &tagline_model::Found)| ModelRow {
                name: found.model.to_string(),
                is_default: n == 0,
                context: found.models.first().and_then(|model| model.context_tokens),
            };
            found.iter().enumerate().map(row).collect()
        })
    }

    fn checks(&self) -> BoxFuture<'_, Vec<Check>> {
        Box::pin(async {
            let detail = "none: a command that is allowed runs with your rights".to_owned();
            let sandbox = Check { name: "sandbox".to_owned(), is_well: true, detail };
            vec![self.disk(), sandbox]
        })
    }

    /// Events carry their images themselves, as `data:` addresses, so none is kept by its hash.
    fn media<'a>(&'a self, _hash: &'a str) -> BoxFuture<'a, Option<Blob>> {
        Box::pin(std::future::ready(None))
    }

    fn files(&self) -> &dyn Files {
        &self.folders
    }
}
