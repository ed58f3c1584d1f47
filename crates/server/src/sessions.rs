//! The sessions, as the routes see them: a hub over whatever journal.

use std::fmt;

use futures_util::{StreamExt as _, future::BoxFuture, stream::BoxStream};
use tagline_protocol::{BudgetAnswer, Mode};
use tagline_session::{
    Answer, Asked, BudgetQuestion, Granted, Health, Hub, HubError, Image, Message, NewSession,
    Position, Queued, Scope, Sent, Stopping, Upto, Vitals, Watched,
};
use tagline_store::{Claim, Claimed, Hit, Journal, Record, SessionInfo, Settled};

/// What the hub says.
pub type Said<'a, T> = BoxFuture<'a, Result<T, HubError>>;

/// What the server asks of the sessions of its process. [`Hub`] is one; see there for each.
pub trait Sessions: Send + Sync + fmt::Debug {
    /// Begins one.
    fn create(&self, new: NewSession) -> Said<'_, SessionInfo>;
    /// All, newest first.
    fn list(&self) -> Said<'_, Vec<SessionInfo>>;
    /// The one whose id begins so.
    fn find<'a>(&'a self, prefix: &'a str) -> Said<'a, SessionInfo>;
    /// Removes one.
    fn delete<'a>(&'a self, session: &'a str) -> Said<'a, ()>;
    /// A copy that goes on by itself.
    fn fork<'a>(&'a self, session: &'a str, upto: Upto) -> Said<'a, SessionInfo>;
    /// Places where all words stand.
    fn search<'a>(&'a self, words: &'a str, limit: usize) -> Said<'a, Vec<Hit>>;
    /// What stands in the journal, as it was written.
    fn records<'a>(&'a self, session: &'a str, after: u64, limit: usize) -> Said<'a, Vec<Record>>;
    /// Sends a message.
    fn send<'a>(&'a self, session: &'a str, message: Message) -> Said<'a, Sent>;
    /// Goes on with a turn that was interrupted or stopped; the new turn.
    fn go_on<'a>(&'a self, session: &'a str) -> Said<'a, String>;
    /// Messages that wait.
    fn queue<'a>(&'a self, session: &'a str) -> Said<'a, Vec<Queued>>;
    /// Takes one of them back.
    fn unqueue<'a>(&'a self, session: &'a str, message: &'a str) -> Said<'a, Queued>;
    /// Stops what runs.
    fn stop<'a>(&'a self, session: &'a str, scope: Scope) -> Said<'a, Stopping>;
    /// The turn that runs here.
    fn running(&self, session: &str) -> Option<String>;
    /// Open questions.
    fn approvals(&self, session: &str) -> Vec<Asked>;
    /// Answers one.
    fn answer<'a>(&'a self, session: &'a str, hash: &'a str, answer: Answer) -> Said<'a, ()>;
    /// The question at a bound of the turn, if one is open.
    fn budget(&self, session: &str) -> Option<BudgetQuestion>;
    /// Answers it.
    fn decide<'a>(&'a self, session: &'a str, answer: BudgetAnswer) -> Said<'a, ()>;
    /// Everything behind the position, then everything that happens.
    fn watch<'a>(
        &'a self,
        session: &'a str,
        position: Position,
    ) -> Said<'a, BoxStream<'static, Watched>>;
    /// Sets how much runs without a question.
    fn set_mode<'a>(&'a self, session: &'a str, mode: Mode) -> Said<'a, ()>;
    /// How much does, where that is known.
    fn mode<'a>(&'a self, session: &'a str) -> Said<'a, Option<Mode>>;
    /// What the answers of all of them let run.
    fn grants(&self) -> BoxFuture<'_, Vec<Granted>>;
    /// Takes one of these back.
    fn revoke<'a>(&'a self, session: &'a str, scope: &'a str) -> Said<'a, ()>;
    /// The image with this hash; in a session that is named, also one that was not shown yet.
    fn image<'a>(&'a self, hash: &'a str, session: Option<&'a str>) -> Said<'a, Option<Image>>;
    /// How it is.
    fn health(&self) -> Health;
    /// What of it can be told without looking at any session.
    fn vitals(&self) -> Vitals;
    /// Says that a request is worked on, or what it was answered.
    fn claim(&self, claim: Claim) -> Said<'_, Claimed>;
    /// Keeps its answer.
    fn settle(&self, settled: Settled) -> Said<'_, ()>;
    /// Nothing was done under the key.
    fn unclaim<'a>(&'a self, key: &'a str) -> Said<'a, ()>;
}

impl<J: Journal + 'static> Sessions for Hub<J> {
    fn create(&self, new: NewSession) -> Said<'_, SessionInfo> {
        Box::pin(self.create(new))
    }

    fn list(&self) -> Said<'_, Vec<SessionInfo>> {
        Box::pin(self.sessions())
    }

    fn find<'a>(&'a self, prefix: &'a str) -> Said<'a, SessionInfo> {
        Box::pin(self.find(prefix))
    }

    fn delete<'a>(&'a self, session: &'a str) -> Said<'a, ()> {
        Box::pin(self.delete(session))
    }

    fn fork<'a>(&'a self, session: &'a str, upto: Upto) -> Said<'a, SessionInfo> {
        Box::pin(self.fork(session, upto))
    }

    fn search<'a>(&'a self, words: &'a str, limit: usize) -> Said<'a, Vec<Hit>> {
        Box::pin(async move { Ok(self.journal().search(words, limit).await?) })
    }

    fn records<'a>(&'a self, session: &'a str, after: u64, limit: usize) -> Said<'a, Vec<Record>> {
        Box::pin(async move { Ok(self.journal().records(session, after, limit).await?) })
    }

    fn send<'a>(&'a self, session: &'a str, message: Message) -> Said<'a, Sent> {
        Box::pin(self.send(session, message))
    }

    fn go_on<'a>(&'a self, session: &'a str) -> Said<'a, String> {
        Box::pin(self.go_on(session))
    }

    fn queue<'a>(&'a self, session: &'a str) -> Said<'a, Vec<Queued>> {
        Box::pin(self.queue(session))
    }

    fn unqueue<'a>(&'a self, session: &'a str, message: &'a str) -> Said<'a, Queued> {
        Box::pin(self.unqueue(session, message))
    }

    fn stop<'a>(&'a self, session: &'a str, scope: Scope) -> Said<'a, Stopping> {
        Box::pin(self.stop(session, scope))
    }

    fn running(&self, session: &str) -> Option<String> {
        self.running(session)
    }

    fn approvals(&self, session: &str) -> Vec<Asked> {
        self.approvals(session)
    }

    fn answer<'a>(&'a self, session: &'a str, hash: &'a str, answer: Answer) -> Said<'a, ()> {
        Box::pin(self.answer(session, hash, answer))
    }

    fn budget(&self, session: &str) -> Option<BudgetQuestion> {
        self.budget(session)
    }

    fn decide<'a>(&'a self, session: &'a str, answer: BudgetAnswer) -> Said<'a, ()> {
        Box::pin(self.decide(session, answer))
    }

    fn watch<'a>(
        &'a self,
        session: &'a str,
        position: Position,
    ) -> Said<'a, BoxStream<'static, Watched>> {
        Box::pin(async move { Ok(self.watch(session, position).await?.into_stream().boxed()) })
    }

    fn set_mode<'a>(&'a self, session: &'a str, mode: Mode) -> Said<'a, ()> {
        Box::pin(self.set_mode(session, mode))
    }

    fn mode<'a>(&'a self, session: &'a str) -> Said<'a, Option<Mode>> {
        Box::pin(self.mode(session))
    }

    fn grants(&self) -> BoxFuture<'_, Vec<Granted>> {
        Box::pin(self.grants())
    }

    fn revoke<'a>(&'a self, session: &'a str, scope: &'a str) -> Said<'a, ()> {
        Box::pin(self.revoke(session, scope))
    }

    fn image<'a>(&'a self, hash: &'a str, session: Option<&'a str>) -> Said<'a, Option<Image>> {
        Box::pin(self.image(hash, session))
    }

    fn health(&self) -> Health {
        self.health()
    }

    fn vitals(&self) -> Vitals {
        self.vitals()
    }

    fn claim(&self, claim: Claim) -> Said<'_, Claimed> {
        Box::pin(async move { Ok(self.journal().claim(claim).await?) })
    }

    fn settle(&self, settled: Settled) -> Said<'_, ()> {
        Box::pin(async move { Ok(self.journal().settle(settled).await?) })
    }

    fn unclaim<'a>(&'a self, key: &'a str) -> Said<'a, ()> {
        Box::pin(async move { Ok(self.journal().unclaim(key).await?) })
    }
}
