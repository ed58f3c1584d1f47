//! A session with a provider on this machine.

use std::{
    sync::{Arc, Mutex, atomic::Ordering},
    time::Duration,
};

use serde_json::Value;
use tagline_agent::{Policy, StopReason, TurnLimits};
use tagline_executor::{Capabilities, guards::ReadLedger};
use tagline_fake_provider::{Adapter, Answer, Provider};
use tagline_model::{Connector, Env, Model, ModelLimits, ModelRef, ProviderConfig};
use tagline_policy::Situation;
use tagline_protocol::{Event, Frame, Mode, Usage};
use tagline_session::{Parts, Sampling, Session, Settings, Task};
use tagline_store::MemoryJournal;
use tagline_workspace::Workspace;
use tempfile::TempDir;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::bench::{Add, Counter, Never, Noon};

/// The one that cases are about where the wire does not matter.
pub(super) const ADAPTER: Adapter = Adapter::OpenAi;

/// How a turn ended, and after how many seconds.
pub(super) struct Ended {
    pub(super) stop: StopReason,
    pub(super) seconds: f64,
}

impl Ended {
    #[track_caller]
    pub(super) fn done(&self) {
        assert_eq!(self.stop, StopReason::Completed("Done.".to_owned()));
    }

    /// The code and the message.
    #[track_caller]
    pub(super) fn failed(&self) -> (&str, &str) {
        match &self.stop {
            StopReason::ModelFailed { code, message } => (code, message),
            StopReason::Limit { reason, message } => (reason, message),
            StopReason::Completed(_)
            | StopReason::NeedsHuman(_)
            | StopReason::Protocol(_)
            | StopReason::BadAnswer(_)
            | StopReason::Cancelled => panic!("{:?}", self.stop),
        }
    }
}

pub(super) struct Bed {
    pub(super) provider: Provider,
    pub(super) connector: Connector,
    pub(super) counter: Arc<Counter>,
    folder: TempDir,
    journal: Arc<MemoryJournal>,
    shown: Arc<Mutex<Vec<Frame>>>,
}

impl Bed {
    pub(super) async fn new() -> Self {
        Self::at(Provider::start().await.unwrap())
    }

    pub(super) fn at(provider: Provider) -> Self {
        Self {
            provider,
            connector: Connector::default(),
            counter: Arc::default(),
            folder: tempfile::tempdir().unwrap(),
            journal: Arc::default(),
            shown: Arc::default(),
        }
    }

    pub(super) fn path(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// A model of the adapter there, with so many tries.
    pub(super) async fn model(&self, adapter: Adapter, attempts: u32) -> Arc<dyn Model> {
        self.model_with(adapter, attempts, None).await
    }

    /// The same with this key.
    pub(super) async fn model_with(
        &self,
        adapter: Adapter,
        attempts: u32,
        key: Option<&str>,
    ) -> Arc<dyn Model> {
        let reference = ModelRef::parse(&adapter.model()).unwrap();
        let env: Env = adapter.variables(self.provider.address()).into_iter().collect();
        let limits = ModelLimits { attempts, ..ModelLimits::default() };
        let key = key.map(|key| key.to_owned().into());
        let config = ProviderConfig { limits, key, ..ProviderConfig::default() };
        self.connector.connect(&reference, &config, &env).await.unwrap()
    }

    fn parts(&self, model: Arc<dyn Model>) -> Parts<MemoryJournal> {
        let workspace = Workspace::builder(self.path().to_owned()).open().unwrap();
        let mut registry = tagline_tools::all();
        registry.add::<Add>();
        let sink = Arc::clone(&self.shown);
        Parts {
            journal: Arc::clone(&self.journal),
            model,
            registry: Arc::new(registry),
            capabilities: Capabilities::default()
                .with(Arc::new(workspace))
                .with(Arc::new(ReadLedger::default()))
                .with(Arc::clone(&self.counter)),
            situation: Situation {
                mode: Mode::Full,
                is_attended: false,
                roots: vec![self.path().to_owned()],
                home: None,
                own: Vec::new(),
                ..Situation::default()
            },
            approver: Arc::new(Never),
            clock: Arc::new(Noon),
            watcher: Arc::new(move |frame: &Frame| sink.lock().unwrap().push(frame.clone())),
        }
    }

    /// A turn of a new session.
    pub(super) async fn run(&self, model: Arc<dyn Model>) -> Ended {
        self.run_as("s", model, &CancellationToken::new()).await
    }

    /// The same as the session of that name, until it is stopped.
    pub(super) async fn run_as(
        &self,
        id: &str,
        model: Arc<dyn Model>,
        cancel: &CancellationToken,
    ) -> Ended {
        let parts = self.parts(model);
        let place = self.path().to_owned();
        let session = Session::create(parts, settings(), id.to_owned(), place).await.unwrap();
        play(&session, Task::Say("count".into()), cancel).await
    }

    /// The session goes on, with whatever model.
    pub(super) async fn go_on(&self, model: Arc<dyn Model>, task: Task) -> Ended {
        let session = Session::open(self.parts(model), settings(), "s".to_owned());
        play(&session, task, &CancellationToken::new()).await
    }

    /// What was shown of the model's state: the words, in order.
    pub(super) fn states(&self) -> Vec<String> {
        let shown = self.shown.lock().unwrap();
        let mut states = Vec::new();
        for frame in shown.iter() {
            if let Event::ModelState { state, .. } = &frame.event {
                states.push(state.clone());
            }
        }
        states
    }

    pub(super) fn shown(&self) -> Vec<Frame> {
        self.shown.lock().unwrap().clone()
    }

    /// The counts that were shown.
    pub(super) fn usages(&self) -> Vec<Usage> {
        let mut usages = Vec::new();
        for frame in self.shown() {
            if let Event::Usage(usage) = frame.event {
                usages.push(usage);
            }
        }
        usages
    }

    /// How often the tool ran.
    pub(super) fn counted(&self) -> u32 {
        self.counter.0.load(Ordering::SeqCst)
    }

    pub(super) fn n_asked(&self) -> usize {
        self.provider.asked().len()
    }

    /// The seconds between the requests.
    pub(super) fn gaps(&self) -> Vec<f64> {
        let asked = self.provider.asked();
        asked.windows(2).map(|pair| (pair[1].at - pair[0].at).as_secs_f64()).collect()
    }

    /// The body of a request, from 0.
    pub(super) fn body(&self, at: usize) -> Value {
        self.provider.asked()[at].body.clone()
    }

    /// The last message of a request, as text.
    pub(super) fn last_message(&self, at: usize) -> String {
        self.body(at)["messages"].as_array().unwrap().last().unwrap()["content"].to_string()
    }
}

async fn play(session: &Session<MemoryJournal>, task: Task, cancel: &CancellationToken) -> Ended {
    let start = Instant::now();
    let end = session.run(task, cancel.clone()).await.unwrap();
    Ended { stop: end.stop, seconds: start.elapsed().as_secs_f64() }
}

fn settings() -> Settings {
    Settings {
        system: "You are a test.".to_owned(),
        policy: Policy::Free,
        limits: TurnLimits::default(),
        sampling: Sampling::default(),
        tool_attempts: 1,
        timeout: None,
        answer: None,
        profile: "default".to_owned(),
    }
}

/// A whole reply.
pub(super) fn reply(text: &str) -> Answer {
    Answer::stream(ADAPTER.wire().reply(text).as_bytes())
}

/// The beginning of a reply, in one piece.
pub(super) fn begins(text: &str) -> Answer {
    let wire = ADAPTER.wire();
    Answer::stream((wire.head() + &wire.delta(text)).as_bytes())
}

pub(super) fn status(status: u16) -> Answer {
    Answer::status(status, &[], b"")
}

pub(super) fn limited(wait: &str) -> Answer {
    Answer::status(429, &[("retry-after", wait)], b"")
}

pub(super) fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}
