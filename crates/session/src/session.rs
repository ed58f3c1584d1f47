//! One conversation: its turns, one after the other.

use std::{
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use tagline_agent::{Policy, StopReason, Transcript, Turn, TurnConfig, TurnLimits, Window};
use tagline_executor::{Approver, Capabilities, Doors, Executor, Registry};
use tagline_model::Model;
use tagline_policy::Situation;
use tagline_protocol::{Event, Frame, Toolset, UserInput};
use tagline_secret::Redactor;
use tagline_store::{Journal, SessionInfo};
use tokio::{sync::mpsc, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::{
    AnswerCheck, Clock, Denial, Log, Sampling, SessionError, Watcher,
    calls::{Calls, LogDoor},
    cover::covered_end,
    meanwhile::{Decider, Ear},
    past_results::past_results,
    pump::Pump,
    reasoner::may_begin_in_thinking,
    spans::Spans,
};

/// What a session is made of.
pub struct Parts<J> {
    /// Where events go.
    pub journal: Arc<J>,
    /// Who is asked.
    pub model: Arc<dyn Model>,
    /// What it may call.
    pub registry: Arc<Registry>,
    /// What the tools may reach. Where a [`Redactor`] is among it, its secrets get into no event and
    /// to no model.
    pub capabilities: Capabilities,
    /// Where calls run.
    pub situation: Situation,
    /// Who says yes.
    pub approver: Arc<dyn Approver>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Who is shown the frames.
    pub watcher: Watcher,
}

/// How its turns run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The system prompt.
    pub system: String,
    /// How many actions a reply may hold.
    pub policy: Policy,
    /// Bounds of each turn.
    pub limits: TurnLimits,
    /// How the model is asked.
    pub sampling: Sampling,
    /// Tries of a read that finds something busy.
    pub tool_attempts: u32,
    /// Longest time for a turn; `None`: no limit.
    pub timeout: Option<Duration>,
    /// Looks at answers before they count; a model that gives another one is told so.
    pub answer: Option<AnswerCheck>,
    /// Under which profile a new session is written down; `default` if none was named.
    pub profile: String,
}

/// What a turn is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// The user says this.
    Say(UserInput),
    /// Go on where the last turn was interrupted.
    GoOn,
}

/// A turn to run, and its ties to whoever runs it.
pub(crate) struct Run {
    pub(crate) task: Task,
    /// Goes into the journal together with the user's message, both or neither.
    pub(crate) rider: Option<Event>,
    /// Where it hears what the user says meanwhile.
    pub(crate) ear: Option<Ear>,
    pub(crate) cancel: CancellationToken,
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnEnd {
    /// Why.
    pub stop: StopReason,
    /// Calls that were refused and stayed refused.
    pub denials: Vec<Denial>,
}

/// A conversation. One turn runs at a time.
pub struct Session<J> {
    id: String,
    journal: Arc<J>,
    model: Arc<dyn Model>,
    executor: Arc<Executor>,
    door: Arc<LogDoor>,
    tools: Toolset,
    clock: Arc<dyn Clock>,
    watcher: Watcher,
    settings: Settings,
    redactor: Redactor,
}

impl<J: Journal + 'static> Session<J> {
    /// A new conversation in `workspace`.
    ///
    /// # Errors
    ///
    /// Where the journal cannot be written, or the id is taken.
    pub async fn create(
        parts: Parts<J>,
        settings: Settings,
        id: String,
        workspace: PathBuf,
    ) -> Result<Self, SessionError> {
        let created = parts.clock.now();
        let info = SessionInfo {
            id: id.clone(),
            updated: created.clone(),
            created,
            title: String::new(),
            workspace,
            profile: settings.profile.clone(),
            last_seq: 0,
        };
        parts.journal.create(info).await?;
        Ok(Self::open(parts, settings, id))
    }

    /// A conversation that is in the journal already.
    #[must_use]
    pub fn open(parts: Parts<J>, settings: Settings, id: String) -> Self {
        let door = Arc::new(LogDoor::default());
        let doors = Doors { approver: parts.approver, recorder: Arc::clone(&door) as _ };
        let tools = parts.registry.toolset();
        let past = past_results(&parts.journal, &id);
        let redactor = parts.capabilities.get::<Redactor>().as_deref().cloned();
        let capabilities = parts.capabilities.with(Arc::new(past));
        let executor = Executor::new(&id, parts.registry, capabilities, parts.situation, doors)
            .with_attempts(settings.tool_attempts);
        Self {
            id,
            journal: parts.journal,
            model: parts.model,
            executor: Arc::new(executor),
            door,
            tools,
            clock: parts.clock,
            watcher: parts.watcher,
            settings,
            redactor: redactor.unwrap_or_default(),
        }
    }

    /// Identifies it.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The text without the secrets of this process.
    pub(crate) fn covered(&self, text: &str) -> String {
        self.redactor.text(text).into_owned()
    }

    /// Runs the calls of this session.
    #[must_use]
    pub fn executor(&self) -> &Executor {
        &self.executor
    }

    /// Runs one turn to its end. `cancel` stops it; it ends within seconds then.
    ///
    /// # Errors
    ///
    /// Where the journal cannot be read or written.
    pub async fn run(
        &self,
        task: Task,
        cancel: CancellationToken,
    ) -> Result<TurnEnd, SessionError> {
        self.run_with(Run { task, rider: None, ear: None, cancel }).await
    }

    /// The same where somebody can be asked: a turn that reaches a bound and asks how it goes on
    /// ([`Event::BudgetAsked`]) waits until it is told through what `begin` is handed.
    ///
    /// # Errors
    ///
    /// As [`Session::run`].
    pub async fn run_asking(
        &self,
        task: Task,
        cancel: CancellationToken,
        begin: impl FnOnce(Decider),
    ) -> Result<TurnEnd, SessionError> {
        let (sender, ear) = mpsc::unbounded_channel();
        begin(Decider(sender));
        self.run_with(Run { task, rider: None, ear: Some(ear), cancel }).await
    }

    pub(crate) async fn run_with(&self, run: Run) -> Result<TurnEnd, SessionError> {
        let frames = self.frames().await?;
        self.executor.recall(frames.iter().map(|frame| &frame.event));
        let number =
            1 + frames.iter().filter(|f| matches!(f.event, Event::RunStarted { .. })).count();
        let (log, writer) = self.log(format!("t{number}"));
        let ended = self.pumped(log, run, &frames, number).await;
        self.door.close();
        // Every handle to it is gone, so it ends once everything is written. A writer that crashed
        // was seen by whoever recorded.
        let _ = writer.await;
        ended
    }

    async fn pumped(
        &self,
        log: Log,
        run: Run,
        frames: &[Frame],
        number: usize,
    ) -> Result<TurnEnd, SessionError> {
        let Run { task, rider, ear, cancel } = run;
        log.record(None, vec![self.started()]).await?;
        let mut turn = self.turn(task, frames, number);
        // The turn's own token: it is fired at the end too, for calls that still run.
        let cancel = cancel.child_token();
        let calls = Calls::new(Arc::clone(&self.executor), cancel.clone());
        let pump = Pump {
            model: Arc::clone(&self.model),
            sampling: self.settings.sampling.clone(),
            tools: self.tools.clone(),
            calls: calls.clone(),
            answer: self.settings.answer.clone(),
            log,
            cancel,
            limit: self.settings.timeout,
            at_limit: self.settings.limits.at_limit,
            riders: Mutex::new(rider.into_iter().collect()),
            redactor: self.redactor.clone(),
        };
        let stop = pump.run(&mut turn, ear).await?;
        Ok(covered_end(&self.redactor, TurnEnd { stop, denials: calls.denials() }))
    }

    /// Every frame so far.
    ///
    /// # Errors
    ///
    /// Where the journal cannot be read.
    pub async fn frames(&self) -> Result<Vec<Frame>, SessionError> {
        let mut frames: Vec<Frame> = Vec::new();
        loop {
            let after = frames.last().map_or(0, |frame| frame.seq);
            let more = self.journal.read(&self.id, after, PAGE).await?;
            if more.is_empty() {
                return Ok(frames);
            }
            frames.extend(more);
        }
    }

    fn log(&self, run: String) -> (Log, JoinHandle<()>) {
        let (journal, clock) = (Arc::clone(&self.journal), Arc::clone(&self.clock));
        let (profile, watcher) = (self.settings.profile.clone(), Arc::clone(&self.watcher));
        let spans = Spans::new(self.id.clone(), profile, self.model.info().address.clone());
        let (id, redactor) = (self.id.clone(), self.redactor.clone());
        let (log, writer) = Log::start(journal, clock, id, run, spans, watcher, redactor);
        self.door.open(log.clone());
        (log, writer)
    }

    fn started(&self) -> Event {
        Event::RunStarted {
            model: self.model.info().name.clone(),
            mode: self.executor.situation().mode,
            policy: self.settings.policy.as_str().to_owned(),
        }
    }

    fn turn(&self, task: Task, frames: &[Frame], number: usize) -> Turn {
        let config = TurnConfig {
            tools: self.tools.clone(),
            policy: self.settings.policy,
            limits: self.settings.limits,
            window: Window {
                tokens: self.model.info().context_tokens,
                reply: self.settings.sampling.max_tokens.map(u64::from),
            },
            system: self.settings.system.clone(),
            history: Transcript::of(frames),
            checks_answer: self.settings.answer.is_some(),
            may_begin_in_thinking: may_begin_in_thinking(&self.model.info().name),
            call_prefix: format!("t{number}."),
        };
        match task {
            Task::Say(input) => Turn::new(config, input),
            Task::GoOn => Turn::resume(config),
        }
    }
}

/// Frames read in one go.
const PAGE: usize = 1_000;

impl<J> fmt::Debug for Session<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("id", &self.id).finish_non_exhaustive()
    }
}

impl<J> fmt::Debug for Parts<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("model", &self.model).finish_non_exhaustive()
    }
}
