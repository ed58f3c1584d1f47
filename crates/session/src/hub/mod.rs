//! Many sessions in one process.

mod asks;
mod budget;
mod core;
mod desk;
mod error;
mod grants;
mod images;
mod keep;
mod letters;
mod modes;
mod past;
mod recover;
mod starts;
mod types;

pub use budget::BudgetQuestion;
pub use core::HubLimits;
pub use error::HubError;
pub use recover::Recovered;
pub use starts::{Start, Starts};
pub use types::{
    Answer, Asked, Granted, Health, IdempotencyKey, Message, NewSession, Place, Scope, Sent,
    Stopping, Vitals,
};

use std::{
    collections::BTreeMap,
    fmt,
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tagline_protocol::{BudgetAnswer, Event};
use tagline_store::{Durability, Journal, NewEvent, SessionInfo};
use tokio::time::Instant;

use self::{
    core::Core,
    desk::Desk,
    letters::{What, is_elsewhere},
};
use crate::{
    Clock, Workshop,
    queue::Queued,
    watch::{Opening, Position, WatchLimits, Watching},
};

/// The sessions of this process: it owns their turns, queues, questions and readers.
///
/// A session is worked on by one process at a time. What is asked of one that another process has
/// is done there, by a letter; its events can be watched anywhere.
///
/// Cheap to clone; all clones are one hub. Whatever is asked of it is done to its end, also where
/// the future that asked is dropped.
pub struct Hub<J> {
    core: Arc<Core<J>>,
    desks: Arc<Mutex<BTreeMap<String, Arc<Desk<J>>>>>,
}

impl<J> Clone for Hub<J> {
    fn clone(&self) -> Self {
        Self { core: Arc::clone(&self.core), desks: Arc::clone(&self.desks) }
    }
}

impl<J: Journal + 'static> Hub<J> {
    /// A hub over this journal. Begin with [`Hub::recover`].
    #[must_use]
    pub fn new(
        journal: Arc<J>,
        workshop: Arc<dyn Workshop>,
        clock: Arc<dyn Clock>,
        limits: HubLimits,
    ) -> Self {
        Self { core: Arc::new(Core::new(journal, workshop, clock, limits)), desks: Arc::default() }
    }

    /// The journal, for lists, search and past events.
    #[must_use]
    pub fn journal(&self) -> &Arc<J> {
        &self.core.journal
    }

    /// Begins a session. Its parts are asked for with its first message.
    ///
    /// # Errors
    ///
    /// What the journal says.
    pub async fn create(&self, new: NewSession) -> Result<SessionInfo, HubError> {
        self.core.open()?;
        let core = Arc::clone(&self.core);
        self.to_its_end(async move {
            let (id, created) = (core.workshop.new_id(), core.clock.now());
            let info = SessionInfo {
                id: id.clone(),
                updated: created.clone(),
                created: created.clone(),
                title: String::new(),
                workspace: new.workspace,
                profile: new.profile.unwrap_or_else(|| "default".to_owned()),
                last_seq: 0,
            };
            core.journal.create(info).await?;
            if let Some(title) = new.title {
                let event = Event::SessionTitle { title };
                let event = NewEvent { run: None, turn: None, call: None, ts: created, event };
                core.journal.append(&id, vec![event], Durability::Full).await?;
            }
            Ok(core.journal.find(&id).await?)
        })
        .await
    }

    /// Every session, newest first.
    ///
    /// # Errors
    ///
    /// What the journal says.
    pub async fn sessions(&self) -> Result<Vec<SessionInfo>, HubError> {
        Ok(self.core.journal.sessions().await?)
    }

    /// The session whose id is `prefix`, or the only one whose id begins so.
    ///
    /// # Errors
    ///
    /// What the journal says.
    pub async fn find(&self, prefix: &str) -> Result<SessionInfo, HubError> {
        Ok(self.core.journal.find(prefix).await?)
    }

    /// Sends a message to a session. Once this returns the message is in the journal, durably. If
    /// no turn runs it begins one; else it waits as its delivery says. The same key again
    /// changes nothing and gives the same answer.
    ///
    /// # Errors
    ///
    /// What the journal or the workshop says, [`HubError::KeyReused`], [`HubError::QueueFull`],
    /// [`HubError::ShuttingDown`]. The message was not taken in then.
    pub async fn send(&self, session: &str, message: Message) -> Result<Sent, HubError> {
        let desk = self.desk(session).await?;
        let this = self.clone();
        self.to_its_end(async move {
            match desk.send(message.clone()).await {
                Err(busy) if is_elsewhere(&busy) => {
                    let sent = this.send_by_letter(desk.id(), message.clone(), busy).await;
                    match sent {
                        // Nobody opened it, and it means nothing any more; who had the session may
                        // have died or given it back.
                        Err(busy) if is_elsewhere(&busy) => desk.send(message).await,
                        sent => sent,
                    }
                }
                sent => sent,
            }
        })
        .await
    }

    /// Goes on where the last turn was interrupted or stopped; nothing is sent again. Returns the
    /// new turn.
    ///
    /// # Errors
    ///
    /// [`HubError::Running`], [`HubError::NothingToGoOn`], and as [`Hub::send`].
    pub async fn go_on(&self, session: &str) -> Result<String, HubError> {
        let desk = self.desk(session).await?;
        let this = self.clone();
        self.to_its_end(async move {
            match desk.go_on().await {
                Err(busy) if is_elsewhere(&busy) => this.go_on_by_letter(desk.id(), busy).await,
                run => run,
            }
        })
        .await
    }

    /// The messages that wait, in the order in which they are delivered.
    ///
    /// # Errors
    ///
    /// What the journal says.
    pub async fn queue(&self, session: &str) -> Result<Vec<Queued>, HubError> {
        let desk = self.desk(session).await?;
        self.to_its_end(async move { desk.queue().await }).await
    }

    /// Takes a message back that waits, and returns it.
    ///
    /// # Errors
    ///
    /// [`HubError::NoMessage`], and what the journal says.
    pub async fn unqueue(&self, session: &str, message: &str) -> Result<Queued, HubError> {
        let (desk, message) = (self.desk(session).await?, message.to_owned());
        let this = self.clone();
        self.to_its_end(async move {
            match desk.unqueue(&message).await {
                Err(busy) if is_elsewhere(&busy) => {
                    this.unqueue_by_letter(desk.id(), &message, busy).await
                }
                queued => queued,
            }
        })
        .await
    }

    /// Stops a call, the turn, or the turn and all that waits. It says at once whether anything
    /// ran; the end itself is an event. Any number of times.
    ///
    /// # Errors
    ///
    /// [`HubError::NoCall`] for a call that does not run, and what the journal says.
    pub async fn stop(&self, session: &str, scope: Scope) -> Result<Stopping, HubError> {
        let desk = self.desk(session).await?;
        // What runs here is stopped here and now, whatever else has to wait.
        if scope == Scope::Turn && desk.stop_turn() == Stopping::Under {
            return Ok(Stopping::Under);
        }
        let this = self.clone();
        self.to_its_end(async move {
            let what = What::stop(&scope);
            match desk.stop(scope).await {
                Err(busy) if is_elsewhere(&busy) => {
                    // Its end is an event, wherever it runs.
                    this.post(desk.id(), what).await.map(|()| Stopping::Under)
                }
                stopping => stopping,
            }
        })
        .await
    }

    /// Stops the turns of every session, and takes back everything that waits.
    ///
    /// # Errors
    ///
    /// What the journal says of the first session that it says something of; all are stopped.
    pub async fn stop_all(&self) -> Result<(), HubError> {
        let desks: Vec<_> = self.desks().values().cloned().collect();
        for desk in &desks {
            desk.stop_turn();
        }
        let mut failed = Ok(());
        for desk in desks {
            let stopped = self.to_its_end(async move { desk.stop(Scope::All).await }).await;
            failed = failed.and(stopped.map(|_| ()));
        }
        failed
    }

    /// The turn that runs in a session of this process.
    #[must_use]
    pub fn running(&self, session: &str) -> Option<String> {
        self.desks().get(session)?.running()
    }

    /// Waits until no turn of the session runs in this process.
    pub async fn settled(&self, session: &str) {
        let desk = self.desks().get(session).cloned();
        if let Some(desk) = desk {
            desk.settled().await;
        }
    }

    /// The questions of a session that wait for a person in this process. Those of another process
    /// are in its events.
    #[must_use]
    pub fn approvals(&self, session: &str) -> Vec<Asked> {
        let desk = self.desks().get(session).cloned();
        desk.map(|desk| desk.approvals()).unwrap_or_default()
    }

    /// Answers the question with this hash. Once this returns the answer is in the journal.
    ///
    /// # Errors
    ///
    /// [`HubError::NoApproval`], [`HubError::AlreadyAnswered`], [`HubError::ApprovalExpired`],
    /// [`HubError::ScopeNotOffered`], and what the journal says.
    pub async fn answer(&self, session: &str, hash: &str, answer: Answer) -> Result<(), HubError> {
        let (desk, hash) = (self.desk(session).await?, hash.to_owned());
        let this = self.clone();
        self.to_its_end(async move {
            match desk.load().await {
                Err(busy) if is_elsewhere(&busy) => {
                    this.answer_by_letter(desk.id(), &hash, answer, busy).await
                }
                Err(error) => Err(error),
                Ok(_) => desk.answer(&hash, &answer).await,
            }
        })
        .await
    }

    /// The question how to go on, where the session's turn has reached a bound.
    #[must_use]
    pub fn budget(&self, session: &str) -> Option<BudgetQuestion> {
        self.desks().get(session).cloned()?.budget()
    }

    /// Answers that question. Once this returns the answer is in the journal.
    ///
    /// # Errors
    ///
    /// [`HubError::NoBudget`] where nothing asks, or somebody was first.
    pub async fn decide(&self, session: &str, answer: BudgetAnswer) -> Result<(), HubError> {
        let desk = self.desk(session).await?;
        let this = self.clone();
        self.to_its_end(async move {
            match desk.load().await {
                Err(busy) if is_elsewhere(&busy) => {
                    this.decide_by_letter(desk.id(), answer, busy).await
                }
                Err(error) => Err(error),
                Ok(_) => desk.decide(answer).await,
            }
        })
        .await
    }

    /// Watches a session from a position on: everything behind it, then everything that happens.
    ///
    /// # Errors
    ///
    /// [`HubError::TooManyWatchers`], and what the journal says.
    pub async fn watch(&self, session: &str, position: Position) -> Result<Watching<J>, HubError> {
        let desk = self.desk(session).await?;
        let limits = &self.core.limits;
        let limit = limits.watchers;
        let too_many = || HubError::TooManyWatchers { session: session.to_owned(), limit };
        let seat = desk.channel.take_seat(limit).ok_or_else(too_many)?;
        // First the bells, then the store: what is written in between rings one of them.
        let growth = self.core.journal.watch(desk.id()).await?;
        let info = desk.info().await?;
        desk.channel.raise(info.last_seq);
        Ok(Watching::new(Opening {
            journal: Arc::clone(&self.core.journal),
            channel: Arc::clone(&desk.channel),
            seat,
            growth,
            info,
            position,
            limits: WatchLimits {
                lag: u64::try_from(limits.tail_frames).unwrap_or(u64::MAX),
                replay: limits.replay,
                window: limits.window,
            },
            closing: self.core.readers.clone(),
        }))
    }

    /// Gives a session back that is not used for now: what its calls left running is ended, and
    /// another process may take it. Does nothing while a turn runs in it.
    pub async fn put_away(&self, session: &str) {
        let desk = self.desks().get(session).cloned();
        if let Some(desk) = desk {
            desk.put_away().await;
        }
    }

    /// Ends the hub: nothing new is taken in, turns are stopped and their ends written, what they
    /// left running is ended, and readers are told where to go on. Whether all of that was done
    /// by the deadline; what was not is dropped then, and closed by the next [`Hub::recover`].
    pub async fn shutdown(&self, deadline: Duration) -> bool {
        let until = Instant::now() + deadline;
        self.core.begin_close();
        // What is left of the time after the turns is for what they left running.
        let in_time = self.core.finish_tasks(until).await;
        let desks: Vec<_> = self.desks().values().cloned().collect();
        let put_away = futures_util::future::join_all(desks.iter().map(|desk| desk.put_away()));
        let is_put_away = tokio::time::timeout_at(until, put_away).await.is_ok();
        self.core.readers.cancel();
        in_time && is_put_away
    }

    /// How the hub is.
    #[must_use]
    pub fn health(&self) -> Health {
        let desks: Vec<_> = self.desks().values().cloned().collect();
        Health {
            sessions: desks.len(),
            turns: desks.iter().filter(|desk| desk.running().is_some()).count(),
            queued: desks.iter().map(|desk| desk.n_waiting()).sum(),
            full_queues: self.core.n_full(),
            approvals: desks.iter().map(|desk| desk.approvals().len()).sum(),
            watchers: desks.iter().map(|desk| desk.channel.n_readers()).sum(),
            tasks: self.core.n_tasks(),
            is_shutting_down: self.core.is_closing(),
            is_safe_mode: self.core.is_safe_mode(),
        }
    }

    /// What of it can be told without looking at any session.
    #[must_use]
    pub fn vitals(&self) -> Vitals {
        Vitals {
            full_queues: self.core.n_full(),
            is_shutting_down: self.core.is_closing(),
            is_safe_mode: self.core.is_safe_mode(),
        }
    }

    /// The desk of a session, which may be named by the beginning of its id.
    async fn desk(&self, session: &str) -> Result<Arc<Desk<J>>, HubError> {
        if let Some(desk) = self.desks().get(session) {
            return Ok(Arc::clone(desk));
        }
        let info = self.core.journal.find(session).await?;
        let new = || Arc::new(Desk::new(Arc::clone(&self.core), info.id.clone()));
        Ok(Arc::clone(self.desks().entry(info.id.clone()).or_insert_with(new)))
    }

    /// Does it in a task of its own, so that it is done also if nobody waits any more.
    async fn to_its_end<T: Send + 'static>(
        &self,
        task: impl Future<Output = Result<T, HubError>> + Send + 'static,
    ) -> Result<T, HubError> {
        match self.core.spawn(task).await {
            Ok(Some(done)) => done,
            Ok(None) | Err(_) => Err(HubError::ShuttingDown),
        }
    }

    fn desks(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Desk<J>>>> {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J> fmt::Debug for Hub<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("core", &self.core).finish_non_exhaustive()
    }
}
