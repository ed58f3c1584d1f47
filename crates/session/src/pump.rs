//! Drives one turn: does what the machine asks for, tells it what happened.

use std::{
    borrow::Cow,
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::StreamExt as _;
use tagline_agent::{AtLimit, Input, Output, StopReason, Turn};
use tagline_model::{Model, ModelStream, Request, Responder};
use tagline_protocol::{BudgetAnswer, CallId, Event, GrammarOptions, Message, Toolset};
use tagline_secret::Redactor;
use tokio::{sync::mpsc, time::Instant};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use crate::{
    AnswerCheck, Log, SessionError,
    calls::{Answer, Calls},
    log::is_vital,
    meanwhile::{self, Ear, Meanwhile},
    reply,
};

/// How the model is asked, beside the transcript.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sampling {
    /// Most tokens of one reply.
    pub max_tokens: Option<u32>,
    /// 0 is greedy.
    pub temperature: Option<f32>,
    /// Makes sampling repeatable where the provider can.
    pub seed: Option<u64>,
    /// What the grammar of each reply allows; only for a model that takes one. A tool that was
    /// just called twice in the same way without news is left out of the next reply's.
    pub grammar: Option<GrammarOptions>,
}

/// What a turn needs beside its machine.
pub(crate) struct Pump {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) sampling: Sampling,
    pub(crate) tools: Toolset,
    pub(crate) calls: Calls,
    pub(crate) answer: Option<AnswerCheck>,
    pub(crate) log: Log,
    pub(crate) cancel: CancellationToken,
    /// Longest time for the turn; `None`: no limit.
    pub(crate) limit: Option<Duration>,
    /// Whether somebody who listens is asked where a bound is reached.
    pub(crate) at_limit: AtLimit,
    /// Each goes into the journal together with the user's next message, both or neither.
    pub(crate) riders: Mutex<VecDeque<Event>>,
    /// Keeps secrets from the model.
    pub(crate) redactor: Redactor,
}

/// The reply and the calls on their way. Dropping it ends both.
struct Underway {
    reply: Option<ModelStream>,
    /// Nothing of the reply came yet.
    is_fresh: bool,
    is_cancelled: bool,
    batches: Vec<AbortOnDropHandle<()>>,
    answers: mpsc::UnboundedSender<Answer>,
    results: mpsc::UnboundedReceiver<Answer>,
    /// What the user says meanwhile, if somebody listens to the user.
    ear: Option<Ear>,
    /// When the time is up; `None`: never, or it is.
    until: Option<(Instant, Duration)>,
}

impl Underway {
    fn new(ear: Option<Ear>, until: Option<(Instant, Duration)>) -> Self {
        let (answers, results) = mpsc::unbounded_channel();
        Self {
            reply: None,
            is_fresh: true,
            is_cancelled: false,
            batches: Vec::new(),
            answers,
            results,
            ear,
            until,
        }
    }

    /// The turn was stopped: the reply ends now, and the calls, which were told to stop, write
    /// their own ends. Returns those.
    async fn wind_down(&mut self) -> Vec<Result<Input, SessionError>> {
        self.reply = None;
        for batch in self.batches.drain(..) {
            // A batch that crashed has nothing left to write.
            let _ = batch.await;
        }
        let answers = std::iter::from_fn(|| self.results.try_recv().ok());
        answers.map(Answer::into_input).collect()
    }
}

/// What came out of waiting.
pub(crate) enum Happened {
    /// Something for the machine.
    Input(Input),
    /// The turn is to be stopped; why.
    Stopped(Input),
    /// Something to show only.
    Shown(Event),
    /// The provider says who answers.
    Answering(Responder),
    /// Nothing may go on.
    Broken(SessionError),
}

impl Pump {
    /// Runs the turn to its end. Nothing that it started runs any more then.
    ///
    /// # Errors
    ///
    /// Where the journal cannot be written; then nothing more was started.
    pub(crate) async fn run(
        &self,
        turn: &mut Turn,
        ear: Option<Ear>,
    ) -> Result<StopReason, SessionError> {
        let mut underway = Underway::new(ear, self.until());
        let stop = self.pump(turn, &mut underway).await;
        self.cancel.cancel();
        underway.wind_down().await;
        stop
    }

    async fn pump(
        &self,
        turn: &mut Turn,
        underway: &mut Underway,
    ) -> Result<StopReason, SessionError> {
        loop {
            if let Some(stop) = self.drain(turn, underway).await? {
                return Ok(stop);
            }
            match self.next(underway).await {
                Happened::Input(input) => turn.handle_input(input),
                Happened::Stopped(why) => {
                    self.cancel.cancel();
                    turn.handle_input(why);
                    for answer in underway.wind_down().await {
                        turn.handle_input(answer?);
                    }
                    turn.handle_input(Input::Cancel);
                }
                Happened::Shown(event) => self.log.note(None, event),
                Happened::Answering(who) => self.log.answering(&who),
                Happened::Broken(error) => return Err(error),
            }
        }
    }

    /// Does everything the machine asks for now.
    async fn drain(
        &self,
        turn: &mut Turn,
        underway: &mut Underway,
    ) -> Result<Option<StopReason>, SessionError> {
        loop {
            match turn.poll_output() {
                Output::Emit(call, event) => self.emit(call, event).await?,
                Output::AskModel(messages) => {
                    underway.reply = Some(self.model.ask(self.request(messages, turn)));
                    underway.is_fresh = true;
                }
                Output::Summarize(messages) => {
                    let request = Request { grammar: None, ..self.request(messages, turn) };
                    underway.reply = Some(self.model.ask(request));
                    underway.is_fresh = true;
                }
                Output::StopReply => underway.reply = None,
                Output::Run(batch) => {
                    let answers = underway.answers.clone();
                    underway.batches.push(self.calls.start(batch, answers));
                }
                Output::CheckAnswer(answer) => {
                    let checked = match &self.answer {
                        Some(check) => check.look(&answer),
                        None => Ok(answer),
                    };
                    turn.handle_input(Input::Checked(checked));
                }
                // The question is an event already, and its answer comes as what the user says.
                Output::AskBudget { .. } if underway.ear.is_some() => {}
                // Nobody is there to ask.
                Output::AskBudget { .. } => turn.handle_input(Input::Budget(BudgetAnswer::Stop)),
                Output::Wait => return Ok(None),
                Output::Stop(reason) => return Ok(Some(reason)),
            }
        }
    }

    async fn emit(&self, call: Option<CallId>, event: Event) -> Result<(), SessionError> {
        if is_vital(&event) {
            let is_user = matches!(event, Event::UserMessage { .. });
            let rider = if is_user { self.riders().pop_front() } else { None };
            let events = [event].into_iter().chain(rider).collect();
            self.log.record(call.as_ref(), events).await?;
        } else {
            self.log.note(call, event);
        }
        Ok(())
    }

    fn hear(&self, said: Meanwhile) -> Input {
        match said {
            Meanwhile::Say { input, rider } => {
                self.riders().push_back(rider);
                Input::Steer(input)
            }
            Meanwhile::Budget(answer) => Input::Budget(answer),
        }
    }

    fn riders(&self) -> MutexGuard<'_, VecDeque<Event>> {
        self.riders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn request(&self, mut messages: Vec<Message>, turn: &Turn) -> Request {
        for message in &mut messages {
            if let Cow::Owned(covered) = self.redactor.text(&message.text) {
                message.text = covered;
            }
        }
        let Sampling { max_tokens, temperature, seed, grammar } = self.sampling.clone();
        let max_tokens = within(turn.room(), max_tokens);
        let grammar = grammar.map(|options| match turn.overused() {
            Some(tool) => self.tools.without(tool).grammar(&options),
            None => self.tools.grammar(&options),
        });
        Request { messages, max_tokens, temperature, seed, grammar, stop: Vec::new() }
    }

    fn until(&self) -> Option<(Instant, Duration)> {
        self.limit.map(|limit| (Instant::now() + limit, limit))
    }

    /// Waits for the next thing that happens. A stop goes first, then results.
    async fn next(&self, underway: &mut Underway) -> Happened {
        let Underway { reply, is_fresh, results, is_cancelled, ear, until, .. } = underway;
        let asks = ear.is_some() && self.at_limit == AtLimit::Ask;
        let item = tokio::select! {
            biased;
            () = self.cancel.cancelled(), if !*is_cancelled => {
                *is_cancelled = true;
                return Happened::Stopped(Input::Stopping);
            }
            limit_s = time_is_up(*until), if !*is_cancelled => {
                *until = None;
                if asks {
                    return Happened::Input(Input::TimeIsUp { limit_s });
                }
                *is_cancelled = true;
                return Happened::Stopped(Input::OutOfTime { limit_s });
            }
            // The sender lives in `underway`, so there is always a next one to wait for.
            Some(answer) = results.recv() => return answer.into(),
            said = meanwhile::next(ear) => {
                if said == Meanwhile::Budget(BudgetAnswer::Add) {
                    *until = until.or_else(|| self.until());
                }
                return Happened::Input(self.hear(said));
            }
            item = next_of(reply) => item,
        };
        if item.is_none() {
            *reply = None;
        }
        let happened = reply::read(item, is_fresh);
        if matches!(happened, Happened::Input(Input::ReplyEnd(_) | Input::ReplyFailed { .. })) {
            *reply = None;
        }
        happened
    }
}

/// Every model may write as much. A limit above what a model may write is refused by some
/// providers, so a larger one is only sent if the user sets it.
const SAFE_LIMIT: u32 = 8_192;

/// The limit of a reply that may have `room` tokens under the turn's budget.
fn within(room: Option<u64>, max_tokens: Option<u32>) -> Option<u32> {
    let room = room.and_then(|room| u32::try_from(room).ok());
    match (room, max_tokens) {
        (Some(room), Some(most)) => Some(room.min(most)),
        (Some(room), None) => Some(room).filter(|room| *room < SAFE_LIMIT),
        (None, most) => most,
    }
}

impl Answer {
    fn into_input(self) -> Result<Input, SessionError> {
        match self {
            Self::Input(input) => Ok(input),
            Self::Unsaved(error) => Err(SessionError::Unsaved(error)),
        }
    }
}

impl From<Answer> for Happened {
    fn from(answer: Answer) -> Self {
        answer.into_input().map_or_else(Self::Broken, Self::Input)
    }
}

/// Ready once the time for the turn is over, with the limit in seconds; never without one.
async fn time_is_up(until: Option<(Instant, Duration)>) -> u64 {
    match until {
        Some((instant, limit)) => {
            tokio::time::sleep_until(instant).await;
            limit.as_secs()
        }
        None => std::future::pending().await,
    }
}

/// The next item of the reply; never ready without one.
async fn next_of(reply: &mut Option<ModelStream>) -> reply::Item {
    match reply {
        Some(stream) => stream.next().await,
        None => std::future::pending().await,
    }
}
