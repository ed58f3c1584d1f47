//! One session in this process: its queue, its turn, its questions.
//!
//! What changes a session goes through its desk, one thing at a time. The lock is held while
//! something is written, never while a turn runs; stopping a turn needs no lock at all.

use std::{
    fmt,
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::FutureExt as _;
use tagline_protocol::{CallId, Delivery, Event, Frame};
use tagline_store::{Durability, Journal, NewEvent, SessionInfo};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{
    asks::{Asks, Given},
    core::Core,
    error::HubError,
    past::{Past, Standing},
    types::{Answer, Asked, Message, Place, Scope, Sent, Stopping},
};
use crate::{
    Parts, Session, Task, Upkeep, Watcher,
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
    /// Stops the turn that runs.
    stop: Mutex<Option<CancellationToken>>,
    /// The turn that runs, for those who wait for its end.
    running: watch::Sender<Option<String>>,
    work: tokio::sync::Mutex<Work<J>>,
}

/// What is changed under the lock.
struct Work<J> {
    is_loaded: bool,
    kit: Option<Kit<J>>,
    /// Nothing begins by itself until somebody asks for something.
    is_held: bool,
}

/// What turns are run with.
struct Kit<J> {
    session: Arc<Session<J>>,
    upkeep: Arc<dyn Upkeep>,
}

impl<J: Journal + 'static> Desk<J> {
    pub(crate) fn new(core: Arc<Core<J>>, id: String) -> Self {
        let channel = Arc::new(Channel::new(core.limits.tail_frames, core.limits.tail_bytes));
        Self {
            core,
            id,
            channel,
            asks: Arc::new(Asks::new()),
            past: Mutex::default(),
            stop: Mutex::default(),
            running: watch::Sender::new(None),
            work: tokio::sync::Mutex::new(Work { is_loaded: false, kit: None, is_held: false }),
        }
    }

    /// Reads the session's past, and closes the turn that a killed process left open in it.
    pub(crate) async fn load(self: &Arc<Self>) -> Result<(), HubError> {
        let mut work = self.work.lock().await;
        self.loaded(&mut work).await
    }

    async fn loaded(self: &Arc<Self>, work: &mut Work<J>) -> Result<(), HubError> {
        if work.is_loaded {
            return Ok(());
        }
        let mut past = Past::default();
        let mut after = 0;
        loop {
            let page = self.core.journal.read(&self.id, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.seq;
            page.iter().for_each(|frame| past.apply(frame));
        }
        let is_interrupted = past.open().is_some();
        *self.past() = past;
        self.channel.raise(after);
        self.close_open_turn().await?;
        work.is_held = is_interrupted || self.core.is_safe_mode();
        work.is_loaded = true;
        Ok(())
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
        self.append(open.closing().into_iter().map(place).collect()).await
    }

    /// Takes a message in, and begins a turn with it if none runs.
    pub(crate) async fn send(self: &Arc<Self>, message: Message) -> Result<Sent, HubError> {
        let mut work = self.work.lock().await;
        self.loaded(&mut work).await?;
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
            text: message.input.text,
            media: message.input.media,
            key: message.key.map(|key| key.0),
        };
        self.append(vec![self.event(event)]).await?;
        if message.delivery == Delivery::Now {
            self.stop_turn();
        }
        let place = self.begin(&mut work, &id);
        Ok(Sent { message: id, place })
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

    /// Goes on with the last turn, which was interrupted or stopped. Returns the new turn.
    pub(crate) async fn go_on(self: &Arc<Self>) -> Result<String, HubError> {
        let mut work = self.work.lock().await;
        self.loaded(&mut work).await?;
        self.core.open()?;
        let session = self.id.clone();
        if let Some(run) = self.running.borrow().clone() {
            return Err(HubError::Running { session, run });
        }
        if !self.past().is_unfinished() {
            return Err(HubError::NothingToGoOn { session });
        }
        self.equip(&mut work).await?;
        work.is_held = false;
        self.start(&work, Some(Task::GoOn)).ok_or(HubError::NothingToGoOn { session })
    }

    /// Begins what waits, unless the session is held. For the start of the process.
    pub(crate) async fn wake(self: &Arc<Self>) -> Result<(), HubError> {
        let mut work = self.work.lock().await;
        self.loaded(&mut work).await?;
        let is_idle = self.running.borrow().is_none();
        if is_idle && !work.is_held && !self.past().queue.waiting().is_empty() {
            self.core.open()?;
            self.equip(&mut work).await?;
            self.start(&work, None);
        }
        Ok(())
    }

    async fn equip(self: &Arc<Self>, work: &mut Work<J>) -> Result<(), HubError> {
        if work.kit.is_some() {
            return Ok(());
        }
        let info = self.info().await?;
        let equipment = self.core.workshop.equip(&info).await?;
        let this = Arc::downgrade(self);
        let watcher: Watcher = Arc::new(move |frame: &Frame| {
            if let Some(desk) = this.upgrade() {
                desk.show(frame);
            }
        });
        let parts = Parts {
            journal: Arc::clone(&self.core.journal),
            model: equipment.model,
            registry: equipment.registry,
            capabilities: equipment.capabilities,
            situation: equipment.situation,
            approver: Arc::clone(&self.asks) as _,
            clock: Arc::clone(&self.core.clock),
            watcher,
        };
        let session = Arc::new(Session::open(parts, equipment.settings, self.id.clone()));
        work.kit = Some(Kit { session, upkeep: equipment.upkeep });
        Ok(())
    }

    /// Spawns the task that runs turns until nothing waits. Returns the first one.
    fn start(self: &Arc<Self>, work: &Work<J>, first: Option<Task>) -> Option<String> {
        let turn = self.next_turn(work, first)?;
        let run = turn.run.clone();
        let this = Arc::clone(self);
        self.core.spawn(async move { this.drive(turn).await });
        Some(run)
    }

    fn next_turn(&self, work: &Work<J>, first: Option<Task>) -> Option<Turn<J>> {
        let session = Arc::clone(&work.kit.as_ref()?.session);
        let (task, rider) = match first {
            Some(task) => (task, None),
            None => {
                let Queued { message, input, .. } = self.past().queue.take()?;
                let reason = "sent".to_owned();
                (Task::Say(input), Some(Event::MessageUnqueued { message, reason }))
            }
        };
        let run = self.past().next_run();
        let cancel = self.core.turns.child_token();
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = Some(cancel.clone());
        self.running.send_replace(Some(run.clone()));
        Some(Turn { run, session, task, rider, cancel })
    }

    /// Runs turns until nothing waits.
    async fn drive(self: Arc<Self>, first: Turn<J>) {
        let mut next = Some(first);
        while let Some(turn) = next.take() {
            let run = turn.session.run_with(turn.task, turn.rider, turn.cancel);
            // Whatever crashes in a turn costs that turn alone.
            let ended = AssertUnwindSafe(run).catch_unwind().await;
            let mut work = self.work.lock().await;
            *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = None;
            self.past().queue.put_back();
            work.is_held |= !matches!(ended, Ok(Ok(_)));
            self.settle(&mut work).await;
            let goes_on = !work.is_held && self.core.open().is_ok();
            next = if goes_on { self.next_turn(&work, None) } else { None };
            if next.is_none() {
                self.running.send_replace(None);
            }
        }
    }

    /// A turn is over: where its end is not written yet, it is now.
    async fn settle(&self, work: &mut Work<J>) {
        if self.close_open_turn().await.is_err() {
            // The next who asks for something tries again.
            work.is_loaded = false;
        }
        self.past().expire("the turn ended before anybody answered, so the call was not run");
        self.asks.ring();
    }

    /// Stops the turn that runs, if one does. Never waits.
    pub(crate) fn stop_turn(&self) -> Stopping {
        let stop = self.stop.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match stop {
            Some(stop) => {
                stop.cancel();
                Stopping::Under
            }
            None => Stopping::Idle,
        }
    }

    pub(crate) async fn stop(self: &Arc<Self>, scope: Scope) -> Result<Stopping, HubError> {
        match scope {
            Scope::Turn => Ok(self.stop_turn()),
            Scope::Call(call) => self.stop_call(&call).await,
            Scope::All => {
                let before = self.stop_turn();
                let mut work = self.work.lock().await;
                self.loaded(&mut work).await?;
                let waiting = self.past().queue.waiting().to_vec();
                let gone = |queued: Queued| {
                    let reason = "stopped".to_owned();
                    self.event(Event::MessageUnqueued { message: queued.message, reason })
                };
                self.append(waiting.into_iter().map(gone).collect()).await?;
                // One may have begun meanwhile with what waited.
                let after = self.stop_turn();
                Ok(if before == Stopping::Under { before } else { after })
            }
        }
    }

    async fn stop_call(self: &Arc<Self>, call: &CallId) -> Result<Stopping, HubError> {
        let work = self.work.lock().await;
        let is_stopped = work.kit.as_ref().is_some_and(|kit| kit.session.executor().stop(call));
        let no_call = || HubError::NoCall { session: self.id.clone(), call: call.to_string() };
        is_stopped.then_some(Stopping::Under).ok_or_else(no_call)
    }

    pub(crate) async fn unqueue(self: &Arc<Self>, message: &str) -> Result<Queued, HubError> {
        let mut work = self.work.lock().await;
        self.loaded(&mut work).await?;
        let found = self.past().queue.waiting().iter().find(|it| it.message == message).cloned();
        let no_message =
            || HubError::NoMessage { session: self.id.clone(), message: message.to_owned() };
        let queued = found.ok_or_else(no_message)?;
        let (message, reason) = (queued.message.clone(), "withdrawn".to_owned());
        self.append(vec![self.event(Event::MessageUnqueued { message, reason })]).await?;
        Ok(queued)
    }

    pub(crate) async fn queue(self: &Arc<Self>) -> Result<Vec<Queued>, HubError> {
        self.load().await?;
        Ok(self.past().queue.waiting().to_vec())
    }

    /// Answers a question, and waits until the journal has the answer.
    pub(crate) async fn answer(&self, hash: &str, answer: &Answer) -> Result<(), HubError> {
        let mut bell = self.asks.listen();
        let mut is_ours = false;
        loop {
            bell.mark_unchanged();
            let found = self.past().approval(hash).cloned();
            let (session, hash) = (self.id.clone(), hash.to_owned());
            let Some((call, standing)) = found else {
                return Err(HubError::NoApproval { session, hash });
            };
            let call = call.to_string();
            match standing {
                Standing::Answered if is_ours => return Ok(()),
                Standing::Answered => return Err(HubError::AlreadyAnswered { session, call }),
                Standing::Expired(reason) => {
                    return Err(HubError::ApprovalExpired { session, call, reason });
                }
                Standing::Open => {}
            }
            if !is_ours {
                match self.asks.give(&hash, answer) {
                    Given::Taken => is_ours = true,
                    Given::Second => return Err(HubError::AlreadyAnswered { session, call }),
                    Given::NotOffered { scope, offered } => {
                        return Err(HubError::ScopeNotOffered { session, scope, offered });
                    }
                    // It was asked, and whoever asks is about to wait.
                    Given::Unknown => {}
                }
            }
            if bell.changed().await.is_err() {
                return Err(HubError::NoApproval { session, hash });
            }
        }
    }

    pub(crate) fn approvals(&self) -> Vec<Asked> {
        self.asks.open()
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

    /// Ends what the session's calls left running.
    pub(crate) async fn put_away(&self) {
        let kit = self.work.lock().await.kit.take();
        if let Some(Kit { upkeep, .. }) = kit {
            upkeep.close().await;
        }
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
        if events.is_empty() {
            return Ok(());
        }
        let frames = self.core.journal.append(&self.id, events, Durability::Full).await?;
        frames.iter().for_each(|frame| self.show(frame));
        Ok(())
    }

    /// Takes a frame that is in the journal.
    fn show(&self, frame: &Frame) {
        self.past().apply(frame);
        self.channel.publish(frame);
        if matches!(
            frame.event,
            Event::ApprovalAsked { .. }
                | Event::ApprovalAnswered { .. }
                | Event::RunFinished { .. }
                | Event::RunFailed { .. }
        ) {
            self.asks.ring();
        }
    }

    fn past(&self) -> MutexGuard<'_, Past> {
        self.past.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A turn that is about to run.
struct Turn<J> {
    run: String,
    session: Arc<Session<J>>,
    task: Task,
    rider: Option<Event>,
    cancel: CancellationToken,
}

/// Frames read in one go.
const PAGE: usize = 1_000;

impl<J> fmt::Debug for Desk<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("id", &self.id).finish_non_exhaustive()
    }
}
