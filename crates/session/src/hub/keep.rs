//! Copies of sessions, and their removal.

use std::sync::Arc;

use tagline_store::{Journal, SessionInfo};

use super::{Hub, HubError, Scope};

impl<J: Journal + 'static> Hub<J> {
    /// A copy of a session with everything that it holds so far. Both go on by themselves.
    ///
    /// # Errors
    ///
    /// What the journal says, [`HubError::ShuttingDown`].
    pub async fn fork(&self, session: &str) -> Result<SessionInfo, HubError> {
        self.core.open()?;
        let core = Arc::clone(&self.core);
        let source = core.journal.find(session).await?;
        self.to_its_end(async move {
            let (id, created) = (core.workshop.new_id(), core.clock.now());
            let info = SessionInfo { id: id.clone(), created, ..source.clone() };
            core.journal.fork(&source.id, info).await?;
            Ok(core.journal.find(&id).await?)
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
