//! What stands behind the server in tests: sessions that play scripts, and files in memory.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

use bytes::Bytes;
use futures_util::future::{BoxFuture, FutureExt as _, ready};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tagline_agent::{Policy, TurnLimits};
use tagline_executor::{Capabilities, Registry, Tool, ToolContext};
use tagline_model::ScriptedModel;
use tagline_policy::Situation;
use tagline_protocol::{Effect, Mode, ToolFailure, ToolOutcome, ToolOutput};
use tagline_secret::Secret;
use tagline_server::{
    Backstage, Blob, ChangeRow, Changes, ChangingCall, Check, Done, FileEntry, FilePath,
    FileProblem, Files, Found, How, IfUnreachable, KeyKept, KeyPlace, KeySource, ModelRow,
    ProviderRow, ProviderStanding, ProviderState, Replace, SettingKept, Settled, Setup,
    SetupProblem, Undo, UndoProblem, Undone, Which,
};
use tagline_session::{
    Clock, Equipment, Hub, HubLimits, NoUpkeep, Sampling, Settings, Workshop, WorkshopError,
};
use tagline_store::{MemoryJournal, SessionInfo};

/// Adds one to a counter.
#[derive(Debug, Deserialize, JsonSchema)]
struct Add {
    /// What for.
    why: String,
}

#[derive(Debug, Default)]
struct Counter(AtomicU32);

impl Tool for Add {
    const NAME: &'static str = "add";
    const EFFECT: Effect = Effect::Write;
    const EXAMPLES: &'static [&'static str] = &[r#"<add why="one more"/>"#];

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        let n = cx.get::<Counter>()?.0.fetch_add(1, Ordering::SeqCst) + 1;
        Ok(ToolOutput::new(format!("{n}: {}", self.why), json!({ "n": n })))
    }
}

/// Waits until it is stopped.
#[derive(Debug, Deserialize, JsonSchema)]
struct Sleep {}

impl Tool for Sleep {
    const NAME: &'static str = "sleep";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] = &["<sleep/>"];

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        cx.cancel.cancelled().await;
        Err(ToolFailure::Cancelled("woken".to_owned()))
    }
}

#[derive(Debug)]
pub(crate) struct Noon;

pub(crate) const NOON: &str = "2026-01-01T12:00:00.000Z";

impl Clock for Noon {
    fn now(&self) -> String {
        NOON.to_owned()
    }
}

struct Shop {
    model: ScriptedModel,
    counter: Arc<Counter>,
    mode: Mode,
    turns: TurnLimits,
    n_sessions: AtomicU32,
}

impl Workshop for Shop {
    fn equip<'a>(
        &'a self,
        session: &'a SessionInfo,
    ) -> BoxFuture<'a, Result<Equipment, WorkshopError>> {
        let mut registry = Registry::default();
        registry.add::<Add>();
        registry.add::<Sleep>();
        let equipment = Equipment {
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
                limits: self.turns,
                sampling: Sampling::default(),
                tool_attempts: 1,
                timeout: None,
                answer: None,
                profile: session.profile.clone(),
            },
            upkeep: Arc::new(NoUpkeep),
        };
        ready(Ok(equipment)).boxed()
    }

    fn new_id(&self) -> String {
        format!("s{}", self.n_sessions.fetch_add(1, Ordering::SeqCst) + 1)
    }
}

/// A hub over a journal in memory, whose sessions play this script.
pub(crate) fn hub(
    script: &str,
    mode: Mode,
    turns: TurnLimits,
    limits: HubLimits,
) -> Hub<MemoryJournal> {
    let shop = Shop {
        model: ScriptedModel::from_text(script).unwrap(),
        counter: Arc::default(),
        mode,
        turns,
        n_sessions: AtomicU32::new(0),
    };
    Hub::new(Arc::default(), Arc::new(shop), Arc::new(Noon), limits)
}

/// The program around the server.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    pub(crate) files: Mutex<BTreeMap<String, Bytes>>,
    /// The name of a part that is not well; `panic…` is not well in its own way.
    pub(crate) ill: Mutex<Option<String>>,
    /// Those that failed.
    pub(crate) providers: Mutex<Vec<ProviderState>>,
    /// The kept key of the one provider.
    pub(crate) key: Mutex<Option<Secret>>,
}

impl Backstage for Stage {
    fn now(&self) -> String {
        NOON.to_owned()
    }

    fn workspace(&self) -> PathBuf {
        "/work".into()
    }

    fn profile(&self) -> String {
        "default".to_owned()
    }

    fn config(&self) -> Value {
        json!({ "mode": "ask" })
    }

    fn models(&self) -> BoxFuture<'_, Vec<ModelRow>> {
        let row = ModelRow { name: "test/script".to_owned(), is_default: true, context: None };
        ready(vec![row]).boxed()
    }

    fn checks(&self) -> BoxFuture<'_, Vec<Check>> {
        let ill = self.ill.lock().unwrap().clone();
        let panics = ill.as_deref().is_some_and(|it| it.starts_with("panic"));
        assert!(!panics, "a handler that panics: {ill:?}");
        let check = |name| Check { name, is_well: false, detail: "out of order".to_owned() };
        ready(ill.map(check).into_iter().collect()).boxed()
    }

    fn providers(&self) -> Vec<ProviderState> {
        self.providers.lock().unwrap().clone()
    }

    fn files(&self) -> &dyn Files {
        self
    }

    fn undo(&self) -> &dyn Undo {
        self
    }

    fn setup(&self) -> &dyn Setup {
        self
    }
}

fn entry(path: &str, bytes: &Bytes) -> FileEntry {
    let name = path.rsplit('/').next().unwrap_or_default().to_owned();
    let size = u64::try_from(bytes.len()).ok();
    FileEntry { name, kind: "file".to_owned(), size, changed: None }
}

impl Files for Stage {
    fn list<'a>(&'a self, folder: &'a FilePath) -> Done<'a, Vec<FileEntry>> {
        let files = self.files.lock().unwrap();
        let start = folder.to_string();
        let below = files.iter().filter(|(path, _)| path.starts_with(&start));
        ready(Ok(below.map(|(path, bytes)| entry(path, bytes)).collect())).boxed()
    }

    fn read<'a>(&'a self, file: &'a FilePath, _limit: usize) -> Done<'a, Blob> {
        let bytes = self.files.lock().unwrap().get(&file.to_string()).cloned();
        let blob = bytes.map(|bytes| Blob { bytes, media_type: "text/html".to_owned() });
        ready(blob.ok_or_else(|| FileProblem::Missing(file.to_string()))).boxed()
    }

    fn write<'a>(
        &'a self,
        file: &'a FilePath,
        bytes: Bytes,
        replace: Replace,
    ) -> Done<'a, FileEntry> {
        let mut files = self.files.lock().unwrap();
        let path = file.to_string();
        if files.contains_key(&path) && replace == Replace::No {
            return ready(Err(FileProblem::Exists(path))).boxed();
        }
        let made = entry(&path, &bytes);
        files.insert(path, bytes);
        ready(Ok(made)).boxed()
    }

    fn make_folder<'a>(&'a self, folder: &'a FilePath) -> Done<'a, FileEntry> {
        self.write(folder, Bytes::new(), Replace::No)
    }

    fn relocate<'a>(&'a self, from: &'a FilePath, to: &'a FilePath) -> Done<'a, FileEntry> {
        let moved = self.files.lock().unwrap().remove(&from.to_string());
        match moved {
            Some(bytes) => self.write(to, bytes, Replace::No),
            None => ready(Err(FileProblem::Missing(from.to_string()))).boxed(),
        }
    }
}

/// In the first turn a file was changed, and whoever wants it back gets it.
impl Undo for Stage {
    fn changes<'a>(&'a self, _session: &'a str, which: Which) -> Found<'a, Changes> {
        let changes = match which {
            Which::Last | Which::Turn(1) => Ok(changes(None)),
            Which::Turn(turn) => {
                Err(UndoProblem::Nothing(format!("turn {turn} changed nothing that is kept")))
            }
            Which::Call(call) => {
                Err(UndoProblem::Nothing(format!("call `{call}` changed nothing")))
            }
        };
        ready(changes).boxed()
    }

    fn undo<'a>(&'a self, session: &'a str, which: Which, how: How) -> Found<'a, Undone> {
        let left = (!how.is_forced).then(|| "changed since, by you".to_owned());
        let undone = match which {
            Which::Call(_) => Err(UndoProblem::Busy(session.to_owned())),
            Which::Last | Which::Turn(_) => Ok(Undone {
                what: changes(left),
                n_done: usize::from(how.is_forced && !how.is_dry),
                undo: (how.is_forced && !how.is_dry).then(|| "u1".to_owned()),
                failed: Vec::new(),
            }),
        };
        ready(undone).boxed()
    }
}

fn changes(left: Option<String>) -> Changes {
    let row = ChangeRow {
        path: "a.txt".to_owned(),
        verb: "change".to_owned(),
        facts: String::new(),
        text: "-a\n+b\n".to_owned(),
        left,
    };
    let call = ChangingCall {
        call: "t1.1".to_owned(),
        tool: "write_file".to_owned(),
        target: "a.txt".to_owned(),
    };
    Changes { calls: vec![call], changes: vec![row], ..Changes::default() }
}

/// One provider, which takes keys that begin with `good` and is away for those that begin with `away`.
impl Setup for Stage {
    fn providers(&self) -> Settled<'_, Vec<ProviderRow>> {
        ready(Ok(vec![self.provider()])).boxed()
    }

    fn keep_key<'a>(
        &'a self,
        provider: &'a str,
        key: Secret,
        unreachable: IfUnreachable,
    ) -> Settled<'a, KeyKept> {
        ready(self.try_key(provider, key, unreachable)).boxed()
    }

    fn forget_key<'a>(&'a self, provider: &'a str) -> Settled<'a, ()> {
        let forgotten = self.key.lock().unwrap().take();
        let forgotten = forgotten.map(|_| ());
        ready(forgotten.ok_or_else(|| SetupProblem::NotKept(provider.to_owned()))).boxed()
    }

    fn set<'a>(&'a self, name: &'a str, value: Option<&'a str>) -> Settled<'a, SettingKept> {
        let kept = match name {
            "model" => Ok(SettingKept {
                name: name.to_owned(),
                value: value.map(str::to_owned),
                behind: None,
            }),
            _ => {
                Err(SetupProblem::NoSetting { name: name.to_owned(), known: "`model`".to_owned() })
            }
        };
        ready(kept).boxed()
    }
}

impl Stage {
    fn provider(&self) -> ProviderRow {
        let has_key = self.key.lock().unwrap().is_some();
        let state = if has_key { ProviderStanding::Ready } else { ProviderStanding::NoKey };
        ProviderRow {
            name: "test".to_owned(),
            address: Some("https://models.test".to_owned()),
            is_server: false,
            takes_key: true,
            key: has_key.then_some(KeySource {
                from: KeyPlace::File,
                variable: None,
                is_another_kept: false,
            }),
            state,
            message: None,
            models: if has_key { vec!["test/m1".to_owned()] } else { Vec::new() },
        }
    }

    fn try_key(
        &self,
        provider: &str,
        key: Secret,
        unreachable: IfUnreachable,
    ) -> Result<KeyKept, SetupProblem> {
        if provider != "test" {
            let (name, known) = (provider.to_owned(), "test".to_owned());
            return Err(SetupProblem::NoProvider { name, known });
        }
        let (is_good, is_away) =
            (key.expose().starts_with("good"), key.expose().starts_with("away"));
        if is_away && unreachable == IfUnreachable::Refuse {
            return Err(SetupProblem::Unreachable("nobody answers".to_owned()));
        }
        if !is_good && !is_away {
            return Err(SetupProblem::Refused("HTTP 401".to_owned()));
        }
        *self.key.lock().unwrap() = Some(key);
        Ok(KeyKept { provider: self.provider(), is_proven: is_good, notes: Vec::new() })
    }
}
