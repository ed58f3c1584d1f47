//! A hub over a journal in memory, whose sessions play scripts.

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use futures_util::future::BoxFuture;
use tagline_agent::{Policy, TurnLimits};
use tagline_executor::{Capabilities, Registry};
use tagline_model::ScriptedModel;
use tagline_policy::Situation;
use tagline_protocol::{Frame, Mode};
use tagline_session::{
    Equipment, Hub, HubLimits, NewSession, NoUpkeep, Position, Sampling, Settings, Upkeep, Watched,
    Watching, Workshop, WorkshopError,
};
use tagline_store::{Journal as _, MemoryJournal, SessionInfo};

use crate::bench::{Add, Counter, Noon, Sleep, kind};

/// Makes every session of the same parts.
pub(crate) struct Shop {
    pub(crate) model: ScriptedModel,
    pub(crate) counter: Arc<Counter>,
    pub(crate) closed: Arc<AtomicU32>,
    /// Bounds of every turn from now on.
    pub(crate) bounds: Mutex<TurnLimits>,
    pub(crate) timeout: Mutex<Option<Duration>>,
    /// What sessions left running never ends.
    pub(crate) is_stuck: AtomicBool,
    mode: Mode,
    n_sessions: AtomicU32,
    broken: Mutex<Option<WorkshopError>>,
}

struct Closes {
    closed: Arc<AtomicU32>,
    is_stuck: bool,
}

impl Upkeep for Closes {
    fn close(&self) -> BoxFuture<'_, ()> {
        self.closed.fetch_add(1, Ordering::SeqCst);
        if self.is_stuck { Box::pin(std::future::pending()) } else { NoUpkeep.close() }
    }
}

impl Workshop for Shop {
    fn equip<'a>(
        &'a self,
        session: &'a SessionInfo,
    ) -> BoxFuture<'a, Result<Equipment, WorkshopError>> {
        let made = match self.broken.lock().unwrap().clone() {
            Some(error) => Err(error),
            None => Ok(self.parts(session)),
        };
        Box::pin(std::future::ready(made))
    }

    fn new_id(&self) -> String {
        format!("s{}", self.n_sessions.fetch_add(1, Ordering::SeqCst) + 1)
    }
}

impl Shop {
    fn parts(&self, session: &SessionInfo) -> Equipment {
        let mut registry = Registry::default();
        registry.add::<Add>();
        registry.add::<Sleep>();
        Equipment {
            model: Arc::new(self.model.clone()),
            registry: Arc::new(registry),
            capabilities: Capabilities::default().with(Arc::clone(&self.counter)),
            situation: Situation {
                mode: self.mode,
                is_attended: true,
                roots: vec![session.workspace.clone()],
                home: None,
                own: Vec::new(),
                ..Situation::default()
            },
            settings: Settings {
                system: "You are a test.".to_owned(),
                policy: Policy::Free,
                limits: *self.bounds.lock().unwrap(),
                sampling: Sampling::default(),
                tool_attempts: 1,
                timeout: *self.timeout.lock().unwrap(),
                answer: None,
                profile: session.profile.clone(),
            },
            upkeep: Arc::new(Closes {
                closed: Arc::clone(&self.closed),
                is_stuck: self.is_stuck.load(Ordering::SeqCst),
            }),
        }
    }
}

/// A hub and what it is made of.
pub(crate) struct Bench {
    pub(crate) hub: Hub<MemoryJournal>,
    pub(crate) journal: Arc<MemoryJournal>,
    pub(crate) shop: Arc<Shop>,
}

/// The session that each bench begins with.
pub(crate) const S: &str = "s1";

impl Bench {
    /// A hub with one session, in which everything runs without a question.
    pub(crate) async fn new(script: &str) -> Self {
        Self::with(script, Mode::Full, HubLimits::default()).await
    }

    /// A hub with one session, in which what changes something asks.
    pub(crate) async fn asking(script: &str) -> Self {
        Self::with(script, Mode::Ask, HubLimits::default()).await
    }

    pub(crate) async fn with(script: &str, mode: Mode, limits: HubLimits) -> Self {
        let bench = Self::over(Arc::default(), script, mode, limits);
        let new = NewSession { workspace: PathBuf::from("/work"), ..NewSession::default() };
        assert_eq!(bench.hub.create(new).await.unwrap().id, S);
        bench
    }

    /// A hub over a journal that was used before, as after a restart.
    pub(crate) fn over(
        journal: Arc<MemoryJournal>,
        script: &str,
        mode: Mode,
        limits: HubLimits,
    ) -> Self {
        let shop = Arc::new(Shop {
            model: ScriptedModel::from_text(script).unwrap(),
            counter: Arc::default(),
            closed: Arc::default(),
            bounds: Mutex::default(),
            timeout: Mutex::default(),
            is_stuck: AtomicBool::new(false),
            mode,
            n_sessions: AtomicU32::new(0),
            broken: Mutex::default(),
        });
        let hub = Hub::new(Arc::clone(&journal), Arc::clone(&shop) as _, Arc::new(Noon), limits);
        Self { hub, journal, shop }
    }

    /// A new process that finds what this one has written so far; this one is left as it stands,
    /// as a killed one is.
    pub(crate) async fn restart(&self, script: &str) -> Self {
        let journal = MemoryJournal::default();
        let info = self.journal.find(S).await.unwrap();
        journal.begin(info, self.frames().await).unwrap();
        Self::over(Arc::new(journal), script, Mode::Full, HubLimits::default())
    }

    /// Another process beside this one, over the same journal.
    pub(crate) fn beside(&self, script: &str) -> Self {
        Self::over(Arc::clone(&self.journal), script, Mode::Full, HubLimits::default())
    }

    pub(crate) fn break_shop(&self, code: &str, message: &str) {
        let (code, message) = (code.to_owned(), message.to_owned());
        *self.shop.broken.lock().unwrap() = Some(WorkshopError { code, message });
    }

    pub(crate) async fn frames(&self) -> Vec<Frame> {
        self.journal.read(S, 0, usize::MAX).await.unwrap()
    }

    /// One line for each frame of these groups, such as `run.` or `message.`.
    pub(crate) async fn story(&self, groups: &[&str]) -> String {
        let frames = self.frames().await;
        let told = frames
            .iter()
            .filter(|frame| groups.iter().any(|group| frame.event.kind().starts_with(group)));
        told.map(|frame| line(frame) + "\n").collect()
    }

    /// Waits until the session has a frame of this type.
    pub(crate) async fn until(&self, kind: &str) {
        self.until_n(kind, 1).await;
    }

    /// Waits until the session has so many of them.
    pub(crate) async fn until_n(&self, kind: &str, n: usize) {
        let is_kind = |frame: &&Frame| frame.event.kind() == kind;
        while self.frames().await.iter().filter(is_kind).count() < n {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    pub(crate) async fn watch(&self, position: &str) -> Watching<MemoryJournal> {
        self.hub.watch(S, Position::read(S, position)).await.unwrap()
    }

    /// Ends the hub, and asserts that nothing of it is left.
    pub(crate) async fn close(self) {
        assert!(self.hub.shutdown(Duration::from_secs(5)).await, "the end took too long");
        let health = self.hub.health();
        assert_eq!((health.tasks, health.turns, health.approvals), (0, 0, 0));
    }
}

/// What a frame says, without its number.
pub(crate) fn line(frame: &Frame) -> String {
    let run = frame.run.as_deref().unwrap_or("-");
    let told = kind(frame);
    let (_, told) = told.split_once(' ').unwrap();
    format!("{run} {told}")
}

/// Reads on until `seq`: each frame must follow on the one before. Returns where the reader stands.
pub(crate) async fn read_to(reader: &mut Watching<MemoryJournal>, after: u64, seq: u64) -> u64 {
    let mut reached = after;
    while reached < seq {
        let next = reader.next().await;
        let Some(Watched::Frames(frames)) = &next else {
            assert_eq!(next, None, "expected frames behind {reached}");
            return reached;
        };
        for frame in frames {
            assert_eq!(frame.from, reached + 1, "a hole or a double before {frame:?}");
            reached = frame.seq;
        }
    }
    reached
}
