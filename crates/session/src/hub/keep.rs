//! Copies of sessions, and their removal.

use std::sync::Arc;

use tagline_store::{Journal, SessionInfo};

use super::{Hub, HubError, Scope};
use crate::{Upto, fork};

impl<J: Journal + 'static> Hub<J> {
    /// A copy of a session: see [`crate::fork`].
    ///
    /// # Errors
    ///
    /// What the journal says, [`HubError::Fork`], [`HubError::ShuttingDown`].
    pub async fn fork(&self, session: &str, upto: Upto) -> Result<SessionInfo, HubError> {
        self.core.open()?;
        let core = Arc::clone(&self.core);
        let source = core.journal.find(session).await?;
        self.to_its_end(async move {
            let id = core.workshop.new_id();
            Ok(fork(&*core.journal, &*core.clock, source, id, &upto).await?)
        })
        .await
    }

    /// Removes a session: its turn is stopped, what it left running is ended, its readers are told,
    /// and nothing is kept of it.
    ///
    /// # Errors
    ///
    /// What the journal says; then the session is still there.
    pub async fn delete(&self, session: &str) -> Result<(), HubError> {
        self.core.open()?;
        let (hub, desk) = (self.clone(), self.desk(session).await?);
        self.to_its_end(async move {
            let id = desk.info().await?.id;
            // Not the turn alone: what waits would begin the next one.
            desk.stop(Scope::All).await?;
            desk.settled().await;
            desk.put_away().await;
            hub.core.journal.delete(&id).await?;
            hub.desks().remove(&id);
            Ok(())
        })
        .await
    }
}
