//! One session in this process: its queue, its turn, its questions.
//!
//! What changes a session goes through its desk, one thing at a time. The lock is held while
//! something is written, never while a turn runs; stopping a turn needs no lock at all.

use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use tagline_protocol::{Delivery, Event, Frame};
use tagline_store::{Durability, Journal, Lease, NewEvent, SessionInfo};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::{CancellationToken, DropGuard};

mod letters;
mod people;
mod turns;

use super::{
    asks::Asks,
    core::Core,
    error::HubError,
    past::{Past, Reading},
    types::{Message, Place, Sent},
};
use crate::{
    Session, Upkeep,
    meanwhile::Meanwhile,
    queue::{Queued, fingerprint},
    watch::Channel,
};

/// One session in this process.
pub(crate) struct Desk<J> {
    core: Arc<Core<J>>,
    id: String,
    pub(crate) channel: Arc<Channel>,
    asks: Arc<Asks>,
    past: Mutex<Past>,
    /// How the turn that runs is reached.
    reins: Mutex<Option<Reins>>,
    /// The turn that runs, for those who wait for its end.
    running: watch::Sender<Option<String>>,
    work: tokio::sync::Mutex<Work<J>>,
    /// It is counted among those that take no more messages.
    is_full: AtomicBool,
}

/// What is changed under the lock.
struct Work<J> {
    /// The right to work on the session; the past is read behind it, and is current while it lasts.
    owned: Option<Owned>,
    kit: Option<Kit<J>>,
    /// Nothing begins by itself until somebody asks for something.
    is_held: bool,
}

/// The session is this process's while this lives.
struct Owned {
    _lease: Lease,
    _letters: DropGuard,
}

/// How a turn that runs is reached.
#[derive(Clone)]
struct Reins {
    stop: CancellationToken,
    say: mpsc::UnboundedSender<Meanwhile>,
}

impl<J: Journal + 'static> Work<J> {
    /// The text without the secrets of this process.
    fn covered(&self, text: String) -> String {
        self.kit.as_ref().map_or_else(|| text.clone(), |kit| kit.session.covered(&text))
    }
}

/// What turns are run with.
struct Kit<J> {
    session: Arc<Session<J>>,
    upkeep: Arc<dyn Upkeep>,
}

impl<J: Journal + 'static> Desk<J> {
    pub(crate) fn new(core: Arc<Core<J>>, id: String) -> Self {
        let (frames, bytes) = (core.limits.tail_frames, core.limits.tail_bytes);
        let channel = Arc::new(Channel::new(frames, bytes, Arc::clone(&core.media)));
        Self {
            core,
            id,
            channel,
            asks: Arc::new(Asks::new()),
            past: Mutex::default(),
            reins: Mutex::default(),
            running: watch::Sender::new(None),
            work: tokio::sync::Mutex::new(Work { owned: None, kit: None, is_held: false }),
            is_full: AtomicBool::new(false),
        }
    }

    /// Takes the session, reads its past, and closes the turn that a killed process left open.
    /// Whether there was one.
    pub(crate) async fn load(self: &Arc<Self>) -> Result<bool, HubError> {
        let mut work = self.work.lock().await;
        let was_open = self.own(&mut work).await?;
        self.let_go(&mut work);
        Ok(was_open)
    }

    /// Gives the session back where nothing is held for it: other processes may need it.
    fn let_go(&self, work: &mut Work<J>) {
        if work.kit.is_none() && self.running().is_none() {
            work.owned = None;
        }
    }

    async fn own(self: &Arc<Self>, work: &mut Work<J>) -> Result<bool, HubError> {
        if work.owned.is_some() {
            return Ok(false);
        }
        let lease = self.core.journal.acquire(&self.id).await?;
        let Reading { past, after } = self.read_past().await?;
        let (was_open, is_interrupted) = (past.open().is_some(), past.is_interrupted());
        *self.past() = past;
        self.count_full();
        self.channel.raise(after);
        self.close_open_turn().await?;
        work.is_held = is_interrupted || self.core.is_safe_mode();
        let letters = self.open_letters().await?;
        work.owned = Some(Owned { _lease: lease, _letters: letters });
        Ok(was_open)
    }

    async fn read_past(&self) -> Result<Reading, HubError> {
        let mut reading = Reading::default();
        reading.read_on(&*self.core.journal, &self.id).await?;
        Ok(reading)
    }

    /// Writes the end of a turn that has none.
    async fn close_open_turn(&self) -> Result<(), HubError> {
        let Some(open) = self.past().open().cloned() else { return Ok(()) };
        let (run, turn) = (Some(open.run.clone()), open.pass);
        let place = |(call, event)| NewEvent {
            run: run.clone(),
            turn,
            call,
            ts: self.core.clock.now(),
            event,
        };
        let events = open.closing().into_iter().map(place).collect();
        self.append_as(events, Durability::Closing).await
    }

    /// Takes a message in, and begins a turn with it if none runs.
    pub(crate) async fn send(self: &Arc<Self>, message: Message) -> Result<Sent, HubError> {
        let mut work = self.work.lock().await;
        self.own(&mut work).await?;
        if let Some(sent) = self.known(&message)? {
            return Ok(sent);
        }
        self.core.open()?;
        let limit = self.core.limits.queue;
        if self.past().queue.waiting().len() >= limit {
            return Err(HubError::QueueFull { session: self.id.clone(), limit });
        }
        self.equip(&mut work).await?;
        let id = self.past().queue.next_id();
        let event = Event::MessageQueued {
            message: id.clone(),
            delivery: message.delivery,
            text: work.covered(message.input.text),
            media: message.input.media,
            key: message.key.map(|key| key.0),
        };
        self.append(vec![self.event(event)]).await?;
        let place = match (message.delivery, self.running()) {
            (Delivery::NextPass, Some(run)) => self.steer(&id, run),
            (Delivery::Now, Some(_)) => {
                self.stop_turn();
                self.begin(&mut work, &id)
            }
            (Delivery::Now | Delivery::NextPass | Delivery::WhenDone, _) => {
                self.begin(&mut work, &id)
            }
        };
        Ok(Sent { message: id, place })
    }

    /// Hands a message to the turn that runs. Where that ends before a pass reads it, it waits.
    fn steer(&self, id: &str, run: String) -> Place {
        let Some(Queued { message, input, .. }) = self.past().queue.take_one(id) else {
            return Place::Gone;
        };
        self.count_full();
        let rider = Event::MessageUnqueued { message, reason: "sent".to_owned() };
        self.say(Meanwhile::Say { input, rider });
        Place::Run(run)
    }

    /// Says something to the turn that runs, if one does.
    fn say(&self, said: Meanwhile) {
        if let Some(reins) = self.reins().as_ref() {
            // A turn that has just ended hears nothing; what was said is put back then.
            let _ = reins.say.send(said);
        }
    }

    /// Where a message went that was sent before under the same key.
    fn known(&self, message: &Message) -> Result<Option<Sent>, HubError> {
        let Some(key) = &message.key else { return Ok(None) };
        let past = self.past();
        let Some(known) = past.queue.known(&key.0) else { return Ok(None) };
        if known.fingerprint != fingerprint(&message.input, message.delivery) {
            return Err(HubError::KeyReused { session: self.id.clone(), key: key.0.clone() });
        }
        let id = known.message.clone();
        let taken = if past.queue.is_taken(&id) { self.running() } else { None };
        let run = taken.or_else(|| past.queue.run_of(&id).map(str::to_owned));
        let place = match (run, past.queue.place(&id)) {
            (Some(run), _) => Place::Run(run),
            (None, Some(place)) => Place::Queue(place),
            (None, None) => Place::Gone,
        };
        Ok(Some(Sent { message: id, place }))
    }

    /// Begins a turn with what waits, if none runs; says where the message `id` went.
    fn begin(self: &Arc<Self>, work: &mut Work<J>, id: &str) -> Place {
        work.is_held = false;
        let run = match self.running() {
            Some(_) => None,
            None => self.start(work, None),
        };
        let past = self.past();
        match (run, past.queue.place(id)) {
            (_, Some(place)) => Place::Queue(place),
            (Some(run), None) => Place::Run(run),
            (None, None) => Place::Gone,
        }
    }

    pub(crate) async fn unqueue(self: &Arc<Self>, message: &str) -> Result<Queued, HubError> {
        let mut work = self.work.lock().await;
        self.own(&mut work).await?;
        let found = self.past().queue.waiting().iter().find(|it| it.message == message).cloned();
        let no_message =
            || HubError::NoMessage { session: self.id.clone(), message: message.to_owned() };
        let queued = found.ok_or_else(no_message)?;
        let (message, reason) = (queued.message.clone(), "withdrawn".to_owned());
        self.append(vec![self.event(Event::MessageUnqueued { message, reason })]).await?;
        self.let_go(&mut work);
        Ok(queued)
    }

    /// What waits, also where the session is another process's.
    pub(crate) async fn queue(&self) -> Result<Vec<Queued>, HubError> {
        let work = self.work.lock().await;
        if work.owned.is_some() {
            return Ok(self.past().queue.visible());
        }
        Ok(self.read_past().await?.past.queue.visible())
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn running(&self) -> Option<String> {
        self.running.borrow().clone()
    }

    pub(crate) fn n_waiting(&self) -> usize {
        self.past().queue.waiting().len()
    }

    /// Waits until no turn runs.
    pub(crate) async fn settled(&self) {
        // The sender lives in this.
        let _ = self.running.subscribe().wait_for(Option::is_none).await;
    }

    /// Ends what the session's calls left running, and gives the session back, unless a turn runs.
    pub(crate) async fn put_away(&self) {
        let mut work = self.work.lock().await;
        if self.running().is_some() {
            return;
        }
        if let Some(Kit { upkeep, .. }) = work.kit.take() {
            upkeep.close().await;
        }
        work.owned = None;
    }

    pub(crate) async fn info(&self) -> Result<SessionInfo, HubError> {
        let info = self.core.journal.find(&self.id).await?;
        Ok(info)
    }

    /// An event of the session that belongs to no turn.
    fn event(&self, event: Event) -> NewEvent {
        NewEvent { run: None, turn: None, call: None, ts: self.core.clock.now(), event }
    }

    async fn append(&self, events: Vec<NewEvent>) -> Result<(), HubError> {
        self.append_as(events, Durability::Full).await
    }

    async fn append_as(
        &self,
        events: Vec<NewEvent>,
        durability: Durability,
    ) -> Result<(), HubError> {
        if events.is_empty() {
            return Ok(());
        }
        let frames = self.core.journal.append(&self.id, events, durability).await?;
        frames.iter().for_each(|frame| self.show(frame));
        Ok(())
    }

    /// Takes a frame that is in the journal.
    fn show(&self, frame: &Frame) {
        self.past().apply(frame);
        if matches!(frame.event, Event::MessageQueued { .. } | Event::MessageUnqueued { .. }) {
            self.count_full();
        }
        self.channel.publish(frame);
        if matches!(
            frame.event,
            Event::ApprovalAsked { .. }
                | Event::ApprovalAnswered { .. }
                | Event::BudgetAnswered { .. }
                | Event::RunFinished { .. }
                | Event::RunFailed { .. }
        ) {
            self.asks.ring();
        }
    }

    /// Counts the session among those that take no more messages, or no longer.
    fn count_full(&self) {
        let past = self.past();
        let is_full = past.queue.waiting().len() >= self.core.limits.queue;
        // Under the lock, so that the last to look has the last word.
        if self.is_full.swap(is_full, Ordering::SeqCst) != is_full {
            self.core.count_full(is_full);
        }
    }

    fn reins(&self) -> MutexGuard<'_, Option<Reins>> {
        self.reins.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn past(&self) -> MutexGuard<'_, Past> {
        self.past.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J> Drop for Desk<J> {
    fn drop(&mut self) {
        if *self.is_full.get_mut() {
            self.core.count_full(false);
        }
    }
}

impl<J> fmt::Debug for Desk<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("id", &self.id).finish_non_exhaustive()
    }
}
