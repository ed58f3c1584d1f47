//! The way into the journal: one order for everything that happens in a turn.

use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use tagline_model::Responder;
use tagline_protocol::{CallId, Event, Frame};
use tagline_secret::Redactor;
use tagline_store::{Durability, Journal, NewEvent, StoreError};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use crate::{Clock, SessionError, cover::Cover, merge, spans::Spans};

/// Is shown each frame, in order, after it was written. Must not block for long.
pub type Watcher = Arc<dyn Fn(&Frame) + Send + Sync>;

/// Writes the events of one turn.
///
/// Clones share the order: what was handed in first has the lower number.
#[derive(Clone)]
pub struct Log {
    entries: mpsc::UnboundedSender<Entry>,
    clock: Arc<dyn Clock>,
    run: String,
    pass: Arc<AtomicU32>,
    spans: Arc<Mutex<Spans>>,
    cover: Arc<Mutex<Cover>>,
    redactor: Redactor,
}

struct Entry {
    events: Vec<NewEvent>,
    done: Option<oneshot::Sender<Result<(), StoreError>>>,
}

impl Log {
    /// Starts to write to `journal` as the turn `run` of `session`. The task that writes ends with
    /// the last clone.
    pub(crate) fn start<J: Journal + 'static>(
        journal: Arc<J>,
        clock: Arc<dyn Clock>,
        session: String,
        run: String,
        spans: Spans,
        watcher: Watcher,
        redactor: Redactor,
    ) -> (Self, JoinHandle<()>) {
        let (entries, inbox) = mpsc::unbounded_channel();
        let spans = Arc::new(Mutex::new(spans));
        let writer = tokio::spawn(write_all(journal, session, watcher, inbox));
        let cover = Arc::new(Mutex::new(Cover::new(redactor.clone())));
        (Self { entries, clock, run, pass: Arc::default(), spans, cover, redactor }, writer)
    }

    /// Hands in an event and does not wait. A failure to write it is told to the next
    /// [`Log::record`].
    pub fn note(&self, call: Option<CallId>, event: Event) {
        // The writer ends only when every `Log` is gone.
        let _ = self.entries.send(Entry { events: self.place(call, event), done: None });
    }

    /// Hands in events, to be written all or none, and waits until they are as safe as their
    /// kinds demand.
    ///
    /// # Errors
    ///
    /// What the journal says; then these events, or some before them, are not in it.
    pub async fn record(
        &self,
        call: Option<&CallId>,
        events: Vec<Event>,
    ) -> Result<(), SessionError> {
        let (done, answer) = oneshot::channel();
        let events =
            events.into_iter().flat_map(|event| self.place(call.cloned(), event)).collect();
        let entry = Entry { events, done: Some(done) };
        let _ = self.entries.send(entry);
        Ok(answer.await.map_err(|_| SessionError::LogGone)??)
    }

    /// Tells the trace who answers; the journal does not have it.
    pub(crate) fn answering(&self, who: &Responder) {
        let text = |text: &str| self.redactor.text(text).into_owned();
        let who = Responder {
            id: who.id.as_deref().map(text),
            model: who.model.as_deref().map(text),
            asked: text(&who.asked),
            address: text(&who.address),
        };
        self.spans().answering(&who);
    }

    fn spans(&self) -> MutexGuard<'_, Spans> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The event in its place, without secrets, behind what was held back for their sake.
    fn place(&self, call: Option<CallId>, event: Event) -> Vec<NewEvent> {
        let placed = self.cover.lock().unwrap_or_else(PoisonError::into_inner).take(call, event);
        placed.into_iter().map(|(call, event)| self.dated(call, event)).collect()
    }

    fn dated(&self, call: Option<CallId>, event: Event) -> NewEvent {
        if matches!(event, Event::PassStarted) {
            self.pass.fetch_add(1, Ordering::Relaxed);
        }
        self.spans().take(call.as_ref(), &event);
        let pass = self.pass.load(Ordering::Relaxed);
        NewEvent {
            run: Some(self.run.clone()),
            turn: (pass > 0).then_some(pass),
            call,
            ts: self.clock.now(),
            event,
        }
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log").field("run", &self.run).finish_non_exhaustive()
    }
}

/// Most events written in one go.
const BATCH: usize = 256;

async fn write_all<J: Journal>(
    journal: Arc<J>,
    session: String,
    watcher: Watcher,
    mut inbox: mpsc::UnboundedReceiver<Entry>,
) {
    // The first failure stays: a log with a hole is no log.
    let mut failed: Option<StoreError> = None;
    let mut batch = Vec::new();
    while inbox.recv_many(&mut batch, BATCH).await > 0 {
        let mut events = Vec::new();
        let mut waiting = Vec::new();
        let all = batch.iter().flat_map(|entry: &Entry| &entry.events);
        let durability = durability(all.map(|new| &new.event));
        for Entry { events: new, done } in batch.drain(..) {
            new.into_iter().for_each(|event| merge::push(&mut events, event));
            waiting.extend(done);
        }
        match journal.append(&session, events, durability).await {
            Ok(frames) => frames.iter().for_each(|frame| watcher(frame)),
            Err(error) => failed = Some(error),
        }
        let result = failed.clone().map_or(Ok(()), Err);
        for done in waiting {
            // Whoever waited may be gone: a cancelled turn.
            let _ = done.send(result.clone());
        }
    }
}

/// How safe these events must be together. What only closes what has begun may use the last room
/// of a full disk.
fn durability<'e>(events: impl Iterator<Item = &'e Event>) -> Durability {
    let mut vital = events.filter(|event| is_vital(event)).peekable();
    if vital.peek().is_none() {
        Durability::Streamed
    } else if vital.all(closes) {
        Durability::Closing
    } else {
        Durability::Full
    }
}

const fn closes(event: &Event) -> bool {
    matches!(
        event,
        Event::RunFinished { .. }
            | Event::RunFailed { .. }
            | Event::ResultsMessage { .. }
            | Event::ToolDone { .. }
            | Event::ToolFailed { .. }
            | Event::ToolCancelled { .. }
            | Event::Audit { .. }
    )
}

/// Streamed text may lose its last second; everything else that a resumed turn needs may not.
pub(crate) const fn is_vital(event: &Event) -> bool {
    match event {
        Event::RunStarted { .. }
        | Event::RunFinished { .. }
        | Event::RunFailed { .. }
        | Event::UserMessage { .. }
        | Event::AssistantMessage { .. }
        | Event::ResultsMessage { .. }
        | Event::MessageQueued { .. }
        | Event::MessageUnqueued { .. }
        | Event::ToolReady { .. }
        | Event::ToolRejected { .. }
        | Event::ToolEdited { .. }
        | Event::ApprovalAsked { .. }
        | Event::ApprovalAnswered { .. }
        | Event::BudgetAsked { .. }
        | Event::BudgetAnswered { .. }
        | Event::ContextCompacted { .. }
        | Event::SessionForked { .. }
        | Event::SessionMode { .. }
        | Event::GrantRevoked { .. }
        | Event::ToolRunning { .. }
        | Event::ToolDone { .. }
        | Event::ToolFailed { .. }
        | Event::ToolCancelled { .. }
        | Event::Audit { .. } => true,
        Event::PassStarted
        | Event::PassFinished { .. }
        | Event::SayStart { .. }
        | Event::SayDelta { .. }
        | Event::SayEnd
        | Event::ThinkStart
        | Event::ThinkDelta { .. }
        | Event::ThinkEnd
        | Event::ToolOpening { .. }
        | Event::ToolAttr { .. }
        | Event::ToolBody { .. }
        | Event::ToolAborted
        | Event::ToolRepaired { .. }
        | Event::ToolOutput { .. }
        | Event::ToolProgress { .. }
        | Event::ModelState { .. }
        | Event::Usage(_)
        | Event::Notice { .. }
        | Event::SessionTitle { .. } => false,
    }
}
