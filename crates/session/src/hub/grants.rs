//! What the answers of people let run, seen and taken back.

use tagline_store::Journal;

use super::{Hub, HubError, letters::is_elsewhere, types::Granted};

impl<J: Journal + 'static> Hub<J> {
    /// What the answers of all sessions of this process let run. Those of another process are told
    /// there.
    pub async fn grants(&self) -> Vec<Granted> {
        let desks: Vec<_> = self.desks().values().cloned().collect();
        let grants = desks.iter().map(|desk| desk.grants());
        futures_util::future::join_all(grants).await.concat()
    }

    /// Takes back what an answer lets run: from the next call on it asks again. Once this returns it
    /// is in the journal.
    ///
    /// # Errors
    ///
    /// [`HubError::NoGrant`], [`HubError::ShuttingDown`], and what the journal says.
    pub async fn revoke(&self, session: &str, scope: &str) -> Result<(), HubError> {
        let (desk, scope) = (self.desk(session).await?, scope.to_owned());
        let this = self.clone();
        self.to_its_end(async move {
            match desk.revoke(&scope).await {
                Err(busy) if is_elsewhere(&busy) => {
                    this.revoke_by_letter(desk.id(), &scope, busy).await
                }
                revoked => revoked,
            }
        })
        .await
    }
}
