//! How much runs without a question, session by session.

use tagline_protocol::Mode;
use tagline_store::Journal;

use super::{Hub, HubError, letters::is_elsewhere};

impl<J: Journal + 'static> Hub<J> {
    /// Sets the mode of a session: it counts from the next call on, for later turns and after a
    /// restart. Once this returns it is in the journal.
    ///
    /// # Errors
    ///
    /// What the journal says, [`HubError::ShuttingDown`].
    pub async fn set_mode(&self, session: &str, mode: Mode) -> Result<(), HubError> {
        let desk = self.desk(session).await?;
        let this = self.clone();
        self.to_its_end(async move {
            match desk.set_mode(mode).await {
                Err(busy) if is_elsewhere(&busy) => {
                    this.set_mode_by_letter(desk.id(), mode, busy).await
                }
                set => set,
            }
        })
        .await
    }

    /// The mode of a session: the one in force where it works in this process, else the one that
    /// was set for it. `None`: its next turn takes the one of its settings.
    ///
    /// # Errors
    ///
    /// What the journal says.
    pub async fn mode(&self, session: &str) -> Result<Option<Mode>, HubError> {
        let desk = self.desk(session).await?;
        self.to_its_end(async move { desk.mode().await }).await
    }
}
