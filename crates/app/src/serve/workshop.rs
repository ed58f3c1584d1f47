//! What the sessions of a server are made of: the same parts as those of a run.

use std::{fmt, sync::Arc};

use futures_util::future::BoxFuture;
use tagline_session::{Equipment, Upkeep, Workshop, WorkshopError};
use tagline_store::SessionInfo;

use crate::{
    app::App,
    exit::Exit,
    run::new_id,
    trouble::Trouble,
    wiring::{self, Attendance, Equipped, Place, Want, equip},
};

/// Makes the parts from the settings as they are when a session begins to work.
pub(super) struct Shop {
    /// Quiet: what it says goes to whoever asked.
    app: App,
}

impl Shop {
    pub(super) fn new(app: &App) -> Self {
        Self { app: App { is_quiet: true, ..app.clone() } }
    }

    async fn make(&self, session: &SessionInfo) -> Result<Equipment, Trouble> {
        let app = self.app.at(&session.workspace);
        if !session.workspace.is_dir() {
            let folder = session.workspace.display();
            let message = format!("the session works in `{folder}`, which is no folder; make it");
            return Err(Trouble::new(Exit::Setup, message));
        }
        let config = app.config()?;
        let settings = config.settings();
        let model = wiring::choose(&app, &settings).await?;
        let want = Want {
            settings: &settings,
            profile: &session.profile,
            session: &session.id,
            model: model.info(),
            // A question stands until somebody who watches answers it.
            attendance: Attendance::Attended,
            schema: None,
        };
        let Equipped { place, registry, settings, price: _ } = equip(&app, &want)?;
        let place = place.with_undo(&app, &session.id)?;
        // What a killed process of this session left running.
        place.runs.end_leftovers().await;
        let (capabilities, situation) = (place.capabilities.clone(), place.situation.clone());
        let upkeep = Arc::new(Kept(place));
        Ok(Equipment { model, registry, capabilities, situation, settings, upkeep })
    }
}

impl Workshop for Shop {
    fn equip<'a>(
        &'a self,
        session: &'a SessionInfo,
    ) -> BoxFuture<'a, Result<Equipment, WorkshopError>> {
        Box::pin(async move {
            self.make(session).await.map_err(|Trouble { exit, message }| WorkshopError {
                code: exit.status().to_owned(),
                message,
            })
        })
    }

    fn new_id(&self) -> String {
        new_id()
    }
}

impl fmt::Debug for Shop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shop")
    }
}

/// What a session holds beside its turns: its commands.
struct Kept(Place);

impl Upkeep for Kept {
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.0.close())
    }
}
