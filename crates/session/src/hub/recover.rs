//! The start of a hub: what a killed process left open.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tagline_store::{Journal, SessionInfo, StoreError};
use tokio::time::timeout;

use super::{Hub, HubError, Start, past::Reading};

/// What was found at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Sessions whose last turn was cut off; each has its end now.
    pub interrupted: Vec<String>,
    /// Sessions that could not be looked at, and why. The others are not touched by it.
    pub failed: Vec<(String, HubError)>,
}

impl<J: Journal + 'static> Hub<J> {
    /// Ends every turn that has no worker as interrupted: calls that had begun are marked as of
    /// unknown outcome and are never begun again, questions that waited expire, and nothing is
    /// sent to a model again. To be called once, at the start, before anything else.
    ///
    /// Messages that were taken in and that no turn began with are delivered then, unless they
    /// wait behind an interrupted turn or the start is a safe one: those wait until the user sends
    /// something or goes on.
    ///
    /// # Errors
    ///
    /// Where the list of sessions cannot be read.
    pub async fn recover(&self, start: Start) -> Result<Recovered, HubError> {
        self.core.set_safe_mode(start == Start::Safe);
        let recovered = self.take_over().await?;
        if start == Start::Usual {
            let this = self.clone();
            let mut whole = self.core.journal.sessions().await?;
            whole.retain(|info| !recovered.interrupted.contains(&info.id));
            // Nobody waits for it: a session that cannot go on says so to whoever uses it.
            drop(self.core.spawn(async move { this.wake(whole).await }));
        }
        Ok(recovered)
    }

    /// The same for sessions whose process died meanwhile, beside this one; what waits in them
    /// waits for the user.
    ///
    /// # Errors
    ///
    /// Where the open turns cannot be read.
    pub async fn take_over(&self) -> Result<Recovered, HubError> {
        let mut recovered = Recovered::default();
        for open in self.core.journal.open_runs().await? {
            match self.recover_one(&open.session).await {
                Ok(true) => recovered.interrupted.push(open.session),
                // It runs here, or elsewhere.
                Ok(false) | Err(HubError::Store(StoreError::Busy { .. })) => {}
                Err(error) => recovered.failed.push((open.session, error)),
            }
        }
        Ok(recovered)
    }

    /// Takes over what dead processes left, again and again, until the hub is shut down. For
    /// processes that share their sessions with others.
    pub fn tend(&self, every: Duration) {
        let this = self.clone();
        drop(self.core.spawn(async move {
            while timeout(every, this.core.turns.cancelled()).await.is_err() {
                // What could not be taken over now is tried again.
                let _ = this.take_over().await;
            }
        }));
    }

    /// Delivers what waits in these sessions.
    async fn wake(&self, sessions: Vec<SessionInfo>) {
        for info in sessions.iter().filter(|info| self.is_recent(info)) {
            if matches!(self.has_waiting(info).await, Ok(true))
                && let Ok(desk) = self.desk(&info.id).await
            {
                // Its queue shows what still waits.
                let _ = desk.wake().await;
            }
        }
    }

    /// Whether it was used within a day. What waits longer is no surprise to anybody by now.
    fn is_recent(&self, info: &SessionInfo) -> bool {
        let time = |text: &str| text.parse::<Timestamp>().ok();
        let ago = time(&self.core.clock.now()).zip(time(&info.updated));
        ago.is_none_or(|(now, updated)| {
            now.duration_since(updated) < SignedDuration::from_hours(24)
        })
    }

    /// Whether something waits that is to go on by itself.
    async fn has_waiting(&self, info: &SessionInfo) -> Result<bool, HubError> {
        let mut reading = Reading::default();
        reading.read_on(&*self.core.journal, &info.id).await?;
        let past = reading.past;
        Ok(!past.queue.waiting().is_empty() && !past.is_interrupted())
    }

    /// Whether its last turn was cut off.
    async fn recover_one(&self, session: &str) -> Result<bool, HubError> {
        let desk = self.desk(session).await?;
        self.to_its_end(async move { desk.load().await }).await
    }
}
