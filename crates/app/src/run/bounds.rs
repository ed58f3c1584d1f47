//! A turn in this process that reaches a bound, and the person who says how it goes on.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::future::BoxFuture;
use tagline_protocol::{BudgetAnswer, Event};
use tagline_session::{Decider, Watcher};
use tokio_util::task::AbortOnDropHandle;

use crate::approver::Terminal;

/// Asks how a turn goes on, when it is told what more of it would be, such as `25 passes`.
type Ask = Arc<dyn Fn(String) -> BoxFuture<'static, BudgetAnswer> + Send + Sync>;

/// Watches turns, and asks where one of them asks.
pub(crate) struct Bounds {
    ask: Ask,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Tells the turn that runs.
    decider: Option<Decider>,
    /// The question that stands.
    open: Option<AbortOnDropHandle<()>>,
}

impl Bounds {
    /// Asks on this terminal.
    pub(crate) fn on(terminal: Arc<Terminal>) -> Arc<Self> {
        Self::asking(Arc::new(move |adds| {
            let terminal = Arc::clone(&terminal);
            Box::pin(async move { terminal.decide(&adds).await })
        }))
    }

    fn asking(ask: Ask) -> Arc<Self> {
        Arc::new(Self { ask, state: Mutex::default() })
    }

    /// Shows frames to `show`, and asks what they ask.
    pub(crate) fn watcher(self: &Arc<Self>, show: Watcher) -> Watcher {
        let this = Arc::clone(self);
        Arc::new(move |frame| {
            show(frame);
            this.take(&frame.event);
        })
    }

    /// Another turn begins, which is told so.
    pub(crate) fn begin(&self, decider: Decider) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state = State { decider: Some(decider), open: None };
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "few of the events ask")]
    fn take(&self, event: &Event) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::BudgetAsked { adds, .. } => {
                let Some(decider) = state.decider.clone() else { return };
                let asked = (self.ask)(adds.clone());
                let question = tokio::spawn(async move { decider.decide(asked.await) });
                state.open = Some(AbortOnDropHandle::new(question));
            }
            // Whoever was asked need not answer any more.
            Event::BudgetAnswered { .. } | Event::RunFinished { .. } | Event::RunFailed { .. } => {
                state.open = None;
            }
            _ => {}
        }
    }
}

impl fmt::Debug for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bounds").finish_non_exhaustive()
    }
}
