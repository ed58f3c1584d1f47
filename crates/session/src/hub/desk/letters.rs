//! Letters that other processes leave for whoever has the session.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use tagline_protocol::UserInput;
use tagline_store::Journal;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::Desk;
use crate::hub::{
    error::HubError,
    letters::{Letter, What},
    types::{Answer, IdempotencyKey, Message, Scope},
};

impl<J: Journal + 'static> Desk<J> {
    /// Opens letters until what this returns is dropped.
    pub(super) async fn open_letters(self: &Arc<Self>) -> Result<DropGuard, HubError> {
        // First the bell, then the letters that lie there already.
        let mut bell = self.core.journal.letters(&self.id).await?;
        let ends = self.core.turns.child_token();
        let (this, stop) = (Arc::clone(self), ends.clone());
        self.core.spawn(async move {
            loop {
                this.open_what_came(&stop).await;
                tokio::select! {
                    biased;
                    () = stop.cancelled() => return,
                    rings = bell.changed() => if rings.is_err() { return },
                }
            }
        });
        Ok(ends.drop_guard())
    }

    async fn open_what_came(self: &Arc<Self>, stop: &CancellationToken) {
        if stop.is_cancelled() {
            return;
        }
        // Where they cannot be had now, they lie there still. What is in hand is done, even if the
        // session was given back meanwhile: nobody else will get it.
        let letters = self.core.journal.collect(&self.id).await.unwrap_or_default();
        for letter in letters {
            if let Some(what) = Letter::open(&letter, &self.core.clock.now()) {
                self.oblige(what).await;
            }
        }
    }

    /// Does what a letter says. What comes of it is in the journal, and where nothing does, its
    /// writer says so to whoever asked.
    fn oblige<'a>(self: &'a Arc<Self>, what: What) -> BoxFuture<'a, ()> {
        Box::pin(async move { self.obliged(what).await })
    }

    async fn obliged(self: &Arc<Self>, what: What) {
        match what {
            What::Send { text, media, delivery, key } => {
                let key = Some(IdempotencyKey(key));
                let input = UserInput { text, media };
                drop(self.send(Message { input, delivery, key }).await);
            }
            What::Unqueue { message } => drop(self.unqueue(&message).await),
            What::StopCall { call } => drop(self.stop(Scope::Call(call)).await),
            What::StopTurn => drop(self.stop_turn()),
            What::StopAll => drop(self.stop(Scope::All).await),
            What::Answer { hash, allow, words, scope, absent, edit } => {
                let this = Arc::clone(self);
                // It waits for the journal, and other letters may be what that waits for.
                self.core.spawn(async move {
                    drop(this.answer(&hash, &Answer { allow, words, scope, absent, edit }).await);
                });
            }
            What::Decide { answer } => {
                let this = Arc::clone(self);
                self.core.spawn(async move { drop(this.decide(answer).await) });
            }
            What::GoOn => drop(self.go_on().await),
            What::Mode { mode } => drop(self.set_mode(mode).await),
            What::Revoke { scope } => drop(self.revoke(&scope).await),
        }
    }
}
