//! The session's turns: begun, run one after the other, stopped.

use std::{panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt as _;
use tagline_protocol::{CallId, Event, Frame};
use tagline_store::Journal;
use tokio::sync::mpsc;

use super::{Desk, Kit, Reins, Work};
use crate::{
    Parts, Session, Task, Watcher,
    hub::{
        error::HubError,
        types::{Scope, Stopping},
    },
    queue::Queued,
    session::Run,
};

/// A turn that is about to run.
struct Turn<J> {
    name: String,
    session: Arc<Session<J>>,
    run: Run,
}

impl<J: Journal + 'static> Desk<J> {
    /// Goes on with the last turn, which was interrupted or stopped. Returns the new turn.
    pub(crate) async fn go_on(self: &Arc<Self>) -> Result<String, HubError> {
        let mut work = self.work.lock().await;
        self.own(&mut work).await?;
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
        self.own(&mut work).await?;
        let is_idle = self.running.borrow().is_none();
        if is_idle && !work.is_held && !self.past().queue.waiting().is_empty() {
            self.core.open()?;
            self.equip(&mut work).await?;
            self.start(&work, None);
        }
        Ok(())
    }

    pub(super) async fn equip(self: &Arc<Self>, work: &mut Work<J>) -> Result<(), HubError> {
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
        if let Some(mode) = self.past().mode {
            session.executor().set_mode(mode);
        }
        work.kit = Some(Kit { session, upkeep: equipment.upkeep });
        Ok(())
    }

    /// Spawns the task that runs turns until nothing waits. Returns the first one.
    pub(super) fn start(self: &Arc<Self>, work: &Work<J>, first: Option<Task>) -> Option<String> {
        let turn = self.next_turn(work, first)?;
        let run = turn.name.clone();
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
                self.count_full();
                let reason = "sent".to_owned();
                (Task::Say(input), Some(Event::MessageUnqueued { message, reason }))
            }
        };
        let run = self.past().next_run();
        let cancel = self.core.turns.child_token();
        let (say, ear) = mpsc::unbounded_channel();
        *self.reins() = Some(Reins { stop: cancel.clone(), say });
        self.running.send_replace(Some(run.clone()));
        let task = Run { task, rider, ear: Some(ear), cancel };
        Some(Turn { name: run, session, run: task })
    }

    /// Runs turns until nothing waits.
    async fn drive(self: Arc<Self>, first: Turn<J>) {
        let mut next = Some(first);
        while let Some(turn) = next.take() {
            let run = turn.session.run_with(turn.run);
            // Whatever crashes in a turn costs that turn alone.
            let ended = AssertUnwindSafe(run).catch_unwind().await;
            let mut work = self.work.lock().await;
            *self.reins() = None;
            self.past().queue.put_back();
            self.count_full();
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
            // The next who asks for something takes the session anew, and tries again.
            work.owned = None;
        }
        self.past().expire("the turn ended before anybody answered, so the call was not run");
        self.asks.ring();
    }

    /// Stops the turn that runs, if one does. Never waits.
    pub(crate) fn stop_turn(&self) -> Stopping {
        match self.reins().as_ref() {
            Some(reins) => {
                reins.stop.cancel();
                Stopping::Under
            }
            None => Stopping::Idle,
        }
    }

    pub(crate) async fn stop(self: &Arc<Self>, scope: Scope) -> Result<Stopping, HubError> {
        match scope {
            Scope::Turn => {
                // A session that nobody has runs no turn, unless a killed process left one open.
                let mut work = self.work.lock().await;
                self.own(&mut work).await?;
                let stopping = self.stop_turn();
                self.let_go(&mut work);
                Ok(stopping)
            }
            Scope::Call(call) => self.stop_call(&call).await,
            Scope::All => {
                let before = self.stop_turn();
                let mut work = self.work.lock().await;
                self.own(&mut work).await?;
                let waiting = self.past().queue.visible();
                let gone = |queued: Queued| {
                    let reason = "stopped".to_owned();
                    self.event(Event::MessageUnqueued { message: queued.message, reason })
                };
                self.append(waiting.into_iter().map(gone).collect()).await?;
                // One may have begun meanwhile with what waited.
                let after = self.stop_turn();
                self.let_go(&mut work);
                Ok(if before == Stopping::Under { before } else { after })
            }
        }
    }

    async fn stop_call(self: &Arc<Self>, call: &CallId) -> Result<Stopping, HubError> {
        let mut work = self.work.lock().await;
        self.own(&mut work).await?;
        let is_stopped = work.kit.as_ref().is_some_and(|kit| kit.session.executor().stop(call));
        let no_call = || HubError::NoCall { session: self.id.clone(), call: call.to_string() };
        self.let_go(&mut work);
        is_stopped.then_some(Stopping::Under).ok_or_else(no_call)
    }
}
