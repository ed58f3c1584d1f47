//! What the server asks of the program around it, beside the sessions.

use std::path::{Path, PathBuf};

use futures_util::future::BoxFuture;
use serde_json::Value;
use tagline_model::HostState;
use tagline_server::{Backstage, Check, Files, ModelRow, ProviderState, Setup, Undo};
use tagline_session::{Clock as _, SystemClock};
use tagline_store::AnyJournal;

use super::{files::Folders, setup::Belongings, undo::Undoing};
use crate::{
    app::App,
    config::{self, Confine},
    verbs::models,
    wiring::{Held, held},
};

/// The program, as the server sees it.
#[derive(Debug)]
pub(super) struct Stage {
    app: App,
    profile: String,
    folders: Folders,
    undoing: Undoing,
    belongings: Belongings,
}

impl Stage {
    pub(super) fn new(app: &App, profile: &str, journal: AnyJournal) -> Self {
        let app = App { is_quiet: true, ..app.clone() };
        let folders = Folders::new(app.clone(), journal.clone());
        let undoing = Undoing::new(app.clone(), journal);
        let belongings = Belongings::new(app.clone());
        Self { app, profile: profile.to_owned(), folders, undoing, belongings }
    }

    fn disk(&self) -> Check {
        match self.app.paths() {
            Ok(paths) => disk(&paths.data, SCARCE),
            Err(trouble) => {
                Check { name: DISK.to_owned(), is_well: false, detail: trouble.message }
            }
        }
    }

    /// Whether commands are confined. Where they need not be, work can be taken in all the same.
    fn sandbox(&self) -> Check {
        let settings = self.app.config().map(|config| config.settings()).unwrap_or_default();
        let (is_well, detail) = match held(&self.app, &settings) {
            Held::Yes(words) => (true, words),
            Held::No(words) => (settings.confine != Confine::Require, words),
            Held::Off => (true, "off: a command that is allowed runs with your rights".to_owned()),
        };
        Check { name: "sandbox".to_owned(), is_well, detail }
    }
}

const DISK: &str = "disk";

/// How much room there is where the journal lies; less than `scarce` bytes are too few.
fn disk(folder: &Path, scarce: u64) -> Check {
    let (is_well, detail) = match rustix::fs::statvfs(folder) {
        Ok(stat) => {
            let bytes = stat.f_bavail.saturating_mul(stat.f_frsize);
            (bytes >= scarce, format!("{} MiB free, {} MiB needed", bytes >> 20, scarce >> 20))
        }
        Err(error) => (false, format!("`{}`: {error}", folder.display())),
    };
    Check { name: DISK.to_owned(), is_well, detail }
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
        Box::pin(async { vec![self.disk(), self.sandbox()] })
    }

    fn providers(&self) -> Vec<ProviderState> {
        let troubled = self.app.connector.troubled().into_iter();
        let state = |HostState { name, is_asked, code }| ProviderState { name, is_asked, code };
        troubled.map(state).collect()
    }

    fn files(&self) -> &dyn Files {
        &self.folders
    }

    fn undo(&self) -> &dyn Undo {
        &self.undoing
    }

    fn setup(&self) -> &dyn Setup {
        &self.belongings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_with_less_room_than_is_needed_is_not_well() {
        let folder = tempfile::tempdir().unwrap();
        assert!(disk(folder.path(), 0).is_well);
        let scarce = disk(folder.path(), u64::MAX);
        assert!(!scarce.is_well && scarce.detail.contains("MiB free"), "{}", scarce.detail);
        let gone = disk(&folder.path().join("none"), 0);
        assert!(!gone.is_well && gone.detail.contains("none"), "{}", gone.detail);
    }
}
