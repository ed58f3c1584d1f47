//! The executor's two doors, and calls on their way.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use tagline_agent::Input;
use tagline_executor::{CallResult, Executor, RecordError, Recorder, Refusal};
use tagline_protocol::{Call, CallId, Event};
use tokio::sync::mpsc;
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use crate::Log;

/// Lets the executor write into the turn's log.
#[derive(Debug, Default)]
pub(crate) struct LogDoor {
    log: Mutex<Option<Log>>,
}

impl LogDoor {
    /// From now on, records go into this log: a new turn begins.
    pub(crate) fn open(&self, log: Log) {
        *self.log.lock().unwrap_or_else(PoisonError::into_inner) = Some(log);
    }

    /// The turn is over: what still comes is nobody's.
    pub(crate) fn close(&self) {
        *self.log.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn log(&self) -> Option<Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Recorder for LogDoor {
    fn record<'a>(
        &'a self,
        call: &'a CallId,
        events: Vec<Event>,
    ) -> BoxFuture<'a, Result<(), RecordError>> {
        Box::pin(async move {
            let log = self.log().ok_or_else(|| RecordError("no turn is running".to_owned()))?;
            log.record(Some(call), events).await.map_err(|error| RecordError(error.to_string()))
        })
    }

    fn live(&self, call: &CallId, event: Event) {
        if let Some(log) = self.log() {
            log.note(Some(call.clone()), event);
        }
    }
}

/// A call that was refused, and nothing like it ran later in the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial {
    /// The tool.
    pub tool: String,
    /// Why.
    pub refusal: Refusal,
    /// The sentence that the model read.
    pub why: String,
}

/// Runs the calls of one turn, one batch after the other.
#[derive(Clone, Debug)]
pub(crate) struct Calls {
    executor: Arc<Executor>,
    cancel: CancellationToken,
    /// Batches wait here for the one before them.
    order: Arc<tokio::sync::Mutex<()>>,
    denials: Arc<Mutex<Vec<Denial>>>,
}

/// What a batch hands back, one by one.
pub(crate) enum Answer {
    /// For the machine.
    Input(Input),
    /// The end of a call could not be saved, so the turn must not go on.
    Unsaved(RecordError),
}

impl Calls {
    pub(crate) fn new(executor: Arc<Executor>, cancel: CancellationToken) -> Self {
        Self { executor, cancel, order: Arc::default(), denials: Arc::default() }
    }

    /// Starts a batch behind those before it. Its results go to `answers`, in order.
    pub(crate) fn start(
        &self,
        batch: Vec<Call>,
        answers: mpsc::UnboundedSender<Answer>,
    ) -> AbortOnDropHandle<()> {
        let this = self.clone();
        AbortOnDropHandle::new(tokio::spawn(async move {
            let _turn = this.order.lock().await;
            let polls: Vec<bool> =
                batch.iter().map(|call| this.executor.is_polling(call)).collect();
            let tools: Vec<String> = batch.iter().map(|call| call.tool.clone()).collect();
            let results = this.executor.run(batch, &this.cancel).await;
            for ((result, tool), is_poll) in results.into_iter().zip(tools).zip(polls) {
                this.note(&tool, &result);
                // The turn may be over.
                let _ = answers.send(answer(result, is_poll));
            }
        }))
    }

    /// What was refused in this turn and stayed refused.
    pub(crate) fn denials(&self) -> Vec<Denial> {
        self.denials.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, tool: &str, result: &CallResult) {
        let mut denials = self.denials.lock().unwrap_or_else(PoisonError::into_inner);
        match (&result.refusal, &result.outcome) {
            (Some(refusal), Err(failure)) => denials.push(Denial {
                tool: tool.to_owned(),
                refusal: refusal.clone(),
                why: failure.reason(),
            }),
            (None, Ok(_)) => denials.retain(|denial| denial.tool != tool),
            (Some(_), Ok(_)) | (None, Err(_)) => {}
        }
    }
}

fn answer(result: CallResult, is_poll: bool) -> Answer {
    match (result.unsaved, is_poll) {
        (Some(error), _) => Answer::Unsaved(error),
        (None, true) => Answer::Input(Input::PollResult(result.call, result.outcome)),
        (None, false) => Answer::Input(Input::Result(result.call, result.outcome)),
    }
}
